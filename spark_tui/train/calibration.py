"""Chooses the thresholds at which an exported model offers an edit, marks it as uncertain or says that it
cannot.

The cases of the development set are asked through the local backend, so that the calibrated code is the code
that runs. The thresholds are written to `spark.gate` in the model's `config.json`.
"""

from __future__ import annotations

import itertools
import json
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends import ghost_text
from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.backends.answers.attempt_gate import ConfidenceGate, Judgement
from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.local.backend import LocalBackend
from spark_tui.backends.local.spark_format import SparkFormat, told_exchange
from spark_tui.events import Token
from spark_tui.pysource.tree_comparison import same_tree
from spark_tui.train.cases import apply_hunks
from spark_tui.train.dev_set import Record, case_of
from spark_tui.train.sequences import Encode, written_ids


def is_right(record: Record, ids: list[int], encode: Encode, decode: Callable[[list[int]], str]) -> bool:
    """Whether the text is right: the same text, or the same tree if comments and layout are not asked for."""
    kind, hunks = read_hunks(ids, decode, encode("\n")[0])
    before, wanted = record["before"], record["after"]
    if kind != record["answer"]:
        return False
    if kind != "edit":
        return bool(before == wanted)
    case = case_of(record)
    if case.steered is not None:
        kept = [old for old in case.steered[0] if not any(old.touches(new) for new in hunks)]
        hunks = sorted([*kept, *hunks], key=lambda hunk: (hunk.first, hunk.last))
    try:
        after = apply_hunks(before, hunks)
    except ValueError:
        return False
    return bool(after == wanted or (after != before and not record.get("exact") and same_tree(after, wanted)))


OPEN = ConfidenceGate(cannot=1.0, no_edit=1.0)
"""The open gate: always an edit, if a parseable one was found. Its confidence is what thresholds are chosen
by."""
MARGIN = 0.02
"""The development set is a little easier than unseen code, so the bars are raised by this margin. The bar
for false edits is not raised: the development cases without an edit are harder than the held-out ones."""
UNMARKED_RIGHT = 0.90
UNMARKED_OF_DOABLE = 0.50
FALSE_EDITS = 0.05
FALSE_CANNOT = 0.10
FILL_RIGHT = 0.70
_WORTH = (0.85, 0.1, 0.05)
"""Weights of right answers by group. People rarely ask for edits that are already made or impossible,
however many such cases there are."""
_CHANCES = (0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.25, 0.2, 0.17, 0.15, 0.12, 0.1, 0.07, 0.05, 0.03, 0.02, 0.01)
_REFUSALS = (0.0, *(10 ** (-step / 4) for step in range(24, 1, -1)))
"""Both grids begin with the most lenient value; among equal thresholds the first one is taken."""


@dataclass(frozen=True, slots=True)
class SeenCase:
    """One case asked with the gate open: whether its edit is right, and the figures that the gate can use."""

    wanted: str
    right: bool
    found: Judgement


def request_of(record: Record, encode: Encode) -> Request:
    """The request that a record stands for; a steer continues from what was written."""
    case = case_of(record)
    return Request(
        case.instruction,
        files=(FilePart(case.path, case.before),),
        history=tuple(told_exchange(case.path, past) for past in case.history),
        emitted=tuple(written_ids(encode, case)),
        steer=case.steered[1] if case.steered else "",
        max_tokens=1024,
    )


def ask(backend: LocalBackend, records: Iterable[Record]) -> list[SeenCase]:
    """Asks every case once with the gate open."""
    dialect, tokenizer = backend.dialect, backend.engine.tokenizer
    assert isinstance(dialect, SparkFormat)
    assert tokenizer is not None
    found: list[Judgement] = []
    dialect.gate, dialect.observe = OPEN, found.append
    out = []
    for record in records:
        if record["answer"] == "fill":
            continue
        found.clear()
        stream = backend.stream(request_of(record, dialect.encode), StopFlag())
        ids = [event.id for event in stream if isinstance(event, Token)]
        if found:  # else it was too long to be held
            right = record["answer"] == "edit" and is_right(record, ids, dialect.encode, tokenizer.decode)
            out.append(SeenCase(record["answer"], right, found[-1]))
    return out


@dataclass(frozen=True, slots=True)
class SeenTable:
    """The observations as columns."""

    wanted: NDArray[np.int8]
    """0 for an edit, 1 for no edit, 2 for cannot."""
    right: NDArray[np.bool_]
    confidence: NDArray[np.float64]
    """0 if no parseable edit was found."""
    cannot: NDArray[np.float64]
    no_edit: NDArray[np.float64]
    noop_evident: NDArray[np.bool_]

    @classmethod
    def of(cls, seen: Sequence[SeenCase]) -> SeenTable:
        return cls(
            np.array([WANTED.index(case.wanted) for case in seen], np.int8),
            np.array([seen_case.right for seen_case in seen], bool),
            np.array([0.0 if case.found.defect else case.found.confidence for case in seen]),
            np.array([seen_case.found.cannot for seen_case in seen]),
            np.array([case.found.no_edit for case in seen]),
            np.array([case.found.noop_evident for case in seen], bool),
        )

    def answers(self, gate: ConfidenceGate) -> NDArray[np.int8]:
        """The answer to each case under this gate, as an index of `WANTED`."""
        out = np.where((self.confidence == 0) | (self.confidence < gate.refuse), 2, 0)
        out = np.where(self.no_edit > gate.no_edit, np.where(self.noop_evident, 1, 2), out)
        return np.where(self.cannot > gate.cannot, 2, out).astype(np.int8)


