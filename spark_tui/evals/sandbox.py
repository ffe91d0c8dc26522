"""Runs code that a model wrote: in a process of its own, with limits of time and memory and without the
network.

The child limits itself before it reads the program: address space, CPU seconds, file size and processes; a
network namespace of its own where the kernel grants one; and in any case an audit hook that refuses
sockets and further programs.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass

from spark_tui.problems.runner import kill_process_group

_CHILD = r"""
import os, sys
seconds, memory = int(sys.argv[1]), int(sys.argv[2])
try:
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 1))
    resource.setrlimit(resource.RLIMIT_FSIZE, (10_000_000, 10_000_000))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
except (ImportError, ValueError, OSError):
    pass
try:
    import ctypes
    ctypes.CDLL(None, use_errno=True).unshare(0x10000000 | 0x40000000)
except (OSError, AttributeError, ImportError):
    pass
source = sys.stdin.read()
refused = (
    "socket.", "subprocess.", "os.system", "os.exec", "os.posix_spawn", "os.spawn", "os.fork", "os.kill",
    "ctypes.dlopen", "pty.",
)
def watch(event, args):
    if event.startswith(refused):
        raise PermissionError(event + " is refused here")
sys.argv = ["program"]
sys.addaudithook(watch)
scope = {"__name__": "__main__"}
exec(compile(source, "program.py", "exec"), scope)
"""


@dataclass(frozen=True, slots=True)
class RunResult:
    """`ok` where the program ended by itself without an error; else `reason` is its last line or the
    limit."""

    ok: bool
    reason: str
    seconds: float


def run_program(program: str, *, seconds: int = 10, memory_bytes: int = 1 << 30) -> RunResult:
    """Run and wait. Everything that the program started ends with it."""
    begun = time.monotonic()
    environment = {
        "PATH": os.defpath,
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
        "OPENBLAS_NUM_THREADS": "1",
    }
    with tempfile.TemporaryDirectory(prefix="spark-eval-") as folder:
        child = subprocess.Popen(
            [sys.executable, "-I", "-c", _CHILD, str(seconds), str(memory_bytes)],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            cwd=folder,
            env=environment,
            start_new_session=True,
        )
        try:
            _, errors = child.communicate(program.encode(), timeout=seconds + 2)
            reason = "" if child.returncode == 0 else _last_line(errors, child.returncode)
        except subprocess.TimeoutExpired:
            reason = f"timed out after {seconds} s"
        finally:
            _end(child)
    return RunResult(not reason, reason, time.monotonic() - begun)


def _last_line(errors: bytes, code: int) -> str:
    lines = errors.decode("utf-8", "replace").strip().splitlines()
    if lines:
        return lines[-1][:300]
    return f"ended by signal {signal.Signals(-code).name}" if code < 0 else f"exit code {code}"


def _end(child: subprocess.Popen[bytes]) -> None:
    kill_process_group(child.pid)
    child.wait()
    for stream in (child.stdin, child.stderr):
        if stream is not None:
            stream.close()
