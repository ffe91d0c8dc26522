"""Conditions that fail for the default of a parameter: None is neither less nor more than anything."""

from __future__ import annotations

import ast

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import ORDERED, names_in


def exclude_none_defaults(owner: ast.AST, condition: str) -> str:
    """A condition that compares parameters by size, for those that are not None as by default."""
    tree = ast.parse(condition, mode="eval").body
    if not isinstance(owner, Function) or not isinstance(tree, ast.Compare):
        return condition
    if not any(isinstance(item, ORDERED) for item in tree.ops):
        return condition
    compared = names_in(tree)
    optional = [item for item in _none_by_default(owner) if item in compared]
    return " and ".join([*(f"{item} is not None" for item in optional), condition])


def _none_by_default(owner: Function) -> list[str]:
    given = {parameter.arg: default_of(owner, parameter.arg) for parameter in parameters(owner)}
    return [name for name, value in given.items() if isinstance(value, ast.Constant) and value.value is None]
