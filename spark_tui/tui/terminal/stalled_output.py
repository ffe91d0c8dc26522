"""Output that nobody reads: a program that is to end would wait for the terminal without an end."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import socket
import termios
import threading
import time

_PATIENCE_SECONDS = 2.0
"""How long a terminal may take to read on."""
_POLL_SECONDS = 0.05
_TERMINAL = 2
"""Textual writes to the standard error."""


def drop_once_signalled(*numbers: signal.Signals) -> None:
    """Once a signal came, drop what the terminal does not read. Call it when the loop has its handlers: where
    the loop itself waits for the terminal, only another thread sees the signal, so that one passes it on."""
    receiver, sender = socket.socketpair()
    sender.setblocking(False)
    loop = signal.set_wakeup_fd(sender.fileno(), warn_on_full_buffer=False)

    def listen() -> None:
        with contextlib.suppress(OSError), sender:  # the loop is closed
            while data := receiver.recv(64):
                os.write(loop, data)
                if any(number in numbers for number in data):
                    _drop()

    threading.Thread(target=listen, name="spark-stalled-output", daemon=True).start()


def _drop() -> None:
    time.sleep(_PATIENCE_SECONDS)
    with contextlib.suppress(OSError, ValueError, termios.error):  # it is no terminal, or is gone
        while True:
            if not select.select([], [_TERMINAL], [], 0.0)[1]:
                termios.tcflush(_TERMINAL, termios.TCOFLUSH)
                # Linux wakes the thread that writes only where its output goes on.
                termios.tcflow(_TERMINAL, termios.TCOOFF)
                termios.tcflow(_TERMINAL, termios.TCOON)
            time.sleep(_POLL_SECONDS)
