"""Two instructions that were read as one, where the edit of both would use a name that nothing defines."""

from __future__ import annotations

import pytest
from intent.orders.test_several_orders import CODE, NoRoles, TwoWays, joined, said
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer, answer_orders
from spark_tui.intent.answering.half_read import naming_unsaid
from spark_tui.intent.answering.undefined_orders import only_defined
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Order, Reading, Span


def test_the_edit_of_the_whole_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    text = "rename qty to count and set LIMIT to 4"
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)
    first = said(text, "rename", symbol="qty", new="count")
    lost = Answer("cannot", reason="nothing defines it")
    monkeypatch.setattr("spark_tui.intent.answering.half_read.without_undefined", lambda *_: lost)
    found = joined(text, first, said(text, "set_value", variable="LIMIT", value="4"), first)
    assert found.ways[0].marked and "LIMIT = 3" in result(found, CODE)


def test_halves_that_lose_a_number_which_the_whole_has_are_not_done_apart(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)
    text = "set LIMIT to 4.0 and rename qty to count"
    whole, rename = (
        said(text, "set_value", variable="LIMIT", value="4.0"),
        said(text, "rename", symbol="qty", new="count"),
    )
    other = said(text, "set_value", variable="LIMIT", value="4")
    found = joined(text, other, rename, whole)
    assert "LIMIT = 4.0" in result(found, CODE)


def test_a_line_that_is_shown_is_not_cut_at_its_comma() -> None:
    files = {PATH: "def sizes(parts, kept):\n    show(kept)\n    return parts, kept\n"}
    here = situation(files)
    text = "disable return parts, kept by commenting it out"
    found = answer(text, Reader.load(), here, repository_roles(here.repo.index, (PATH,)))
    assert result(found, files) == files[PATH].replace("    return", "    # return")


@pytest.mark.parametrize(("score", "told"), [(0.0, True), (-4.0, False)])
def test_an_order_behind_a_comma_that_is_not_done_is_told(score: float, told: bool) -> None:
    text = "qty -> count, keep the old name as alias"
    rename = said(text, "rename", symbol="qty", new="count")
    found = answered(CODE, ("rename", {"symbol": "qty", "new": "count"}))
    here = situation(CODE, instruction=text)
    reader = TwoWays(Order(0, len(text), (Reading("write", 0.9),)), (), score)
    marked = naming_unsaid(found, rename, here, reader, NoRoles()).ways[0].marked
    assert ("not done: keep the old name as alias" in marked) is told


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("drop the variable part, return Part(name, 1) directly", False),
        ("drop the variable part, return Part(name, 2) directly", True),
    ],
)
def test_a_call_that_is_shown_and_written_is_done(text: str, told: bool) -> None:
    code = {PATH: "def make(name):\n    part = Part(name, 1)\n    return part\n"}
    inline = said(text, "inline_variable", variable="part")
    found = answered(code, ("inline_variable", {"variable": "part"}))
    reader = TwoWays(Order(0, len(text), (Reading("write", 0.9),)), (), 0.0)
    marked = naming_unsaid(found, inline, situation(code, instruction=text), reader, NoRoles()).ways[0].marked
    shown = text.partition(", ")[2]
    assert (f"not done: {shown}" in marked) is told


def test_an_order_that_uses_what_nothing_defines_is_left() -> None:
    files = {PATH: "def parse(text):\n    return text\n\n\ndef read(path):\n    return parse(path)\n"}
    text, orders = "add param strict to parse and pass it on from read", []
    at = text.index("and pass")
    for start, end, intent, words in (
        (0, at, "add_parameter", {"name": "strict", "function": "parse"}),
        (at, len(text), "add_argument", {"value": "it", "call": "read"}),
    ):
        places = {slot: text.index(word, start) for slot, word in words.items()}
        slots = {slot: (Span(low, low + len(words[slot]), words[slot]),) for slot, low in places.items()}
        orders.append(Order(start, end, (Reading(intent, 0.95, slots),)))
    told = situation(files, instruction=text)
    whole = answer_orders(orders, told)
    assert "strict)" in result(whole, files).partition("def read")[2]
    found = only_defined(whole, orders, told, answer_orders)
    assert "def parse(text, strict" in result(found, files) and "parse(path)" in result(found, files)
    assert "not done: pass it on from read" in map(str, found.ways[0].marked)
    assert "nothing defines strict" in found.reason
