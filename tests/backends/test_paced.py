"""Text held back to another machine's rate: order and content stay, only time changes."""

from __future__ import annotations

import threading
from types import SimpleNamespace

import pytest
from support.tiny_models import spark_backend

from spark_tui.backends import paced as module
from spark_tui.backends.base import Backend, FilePart, ReportsSteps, Request, prompt_counter
from spark_tui.backends.ghost_text import fill_threshold
from spark_tui.backends.paced import SLACK_SECONDS, PacedBackend, SteadyRate, paced
from spark_tui.backends.recording import Recording, TimedText
from spark_tui.backends.replay import ReplayBackend
from spark_tui.errors import ConfigError
from spark_tui.events import PrefillProgress, Token


class Clock:
    """Time that only passes when someone waits or says so."""

    def __init__(self, monkeypatch):
        self.now = 100.0
        monkeypatch.setattr(module, "time", SimpleNamespace(monotonic=lambda: self.now))


class Flag(threading.Event):
    """A stop flag whose waits are of the clock's time; set after `most` of them."""

    def __init__(self, clock, most=1_000_000):
        super().__init__()
        self.clock, self.waits, self.most = clock, [], most

    def wait(self, timeout=None):
        self.waits.append(timeout)
        self.clock.now += timeout
        if len(self.waits) >= self.most:
            self.set()
        return self.is_set()


class Fake:
    """Gives events, and says what each of them cost in time."""

    name, window, takes_splices = "fake", 100, True

    def __init__(self, clock, *events):
        self.clock, self.events = clock, events

    def format_for(self, request):
        return "lines"

    def count_tokens(self, text):
        return len(text.split())

    def stream(self, request, stop):
        for seconds, event in self.events:
            self.clock.now += seconds
            yield event

    def close(self):
        self.events = ()


class Machine:
    """0.5 s for each ten tokens of a prompt, a token takes a thousandth of its context."""

    def first_token_seconds(self, prompt):
        return prompt / 20

    def seconds_per_token(self, context):
        return context / 1000


@pytest.fixture
def clock(monkeypatch):
    return Clock(monkeypatch)


def times(backend, clock, flag=None, **request):
    begun, flag = clock.now, flag or Flag(clock)
    request.setdefault("instruction", "one two three")
    stream = backend.stream(Request(**request), flag)
    return [(round(clock.now - begun, 6), event) for event in stream]


def test_each_token_appears_when_the_machine_would_have_written_it(clock):
    inner = Fake(
        clock,
        (0, PrefillProgress(50, 50, 30)),
        (0.1, Token(1, "a")),
        (0.01, Token(2, "b")),
        (0, Token(3, "c")),
    )
    seen = times(PacedBackend(inner, Machine(), "toy pace"), clock)
    assert [event for _, event in seen] == [event for _, event in inner.events]
    assert [at for at, _ in seen] == [0, 1.0, 1.051, 1.103]


def test_a_prompt_that_is_not_counted_is_estimated(clock):
    inner = Fake(clock, (0, Token(1, "a")), (0, Token(2, "b")))
    files = (FilePart("a.py", "four five six seven eight nine ten"),)
    assert [at for at, _ in times(PacedBackend(inner, Machine(), "toy"), clock, files=files)] == [0.5, 0.511]


def test_a_slow_backend_is_never_made_slower(clock):
    inner = Fake(clock, *((0.2, Token(at, "x")) for at in range(20)))
    flag = Flag(clock)
    times(PacedBackend(inner, SteadyRate(100), "toy"), clock, flag)
    assert flag.waits == []


def test_catching_up_after_a_pause_is_bounded(clock):
    inner = Fake(
        clock, (0, Token(0, "x")), (9.0, Token(1, "x")), *((0, Token(2 + at, "x")) for at in range(200))
    )
    seen = [at for at, _ in times(PacedBackend(inner, SteadyRate(100), "toy"), clock)]
    assert seen[-1] == pytest.approx(9.0 + 200 / 100 - SLACK_SECONDS)


def test_waits_that_are_too_short_to_sleep_are_saved_up(clock):
    inner = Fake(clock, *((0, Token(at, "x")) for at in range(2001)))
    flag = Flag(clock)
    seen = [at for at, _ in times(PacedBackend(inner, SteadyRate(2000), "toy"), clock, flag)]
    assert seen[-1] == pytest.approx(1.0, abs=0.003)
    assert min(flag.waits) > 0.002


def test_a_stop_ends_the_wait_and_the_answer(clock):
    inner = Fake(clock, *((0, Token(at, "x")) for at in range(50)))
    seen = times(PacedBackend(inner, SteadyRate(10), "toy"), clock, Flag(clock, most=3))
    assert len(seen) == 3


