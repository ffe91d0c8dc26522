"""Helper threads: every part once, the same bits, and used only where they pay."""

from __future__ import annotations

import threading
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from support.naive_model import TINY, ids_of, weights_of

from spark_tui.engine.engine import Engine
from spark_tui.engine.kernels.panels import Panels
from spark_tui.engine.runtime import helper_threads
from spark_tui.engine.runtime.helper_threads import REST_PASSES, SHARED_ROWS, HelperThreads
from spark_tui.engine.runtime.pass_stop import NEVER, PassStopped

PROMPT = 450
THREADS = 1 + helper_threads.MOST_HELPERS


class Clock:
    """Time by the clock and by the processor, as the test says."""

    def __init__(self) -> None:
        self.seconds = self.worked = 0.0

    def perf_counter(self) -> float:
        return self.seconds

    def thread_time(self) -> float:
        return self.worked


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    found = Clock()
    monkeypatch.setattr(helper_threads, "time", found)
    return found


def run_pass(threads: HelperThreads, clock: Clock, seconds: float, worked: float) -> bool:
    """Whether a pass that takes so long was shared."""
    threads.begin(SHARED_ROWS)
    shared = threads._on
    clock.seconds, clock.worked = clock.seconds + seconds, clock.worked + worked
    assert threads.end(SHARED_ROWS) == (pytest.approx(seconds), pytest.approx(worked))
    return shared


def test_every_part_is_done_once_and_by_more_than_one_thread() -> None:
    threads, done, met = HelperThreads(THREADS), [], threading.Barrier(2, timeout=30)
    threads.begin(SHARED_ROWS)

    def work(number: int) -> None:
        if number < 2:
            met.wait()  # passed only by two threads at once
        done.append((number, threading.get_ident()))

    threads.each(NEVER, work, 40)
    threads.end(SHARED_ROWS)
    assert sorted(number for number, _ in done) == list(range(40))
    assert len({thread for _, thread in done}) > 1
    threads.close()
    threads.close()


def test_short_passes_and_those_of_one_thread_are_not_shared() -> None:
    for threads, rows in (
        (HelperThreads(THREADS), SHARED_ROWS - 1),
        (HelperThreads(threads=1), 1 << 20),
    ):
        threads.begin(rows)
        who: set[int] = set()

        def work(_: int, who: set[int] = who) -> None:
            who.add(threading.get_ident())

        threads.each(NEVER, work, 20)
        threads.end(rows)
        assert who == {threading.get_ident()} and threads.passes == 0


def test_an_error_of_a_part_reaches_the_caller_from_any_thread() -> None:
    threads = HelperThreads(THREADS)
    for bad in (0, 7, 19):
        threads.begin(SHARED_ROWS)

        def work(number: int, bad: int = bad) -> None:
            time.sleep(0.001)
            if number == bad:
                raise ArithmeticError(number)

        with pytest.raises(ArithmeticError, match=str(bad)):
            threads.each(NEVER, work, 20)
        threads.end(SHARED_ROWS)
    threads.close()


@pytest.mark.parametrize("slow", ["spark-prefill_0", "spark-prefill_1"])
def test_when_an_error_reaches_the_caller_no_other_thread_still_works(slow: str) -> None:
    threads, met, finished = HelperThreads(THREADS), threading.Barrier(THREADS, timeout=30), []

    def work(_: int) -> None:
        met.wait()
        if threading.current_thread().name == slow:
            time.sleep(0.2)
            finished.append(slow)
        raise ArithmeticError

    threads.begin(SHARED_ROWS)
    with pytest.raises(ArithmeticError):
        threads.each(NEVER, work, 40)
    assert finished
    threads.end(SHARED_ROWS)
    threads.close()


def test_a_pass_that_is_given_up_counts_what_its_helpers_worked(monkeypatch: pytest.MonkeyPatch) -> None:
    class Worked(threading.local):
        seconds = 0.0

    worked, clock = Worked(), Clock()
    monkeypatch.setattr(clock, "thread_time", lambda: worked.seconds)
    monkeypatch.setattr(helper_threads, "time", clock)
    threads, stop = HelperThreads(THREADS), threading.Event()
    met = threading.Barrier(THREADS, action=stop.set, timeout=30)

    def work(_: int) -> None:
        worked.seconds += 1.0
        met.wait()

    threads.begin(SHARED_ROWS)
    with pytest.raises(PassStopped):
        threads.each(stop, work, 40)
    assert threads.end(SHARED_ROWS) == (0.0, THREADS)
    threads.close()


