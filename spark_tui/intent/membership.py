"""A condition that asks one thing for several values, asked with `in`."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.anchors import same_tree
from spark_tui.pysource.source import Source

_IN = re.compile(
    r"`?(?P<not>not\s+)?in`?(?:\s+(?:with|and|using|over|on|mit|avec|con))?"
    r"(?:\s+(?:an?|one|the|einem?|une?|una?))?(?:\s+(?P<kind>tuple|set|list|tupel|liste?|lista|tupla))?",
    re.IGNORECASE,
)


def with_in(source: Source, test: ast.expr, said: str) -> str:
    """The condition `x in (a, b)` for `x == a or x == b`, where no more than `in` is said of it."""
    found = _IN.fullmatch(said.strip())
    if found is None or not isinstance(test, ast.BoolOp):
        return ""
    wanted = ast.Eq if isinstance(test.op, ast.Or) else ast.NotEq
    parts = [one for one in test.values if isinstance(one, ast.Compare) and len(one.ops) == 1]
    if len(parts) != len(test.values) or not all(isinstance(one.ops[0], wanted) for one in parts):
        return ""
    if not all(same_tree(one.left, parts[0].left) for one in parts):
        return ""
    values = ", ".join(source.segment(one.comparators[0]) for one in parts)
    kind = (found["kind"] or "tuple").lower()
    shown = f"{{{values}}}" if kind == "set" else f"[{values}]" if kind.startswith("list") else f"({values})"
    return f"{source.segment(parts[0].left)} {'in' if wanted is ast.Eq else 'not in'} {shown}"
