"""Finders for `try` statements and their handlers."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.lookup import key
from spark_tui.intent.finders.blocks import class_name, exceptions_of
from spark_tui.intent.finders.expressions import keep_best
from spark_tui.intent.words import phrases

_WIDEST = ("Exception", "BaseException")


@finder
def handler(at: Search) -> Iterator[Anchor]:
    """The handlers, or those that catch what is named: a class, or whatever comes."""
    text = at.context.text(at.slot) if at.slot else ""
    wanted = class_name(text) if text else ""
    bare = wanted == "except" or any(phrases.is_said("catch_all", item) for item in re.findall(r"\w+", text))
    found: list[tuple[float, ast.AST]] = []
    for node in nodes(at.root, ast.ExceptHandler):
        caught = exceptions_of(node.type)
        last = [item.rpartition(".")[2] for item in caught]
        if not wanted:
            found.append((0.9, node))
        elif key(wanted.rpartition(".")[2]) in map(key, last):
            found.append((1.0, node))
        elif (bare or wanted in _WIDEST) and (not caught or (bare and set(last) & set(_WIDEST))):
            found.append((0.8 if not caught else 0.7, node))
        elif not _is_class(wanted):
            found.append((0.5, node))
    yield from keep_best(found)


def _is_class(name: str) -> bool:
    """Whether a text can be the name of a class: other words tell nothing of what is caught."""
    last = name.rpartition(".")[2]
    return hasattr(builtins, last) or (last.isidentifier() and last != last.lower())


@finder
def try_(at: Search) -> Iterator[Anchor]:
    yield from keep_best([(0.9, node) for node in nodes(at.root, ast.Try)])
