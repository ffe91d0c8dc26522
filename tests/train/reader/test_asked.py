"""Instructions in real code: their records, and what is trained on."""

from random import Random

import pytest

from spark_tui.intent.reading.evaluation import case_from, judge_case
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.train.reader import asked
from spark_tui.train.reader.asked_variants import Variants
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
    for item in every:
        writing = item.example.writing
        starts = [order.start for order in item.example.orders]
        assert starts == sorted(set(starts)) and starts[0] == 0
        assert all(0 <= mention.start < mention.end <= len(writing.text) for mention in writing.mentions)
        slots = {slot for order in item.example.orders for slot in table[order.intent].slot_names}
        assert {mention.slot for mention in writing.mentions} <= slots | {LEFT_OUT}


def test_packages_that_are_kept_aside_are_there(every):
    assert {item.package for item in every} >= asked.UNTRAINED_PACKAGES


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
    assert judge_case(case, (first, second)).right
    assert not judge_case(case, (second, first)).right


def test_what_is_said_behind_an_edit_keeps_the_intent_of_that():
    one = asked.asked_from({**RECORD, "earlier": "set_default"}, "shop")
    assert record_of(one.example, one.roles)["earlier"] == "set_default"
    copied = [example for example, _ in Variants([one], Random(1)).copies(20)]
    assert {example.earlier for example in copied} == {"set_default"}


def test_a_copy_keeps_orders_and_pieces():
    one = asked.asked_from(RECORD, "shop")
    for example, _ in Variants([one], Random(3)).copies(200):
        said = {m.slot: example.writing.text[m.start : m.end] for m in example.writing.mentions}
        assert said == {"symbol": "qty", "new": "count", "function": "add", "message": "the total"}
        assert [order.intent for order in example.orders] == ["rename", "add_log"]
        place = next(m for m in example.writing.mentions if m.slot == "function")
        message = next(m for m in example.writing.mentions if m.slot == "message")
        assert place.end <= example.orders[1].start < message.start


def test_a_copy_takes_names_with_their_roles_from_another_instruction():
    other = {
        "file": "shop/till.py",
        "voice": "terse",
        "text": "drop close_till",
        "orders": [{"start": 0, "intent": "remove_definition", "slots": {"function": [[5, 15]]}}],
        "names": {"close_till": ["function"]},
        "words": {},
    }
    many = [asked.asked_from(RECORD, "shop"), asked.asked_from(other, "shop")]
    made = [
        (example, roles)
        for example, roles in Variants(many, Random(3)).copies(100)
        if len(example.orders) == 2 and example.writing.text.startswith("rename")
    ]
    functions = {
        example.writing.text[m.start : m.end]
        for example, _ in made
        for m in example.writing.mentions
        if m.slot == "function"
    }
    assert functions == {"add", "close_till"}
    assert all(
        roles.roles("close_till") == {"function"}
        for example, roles in made
        if "close_till" in example.writing.text
    )


def test_two_instructions_become_one_with_both_orders():
    drop = {**RECORD, "text": "drop add", "orders": [RECORD["orders"][0] | {"slots": {"symbol": [[5, 8]]}}]}
    drop["orders"][0]["intent"] = "remove_definition"
    one = asked.asked_from(drop, "shop")
    several = [made for made, _ in Variants([one], Random(2)).copies(100) if len(made.orders) == 2]
    assert 15 < len(several) < 50
    for made in several:
        assert made.orders[0].start == 0 or made.writing.text[: made.orders[0].start]
        assert [m.slot for m in made.writing.mentions] == ["symbol", "symbol"]
        first, second = made.writing.mentions
        assert first.end <= made.orders[1].start <= second.start
