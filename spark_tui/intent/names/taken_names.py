"""Whether a name that a follow-up gives is that of something else where it is written."""

from __future__ import annotations

import ast
import builtins

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, changes_of_edit
from spark_tui.intent.words.readings import Span
from spark_tui.pysource.source import Definition, Function, Source
from spark_tui.pysource.syntax.walking import find_nodes, walk


def doubts_of_name(given: Span | None, situation: Situation) -> tuple[str, ...]:
    """What is doubtful about a new name: that it belongs to Python, or to something else there."""
    name = given.text.strip().strip("`'\"") if given is not None else ""
    found = changes_of_edit(situation)
    for path in dict.fromkeys(change.path for change in found):
        source = situation.behind.index.source(path)
        here = [change for change in found if change.path == path]
        if hasattr(builtins, name) or _is_bound(source, name, here) or _is_key(source, name, here):
            return (f"{name} is the name of something else",)
    return ()


def _is_bound(source: Source, name: str, found: list[LineChange]) -> bool:
    """Whether a name stands in the functions that were changed, or is one of the module."""
    rows = {at + 1 for change in found for at in range(change.at, change.at + max(len(change.new), 1))}
    for node in walk(source.tree):
        if isinstance(node, ast.alias):
            own = (node.asname or node.name).partition(".")[0]
        elif isinstance(node, Definition):
            own = node.name if node in getattr(source.tree, "body", ()) else ""
        else:
            own = getattr(node, "id", "") or getattr(node, "arg", "")
            own = "" if isinstance(node, ast.keyword) else own
        if own != name:
            continue
        around = source.function_of(node) if isinstance(node, ast.Name | ast.arg) else None
        if around is None or _has(source, around, rows):
            return True
    return False


def _has(source: Source, function: Function, rows: set[int]) -> bool:
    return any(source.first_line(function) < row <= source.last_line(function) for row in rows)


def _is_key(source: Source, name: str, found: list[LineChange]) -> bool:
    """Whether a dictionary that was written has that key."""
    rows = {at + 1 for change in found for at in range(change.at, change.at + len(change.new))}
    displays = list(find_nodes(source.tree, ast.Dict)) if source.tree else []
    return any(
        isinstance(key, ast.Constant)
        and key.value == name
        and any(display.lineno <= row <= source.last_line(display) for row in rows)
        for display in displays
        for key in display.keys
    )
