"""String literals of a window: which there are, what to call them, and how to replace a part of one."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, inside
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.value_locations import spots
from spark_tui.train.source_windows import SourceWindow, docstring_node
from spark_tui.train.template_grammar import NameSlot, Slot, WordsSlot

_ROLES = {"print": "the message", "raise": "the error", "return": "the answer", "log": "the log line"}


def texts(window: SourceWindow) -> list[ast.Constant | ast.JoinedStr]:
    """Strings and f-strings on one line, without docstrings."""
    docs = {id(docstring_node(n)) for n in [window.tree, *window.functions, *window.classes]}
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Constant | ast.JoinedStr) and id(n) not in docs and n.lineno == n.end_lineno
    ]
    inner = {id(v) for n in found if isinstance(n, ast.JoinedStr) for v in ast.walk(n) if v is not n}
    return [
        n
        for n in found
        if id(n) not in inner and re.fullmatch(r"[fr]?(['\"])(?!\1)[^\\\n]*\1", window.source(n))
    ]


def text_role(window: SourceWindow, node: ast.AST) -> str:
    parent = window.parents.get(node)
    if isinstance(parent, ast.Call):
        name = window.source(parent.func)
        if isinstance(window.parents.get(parent), ast.Raise):
            return _ROLES["raise"]
        return (
            _ROLES["print"]
            if name == "print"
            else _ROLES["log"]
            if re.match(r"(self\.)?_?log", name)
            else "the text"
        )
    if isinstance(parent, ast.Return):
        return _ROLES["return"]
    return "the text"


def text_place(window: SourceWindow, node: ast.AST, draw: Draw, share: float = 0.35) -> dict[str, Slot]:
    function = window.function_of(node)
    return placed(
        inside(window, function, draw) if function is not None and draw.chance(share) else WordsSlot("")
    )


def swapped(window: SourceWindow, node: ast.AST, old: str, new: str) -> str:
    """The text with a part of one string replaced; the part occurs there once."""
    start, end = window.span(node)
    return window.text[:start] + window.text[start:end].replace(old, new, 1) + window.text[end:]


def text_name(window: SourceWindow, node: ast.AST, draw: Draw) -> Slot:
    """What holds the text, by name or in words."""
    spot = next((s for s in spots(window) if s.node is node), None)
    if spot is None or draw.chance(0.2):
        return WordsSlot("it")
    return (
        NameSlot(spot.name) if spot.exact and draw.chance(0.4) else WordsSlot("the " + " ".join(spot.words))
    )
