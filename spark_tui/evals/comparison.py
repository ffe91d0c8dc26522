"""Compare two candidates on the same cases: paired, by kind, with intervals, time and memory beside quality.

The cases are asked in blocks, A B, B A, A B …, so that what slows the machine slows both.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.bars import columns
from spark_tui.errors import MalformedInput, NoBackend, UsageError
from spark_tui.evals.candidates import Candidate
from spark_tui.evals.cases import BUILTIN, EvalCase, Suite, sampled
from spark_tui.evals.intervals import median_ratio, share_difference, sign_test
from spark_tui.workspace import json_lines

BLOCKS = 6
SHOWN_CASES = 5
"""Kinds with fewer cases are not in the table: they say nothing."""
ALL = "all"


MEASURES: dict[str, Callable[[Mapping[str, Any]], bool]] = {
    "right": lambda item: bool(item["right"]),
    "offered": lambda item: bool(item.get("offered", item["right"])),
    "wrong_unmarked": lambda item: item["verdict"] == "edit" and not item["right"] and not item["marked"],
}
"""What is looked at in each answer: right; right or among the choices; wrong, and not marked as unsure."""


@dataclass(slots=True)
class CandidateRun:
    """The records of one candidate, in the order of the cases, and what its processes took."""

    name: str
    model_bytes: int | None
    records: list[dict[str, Any]] = field(default_factory=list)
    peak_bytes: int = 0

    @property
    def seconds(self) -> list[float]:
        return [record["prefill_s"] + record["generation_s"] for record in self.records]


@dataclass(slots=True)
class PairedRuns:
    """Two runs over the same cases."""

    suite: str
    cases: Sequence[EvalCase]
    first: CandidateRun
    second: CandidateRun
    block_of: Sequence[int]
    """The block in which each case was asked."""

    def kinds(self) -> list[str]:
        named = dict.fromkeys(name for case in self.cases for name in (case.group, case.kind) if name)
        return [ALL, *named]

    def places(self, kind: str) -> list[int]:
        return [place for place, case in enumerate(self.cases) if kind in (ALL, case.group, case.kind)]

    def row(self, measure: str, kind: str = ALL) -> dict[str, Any]:
        """One measure over the cases of one kind: both shares, their difference, and who alone was so."""
        seen, places = MEASURES[measure], self.places(kind)
        pairs = [(seen(self.first.records[at]), seen(self.second.records[at])) for at in places]
        won = sum(two and not one for one, two in pairs)
        lost = sum(one and not two for one, two in pairs)
        return {
            "measure": measure,
            "kind": kind,
            "cases": len(pairs),
            "A": round(sum(one for one, _ in pairs) / len(pairs), 4),
            "B": round(sum(two for _, two in pairs) / len(pairs), 4),
            "difference": share_difference(len(pairs), won, lost).as_dict(),
            "only A": lost,
            "only B": won,
            "p": round(sign_test(won, lost), 4),
        }

    def seconds_ratio(self, kind: str = ALL) -> dict[str, Any] | None:
        """B ÷ A, the median over the cases."""
        one, two = self.first.seconds, self.second.seconds
        places = self.places(kind)
        found = median_ratio(
            [two[at] for at in places], [one[at] for at in places], [self.block_of[at] for at in places]
        )
        return found.as_dict() if found else None

    def as_dict(self) -> dict[str, Any]:
        return {
            "compare": self.suite,
            "A": _facts(self.first),
            "B": _facts(self.second),
            "rows": [self.row("right", kind) for kind in self.kinds()]
            + [self.row(measure) for measure in MEASURES if measure != "right"],
            "seconds B ÷ A": {kind: self.seconds_ratio(kind) for kind in self.kinds()},
        }


def _facts(run: CandidateRun) -> dict[str, Any]:
    seconds = sorted(run.seconds)
    return {
        "name": run.name,
        "model MB": round(run.model_bytes / 1e6, 1) if run.model_bytes is not None else None,
        "peak memory MB": round(run.peak_bytes / 1e6, 1),
        "seconds p50": round(seconds[len(seconds) // 2], 4),
        "seconds p95": round(seconds[min(len(seconds) - 1, int(len(seconds) * 0.95))], 4),
    }


def sampled_records(suite: Suite, path: Path | None, limit: int) -> list[dict[str, Any]]:
    """The lines of a suite, or `limit` of them, drawn with a fixed seed."""
    if path is None and suite.needs_path:
        raise UsageError(f"{suite.name} needs a path", hint=f"spark eval {suite.name} PATH: {suite.summary}")
    records = json_lines.read(path or BUILTIN)
    if not records:
        raise MalformedInput("holds no case", where=str(path))
    return sampled(records, limit)


def compare(
    suite: Suite,
    records: Sequence[Mapping[str, Any]],
    candidates: tuple[Candidate, Candidate],
    *,
    directory: Path,
    check_seconds: int = 10,
    progress: Callable[[int, int], None] | None = None,
) -> PairedRuns:
    """Run both on the cases of the same lines of a suite (`sampled_records`)."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="spark-compare-")))
        sources = [stack.enter_context(candidate.source()) for candidate in candidates]
        runs = [
            CandidateRun(candidate.name, candidate.model_bytes(source))
            for candidate, source in zip(candidates, sources, strict=True)
        ]
        blocks, cases = min(BLOCKS, len(records)), list[EvalCase]()
        sizes: list[int] = []
        for number in range(blocks):
            block = folder / f"block-{number}.jsonl"
            chosen = records[len(records) * number // blocks : len(records) * (number + 1) // blocks]
            json_lines.write(block, chosen)
            cases += suite.read(block)
            for at in (0, 1) if number % 2 == 0 else (1, 0):
                command = ["eval", suite.name, str(block), "--seconds", str(check_seconds)]
                _run(candidates[at], sources[at], command, folder, directory, runs[at])
            sizes.append(len(cases) - sum(sizes))
            if progress is not None:
                progress(number + 1, blocks)
    wanted = [case.id for case in cases]
    for run in runs:
        if [record["id"] for record in run.records] != wanted:
            raise NoBackend(f"{run.name} did not answer all cases", hint="Run `spark eval` with it alone.")
    block_of = [number for number, size in enumerate(sizes) for _ in range(size)]
    return PairedRuns(suite.name, cases, runs[0], runs[1], block_of)


def _run(
    candidate: Candidate, source: Path, command: list[str], folder: Path, directory: Path, run: CandidateRun
) -> None:
    details = folder / "details.jsonl"
    output = [] if command[1] == "builtin" else ["--output", str(folder / "output.jsonl")]
    words = [*command, "--details", str(details), *output, "-C", str(directory.resolve())]
    process = subprocess.Popen(
        [sys.executable, "-m", "spark_tui", *words],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        env={**os.environ, **candidate.environment, "PYTHONPATH": str(source)},
        cwd=folder,
    )
    assert process.stderr is not None
    stderr_text = process.stderr.read().decode("utf-8", "replace").strip()
    process.stderr.close()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise NoBackend(f"{candidate.name} cannot be evaluated", hint=stderr_text[-500:])
    run.peak_bytes = max(run.peak_bytes, used.ru_maxrss * (1 if sys.platform == "darwin" else 1024))
    run.records += json_lines.read(details)


def table(paired: PairedRuns) -> str:
    """The comparison in columns."""
    found = paired.as_dict()
    lines = [f"{letter}  {_line(found[letter])}" for letter in "AB"]
    cells = [["", "cases", "A", "B", "B − A", "95 % interval", "only A", "only B", "p"]]
    few = sum(row["cases"] < SHOWN_CASES and row["kind"] != ALL for row in found["rows"])
    for row in found["rows"]:
        if row["cases"] < SHOWN_CASES and row["kind"] != ALL:
            continue
        name = row["kind"] if row["measure"] == "right" else row["measure"].replace("_", " ")
        shown = row["difference"]
        interval = f"{100 * shown['low']:+.1f} … {100 * shown['high']:+.1f}"
        cells.append(
            [
                f"right, {name}" if row["measure"] == "right" else name,
                str(row["cases"]),
                f"{100 * row['A']:.1f} %",
                f"{100 * row['B']:.1f} %",
                f"{100 * shown['value']:+.1f}",
                interval,
                str(row["only A"]),
                str(row["only B"]),
                f"{row['p']:.3f}",
            ]
        )
    lines += ["", *columns(cells), ""]
    if few:
        kinds = "1 kind" if few == 1 else f"{few} kinds"
        lines.append(f"{kinds} of fewer than {SHOWN_CASES} cases are left out here; --json has them")
    if ratio := found["seconds B ÷ A"][ALL]:
        lines.append(
            f"seconds of a case, B ÷ A: {ratio['value']:.2f} ({ratio['low']:.2f} … {ratio['high']:.2f})"
        )
    return "\n".join(lines) + "\n"


def _line(facts: Mapping[str, Any]) -> str:
    size = "not on this machine" if facts["model MB"] is None else f"{facts['model MB']} MB"
    return (
        f"{facts['name']}: model {size}, peak memory {facts['peak memory MB']:.0f} MB,"
        f" {1000 * facts['seconds p50']:.0f} ms a case (p95 {1000 * facts['seconds p95']:.0f})"
    )
