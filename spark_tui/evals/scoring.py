"""Score answers, and summarize the scores as rows and bars."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from spark_tui.bars import Bar, at_most
from spark_tui.evals.case_runner import CaseAnswer
from spark_tui.evals.cases import EvalCase
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.tree_comparison import same_tree

T = TypeVar("T")
_BINS = 5
"""Of the confidence, in the calibration."""


@dataclass(frozen=True, slots=True)
class Score:
    """One case judged."""

    case: EvalCase
    answer: CaseAnswer
    right: bool
    exact: bool
    parses: bool
    changed_lines: int
    reference_lines: int
    check_s: float = 0.0
    reason: str = ""
    offered: bool = False
    """Whether the right edit is the answer, or among the choices."""


def changed_lines(before: str, after: str) -> int:
    """Lines that a reviewer sees: the larger side of each replaced run."""
    matcher = difflib.SequenceMatcher(None, before.split("\n"), after.split("\n"), autojunk=False)
    return sum(max(b - a, d - c) for code, a, b, c, d in matcher.get_opcodes() if code != "equal")


def judge(case: EvalCase, answer: CaseAnswer) -> Score:
    """By text or tree. A case with neither `after` nor another right answer is never right here."""
    if case.answer == "fill":
        right = answer.verdict == "fill" and answer.after.rstrip() == (case.after or "").rstrip()
        return Score(case, answer, right, right, True, 0, 0)
    wanted = case.after
    right_results = [text for text in (wanted, *case.accept) if text is not None]
    idle = case.answer == "idle" and answer.verdict in ("no-edit", "cannot")
    agreed = (answer.verdict == case.answer or idle) and not answer.misfits
    exact = agreed and answer.after in right_results
    right = exact or (
        agreed
        and case.answer == "edit"
        and not case.exact
        and answer.after != case.before
        and any(same_tree(answer.after, text) for text in right_results)
    )
    return Score(
        case,
        answer,
        right,
        exact,
        parse(answer.after) is not None,
        changed_lines(case.before, answer.after),
        changed_lines(case.before, wanted) if wanted is not None else 0,
    )


def share(part: int, of: int) -> float | None:
    return round(part / of, 4) if of else None


def share_of(items: Sequence[T], fits: Callable[[T], bool]) -> float | None:
    """How many of the items fit; None of no items."""
    return share(sum(map(fits, items)), len(items))


def row(name: str, scores: Sequence[Score]) -> dict[str, Any]:
    """Counts and shares of one group."""
    edits = [score for score in scores if score.answer.verdict == "edit"]
    measured = [score for score in edits if score.right and score.reference_lines]
    reference = sum(score.reference_lines for score in measured)
    return {
        "group": name,
        "cases": len(scores),
        "right": share_of(scores, lambda s: s.right),
        "offered": share_of(scores, lambda s: s.offered),
        "exact": share_of(scores, lambda s: s.exact),
        "edited": share(len(edits), len(scores)),
        "parses": share_of(edits, lambda s: s.parses),
        "misfits": sum(bool(score.answer.misfits) for score in scores),
        "size": round(sum(score.changed_lines for score in measured) / reference, 3) if reference else None,
    }


def rows(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """One row a group, then one a kind where there are kinds."""
    out = [
        row(group, [s for s in scores if s.case.group == group])
        for group in _names(s.case.group for s in scores)
    ]
    kinds = [kind for kind in _names(s.case.kind for s in scores) if kind]
    known = {line["group"] for line in out}
    return out + [
        row(kind, [s for s in scores if s.case.kind == kind]) for kind in kinds if kind not in known
    ]


def _names(items: Any) -> list[str]:
    return sorted(set(items))


def seconds(scores: Sequence[Score]) -> dict[str, float]:
    """Median seconds of each part, and the 50th and 95th percentile from Enter to the last hunk."""
    if not scores:
        return {}
    return {
        "prefill_p50": percentile([s.answer.prefill_s for s in scores], 50),
        "generation_p50": percentile([s.answer.generation_s for s in scores], 50),
        "checks_p50": percentile([s.check_s for s in scores], 50),
        "total_p50": percentile([s.answer.prefill_s + s.answer.generation_s for s in scores], 50),
        "total_p95": percentile([s.answer.prefill_s + s.answer.generation_s for s in scores], 95),
    }


def percentile(values: Sequence[float], percent: float) -> float:
    ordered = sorted(values)
    return round(ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))], 4)


def calibration(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """How often an edit of a given confidence is right."""
    edits = [score for score in scores if score.answer.verdict == "edit"]
    out = []
    for number in range(_BINS):
        inside = [s for s in edits if min(int(s.answer.confidence * _BINS), _BINS - 1) == number]
        bin_row = {"from": number / _BINS, "to": (number + 1) / _BINS, "cases": len(inside)}
        out.append({**bin_row, "right": share_of(inside, lambda s: s.right)})
    return out


def builtin_bars(scores: Sequence[Score]) -> list[dict[str, Any]]:
    """The promises of the built-in model."""
    of = {line["group"]: line for line in rows(scores)}
    edits = [s for s in scores if s.answer.verdict == "edit"]
    doable = [s for s in scores if s.case.answer == "edit"]
    idle = [s for s in scores if s.case.answer == "no-edit"]
    plain = [s for s in edits if not s.answer.marked]
    plain_doable = [s for s in plain if s.case.answer == "edit"]
    right = [s for s in edits if s.right and s.reference_lines]
    reference = sum(s.reference_lines for s in right)
    fills = [s for s in scores if s.case.answer == "fill"]
    ghosts = [s for s in fills if s.answer.verdict == "fill" and not s.answer.marked]
    least = min(
        (line["cases"] for name, line in of.items() if name not in ("seen", "phrasing", "package")), default=0
    )
    bars = [
        Bar("seen kinds, unseen code", of.get("seen", {}).get("right"), 0.90),
        Bar("unseen phrasings", of.get("phrasing", {}).get("right"), 0.75),
        Bar("unseen packages", of.get("package", {}).get("right"), 0.75),
        Bar("compositions of two", of.get("composition", {}).get("right"), 0.60),
        Bar("steers", of.get("steer", {}).get("right"), 0.75),
        Bar("parses after the edit", share_of(edits, lambda s: s.parses), 0.99),
        Bar("right, of what is offered without a mark", share_of(plain, lambda s: s.right), 0.90),
        Bar("offered without a mark, of what can be done", share(len(plain_doable), len(doable)), 0.50),
        at_most("no-edit answered with an edit", share_of(idle, lambda s: s.answer.verdict == "edit"), 0.05),
        at_most("doable answered cannot", share_of(doable, lambda s: s.answer.verdict == "cannot"), 0.10),
        at_most(
            "changed lines to reference",
            round(sum(s.changed_lines for s in right) / reference, 3) if reference else None,
            1.2,
        ),
        Bar(
            "ghost text of the model: exactly right, of what is shown",
            share_of(ghosts, lambda s: s.right),
            0.70,
        ),
        Bar("cases", len(scores), 2000),
        Bar("cases of the rarest kind", least, 40),
    ]
    return [bar.as_dict() for bar in bars]
