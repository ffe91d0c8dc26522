"""One engine for many turns: each says what it would say alone, and nobody waits for a long prompt."""

import threading
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from support.serving import Raw, serving, text_of, until
from support.tiny_models import chat_backend, spark_backend
from test_http_endpoints import asked

from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.engine.kv_cache import common_prefix as shared_ids
from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import PrefillProgress, Token
from spark_tui.serve.batch_engine import BatchEngine, same_start
from spark_tui.serve.sequence import EngineSequence

FILE = FilePart("a.py", "".join(f"def part_{n}(width):\n    return width * {n}\n\n" for n in range(8)), 1, 24)


@pytest.fixture
def shared():
    engine = BatchEngine(chat_backend())
    yield engine
    engine.close()


def run(backend, stop=None, **request):
    request.setdefault("max_tokens", 12)
    return list(
        backend.stream(Request(request.pop("instruction", "go on"), **request), stop or threading.Event())
    )


def ids(events):
    return [event.id for event in events if isinstance(event, Token)]


def together(backend, requests):
    """All at once, each on a thread; what each said, in order."""
    found = [None] * len(requests)
    started = threading.Barrier(len(requests))

    def one(place, request):
        started.wait()
        found[place] = ids(backend.stream(request, threading.Event()))

    threads = [threading.Thread(target=one, args=item) for item in enumerate(requests)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return found


@pytest.mark.parametrize("make", [chat_backend, spark_backend])
def test_turns_that_share_passes_say_what_they_say_alone(make):
    requests = [
        Request(
            f"change number {n}",
            files=(FILE,),
            history=(Exchange("before", "x"),) * (n % 3),
            max_tokens=20 + n,
        )
        for n in range(7)
    ]
    requests.append(Request("", kind="raw", prefix="def f(", max_tokens=15))
    requests.append(Request("", kind="fill", prefix="def f(", suffix="return 1", max_tokens=15))
    steps, shared_steps = [], []
    alone_backend = make()
    alone_backend.on_step = steps.append
    alone = [ids(alone_backend.stream(request, threading.Event())) for request in requests]
    alone_backend.close()
    local = make()
    engine = BatchEngine(local)

    def all_here(step):
        """Behind the first pass the others are waited for: on a busy machine each would be done before the
        next."""
        if not shared_steps:
            until(lambda: len(engine._arrived) + len(engine._seats) == len(requests))
        shared_steps.append(step)

    local.on_step = all_here
    try:
        assert together(engine, requests) == alone
        assert all(len(said) > 0 for said in alone)
        # Sharing shows in the passes: fewer than each took by itself.
        assert sum(step.kind == "decode" for step in shared_steps) < sum(
            step.kind == "decode" for step in steps
        )
        engine._engine.pool.check_integrity()
    finally:
        engine.close()


@given(st.lists(st.integers(0, 2), max_size=12), st.lists(st.integers(0, 2), max_size=12))
def test_the_common_start_of_two_pasts_is_the_longest(a, b):
    assert same_start(a, b) == shared_ids(a, b)


def test_a_follow_up_reads_only_what_is_new(shared):
    first = run(shared, instruction="one", files=(FILE,))
    text = "".join(event.text for event in first if isinstance(event, Token))
    second = run(shared, instruction="two", files=(FILE,), history=(Exchange("one", text),))
    progress = next(event for event in second if isinstance(event, PrefillProgress))
    assert progress.reused > 100
    assert progress.total - progress.reused < progress.total / 2


def test_a_warmed_file_is_there_for_the_first_turn(shared):
    assert all(
        isinstance(event, PrefillProgress)
        for event in run(shared, kind="warm", files=(FILE,), instruction="")
    )
    progress = next(event for event in run(shared, files=(FILE,)) if isinstance(event, PrefillProgress))
    assert progress.reused > 100


def test_many_may_warm_at_once(shared):
    out = together(
        shared, [Request("", kind="warm", files=(FilePart(f"{n}.py", FILE.text),)) for n in range(4)]
    )
    assert out == [[]] * 4
    assert len(shared._warm) == 4


def test_a_stopped_turn_resumes_byte_for_byte(shared):
    whole = ids(run(shared, max_tokens=24))
    stop, got = threading.Event(), []
    for event in shared.stream(Request("go on", max_tokens=24), stop):
        got += ids([event])
        if len(got) >= 9:
            stop.set()
    assert len(got) < 24 or got == whole
    rest = ids(run(shared, max_tokens=24 - len(got), emitted=tuple(got))) if len(got) < 24 else []
    assert got + rest == whole


def test_a_set_stop_ends_within_one_pass():
    steps = []
    local = chat_backend()
    local.on_step = steps.append
    engine = BatchEngine(local)
    try:
        stop = threading.Event()
        stream = engine.stream(Request("go on", max_tokens=1500), stop)
        while not isinstance(next(stream), Token):
            pass
        stop.set()
        before = len(steps)
        list(stream)
        assert len(steps) <= before + 1
        until(lambda: not engine._seats)
    finally:
        engine.close()


def test_a_stream_that_is_left_stops(shared):
    stream = shared.stream(Request("go on", max_tokens=1500), threading.Event())
    next(stream)
    stream.close()
    until(lambda: not shared._seats)


def test_a_prompt_that_does_not_fit_is_an_error_and_the_next_is_served(shared):
    with pytest.raises(Misfit):
        run(shared, instruction="word " * 5000)
    assert ids(run(shared))


def test_a_turn_whose_text_cannot_be_made_ends_alone(shared):
    dialect = shared._local.dialect
    original = dialect.ask

    class Broken:
        finished = False

        def read(self, token, last):
            raise RuntimeError("no text")

    def ask(request):
        asked = original(request)
        if request.instruction == "break":
            asked.reader = Broken()
        return asked

    dialect.ask = ask
    with pytest.raises(RuntimeError, match="no text"):
        run(shared, instruction="break")
    assert ids(run(shared))


def test_more_turns_than_the_cache_holds_wait_and_all_end():
    local = chat_backend()
    local.engine._cache_bytes = 20 * 16_384
    assert local.engine.pool.n_pages == 20
    engine = BatchEngine(local)
    try:
        # Each may fill five pages, so four sit and the others wait.
        said = together(engine, [Request(f"go on {n}", max_tokens=150) for n in range(10)])
        assert all(said)
        local.engine.pool.check_integrity()
    finally:
        engine.close()


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
        self.tokens += len(ids(events))

    def ready(self):
        return self.gate is None or self.gate.is_set()

    def end(self, error, engine_seconds, first_seconds, *last):
        self.put(*last)
        self.error = error
        self.ended.set()


def test_turns_in_the_background_take_part_in_every_fourth_pass_while_anybody_waits(shared):
    rows = []

    def watch(step):
        if len(shared._seats) == 2 and step.kind == "decode":
            rows.append(step.rows)

    shared._local.on_step = watch
    gate, stop = threading.Event(), threading.Event()
    behind, front = Watching(background=True, gate=gate), Watching(gate=gate)
    shared.submit(Request("go on", max_tokens=1000), stop, behind)
    shared.submit(Request("go on too", max_tokens=120), threading.Event(), front)
    until(lambda: len(shared._seats) == 2)
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
    until(lambda: len(shared._seats) == 4)
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
    assert ids(run(shared))


def test_closing_ends_what_runs_and_refuses_what_comes():
    engine = BatchEngine(chat_backend())
    stream = engine.stream(Request("go on", max_tokens=1500), threading.Event())
    next(stream)
    engine.close()
    list(stream)
    with pytest.raises(NoBackend):
        run(engine)


def test_through_the_server_the_ids_are_those_of_the_engine():
    direct = chat_backend()
    request = Request("change it", files=(FILE,), max_tokens=20)
    alone = ids(direct.stream(request, threading.Event()))
    direct.close()
    engine = BatchEngine(chat_backend())
    with serving(engine) as live:
        remote = RemoteBackend(live.url, key="")
        assert ids(remote.stream(request, threading.Event())) == alone
        assert remote.format_for(request) == "search_replace"
        remote.close()
        clients = [Raw(live) for _ in range(6)]
        for client in clients:
            client.send(type="response.create", input="go on", max_output_tokens=30)
        said = [text_of(client.until("response.incomplete", "response.completed")) for client in clients]
        assert len(set(said)) == 1
    engine.close()


def test_a_client_that_vanishes_frees_its_seat():
    engine = BatchEngine(chat_backend())
    with serving(engine) as live:
        client = Raw(live)
        client.send(type="response.create", input="go on", max_output_tokens=1900)
        client.until("response.output_text.delta")
        client.close()
        until(lambda: not engine._seats and not live.desk.hub.running)
    engine.close()


def test_a_prompt_is_counted_as_the_model_reads_it():
    """The built-in family reads no rules, so a client that sends many is no reason to refuse its small
    file."""
    rules = "Be kind to every line. " * 1500
    told = "word " * 3000
    engine = BatchEngine(spark_backend())
    with serving(engine) as live:
        shown = f"a.py\n```\n{FILE.text}```\nchange it"
        status, _ = asked(live, "/v1/responses", instructions=rules, input=shown, max_output_tokens=4)
        assert status == 200
        status, body = asked(live, "/v1/responses", input=f"{shown} {told}", max_output_tokens=4)
        assert (status, body["error"]["code"], body["error"]["window"]) == (
            400,
            "context_length_exceeded",
            2048,
        )
        read = engine.prompt_tokens(
            Request(f"change it {told.strip()}", files=(FilePart("a.py", FILE.text, 1, 24),))
        )
        assert abs(body["error"]["prompt_tokens"] - read) <= 2 < 2048 < read
    engine.close()


def test_a_resume_goes_on_behind_what_was_emitted():
    engine = BatchEngine(spark_backend(3))
    try:
        whole = ids(run(engine, files=(FILE,), max_tokens=30))
        for cut in (1, 7, 20):
            assert (
                ids(run(engine, files=(FILE,), emitted=tuple(whole[:cut]), max_tokens=30 - cut))
                == whole[cut:]
            )
    finally:
        engine.close()


def test_while_an_answer_is_looked_over_others_come_and_write(monkeypatch):
    engine = BatchEngine(spark_backend())
    looking, written = threading.Event(), []

    def look_over(seat, inner):
        looking.set()
        # Passes that a look asks for; here they hold nothing of its own.
        until(lambda: inner.loop.step([]) or any(other.generation.counts.emitted for other in engine._seats))
        (other,) = engine._seats
        before = other.generation.counts.emitted
        for _ in range(5):
            inner.loop.step([])
        written.append(other.generation.counts.emitted - before)
        return list(seat._attempt)

    monkeypatch.setattr(EngineSequence, "look_over", look_over)
    try:
        edit = threading.Thread(target=run, args=(engine,), kwargs={"files": (FILE,), "instruction": "do"})
        edit.start()
        assert looking.wait(60)
        assert len(ids(run(engine, kind="raw", prefix="x = 1", max_tokens=40))) == 40
        edit.join()
        assert written == [5]
        engine._engine.pool.check_integrity()
    finally:
        engine.close()
