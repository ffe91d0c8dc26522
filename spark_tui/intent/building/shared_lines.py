"""Statements that share a line, which no lines can name: it is split first (`if x: return`)."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from spark_tui.codemods.families.statements.one_line import OneStatementALine, split_line
from spark_tui.codemods.registry import Operation, slots_of
from spark_tui.codemods.slots import Place
from spark_tui.pysource.source import Source

_WHOLE = frozenset(("DeleteStatements", "CommentOut", "MoveStatements"))
"""What is done to the header too that has nothing else behind it."""


def line_range(path: str, first: int, last: int) -> str:
    """Lines as the place of a call: `shop.py:3`, `shop.py:3-5`."""
    return f"{path}:{first}" + (f"-{last}" if last > first else "")


def lines_of(source: Source, path: str, node: ast.AST, last: ast.AST) -> str:
    """The exact lines of a node; of a statement behind another one the line that it shares and the one that
    it has once that is split: `shop.py:3-4 inside`."""
    first, start = source.first_line(node), source.span(node)[0]
    every = split_line(source, first) if isinstance(node, ast.stmt) else []
    if every and (not hasattr(node, "body") or source.text[source.starts[first] : start].strip()):
        breaks = [edit for edit in every if edit.end <= start]
        header = source.parents.get(node)
        alone = len(every) == 1 and header in source.statements and source.first_line(header) == first
        return f"{path}:{first + 1}-{first + 1 + len(breaks)} {'inside' if alone else 'among'}"
    return line_range(path, first + 1, source.last_line(last))


def with_split_lines(calls: Iterable[Operation]) -> tuple[Operation, ...]:
    """The calls, each behind one that splits the line that its statement shares."""
    out: list[Operation] = []
    for call in calls:
        data = {one.name: getattr(call, one.name) for one in slots_of(type(call))}
        shared = {name: at for name, at in data.items() if isinstance(at, Place) and at.path and at.side}
        whole = type(call).__name__ in _WHOLE and all(at.side == "inside" for at in shared.values())
        for at in () if whole else dict.fromkeys(shared.values()):
            out.append(OneStatementALine(Place(at.path, at.first, at.first)))
        rows = {name: at.first if whole else at.last for name, at in shared.items()}
        moved = {name: Place(shared[name].path, row, row) for name, row in rows.items()}
        out.append(type(call)(**(data | moved)))
    return tuple(out)
