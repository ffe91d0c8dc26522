"""A counted exception leaves that one of what goes, and one for which there are too few is marked."""

from __future__ import annotations

import pytest
from intent.support import PATH, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import RepositoryRoles

CODE = """def main():
    # one
    print("a")
    # two, a sentence that is written over two lines of the file, since it
    # goes on
    print("b")
    print("c")
    return 1  # three
"""


def answered(said: str, code: str = CODE) -> Answer:
    where = situation({PATH: code}, instruction=said)
    return answer(said, Reader.load(), where, RepositoryRoles().of(where.repo.index, (PATH,)))


@pytest.mark.parametrize(
    ("said", "gone"),
    [
        ("remove all comments but the last", ("# one", "# two", "# goes on")),
        ("remove all comments except the second one", ("# one", "# three")),
        ("delete all comments except the first and the last", ("# two", "# goes on")),
        ("remove all prints except the first two", ('print("c")',)),
        ("remove all prints except the last print", ('print("a")', 'print("b")')),
        ("remove all prints except the last 2", ('print("a")',)),
    ],
)
def test_the_counted_ones_stay(said: str, gone: tuple[str, ...]) -> None:
    found = answered(said)
    after = result(found, {PATH: CODE})
    pieces = ("# one", "# two", "# goes on", "# three", 'print("a")', 'print("b")', 'print("c")')
    assert tuple(piece for piece in pieces if piece not in after) == gone
    assert not any("not left out" in why for why in found.ways[0].marked)


@pytest.mark.parametrize("said", ["the sixth", "the first three"])
def test_an_exception_for_which_there_are_too_few_is_marked(said: str) -> None:
    assert f"not left out: {said}" in answered(f"remove all prints except {said}").ways[0].marked


def test_an_exception_is_not_counted_where_imports_go_too() -> None:
    code = "from typing import overload\n\n\n" + "".join(
        f"@overload\ndef f(x: {kind}) -> {kind}: ...\n" for kind in ("int", "str")
    )
    found = answered("remove all overloads except the first", code + "def f(x):\n    return x\n")
    assert "not left out: the first" in found.ways[0].marked
