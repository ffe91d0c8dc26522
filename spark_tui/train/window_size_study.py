"""Measures how much of a file a model should be shown at a time.

The same edits of whole files are asked through a session with windows of several sizes. Only code that was
trained on is used, so that the choice learns nothing from the test sets.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from threading import Event as StopFlag

from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.local.spark_format import SparkFormat
from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError, UsageError
from spark_tui.session.session import Session
from spark_tui.train.corpus import Module
from spark_tui.train.examples import Mixer, pools_of
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.testset import Record, record_of

SIZES = (320, 450, 640)
CASES = 90
LINES = (70, 200)
"""Lengths of the files in lines: no window of these sizes holds one of them."""
FILES = 250
TRIES_PER_CASE = 200


def build(
    modules: Sequence[Module], count: int = CASES, seed: int = 7, lines: tuple[int, int] = LINES
) -> list[Record]:
    """Edits of whole files, at most one of each file."""
    rng = Random(seed)
    fitting = [module for module in modules if lines[0] <= module.text.count("\n") <= lines[1]]
    pieces = [
        SourceWindow(module.path, module.text) for module in rng.sample(fitting, min(FILES, len(fitting)))
    ]
    mixer = Mixer(pieces, pools_of(pieces), rng)
    out: list[Record] = []
    for _ in range(count * TRIES_PER_CASE):
        if len(out) == count:
            break
        case = mixer.edit(mixer.some_kind())
        if case is None or case.answer != "edit" or case.error or case.history or case.here is not None:
            continue
        out.append(record_of(case, "whole", len(out)))
    return out


@dataclass(frozen=True, slots=True)
class SizeOutcome:
    """The result of one size, case by case."""

    size: int
    right: tuple[bool, ...]
    offered: tuple[bool, ...]
    seconds: float

    @property
    def wrong(self) -> int:
        """The number of offered edits that are not what was asked."""
        return sum(self.offered) - sum(self.right)


def compare(
    backend: LocalBackend, records: Sequence[Record], sizes: Sequence[int] = SIZES
) -> list[SizeOutcome]:
    """Asks the same cases with every size. Closes the backend."""
    close, backend.close = backend.close, lambda: None  # type: ignore[method-assign]
    try:
        return [_asked(backend, records, size) for size in sizes]
    finally:
        close()


def _asked(backend: LocalBackend, records: Sequence[Record], size: int) -> SizeOutcome:
    dialect = backend.dialect
    if not isinstance(dialect, SparkFormat):
        raise UsageError(
            f"{backend.name} does not read files window by window",
            hint="Name the folder of a model of the built-in family.",
        )
    dialect.window_tokens = size
    begun = time.monotonic()
    answers = [_ask(backend, record) for record in records]
    return SizeOutcome(
        size,
        tuple(after == record["after"] for after, record in zip(answers, records, strict=True)),
        tuple(after != record["before"] for after, record in zip(answers, records, strict=True)),
        time.monotonic() - begun,
    )


def _ask(backend: LocalBackend, record: Record) -> str:
    """The file after a turn whose hunks are all accepted."""
    with tempfile.TemporaryDirectory(prefix="spark-windows-") as home:
        root = Path(home) / "tree"
        path = root / str(record["path"])
        path.parent.mkdir(parents=True)
        path.write_text(record["before"], "utf-8")
        session = Session(root, backend, Settings(exact=False), Path(home) / "state")
        try:
            for _ in session.turn(record["instruction"], in_view=record["path"], stop=StopFlag()):
                pass
            for hunk in session.decisions.offered():
                session.decisions.decide(hunk.id, "accepted")
            if session.decisions.review.accepted():
                session.changes.write()
        except SparkError:
            return ""
        finally:
            session.close()
        return path.read_text("utf-8")


def table(found: Sequence[SizeOutcome]) -> str:
    """One line for each size; gained and lost are relative to the first."""
    lines = [
        f"{'tokens':>6}{'cases':>7}{'right':>7}{'share':>8}"
        f"{'wrong':>7}{'gained':>8}{'lost':>6}{'s a case':>10}"
    ]
    for one in found:
        pairs = list(zip(found[0].right, one.right, strict=True))
        cases = max(1, len(pairs))
        lines.append(
            f"{one.size:>6}{len(pairs):>7}{sum(one.right):>7}{sum(one.right) / cases:>8.1%}{one.wrong:>7}"
            f"{pairs.count((False, True)):>8}{pairs.count((True, False)):>6}{one.seconds / cases:>10.2f}"
        )
    return "\n".join(lines)
