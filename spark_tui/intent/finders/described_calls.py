"""Calls that are described by their name and words among their arguments: `the DEBUG print`, `sleep of 2`."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.anchors import Search, nodes
from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases

_PART = re.compile(r"[^\W_][\w.]*|_\w+")


def described_calls(at: Search, text: str) -> list[ast.AST]:
    """The calls of a word of the text in whose arguments all other words stand."""
    idle = {
        *phrases.words("articles"),
        *phrases.words("kinds"),
        *phrases.words("rest"),
        "of",
        "with",
        "calls",
    }
    words = [item for item in _PART.findall(text) if item.lower() not in idle]
    out: list[ast.AST] = []
    for node in nodes(at.root, ast.Call) if 1 < len(words) < 6 else ():
        assert isinstance(node, ast.Call)
        last = key(ast.unparse(node.func).rpartition(".")[2])
        rest = [word for word in words if key(word).removesuffix("s") != last.removesuffix("s")]
        given = " ".join(at.source.segment(arg) for arg in (*node.args, *node.keywords)).lower()
        shown = set(re.findall(r"\w+", given))
        if len(rest) < len(words) and rest and all(word.lower() in shown for word in rest):
            out.append(node)
    return out
