"""Ctrl+C stops what waits, whichever thread the signal comes to."""

from __future__ import annotations

import signal
import threading
import time

import pytest

from spark_tui.session.stop_signals import sets, stopped_by


def on_another_thread(number: signal.Signals, times: int = 1) -> threading.Thread:
    """A thread that gets a signal while the main thread waits: no system call of that is interrupted."""

    def run() -> None:
        for _ in range(times):
            time.sleep(0.2)
            signal.pthread_kill(threading.get_ident(), number)

    thread = threading.Thread(target=run)
    thread.start()
    return thread


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_main_thread_that_waits_for_the_flag_is_woken(number):
    before = signal.getsignal(number)
    stop = threading.Event()
    with stopped_by(sets(stop), signal.SIGINT, signal.SIGTERM):
        thread = on_another_thread(number)
        assert stop.wait(60)
        thread.join()
    assert signal.getsignal(number) is before


def test_the_second_one_leaves():
    stop = threading.Event()
    with pytest.raises(KeyboardInterrupt), stopped_by(sets(stop)):
        thread = on_another_thread(signal.SIGINT, times=2)
        try:
            time.sleep(30)
        finally:
            thread.join()
    assert stop.is_set()


def test_other_threads_leave_the_signals_alone():
    before, seen = signal.getsignal(signal.SIGINT), []

    def run() -> None:
        with stopped_by(lambda _: True):
            seen.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert seen == [before]
