"""A comparison that a function is to make: `a == b` becomes `hmac.compare_digest(a, b)`."""

from __future__ import annotations

import ast
import re

from spark_tui.pysource.source import Source

_DOTTED = re.compile(r"[A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+")


def comparing_call(source: Source, node: ast.AST | None, text: str) -> str | None:
    """The call of a function that is named, with both sides of a comparison; None for anything else."""
    name = re.sub(r"\(\s*\)\Z", "", text.strip().strip("`"))
    if not isinstance(node, ast.Compare) or len(node.ops) != 1 or not _DOTTED.fullmatch(name):
        return None
    if not isinstance(node.ops[0], ast.Eq | ast.NotEq):
        return None
    left, right = source.segment(node.left), source.segment(node.comparators[0])
    made = f"{name}({left}, {right})"
    return f"not {made}" if isinstance(node.ops[0], ast.NotEq) else made
