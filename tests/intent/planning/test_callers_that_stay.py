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
        ("rename trim to strip in names, existing callers should keep working", ""),
    ],
)
def test_an_edit_that_reaches_them_is_marked(said: str, left: str) -> None:
    here = situation(FILES, instruction=said)
    found = answer(said, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert [str(mark) for mark in found.ways[0].marked] == ([f"not used: {left}"] if left else [])
