"""Handles the signals that stop work, on a separate thread.

Python runs signal handlers on the main thread. If that thread starts to wait for a lock just as the signal
arrives, or another thread gets the signal, the handler is delayed as long as the main thread waits; and a
handler that sets the very event for which the main thread is about to wait never finishes. The interpreter
also writes the signal's number to a socket immediately, and this module listens to that.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import threading
from collections.abc import Callable, Iterator


def from_outside() -> tuple[signal.Signals, ...]:
    """What ends a program from outside. Under nohup a terminal that closes does not."""
    outlives = signal.getsignal(signal.SIGHUP) is signal.SIG_IGN
    return (signal.SIGTERM,) if outlives else (signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def stopped_by(stop: Callable[[int], bool], *signals: signal.Signals) -> Iterator[None]:
    """Call `stop` with each signal (by default Ctrl+C and those from outside). If it returns that there was
    nothing left to stop, raise `KeyboardInterrupt` in the main thread. Does nothing on any other thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    main, numbers = threading.get_ident(), signals or (signal.SIGINT, *from_outside())
    leaving = threading.Event()

    def leave(*_: object) -> None:
        if leaving.is_set():
            raise KeyboardInterrupt

    def listen() -> None:
        while byte := receiver.recv(1):
            if byte[0] in numbers and not leaving.is_set() and not stop(byte[0]):
                leaving.set()
                signal.pthread_kill(main, byte[0])

    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    listener = threading.Thread(target=listen, name="spark-signals", daemon=True)
    listener.start()
    descriptor = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)
    before = {number: signal.signal(number, leave) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        signal.set_wakeup_fd(descriptor)
        sender.close()
        listener.join()
        receiver.close()


def sets(stop: threading.Event) -> Callable[[int], bool]:
    """Set the flag, once: a second signal finds nothing left to stop."""

    def first(_: int) -> bool:
        was = stop.is_set()
        stop.set()
        return not was

    return first
