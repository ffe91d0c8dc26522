"""What an order says of its callers is heard: that they are to see nothing of it is not done."""

from __future__ import annotations

import pytest
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles

FILES = {
    PATH: "def names(prefix, trim=True):\n    return prefix, trim\n\n\ndef use():\n    return names('a')\n"
}


@pytest.mark.parametrize(
    ("said", "left"),
    [
        (
            "trim of names defaults to False now, the callers keep what they have",
            "the callers keep what they have",
        ),
        (
            "set the default of trim to False, existing callers should not change",
            "existing callers should not change",
        ),
        ("set the default of trim to False, callers must not notice", "callers must not notice"),
        (
            "set the default of trim to False without changing what callers get",
            "without changing what callers get",
        ),
        (
            "setze den Standardwert von trim auf False, die Aufrufer sollen nichts merken",
            "die Aufrufer sollen nichts merken",
        ),
        ("rename trim to strip in names, existing callers should keep working", ""),
        ("rename names to labels, but the callers stay correct", ""),
    ],
)
def test_an_edit_that_reaches_them_is_marked(said: str, left: str) -> None:
    assert marks(said) == ([f"not used: {left}"] if left else [])


@pytest.mark.parametrize(
    "said",
    [
        "add a parameter width with default 80 to names, existing callers stay as they are",
        "add a docstring to names, but callers stay as they are",
        "add type hints to names, callers unchanged",
    ],
)
def test_one_that_does_not_is_not(said: str) -> None:
    assert not [mark for mark in marks(said) if mark.startswith("not used")]


def marks(said: str) -> list[str]:
    here = situation(FILES, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    return [str(mark) for mark in found.ways[0].marked]
