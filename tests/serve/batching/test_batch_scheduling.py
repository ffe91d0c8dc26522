"""Which turns take part in a pass of the shared engine: nobody waits for a long prompt."""

import threading
from itertools import pairwise

from support.engine_turns import run
from support.event_streams import token_ids
from support.serving import until
from support.tiny_models import chat_backend

from spark_tui.backends.base import Request
from spark_tui.events import Token
from spark_tui.serve.batching.batch_engine import BatchEngine


def test_a_long_prompt_does_not_stall_the_others():
    """While one reads, the others write: between two tokens of theirs lies one bounded chunk, not the
    prompt."""
    steps = []
    local = chat_backend()
    local.on_step = steps.append
    engine = BatchEngine(local)
    try:
        writer = engine.stream(Request("go on", max_tokens=400), threading.Event())
        while not isinstance(next(writer), Token):
            pass
        seen_before = len(steps)
        reader = threading.Thread(target=lambda: run(engine, instruction="word " * 300, max_tokens=1))
        reader.start()
        list(writer)
        reader.join()
        mixed = [step for step in steps[seen_before:] if step.kind == "prefill" and step.rows > 1]
        assert len(mixed) > 1
        assert max(step.rows for step in mixed) < 600
    finally:
        engine.close()


class Watching:
    """A sink that counts. Closed, its `gate` leaves the turn out of all passes."""

    def __init__(self, background=False, gate=None):
        self.background, self.gate = background, gate
        self.tokens, self.ended, self.error = 0, threading.Event(), None

    def put(self, *events):
        self.tokens += len(token_ids(events))

    def ready(self):
        return self.gate is None or self.gate.is_set()

    def end(self, error, engine_seconds, first_seconds, *last):
        self.put(*last)
        self.error = error
        self.ended.set()


def test_turns_in_the_background_take_part_in_every_fourth_pass_while_anybody_waits(shared):
    rows = []

    def watch(step):
        if len(shared._sequences) == 2 and step.kind == "decode":
            rows.append(step.rows)

    shared._local.on_step = watch
    gate, stop = threading.Event(), threading.Event()
    behind, front = Watching(background=True, gate=gate), Watching(gate=gate)
    shared.submit(Request("go on", max_tokens=1000), stop, behind)
    shared.submit(Request("go on too", max_tokens=120), threading.Event(), front)
    until(lambda: len(shared._sequences) == 2)
    gate.set()
    assert front.ended.wait(60)
    assert len(rows) > 60
    places = [at for at, together in enumerate(rows) if together == 2]
    gaps = [later - place for place, later in pairwise(places)]
    assert len(gaps) > 12
    assert set(gaps) == {4}
    # Alone again, it is in every pass.
    alone = behind.tokens
    until(lambda: behind.tokens > alone + 20 or behind.ended.is_set())
    stop.set()
    assert behind.ended.wait(60)


def test_a_background_turn_that_waits_for_room_lets_others_pass():
    local = chat_backend()
    local.engine._cache_bytes = 30 * 16_384
    assert local.engine.pool.n_pages == 30
    engine = BatchEngine(local)
    try:
        # With its prompt the first takes half of the pages, the second two thirds, the third one.
        stops = [threading.Event() for _ in range(3)]
        first, second, third = Watching(gate=threading.Event()), Watching(background=True), Watching()
        for sink, most, stop in zip((first, second, third), (300, 600, 40), stops, strict=True):
            engine.submit(Request("go on", max_tokens=most), stop, sink)
        assert third.ended.wait(60)
        assert third.tokens > 0
        assert second.tokens == 0 and not second.ended.is_set()
        stops[0].set()
        until(lambda: second.tokens > 0)
        stops[1].set()
        assert second.ended.wait(60)
    finally:
        engine.close()


def test_short_prompts_are_read_together(shared):
    sizes = []
    shared._local.on_step = lambda step: sizes.append((step.kind, step.rows))
    shared._loop._rows_per_second = 1e9
    gate = threading.Event()
    sinks = [Watching(gate=gate) for _ in range(4)]
    for number, sink in enumerate(sinks):
        shared.submit(
            Request("", prefix=f"def f{number}(", kind="raw", max_tokens=2), threading.Event(), sink
        )
    until(lambda: len(shared._sequences) == 4)
    gate.set()
    assert all(sink.ended.wait(60) for sink in sinks)
    one = len(shared._local.dialect.ask(Request("", prefix="def f0(", kind="raw")).ids)
    assert ("prefill", 4 * one) in sizes


def test_a_prompt_that_cannot_be_made_is_an_error_of_its_turn_alone(shared):
    def broken(request):
        raise RuntimeError("no prompt")

    original, shared._local.dialect.ask = shared._local.dialect.ask, broken
    sink = Watching()
    shared.submit(Request("x"), threading.Event(), sink)
    assert isinstance(sink.error, RuntimeError)
    shared._local.dialect.ask = original
    assert token_ids(run(shared))


def test_a_turn_that_waits_for_room_ends_when_it_is_stopped():
    local = chat_backend()
    local.engine._cache_bytes = 20 * 16_384
    engine = BatchEngine(local)
    try:
        stops = [threading.Event() for _ in range(3)]
        first, second, third = Watching(gate=threading.Event()), Watching(), Watching()
        for sink, stop in zip((first, second, third), stops, strict=True):
            engine.submit(Request("go on", max_tokens=600), stop, sink)
        until(lambda: len(engine._arrived) == 2)
        stops[2].set()
        assert third.ended.wait(60)
        assert not first.ended.is_set() and not second.ended.is_set()
        stops[0].set()
        stops[1].set()
    finally:
        engine.close()


def test_turns_may_arrive_while_others_are_admitted(shared):
    class Inviting(Watching):
        """While it is looked at, another turn arrives."""

        guests: tuple[Watching, ...] = ()

        @property
        def background(self):
            if self.error is None and len(self.guests) < 3:
                self.guests = (*self.guests, guest := Watching(background=True))
                shared.submit(Request("go on", max_tokens=1), threading.Event(), guest)
            return True

        @background.setter
        def background(self, value):
            pass

    host = Inviting()
    shared.submit(Request("go on", max_tokens=1), threading.Event(), host)
    assert host.ended.wait(60)
    assert all(guest.ended.wait(60) for guest in host.guests)
    assert host.guests


def test_a_turn_whose_last_text_cannot_be_taken_ends_alone(shared):
    class Failing(Watching):
        def end(self, error, engine_seconds, first_seconds, *last):
            if error is None:
                raise RuntimeError("no text")
            super().end(error, engine_seconds, first_seconds, *last)

    sink = Failing()
    shared.submit(Request("go on", max_tokens=2), threading.Event(), sink)
    assert sink.ended.wait(60)
    assert str(sink.error) == "no text"
    assert token_ids(run(shared, max_tokens=2))
