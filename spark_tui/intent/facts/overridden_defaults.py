"""Methods that override each other, of which only some get a new default."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from spark_tui.codemods.families.functions.signature import SetDefault
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.uses.callsites import find_overrides
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.repository import Repository


def doubts_of_overridden(calls: Iterable[Operation], plan: Plan, repo: Repository) -> tuple[str, ...]:
    """That a method of a related class has another default for the same parameter than it is given."""
    changed = [one for one in calls if isinstance(one, SetDefault)]
    before = {_default(one, repo) for one in changed}
    if "None" in before and len(before - {""}) > 1:
        had_none = next(one for one in changed if _default(one, repo) == "None")
        return (f"{had_none.target.name} had no {had_none.name} by default",)
    after = repo.with_changes(plan.texts(repo)) if changed else repo
    for one in changed:
        if one.target.path not in after.index.paths:
            continue
        source = after.index.source(one.target.path)
        named = [node for node in source.functions if source.qualname(node) == one.target.name]
        for path, function in find_overrides(after, one.target.path, named[0]) if named else ():
            value = defaults(function).get(one.name)
            if value is not None and ast.unparse(value) != ast.unparse(ast.parse(one.default, mode="eval")):
                owner = after.index.source(path).qualname(function)
                return (f"{path}:{function.lineno} {owner} has another default for {one.name}",)
    return ()


def _default(one: SetDefault, repo: Repository) -> str:
    """The default that a parameter has, as code; empty where there is none."""
    source = repo.index.source(one.target.path) if one.target.path in repo.index.paths else None
    named = [node for node in source.functions if source.qualname(node) == one.target.name] if source else []
    value = defaults(named[0]).get(one.name) if named else None
    return ast.unparse(value) if value is not None else ""
