"""Seeded faults one by one: the check fails, its first problem goes to the fixes, the check runs again.

The check of a fault is what reports it: an import, the tests of the package, or a linter.
"""

from __future__ import annotations

import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from spark_tui.bench.faults.seeding import INJECTORS, LINTED, Fault, faults
from spark_tui.bench.packages.copies import Package, files_written
from spark_tui.bench.packages.imports_and_tests import has_tests, import_root
from spark_tui.bench.packages.reached_tests import ReachedTests
from spark_tui.bench.packages.sandbox import Sandbox
from spark_tui.intent.answering.answer import answer_fix
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.answers import Way
from spark_tui.problems.compare import compare
from spark_tui.problems.describe import fix_request
from spark_tui.problems.locate import locate
from spark_tui.problems.problem import Problem
from spark_tui.problems.reader import ProblemReader
from spark_tui.pysource.files.tree import DiskTree
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree_comparison import same_tree

_TRIES = 6
"""Faults of a kind that are seeded until the check sees one."""
_TRACEBACKS = ("auto", "short", "long", "native")
_RULES = "F401,B006,SIM115"
_SAMPLE = 100
"""So many tests are run first, where a change may reach all."""
_SECONDS = 60
_ASIDE = {"tests", "test", "testing", "docs", "examples"}
_SCRIPTS = ("setup", "conftest", "noxfile", "tasks")


@dataclass(frozen=True)
class Trial:
    """A fault that a check saw, and what came of the fixes that were offered."""

    fault: Fault
    package: str
    problem: Problem
    offered: tuple[str, ...]
    mends: tuple[bool, ...]
    """For each fix that was offered: whether everything is as before the fault."""
    breaks: tuple[bool, ...]
    """For each: whether something fails with it that passes without."""
    restores: bool = False
    """Whether one of them gives back what stood there before, but for its layout."""

    @property
    def mended(self) -> bool:
        return any(self.mends)


@dataclass
class CheckRun:
    """What one run of a check says. `failing` are names of tests, or of problems of a linter."""

    output: str
    failing: set[str]
    passed: frozenset[str] = frozenset()

    @property
    def problems(self) -> list[Problem]:
        reader = ProblemReader()
        return [*reader.feed(self.output), *reader.close()]


