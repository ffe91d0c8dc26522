"""Attributes of objects that are set and never read: the statements that set them."""

from __future__ import annotations

import ast

from spark_tui.codemods.places.named import deleted
from spark_tui.codemods.plan import Edit, Refusal
from spark_tui.codemods.uses.references import attribute_uses
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function


def _settings(repo: Repository, target: Target) -> list[ast.Assign | ast.AnnAssign]:
    """The statements of a class that set an attribute through `self`, of which each sets nothing else."""
    if target.owner is None:
        return []
    source = repo.index.source(target.path)
    methods = [one for one in target.owner.node.body if isinstance(one, Function)]
    return [
        one
        for one in source.statements
        if isinstance(one, ast.Assign | ast.AnnAssign)
        and source.function_of(one) in methods
        and (one.targets if isinstance(one, ast.Assign) else [one.target])
        and all(
            isinstance(goal, ast.Attribute) and ast.unparse(goal) == f"self.{target.name}"
            for goal in (one.targets if isinstance(one, ast.Assign) else [one.target])
        )
    ]


def without_attribute(repo: Repository, target: Target) -> tuple[list[ast.stmt], list[Edit]]:
    """What sets an attribute that nothing reads, and the edits that take that away."""
    source, found = repo.index.source(target.path), _settings(repo, target)
    if not found:
        raise Refusal(f"{target.qualname} is set in more than one place")
    if any(acts(one.value) for one in found):
        raise Refusal(f"setting {target.qualname} may do something")
    goals = {id(goal) for one in found for goal in ast.walk(one) if isinstance(goal, ast.Attribute)}
    for path, use in attribute_uses(repo, target, found[0]):
        if id(use.node) not in goals:
            raise Refusal(f"{target.qualname} is used: {path}:{use.node.lineno}")
    return list(found), [deleted(source, [one]) for one in found]


_BUILDS = ("re.compile", "object", "frozenset", "set", "dict", "list", "tuple", "TypeVar", "typing.TypeVar")
"""Calls that do nothing but make what they give."""


def acts(value: ast.expr | None) -> bool:
    """Whether to find a value may do something."""
    kinds = (ast.Call, ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr, ast.Subscript)
    if value is None:
        return False
    if isinstance(value, ast.Call) and ast.unparse(value.func) in _BUILDS:
        return any(acts(one) for one in (*value.args, *(each.value for each in value.keywords)))
    reads = [one for one in ast.walk(value) if isinstance(one, kinds)]
    return any(not ast.unparse(one).startswith("sys.version_info[") for one in reads)