@pytest.mark.parametrize("kind", ["fill", "warm"])
def test_ghost_text_and_reading_ahead_are_not_held_back(clock, kind):
    inner = Fake(clock, *((0, Token(at, "x")) for at in range(5)))
    assert {at for at, _ in times(PacedBackend(inner, SteadyRate(1), "toy"), clock, kind=kind)} == {0}


def test_everything_else_is_the_inner_backends(clock):
    inner = Fake(clock)
    backend = PacedBackend(inner, SteadyRate(1), "wafer pace")
    assert isinstance(backend, Backend)
    assert not isinstance(backend, ReportsSteps)
    assert backend.takes_splices
    assert backend.name == "fake at wafer pace"
    assert (backend.window, backend.format_for(Request("x")), backend.count_tokens("a b")) == (
        100,
        "lines",
        2,
    )
    for name in ("fills_from", "small_window", "bound", "model", "warm_up", "recall", "submit"):
        assert not hasattr(backend, name)


class FakeServer(Fake):
    """A fake with every optional member of a backend that a session asks for."""

    fills_from, small_window, bound, model = 0.5, (320, 400), "engine.cache_mb", "spark-6m"

    def warm_up(self):
        self.warm = True

    def recall(self, tokens):
        self.recalled = tokens


def test_every_optional_member_is_the_inner_backends(clock):
    inner = FakeServer(clock)
    backend = PacedBackend(inner, SteadyRate(1), "wafer pace")
    for name in ("takes_splices", "fills_from", "small_window", "bound", "model"):
        assert getattr(backend, name) == getattr(inner, name), name
    assert fill_threshold(backend) == 0.5
    backend.warm_up()
    backend.recall([Token(1, "a")])
    assert (inner.warm, inner.recalled) == (True, [Token(1, "a")])


def test_the_passes_of_a_paced_engine_reach_the_listener():
    backend = paced(spark_backend(), "wafer")
    listener = SimpleNamespace(begin=lambda: None, steps=[])
    listener.step = listener.steps.append
    try:
        assert isinstance(backend, ReportsSteps)
        backend.listen(listener)
        assert backend.shape == backend.inner.shape
        request = Request("rename width", (FilePart("a.py", "width = 1\nprint(width)\n"),), max_tokens=2)
        list(backend.stream(request, threading.Event()))
    finally:
        backend.close()
    assert listener.steps


# -- what the settings say
# --------------------------------------------------------------------------------------------


def replay():
    return ReplayBackend(
        [Recording("guard", "guard it", "lines", (TimedText(0.0, "a"), TimedText(9.0, "b")))], None
    )


@pytest.mark.parametrize("pace", ["recorded", "off", "unlimited"])
def test_without_a_pace_nothing_is_wrapped(clock, pace):
    inner = Fake(clock)
    assert paced(inner, pace) is inner


@pytest.mark.parametrize(("pace", "name"), [("65", "fake at 65 tok/s"), ("wafer", "fake at wafer pace")])
def test_any_backend_can_be_paced(clock, pace, name):
    assert paced(Fake(clock), pace).name == name


def test_what_a_backend_says_of_tools_and_prompts_is_handed_on(clock):
    inner = Fake(clock)
    assert not hasattr(paced(inner, "65"), "takes_tools") and prompt_counter(paced(inner, "65")) is None
    inner.takes_tools, inner.prompt_tokens = False, lambda request: len(request.instruction)
    assert paced(inner, "65").takes_tools is False
    assert prompt_counter(paced(inner, "65"))(Request("four")) == 4


def test_a_recording_keeps_a_steady_pace_by_itself_and_a_machines_by_the_wrapping():
    inner = replay()
    assert paced(inner, "65") is inner
    assert paced(inner, "h100").name == "replay guard at h100 pace"


def test_an_unknown_pace_is_refused_with_what_there_is(clock):
    with pytest.raises(ConfigError) as caught:
        paced(Fake(clock), "tpu")
    assert "wafer" in caught.value.hint


def test_the_same_text_is_written_at_any_pace():
    request = Request("rename width", (FilePart("a.py", "width = 1\nprint(width)\n"),), max_tokens=12)
    plain = spark_backend()
    slow = paced(spark_backend(), "wafer")
    assert isinstance(slow, ReportsSteps)
    try:
        expected = [e for e in plain.stream(request, threading.Event()) if isinstance(e, Token)]
        assert slow.own_rate == 0
        slow.listen(None)
        assert [e for e in slow.stream(request, threading.Event()) if isinstance(e, Token)] == expected
        assert slow.own_rate > 0
    finally:
        plain.close()
        slow.close()
