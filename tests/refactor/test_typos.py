"""One letter that was typed wrong does not hide an order."""

from __future__ import annotations

import pytest

from spark_tui.refactor.order import Order
from spark_tui.refactor.source import Source
from spark_tui.refactor.typos import mended


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("raname the metod", "rename the method"),
        ("nuek the vey frist statment", "nuke the very first statement"),
        ("Rmove the esle", "Remove the else"),
        ("we forgoot to retrun", "we forgot to return"),
    ],
)
def test_plain_words_are_put_right(typed: str, meant: str) -> None:
    assert mended(typed, ()) == meant


@pytest.mark.parametrize(
    "text",
    [
        "change `retrun` to `return`",
        'print "a clas of its own"',
        "use the remote store",
        "insets of the window",
        "charge the user",
        "no longer used, whose color looks properly newer",
        "call lod() first",
        "rename retrn_value",
    ],
)
def test_what_may_be_meant_so_stays(text: str) -> None:
    assert mended(text, ()) == text


def test_a_name_of_the_file_is_no_typo() -> None:
    assert mended("delete metod", {"metod"}) == "delete metod"
    assert Order(Source(("metod = 1",)), "raname metod").said == "rename metod"
