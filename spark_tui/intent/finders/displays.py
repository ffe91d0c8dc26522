"""Finders for lists, tuples, sets and dictionaries that stand in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.places.displays import names_of_value
from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.finders.expressions import keep_best
from spark_tui.intent.finders.likely_displays import find_likely_displays, is_kind, near_words
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function

_DISPLAYS = (ast.List, ast.Tuple, ast.Set, ast.Dict)


@finder
def display(at: Search) -> Iterator[Anchor]:
    """Lists, tuples, sets and dictionaries that stand in the code, by the name that they are set to;
    where none is said by what they hold."""
    text = at.context.text(at.slot) if at.slot else ""
    name = "" if is_kind(text) else key(plain_name(text))
    found: list[tuple[float, ast.AST]] = []
    inside = nodes(at.root, *_DISPLAYS)
    every = list(dict.fromkeys((*inside, *nodes(at.source.tree, *_DISPLAYS)))) if name else inside
    every = [
        node
        for node in every
        if not isinstance(getattr(node, "ctx", None), ast.Store) and at.source.span(node)[0] >= 0
    ]
    for inner in every:
        called = {key(item) for item in names_of_value(at.source, inner)}
        if name and name in called:
            found.append((1.0, inner))
        elif name and any(_one(name) == _one(item) or (len(name) > 3 and name in item) for item in called):
            found.append((0.6, inner))
        elif name and near_words(name, names_of_value(at.source, inner)):
            found.append((0.4, inner))
    guessed = [] if found else list(find_likely_displays(at, [*every, *_read_in_function(at)]))
    plain = [] if name else [node for node in every if not isinstance(at.source.parents.get(node), ast.expr)]
    if isinstance(at.root, Function) and at.context.reading.intent == "add_item":
        plain = [node for node in plain if not _is_filled_later(node)]
    found = found or [(0.5, item) for item in plain]
    yield from guessed or keep_best(found or _unnamed(at, [node for node in every if node in inside]))


def _read_in_function(at: Search) -> list[ast.AST]:
    """The displays outside functions whose names a function reads."""
    if not isinstance(at.root, Function) or at.source.tree is None:
        return []
    read = {last_name(node) for node in nodes(at.root, ast.Name, ast.Attribute)}
    return [
        node
        for node in nodes(at.source.tree, *_DISPLAYS)
        if not read.isdisjoint(names_of_value(at.source, node)) and at.source.function_of(node) is None
    ]


def _is_filled_later(node: ast.AST) -> bool:
    """An empty list of a function: its items come when it runs."""
    return not (node.keys if isinstance(node, ast.Dict) else getattr(node, "elts", ()))


def _one(name: str) -> str:
    """A name without the ending of several: `categories` and `category` are alike."""
    return re.sub(r"ies\Z", "y", name).rstrip("s")


def _unnamed(at: Search, every: list[ast.AST]) -> list[tuple[float, ast.AST]]:
    """Displays that are named by one of their items (*treat 205 like 204*), or the only one of a function."""
    wanted = at.context.text(at.slot).strip("`'\"").lower()
    other_words = {text.lower() for text in re.findall(r"\w+", at.context.beside_slots())}
    found: list[tuple[float, ast.AST]] = []
    plain = []
    for node in every:
        parts = [*filter(None, node.keys)] if isinstance(node, ast.Dict) else getattr(node, "elts", [])
        texts = {ast.unparse(part).strip("'\"").lower() for part in parts}
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del) or not parts:
            continue
        if not any(isinstance(part, ast.Starred) for part in parts):
            plain.append(node)
        if wanted in texts or (not wanted and other_words & texts):
            found.append((0.9, node))
    if not found and len(plain) == 1 and isinstance(at.root, Function):
        found = [(0.3, plain[0])]
    return found
