"""The statement to which something that is moved is to lie, by the words that are said for it.

Comes in: a text, what is moved, a relation and a phrase. Goes out: a node. Must not know: messages, hunks, engines.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.source import Source
from spark_tui.steers.alike import Made, last_name
from spark_tui.steers.moved_said import Told
from spark_tui.steers.pointed import chosen, described, tokens

_SET = re.compile(
    r"\b(?:is|are|was|gets?|has been|have been)(?: been)? (?:set|assigned|computed|calculated|known|created|built|filled|parsed|loaded|defined|there)\b",
    re.I,
)


def calls(node: ast.AST, name: str) -> bool:
    """Whether a function of this name is called in it."""
    return any(isinstance(item, ast.Call) and last_name(item.func) == name for item in ast.walk(node))


def members_with(src: Source, node: ast.AST) -> list[ast.stmt]:
    """The statements among which one stands."""
    return src.block(node) if isinstance(node, ast.stmt) else []


def anchor(src: Source, made: Made, one: Told, scope: ast.AST | None, named_here: frozenset[str]) -> ast.AST | None:
    """The statement or block that the words of a place point to, in a function or what else is around it."""
    phrase = _SET.sub(" assign", one.phrase)
    gone = {item for node in made.new for item in ast.walk(node)}
    every = [
        node
        for node in (*src.statements, *(item for item in src.nodes if isinstance(item, ast.ExceptHandler)))
        if node not in gone and not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant))
    ]
    if scope is None:
        # Among the members of a class, or at the top.
        block = members_with(src, made.new[0])
        every = [node for node in every if node in block] or every
    inside = [node for node in every if scope is None or (node is not scope and scope in src.ancestors(node))]
    if re.search(r"\belse\b", phrase):
        split = [
            node
            for node in inside
            if getattr(node, "orelse", None)
            and not (isinstance(node, ast.If) and isinstance(node.orelse[0], ast.If) and len(node.orelse) == 1)
        ]
        return split[0] if len(split) == 1 else None
    own = src.function_of(made.new[0])
    if own is not None and own is not scope and re.search(r"\bcall(?:ed)?\b", phrase):
        callers = [node for node in inside if not hasattr(node, "body") and calls(node, own.name)]
        return callers[0] if len(callers) == 1 else None
    if phrase != one.phrase:
        words = tokens(phrase)
        made_there = [node for node in inside if isinstance(node, ast.Assign) and last_name(node.targets[0]) in words]
        if made_there:
            return made_there[0] if len(made_there) == 1 else None
    if one.relation in ("in", "top", "end"):
        inside = [node for node in inside if hasattr(node, "body")]
    spots = []
    for node in inside:
        head = src.lines[src.line_at(src.span(node)[0])] if hasattr(node, "body") else src.segment(node)
        whole = (
            "\n".join(src.lines[src.first_line(node) : src.last_line(node)][:4]) if isinstance(node, ast.If) else head
        )
        spots.append(described(src, node, [src.first_line(node)], node, whole, own=head, apart=True))
    named = named_here - frozenset(word for spot in spots for word in spot.exact)
    found = chosen(spots, phrase, named, pieces=True)
    if found is None and spots:
        near = chosen(spots, phrase, named, plural=True, pieces=True)
        beside: list[object] = [*members_with(src, made.new[0])]
        found = [spot for spot in near or () if spot.key in beside]
    key = found[0].key if found and len(found) == 1 else None
    return key if isinstance(key, ast.AST) else None
