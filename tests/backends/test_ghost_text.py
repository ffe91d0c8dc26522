"""Ghost text by one rule: what is read around a cursor, where it stops, how sure a model must be."""

import math
import threading

import pytest
from support.tiny_models import chat_backend, spark_backend

from spark_tui import events
from spark_tui.backends import ghost_text
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.replay import ReplayBackend
from spark_tui.errors import NoBackend
from spark_tui.evals import case_runner, scoring
from spark_tui.evals.cases import EvalCase


class Sure:
    """Writes some pieces, each so likely; keeps what it was asked."""

    fills_from = 0.5

    def __init__(self, *pieces):
        self.pieces = pieces

    def stream(self, request, stop):
        self.request = request
        for at, (text, likely) in enumerate(self.pieces):
            if stop.is_set():
                return
            yield events.Token(at, text, logprob=math.log(likely))


def fill(backend, before="def f():\n    ret", behind="\n"):
    return ghost_text.fill(backend, before, behind, threading.Event())


def test_what_is_read_is_what_the_family_was_taught_on():
    lines = [f"line {number}" for number in range(100)]
    before, behind = ghost_text.text_around(lines, 60, 4)
    assert before.split("\n") == [*lines[20:60], "line"]
    assert behind.split("\n") == ["", *lines[61:86]]
    assert ghost_text.text_around(["only"], 0, 2) == ("on", "\n")


def test_a_line_is_as_likely_as_all_of_its_tokens_together_and_ends_with_the_line():
    backend = Sure(("urn", 0.9), (" x\n", 0.8), ("more", 1.0))
    found = fill(backend)
    assert found.text == "urn x"
    assert found.confidence == pytest.approx(0.72)
    assert backend.request.stop_texts == ("\n",)
    assert ghost_text.is_shown(found, 0.7)
    assert not ghost_text.is_shown(found, 0.73)


def test_nothing_but_blanks_is_not_shown():
    assert not ghost_text.is_shown(fill(Sure(("  \n", 1.0))), 0.0)


def test_the_threshold_is_the_models_own_where_it_has_one():
    assert spark_backend().fills_from == ghost_text.SHOWN_FROM
    assert spark_backend(settings={"gate": {"fill": 0.8}}).fills_from == 0.8
    assert ghost_text.fill_threshold(chat_backend()) is None, "a vocabulary without marks for it"
    assert ghost_text.fill_threshold(object()) is None


def test_a_model_fills_in_on_the_engines_thread_and_stops_within_a_pass():
    backend = spark_backend(settings={"gate": {"fill": 0.0}})
    try:
        found = fill(backend)
        again = fill(backend)
        assert (found.text, found.confidence) == (again.text, pytest.approx(again.confidence))
        assert 0 < found.confidence <= 1
        assert "\n" not in found.text
        stop = threading.Event()
        stop.set()
        assert ghost_text.fill(backend, "a", "\n", stop).text == ""
    finally:
        backend.close()


def test_the_evaluation_judges_what_the_workbench_shows():
    case = EvalCase("1", "f.py", "def f():\n    ret", "", after="urn x", answer="fill", suffix="\n")
    for likely, shown in ((0.9, True), (0.6, False)):
        backend = Sure(("urn", likely), (" x", likely), ("\n", likely))
        score = scoring.judge(case, case_runner.ask_fill(backend, case))
        assert score.right
        assert (not score.answer.marked) is shown
        assert ghost_text.is_shown(fill(backend), backend.fills_from) is shown
        bars = {bar["name"]: bar["value"] for bar in scoring.builtin_bars([score])}
        assert bars["ghost text of the model: exactly right, of what is shown"] == (1.0 if shown else None)


def test_a_recording_may_hold_ghost_text_and_never_answers_an_edit_with_it():
    ghost = Recording("ghost", "    ret", "fill", (TimedText(0, "urn"), TimedText(0, " 1\n")))
    guard = Recording("guard", "guard it", "lines", (TimedText(0, "*** f\n"),))
    backend = ReplayBackend([ghost, guard], 0.0)
    assert fill(backend).text == "urn 1"
    assert fill(backend, "nothing like it").text == ""
    assert backend.format_for(case_runner.Request("guard it")) == "lines"
    assert ghost_text.fill_threshold(ReplayBackend([guard])) is None
    with pytest.raises(NoBackend):
        ReplayBackend([ghost]).format_for(case_runner.Request("guard it"))


def test_a_server_is_asked_only_where_it_has_an_endpoint_for_it():
    asked = lambda url, api: ghost_text.fill_threshold(RemoteBackend(url, "m", key="", api=api))  # noqa: E731
    assert asked("http://localhost:1/v1", "chat") == 0.0
    assert asked("http://localhost:1/v1", "auto") is None
    assert asked("http://localhost:1/v1", "spark") is None
    assert asked("https://api.openai.com/v1", "chat") is None
