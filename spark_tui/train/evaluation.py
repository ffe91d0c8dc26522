"""Measures a model on the held-out cases, kind by kind, next to two baselines."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.engine import token_layout
from spark_tui.train.cases import apply_hunks, hunks_between
from spark_tui.train.sequences import Encode, encode_case
from spark_tui.train.source_windows import parse
from spark_tui.train.testset import Record, case_of


@dataclass(frozen=True, slots=True)
class ModelAnswer:
    """The output of a model for a prompt, and the confidence of its least certain hunk."""

    ids: list[int]
    confidence: float


Model = Callable[[list[int]], ModelAnswer]


@dataclass(frozen=True, slots=True)
class Result:
    """One case judged. `answer` is `edit`, `no-edit`, `cannot` or `broken`."""

    id: str
    kind: str
    set: str
    wanted: str
    answer: str
    applies: bool
    exact: bool
    right: bool
    parses: bool
    changed: int
    reference: int
    confidence: float
    after: str


def same_tree(one: str, two: str) -> bool:
    """Whether two texts are equal as code, apart from layout and comments."""
    first, second = parse(one), parse(two)
    return first is not None and second is not None and ast.dump(first) == ast.dump(second)


def judge(record: Record, answer: ModelAnswer, encode: Encode, decode: Callable[[list[int]], str]) -> Result:
    """Whether the text is right: the same text, or the same tree if comments and layout are not asked for."""
    kind, hunks = read_hunks(answer.ids, decode, encode("\n")[0])
    before, wanted = record["before"], record["after"]
    applies, after = True, before
    if kind == "edit":
        case = case_of(record)
        if case.steered is not None:
            kept = [old for old in case.steered[0] if not any(old.touches(new) for new in hunks)]
            hunks = sorted([*kept, *hunks], key=lambda hunk: (hunk.first, hunk.last))
        try:
            after = apply_hunks(before, hunks)
        except ValueError:
            applies = False
    exact = applies and kind == record["answer"] and after == wanted
    right = exact or (
        applies
        and kind == record["answer"] == "edit"
        and not record.get("exact")
        and after != before
        and same_tree(after, wanted)
    )
    size = sum(max(h.last - h.first, len(h.new)) for h in hunks_between(before, after)) if applies else 0
    reference = sum(max(h.last - h.first, len(h.new)) for h in hunks_between(before, wanted))
    return Result(
        record["id"],
        record["kind"],
        record["set"],
        record["answer"],
        kind,
        applies and kind != "broken",
        exact,
        right,
        applies and parse(after) is not None,
        size,
        reference,
        answer.confidence,
        after,
    )


def run(
    records: Iterable[Record], model: Model, encode: Encode, decode: Callable[[list[int]], str]
) -> list[Result]:
    """Asks and judges every record."""
    out = []
    for record in records:
        if record["answer"] == "fill":
            continue
        case = case_of(record)
        example = encode_case(encode, case, 0)
        out.append(judge(record, model(example.ids[: example.start]), encode, decode))
    return out


def unchanged(_: list[int]) -> ModelAnswer:
    """The baseline that never edits."""
    return ModelAnswer([token_layout.NOEDIT, token_layout.EOS], 1.0)


def share(part: int, of: int) -> float:
    return round(part / of, 4) if of else 0.0


def _row(results: Sequence[Result]) -> dict[str, Any]:
    edits = [r for r in results if r.answer == "edit"]
    known = [r for r in edits if r.right]
    return {
        "cases": len(results),
        "right": share(sum(r.right for r in results), len(results)),
        "exact": share(sum(r.exact for r in results), len(results)),
        "applies": share(sum(r.applies for r in results), len(results)),
        "parses": share(sum(r.parses for r in edits), len(edits)),
        "size": round(sum(r.changed for r in known) / max(1, sum(r.reference for r in known)), 3),
    }


def groups_of(results: Sequence[Result]) -> dict[str, list[Result]]:
    """The lines of the report: sets of single edits, and the other groups."""
    out: dict[str, list[Result]] = {}
    for result in results:
        single = result.kind not in ("composition", "steer", "no-edit", "cannot", "again")
        out.setdefault(result.set if single else result.kind, []).append(result)
    return out


def report(results: Sequence[Result]) -> dict[str, Any]:
    """Shares by set and by kind, false edits, calibration."""
    sets = groups_of(results)
    idle = sets.get("no-edit", [])
    doable = [r for r in results if r.wanted == "edit"]
    kinds = sorted({r.kind for r in results})
    return {
        "sets": {name: _row(rows) for name, rows in sorted(sets.items())},
        "kinds": {kind: _row([r for r in results if r.kind == kind]) for kind in kinds},
        "false_edits": share(sum(r.answer == "edit" for r in idle), len(idle)),
        "false_cannot": share(sum(r.answer == "cannot" for r in doable), len(doable)),
        "false_no_edit": share(sum(r.answer == "no-edit" for r in doable), len(doable)),
        "parses": share(
            sum(r.parses for r in results if r.answer == "edit"), sum(r.answer == "edit" for r in results)
        ),
        "calibration": calibration(results),
    }


def calibration(results: Sequence[Result], bins: int = 5) -> list[dict[str, float]]:
    """Confidence against the share of right answers, in equal steps."""
    out = []
    edits = [r for r in results if r.answer == "edit"]
    for number in range(bins):
        low, high = number / bins, (number + 1) / bins
        inside = [r for r in edits if low <= r.confidence < high or (high == 1.0 and r.confidence == 1.0)]
        out.append(
            {
                "from": low,
                "to": high,
                "cases": len(inside),
                "right": share(sum(r.right for r in inside), len(inside)),
            }
        )
    return out


def confidence_of(ids: Sequence[int], logprobs: Sequence[float]) -> float:
    """The probability of the least likely hunk, as the backend counts it; of the whole answer if there is
    none."""
    hunks: list[float] = []
    inside = False
    for token, logprob in zip(ids, logprobs, strict=True):
        if token == token_layout.HUNK:
            hunks.append(0.0)
            inside = True
        if inside:
            hunks[-1] += logprob
        inside = inside and token != token_layout.END
    return math.exp(min(0.0, *hunks)) if hunks else math.exp(min(0.0, sum(logprobs)))
