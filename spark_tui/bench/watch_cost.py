"""What running a command under `watch` costs, and whether it survives commands that behave badly."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from spark_tui.bench.reporting import Spread, paired, ratios
from spark_tui.problems.runner import MOST_KEPT_BYTES, CommandResult, run_command

_WORK = """
import time
until = time.process_time() + {seconds}
line = 0
while time.process_time() < until:
    sum(range(20_000))
    line += 1
    print(f"tests/test_{{line}}.py::test_{{line % 7}} PASSED   [{{line % 100:3d}}%]")
print("cart.py:3:1: F821 undefined name 'x'")
"""
_MUCH = """
import sys
for _ in range(1600):
    sys.stdout.write("x" * 65535 + "\\n")
print("cart.py:3:1: F821 late")
"""
_FORKS = "import os, time\nfor _ in range(20):\n    if not os.fork():\n        time.sleep(600)\n"
_ENDLESS = "import time\nprint('begun', flush=True)\nwhile True:\n    time.sleep(1)\n"
_ENDED_SECONDS = 10.0


@dataclass(frozen=True)
class Cost:
    """What `watch` adds to the time of a command, as shares of it."""

    processor: Spread
    """Its processor time: what it adds where no processor is free."""
    elapsed: Spread
    """How much longer the command takes."""


def cost(rounds: int, seconds: float, folder: Path) -> Cost:
    """A command with and without `watch`, in turn; without, its output is only read."""
    command = [sys.executable, "-c", _WORK.format(seconds=seconds)]
    shares: list[float] = []

    def plain() -> float:
        begun = time.monotonic()
        with subprocess.Popen(
            command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            assert process.stdout is not None
            while os.read(process.stdout.fileno(), 65536):
                pass
        return time.monotonic() - begun

    def watched() -> float:
        begun, used, shown = time.monotonic(), time.process_time(), list[bytes]()
        done = run_command(command, folder, stop=threading.Event(), show=shown.append)
        assert len(done.problems) == 1
        shares.append((time.process_time() - used) / seconds)
        return time.monotonic() - begun

    watched()  # the rules are read once
    shares.clear()
    found = paired({"plain": plain, "watched": watched}, rounds=rounds)
    ratio = ratios(found["watched"], found["plain"])
    elapsed = Spread(ratio.median - 1, ratio.low - 1, ratio.high - 1, ratio.runs)
    return Cost(Spread.of(shares), elapsed)


def survives(folder: Path) -> dict[str, bool]:
    """Each kind of bad command: whether it ended in time, in bounded memory, and with what it said."""

    def run(code: str, seconds: float = 0.0) -> tuple[CommandResult, float]:
        begun = time.monotonic()
        command = [sys.executable, "-c", code]
        done = run_command(command, folder, stop=threading.Event(), seconds=seconds)
        return done, time.monotonic() - begun

    def much() -> bool:
        done, _ = run(_MUCH)
        bounded = len(done.output) <= MOST_KEPT_BYTES
        return done.output_bytes > 100_000_000 and bounded and done.problems[-1].line == 3

    def forks() -> bool:
        done, took = run(_FORKS)
        return done.code == 0 and took < _ENDED_SECONDS

    def endless() -> bool:
        done, took = run(_ENDLESS, seconds=1.0)
        return done.code is None and "begun" in done.output and took < _ENDED_SECONDS

    cases: dict[str, Callable[[], bool]] = {"prints 100 MB": much, "forks": forks, "never ends": endless}
    return {name: case() for name, case in cases.items()}
