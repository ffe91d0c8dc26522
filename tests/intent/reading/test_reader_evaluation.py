import pytest

from spark_tui.intent.reading.evaluation import calibration_rows, case_from, evaluation_report, judge_case
from spark_tui.intent.words.readings import Order, Reading, Span


def case(**changes):
    order = {"start": 0, "intent": "rename", "slots": {"symbol": ["qty"], "new": ["count"]}}
    record = {"voice": "v", "language": "en", "text": "rename qty to count", "orders": [order]}
    return case_from({**record, **changes})


def reading(intent, probability=0.9, **slots):
    return Reading(intent, probability, {name: (Span(0, 1, text),) for name, text in slots.items()})


def order(*readings):
    return Order(0, 5, readings)


RIGHT = reading("rename", symbol="qty", new="count")


@pytest.mark.parametrize(
    ("orders", "intent", "five", "slots"),
    [
        ((order(RIGHT),), True, True, True),
        ((order(reading("rename", symbol="qty")),), True, True, False),
        ((order(reading("write"), RIGHT),), False, True, True),
        ((order(*[reading("write")] * 5, RIGHT),), False, False, True),
        ((order(RIGHT), order(RIGHT)), False, False, False),
        ((), False, False, False),
    ],
)
def test_a_case_is_judged_by_intent_and_slots(orders, intent, five, slots):
    score = judge_case(case(), orders)
    assert (score.intent, score.first_five, score.slots) == (intent, five, slots)
    assert score.right == (intent and slots)


def test_places_left_out_count_as_a_slot():
    wanted = {"start": 0, "intent": "rename", "slots": {}, "left_out": ["tests"]}
    score = judge_case(case(orders=[wanted]), (order(reading("rename")),))
    assert score.intent
    assert not score.slots


def test_a_report_counts_by_voice_language_and_slot_and_has_bars():
    scores = [judge_case(case(), (order(RIGHT),)), judge_case(case(voice="w", language="de"), ())]
    found = evaluation_report(scores)
    assert found["all"]["intent"] == 0.5
    assert [(row["name"], row["right"]) for row in found["voices"]] == [("v", 1.0), ("w", 0.0)]
    assert found["slots"] == [
        {"name": "new", "cases": 2, "found": 0.5},
        {"name": "symbol", "cases": 2, "found": 0.5},
    ]
    assert [(bar["name"], bar["ok"]) for bar in found["bars"]] == [
        ("de: intent", False),
        ("English: intent", True),
        ("English: intent and all slots", True),
    ]


def test_calibration_compares_probabilities_with_shares():
    scores = [judge_case(case(), (order(RIGHT),)), judge_case(case(), (order(reading("write", 0.95)),))]
    (row,) = calibration_rows(scores)
    assert (row["cases"], row["right"]) == (2, 0.5)
    assert row["probability"] == pytest.approx(0.925)
