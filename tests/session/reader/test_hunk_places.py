"""Hunks without which a file would not parse are taken back together."""

from __future__ import annotations

import pytest

from spark_tui.edits.hunk import Hunk
from spark_tui.intent.followups.counted_hunks import counted_hunks
from spark_tui.session.reader.hunk_places import hunk_places

LINES = (
    "import os",
    "",
    "try:",
    "    a()",
    "except E:",
    "    pass",
    "try:",
    "    b()",
    "except E:",
    "    pass",
)
IMPORT = Hunk(1, "a.py", 1, ("import os",), ("import os", "from contextlib import suppress"))
FIRST = (
    Hunk(2, "a.py", 3, ("try:",), ("with suppress(E):",)),
    Hunk(3, "a.py", 5, ("except E:", "    pass"), ()),
)
SECOND = (
    Hunk(4, "a.py", 7, ("try:",), ("with suppress(E):",)),
    Hunk(5, "a.py", 9, ("except E:", "    pass"), ()),
)
EVERY = (IMPORT, *FIRST, *SECOND)


def places() -> list[tuple[Hunk, ...]]:
    return hunk_places(EVERY, {"a.py": LINES}.get)


def test_halves_of_a_statement_are_one_place() -> None:
    assert places() == [(IMPORT,), FIRST, SECOND]


def test_other_files_and_files_that_do_not_parse_have_a_place_for_each_hunk() -> None:
    alone = [(hunk,) for hunk in EVERY]
    assert hunk_places(EVERY, lambda _path: None) == alone
    assert hunk_places(EVERY, lambda _path: (*LINES, "else")) == alone


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("undo the second", SECOND),
        ("undo the first", FIRST),
        ("undo the first hunk", (IMPORT,)),
        ("undo hunk 4", SECOND),
        ("undo the third", []),
    ],
)
def test_an_import_that_comes_with_an_edit_is_none_of_its_places(text: str, gone: list[Hunk]) -> None:
    assert counted_hunks(text, EVERY, places) == gone
