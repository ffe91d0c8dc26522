"""What is said where an answer brought no hunk."""

from __future__ import annotations

from pathlib import Path

import pytest
from support.fake_reader import FakeReader

from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.reader.instruction_reader import InstructionReader
from spark_tui.session.reader.no_hunk_reason import (
    CAN_DO,
    NO_NEW_FILE,
    ONLY_EDITS,
    QUESTION,
    explain,
    for_command,
    why_no_hunk,
)
from spark_tui.session.reader.reader_edits import Base
from spark_tui.session.tree.exact_edits import ExactEdits

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
        ("cannot", "", ["app.py"], ONLY_EDITS),
        ("cannot", "there is nothing called add", ["app.py"], "there is nothing called add"),
        ("edit", "", ["app.js"], ""),
    ],
)
def test_the_reader_does_not_say_what_is_missing_in_files_that_it_cannot_read(
    kind: str, reason: str, paths: list[str], said: str
) -> None:
    assert explain(kind, reason, paths) == said


def test_commands_of_the_workbench_are_not_named_where_it_is_not_on_the_screen() -> None:
    assert "`/check pytest -q` runs your tests" in ONLY_EDITS
    said = for_command(ONLY_EDITS, "spark exec")
    assert "`spark watch -- pytest -q` runs your tests, or another check; for" in said
    assert "`spark exec --connect URL`" in said and "/check" not in said
    assert "`/open lib/a.py`" in NO_NEW_FILE.format(path="lib/a.py")
    assert "Create it and ask" in for_command(NO_NEW_FILE.format(path="lib/a.py"), "spark exec")


def test_of_a_file_that_is_not_there_it_is_said_that_the_reader_makes_none(tmp_path: Path) -> None:
    for name, text in (("a.py", "x = 1\n"), ("made.py", "y = 1\n"), (".gitignore", "made.py\n")):
        (tmp_path / name).write_text(text)
    edits, reader = ExactEdits(tmp_path), InstructionReader(FakeReader({}))
    for path, is_new in (("lost.py", True), ("made.py", False)):
        found = reader.read(ContextRequest(f"write {path}", "a.py"), edits, Base(edits.repo))
        assert found.ending == "write"
        assert found.sentence.startswith(f"There is no file {path}, and") is is_new


def test_an_edit_of_another_file_is_marked_where_the_shown_one_does_not_parse(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(x:\n    return x\n")
    (tmp_path / "b.py").write_text("def g(f):\n    return f\n")
    means = {"rename f to h": (("rename", {"symbol": "f", "new": "h"}, 0.9),)}
    edits, reader = ExactEdits(tmp_path), InstructionReader(FakeReader(means))
    mark = "a.py does not parse: line 1, '(' was never closed"
    for shown in ("a.py", "b.py"):
        found = reader.read(ContextRequest("rename f to h", shown), edits, Base(edits.repo))
        assert found.ending == "stop"
        assert (mark in found.ways[0].planned.guessed) is (shown == "a.py")


def test_a_model_is_not_asked_to_give_a_name_that_is_taken(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("def f(x):\n    return x\n\n\ndef g(x):\n    return f(x)\n")
    edits, ending = ExactEdits(tmp_path), {"g": "cannot", "h": "stop"}
    for new, expected in ending.items():
        asked = f"rename f to {new}"
        means = {asked: (("rename", {"symbol": "f", "new": new}, 0.9),)}
        found = InstructionReader(FakeReader(means)).read(
            ContextRequest(asked, "a.py"), edits, Base(edits.repo)
        )
        assert found.ending == expected
        assert (found.sentence == "This cannot be done: g exists already in the module of a.py.") is (
            new == "g"
        )


def test_an_open_file_that_does_not_parse_is_the_reason(
    tmp_path: Path,
) -> None:
    (tmp_path / "a.py").write_text("def g(x:\n    return x\n")
    (tmp_path / "b.py").write_text("def f(x):\n    return x\n\n\ndef h(x):\n    return x\n")
    rename = {"symbol": "x", "new": "value"}
    means = {"rename x to value": (("rename", rename, 0.6),), "write it": (("write", {}, 0.9),)}
    edits, reader = ExactEdits(tmp_path), InstructionReader(FakeReader(means))
    for asked, ending in (("rename x to value", "choices"), ("write it", "write")):
        for where in (ContextRequest(asked, "a.py"), ContextRequest(asked, files=("a.py",))):
            found = reader.read(where, edits, Base(edits.repo))
            assert (found.ending, found.sentence) == (
                ending,
                "a.py does not parse: line 1, '(' was never closed.",
            )
            assert reader.offers(where, edits, Base(edits.repo), 1.0) == ()


def test_no_model_is_asked_to_edit_a_merge_conflict(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("<<<<<<< HEAD\ndef f(x):\n=======\ndef f(y):\n>>>>>>> b\n    return 1\n")
    edits = ExactEdits(tmp_path)
    means = {
        "rename f to g": (("rename", {"symbol": "f", "new": "g"}, 0.9),),
        "write it": (("write", {}, 0.9),),
    }
    for asked in means:
        found = InstructionReader(FakeReader(means)).read(
            ContextRequest(asked, "a.py"), edits, Base(edits.repo)
        )
        assert found.ending == "cannot"
        assert "a.py has a merge conflict in line 1: resolve it first" in found.sentence


def test_no_model_is_asked_to_delete_what_is_used(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text('def f():\n    """One."""\n    return 1\n\n\nprint(f())\n')
    edits = ExactEdits(tmp_path)
    means = {"delete f": (("remove_definition", {"symbol": "f"}, 0.9),)}
    found = InstructionReader(FakeReader(means)).read(
        ContextRequest("delete f", "a.py"), edits, Base(edits.repo)
    )
    assert (found.ending, found.ways) == ("cannot", ())
    assert "f is used: a.py:6" in found.sentence
