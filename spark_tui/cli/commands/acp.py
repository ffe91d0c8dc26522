"""`spark acp`: spark as an agent inside an editor, over the Agent Client Protocol on stdin and stdout."""

from __future__ import annotations

import argparse
import asyncio
import os
import signal
import stat
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from spark_tui.cli import flags
from spark_tui.config.extras import check_installed
from spark_tui.config.settings import Settings
from spark_tui.errors import SIGNALLED, ExitCode, NoPlace

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--next-edits",
        action="store_true",
        help="suggest next edits to editors that know the draft of the protocol for it",
    )
    flags.add_backend(parser)


def run(args: argparse.Namespace) -> int:
    check_installed("acp")
    _check_pipes()
    models, ended = _Models(), list[int]()
    try:
        asyncio.run(_serve(args, models, ended))
    except asyncio.CancelledError:
        return SIGNALLED + ended[0]
    finally:
        models.close()
    return int(ExitCode.DONE)


def _check_pipes() -> None:
    """The event loop can neither wait for a file nor for /dev/null."""
    for stream in (sys.stdin, sys.stdout):
        mode = os.fstat(stream.fileno()).st_mode if stream else 0
        if not stat.S_ISFIFO(mode) and not stat.S_ISSOCK(mode) and not (stream and stream.isatty()):
            hint = "An editor starts `spark acp`: docs/editors.md says how."
            raise NoPlace("stdin and stdout have to be pipes, not files", hint=hint)


def _end_at_signals(ended: list[int]) -> None:
    """Let SIGTERM and SIGHUP end the sessions first, with what runs in them; the second one ends spark."""
    loop, task = asyncio.get_running_loop(), asyncio.current_task()
    signals = [one for one in (signal.SIGTERM, signal.SIGHUP) if signal.getsignal(one) is not signal.SIG_IGN]

    def end(number: int) -> None:
        ended.append(number)
        for one in signals:
            loop.remove_signal_handler(one)
        if task:
            task.cancel()

    for one in signals:
        loop.add_signal_handler(one, end, one)


async def _serve(args: argparse.Namespace, models: _Models, ended: list[int]) -> None:
    from acp.stdio import stdio_streams

    from spark_tui.acp.agent import SparkAgent, serve

    def settings_of(root: Path) -> Settings:
        return flags.load(args, root).settings

    _end_at_signals(ended)
    reader, writer = await stdio_streams(limit=1 << 20)
    await serve(SparkAgent(settings_of, models.open, next_edits=args.next_edits), reader, writer)


class _Models:
    """A model of this machine is loaded once; a server or a recording is opened for each session."""

    def __init__(self) -> None:
        self._opening = threading.Lock()
        self._shared: dict[str, tuple[Backend, threading.Lock]] = {}

    def open(self, settings: Settings) -> Backend:
        from spark_tui.acp.shared_backend import SharedBackend
        from spark_tui.session.session_opener import open_backend

        if settings.replay or settings.connect:
            return open_backend(settings)
        with self._opening:
            if settings.model not in self._shared:
                self._shared[settings.model] = open_backend(settings), threading.Lock()
            return SharedBackend(*self._shared[settings.model])

    def close(self) -> None:
        for backend, _ in self._shared.values():
            backend.close()
