"""What new code takes the place of, where the words for the old code show none: the statement that sets the
same name, or calls the same function. With `x = abs(x) instead of multiplying by -1`, `x *= -1` goes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, head_text, nodes
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.tree_comparison import parse_statement

_GUESSED = assumed("the statement of the form of the new code was assumed to be meant")
_PIECES = re.compile(r"-?\d+(?:\.\d+)?|[^\W\d]\w*")


def of_same_form(at: Search) -> Iterator[Anchor]:
    """The statement of the form of the new code; of several the one that has most of what the words say."""
    code = at.context.text("code").strip("`").strip()
    new = parse_statement(code)
    form = _form(new) if new is not None else ""
    said_as_code = parse_statement(at.context.text("old").strip("`")) is not None
    if not form or at.slot != "old" or said_as_code:
        return
    alike = [one for one in nodes(at.root, ast.stmt) if isinstance(one, ast.stmt) and _form(one) == form]
    said = {*_PIECES.findall(at.context.text("old"))}
    held = [len(said & {*_PIECES.findall(head_text(at.source, one))}) for one in alike]
    best = [one for one, count in zip(alike, held, strict=True) if count == max(held)]
    if len(best) == 1:
        yield Anchor(Area(""), best[0], weight=0.6, doubts=(_GUESSED,))


def _form(node: ast.stmt) -> str:
    """What tells the form of a statement: what it sets, or the function that it calls."""
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        return f"{ast.unparse(node.targets[0])} ="
    if isinstance(node, ast.AugAssign | ast.AnnAssign):
        return f"{ast.unparse(node.target)} ="
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call):
        return f"{ast.unparse(node.value.func)}()"
    return ""
