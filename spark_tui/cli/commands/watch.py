"""`spark watch`: run a command on demand, after writes or on save, and list the problems that it reports;
or offer next edits for another editor."""

from __future__ import annotations

import argparse
import json
import os
import select
import shlex
import sys
import threading
import time
from concurrent.futures import wait
from typing import Any

from spark_tui.cli import flags
from spark_tui.cli.output import print_error
from spark_tui.config import paths
from spark_tui.errors import SIGNALLED, ExitCode, UsageError, visible
from spark_tui.problems.locate import Located
from spark_tui.problems.problem import as_dict
from spark_tui.problems.runner import NO_COMMAND
from spark_tui.session.session_opener import root_of
from spark_tui.session.stop_signals import from_outside, stopped_by
from spark_tui.session.storage.write_watcher import WriteWatcher
from spark_tui.session.tree.check_loop import CheckLoop, CheckRun
from spark_tui.workspace.daemon_threads import in_daemon

_LOOK_SECONDS = 0.2
_LISTED = 100
"""How many problems are listed after a run."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add("command", nargs="*", metavar="CMD", help="the command, after `--`; a single word goes to sh")
    add(
        "--edits",
        action="store_true",
        help="run no command: offer what follows from changes that are saved in your own editor",
    )
    add(
        "--on",
        choices=("enter", "save", "write"),
        help="when to run it again: at Enter (the default in a terminal), when a file is saved, or when "
        "spark wrote hunks. Enter works in each",
    )
    add("--once", action="store_true", help="run it once (the default without a terminal)")
    add("--timeout", type=flags.seconds, default=0.0, metavar="SECONDS", help="end a run that takes longer")
    add("--json", action="store_true", help="print one JSON object per line, not the output")
    add("-q", "--quiet", action="store_true", help="print the problems, not the output")
    flags.add_place(parser)


def run(args: argparse.Namespace) -> int:
    directory = flags.directory(args)
    root = root_of(directory)
    if args.edits:
        if args.command:
            raise UsageError("--edits runs no command", hint="Use another window for the command.")
        from spark_tui.cli.watch_edits import watch_edits

        return int(watch_edits(root, args.json))
    if not "".join(args.command).strip():
        raise UsageError("no command", hint="Try `spark watch -- pytest -q`.")
    command = args.command[0] if len(args.command) == 1 else args.command
    once = args.once or (args.on is None and not sys.stdin.isatty())
    watch = Watch(
        CheckLoop(command, root, directory, seconds=args.timeout), args.on or "enter", args.json, args.quiet
    )
    with stopped_by(watch.end, *from_outside()):
        code = watch.run_once()
        if not (once or watch.ended or code == ExitCode.MALFORMED):
            writes = WriteWatcher(paths.repository_state_dir(root)) if args.on == "write" else None
            code = watch.until_quit(code, writes)
    return SIGNALLED + watch.ended if watch.ended else int(code)


class Watch:
    """Runs the command and prints what it finds."""

    def __init__(self, loop: CheckLoop, on: str, as_json: bool, quiet: bool) -> None:
        self._loop, self._on, self._json, self._quiet = loop, on, as_json, quiet
        self._midline = False
        """Whether the output ended in the middle of a line."""
        self._stop: threading.Event | None = None
        """Ends the run that goes on."""
        self.ended = 0
        """The signal from outside that ended it."""

    def end(self, number: int) -> bool:
        """End what runs, and then all; whether something ran."""
        self.ended, stop = number, self._stop
        if stop is not None:
            stop.set()
        return stop is not None

    def run_once(self) -> ExitCode:
        """One run. Ctrl+C ends the command."""
        stop = self._stop = threading.Event()
        words = self._loop.command if isinstance(self._loop.command, str) else shlex.join(self._loop.command)
        if self._json:
            self._tell("started", command=words)
        else:
            print_error(f"▶ {words}")

        def check() -> CheckRun:
            show = None if self._json or self._quiet else self._show
            found = self._found if self._json else None
            return self._loop.run(stop, show=show, found=found, look=self._on == "save")

        # On a thread, so that Ctrl+C never comes between a problem and its place.
        checking = in_daemon(check, "spark-check")
        try:
            while not wait([checking], 0.5).done:
                pass
        except KeyboardInterrupt:
            stop.set()
        result, self._stop = checking.result(), None
        return self._report(result)

    def _show(self, piece: bytes) -> None:
        out = getattr(sys.stdout, "buffer", None)
        if out is None:
            sys.stdout.write(piece.decode("utf-8", "replace"))
        else:
            out.write(piece)
        sys.stdout.flush()
        self._midline = not piece.endswith(b"\n")

    def _found(self, located: Located) -> None:
        self._tell("problem", where=located.where, place=located.place, problem=as_dict(located.problem))

    def _tell(self, event: str, **facts: Any) -> None:
        print(json.dumps({"event": event, **facts}), flush=True)

    def _report(self, run: CheckRun) -> ExitCode:
        result = run.result
        if self._json:
            self._tell(
                "finished",
                code=result.code,
                words=result.words,
                passes=run.passes,
                seconds=round(result.seconds, 3),
                problems=len(run.problems),
                new=[as_dict(item) for item in run.comparison.new] if run.comparison else None,
                fixed=[as_dict(item) for item in run.comparison.fixed] if run.comparison else None,
                changed=list(run.changed),
                output_bytes=result.output_bytes,
                unread_bytes=result.unread_bytes,
            )
        else:
            if self._midline:
                print(flush=True)
                self._midline = False
            self._list(run)
        if result.code in NO_COMMAND or (result.code is None and result.seconds == 0.0):
            return ExitCode.MALFORMED
        if result.timed_out:
            return ExitCode.TIMEOUT
        if result.note:
            return ExitCode.INTERRUPTED
        return ExitCode.DONE if run.passes else ExitCode.NOTHING

    def _list(self, run: CheckRun) -> None:
        new = set(map(id, run.comparison.new)) if run.comparison else set()
        for problem in run.problems[:_LISTED]:
            mark = "+" if id(problem.problem) in new else " "
            place = f"{problem.place}: " if problem.place else ""
            aside = {"gone": " (no such file)", "outside": " (not in this repository)"}.get(problem.where, "")
            print_error(visible(f"{mark} {problem.problem.severity}: {place}{problem.problem.title}{aside}"))
        if len(run.problems) > _LISTED:
            print_error(f"  … and {len(run.problems) - _LISTED} more")
        if run.result.unread_bytes:
            print_error(f"  {run.result.unread_bytes:,} bytes in the middle were not read for problems")
        print_error(f"{'✓' if run.passes else '✗'} {run.words}")

    # -- again

    def until_quit(self, code: ExitCode, writes: WriteWatcher | None) -> ExitCode:
        """Run it again whenever it is time, until `q`, the end of the input or Ctrl+C. Returns the last
        code."""
        again = {"save": " or a saved file", "write": " or a write of spark"}.get(self._on, "")
        if not self._json:
            print_error(f"Enter{again} runs it again, q ends.")
        try:
            while not self.ended and self._due(writes):
                code = self.run_once()
        except KeyboardInterrupt:
            pass
        return code

    def _due(self, writes: WriteWatcher | None) -> bool:
        """Wait until it is time. Returns False where the person wants to end."""
        pause, reads = _LOOK_SECONDS, self._on == "enter" or sys.stdin.isatty()
        while True:
            if reads and select.select([sys.stdin], [], [], pause)[0]:
                line = os.read(sys.stdin.fileno(), 4096)
                return bool(line) and line.strip().lower() not in (b"q", b"quit")
            if not reads:
                time.sleep(pause)
            begun = time.monotonic()
            if writes is not None and writes.wrote():
                return True
            if self._on == "save" and self._loop.saved():
                return True
            # Looking at a large tree takes a tenth of the time at most.
            pause = max(_LOOK_SECONDS, 9 * (time.monotonic() - begun))
