"""Several orders in one instruction: one edit of what can be done, and a mark for what cannot."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from intent.support import PATH, answered, result, situation, spans

from spark_tui.intent.answering.answer import answer, answer_orders
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.orders.several import undone
from spark_tui.intent.planning.answers import UNSURE, Answer
from spark_tui.intent.reading.reader import Reader
from spark_tui.intent.reading.symbol_roles import repository_roles
from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = {PATH: "LIMIT = 3\n\n\ndef f(qty):\n    return qty\n"}
RENAME = ("rename", {"symbol": "qty", "new": "count"})
LOST = ("delete_calls", {"call": "nowhere"})


@pytest.fixture
def sure(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readings by hand have no words around them, which the fitted certainty goes by."""
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize("orders", [(RENAME, LOST), (LOST, RENAME)])
def test_what_cannot_be_done_marks_the_rest(orders: Sequence[tuple[str, dict[str, str]]]) -> None:
    found = answered(CODE, *orders)
    assert found.kind == "edit"
    assert result(found, CODE) == "LIMIT = 3\n\n\ndef f(count):\n    return count\n"
    assert found.ways[0].marked == ("not done: nowhere",)
    assert found.reason


@pytest.mark.usefixtures("sure")
def test_what_an_order_before_removed_is_removed() -> None:
    files = {PATH: "def f(qty):\n    twice = qty * 2\n    return twice\n"}
    orders = [("inline_variable", {"variable": "twice"}), ("remove_definition", {"symbol": "twice"})]
    found = answered(files, *orders)
    assert result(found, files) == "def f(qty):\n    return qty * 2\n"
    assert found.ways[0].marked == ()


@pytest.mark.usefixtures("sure")
def test_an_order_with_nothing_to_do_is_named_with_the_reason() -> None:
    found = answered(CODE, RENAME, ("sort_imports", {"file": PATH}))
    assert found.ways[0].marked == (f"nothing to do for {PATH}: the imports are sorted",)


@pytest.mark.parametrize(
    "words", ["sort them, and then", "and sort them", " und sort them and ", "sort them."]
)
def test_words_that_join_an_order_to_the_others_are_not_shown(words: str) -> None:
    assert str(undone(words)) == "not done: sort them"


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
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: sure)
    alone = answered(CODE, RENAME)
    assert alone.kind == "write"
    found = answered(CODE, RENAME, ("set_value", {"variable": "LIMIT", "value": "4"}))
    assert (found.kind == "edit") is done
    if done:
        assert UNSURE in found.ways[0].marked


@pytest.mark.parametrize(("sure", "marked"), [(0.94, ()), (0.93, (UNSURE,))])
def test_several_orders_are_marked_by_how_sure_it_is_that_all_of_them_are_meant(
    monkeypatch: pytest.MonkeyPatch, sure: float, marked: tuple[str, ...]
) -> None:
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: sure)
    found = answered(CODE, RENAME, ("set_value", {"variable": "LIMIT", "value": "4"}))
    assert found.ways[0].marked == marked


