"""The tests of a package that reach a change: a fault is tried with those, not with all.

A recorded run says which functions each test calls. A change inside of functions concerns the tests that call
one of them; a change elsewhere in a file, or in a file that was not recorded, concerns all.
"""

from __future__ import annotations

import ast
import json
import os
import shutil
import time
from collections.abc import Iterable
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from spark_tui.bench.packages.imports_and_tests import TestRun, import_root, run_tests
from spark_tui.bench.packages.sandbox import Sandbox
from spark_tui.pysource.syntax.parsing import parse

_PLUGIN = "spark_reach"
_RECORD_SECONDS, _FIRST_SECONDS = 180.0, 60.0
"""A package whose tests take longer is left out: they run many times."""
_LEAST_SECONDS, _SLOWER = 20.0, 5.0
"""A run that takes so many times as long as that of all tests is in an endless loop."""


@dataclass
class ReachedTests:
    """Runs tests of a package by what they reach. `tests` are those that pass and are run at all."""

    root: Path
    within: Sandbox
    tests: dict[str, frozenset[str]] = field(default_factory=dict)
    """By name: the functions that it calls."""
    seconds: float = 0.0
    """Of the first run of all of them."""
    _imported: frozenset[str] = frozenset()

    def record(self) -> TestRun | None:
        """Run all tests once and remember what they reach; None where none can be run."""
        folder = self.within.scratch / "reach"
        folder.mkdir(exist_ok=True)
        shutil.copy(Path(__file__).with_name("reach_plugin.py"), folder / f"{_PLUGIN}.py")
        self._file, self._only = folder / "reached.json", folder / "only.json"
        variables = self._variables(SPARK_REACH_FILE=str(self._file))
        found = run_tests(
            self.root, self.within, "--tb=no", "-rfEp", seconds=_RECORD_SECONDS, variables=variables
        )
        if found is None or not found.ran or not self._file.exists():
            return None
        record = json.loads(self._file.read_text("utf-8"))
        self._file.unlink()
        self._imported = frozenset(record["imported"])
        self.tests = {
            name: frozenset(reached) for name, reached in record["tests"].items() if name in found.passed
        }
        return found

    def concerned(self, changes: Iterable[tuple[str, str | None, str | None]]) -> set[str] | None:
        """The tests that reach what differs between two texts of each file; None for all of them."""
        reached: set[str] = set()
        for path, before, after in changes:
            if before == after:
                continue
            functions = None if before is None or after is None else changed_functions(before, after)
            if functions is None:
                return None
            reached |= {f"{path}:{line}" for line in functions}
        if reached & self._imported:
            return None
        return {name for name, own in self.tests.items() if own & reached or "*" in own}

    def run(self, traceback: str, names: set[str] | None = None) -> TestRun | None:
        """Run these tests, or all; None where they take too long."""
        self._only.write_text(json.dumps(sorted(self.tests if names is None else names)), "utf-8")
        files = None if names is None else sorted({name.partition("::")[0] for name in names})
        begun = time.monotonic()
        found = run_tests(
            self.root,
            self.within,
            f"--tb={traceback}",
            "-rfEp",
            files=files,
            seconds=max(_LEAST_SECONDS, _SLOWER * self.seconds) if self.seconds else _FIRST_SECONDS,
            variables=self._variables(SPARK_REACH_ONLY=str(self._only)),
        )
        self.seconds = self.seconds or time.monotonic() - begun
        return found

    def _variables(self, **more: str) -> dict[str, str]:
        path = f"{import_root(self.root)}{os.pathsep}{self.within.scratch / 'reach'}"
        return {"PYTHONPATH": path, "SPARK_REACH_ROOT": str(self.root), "PYTEST_PLUGINS": _PLUGIN, **more}


def changed_functions(before: str, after: str) -> set[int] | None:
    """The first lines of the functions of `before` in which the texts differ; None where they differ
    elsewhere, too."""
    old, new = before.splitlines(), after.splitlines()
    tree = parse(before)
    if tree is None:
        return None
    spans = [
        (
            min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]),
            node.end_lineno or node.lineno,
        )
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]
    found = set()
    for tag, low, high, _, _ in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        # What is put in stands after the line before it.
        for line in range(low + 1, high + 1) if high > low else (low,):
            inside = [first for first, last in spans if first <= line <= last]
            if not inside:
                return None
            found.add(max(inside))
    return found