WANTED = ("edit", "no-edit", "cannot")


def measured(table: SeenTable, gate: ConfidenceGate) -> dict[str, float]:
    """The shares that the bars apply to."""
    answers = table.answers(gate)
    doable, idle = table.wanted == 0, table.wanted == 1
    edits = answers == 0
    plain = edits & (table.confidence >= gate.doubt)
    good = np.where(edits, table.right, answers == table.wanted)
    shares = [
        (worth, _share(good[table.wanted == sort]))
        for sort, worth in enumerate(_WORTH)
        if (table.wanted == sort).any()
    ]
    return {
        "right": round(
            sum(worth * share for worth, share in shares) / max(sum(worth for worth, _ in shares), 1e-9), 4
        ),
        "right of unmarked": _share(table.right[plain]),
        "unmarked of doable": _share(plain[doable]),
        "false edits": _share(edits[idle]),
        "false cannot": _share(answers[doable] == 2),
    }


def _share(flags: NDArray[np.bool_]) -> float:
    return round(float(flags.mean()), 4) if flags.size else 0.0


def choose(seen: Sequence[SeenCase]) -> ConfidenceGate:
    """The thresholds with the most right answers among those that keep false edits and false refusals low
    and leave half of the possible edits unmarked, with the mark. If none do, those that miss by least."""
    table = SeenTable.of(seen)
    best, best_worth = ConfidenceGate(), -math.inf
    for cannot, no_edit, refuse in itertools.product(_CHANCES, _CHANCES, _REFUSALS):
        gate = ConfidenceGate(cannot, no_edit, refuse)
        gate = replace(gate, doubt=doubt_for(table, gate))
        found = measured(table, gate)
        over = max(0.0, UNMARKED_OF_DOABLE - found["unmarked of doable"])
        over += max(0.0, found["false edits"] - FALSE_EDITS)
        over += max(0.0, found["false cannot"] - FALSE_CANNOT + MARGIN)
        worth = found["right"] - 10 * over
        if worth > best_worth:
            best, best_worth = gate, worth
    return best


def doubt_for(table: SeenTable, gate: ConfidenceGate) -> float:
    """The threshold that leaves half of the possible edits unmarked, if enough of those are right: people ask
    for harder edits than these cases. Otherwise the lowest one with enough right above it, plus a margin."""
    offered = table.answers(gate) == 0
    order = np.argsort(-table.confidence[offered], kind="stable")
    sure, right = table.confidence[offered][order], table.right[offered][order]
    half = math.ceil((UNMARKED_OF_DOABLE + MARGIN) * int((table.wanted == 0).sum()))
    doable = np.sort(table.confidence[offered & (table.wanted == 0)])[::-1]
    doubt = float(doable[half - 1]) if 0 < half <= len(doable) else 0.0
    if not doubt or right[sure >= doubt].mean() < UNMARKED_RIGHT:
        enough = right.cumsum() >= (UNMARKED_RIGHT + MARGIN) * np.arange(1, len(right) + 1)
        enough &= (
            np.append(sure[1:] < sure[:-1], True) if len(sure) else enough
        )  # equals are in or out together
        doubt = float(sure[enough][-1]) if enough.any() else 1.0
    return math.floor(doubt * 1000) / 1000


def fill_from(backend: LocalBackend, records: Iterable[Record]) -> float:
    """The lowest likelihood above which enough of the ghost text is exactly right."""
    found: list[tuple[float, bool]] = []
    for record in records:
        if record["answer"] == "fill":
            filled = ghost_text.fill(backend, record["before"], record["suffix"], StopFlag())
            if filled.text.strip():
                found.append((filled.confidence, filled.text.rstrip() == record["after"].rstrip()))
    right, lowest = 0, ghost_text.SHOWN_FROM
    for number, (confidence, good) in enumerate(sorted(found, reverse=True), 1):
        right += good
        if right >= FILL_RIGHT * number:
            lowest = confidence
    return math.floor(lowest * 1000) / 1000


def calibrate(folder: Path, records: Sequence[Record]) -> dict[str, Any]:
    """Asks the cases, chooses thresholds, writes `spark.gate` to the folder's configuration, and reports the
    effect."""
    backend = LocalBackend.open(folder)
    try:
        seen = ask(backend, records)
        gate = choose(seen)
        fill = fill_from(backend, records)
    finally:
        backend.close()
    path = folder / "config.json"
    config = json.loads(path.read_text("utf-8"))
    config["spark"]["gate"] = {
        **{name: round(value, 8) for name, value in asdict(gate).items()},
        "fill": fill,
    }
    path.write_text(json.dumps(config, indent=2) + "\n", "utf-8")
    return {"cases": len(seen), "gate": config["spark"]["gate"], **measured(SeenTable.of(seen), gate)}
