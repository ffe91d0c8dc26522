"""A chat model that begins again instead of going on adds nothing twice."""

from __future__ import annotations

import pytest

from spark_tui.backends.remote.repeated_start import RepeatedStart

EDIT = "<<<<<<< SEARCH\n    total = 0\n=======\n    if total is None:\n        raise Va"
BEGUN = f"I'll guard it.\n\ncart.py\n{EDIT}"
REST = "lueError('total')\n    total = 0\n>>>>>>> REPLACE\n"


def gone_on(begun: str, text: str, size: int) -> str:
    repeated = RepeatedStart(begun)
    out = [repeated.feed(text[at : at + size]) for at in range(0, len(text), size)]
    return "".join([*out, repeated.finish()])


@pytest.mark.parametrize("size", [1, 7, 1000])
@pytest.mark.parametrize(
    "again",
    ["", BEGUN, BEGUN[BEGUN.index("cart.py") :], BEGUN[BEGUN.index("<<<") :], "        raise Va", "raise Va"],
)
def test_what_is_repeated_from_the_start_of_a_line_is_left_out(again: str, size: int) -> None:
    assert gone_on(BEGUN, again + REST, size) == REST


def test_the_mark_of_a_block_is_not_written_twice() -> None:
    begun = "x.py\n<<<<<<< SEARCH\na\n=======\nb\n>>>>>>>"
    assert gone_on(begun, ">>>>>>> REPLACE\n", 3) == " REPLACE\n"


@pytest.mark.parametrize("size", [1, 4, 1000])
@pytest.mark.parametrize(
    ("begun", "line"),
    [
        ("a.py\n```\ndef f():\n    ret", "    return 0\n"),  # a short piece of a line
        ("a.py\n```\ndef f():\n    if x:\n   ", "        return 0\n"),  # its indentation only
        ("a.py\n```\ndef f():\n    if x:\n\t", "\t\treturn 0\n"),
        ("@@ -1 +1 @@\n-a\n+  ", "+    b\n"),
        ("a.py\n```\ndef f(alpha, ", "def f(alpha, beta):\n"),
        ("a.py\n```\nrows = [\n    0, 0, 0, 0, ", "    0, 0, 0, 0, 1]\n"),
        ("a.py\n```\ndef f(\n    alpha, ", "    alpha, beta\n"),
        ("shop/c", "shop/cart.py\n"),  # no line before it
    ],
)
def test_a_line_that_was_hardly_begun_is_not_begun_twice(begun: str, line: str, size: int) -> None:
    last = begun[begun.rfind("\n") + 1 :]
    assert last + gone_on(begun, line, size) == line


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(("begun", "text"), [("x =", " 1"), ("x = ", " 1"), ("x = ", "1")])
def test_the_blank_where_an_answer_broke_off_stands_once(begun: str, text: str, size: int) -> None:
    assert begun + gone_on(begun, text, size) == "x = 1"


@pytest.mark.parametrize("size", [1, 1000])
@pytest.mark.parametrize(
    ("begun", "text"),
    [
        ("a = 1\nb = 2\n", "b = 2\nc = 3\n"),  # a line may stand twice
        ("x", "x = 1\n"),
        ("", "I'll guard it.\n"),
        (BEGUN, "I'll guard it.\n\nother.py\n"),  # another answer
        (BEGUN, BEGUN[:20]),
        ("a\n===", "====\nb\n"),  # the other half of a mark
        ("a\n  - ", "- b\n"),
        ("rows = [\n    0, ", "0, 1],\n"),  # a row of the same things
        ("rows = [\n    None, ", "None, 1],\n"),
        ('rows = [\n    "", ', '"", 1],\n'),
        ("rows = [\n    (1, 2, 3), ", "(1, 2, 3), (4, 5, 6)],\n"),
        ('rows = [\n    "eleven chars", ', '"eleven chars", 1],\n'),
        ("rows = [\n    0, 0, 0, 0, ", "0, 0, 0, 0, 1],\n"),
        ("rows = [\n    None,\n    None,\n", "    None,\n    None,\n    1,\n"),
        ("| a | b |\n|---", "|---|\n"),
    ],
)
def test_other_text_is_left_as_it_is(begun: str, text: str, size: int) -> None:
    assert gone_on(begun, text, size) == text
