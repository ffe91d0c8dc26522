"""What a pasted error tells is mended so that the code no longer raises it."""

from __future__ import annotations

from random import Random

from spark_tui.train import worded_edits
from spark_tui.train.kinds import KINDS, Draw
from spark_tui.train.source_windows import SourceWindow

READS = """def ask(text):
    number = int(text)
    return number + 1
"""
JOINS = """def label(count):
    return "count: " + str(count)
"""
SUMS = """def total(values):
    out = 0
    for value in values:
        out += value
    return out
"""


def outcome(text: str, call: str) -> object:
    """The value, or the name of the error."""
    scope: dict[str, object] = {}
    exec(text, scope)
    try:
        return eval(call, scope)
    except Exception as error:
        return type(error).__name__


def mended(name: str, text: str, call: str) -> set[tuple[object, object]]:
    found = [
        worded_edits.edit(KINDS[name], SourceWindow("shop.py", text), Draw(Random(seed)))
        for seed in range(12)
    ]
    out = {(outcome(case.before, call), outcome(case.after, call)) for case in found if case is not None}
    assert out
    return out


def test_text_becomes_a_number_where_it_is_read() -> None:
    assert mended("needs_number", READS, "ask('4')") == {("TypeError", 5)}


def test_a_number_becomes_text_where_it_is_joined() -> None:
    assert mended("number_in_text", JOINS, "label(3)") == {("TypeError", "count: 3")}


def test_a_local_has_a_value_before_it_grows() -> None:
    assert mended("unset_local", SUMS, "total([1, 2])") == {("UnboundLocalError", 3)}