class TwoWays:
    """Reads one order, or two where it is asked to split once more."""

    def __init__(self, whole: Order, parts: tuple[Order, ...], score: float = 0.0) -> None:
        self._whole, self._parts, self._score = whole, parts, score

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        del instruction, symbols, earlier
        return (self._whole,)

    def split_once_more(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        del instruction, symbols, earlier
        return self._parts

    def score_of_order(
        self, instruction: str, symbols: SymbolRoles, place: tuple[int, int], earlier: str = ""
    ) -> float:
        del instruction, symbols, place, earlier
        return self._score


class NoRoles:
    def roles(self, name: str) -> frozenset[str]:
        del name
        return frozenset()

    word_roles = roles


def joined(text: str, first: Reading, second: Reading, whole: Reading, score: float = 0.0) -> Answer:
    """The answer where the whole is read first, and the parts on both sides of `and` where it is split, with
    the score of an order that begins there."""
    at = text.index(" and ")
    parts = (Order(0, at, (first,)), Order(at, len(text), (second,)))
    reader = TwoWays(Order(0, len(text), (whole,)), parts, score)
    return answer(text, reader, Situation(Repository(DictTree(CODE)), PATH), NoRoles())


def said(text: str, intent: str, **slots: str) -> Reading:
    """A reading whose slots hold these words of the text."""
    found = {slot: (Span(text.index(one), text.index(one) + len(one), one),) for slot, one in slots.items()}
    return Reading(intent, 0.95, found)


@pytest.mark.usefixtures("sure")
def test_both_orders_are_done_where_the_whole_reading_leaves_one_unsaid() -> None:
    text = "rename qty to count and set LIMIT to 4"
    first, second = (
        said(text, "rename", symbol="qty", new="count"),
        said(text, "set_value", variable="LIMIT", value="4"),
    )
    found = joined(text, first, second, second)
    assert result(found, CODE) == "LIMIT = 4\n\n\ndef f(count):\n    return count\n"
    assert found.ways[0].marked


@pytest.mark.usefixtures("sure")
def test_an_order_that_the_whole_reading_leaves_unsaid_and_nobody_can_do_is_named() -> None:
    text = "rename qty to count and drop calls of nowhere"
    first = said(text, "rename", symbol="qty", new="count")
    found = joined(text, first, said(text, "delete_calls", call="nowhere"), first)
    assert any("drop calls of nowhere" in mark for mark in found.ways[0].marked)


@pytest.mark.parametrize(("other", "named"), [("write", True), ("chat", False)])
def test_what_is_said_beside_an_order_with_nothing_to_do_is_named(other: str, named: bool) -> None:
    text = "sort the imports and feed the cat"
    found = joined(text, said(text, "sort_imports"), said(text, other), said(text, "sort_imports"))
    assert found.kind == "nothing" and ("Not done: feed the cat." in found.reason) is named


@pytest.mark.usefixtures("sure")
def test_the_same_said_again_without_a_name_is_no_second_order() -> None:
    text = "rename qty to count and do rename it"
    first = said(text, "rename", symbol="qty", new="count")
    found = joined(text, first, Reading("rename", 0.95), first)
    assert found.ways[0].marked == ()


def test_orders_beyond_the_most_that_are_done_are_named() -> None:
    code = {PATH: "".join(f"{item} = 1\n" for item in "ABCDEFG")}
    found = answered(code, *(("set_value", {"variable": item, "value": "2"}) for item in "ABCDEFG"))
    assert result(found, code) == "".join(f"{item} = 2\n" for item in "ABCDEF") + "G = 1\n"
    assert "not done: G 2" in found.ways[0].marked


def test_what_is_to_be_done_at_an_unknown_place_is_done_nowhere_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.7)
    code = {PATH: "def f(qty):\n    print(qty)\n"}
    orders = [
        ("annotate_all", {"function": "not_here"}),
        ("annotate_parameter", {"parameter": "qty", "type": "int"}),
    ]
    found = answered(code, *orders)
    assert found.kind != "edit"
    assert answered(code, ("annotate_all", {"function": "f"}), orders[1]).kind == "edit"


@pytest.mark.usefixtures("sure")
def test_both_orders_are_done_where_the_whole_is_read_as_something_that_cannot_be_done() -> None:
    text = "rename qty to count and set LIMIT to 4"
    first, second = (
        said(text, "rename", symbol="qty", new="count"),
        said(text, "set_value", variable="LIMIT", value="4"),
    )
    found = joined(text, first, second, said(text, "delete_calls", call="LIMIT"))
    assert result(found, CODE) == "LIMIT = 4\n\n\ndef f(count):\n    return count\n"
    assert found.ways[0].marked


SHOP = {PATH: "LIMIT = 3\n\n\ndef load(path):\n    return path\n\n\ndef save(path):\n    return path\n"}


def asked(text: str) -> Answer:
    repo = Repository(DictTree(SHOP))
    return answer(text, Reader.load(), Situation(repo, PATH), repository_roles(repo.index, (PATH,)))


