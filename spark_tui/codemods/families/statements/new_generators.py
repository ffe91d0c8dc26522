"""Functions that become generators, or none any more, where statements are put in or replaced."""

from __future__ import annotations

import ast
from dataclasses import replace

from spark_tui.codemods.plan import Plan, Unfollowed
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source


def with_generator_doubts(repo: Repository, plan: Plan, path: str) -> Plan:
    """The plan, with a doubt for each function whose calls give an iterator in place of its result then, or a
    result in place of an iterator."""
    old, new = repo.index.source(path), repo.with_changes(plan.texts(repo)).index.source(path)
    now = {new.qualname(node): node for node in new.functions}
    doubts = []
    for was in old.functions:
        node = now.get(old.qualname(was))
        if node is None or (old.returned(was) is None) is (new.returned(node) is None):
            continue
        plain, of = (was, old) if new.returned(node) is None else (node, new)
        if _gives(of, plain):
            how = "is a generator now" if plain is was else "is no generator any more"
            doubts.append(Unfollowed(path, was.lineno, f"{was.name} {how}: its callers are not followed"))
    return replace(plan, unfollowed=tuple(sorted({*plan.unfollowed, *doubts})))


def _gives(source: Source, function: Function) -> bool:
    """Whether a function returns something."""
    given = source.returned(function) or ()
    return any(one is not None and not isinstance(one, ast.Constant) for one in given)
