"""Code that is only sketched: it leaves arguments out."""

from __future__ import annotations

import ast
import re

from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes


def is_sketch(text: str, source: Source | None) -> bool:
    """Whether a text leaves arguments out, in code that passes no `...`: `sort(key=...)`."""
    if "…" in text or re.search(r"[(,=]\s*\.\.\.\s*[,)]", text) is None:
        return "…" in text
    tree = source.tree if source is not None else None
    calls = find_nodes(tree, ast.Call) if tree is not None else ()
    given = (arg for call in calls for arg in (*call.args, *(each.value for each in call.keywords)))
    return not any(isinstance(node, ast.Constant) and node.value is ... for node in given)
