"""What running a command under `watch` costs, and whether it survives commands that behave badly."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path

import spark_tui
from spark_tui.bench.measuring.reporting import Spread, paired, ratios
from spark_tui.problems.runner import MOST_KEPT_BYTES, CommandResult, run_command

_WORK = """
import time
def waited():
    try:
        return int(open("/proc/self/schedstat").read().split()[1]) / 1e9
    except OSError:
        return 0.0
begun, line = time.monotonic() - waited(), 0
while time.process_time() < {seconds}:
    sum(range(20_000))
    line += 1
    if line % {each} == 0:
        print(f"tests/test_{{line}}.py::test_{{line % 7}} PASSED   [{{line % 100:3d}}%]", flush={flush})
print("cart.py:3:1: F821 undefined name 'x'", flush=True)
open({path!r}, "w").write(str(time.monotonic() - waited() - begun))
"""
"""Works for so much processor time, and writes down how long it took, without the time in which it could run
and had no processor, where the system tells that: this is the work of others."""
COMMANDS = {"chatty": {"each": 1, "flush": True}, "buffered": {"each": 1, "flush": False}}
COMMANDS["quiet"] = {"each": 500, "flush": True}
"""A line after each few hundred microseconds, flushed or not, or a few lines in a second."""
_MUCH = """
import sys
for _ in range(1600):
    sys.stdout.write("x" * 65535 + "\\n")
print("cart.py:3:1: F821 late")
"""
_FORKS = "import os, time\nfor _ in range(20):\n    if not os.fork():\n        time.sleep(600)\n"
_ENDLESS = "import time\nprint('begun', flush=True)\nwhile True:\n    time.sleep(1)\n"
_ENDED_SECONDS = 10.0


def cost(kind: str, rounds: int, seconds: float, folder: Path) -> Spread:
    """How much longer one of the commands takes under `spark watch`, by its own clock, as a share of its time
    without, where its output is only read."""
    path = folder / "took"
    code = _WORK.format(seconds=seconds, path=str(path), **COMMANDS[kind])
    plain = [sys.executable, "-c", code]
    watch = [sys.executable, "-m", "spark_tui", "watch", "--once", "--", *plain]

    def took(command: list[str]) -> float:
        done = subprocess.run(
            command,
            cwd=folder,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            env=_environment(),
            check=False,
        )
        assert b"F821" in done.stdout
        return float(path.read_text())

    found = paired({"plain": lambda: took(plain), "watched": lambda: took(watch)}, rounds=rounds)
    ratio = ratios(found["watched"], found["plain"])
    return Spread(ratio.median - 1, ratio.low - 1, ratio.high - 1, ratio.runs)


def processor_share(kind: str, seconds: float, folder: Path) -> float:
    """The processor time of reading a command's output, as a share of the command's own."""
    code = _WORK.format(seconds=seconds, path=str(folder / "took"), **COMMANDS[kind])
    run_command([sys.executable, "-c", ""], folder, stop=threading.Event())  # the rules are read once
    used = time.process_time()
    done = run_command([sys.executable, "-c", code], folder, stop=threading.Event())
    assert len(done.problems) == 1
    return (time.process_time() - used) / seconds


def _environment() -> dict[str, str]:
    """Ours, with the package on the path wherever the command runs."""
    root = str(Path(spark_tui.__file__).parents[1])
    return {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))}


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
