"""Instructions in real code: their records, and what is trained on."""

from random import Random

import pytest

from spark_tui.intent.evaluation import case_from, judge
from spark_tui.intent.intent_table import intents
from spark_tui.intent.network import LEFT_OUT
from spark_tui.intent.readings import Order, Reading, Span
from spark_tui.train.reader import asked
from spark_tui.train.reader.cases import record_of

RECORD = {
    "file": "shop/cart.py",
    "voice": "terse",
    "text": "rename qty to count in add, and log the total there",
    "orders": [
        {
            "start": 0,
            "intent": "rename",
            "slots": {"symbol": [[7, 10]], "new": [[14, 19]], "function": [[23, 26]]},
        },
        {"start": 26, "intent": "add_log", "slots": {"message": [[36, 45]]}},
    ],
    "names": {"qty": ["parameter"], "add": ["method"]},
    "words": {},
}


@pytest.fixture(scope="module")
def every():
    return asked.asked()


def test_every_record_names_known_intents_and_pieces_of_its_text(every):
    table = intents()
    assert len(every) > 2500
    for one in every:
        writing = one.example.writing
        starts = [order.start for order in one.example.orders]
        assert starts == sorted(set(starts)) and starts[0] == 0
        assert all(0 <= mention.start < mention.end <= len(writing.text) for mention in writing.mentions)
        slots = {slot for order in one.example.orders for slot in table[order.intent].slot_names}
        assert {mention.slot for mention in writing.mentions} <= slots | {LEFT_OUT}


def test_packages_that_are_kept_aside_are_there(every):
    assert {one.package for one in every} >= asked.ASIDE


def test_a_record_is_what_a_right_reading_is_judged_by():
    one = asked.asked_from(RECORD, "shop")
    case = case_from(record_of(one.example, one.roles))
    text = case.text

    def span(piece):
        start = text.index(piece)
        return (Span(start, start + len(piece), piece),)

    slots = {"symbol": span("qty"), "new": span("count"), "function": span("add")}
    first = Order(0, 26, (Reading("rename", 1.0, slots),))
    second = Order(26, len(text), (Reading("add_log", 1.0, {"message": span("the total")}),))
    assert judge(case, (first, second)).right
    assert not judge(case, (second, first)).right


def test_an_instruction_that_is_typed_again_keeps_its_orders_and_pieces():
    one = asked.asked_from(RECORD, "shop")
    rng = Random(3)
    for example, roles in asked.copies([one], 200, rng):
        assert roles is one.roles
        said = {m.slot: example.writing.text[m.start : m.end] for m in example.writing.mentions}
        assert said == {"symbol": "qty", "new": "count", "function": "add", "message": "the total"}
        assert [order.intent for order in example.orders] == ["rename", "add_log"]
        assert example.writing.text[example.orders[1].start :].lstrip(" ,").lower().startswith(("and", "an"))
