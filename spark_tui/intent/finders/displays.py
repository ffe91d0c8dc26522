"""Finders for lists, tuples, sets and dictionaries that stand in the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.places.displays import names_of_value
from spark_tui.intent.context.anchors import Anchor, Search, finder, nodes
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.finders.expressions import best
from spark_tui.intent.finders.likely_displays import is_kind, likely, near_words
from spark_tui.pysource.source import Function


@finder
def display(at: Search) -> Iterator[Anchor]:
    """Lists, tuples, sets and dictionaries that stand in the code, by the name that they are set to;
    where none is said by what they hold."""
    text = at.context.text(at.slot) if at.slot else ""
    name = "" if is_kind(text) else key(plain_name(text))
    kinds = (ast.List, ast.Tuple, ast.Set, ast.Dict)
    found: list[tuple[float, ast.AST]] = []
    inside = list(nodes(at.root, *kinds))
    every = list(inside)
    if at.root is not at.source.tree and at.source.tree is not None and name:
        every += [one for one in nodes(at.source.tree, *kinds) if one not in inside]
    every = [
        one
        for one in every
        if not isinstance(getattr(one, "ctx", None), ast.Store) and at.source.span(one)[0] >= 0
    ]
    for one in every:
        called = {key(each) for each in names_of_value(at.source, one)}
        if name and name in called:
            found.append((1.0, one))
        elif name and any(_one(name) == _one(each) or (len(name) > 3 and name in each) for each in called):
            found.append((0.6, one))
        elif name and near_words(name, names_of_value(at.source, one)):
            found.append((0.4, one))
    guessed = [] if found else list(likely(at, every))
    plain = [] if name else [one for one in every if not isinstance(at.source.parents.get(one), ast.expr)]
    found = found or [(0.5, one) for one in plain]
    yield from guessed or best(found or _unnamed(at, [one for one in every if one in inside]))


def _one(name: str) -> str:
    """A name without the ending of several: `categories` and `category` are alike."""
    return re.sub(r"ies\Z", "y", name).rstrip("s")


def _unnamed(at: Search, every: list[ast.AST]) -> list[tuple[float, ast.AST]]:
    """Displays that are named by one of their items (*treat 205 like 204*), or the only one of a function."""
    wanted = at.context.text(at.slot).strip("`'\"").lower()
    said = {one.lower() for one in re.findall(r"\w+", at.context.beside_slots())}
    found: list[tuple[float, ast.AST]] = []
    plain = []
    for one in every:
        parts = [*filter(None, one.keys)] if isinstance(one, ast.Dict) else getattr(one, "elts", [])
        texts = {ast.unparse(each).strip("'\"").lower() for each in parts}
        if isinstance(getattr(one, "ctx", None), ast.Store | ast.Del) or not parts:
            continue
        if not any(isinstance(each, ast.Starred) for each in parts):
            plain.append(one)
        if wanted in texts or (not wanted and said & texts):
            found.append((0.9, one))
    if not found and len(plain) == 1 and isinstance(at.root, Function):
        found = [(0.3, plain[0])]
    return found
