"""Values that stand under a name that can be said: in a dictionary, in a call, read from a key.

Comes in: a function and a name. Goes out: such values, and text around them. Must not know: orders.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.source import Change, Function, Source
from spark_tui.refactor.stems import about

SEVERAL = re.compile(r"\s*,\s*(?:and\s+)?|\s+and\s+")
_OF_TEXT = (ast.Subscript, ast.Attribute, ast.Name, ast.Call)


def standing(src: Source, function: Function, said: str) -> list[ast.expr]:
    """What a function puts under a name that is said: in a dictionary, in a call, from a key that it reads."""
    out: list[ast.expr] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Dict):
            entries = zip(node.keys, node.values, strict=True)
            out += [one for key, one in entries if key is not None and _is_key(key, said)]
        elif isinstance(node, ast.keyword) and isinstance(node.value, ast.Subscript):
            out += [node.value] if node.arg and about(said, node.arg) else []
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and len(node.targets) == 1:
            keys = [one for one in ast.walk(node.value) if isinstance(one, ast.Constant) and isinstance(one.value, str)]
            read = re.search(r"\[[\"']|\.get\(", src.segment(node.value))
            out += [node.value] if read and [one.value for one in keys] == [said] else []
    return out


def _is_key(node: ast.expr, said: str) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str) and about(said, node.value)


def around(src: Source, node: ast.expr, form: str, groups: dict[str, str | None]) -> Change | None:
    """A value with what makes it clean around it; None where it is no text, or clean."""
    text, method = src.segment(node), form.startswith("{t}.")
    made = form.format(t=text, **groups)
    if not isinstance(node, _OF_TEXT) or (method and (not _is_text(node) or text.endswith(form.removeprefix("{t}")))):
        return None
    return (*src.span(node), made)


def _is_text(node: ast.expr) -> bool:
    """Whether a value may be a text, as far as its last step shows."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return not isinstance(node, ast.Call) or ast.unparse(node.func) in ("str", "input")
    alike = r"(?:l|r|)strip|lower|upper|replace|title|join|remove(?:pre|suf)fix|format|read|readline|group"
    return re.fullmatch(alike, node.func.attr) is not None or (node.func.attr == "get" and len(node.args) == 2)
