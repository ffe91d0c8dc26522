from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator

from spark_tui import events
from spark_tui.tui.turns.runner import BATCH_SECONDS, LONGEST_BATCH_SECONDS, TurnRunner, interval


class Ear:
    def __init__(self) -> None:
        self.batches: list[list[events.Event]] = []
        self.ended = asyncio.Event()
        self.error: BaseException | None = None
        self.threads: set[str] = set()

    def on_batch(self, batch: list[events.Event]) -> None:
        self.threads.add(threading.current_thread().name)
        self.batches.append(batch)

    def on_end(self, error: BaseException | None) -> None:
        self.error = error
        self.ended.set()


async def test_a_fast_turn_comes_in_few_batches_in_order_and_whole() -> None:
    ear = Ear()
    runner = TurnRunner(ear.on_batch, ear.on_end)
    sent: list[events.Event] = [events.Token(i, "x") for i in range(5_000)]
    begun = asyncio.get_running_loop().time()
    runner.start(lambda _: iter(sent))
    await ear.ended.wait()
    assert [event for batch in ear.batches for event in batch] == sent
    # One at once, one for each interval, and what is left at the end.
    assert len(ear.batches) <= (asyncio.get_running_loop().time() - begun) / BATCH_SECONDS + 2
    assert ear.threads == {threading.main_thread().name}
    assert not runner.running


async def test_what_came_before_a_pause_is_shown_during_the_pause() -> None:
    ear = Ear()
    runner = TurnRunner(ear.on_batch, ear.on_end)
    gate = threading.Event()

    def turn(stop: threading.Event) -> Iterator[events.Event]:
        yield events.Token(1, "a")
        yield events.Token(2, "b")
        gate.wait(60)
        assert not stop.is_set()
        yield events.Token(3, "c")

    runner.start(turn)
    while sum(map(len, ear.batches)) < 2:
        await asyncio.sleep(0.001)
    assert not ear.ended.is_set()
    gate.set()
    await ear.ended.wait()
    assert sum(map(len, ear.batches)) == 3


async def test_an_error_in_the_turn_reaches_the_screen_after_what_was_sent() -> None:
    ear = Ear()
    runner = TurnRunner(ear.on_batch, ear.on_end)

    def turn(_: threading.Event) -> Iterator[events.Event]:
        yield events.Token(1, "a")
        raise OSError("disk full")

    runner.start(turn)
    await ear.ended.wait()
    assert isinstance(ear.error, OSError)
    assert sum(map(len, ear.batches)) == 1


async def test_closing_stops_the_turn_and_leaves_no_thread() -> None:
    ear = Ear()
    runner = TurnRunner(ear.on_batch, ear.on_end)

    def turn(stop: threading.Event) -> Iterator[events.Event]:
        while not stop.is_set():
            yield events.Token(1, "a")
            stop.wait(0.001)

    runner.start(turn)
    assert await asyncio.to_thread(runner.close, 60.0)
    assert not [thread for thread in threading.enumerate() if thread.name == "spark-turn"]


def test_a_screen_that_takes_longer_is_fed_less_often_but_never_seldom() -> None:
    assert interval(0.0) == interval(0.001) == BATCH_SECONDS
    assert BATCH_SECONDS < interval(0.002) < interval(0.004) < LONGEST_BATCH_SECONDS
    assert interval(1.0) == LONGEST_BATCH_SECONDS


async def test_a_turn_ends_with_what_kept_its_batch_from_being_shown() -> None:
    ear = Ear()

    def breaks(batch: list[events.Event]) -> None:
        raise ValueError(f"{len(batch)} events")

    runner = TurnRunner(breaks, ear.on_end)
    runner.start(lambda _: iter([events.Token(1, "a")]))
    await ear.ended.wait()
    assert str(ear.error) == "1 events"
    assert not runner.running
    runner = TurnRunner(ear.on_batch, ear.on_end)
    ear.ended.clear()
    runner.start(lambda _: iter([events.Token(1, "a")]))
    await ear.ended.wait()
    assert ear.error is None
