"""Edits of something else than what is named, or into something else than what is shown: they are marked."""

from __future__ import annotations

import pytest
from intent.asking import answer_to
from intent.fixed_reader import ranked
from intent.support import PATH, situation

from spark_tui.intent.answering.answer import answer_orders
from spark_tui.intent.words.readings import Order, Reading, Span

CODE = """from typing import Optional


class ParseError(ValueError):
    pass


class Shop:
    def total(self):
        return self.price * self.qty

    def report(self):
        total = self.price + 1
        print(total)


def parse(text: Optional[str]):
    try:
        return int(text)
    except ValueError as error:
        raise ParseError(text)


def check(text, other: Optional[int]):
    if not text:
        raise ParseError("empty")
"""


def marks(text: str, intent: str, /, **slots: str) -> list[str]:
    return [str(mark) for mark in answer_to(CODE, text, intent, **slots).ways[0].marked]


def test_what_is_not_in_the_function_that_is_named_is_marked() -> None:
    named = {"exception": "ParseError", "function": "check"}
    said = marks("raise ParseError from error in check", "raise_from", **named)
    assert "it was found outside of check" in said
    named = {"exception": "ParseError", "function": "parse"}
    said = marks("raise ParseError from error in parse", "raise_from", **named)
    assert "it was found outside of parse" not in said


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("re-raise in parse", True),
        ("raise a custom exception in parse", True),
        ("chain the error in parse", False),
        ("keep the original error in parse", False),
    ],
)
def test_a_cause_that_is_not_asked_for_is_marked(text: str, meant: bool) -> None:
    doubt = "the caught error was assumed to be meant as the cause"
    assert (doubt in marks(text, "raise_from", function="parse")) is meant


@pytest.mark.parametrize(
    ("text", "slots", "doubt"),
    [
        ("inline total", {}, True),
        ("inline the total method", {}, True),
        ("inline the variable total", {}, False),
        ("inline total in report", {"function": "report"}, False),
        ("inline the method total in report", {"function": "report"}, True),
    ],
)
def test_a_name_of_a_function_and_a_local_is_marked(text: str, slots: dict[str, str], doubt: bool) -> None:
    said = marks(text, "inline_variable", variable="total", **slots)
    assert ("total is the name of a method too" in said) is doubt


@pytest.mark.parametrize(
    ("old", "new", "where", "doubt"),
    [
        ("Optional", "None", "parse", "Optional does not become None"),
        ("Optional[str]", "None", "parse", "Optional[str] becomes str | None, not None"),
        ("Optional[str]", "str | None", "parse", ""),
        ("Optional[str]", "str | None", "", "1 places fit that are no Optional[str]"),
    ],
)
def test_code_that_becomes_something_else_than_is_shown_is_marked(
    old: str, new: str, where: str, doubt: str
) -> None:
    text = f"replace {old} with {new}" + (f" in {where}" if where else "")

    def span(one: str) -> tuple[Span, ...]:
        at = text.index(one)
        return (Span(at, at + len(one), one),)

    place = {"function": span(where)} if where else {}
    readings = (
        Reading("use_union", 0.95, place),
        Reading("replace_expression", 0.02, {"old": span(old), "new": span(new), **place}),
    )
    found = answer_orders([Order(0, len(text), readings)], situation({PATH: CODE}, instruction=text))
    said = [mark for mark in found.ways[0].marked if mark.startswith(("1 places", "Optional"))]
    assert said == ([doubt] if doubt else [])


def test_beside_what_is_still_used_nothing_else_is_removed() -> None:
    code = "def old(reason):\n    return reason\n\n\n@old('x')\ndef load():\n    return 1\n\n\nload()\n"
    found = ranked(
        {PATH: code},
        ("remove_definition", {"symbol": "load"}, 0.5),
        ("remove_decorator", {"decorator": "old", "function": "load"}, 0.4),
    )
    assert not found.ways and "load is used" in found.reason
