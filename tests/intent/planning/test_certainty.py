"""How sure it is that an edit is meant."""

from __future__ import annotations

import numpy as np
import pytest
from intent.asking import answer_to
from intent.support import PATH, situation, spans

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.answering.earlier import earlier_done
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import UNSURE
from spark_tui.intent.planning.certainty import certainty, certainty_table, unexplained
from spark_tui.intent.reading.evaluation import KnownRoles
from spark_tui.intent.reading.word_counts import WordCounts, buckets, word_counts
from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.files.tree import DictTree
from spark_tui.pysource.repository import Repository

CODE = {PATH: "LIMIT = 3\nRATE = 3\n"}


def answered(text: str, reading: Reading) -> Answer:
    return answer_orders([Order(0, len(text), (reading,))], situation(CODE, instruction=text))


def test_every_weight_is_for_evidence_that_is_collected() -> None:
    text, slots = spans({"variable": "LIMIT", "value": "4"})
    way = answered(text, Reading("set_value", 0.9, slots)).ways[0]
    assert set(certainty_table()["weights"]) <= {*way.evidence, "intent"}
    assert way.confidence == pytest.approx(certainty(way.evidence, "set_value"))


def test_a_likelier_reading_is_surer() -> None:
    text, slots = spans({"variable": "LIMIT", "value": "4"})
    high, low = (
        answered(text, Reading("set_value", share, slots)).ways[0].evidence["reading"] for share in (0.9, 0.5)
    )
    assert high > low


@pytest.mark.parametrize(("probability", "marked"), [(0.95, ()), (0.85, (UNSURE,))])
def test_an_edit_of_an_unlikely_reading_is_marked_however_sure_it_is(
    monkeypatch: pytest.MonkeyPatch, probability: float, marked: tuple[str, ...]
) -> None:
    monkeypatch.setattr("spark_tui.intent.answering.answer.certainty", lambda *_: 0.99)
    text, slots = spans({"variable": "LIMIT", "value": "4"})
    assert answered(text, Reading("set_value", probability, slots)).ways[0].marked == marked


def test_names_and_quoted_pieces_that_no_slot_holds_are_counted() -> None:
    text = "set LIMIT to 4 like `RATE` and max_size, 7 times"
    held = [Span(4, 9, "LIMIT"), Span(13, 14, "4")]
    tokens = tokenize(text)
    assert [token.text for token in unexplained(tokens, tokens.items, held)] == ["RATE", "max_size", "7"]


def test_words_speak_for_the_intent_that_they_were_counted_with() -> None:
    counts = np.zeros((8192, 2), dtype=np.uint8)
    for at, words in enumerate((["sort", "the", "imports"], ["rename", "the", "class"])):
        singles, pairs = buckets(words)
        counts[[*singles, *pairs], at] += 5
    known = WordCounts(["sort_imports", "rename"], counts)
    right, wrong = (known.opinion(["Sort", "the", "imports"], item) for item in ("sort_imports", "rename"))
    assert right.first and not wrong.first
    assert right.margin > 0 > wrong.margin
    assert (right.unseen, round(wrong.unseen, 2)) == (0.0, 0.67)


def test_words_say_nothing_of_an_unknown_intent() -> None:
    assert word_counts().opinion(["sort"], "no_such_intent").margin == 0.0
    assert word_counts().opinion([], "rename").margin == 0.0


class OneReading:
    """A reader that reads one thing."""

    def __init__(self, reading: Reading) -> None:
        self._reading = reading

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        return (Order(0, len(instruction), (self._reading,)),)


@pytest.mark.parametrize(
    "written, found", [("LIMIT = 4\nRATE = 3\n", True), ("LIMIT = 5\nRATE = 3\n", False)]
)
def test_what_a_model_wrote_is_known_by_its_result(written: str, found: bool) -> None:
    text, slots = spans({"variable": "LIMIT", "value": "4"})
    now = Situation(Repository(DictTree(CODE)), PATH)
    reader = OneReading(Reading("set_value", 0.9, slots))
    done = earlier_done(text, reader, now, KnownRoles({}, {}), {PATH: written})
    assert done is not None and done.intent == "set_value"
    assert bool(done.calls) is found


def test_an_edit_that_does_nothing_with_a_name_of_the_order_says_so() -> None:
    text, slots = spans({"variable": "LIMIT", "value": "4"})
    more = f"{text} like max_size"
    assert answered(more, Reading("set_value", 0.99, slots)).ways[0].marked == ("not used: max_size",)
    way = answered(text, Reading("set_value", 0.99, slots)).ways[0]
    assert not any("nothing is done" in item for item in way.marked)


