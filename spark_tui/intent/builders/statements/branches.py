"""Statements that are inserted into a branch that is named: *in the finally of load*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.building.building import Built, build_at, call, filled, place
from spark_tui.intent.context.anchors import anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)


@lru_cache(maxsize=1)
def _said() -> re.Pattern[str]:
    """A keyword of a branch behind a word for a place, perhaps with an article: *to try* is a verb."""
    places, articles = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("in_a_line", "articles"))
    return re.compile(
        rf"(?:(?<!\w)(?:{places}|into|inside|to(?!\s+try)|of)\s+(?:(?:{articles}|its)\s+)?|'s\s+)"
        r"(?P<kind>finally|else|elif|except|try)(?![\w(]|[-\s]+(?:if|for|while)\b)",
        re.IGNORECASE,
    )


def in_branch(context: Context) -> Iterator[Built]:
    """The statements in each such branch of the function; before what leaves it."""
    kinds = {found["kind"].lower() for found in _said().finditer(context.beside_slots())}
    if len(kinds) != 1 or not context.has("function"):
        return
    spots = [
        (anchor, suite)
        for anchor in anchors(context, "function")[: context.most_places]
        for suite in _suites(context.source(anchor.path), anchor.node, min(kinds))
    ]
    first = re.search("|".join(phrases.words("at_the_start")), context.beside_slots(), re.IGNORECASE)
    for anchor, suite in spots:
        before = first is not None or isinstance(suite[-1], _LEAVES)
        where = place(context, replace(anchor, node=suite[0] if first else suite[-1]))
        doubts = (places_fit(len(spots)),) if len(spots) > 1 else ()
        for option in filled(context, "{code:code}", anchor) or ():
            side = "before" if before else "after"
            made = call("insert_statements", place=where, code=option.text, side=side)
            yield build_at(anchor, made, option=option, weight=1 / len(spots), doubts=doubts)


def _suites(source: Source, root: ast.AST | None, kind: str) -> Iterator[list[ast.stmt]]:
    """The bodies of the branches of a kind in a function."""
    if not isinstance(root, Function):
        return
    for node in walk(root):
        if isinstance(node, ast.Try):
            parts = {"try": [node.body], "finally": [node.finalbody], "else": [node.orelse]}
            yield from filter(None, parts.get(kind, ()))
            yield from (one.body for one in node.handlers if kind == "except")
        elif isinstance(node, ast.If):
            follows = [
                isinstance(one, ast.If) and source.segment(one).startswith("elif") for one in node.orelse
            ]
            if kind == "else" and node.orelse and not any(follows):
                yield node.orelse
            if kind == "elif" and source.segment(node).startswith("elif"):
                yield node.body
