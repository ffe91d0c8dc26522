"""Folders that are made before a file in them is written: *save creates the folder if it is missing*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at, call, place
from spark_tui.intent.context.anchors import Anchor, functions_meant
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.doubts import places_fit
from spark_tui.intent.words.folders import folder_words
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes

_MAKING = ("makedirs", "mkdir")
_MODE = re.compile(r"[wax][bt+]*")
_WRITTEN = ("write_text", "write_bytes")


def made_folders(context: Context) -> Iterator[Built]:
    """The folder of a file that a function writes, made in front of that; of several functions each may be
    meant."""
    if folder_words(context.text("code")) is None:
        return
    found = [
        (anchor, node, of_file)
        for anchor in functions_meant(context)
        for node in find_nodes(anchor.node, ast.Call)
        if (of_file := _folder(context, anchor, node))
    ]
    if len({id(anchor.node) for anchor, *_ in found}) == 1:
        found = found[:1]
    for anchor, node, code in found:
        if any(called_name(one) in _MAKING for one in find_nodes(anchor.node, ast.Call)):
            raise Unresolved("the folder is made already", nothing=True)
        spot = replace(anchor, node=context.source(anchor.path).statement(node))
        doubts = (places_fit(len(found)),) if len(found) > 1 else ()
        made = call("insert_statements", place=place(context, spot), code=code, side="before")
        yield build_at(anchor, made, doubts=doubts)


def _folder(context: Context, anchor: Anchor, node: ast.Call) -> str:
    """The statement that makes the folder of what a call opens to write; empty where it does not."""
    source = context.source(anchor.path)
    if not isinstance(anchor.node, Function) or source.function_of(node) is not anchor.node:
        return ""
    name, owner = called_name(node), getattr(node.func, "value", None)
    own = name == "open" and isinstance(node.func, ast.Name) and bool(node.args)
    modes = [*node.args[own : own + 1], *(one.value for one in node.keywords if one.arg == "mode")]
    writes = any(isinstance(one, ast.Constant) and _MODE.fullmatch(str(one.value)) for one in modes)
    if own and writes:
        return f"Path({source.segment(node.args[0])}).parent.mkdir(parents=True, exist_ok=True)"
    if owner is not None and (name in _WRITTEN or (name == "open" and writes)):
        return f"{source.segment(owner)}.parent.mkdir(parents=True, exist_ok=True)"
    return ""
