"""Several orders in one instruction: one edit of what can be done, and a mark for what cannot."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from intent.support import PATH, answered, result, situation, spans

from spark_tui.intent.answer import answer_orders
from spark_tui.intent.readings import Order, Reading, Span
from spark_tui.intent.situation import Done, Situation
from spark_tui.intent.ways import UNSURE
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree

CODE = {PATH: "LIMIT = 3\n\n\ndef f(qty):\n    return qty\n"}
RENAME = ("rename", {"symbol": "qty", "new": "count"})
LOST = ("delete_calls", {"call": "nowhere"})


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answer.certainty", lambda *_: 0.99)


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize("orders", [(RENAME, LOST), (LOST, RENAME)])
def test_what_cannot_be_done_marks_the_rest(orders: Sequence[tuple[str, dict[str, str]]]) -> None:
    found = answered(CODE, *orders)
    assert found.kind == "edit"
    assert result(found, CODE) == "LIMIT = 3\n\n\ndef f(count):\n    return count\n"
    assert found.ways[0].marked == ("not done: nowhere",)
    assert found.reason


def test_what_is_said_besides_marks_nothing() -> None:
    said = [("chat", {"text": "thanks"}), RENAME]
    assert not any("not done" in mark for mark in answered(CODE, *said).ways[0].marked)


def test_where_nothing_can_be_done_the_first_reason_is_told() -> None:
    found = answered(CODE, LOST, ("delete_calls", {"call": "elsewhere"}))
    assert found.kind == "write" and not found.ways


def test_a_place_that_one_order_leaves_out_stays() -> None:
    files = {
        PATH: "def f():\n    print(1)\n\n\ndef g():\n    print(2)\n",
    }
    text, slots = spans({"call": "print"})
    first = Reading("delete_calls", 0.95, slots, (Span(0, 1, "g"),))
    more, others = spans({"symbol": "f", "new": "h"}, len(text))
    orders = [
        Order(0, len(text), (first,)),
        Order(len(text), len(text) + 4, (Reading("rename", 0.95, others),)),
    ]
    found = answer_orders(orders, situation(files, instruction=text + more))
    assert "print(2)" in result(found, files) and "print(1)" not in result(found, files)
    assert "def h():" in result(found, files)


def followed(orders: list[tuple[str, dict[str, str]]]) -> str:
    """The file after two orders, and a message about them of one or more orders."""
    first = answered(CODE, RENAME, ("set_value", {"variable": "LIMIT", "value": "4"}))
    before = Repository(DictTree(CODE))
    now = before.with_changes(first.ways[0].plan.texts(before))
    text, read = "", []
    for intent, words in orders:
        part, slots = spans(words, len(text))
        read.append(Order(len(text), len(text) + len(part), (Reading(intent, 0.95, slots),)))
        text += part
    told = Situation(now, PATH, earlier=first.ways[0].done, before=before, instruction=text)
    way = answer_orders(read, told).ways[0]
    return way.plan.texts(before if way.from_before else now)[PATH] or ""


def test_a_message_about_the_last_of_two_orders_keeps_the_first() -> None:
    text = followed([("amend.value", {"value": "5"})])
    assert text == "LIMIT = 5\n\n\ndef f(count):\n    return count\n"


def test_a_message_about_the_first_of_two_orders_keeps_the_last() -> None:
    text = followed([("amend.name", {"new": "total", "old": "count"})])
    assert text == "LIMIT = 4\n\n\ndef f(total):\n    return total\n"


def test_a_message_may_amend_and_ask_for_more() -> None:
    more = ("annotate_parameter", {"parameter": "count", "type": "int"})
    text = followed([("amend.value", {"value": "5"}), more])
    assert text == "LIMIT = 5\n\n\ndef f(count: int):\n    return count\n"
    text = followed([more, ("amend.value", {"value": "5"})])
    assert text == "LIMIT = 5\n\n\ndef f(count: int):\n    return count\n"


def test_nothing_is_done_twice_where_a_message_takes_the_last_answer_back() -> None:
    before = Repository(DictTree(CODE))
    now = before.with_changes({PATH: CODE[PATH].replace("qty", "count")})
    told = Situation(now, PATH, earlier=Done("rename", {}, ()), before=before, instruction="x LIMIT 4 ")
    _, slots = spans({"variable": "LIMIT", "value": "4"}, 2)
    orders = [
        Order(0, 2, (Reading("amend.undo", 0.95),)),
        Order(2, 10, (Reading("set_value", 0.95, slots),)),
    ]
    way = answer_orders(orders, told).ways[0]
    assert way.from_before
    assert way.plan.texts(before)[PATH] == CODE[PATH].replace("3", "4")


@pytest.mark.parametrize(("sure", "done"), [(0.2, True), (0.01, False)])
def test_an_unlikely_edit_of_one_of_several_orders_is_made_and_marked(
    monkeypatch: pytest.MonkeyPatch, sure: float, done: bool
) -> None:
    monkeypatch.setattr("spark_tui.intent.answer.certainty", lambda *_: sure)
    alone = answered(CODE, RENAME)
    assert alone.kind == "write"
    found = answered(CODE, RENAME, ("set_value", {"variable": "LIMIT", "value": "4"}))
    assert (found.kind == "edit") is done
    if done:
        assert UNSURE in found.ways[0].marked


def test_orders_beyond_the_most_that_are_done_are_named() -> None:
    code = {PATH: "A = 1\nB = 1\nC = 1\nD = 1\nE = 1\n"}
    found = answered(code, *(("set_value", {"variable": one, "value": "2"}) for one in "ABCDE"))
    assert result(found, code) == "A = 2\nB = 2\nC = 2\nD = 2\nE = 1\n"
    assert "not done: E 2" in found.ways[0].marked