@pytest.mark.parametrize("words", ["frobnicate the flux", "all of its callers"])
def test_words_behind_a_joining_word_that_nothing_is_made_of_are_named(words: str) -> None:
    found = asked(f"rename load to fetch and {words}")
    assert "def fetch(" in result(found, SHOP)
    assert any(f"not done: {words}" in item for item in found.ways[0].marked)


def test_words_that_one_of_several_orders_makes_nothing_of_are_named() -> None:
    found = asked("in load return 0 if path is empty, then frobnicate the flux, and set LIMIT to 4")
    assert "LIMIT = 4" in result(found, SHOP)
    assert "return 0" in result(found, SHOP)
    assert "not done: frobnicate the flux" in found.ways[0].marked


@pytest.mark.parametrize(
    "text", ["rename load to fetch. thanks a lot", "rename load to fetch and save to store"]
)
def test_thanks_and_what_is_done_are_not_named(text: str) -> None:
    assert not any("not done" in item for item in asked(text).ways[0].marked)


@pytest.mark.parametrize(
    "reason",
    [", which makes it easier to debug", ". Otherwise the second run fails.", " because the old one crashed"],
)
def test_why_something_is_asked_for_is_no_order(reason: str) -> None:
    found = asked(f"rename load to fetch{reason}")
    assert "def fetch(" in result(found, SHOP)
    assert not any("not done" in item for item in found.ways[0].marked)


@pytest.mark.parametrize(
    ("order", "wanted"),
    [(", it should return None instead", "return None"), (", so it needs a docstring", '"""Fetch."""')],
)
def test_an_order_that_begins_like_a_reason_is_done(order: str, wanted: str) -> None:
    changed = result(asked(f"rename load to fetch{order}"), SHOP)
    assert "def fetch(" in changed and wanted in changed


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("rename save to store, then delete it", "LIMIT = 3\n\n\ndef load(path):\n    return path\n"),
        ("rename load to fetch and delete save", "LIMIT = 3\n\n\ndef fetch(path):\n    return path\n"),
        ("delete save. rename load to fetch.", "LIMIT = 3\n\n\ndef fetch(path):\n    return path\n"),
        ("rename LIMIT to MOST and set LIMIT to 4", SHOP[PATH].replace("LIMIT = 3", "MOST = 4")),
        ("rename path to file in load, do the same in save", SHOP[PATH].replace("path", "file")),
    ],
)
def test_orders_that_lean_on_each_other_are_done(text: str, wanted: str) -> None:
    assert result(asked(text), SHOP).rstrip() == wanted.rstrip()


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize(("score", "split"), [(2.0, True), (-2.0, False)])
def test_where_an_order_surely_begins_one_is_read_although_the_whole_holds_all_words(
    score: float, split: bool
) -> None:
    text = "rename qty to count and LIMIT as 4"
    first, second = (
        said(text, "rename", symbol="qty", new="count"),
        said(text, "set_value", variable="LIMIT", value="4"),
    )
    every = {"symbol": (*first.slots["symbol"], *second.slots["variable"]), "new": first.slots["new"]}
    second = replace(second, probability=0.45)
    found = joined(text, first, second, replace(first, slots=every), score)
    assert (result(found, CODE).startswith("LIMIT = 4") and "(count)" in result(found, CODE)) is split
    assert not split or any("where one instruction ends" in mark for mark in found.ways[0].marked)


@pytest.mark.usefixtures("sure")
@pytest.mark.parametrize("place", ["and line 2", "and about line 2", "and (somewhere near line 2)"])
def test_a_line_that_is_named_behind_an_order_is_no_order_to_delete_it(place: str) -> None:
    text = f"rename qty to count {place}"
    first = said(text, "rename", symbol="qty", new="count")
    found = joined(text, first, said(text, "delete_lines", line="2"), first, 2.0)
    assert result(found, CODE) == "LIMIT = 3\n\n\ndef f(count):\n    return count\n"
