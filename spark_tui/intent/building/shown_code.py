"""Code, errors and names that stand in an instruction, whatever slot holds them."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.tree_comparison import parse

_LONGEST = 120
_BEGINS = re.compile(r"(?<![\w.])(?:(?P<statement>raise|return)\s+)?[A-Za-z_][\w.]*")
_GOES_ON = re.compile(r"\s*[.(\[\"']")
"""What follows a name where code goes on: an attribute, brackets, or a string."""


def shown_statements(text: str) -> list[str]:
    """The pieces of a text that can only be code: a `raise`, a `return` of more than a name, a call, a dotted
    name. Each is as long as it can be, and of a `raise` there is also what names no cause."""
    out: list[str] = []
    end = 0
    for found in _BEGINS.finditer(text):
        goes_on = found["statement"] or "." in found[0] or _GOES_ON.match(text, found.end())
        if found.start() < end or not goes_on:
            continue
        stops = [
            one.end() for one in re.finditer(r"[\w)\]}\"']", text[found.end() - 1 : found.start() + _LONGEST])
        ]
        for stop in sorted((found.end() - 1 + one for one in stops), reverse=True):
            if _is_shown(text[found.start() : stop]):
                piece = text[found.start() : stop]
                out += dict.fromkeys((piece, piece.partition(") from ")[0] + ")" * (") from " in piece)))
                end = stop
                break
    return out


def _is_shown(text: str) -> bool:
    tree = parse(text)
    one = tree.body[0] if tree is not None and len(tree.body) == 1 else None
    value = one.exc if isinstance(one, ast.Raise) else getattr(one, "value", None)
    if isinstance(one, ast.Raise | ast.Return) and not isinstance(value, ast.Name | None):
        return True
    shown = isinstance(value, ast.Attribute) or (
        isinstance(value, ast.Call) and bool(value.args or value.keywords)
    )
    return isinstance(one, ast.Expr) and shown


_LITERAL = re.compile(
    r"\"[^\"\n]*\"|'[^'\n]*'(?!\w)|\[[^\]\n]*\]|\{[^}\n]*\}"
    r"|(?<![\w.])-?\d+(?:\.\d+)?(?!\w)|\b(?:True|False|None)\b"
)


def example_of(context: Context, name: str) -> tuple[str, str]:
    """A call of a function that is shown, and the literal behind it: `add(1, 2)` and `3`."""
    text = context.situation.instruction
    for found in re.finditer(rf"(?<![\w.]){re.escape(name)}\(", text):
        for end in range(found.end() + 1, min(len(text), found.end() + 200) + 1):
            shown = text[found.start() : end]
            if shown.endswith(")") and isinstance(parsed(shown), ast.Call):
                result = _LITERAL.search(text, end)
                if result is not None and parsed(result[0]) is not None:
                    return shown, result[0]
                break
    return "", ""
