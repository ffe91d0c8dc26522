"""What is deleted without being a statement: the name of a caught exception, an attribute of a class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.slots import CLASS
from spark_tui.intent.builders.conditions.removed_parts import deleted_statements
from spark_tui.intent.builders.statements.needless_passes import needless_passes
from spark_tui.intent.building.building import Built, build_at, builder, call
from spark_tui.intent.building.removed_symbols import removed_symbol
from spark_tui.intent.context.branches_said import owner_of_else
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words.readings import CODE, Span
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


@builder("unname_exception")
def unname_exception(context: Context) -> Iterator[Built]:
    yield from _unnamed(context, re.sub(r"\Aas\s+", "", plain_name(context.text("name"))))


@builder("delete_statement")
def delete_statement(context: Context) -> Iterator[Built]:
    """A statement, or what sets an attribute that is named by its class."""
    if (owner := owner_of_else(context.text("code"))[0]) in ("loop", "try"):
        raise Unresolved(f"there is no else of a {owner} there", nothing=True)
    try:
        yield from list(needless_passes(context, "code")) or deleted_statements(context)
    except Unresolved:
        owner, dot, _ = plain_name(context.text("code")).rpartition(".")
        if not dot or not owner.isidentifier() or not context.names.find(owner, CLASS):
            raise
        slots = {"symbol": context.reading.slots["code"], "class": (Span(CODE, CODE, owner, True),)}
        yield from removed_symbol(context, slots)


def _unnamed(context: Context, name: str) -> Iterator[Built]:
    """All names that nothing uses in the place that is meant, the nearest where a person is."""
    wanted = key(name)
    found, used = [], []
    for area, source, node in context.find(ast.ExceptHandler):
        if not node.name or (wanted and key(node.name) != wanted):
            continue
        if any(
            isinstance(inner, ast.Name) and inner.id == node.name for row in node.body for inner in walk(row)
        ):
            used.append(f"{node.name} is used in line {node.body[0].lineno}")
            continue
        line = _without_name(source, node)
        if line:
            made = call("replace_lines", place=f"{area.path}:{node.lineno}", text=line)
            found.append((context.near_node(area.path, node), build_at(area, made)))
    if not found:
        raise Unresolved(used[0] if used else "no caught exception has a name there", nothing=True)
    nearest = max(near for near, _ in found)
    near = [one for score, one in found if score == nearest]
    doubts = (f"all {len(near)} handlers whose name nothing uses",) if len(near) > 1 else ()
    yield build_at(near[0], *tuple(item.calls[0] for item in near), doubts=doubts)


def _without_name(source: Source, handler: ast.ExceptHandler) -> str:
    """The first line of a handler without the name; empty where that is no single line."""
    line = source.lines[handler.lineno - 1].rstrip("\r\n")
    return re.sub(rf"\s+as\s+{handler.name}(?=\s*:)", "", line) if f" as {handler.name}" in line else ""
