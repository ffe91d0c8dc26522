"""Run a job's check: a command of the person, in the worktree, with an end.

Comes in: the command, where, for how long, a stop flag. Goes out: its exit status and the end of what it
said. Must not know: jobs, what the command does. It reads nothing, and whatever it started ends with it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from typing import IO

MOST_BYTES = 16_384
"""So much of the end of its output is kept."""
_LOOK_SECONDS = 0.02
_ELSEWHERE = frozenset(
    ("GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_COMMON_DIR", "GIT_OBJECT_DIRECTORY", "GIT_PREFIX")
)
"""Where spark was started by a hook, these name the person's own repository."""


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`code` is None where it was ended here: by the time limit, or by a stop."""

    code: int | None
    output: str
    seconds: float
    note: str = ""

    @property
    def passes(self) -> bool:
        return self.code == 0


def run_check(
    command: str, tree: Path, place: Path, seconds: float, stop: threading.Event, mark: Path
) -> CheckResult:
    """`place` is the folder of the tree in which it runs; `mark` says
    while it runs which process group it is, for whoever finds a killed worker's."""
    begun = time.monotonic()
    process = subprocess.Popen(
        ["/bin/sh", "-c", command],
        cwd=place,
        env=environment(tree),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    mark.write_text(f"{process.pid} {began_at(process.pid)}")
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
    # Who left the group may hold the pipe open for ever.
    reader.join(1.0)
    mark.unlink(missing_ok=True)
    output = bytes(kept).decode("utf-8", "replace")
    return CheckResult(None if note else code, output, time.monotonic() - begun, note)


def environment(tree: Path) -> dict[str, str]:
    """The person's own, with two things that a check of Python has to have in a copy of its tree."""
    own = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
    # Edits come faster than the clock that compiled files are compared by.
    own["PYTHONDONTWRITEBYTECODE"] = "1"
    if any((tree / name).is_file() for name in ("pyproject.toml", "setup.py", "setup.cfg")):
        # Where the project is installed to be edited, its name leads to the person's own tree.
        source = tree / "src" if (tree / "src").is_dir() else tree
        own["PYTHONPATH"] = os.pathsep.join(filter(None, (str(source), own.get("PYTHONPATH", ""))))
    return own


def kill_process_group(pid: int) -> None:
    """All processes of the group, at once: a check has nothing to save."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)


def kill_leftover_check(mark: Path) -> None:
    """The check of a worker that was killed, if it still runs. A process id that another process got since
    has another beginning."""
    try:
        pid, _, began = mark.read_text().partition(" ")
    except OSError:
        return
    if began and began_at(int(pid)) == began:
        kill_process_group(int(pid))
    mark.unlink(missing_ok=True)


def began_at(pid: int) -> str:
    """When a process began, as the system says it; empty where there is none."""
    try:
        # Behind the name, which may hold anything: the 20th field.
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
    """The end of what comes, however much it is."""
    with contextlib.suppress(OSError, ValueError):
        while piece := stream.read1(65_536):  # type: ignore[attr-defined]
            kept += piece
            del kept[:-MOST_BYTES]
