"""What came of the instructions about whole packages, in all and by package, voice, language and kind."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from spark_tui.evals.package_runner import DECLINED, PackageScore
from spark_tui.evals.scoring import bar, percentile, share

_GROUPS: Mapping[str, Callable[[PackageScore], str]] = {
    "package": lambda one: one.package,
    "voice": lambda one: one.task.voice,
    "language": lambda one: one.task.language,
    "kind": lambda one: one.task.kind,
}


def summary(scores: Sequence[PackageScore], missing: Sequence[str]) -> dict[str, Any]:
    """The report as plain values."""
    plain = _plain(scores)
    groups = {
        name: {
            value: row([one for one in scores if of(one) == value]) for value in sorted(set(map(of, scores)))
        }
        for name, of in _GROUPS.items()
    }
    times = [one.ms for one in scores if one.answer == "edit" and one.by_reader]
    return {
        "bench": "eval packages",
        "tasks": len(scores),
        "missing": list(missing),
        "all": row(scores),
        **groups,
        "unmarked": {"offered": len(plain), "right": sum(one.right for one in plain)},
        "ms": {f"p{part}": round(percentile(times, part), 1) for part in (50, 95)} if times else {},
        "bars": _bars(scores),
    }


def _bars(scores: Sequence[PackageScore]) -> list[dict[str, Any]]:
    doable = [one for one in scores if one.task.answer == "edit"]
    idle = [one for one in scores if one.task.answer == "none"]
    plain = _plain(scores)
    offered = [one for one in doable if one.right or one.listed]
    declined = [one for one in doable if one.answer == DECLINED]
    edited = [one for one in idle if one.answer == "edit"]
    done = [one for one in plain if one.task.answer == "edit"]
    left = [one for one in doable if not one.by_reader]
    read = [one for one in offered if one.by_reader]
    listed = [one for one in idle if one.answer == "choices"]
    return [
        bar(
            "right, of what is offered without a mark",
            share(sum(one.right for one in plain), len(plain)),
            0.97,
        ),
        bar("offered without a mark, of what can be done", share(len(done), len(doable)), 0.50),
        bar("right or in the choice list, of what can be done", share(len(offered), len(doable)), 0.70),
        bar("no change asked: edited", share(len(edited), len(idle)), 0.03, "lower"),
        bar("no change asked: choices", share(len(listed), len(idle)), 0.10, "lower"),
        bar("can be done: declined without a choice", share(len(declined), len(doable)), 0.05, "lower"),
        bar("before the model is asked: right or in the list", share(len(read), len(doable)), 0.70),
        bar("before the model is asked: declined", share(len(left), len(doable)), 0.05, "lower"),
    ]


def _plain(scores: Sequence[PackageScore]) -> list[PackageScore]:
    """Edits without a mark."""
    return [one for one in scores if one.answer == "edit" and not one.marked]


def row(scores: Sequence[PackageScore]) -> dict[str, int]:
    """Counts of what can be done; what is for a language model and what asks for no change, at the end."""
    doable = [one for one in scores if one.task.answer == "edit"]
    others = [one for one in scores if one.task.answer != "edit"]
    plain = _plain(scores)
    right = sum(one.right for one in doable)
    listed = sum(one.listed and not one.right for one in doable)
    declined = sum(one.answer == DECLINED for one in doable)
    by_model = [one for one in doable if one.answer == "edit" and not one.by_reader]
    return {
        "doable": len(doable),
        "right": right,
        "listed": listed,
        "lists": sum(one.answer == "choices" for one in doable),
        "by model": len(by_model),
        "model right": sum(one.right for one in by_model),
        "declined": declined,
        "wrong": len(doable) - right - listed - declined,
        "unmarked": len(plain),
        "unmarked right": sum(one.right for one in plain),
        "others": len(others),
        "others right": sum(one.right for one in others),
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
    for one in report["bars"]:
        mark, sign = " ok " if one["ok"] else "miss", "≥" if one["better"] == "higher" else "≤"
        lines.append(f"{mark} {one['name']}: {one['value']} (bar {sign} {one['target']})")
    if report["ms"]:
        lines.append(f"processor time from Enter to the last hunk: {report['ms']}")
    if report["missing"]:
        lines += ["", "left out, no wheel of this version: " + " ".join(report["missing"])]
        lines.append("  to fetch them: pip download --no-deps -d DIR " + " ".join(report["missing"]))
    return "\n".join(lines) + "\n"


def write_details(path: Path, scores: Sequence[PackageScore]) -> None:
    """JSON lines with everything about each instruction, for reading failures."""
    with path.open("w", encoding="utf-8") as out:
        for score in scores:
            task = score.task
            record = {
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
            out.write(json.dumps(record, ensure_ascii=False) + "\n")
