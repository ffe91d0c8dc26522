"""Which comments go: by words, by where they are, and as code that is commented out."""

from __future__ import annotations

import pytest
from intent.asking import answer_to, changed

CODE = """def fee(ship, rate):
    # if rate < 0:
    #     raise ValueError(rate)
    total = ship.length * rate
    # The harbour takes half.
    if ship.docked:
        # log(ship)
        return total / 2  # half a fee
    return total
    # return total * 2


def toll(ship):
    # rate = 3
    return 3
"""


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("remove the commented-out raise in fee", (2, 3)),
        ("drop the commented-out log call in fee", (7,)),
        ("delete the comment at the top of fee", (2, 3)),
        ("the trailing comment in fee can go", (8,)),
        ("drop the comment above the docked check in fee", (5,)),
        ("remove the commented-out code after the return in fee", (10,)),
        ("delete the commented-out code in toll", (14,)),
    ],
)
def test_one_comment_is_described(text: str, gone: tuple[int, ...]) -> None:
    lines = CODE.splitlines(keepends=True)
    left = [line for at, line in enumerate(lines, 1) if at not in gone]
    if gone == (8,):
        left.insert(7, "        return total / 2\n")
    function = "toll" if "toll" in text else "fee"
    assert changed(CODE, text, "remove_comments", function=function) == "".join(left)


def test_all_code_that_is_commented_out_goes() -> None:
    left = [line for at, line in enumerate(CODE.splitlines(keepends=True), 1) if at not in (2, 3, 7, 10, 14)]
    assert changed(CODE, "delete commented-out code", "remove_comments") == "".join(left)


def test_each_of_several_comments_may_be_meant() -> None:
    answer = answer_to(CODE, "drop the commented-out code in fee", "remove_comments", function="fee")
    assert "3 places fit" in "; ".join(mark for way in answer.ways for mark in way.marked)


def test_comments_in_the_plural_are_all_of_them() -> None:
    code = "def toll(ship):\n    # rate = 3\n    # The same for all.\n    return 3\n"
    left = "def toll(ship):\n    return 3\n"
    assert changed(code, "drop the comments in toll", "remove_comments", function="toll") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [("first", (1, 2, 4)), ("second", (1, 2, 3)), ("last", (1, 2, 3))],
)
def test_a_comment_is_counted_among_those_that_are_not_for_tools(text: str, left: tuple[int, ...]) -> None:
    code = "#!/usr/bin/env python\nimport os  # noqa\n# Go home.\n# The end of it.\n"
    lines = code.splitlines(keepends=True)
    after = changed(code, f"remove the {text} comment", "remove_comments", text=text)
    assert after == "".join(lines[at - 1] for at in left)


def test_the_only_comment_does_not_go_where_it_is_for_a_tool() -> None:
    code = "def toll(ship):\n    return ship.rate  # type: ignore\n"
    answer = answer_to(code, "remove the comment in toll", "remove_comments", function="toll")
    assert not answer.ways and answer.kind != "nothing"


def test_comments_that_are_named_by_their_text_go_alone() -> None:
    code = "def go(a):\n    # Go.\n    b = a  # type: ignore\n    return b  # type: ignore[attr]\n"
    text = "remove the type: ignore comments in go"
    assert changed(code, text, "remove_comments", function="go") == (
        "def go(a):\n    # Go.\n    b = a\n    return b\n"
    )
