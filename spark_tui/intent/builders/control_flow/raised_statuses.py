"""Answers of a server with a bad status, which raise where they are received."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_ASKED = ("get", "post", "put", "patch", "delete", "head", "request")
_CLIENTS = ("requests", "session", "httpx", "client", "http")


def raised_statuses(context: Context) -> Iterator[Built]:
    """A call of `raise_for_status` behind each request whose answer is kept, where a bad status is to raise
    and it is not said what."""
    text = context.situation.instruction.lower()
    unsaid = not context.has("exception") and not context.has("message")
    if not unsaid or not phrases.any_stands_in(phrases.words("bad_status"), text):
        return
    spots = [
        Anchor(area, stmt, 0.9, area.doubts)
        for area, source, stmt in context.find(ast.Assign)
        if _is_answer(stmt) and not _is_checked(source, stmt)
    ]
    for anchor in weighted(context, spots):
        assert isinstance(anchor.node, ast.Assign)
        code = f"{ast.unparse(anchor.node.targets[0])}.raise_for_status()"
        made = call("insert_statements", place=place(context, anchor), code=code, side="after")
        built = build_at(anchor, made)
        yield replace(
            built, doubts=(*built.doubts, assumed("the error of the client was assumed to be meant"))
        )


def _is_answer(stmt: ast.Assign) -> bool:
    """Whether a statement keeps what a client of HTTP answers."""
    value = stmt.value.value if isinstance(stmt.value, ast.Await) else stmt.value
    func = value.func if isinstance(value, ast.Call) else None
    owner = ast.unparse(func.value).lower() if isinstance(func, ast.Attribute) else ""
    named = owner.rpartition(".")[2].lstrip("_") in _CLIENTS
    return named and called_name(value) in _ASKED and isinstance(stmt.targets[0], ast.Name)


def _is_checked(source: Source, stmt: ast.Assign) -> bool:
    """Whether the function around asks for the status of what a statement keeps."""
    name, inside = ast.unparse(stmt.targets[0]), source.function_of(stmt)
    read = {ast.unparse(node) for node in find_nodes(inside, ast.Attribute)}
    return bool({f"{name}.raise_for_status", f"{name}.status_code", f"{name}.ok"} & read)
