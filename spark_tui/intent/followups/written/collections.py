"""Messages that make a collection that an edit wrote one of another kind: *a set*, *a tuple rather*."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.followups.written.syntax import SECOND, NodeRewrite, WrittenSyntax
from spark_tui.intent.words import phrases

_KINDS = ("list", "tuple", "set", "frozenset")
_BRACKETS = {"list": "[]", "set": "{}"}
_LIKELY = 0.9


def other_collection(written: WrittenSyntax) -> Iterator[NodeRewrite]:
    """A display, a comprehension or a call that makes a collection, as one of the kind that is said."""
    kind = (phrases.type_code(written.said("type")) or "").partition("[")[0].lower()
    before, weight = written.situation.before, _LIKELY
    known = (before.index.text(written.path) if before is not None else "") or ""
    for node in reversed(written.nodes) if kind in _KINDS else ():
        own = written.source.segment(node)
        code = _as_kind(own, node, kind) if own not in known else ""
        if code:
            yield NodeRewrite(node, code, weight)
            weight *= SECOND


def _as_kind(code: str, node: ast.AST, kind: str) -> str:
    """The code of a collection as one of another kind; empty where it is none."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in _KINDS:
        return kind + code[len(node.func.id) :]
    if isinstance(node, ast.ListComp | ast.SetComp):
        inner = code[1:-1]
        return _BRACKETS[kind][0] + inner + _BRACKETS[kind][1] if kind in _BRACKETS else f"{kind}({inner})"
    if not isinstance(node, ast.List | ast.Tuple | ast.Set) or not node.elts or code[0] not in "([{":
        return ""
    inner = code[1:-1].rstrip().removesuffix(",")
    if kind == "tuple":
        return f"({inner},)" if len(node.elts) == 1 else f"({inner})"
    return _BRACKETS[kind][0] + inner + _BRACKETS[kind][1] if kind in _BRACKETS else f"{kind}({code})"
