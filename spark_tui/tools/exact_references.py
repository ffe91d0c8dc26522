"""Where a Python symbol is used, exactly: the places that a rename of it would edit."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.codemods import registry
from spark_tui.codemods.plan import Plan, Refused
from spark_tui.pysource.repository import Repository

Place = tuple[str, int]
"""Path and line."""


@dataclass(frozen=True, slots=True)
class Uses:
    """`sure`: lines that use the symbol. `unsure`: lines that may, and why that is not known."""

    sure: tuple[Place, ...]
    unsure: dict[Place, str]


def uses_of(repo: Repository, name: str) -> Uses | Refused:
    """The uses of a symbol, given as for a codemod; `Refused` where it is no symbol, or one of several."""
    plain = name.rpartition("::")[2].rpartition(".")[2]
    call = registry.from_json({"op": "rename", "target": name, "new": f"{plain}_as_no_other_name_is"})
    plan = call.plan(repo)
    if not isinstance(plan, Plan):
        return plan
    sure = {
        (edit.path, (repo.index.text(edit.path) or "").count("\n", 0, edit.start) + 1) for edit in plan.edits
    }
    unsure = {(one.path, one.line): one.reason for one in plan.unfollowed}
    return Uses(tuple(sorted(sure)), {place: why for place, why in unsure.items() if place not in sure})
