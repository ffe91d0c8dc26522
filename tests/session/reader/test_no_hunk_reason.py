"""What is said where an answer brought no hunk."""

from __future__ import annotations

import pytest

from spark_tui.session.reader.no_hunk_reason import CAN_DO, QUESTION, explain, why_no_hunk

CODE = {
    "a fence without a path": "Here it is:\n\n```python\nx = 2\n```\n",
    "a fence in a list": "1. Change this:\n   ```\n   x = 2\n   ```\n",
    "a diff without files": "@@ -1,2 +1,2 @@\n-x = 1\n+x = 2\n",
    "a block of another format": "<<<<<<< SEARCH\nx = 1\n=======\nx = 2\n>>>>>>> REPLACE\n",
    "a patch of another format": "*** Begin Patch\n*** Update File: a.py\n",
}


@pytest.mark.parametrize("answer", CODE.values(), ids=CODE)
def test_code_that_was_not_placed_is_not_called_nothing_to_change(answer: str) -> None:
    assert "code that spark could not place" in why_no_hunk("stop", answer)


@pytest.mark.parametrize(
    ("reason", "answer", "edited", "said"),
    [
        ("cannot", "", False, "declined"),
        ("no_edit", "", False, "sees nothing to change"),
        ("stop", "", True, "the edit changes nothing"),
        ("stop", "Have a look at `limit` first.\n", False, "text without an edit"),
        ("stop", " \n", False, "empty"),
    ],
)
def test_each_way_to_bring_no_hunk_has_words_of_its_own(
    reason: str, answer: str, edited: bool, said: str
) -> None:
    assert said in why_no_hunk(reason, answer, edited=edited)


def test_the_sentence_of_the_reader_is_the_reason_where_the_model_declined_too() -> None:
    assert why_no_hunk("no_edit", "There is nothing called add.\n") == "There is nothing called add"


def test_the_sentence_of_the_reader_is_the_reason_where_no_model_was_asked() -> None:
    said = why_no_hunk("cannot", "This cannot be done exactly:\nno function add.\n", exact=True)
    assert said == "This cannot be done exactly: no function add"


@pytest.mark.parametrize(
    ("kind", "reason", "paths", "said"),
    [
        ("write", "there is nothing called add", ["app.js", ""], CAN_DO),
        ("write", "there is nothing called add", ["app.js", "app.py"], "there is nothing called add"),
        ("write", "no key of that name", [".env"], "no key of that name"),
        ("write", "there is nothing called add", [""], "there is nothing called add"),
        ("write", "", ["app.py"], CAN_DO),
        ("question", "", ["app.js"], QUESTION),
        ("edit", "", ["app.js"], ""),
    ],
)
def test_the_reader_does_not_say_what_is_missing_in_files_that_it_cannot_read(
    kind: str, reason: str, paths: list[str], said: str
) -> None:
    assert explain(kind, reason, paths) == said
