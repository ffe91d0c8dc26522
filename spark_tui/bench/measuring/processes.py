"""Start and stop the processes of a bench: servers, delay proxies, clients."""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import spark_tui
from spark_tui.errors import NoBackend

THREAD_VARIABLES = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
ONE_THREAD = dict.fromkeys(THREAD_VARIABLES, "1")


class Child(NamedTuple):
    """A running process and the words of the first line that it printed."""

    pid: int
    said: list[str]

    def cpu_seconds(self) -> float:
        """CPU time of all its threads, to the nanosecond where the system counts so."""
        total = 0
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            try:
                total += int((task / "schedstat").read_text(encoding="ascii").split()[0])
            except (OSError, ValueError, IndexError):
                continue
        return total / 1e9


def resident_megabytes(*, peak: bool) -> float:
    """The memory of this process, now or at most. `getrusage` counts the process that started it, too."""
    try:
        return kilobytes("VmHWM" if peak else "VmRSS") / 1024
    except NoBackend:
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def kilobytes(name: str) -> int:
    """One of the sizes that Linux tells of this process. `RssAnon` leaves out pages of mapped files, which
    can be taken back at any time."""
    try:
        lines = Path("/proc/self/status").read_text("utf-8").splitlines()
        return next(int(line.split()[1]) for line in lines if line.startswith(f"{name}:"))
    except (OSError, StopIteration) as error:
        raise NoBackend("this system does not say how much memory a process holds") from error


@contextmanager
def variable(name: str, value: Path) -> Iterator[None]:
    """A variable of the environment, while the block runs."""
    before = os.environ.get(name)
    os.environ[name] = str(value)
    try:
        yield
    finally:
        del os.environ[name]
        if before is not None:
            os.environ[name] = before


def said_by(module: str, *words: str) -> Any:
    """What `python -m module words` prints at last, as JSON."""
    done = subprocess.run(
        [sys.executable, "-m", module, *words],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(Path(spark_tui.__file__).parents[1])},
        check=False,
    )
    if done.returncode:
        raise NoBackend(f"{module} failed", hint=done.stderr.strip()[-500:])
    return json.loads(done.stdout.splitlines()[-1])


@contextmanager
def child(module: str, *words: str) -> Iterator[Child]:
    """Run `python -m module words` until the block ends. It ends by itself when its stdin closes."""
    process = subprocess.Popen(
        [sys.executable, "-m", module, *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, **ONE_THREAD, "TOKENIZERS_PARALLELISM": "false"},
    )
    assert process.stdin is not None and process.stdout is not None
    try:
        first_line = process.stdout.readline().split()
        if not first_line:
            raise NoBackend(f"{module} did not start", hint="Its message is above.")
        yield Child(process.pid, first_line)
    finally:
        process.stdin.close()
        try:
            process.wait(20)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        process.stdout.close()


def certificate(folder: Path) -> tuple[str, str]:
    """A self-signed certificate for this machine and its key."""
    if shutil.which("openssl") is None:
        raise NoBackend("this bench needs a certificate, and openssl is not installed to make one")
    made, key = str(folder / "certificate.pem"), str(folder / "key.pem")
    words = "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost"
    names = ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", key, "-out", made]
    subprocess.run([*words.split(), *names], check=True, capture_output=True)
    return made, key
