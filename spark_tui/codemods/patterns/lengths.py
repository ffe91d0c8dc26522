"""Lengths in forms: `text[: len(prefix)] == prefix` needs no length once it is `text.startswith(prefix)`."""

from __future__ import annotations

import ast

from spark_tui.codemods.rewriting.evaluation import has_effects
from spark_tui.pysource.source import Source


def acts(node: ast.AST | None, fewer: bool) -> bool:
    """Whether evaluating may do something. Nobody misses a length that is asked for `fewer` times."""
    return node is not None and has_effects(node) and not (fewer and _measured(node) is not None)


def measures(source: Source, count: ast.AST | None, text: ast.AST | None) -> bool:
    """Whether the first is the length of the second: a string, or a name of one."""
    if (named := _measured(count)) is not None:
        return text is not None and ast.unparse(named) == ast.unparse(text)
    if isinstance(text, ast.Name) and text.id.isupper():
        set_to = [
            one
            for one in source.body
            if isinstance(one, ast.Assign) and text.id in map(ast.unparse, one.targets)
        ]
        text = set_to[0].value if len(set_to) == 1 else None
    if isinstance(text, ast.Constant) and isinstance(text.value, str) and isinstance(count, ast.Constant):
        return bool(count.value == len(text.value))
    return False


def _measured(node: ast.AST | None) -> ast.expr | None:
    """What is measured by a plain `len(name)`."""
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() | ast.Attribute() as named], keywords=[]):
            return named
    return None
