"""Comments as blocks: sentences that go on below, and code that is commented out."""

from __future__ import annotations

import pytest

from spark_tui.codemods.places.comment_blocks import comment_blocks
from spark_tui.pysource.source import Source


def code_in(text: str) -> list[str]:
    blocks = comment_blocks(Source(text))
    return [block.text for block in blocks if block.is_code and not block.among_words]


@pytest.mark.parametrize(
    "comment",
    [
        "# total = 0",
        "#total = 0",
        "# return total",
        "# log(total)",
        "# if total:\n#     log(total)",
        "# if total:",
        "# paid = 1\n# return not order.total or\n#     not order.rate(1)",
        "##  def get(self):\n##      return self.rate",
    ],
)
def test_code_that_is_commented_out(comment: str) -> None:
    assert code_in(f"x = 1\n{comment}\ny = 2\n") == [comment]


@pytest.mark.parametrize(
    "comment",
    [
        "# TODO: later",
        "# harbour",
        "# see order.total",
        "# default (none)",
        "# if the order is paid, log it",
        "# An order:\n#   total = 0",
        "# total is 0 here (see rate)",
    ],
)
def test_words_are_no_code(comment: str) -> None:
    assert code_in(f"x = 1\n{comment}\ny = 2\n") == []


def test_a_sentence_over_several_lines_is_one_comment() -> None:
    first = "# The fee of a harbour is that of its country, which depends on the"
    text = f"{first}\n# length of the ship.\n# short\n# also short\nx = 1  # behind\n"
    blocks = [(block.first, block.last, block.behind_code) for block in comment_blocks(Source(text))]
    assert blocks == [(0, 2, False), (2, 3, False), (3, 4, False), (4, 5, True)]
