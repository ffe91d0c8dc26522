"""A canary: its share of the sessions, sessions that keep their model, and the rule that stops it."""

import json
import threading
from argparse import ArgumentTypeError

import pytest
from support.http_client import ask
from support.serving import Counting, Raw, Saying, serving, until

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.cli.commands.serve import _share
from spark_tui.errors import NoBackend
from spark_tui.serve.metrics import Metrics
from spark_tui.serve.turns.canary import LEAST_TURNS, Canary, at_least_as_bad, position


@pytest.fixture
def canary():
    return Canary("old", "new", 0.05, Metrics())


def test_a_share_of_the_sessions_gets_the_candidate_and_each_session_keeps_its_model(canary):
    chosen = [canary.model_for("old", f"session {n}") for n in range(4000)]
    assert 0.04 < chosen.count("new") / 4000 < 0.06
    assert chosen == [canary.model_for("old", f"session {n}") for n in range(4000)]
    assert position("session 1") == pytest.approx(0.22088, abs=1e-5)  # the same in every process
    assert canary.model_for("new", "any") == "new" and canary.model_for("other", "any") == "other"


def test_a_candidate_that_fails_more_often_is_stopped_and_nobody_gets_it(canary, caplog):
    for _ in range(100):
        canary.note("old", "completed", 0.1)
    for number in range(LEAST_TURNS + 20):
        canary.note("new", "failed" if number % 4 == 0 else "completed", 0.1)
    assert "turns failed, 0 of 100 with old" in canary.stopped
    assert "canary new stopped" in caplog.text
    assert {canary.model_for("old", f"session {n}") for n in range(500)} == {"old"}


@pytest.mark.parametrize("outcome", ["interrupted", "failed"])
def test_a_candidate_that_is_no_worse_goes_on(canary, outcome):
    for number in range(400):
        for model in ("old", "new"):
            canary.note(model, outcome if number % 5 == 0 else "completed", 0.1)
    assert canary.stopped == ""


def test_a_slow_candidate_is_stopped_but_not_before_enough_turns(canary):
    for _ in range(LEAST_TURNS - 1):
        canary.note("old", "completed", 0.1)
        canary.note("new", "completed", 0.5)
    assert canary.stopped == ""
    canary.note("old", "completed", 0.1)
    canary.note("new", "completed", 0.5)
    assert canary.stopped == "first token after 0.5 s, 0.1 s with old"


def test_the_test_is_fishers():
    assert at_least_as_bad(3, 4, 1, 4) == pytest.approx(17 / 70)
    assert at_least_as_bad(0, 5, 5, 9) == pytest.approx(1.0)


def answered_by(live, session):
    _, headers, body = ask(
        live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1}, {"x-session-id": session}
    )
    assert json.loads(body)["status"] == "incomplete"
    return headers["x-spark-model"]


def metric(live, line):
    _, _, body = ask(live, "GET", "/metrics")
    return float(next(row.split()[-1] for row in body.splitlines() if row.startswith(line)))


def test_a_server_routes_by_session_and_counts_by_model():
    old, new = Counting("old"), Counting("new")
    with serving({"old": old, "new": new}, canary_share=0.5) as live:
        first = {f"s{n}": answered_by(live, f"s{n}") for n in range(12)}
        assert set(first.values()) == {"old", "new"}
        assert first == {session: answered_by(live, session) for session in first}
        named = ask(live, "POST", "/v1/responses", {"model": "new", "input": "x", "max_output_tokens": 1})
        assert named[1]["x-spark-model"] == "new"
        turns = 'spark_model_turns_total{model="new",outcome="max_output_tokens"}'
        assert metric(live, turns) == len(new.requests) == 2 * list(first.values()).count("new") + 1
        assert metric(live, "spark_canary_share") == 0.5 and metric(live, "spark_canary_stopped") == 0
        socket = Raw(live, {"x-session-id": next(s for s, model in first.items() if model == "new")})
        before = len(new.requests)
        for _ in range(3):
            socket.turn(input="y", max_output_tokens=1)
        assert len(new.requests) == before + 3


def test_a_failing_canary_is_stopped_in_a_server_and_its_sessions_go_on():
    old, new = Counting("old"), Counting("new", error=NoBackend("broken"))
    with serving({"old": old, "new": new}, canary_share=0.5) as live:
        session = next(f"s{n}" for n in range(50) if position(f"s{n}") < 0.5)
        other = next(f"s{n}" for n in range(50) if position(f"s{n}") >= 0.5)
        for _ in range(LEAST_TURNS + 5):
            for name in (session, other):
                ask(
                    live,
                    "POST",
                    "/v1/responses",
                    {"input": "x", "max_output_tokens": 1},
                    {"x-session-id": name},
                )
        until(lambda: live.context.registry.canary.stopped)
        assert metric(live, "spark_canary_stopped") == 1 and metric(live, "spark_canary_share") == 0
        assert answered_by(live, session) == "old"


EDIT = "a.py\n```\n<<<<<<< SEARCH\nx = {}\n=======\nx = 3\n>>>>>>> REPLACE\n```\n"


@pytest.mark.parametrize("answer", ["I would change x.", EDIT.format(99)], ids=["in words", "of other lines"])
def test_a_candidate_whose_answers_have_no_edit_is_stopped_by_the_sessions_that_asked_for_one(answer):
    old, new = Saying(EDIT.format(1)), Saying(answer)
    file = FilePart("a.py", "x = 1\n", 1, 1)
    with serving({"old": old, "new": new}, canary_share=0.5) as live:
        sessions = [RemoteBackend(live.url, key="") for _ in range(12)]
        try:
            for turn in range(2 * LEAST_TURNS):
                for one in sessions[turn % 3 :: 3]:
                    list(one.stream(Request(f"make it {turn}", files=(file,)), threading.Event()))
                if live.context.registry.canary.stopped:
                    break
        finally:
            for one in sessions:
                one.close()
        assert "turns without an edit, 0 of" in live.context.registry.canary.stopped
        offered = 'spark_model_edits_total{model="%s",offered="%s"}'
        assert metric(live, offered % ("new", "false")) == len(new.requests) >= LEAST_TURNS
        assert metric(live, offered % ("old", "true")) == len(old.requests)


def test_answers_that_should_have_no_edit_say_nothing_about_edits(canary):
    for _ in range(100):
        canary.note("old", "completed", 0.1, True)
        canary.note("new", "completed", 0.1, None)
    for _ in range(LEAST_TURNS - 1):
        canary.note("new", "completed", 0.1, False)
    assert canary.stopped == ""
    canary.note("new", "completed", 0.1, False)
    assert canary.stopped == "20 of 20 turns without an edit, 0 of 100 with old"


@pytest.mark.parametrize("text", ["model", "model=", "=5%", "m=0%", "m=100%", "m=5", "m=five%", "m=nan%"])
def test_a_share_that_makes_no_sense_is_refused(text):
    with pytest.raises(ArgumentTypeError):
        _share(text)


def test_a_share_is_read():
    assert _share("engine.fast=true=2.5%") == ("engine.fast=true", 0.025)
