"""Suspends the workbench to the shell (Ctrl+Z, SIGTSTP) and restores the whole screen when it continues."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from textual.app import App
    from textual.driver import Driver

_TERMINATED = 128 + signal.SIGTERM
"""The exit code that a shell reports for a program ended by a signal."""


def has_a_shell() -> bool:
    """Whether a shell can resume it: a shell with job control gives each job a process group of its own."""
    return os.getpgrp() != os.getsid(0)


def watch(app: App[Any], driver: Driver, back: Callable[[], None]) -> None:
    """From now on `back` is called whenever the process continues after a stop, and `kill` ends it like a
    quit.

    Textual takes every stop for one that it has made itself: after one that could not be seen coming (`kill
    -STOP`) it would read the keys twice. It also does its work between any two steps of the program; here the
    loop does it.
    """
    if not hasattr(driver, "_must_signal_resume"):
        return  # no terminal

    def goes_on() -> None:
        if not driver._must_signal_resume:
            driver.suspend_application_mode()
            driver._must_signal_resume = True
        driver.resume_application_mode()

    loop = asyncio.get_running_loop()
    loop.add_signal_handler(signal.SIGCONT, goes_on)
    # A kill from outside leaves the terminal usable: no black screen, no mouse reports, a cursor.
    loop.add_signal_handler(signal.SIGTERM, lambda: app.exit(return_code=_TERMINATED))
    app.app_resume_signal.subscribe(app, lambda _: back())
