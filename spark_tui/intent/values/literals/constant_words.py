"""What is said about a new constant beside its name: below which one it is put, and another value for it."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.places.constants import constant_name
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases

_BESIDE = 16
_VALUE = r"\s*=\s*(-?[\w.]+(?:\s*[*/]\s*[\w.]+)*|\"[^\"]*\"|'[^']*')"


def constant_below(context: Context, path: str) -> str:
    """The constant of a file below which something is to be put: `below RETRIES`, `next to RETRIES`."""
    tree, text = context.source(path).tree, context.situation.instruction
    for node in tree.body if tree is not None else ():
        name = constant_name(node)
        for found in re.finditer(rf"(?<![\w.]){re.escape(name)}(?!\w)", text) if name.isupper() else ():
            front, back = text[max(found.start() - _BESIDE, 0) : found.start()], text[found.end() :][:_BESIDE]
            behind = phrases.has_cjk(back) and phrases.mentions("beside", back)
            if behind or phrases.mentions("beside", front):
                return name
    return ""


def constant_value(context: Context, name: str, old: ast.expr) -> str:
    """The value that a new constant is said to have, where it is not the one that stands there."""
    found = re.search(rf"(?<!\w){re.escape(name)}{_VALUE}", context.situation.instruction)
    text = found[1].rstrip(".") if found is not None else ""
    tree = parsed(text) if text else None
    if tree is None or any(isinstance(node, ast.Name) for node in ast.walk(tree)):
        return ""
    return text if ast.dump(tree) != ast.dump(old) else ""
