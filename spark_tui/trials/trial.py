"""Code that is tried: its modules as texts, in a process that is started for it and ends with it."""

from __future__ import annotations

import contextlib
import json
import os
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

_CHILD = Path(__file__).with_name("child.py")
OUT_OF_TIME = "out of time"
"""As child.py says it."""
_POLL = 0.05
_ONE_TEST = 0.5
"""Seconds that a test may take."""
_PREFIX = "spark-trial-"
_STALE = 3600.0
"""Seconds after which a folder of a trial is left behind for sure."""

Test = tuple[str, str]
"""A module and the name of a test in it; behind `>>> ` an example: code that gives a value."""


@dataclass(frozen=True, slots=True)
class Module:
    """The text of a module, its path, and whether it is a package."""

    text: str
    path: str
    package: bool = False


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a test: `passed`, `failed`, `skipped`, or `refused` where it cannot be tried."""

    state: str
    error: str = ""
    kind: str = ""
    """The class of the exception."""
    value: str = ""
    """What an example gives, as Python shows it."""
    seconds: float = 0.0
    lines: Mapping[str, tuple[int, ...]] = field(default_factory=dict)
    """The lines that it ran, by path."""

    @property
    def ran(self) -> set[tuple[str, int]]:
        return {(path, line) for path, lines in self.lines.items() for line in lines}

    @property
    def ended(self) -> bool:
        """Whether it ended by itself."""
        return self.error != OUT_OF_TIME


class TrialEnded(Exception):
    """The process ended, took longer than it may, or was stopped."""


def can_try() -> bool:
    """Whether this system has what the limits need."""
    return hasattr(signal, "setitimer") and bool(sys.executable)


class Trial:
    """A process in which the tests of some modules are tried, with variants of these modules."""

    def __init__(self, process: subprocess.Popen[bytes], ends: float, may_go_on: Callable[[], bool]) -> None:
        self._process, self._ends, self.may_go_on = process, ends, may_go_on
        self._late = self._timer()

    def _timer(self) -> threading.Timer:
        """What ends the process when its time is over."""
        late = threading.Timer(self.seconds_left, _kill, [self._process])
        late.daemon = True
        late.start()
        return late

    def extend(self, seconds: float) -> None:
        """Give it so many seconds more, at most as many as it had."""
        self._late.cancel()
        self._ends += seconds
        self._late = self._timer()

    def end(self) -> None:
        self._late.cancel()
        _kill(self._process)
        self._process.wait()

    def tests_of(self, modules: Sequence[str]) -> list[Test]:
        """The tests in modules; none of a module that cannot be imported here."""
        found = self.ask(do="list", modules=modules, seconds=_ONE_TEST)["tests"]
        return [(module, name) for module, name in found]

    def run(self, tests: Sequence[Test], trace: bool = False) -> list[Outcome]:
        return [
            Outcome(
                one["state"],
                one.get("error", ""),
                one.get("kind", ""),
                one.get("value", ""),
                one["seconds"],
                {path: tuple(lines) for path, lines in one.get("lines", {}).items()},
            )
            for one in self.ask(do="run", tests=tests, seconds=_ONE_TEST, trace=trace)["results"]
        ]

    def vary(
        self,
        variants: Sequence[Mapping[str, str]],
        first: Sequence[Test],
        others: Sequence[Test],
        seconds: float = _ONE_TEST,
    ) -> list[tuple[bool, int]]:
        """For each variant (new texts by module) whether the first tests pass, and how many others fail."""
        found = self.ask(do="vary", variants=variants, first=first, others=others, seconds=seconds)
        return [(good, bad) for good, bad in found["variants"]]

    def observe(
        self, variants: Sequence[Mapping[str, str]], probes: Sequence[Test], seconds: float = _ONE_TEST
    ) -> list[list[tuple[str, str]]]:
        """For each variant what each probe shows: the values that it looks at (`_spark_look`), and the class
        of what ends it."""
        found = self.ask(do="observe", variants=variants, tests=probes, seconds=seconds)
        return [[(value, kind) for value, kind in one] for one in found["variants"]]

    @property
    def seconds_left(self) -> float:
        return self._ends - time.monotonic()

    def ask(self, **question: Any) -> dict[str, Any]:
        """One question to the process, by the names of `Trials` in child.py."""
        assert self._process.stdin is not None and self._process.stdout is not None
        try:
            self._process.stdin.write(json.dumps(question).encode() + b"\n")
            self._process.stdin.flush()
            while not select.select([self._process.stdout], [], [], _POLL)[0]:
                if not self.may_go_on():
                    raise TrialEnded("stopped")
            answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        except (OSError, ValueError) as error:
            raise TrialEnded("the process ended" if self.seconds_left > 0 else OUT_OF_TIME) from error
        return answer


def _interpreter() -> list[str]:
    """The Python of the virtual environment that is switched on, with its packages; else this one without
    any."""
    own = os.environ.get("VIRTUAL_ENV")
    python = Path(own, "bin", "python") if own else None
    if python is not None and python.exists():
        return [str(python), "-s", "-P"]
    return [sys.executable, "-s", "-P", "-S"]


def _kill(process: subprocess.Popen[bytes]) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(process.pid, signal.SIGKILL)


@cache
def _remove_stale(temporary: str) -> None:
    """Remove the folders of this user that trials left when they were killed with their processes. No trial
    takes nearly as long as these are old."""
    with contextlib.suppress(OSError), os.scandir(temporary) as found:
        for one in found:
            if one.name.startswith(_PREFIX) and one.is_dir(follow_symlinks=False):
                known = one.stat(follow_symlinks=False)
                if known.st_uid == os.getuid() and known.st_mtime < time.time() - _STALE:
                    shutil.rmtree(one.path, ignore_errors=True)


@contextlib.contextmanager
def trial_of(
    modules: Mapping[str, Module], seconds: float, may_go_on: Callable[[], bool] = lambda: True
) -> Iterator[Trial]:
    """A trial of modules by their dotted names, for some seconds at most and as long as it may go on."""
    _remove_stale(tempfile.gettempdir())
    with tempfile.TemporaryDirectory(prefix=_PREFIX, ignore_cleanup_errors=True) as folder:
        process = subprocess.Popen(
            [*_interpreter(), str(_CHILD), str(2 * seconds)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            cwd=folder,
            env={"PATH": os.defpath, "PYTHONHASHSEED": "0"},
            start_new_session=True,
        )
        trial = Trial(process, time.monotonic() + seconds, may_go_on)
        try:
            shown = {name: (one.text, one.path, one.package) for name, one in modules.items()}
            trial.ask(do="load", modules=shown)
            yield trial
        finally:
            trial.end()
            for stream in (process.stdin, process.stdout):
                if stream is not None:
                    with contextlib.suppress(OSError):
                        stream.close()