def test_a_name_that_is_spelled_in_words_is_not_taken_for_read() -> None:
    tokens = tokenize("rename LIMIT to most hyphen used")
    assert [token.text for token in unexplained(tokens, tokens.items, [Span(7, 12, "LIMIT")])] == ["hyphen"]


def test_a_field_that_no_call_says_is_told() -> None:
    init = "    def __init__(self, sku, size):\n        self.sku = sku\n        self.size = size\n"
    code = {PATH: f"class Item:\n{init}"}
    text = "add __eq__ to Item that compares the sku"
    found = {
        slot: (Span(text.index(one), text.index(one) + len(one), one),)
        for slot, one in (("method", "__eq__"), ("class", "Item"), ("attribute", "sku"))
    }
    for slots in (found, {slot: found[slot] for slot in ("method", "class")}):
        order = Order(0, len(text), (Reading("add_special_method", 0.99, slots),))
        way = answer_orders([order], situation(code, instruction=text)).ways[0]
        assert ("not used: sku" in way.marked) is ("attribute" not in slots)


def test_numbers_of_tickets_and_codes_of_rules_are_no_code_that_is_left() -> None:
    for text in ("SEC-2: rename a_b to c", "R1705: rename a_b to c", "rename a_b to c (INF-12)"):
        tokens = tokenize(text)
        at = text.index("a_b")
        spans = [Span(at, at + 3, "a_b"), Span(at + 7, at + 8, "c")]
        assert not list(unexplained(tokens, tokens.items, spans))
    tokens = tokenize("rename a_b to c 3")
    assert [token.text for token in unexplained(tokens, tokens.items, [Span(7, 10, "a_b")])] == ["3"]


@pytest.mark.parametrize(("line", "left"), [(2, False), (7, True)])
def test_the_line_of_a_tool_is_what_the_edit_at_it_is_about(line: int, left: bool) -> None:
    code = {PATH: "def f(a):\n    if a:\n        b = 1\n    else:\n        b = 2\n    return b\n"}
    text = f"{PATH}:{line}:5: SIM108 Use ternary operator"
    reading = Reading("pattern.ternary", 0.95, {})
    found = answer_orders([Order(0, len(text), (reading,))], situation(code, instruction=text))
    assert found.kind == "edit"
    assert (f"not used: {line}" in found.ways[0].marked) is left


@pytest.mark.parametrize(("condition", "unset"), [("row == 0", True), ("not rows", False)])
def test_an_edit_that_reads_a_name_before_it_is_set_is_marked(condition: str, unset: bool) -> None:
    loop = (
        "    found = 0\n    if rows:\n        for row in rows:\n            found += row\n    return found\n"
    )
    code = {PATH: f"def total(rows):\n{loop}"}
    text, slots = spans({"condition": f"`{condition}`", "function": "total", "exception": "KeyError"})
    order = Order(0, len(text), (Reading("guard_raise", 0.99, slots),))
    way = answer_orders([order], situation(code, instruction=text)).ways[0]
    assert any("row is not set yet there" in mark for mark in way.marked) is unset


def overlooked(code: str, text: str, intent: str, **slots: str) -> bool:
    return any(mark.startswith("not used") for mark in answer_to(code, text, intent, **slots).ways[0].marked)


@pytest.mark.parametrize(("line", "left"), [(2, False), (4, False), (9, True)])
def test_a_line_near_the_edit_says_where_it_is(line: int, left: bool) -> None:
    code = "a = 1\nLIMIT = 3\n" + "b = 2\n" * 9
    text = f"near line {line}, set LIMIT to 7"
    assert overlooked(code, text, "set_value", variable="LIMIT", value="7") is left


CHECKED = """\
class Box:
    def __init__(self, a):
        self.a = a

    def size(self, x):
        if x > 1:
            print(x)
        else:
            print(2)
"""


def test_what_an_edit_takes_away_or_is_inside_of_is_used() -> None:
    assert not overlooked(CHECKED, "size has no self, make it static", "make_static", function="size")
    text = "add the field rows with 1 to Box in __init__"
    slots = {"class": "Box", "name": "rows", "default": "1"}
    assert not overlooked(CHECKED, text, "add_field", **slots)


def test_the_word_if_is_no_condition_of_an_order_about_an_if() -> None:
    text = "flip the if in the method size"
    assert not overlooked(CHECKED, text, "pattern.invert_if", function="size")


def test_things_that_are_counted_and_rules_of_others_are_no_code_that_is_left() -> None:
    for text in ("2 things: rename a_b to c", "PEP 8: rename a_b to c", "rename a_b to c (closes #41)"):
        tokens = tokenize(text)
        at = text.index("a_b")
        spans = [Span(at, at + 3, "a_b"), Span(at + 7, at + 8, "c")]
        assert not list(unexplained(tokens, tokens.items, spans))
