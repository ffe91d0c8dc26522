"""Runs a job's check: the person's command, in the worktree, with a time limit.

The command has no input, and every process that it started ends with it.
"""

from __future__ import annotations

import contextlib
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from spark_tui.workspace.processes import environment, kill_process_group

__all__ = ["CheckResult", "began_at", "environment", "kill_leftover_check", "kill_process_group", "run_check"]

MOST_BYTES = 16_384
"""The size of the end of the output that is kept."""
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The outcome of a check. `code` is None where the time limit or a stop ended it."""

    code: int | None
    output: str
    seconds: float
    note: str = ""

    @property
    def passes(self) -> bool:
        return self.code == 0


def run_check(
    command: str, tree: Path, directory: Path, seconds: float, stop: threading.Event, pid_file: Path
) -> CheckResult:
    """Run the command in `directory`, a folder of `tree`. While it runs, `pid_file` names its process group,
    so that it can be ended after the worker was killed."""
    begun = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=directory,
        env=environment(tree),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    pid_file.write_text(f"{process.pid} {began_at(process.pid)}")
    assert process.stdout is not None
    kept = bytearray()
    reader = threading.Thread(target=_read, args=(process.stdout, kept), daemon=True)
    reader.start()
    note = ""
    while process.poll() is None:
        if stop.is_set():
            note = "stopped"
        elif time.monotonic() - begun > seconds:
            note = f"timed out after {seconds:g} seconds"
        if note:
            break
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_LOOK_SECONDS)
    kill_process_group(process.pid)
    code = process.wait()
    # A process that left the group may hold the pipe open for ever.
    reader.join(1.0)
    pid_file.unlink(missing_ok=True)
    output = bytes(kept).decode("utf-8", "replace")
    return CheckResult(None if note else code, output, time.monotonic() - begun, note)


def kill_leftover_check(pid_file: Path) -> None:
    """Kill the check of a worker that was killed, if it still runs. A reused process id is told by its start
    time."""
    try:
        pid, _, began = pid_file.read_text().partition(" ")
    except OSError:
        return
    if began and began_at(int(pid)) == began:
        kill_process_group(int(pid))
    pid_file.unlink(missing_ok=True)


def began_at(pid: int) -> str:
    """The start time of a process, as the system gives it; empty where there is none."""
    try:
        # The 20th field after the name, which may hold anything.
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        pass
    if Path("/proc/self/stat").exists():
        return ""
    done = subprocess.run(
        ["ps", "-o", "lstart=", "-p", str(pid)], capture_output=True, text=True, check=False
    )
    return done.stdout.strip()


def _read(stream: IO[bytes], kept: bytearray) -> None:
    """Keep the end of a stream in `kept`."""
    with contextlib.suppress(OSError, ValueError):
        while piece := stream.read1(65_536):  # type: ignore[attr-defined]
            kept += piece
            del kept[:-MOST_BYTES]
