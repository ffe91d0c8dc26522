"""Whether the modules of a package can be imported and its tests pass, asked again after each plan."""

from __future__ import annotations

import contextlib
import json
import re
import select
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from spark_tui.bench.packages import import_worker
from spark_tui.bench.packages.sandbox import Sandbox
from spark_tui.problems.runner import kill_process_group

_IMPORT_SECONDS, _TEST_SECONDS = 60, 180
_FAILED = ("FAILED ", "ERROR ")
_PASSED = re.compile(r"(\d+) passed")
_TEST_FOLDERS = ("tests", "test", "testing")


def import_root(root: Path) -> Path:
    """The folder that has to be on the path: `src` where there is one."""
    source = root / "src"
    return source if source.is_dir() and next(source.rglob("*.py"), None) is not None else root


class Importer:
    """Imports modules of one package, each time in a fresh process. Close it in the end."""

    def __init__(self, root: Path, within: Sandbox) -> None:
        self.root = root
        self.within = within
        self._worker: subprocess.Popen[str] | None = None

    def failing(self, modules: list[str]) -> dict[str, str]:
        """The modules that cannot be imported, with the reason."""
        worker = self._worker or self._start()
        assert worker.stdin is not None and worker.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            worker.stdin.write(json.dumps(modules) + "\n")
            worker.stdin.flush()
            if select.select([worker.stdout], [], [], _IMPORT_SECONDS)[0]:
                found: dict[str, str] = json.loads(worker.stdout.readline())
                return found
        self.close()
        return dict.fromkeys(modules, "the process did not end well")

    def _start(self) -> subprocess.Popen[str]:
        self._worker = subprocess.Popen(
            self.within.command([sys.executable, import_worker.__file__, str(import_root(self.root))]),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=self.root,
            env=self.within.environment(),
            start_new_session=True,
        )
        return self._worker

    def close(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            # A module that hangs does so in a child, which holds the pipes open.
            kill_process_group(worker.pid)
            worker.communicate()


@dataclass(frozen=True)
class TestRun:
    """One run of the tests of a package: what it printed, which tests fail, and how many pass."""

    __test__ = False
    code: int
    output: str
    failing: set[str]
    passing: int
    passed: frozenset[str] = frozenset()
    """The names of the tests that pass, where they were asked for (`-rp`)."""

    @staticmethod
    def of(code: int, output: str) -> TestRun:
        lines = output.splitlines()
        failing = {
            line.split(" - ")[0].partition(" ")[2].strip() for line in lines if line.startswith(_FAILED)
        }
        passed = next((found for line in reversed(lines) if (found := _PASSED.search(line))), None)
        names = frozenset(line.partition(" ")[2].strip() for line in lines if line.startswith("PASSED "))
        return TestRun(code, output, failing, int(passed[1]) if passed else 0, names)

    @property
    def ran(self) -> bool:
        return self.code == 0 or (self.code == 1 and bool(self.failing))


class PackageTests:
    """The tests that a package carries: those that failed before count as failing anyway."""

    def __init__(self, root: Path, within: Sandbox) -> None:
        self.root = root
        self.within = within
        self.passing = 0
        self.known = self._run() if has_tests(root) else None

    @property
    def can_run(self) -> bool:
        return self.known is not None and self.passing > 0

    def newly_failing(self) -> list[str]:
        """Tests that pass without a plan and fail with it; one text where no test runs at all."""
        before = self.passing
        found = self._run()
        passing, self.passing = self.passing, before
        if found is None:
            return ["the tests cannot be run"]
        failing = sorted(found - (self.known or set()))
        return failing or ([f"{before - passing} tests are gone"] if passing < before else [])

    def _run(self) -> set[str] | None:
        """The names of the tests that fail; None where they cannot be run."""
        found = run_tests(self.root, self.within, "--tb=no")
        self.passing = found.passing if found is not None else self.passing
        return found.failing if found is not None and found.ran else None


def run_tests(
    root: Path,
    within: Sandbox,
    *options: str,
    files: list[str] | None = None,
    seconds: float = _TEST_SECONDS,
    variables: Mapping[str, str] | None = None,
) -> TestRun | None:
    """Run all tests, or those of some files, with these options of pytest; None where they take too long."""
    # Without bytecode: a file of the same size that is written in the same second passes for the one before.
    command = [sys.executable, "-B", "-m", "pytest", "-q", "-p", "no:cacheprovider", "-o", "addopts="]
    command += ["--continue-on-collection-errors", *options, "-W", "default"]
    command += _folders(root) if files is None else files
    # Some name their tests by the order of a set.
    environment = {"PYTHONPATH": str(import_root(root)), "PYTHONHASHSEED": "0", **(variables or {})}
    try:
        done = subprocess.run(
            within.command(command),
            capture_output=True,
            text=True,
            errors="replace",
            timeout=seconds,
            cwd=root,
            env=within.environment(**environment),
            check=False,
        )
    except subprocess.TimeoutExpired:
        return None
    return TestRun.of(done.returncode, done.stdout + done.stderr)


def has_tests(root: Path) -> bool:
    return bool(_folders(root))


def _folders(root: Path) -> list[str]:
    """The folders of tests: beside the package, else inside of it."""
    for pattern in ("", "*/"):
        found = [
            str(folder.relative_to(root))
            for name in _TEST_FOLDERS
            for folder in sorted(root.glob(pattern + name))
            if next(folder.rglob("test_*.py"), None) is not None
        ]
        if found:
            return found
    return []
