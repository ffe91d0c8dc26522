"""One engine for many turns: each says what it would say alone, and ends alone."""

import threading

import pytest
from support.cache_integrity import check_pool
from support.engine_turns import FILE, run, together
from support.event_streams import token_ids
from support.serving import until
from support.tiny_models import chat_backend, spark_backend

from spark_tui.backends.base import Exchange, Request
from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import Token
from spark_tui.serve.batching.batch_engine import BatchEngine


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
    alone = [token_ids(alone_backend.stream(request, threading.Event())) for request in requests]
    alone_backend.close()
    local = make()
    engine = BatchEngine(local)

    def all_here(step):
        """Behind the first pass the others are waited for: on a busy machine each would be done before the
        next."""
        if not shared_steps:
            until(lambda: len(engine._arrived) + len(engine._sequences) == len(requests))
        shared_steps.append(step)

    local.on_step = all_here
    try:
        assert together(engine, requests) == alone
        assert all(len(said) > 0 for said in alone)
        # Sharing shows in the passes: fewer than each took by itself.
        assert sum(step.kind == "decode" for step in shared_steps) < sum(
            step.kind == "decode" for step in steps
        )
        check_pool(engine._engine.pool)
    finally:
        engine.close()


def test_a_stopped_turn_resumes_byte_for_byte(shared):
    whole = token_ids(run(shared, max_tokens=24))
    stop, got = threading.Event(), []
    for event in shared.stream(Request("go on", max_tokens=24), stop):
        got += token_ids([event])
        if len(got) >= 9:
            stop.set()
    assert len(got) < 24 or got == whole
    rest = token_ids(run(shared, max_tokens=24 - len(got), emitted=tuple(got))) if len(got) < 24 else []
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
        until(lambda: not engine._sequences)
    finally:
        engine.close()


def test_a_stream_that_is_left_stops(shared):
    stream = shared.stream(Request("go on", max_tokens=1500), threading.Event())
    next(stream)
    stream.close()
    until(lambda: not shared._sequences)


def test_a_prompt_that_does_not_fit_is_an_error_and_the_next_is_served(shared):
    with pytest.raises(Misfit):
        run(shared, instruction="word " * 5000)
    assert token_ids(run(shared))


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
    assert token_ids(run(shared))


def test_more_turns_than_the_cache_holds_wait_and_all_end():
    local = chat_backend()
    local.engine._cache_bytes = 20 * 16_384
    assert local.engine.pool.n_pages == 20
    engine = BatchEngine(local)
    try:
        # Each may fill five pages, so four sit and the others wait.
        said = together(engine, [Request(f"go on {n}", max_tokens=150) for n in range(10)])
        assert all(said)
        check_pool(local.engine.pool)
    finally:
        engine.close()


def test_closing_ends_what_runs_and_refuses_what_comes():
    engine = BatchEngine(chat_backend())
    stream = engine.stream(Request("go on", max_tokens=1500), threading.Event())
    next(stream)
    engine.close()
    list(stream)
    with pytest.raises(NoBackend):
        run(engine)


def test_a_resume_continues_after_what_was_emitted():
    engine = BatchEngine(spark_backend(3))
    try:
        whole = token_ids(run(engine, files=(FILE,), max_tokens=30))
        for cut in (1, 7, 20):
            assert (
                token_ids(run(engine, files=(FILE,), emitted=tuple(whole[:cut]), max_tokens=30 - cut))
                == whole[cut:]
            )
    finally:
        engine.close()
