"""Blocks that a few words point to: what is around a statement, a loop over something, the other branch.

Comes in: a text, a phrase. Goes out: places and blocks. Must not know: messages, hunks, engines.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Sequence

from spark_tui.refactor.source import Definition, Source, body_behind_docstring
from spark_tui.steers.alike import Made
from spark_tui.steers.moved_said import TAIL
from spark_tui.steers.pointed import stem, tokens

_LOOPS = (ast.For, ast.While, ast.AsyncFor)


def out_of(src: Source, made: Made, phrase: str) -> tuple[int, str] | None:
    """Behind the block in which it stands, or before it if it began it."""
    around = [
        node for node in src.ancestors(made.new[0]) if isinstance(node, ast.stmt) and not isinstance(node, Definition)
    ]
    words = {stem(word) for word in tokens(phrase)}
    kinds: dict[str, tuple[type[ast.AST], ...]] = {
        "loop": _LOOPS,
        "for": _LOOPS,
        "whil": (ast.While,),
        "with": (ast.With, ast.AsyncWith),
        "try": (ast.Try,),
        "if": (ast.If,),
        "branch": (ast.If,),
        "lock": (ast.With,),
        "transact": (ast.With,),
    }
    wanted = tuple(kind for word in words for kind in kinds.get(word, ()))
    found = [node for node in around if not words or isinstance(node, wanted)] if wanted or not words else []
    if not found:
        return None
    node = found[0]
    first = getattr(node, "body", [None])[0]
    while isinstance(first, (ast.Try, ast.With)) and first is not made.new[0]:
        first = first.body[0]
    begins = first is made.new[0]
    return src.starts[src.first_line(node) if begins else src.last_line(node)], src.indent(node)


def loop_over(src: Source, phrase: str, scope: ast.AST | None) -> ast.For | ast.AsyncFor | None:
    """The loop over what is named."""
    words = {stem(word) for word in tokens(TAIL.sub("", phrase))}
    loops = [
        node for node in ast.walk(scope or src.tree or ast.Module([], [])) if isinstance(node, (ast.For, ast.AsyncFor))
    ]
    named = []
    for node in loops:
        head = src.segment(node.target) + " " + src.segment(node.iter)
        if words & {stem(part) for part in re.findall(r"[A-Za-z]+", head)}:
            named.append(node)
    outer = [node for node in named if not any(node is not other and node in list(ast.walk(other)) for other in named)]
    if not named:
        # A word that the code has no name for, of the one loop there is in the first place.
        outer = [
            node for node in loops if not any(node is not other and node in list(ast.walk(other)) for other in loops)
        ]
    return outer[0] if len(outer) == 1 else None


def block_of(node: ast.AST, phrase: str) -> Sequence[ast.stmt] | None:
    if isinstance(node, Definition):
        return body_behind_docstring(node)
    field = (
        "orelse"
        if re.search(r"\belse\b", phrase, re.I)
        else "finalbody"
        if re.search(r"\bfinally\b", phrase, re.I)
        else "body"
    )
    block = getattr(node, field, None)
    return block if isinstance(block, list) and block else None
