"""Suspends the workbench to the shell (Ctrl+Z, SIGTSTP) and restores the whole screen when it continues."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from spark_tui.errors import SIGNALLED
from spark_tui.tui.terminal.stalled_output import drop_once_signalled

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver


def has_a_shell() -> bool:
    """Whether a shell can resume it: a shell with job control gives each job a process group of its own."""
    return os.getpgrp() != os.getsid(0)


def watch(app: App[Any], driver: Driver, leave: Callable[[], None], back: Callable[[], None]) -> None:
    """From now on `leave` is called before a stop, by a key or from outside, `back` whenever the process
    continues after one, and `kill` or a terminal that is closed ends it like a quit.

    Textual takes every stop for one that it has made itself: after one that could not be seen coming (`kill
    -STOP`) it would read the keys twice. It also does its work between any two steps of the program; here the
    loop does it.
    """
    if not hasattr(driver, "_must_signal_resume"):
        return  # no terminal

    def stops() -> None:
        leave()
        driver.suspend_application_mode()
        driver._must_signal_resume = True
        os.kill(os.getpid(), signal.SIGSTOP)

    def goes_on() -> None:
        if app._exit:
            return  # it comes with a hangup too: the keys would be read on, and the process never end
        if not driver._must_signal_resume:
            driver.suspend_application_mode()
            driver._must_signal_resume = True
        driver.resume_application_mode()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGTSTP, stops)
    loop.add_signal_handler(signal.SIGCONT, goes_on)
    # A kill from outside leaves the terminal usable: no black screen, no mouse reports, a cursor.
    loop.add_signal_handler(signal.SIGTERM, lambda: app.exit(return_code=SIGNALLED + signal.SIGTERM))

    def hung_up() -> None:
        if not os.isatty(0):
            # The terminal is gone: its last output would fail, and what is to be ended would not be.
            null = os.open(os.devnull, os.O_RDWR)
            for standard in (0, 1, 2):
                os.dup2(null, standard)
        app.exit(return_code=SIGNALLED + signal.SIGHUP)

    loop.add_signal_handler(signal.SIGHUP, hung_up)
    drop_once_signalled(signal.SIGTERM)
    app.app_resume_signal.subscribe(app, lambda _: back())
