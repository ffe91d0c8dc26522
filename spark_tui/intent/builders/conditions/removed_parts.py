"""Parts of conditions that go, and what they guard stays: *drop the exists check*."""

from __future__ import annotations

import ast
import re
from collections.abc import Collection, Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, call, of_table
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.described import statement_kinds_said
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes


def parts_of(test: ast.expr) -> list[ast.expr]:
    return test.values if isinstance(test, ast.BoolOp) else [test]


def without_parts(source: Source, holder: ast.If, parts: Collection[ast.expr]) -> Operation:
    """The call that takes parts of a condition away, or all of it."""
    spot = line_range(source.path, holder.lineno, holder.test.end_lineno or holder.lineno)
    rest = [source.segment(part) for part in parts_of(holder.test) if part not in parts]
    rest = [in_parens(one) if len(rest) > 1 or "\n" in one else one for one in rest]
    joiner = " or " if isinstance(getattr(holder.test, "op", None), ast.Or) else " and "
    return (
        call("change_condition", place=spot, new=joiner.join(rest)) if rest else call("unwrap_if", place=spot)
    )


def in_parens(code: str) -> str:
    joined = isinstance(parsed(f"({code})"), ast.BoolOp | ast.IfExp | ast.NamedExpr | ast.Lambda)
    return f"({code})" if joined or "\n" in code else code


def deleted_statements(context: Context) -> Iterator[Built]:
    """The statements go. Of an `if` that is called a check of what only a part of its condition has, that
    part goes, and what it guards stays; of one that guards no end, that may be meant, too."""
    kinds, words = statement_kinds_said(context.text("code"))
    for built in of_table(context, "delete_statement"):
        path, _, lines = str(getattr(built.calls[0], "place", "")).rpartition(":")
        if kinds != {"If"} or not words or path not in context.repo.index.paths or not lines[:1].isdigit():
            yield built
            continue
        source, line = context.source(path), int(lines.partition("-")[0])
        held = [one for one in find_nodes(source.tree, ast.If) if one.lineno == line and not one.orelse]
        parts = _named_parts(held[0], words, context.text("code")) if held else set()
        if parts:
            yield replace(built, calls=(without_parts(source, held[0], parts),))
        if not parts or len(parts) == len(parts_of(held[0].test)):
            yield built


def _named_parts(holder: ast.If, words: Collection[str], text: str) -> set[ast.expr]:
    """The parts of a condition that words name, those that are shown first, where more than they is asked or
    what it guards goes on."""
    parts = [*parts_of(holder.test)]
    shown = {part: set(re.findall(r"\w+", ast.unparse(part).lower())) for part in parts}
    said = {piece for word in words for piece in re.findall(r"\w+", word.lower())}
    named = {part for part in parts if said <= shown[part]}
    named = {part for part in named if ast.unparse(part) in text} or named
    leaves = isinstance(holder.body[-1], ast.Return | ast.Raise | ast.Continue | ast.Break)
    return named if named and (len(named) < len(parts) or not leaves) else set()
