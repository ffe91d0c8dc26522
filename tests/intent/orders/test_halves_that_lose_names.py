"""Two instructions that were read as one, where the edit of both would use a name that nothing defines."""

from __future__ import annotations

import pytest
from intent.orders.test_several_orders import CODE, NoRoles, TwoWays, joined, said
from intent.support import PATH, answered, result, situation

from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.unsaid_words import naming_unsaid
from spark_tui.intent.planning.answers import Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Order, Reading


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
