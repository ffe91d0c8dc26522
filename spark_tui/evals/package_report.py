"""What came of the instructions about whole packages, in all and by package, voice, language and kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from spark_tui.bars import Bar, at_most
from spark_tui.evals.package_runner import DECLINED, PackageScore
from spark_tui.evals.scoring import percentile, share

_GROUPS: Mapping[str, Callable[[PackageScore], str]] = {
    "package": lambda item: item.package,
    "voice": lambda item: item.task.voice,
    "language": lambda item: item.task.language,
    "kind": lambda item: item.task.kind,
}


def summary(scores: Sequence[PackageScore], missing: Sequence[str]) -> dict[str, Any]:
    """The report as plain values."""
    plain = _plain(scores)
    groups = {
        name: {
            value: row([score for score in scores if of(score) == value])
            for value in sorted(set(map(of, scores)))
        }
        for name, of in _GROUPS.items()
    }
    times = [score.ms for score in scores if score.answer == "edit" and score.by_reader]
    return {
        "bench": "eval packages",
        "tasks": len(scores),
        "missing": list(missing),
        "all": row(scores),
        **groups,
        "unmarked": {"offered": len(plain), "right": sum(score.right for score in plain)},
        "ms": {f"p{part}": round(percentile(times, part), 1) for part in (50, 95)} if times else {},
        "bars": _bars(scores),
    }


def _bars(scores: Sequence[PackageScore]) -> list[dict[str, Any]]:
    doable = [score for score in scores if score.task.answer == "edit"]
    idle = [score for score in scores if score.task.answer == "none"]
    plain = _plain(scores)
    offered = [score for score in doable if score.right or score.listed]
    declined = [score for score in doable if score.answer == DECLINED]
    edited = [score for score in idle if score.answer == "edit"]
    done = [score for score in plain if score.task.answer == "edit"]
    left = [score for score in doable if not score.by_reader]
    read = [score for score in offered if score.by_reader]
    listed = [score for score in idle if score.answer == "choices"]
    bars = [
        Bar(
            "right, of what is offered without a mark",
            share(sum(score.right for score in plain), len(plain)),
            0.97,
        ),
        Bar("offered without a mark, of what can be done", share(len(done), len(doable)), 0.50),
        Bar("right or in the choice list, of what can be done", share(len(offered), len(doable)), 0.70),
        at_most("no change asked: edited", share(len(edited), len(idle)), 0.03),
        at_most("no change asked: choices", share(len(listed), len(idle)), 0.10),
        at_most("can be done: declined without a choice", share(len(declined), len(doable)), 0.05),
        Bar("before the model is asked: right or in the list", share(len(read), len(doable)), 0.70),
        at_most("before the model is asked: declined", share(len(left), len(doable)), 0.05),
    ]
    return [bar.as_dict() for bar in bars]


def _plain(scores: Sequence[PackageScore]) -> list[PackageScore]:
    """Edits without a mark."""
    return [score for score in scores if score.answer == "edit" and not score.marked]


def row(scores: Sequence[PackageScore]) -> dict[str, int]:
    """Counts of what can be done; what is for a language model and what asks for no change, at the end."""
    doable = [score for score in scores if score.task.answer == "edit"]
    others = [score for score in scores if score.task.answer != "edit"]
    plain = _plain(scores)
    right = sum(package_score.right for package_score in doable)
    listed = sum(score.listed and not score.right for score in doable)
    declined = sum(score.answer == DECLINED for score in doable)
    by_model = [score for score in doable if score.answer == "edit" and not score.by_reader]
    return {
        "doable": len(doable),
        "right": right,
        "listed": listed,
        "lists": sum(score.answer == "choices" for score in doable),
        "by model": len(by_model),
        "model right": sum(score.right for score in by_model),
        "declined": declined,
        "wrong": len(doable) - right - listed - declined,
        "unmarked": len(plain),
        "unmarked right": sum(score.right for score in plain),
        "others": len(others),
        "others right": sum(other.right for other in others),
    }


def table(report: Mapping[str, Any]) -> str:
    columns = list(report["all"])
    lines = [f"{'':22}" + "".join(f"{name:>16}" for name in columns)]
    named = [("all", report["all"])]
    for group in _GROUPS:
        named += [("", {}), *report[group].items()]
    for name, values in named:
        lines.append(f"{name:22}" + "".join(f"{values[key]:16}" for key in columns) if values else "")
    lines.append("")
    for item in report["bars"]:
        mark, sign = " ok " if item["ok"] else "miss", "≥" if item["better"] == "higher" else "≤"
        lines.append(f"{mark} {item['name']}: {item['value']} (bar {sign} {item['target']})")
    if report["ms"]:
        lines.append(f"processor time from Enter to the last hunk: {report['ms']}")
    if report["missing"]:
        lines += ["", "left out, no wheel of this version: " + " ".join(report["missing"])]
        lines.append("  to fetch them: pip download --no-deps -d DIR " + " ".join(report["missing"]))
    return "\n".join(lines) + "\n"


def details(score: PackageScore) -> dict[str, Any]:
    """Everything about an instruction, for reading failures."""
    task = score.task
    return {
        "id": task.id,
        "package": score.package,
        "voice": task.voice,
        "language": task.language,
        "kind": task.kind,
        "open": task.path,
        "instruction": task.instruction,
        "wanted": task.answer,
        "answer": score.answer,
        "right": score.right,
        "listed": score.listed,
        "by_reader": score.by_reader,
        "marked": score.marked,
        "ms": round(score.ms, 1),
        "offers": score.offers,
        "edits": task.edits,
        "results": score.diffs,
    }
