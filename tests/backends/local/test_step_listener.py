"""Who listens hears the passes of answers, all of them, in order, and of nothing else."""

from __future__ import annotations

import threading

import pytest
from support.tiny_models import spark_backend

from spark_tui.backends.base import FilePart, ReportsSteps, Request
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.backends.replay import ReplayBackend
from spark_tui.events import PrefillProgress, Token

FILE = FilePart("src/area.py", "".join(f"width_{n} = {n}\n" for n in range(120)))


class Listener:
    def __init__(self):
        self.heard = []
        self.threads = set()

    def begin(self):
        self.heard.append("begin")

    def step(self, step):
        self.heard.append(step)
        self.threads.add(threading.current_thread().name)


@pytest.fixture
def backend():
    made = spark_backend()
    yield made
    made.close()


def run(backend, **request):
    request = {"instruction": "rename width", "files": (FILE,), "max_tokens": 40} | request
    return list(backend.stream(Request(**request), threading.Event()))


def test_a_model_that_runs_here_says_its_shape_and_a_recording_has_none(backend):
    assert isinstance(backend, ReportsSteps)
    assert backend.shape.d_model == 32
    assert backend.shape.n_layers == 2
    assert not isinstance(ReplayBackend([Recording("a", "b", "lines", (TimedText(0.0, "x"),))]), ReportsSteps)


def test_every_token_of_an_answer_came_with_a_step(backend):
    listener = Listener()
    backend.listen(listener)
    events = run(backend)
    assert listener.heard[0] == "begin"
    steps = listener.heard[1:]
    read = [step for step in steps if step.kind == "prefill"]
    assert steps[: len(read)] == read
    progress = [event for event in events if isinstance(event, PrefillProgress)][-1]
    assert sum(step.rows - step.drafted for step in read) == progress.total - progress.reused
    # The last pass over the prompt gives the first tokens; ids that stand for no text are no token to see.
    wrote = (
        1 + read[-1].accepted + sum(step.rows - step.drafted + step.accepted for step in steps[len(read) :])
    )
    assert wrote >= sum(isinstance(event, Token) for event in events) > 1
    assert listener.threads == {"spark-engine"}


def test_each_answer_starts_at_zero_and_the_listener_is_removed_at_the_end(backend):
    listener = Listener()
    backend.listen(listener)
    run(backend)
    run(backend, instruction="again")
    assert listener.heard.count("begin") == 2
    backend.listen(None)
    heard = len(listener.heard)
    run(backend, instruction="once more")
    assert len(listener.heard) == heard


@pytest.mark.parametrize("kind", ["warm", "fill"])
def test_reading_ahead_and_ghost_text_are_no_answer(kind):
    every = []
    backend = spark_backend()
    backend.on_step = every.append
    listener = Listener()
    backend.listen(listener)
    more = {"files": (), "prefix": "width = ", "suffix": "\n", "max_tokens": 5} if kind == "fill" else {}
    run(backend, kind=kind, **more)
    backend.close()
    assert every
    assert listener.heard == []