@pytest.mark.parametrize("asked, most", [(1, 1), (2, 2), (9, THREADS)])
def test_no_more_threads_work_than_were_asked_for(asked: int, most: int) -> None:
    threads, who = HelperThreads(asked), set()

    def work(_: int) -> None:
        time.sleep(0.005)
        who.add(threading.get_ident())

    threads.begin(SHARED_ROWS)
    threads.each(NEVER, work, 40)
    threads.end(SHARED_ROWS)
    assert len(who) <= most
    threads.close()


@pytest.mark.parametrize("rows", [1, SHARED_ROWS])
def test_no_part_begins_once_the_flag_is_set(rows: int) -> None:
    threads, stop, done = HelperThreads(THREADS), threading.Event(), []

    def work(number: int) -> None:
        done.append(number)
        stop.set()

    threads.begin(rows)
    with pytest.raises(PassStopped):
        threads.each(stop, work, 1000)
    threads.end(rows)
    assert 1 <= len(done) <= 1 + helper_threads.MOST_HELPERS
    threads.close()


def test_parts_run_under_the_callers_error_state() -> None:
    threads = HelperThreads(THREADS)
    threads.begin(SHARED_ROWS)
    met = threading.Barrier(2, timeout=30)

    def overflow(_: int) -> None:
        met.wait()
        np.exp(np.full(4, 1e4, np.float32))  # a warning, which is an error here, unless it is ignored

    with np.errstate(over="ignore"):
        threads.each(NEVER, overflow, 2)
    threads.end(SHARED_ROWS)
    threads.close()


def test_a_pass_that_did_not_pay_is_followed_by_a_rest_that_grows(clock: Clock) -> None:
    threads = HelperThreads(THREADS)
    assert run_pass(threads, clock, 0.5, 0.9)
    for rest in (REST_PASSES[0], 2 * REST_PASSES[0], 4 * REST_PASSES[0]):
        assert run_pass(threads, clock, 1.2, 1.0)  # one thread would have taken 1.0
        assert [run_pass(threads, clock, 1.0, 1.0) for _ in range(rest)] == [False] * rest
    assert run_pass(threads, clock, 0.6, 1.0)
    assert run_pass(threads, clock, 0.6, 1.0)
    assert threads.passes == 6


def test_where_one_thread_waits_for_its_core_too_that_counts(clock: Clock) -> None:
    threads = HelperThreads(THREADS)
    assert run_pass(threads, clock, 1.2, 1.0)
    for _ in range(REST_PASSES[0]):
        assert not run_pass(threads, clock, 2.0, 1.0)  # half of a core is left
    assert run_pass(threads, clock, 1.2, 1.0)
    assert run_pass(threads, clock, 1.2, 1.0)


def test_products_in_several_threads_are_equal_bit_for_bit() -> None:
    generator = np.random.default_rng(0)
    for shape in ((300, 70), (64, 33), (130, 1024)):
        panels = Panels(generator.standard_normal(shape, dtype=np.float32))
        inputs = [generator.standard_normal((96, panels.depth), dtype=np.float32) for _ in range(6)]

        def product(x: np.ndarray, panels: Panels = panels) -> np.ndarray:
            out = np.empty((len(x), panels.width), np.float32)
            panels.apply(x, panels.view(out))
            return out

        with ThreadPoolExecutor(3) as pool:
            together = list(pool.map(product, inputs))
        assert all(np.array_equal(product(x), out) for x, out in zip(inputs, together, strict=True))


def test_a_long_prefill_with_helpers_gives_the_same_keys_and_text() -> None:
    prompt, found = ids_of(TINY, PROMPT), []
    for count in (1, 2):
        engine = Engine(TINY, weights_of(TINY), cache_bytes=1 << 22, threads=count)
        engine.loop._rows_per_second = 1e6
        cache = engine.new_cache()
        text = [token.id for token in engine.generate(prompt, 20, cache=cache, ends=())]
        assert (engine.loop.threads.passes > 0) is (count == 2)
        sequence = cache._sequence
        assert sequence is not None
        found.append((text, [keys[sequence.pages[0]].copy() for keys in engine.pool.keys]))
        engine.close()
        engine.close()
    assert found[0][0] == found[1][0]
    assert all(np.array_equal(one, other) for one, other in zip(found[0][1], found[1][1], strict=True))
