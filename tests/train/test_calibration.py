"""Thresholds chosen from what was seen with the gate open: they hold the bars and give up as little as they
can."""

from __future__ import annotations

import pytest

from spark_tui.backends.answers.attempt_gate import ConfidenceGate, Judgement
from spark_tui.train.calibration import OPEN, SeenCase, SeenTable, choose, doubt_for, measured, request_of
from spark_tui.train.dev_set import record_of


def seen(
    wanted: str, right: bool, sure: float, *, cannot: float = 0.01, no_edit: float = 0.01, wrong: str = ""
) -> SeenCase:
    return SeenCase(wanted, right, Judgement(sure, wrong, cannot, no_edit))


DOABLE = [seen("edit", True, 0.9)] * 60 + [seen("edit", True, 0.4)] * 10 + [seen("edit", False, 0.3)] * 30
IDLE = [seen("no-edit", False, 0.2, no_edit=0.7)] * 20
BEYOND = [seen("cannot", False, 0.05, cannot=0.8)] * 20


def test_an_open_gate_offers_all_that_holds_together() -> None:
    table = SeenTable.of(
        [*DOABLE, *IDLE, *BEYOND, seen("edit", False, 0.9, wrong="the code would not parse")]
    )
    found = measured(table, OPEN)
    assert (found["false edits"], found["false cannot"]) == (1.0, pytest.approx(1 / 101, abs=1e-3))
    assert found["right of unmarked"] == pytest.approx(70 / 140)


def test_the_chosen_gate_turns_down_what_is_idle_and_keeps_what_is_right() -> None:
    cases = [*DOABLE, *IDLE, *BEYOND]
    gate = choose(cases)
    found = measured(SeenTable.of(cases), gate)
    assert found["right"] == pytest.approx(0.85 * 0.7 + 0.15, abs=1e-3)
    assert found["false edits"] == 0.0
    assert found["false cannot"] <= 0.1
    assert found["right of unmarked"] >= 0.9
    assert found["unmarked of doable"] == pytest.approx(0.60)


def test_the_mark_is_as_low_as_enough_right_allows() -> None:
    fewer = [seen("edit", True, 0.9)] * 40 + [seen("edit", True, 0.4)] * 20 + [seen("edit", False, 0.3)] * 40
    assert doubt_for(SeenTable.of(fewer), ConfidenceGate()) == pytest.approx(0.4)
    assert doubt_for(SeenTable.of(DOABLE), ConfidenceGate()) == pytest.approx(0.9)
    worse = SeenTable.of([*DOABLE, *[seen("edit", False, 0.6)] * 20])
    assert doubt_for(worse, ConfidenceGate()) == pytest.approx(0.9)
    assert doubt_for(SeenTable.of([seen("edit", False, 0.9)] * 5), ConfidenceGate()) == 1.0


def test_the_mark_leaves_half_without_one_where_just_enough_is_right() -> None:
    cases = [seen("edit", True, 0.9)] * 50 + [seen("edit", False, 0.8)] * 5 + [seen("edit", False, 0.1)] * 45
    assert doubt_for(SeenTable.of(cases), ConfidenceGate()) == pytest.approx(0.8), "50 of 55 are enough"
    assert doubt_for(
        SeenTable.of([*cases, *[seen("no-edit", False, 0.85)] * 6]), ConfidenceGate()
    ) == pytest.approx(0.9)


def test_the_weight_of_no_edit_cases_does_not_grow_with_their_number() -> None:
    """A threshold that turns down every right edit to answer more cases with nothing to do is not worth
    it."""
    quiet = [seen("no-edit", False, 0.5, no_edit=0.05)] * 2
    for more in (10, 100):
        table = SeenTable.of([*DOABLE, *quiet * more])
        assert measured(table, ConfidenceGate(no_edit=0.5))["right"] == pytest.approx(
            (0.85 * 0.7) / 0.95, abs=1e-3
        )


def test_an_impossible_edit_is_answered_with_cannot() -> None:
    unsure = SeenCase("edit", False, Judgement(0.01, "", 0.01, 0.9, noop_evident=False))
    idle = SeenCase("no-edit", False, Judgement(0.01, "", 0.01, 0.9))
    assert SeenTable.of([unsure, idle]).answers(ConfidenceGate()).tolist() == [2, 1]


def test_an_unlikely_edit_is_refused_where_idle_cases_look_like_work() -> None:
    quiet = [seen("no-edit", False, 0.01, no_edit=0.2)] * 30
    gate = choose([*DOABLE, *quiet])
    found = measured(SeenTable.of([*DOABLE, *quiet]), gate)
    assert (found["false edits"], found["right"]) == (0.0, pytest.approx((0.85 * 0.7 + 0.1) / 0.95, abs=1e-3))


def test_a_record_is_asked_as_a_person_would() -> None:
    from spark_tui.engine.text.token_layout import HUNK, PastExchange, WindowHunk
    from spark_tui.train.cases import Case

    hunk = WindowHunk(0, 1, ("a = 2",))
    past = PastExchange("a is 2", kept=False, hunks=(hunk,))
    case = Case("steer", "m.py", "a = 1\n", "a = 3\n", "a is 2", history=(past,), steered=((hunk,), "no, 3"))
    request = request_of(record_of(case, 1), lambda text: [100] * len(text))
    assert (request.instruction, request.steer, request.emitted[0]) == ("a is 2", "no, 3", HUNK)
    assert request.history[0].outcome == "rejected"
    assert "@@ 1,2\n+a = 2" in request.history[0].answer


def test_nothing_seen_is_no_error() -> None:
    assert measured(SeenTable.of([]), choose([]))["right"] == 0.0
