"""The block that an edit put around statements, put around the bodies of other functions."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from textwrap import dedent

from spark_tui.edits.indentation import indent_of
from spark_tui.intent.context.places_left_out import Place
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange
from spark_tui.pysource.syntax.parsing import is_text, parse


def wrapped_bodies(
    found: Sequence[LineChange], situation: Situation, path: str, where: Sequence[Place]
) -> Iterator[LineChange]:
    """The statements of functions in a block that the edit put around those of another one."""
    assert situation.before is not None
    source = situation.before.index.source(path)
    for change in (item for item in found if item.path == path):
        old, new = parse(dedent("\n".join(change.old))), parse(dedent("\n".join(change.new)))
        block = new.body[0] if old is not None and new is not None and len(new.body) == 1 else None
        if old is None or not isinstance(block, ast.With | ast.Try):
            continue
        was, held = [ast.dump(stmt) for stmt in old.body], [ast.dump(stmt) for stmt in block.body]
        if not held or not set(held) <= set(was):
            continue
        gone = set(was) - set(held)
        lines = dedent("\n".join(change.new)).split("\n")
        first, last = block.body[0].lineno - 1, block.body[-1].end_lineno or 0
        for node in source.functions:
            start = source.line_span(source.first_line(node), source.last_line(node))[0]
            if not any(each == path and low == start for each, low, _ in where):
                continue
            rows = [stmt for stmt in node.body if not is_text(stmt) and ast.dump(stmt) not in gone]
            if not rows or any(isinstance(row, type(block)) for row in rows):
                continue
            low, high = rows[0].lineno - 1, source.last_line(rows[-1])
            here = [line.rstrip("\r\n") for line in source.lines[low:high]]
            indent = indent_of(here[0])
            body = [f"    {line}" if line.strip() else line for line in here]
            heads = [indent + line for line in lines[:first]]
            yield LineChange(
                path, low, high, low, tuple(here), (*heads, *body, *(indent + line for line in lines[last:]))
            )
