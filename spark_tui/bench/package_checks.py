"""Whether the modules of a package can be imported and its tests pass, asked again after each plan."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from spark_tui.bench import import_worker

_IMPORT_SECONDS, _TEST_SECONDS = 60, 180
_FAILED = ("FAILED ", "ERROR ")


def import_root(root: Path) -> Path:
    """The folder that has to be on the path: `src` where there is one."""
    source = root / "src"
    return source if source.is_dir() and next(source.rglob("*.py"), None) is not None else root


def _environment(root: Path) -> dict[str, str]:
    kept = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST"))}
    return {**kept, "PYTHONPATH": str(import_root(root))}


class Importer:
    """Imports modules of one package, each time in a fresh process. Close it in the end."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._worker: subprocess.Popen[str] | None = None

    def failing(self, modules: list[str]) -> dict[str, str]:
        """The modules that cannot be imported, with the reason."""
        worker = self._worker or self._start()
        assert worker.stdin is not None and worker.stdout is not None
        try:
            worker.stdin.write(json.dumps(modules) + "\n")
            worker.stdin.flush()
            if select.select([worker.stdout], [], [], _IMPORT_SECONDS)[0]:
                found: dict[str, str] = json.loads(worker.stdout.readline())
                return found
        except (OSError, ValueError):
            pass
        self.close()
        return dict.fromkeys(modules, "the process did not end well")

    def _start(self) -> subprocess.Popen[str]:
        self._worker = subprocess.Popen(
            [sys.executable, import_worker.__file__, str(import_root(self.root))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self.root,
            env={key: value for key, value in os.environ.items() if key != "PYTHONPATH"},
            start_new_session=True,
        )
        return self._worker

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            # A module that hangs does so in a child, which holds the pipes open.
            with contextlib.suppress(ProcessLookupError):
                os.killpg(worker.pid, signal.SIGKILL)
            worker.communicate()


class PackageTests:
    """The tests that a package carries: those that failed before count as failing anyway."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.known = self._run() if self._has_tests() else None

    @property
    def can_run(self) -> bool:
        return self.known is not None

    def _has_tests(self) -> bool:
        return any(
            next((self.root / one).rglob("test_*.py"), None) is not None for one in _folders(self.root)
        )

    def newly_failing(self) -> list[str]:
        """Tests that pass without a plan and fail with it; one text where no test runs at all."""
        found = self._run()
        if found is None:
            return ["the tests cannot be run"]
        return sorted(found - (self.known or set()))

    def _run(self) -> set[str] | None:
        """The names of the tests that fail; None where they cannot be run."""
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="]
        command += ["--maxfail=20", "--tb=no", "-W", "default", *(_folders(self.root))]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                timeout=_TEST_SECONDS,
                cwd=self.root,
                env=_environment(self.root),
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None
        lines = [line for line in done.stdout.splitlines() if line.startswith(_FAILED)]
        failed = {line.split(" - ")[0].partition(" ")[2].strip() for line in lines}
        return failed if done.returncode == 0 or (done.returncode == 1 and failed) else None


def _folders(root: Path) -> list[str]:
    return [one for one in ("tests", "test", "testing") if (root / one).is_dir()]