@dataclass
class FaultTrials:
    """The trials in the copy of one package."""

    package: Package
    within: Sandbox
    rng: random.Random
    seen: set[str] = field(default_factory=set)
    importable: dict[str, bool] = field(default_factory=dict)

    def prepare(self) -> bool:
        """Whether the package has tests that pass here."""
        if not has_tests(self.package.root):
            return False
        self.tests = ReachedTests(self.package.root.resolve(), self.within)
        if self.tests.record() is None or not self.tests.tests:
            return False
        self.repo = Repository(DiskTree(self.package.root))
        self.files = [
            path for path in self.repo.index.paths if path.endswith(".py") and self._is_source(path)
        ]
        plain = self._test("short")
        # Some tests have another name in each run.
        self.stable = plain.passed & self.tests.tests.keys()
        self.known = {"import": CheckRun("", set()), "test": plain, "lint": self._lint()}
        return bool(self.files and self.stable)

    def _is_source(self, path: str) -> bool:
        """Whether a file is of the package itself: no test, no script beside it."""
        base = import_root(self.package.root)
        full = self.package.root / path
        if not full.is_relative_to(base) or _ASIDE & {*full.relative_to(base).parts[:-1]}:
            return False
        top = full.relative_to(base).parts[0]
        return (base / top / "__init__.py").exists() or (top == full.name and full.stem not in _SCRIPTS)

    def run(self, wanted: int, deadline: float) -> Iterator[Trial]:
        """Trials of all kinds in turn, until there are enough; one at least."""
        kinds = sorted(INJECTORS)
        self.rng.shuffle(kinds)
        done = 0
        for kind in kinds * 3:
            if done >= wanted or (done and time.monotonic() > deadline):
                return
            found = self._of_kind(kind)
            if found is not None:
                done += 1
                yield found

    def _of_kind(self, kind: str) -> Trial | None:
        """A fault of this kind that the check sees, and what is offered for it."""
        paths = self.rng.sample(self.files, len(self.files))
        drawn = [item for path in paths for item in faults(kind, path, self._data(path), self.rng)[:4]]
        self.rng.shuffle(drawn)
        for fault in [item for item in drawn if item.shown not in self.seen][:_TRIES]:
            self.seen.add(fault.shown)
            found = self.trial(fault)
            if found is not None:
                return found
        return None

    def trial(self, fault: Fault) -> Trial | None:
        """What is offered for a fault, and what comes of it; None where no check sees it."""
        importable = self._is_importable(fault.path)
        with files_written(self.package.root, {fault.path: fault.after.decode()}, self.within):
            check, outcome = self._failing(fault, importable)
            return self._offered(fault, check, outcome) if outcome is not None else None

    def _failing(self, fault: Fault, importable: bool) -> tuple[str, CheckRun | None]:
        """The first check that fails with the fault and did not without."""
        if fault.kind in LINTED:
            found = self._lint()
            return ("lint", found) if found.failing - self.known["lint"].failing else ("", None)
        found = self._import(fault.path) if importable else CheckRun("", set())
        if found.failing:
            return "import", found
        reaching = self._reaching({fault.path: fault.after.decode()})
        traceback = self.rng.choice(_TRACEBACKS)
        if reaching is not None and not reaching:
            return "", None
        found = self._test(traceback, reaching)
        if fault.kind == "off by one" and "IndexError" not in found.output:
            return "", None
        return ("test", found) if found.failing - self.known["test"].failing else ("", None)

    def _offered(self, fault: Fault, check: str, outcome: CheckRun) -> Trial | None:
        problems = compare(self.known[check].problems, outcome.problems).new
        if not problems:
            return Trial(fault, self.package.name, Problem("", "no problem was read"), (), (), ())
        repo = self.repo.with_changes({fault.path: fault.after.decode()})
        ways = self.fixes(problems[0], repo)
        mends, breaks, restores = [], [], False
        for way in ways:
            texts = way.plan.texts(repo)
            same = set(texts) == {fault.path} and same_tree(texts[fault.path] or "", fault.before.decode())
            restores |= same
            # The program that passed before needs no other run.
            before = outcome if check == "test" else None
            mended, broken = (True, False) if same else self.tried(fault, texts, before, check)
            mends.append(mended)
            breaks.append(broken)
        titles = tuple(way.title for way in ways)
        return Trial(fault, self.package.name, problems[0], titles, tuple(mends), tuple(breaks), restores)

    def fixes(self, problem: Problem, repo: Repository) -> tuple[Way, ...]:
        """What is offered for a problem, as the workbench asks for it."""
        root = self.package.root
        place = locate(problem, root, root).path
        found = answer_fix(fix_request("check", [problem], root, root), Situation(repo, place))
        return found.ways if found is not None else ()

    def tried(
        self, fault: Fault, texts: Mapping[str, str | None], before: CheckRun | None, check: str
    ) -> tuple[bool, bool]:
        """Whether all is well with the texts, and whether they break a test that passes with the fault.
        `before` is what the tests that reach the fault say of it, where they ran."""
        faulty: dict[str, str | None] = {fault.path: fault.after.decode()}
        reaching, concerned = self._reaching(faulty), self._reaching({**faulty, **texts})
        names = None if reaching is None or concerned is None else reaching | concerned
        with files_written(self.package.root, texts, self.within):
            if check == "import" and self._import(fault.path).failing:
                return False, False  # nothing ran before, and nothing does now
            lost = self._lost(self._sample if names is None else names)
            if not lost:
                lost = self._lost(None)  # what seems to be mended is looked at with all tests
            clean = check != "lint" or not self._lint().failing - self.known["lint"].failing
        doubtful = lost if reaching is None else lost & reaching
        if before is None and doubtful:
            before = self._test("no", doubtful)
        passed = before.passed if before is not None else frozenset()
        return clean and not lost, bool(lost - doubtful or doubtful & passed)

    def _lost(self, names: set[str] | None) -> set[str]:
        """Tests, of these or of all, that passed before the fault and do not now."""
        expected = self.stable if names is None else self.stable & names
        return set(expected - self._test("no", names).passed) if expected else set()

    @cached_property
    def _sample(self) -> set[str]:
        """Some tests, spread over all."""
        return set(sorted(self.stable)[:: max(1, len(self.stable) // _SAMPLE)])

    def _reaching(self, texts: Mapping[str, str | None]) -> set[str] | None:
        """The tests that reach what differs from the package as it was; None for all."""
        return self.tests.concerned((path, self._original(path), text) for path, text in texts.items())

    def _original(self, path: str) -> str | None:
        return self.repo.index.text(path) if path in self.repo.index.paths else None

    # -- the checks

    def _is_importable(self, path: str) -> bool:
        """Whether a file can be imported without a fault; asked once for each."""
        if path not in self.importable:
            self.importable[path] = not self._import(path).failing
        return self.importable[path]

    def _import(self, path: str) -> CheckRun:
        name = self.repo.index.modules.name(path)
        base = str(import_root(self.package.root))
        try:
            done = self._run([sys.executable, "-c", f"import {name}"], PYTHONPATH=base)
        except subprocess.TimeoutExpired:
            return CheckRun("", {name})
        return CheckRun(done.stdout, {name} if done.returncode else set())

    def _test(self, traceback: str, names: set[str] | None = None) -> CheckRun:
        found = self.tests.run(traceback, names)
        if found is None:
            return CheckRun("", {"the tests take too long"})
        return CheckRun(
            found.output, found.failing or ({"no test ran"} if found.code else set()), found.passed
        )

    def _lint(self) -> CheckRun:
        command = [sys.executable, "-m", "ruff", "check", "--isolated", "--no-cache", "--select", _RULES]
        done = self._run([*command, "--output-format", "concise", *self.files])
        lines = [line for line in done.stdout.splitlines() if line.startswith(tuple(self.files))]
        return CheckRun(done.stdout, {line.partition(" ")[2] + line.partition(":")[0] for line in lines})

    def _run(self, words: list[str], **environment: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            self.within.command(words),
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=self.package.root,
            env=self.within.environment(**environment),
            timeout=_SECONDS,
            check=False,
        )

    # -- files

    def _data(self, path: str) -> bytes:
        return (self.package.root / path).read_bytes()
