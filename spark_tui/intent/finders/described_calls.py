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
    words = [one for one in _PART.findall(text) if one.lower() not in idle]
    out: list[ast.AST] = []
    for one in nodes(at.root, ast.Call) if 1 < len(words) < 6 else ():
        assert isinstance(one, ast.Call)
        last = key(ast.unparse(one.func).rpartition(".")[2])
        rest = [each for each in words if key(each).removesuffix("s") != last.removesuffix("s")]
        given = " ".join(at.source.segment(each) for each in (*one.args, *one.keywords)).lower()
        shown = set(re.findall(r"\w+", given))
        if len(rest) < len(words) and rest and all(each.lower() in shown for each in rest):
            out.append(one)
    return out
