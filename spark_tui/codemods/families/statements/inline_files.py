"""Files that are opened inside of an expression: `json.load(open(path))`, `for row in open(path)`."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator

from spark_tui.codemods.families.statements.guards import shifted_lines
from spark_tui.codemods.places.named import own_lines
from spark_tui.codemods.plan import Edit
from spark_tui.pysource.names.type_hints import last_name, names_within
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_READS = word_set("read readlines readline write writelines")
_NAMES = ("f", "fh", "file")


def inline_opens(source: Source, calls: Iterable[ast.Call], at_once: frozenset[str]) -> Iterator[Edit]:
    """The edits that open such files by a `with` around their statement, where that is done with them."""
    for call in calls:
        holder = source.statement(call)
        if last_name(call.func) != "open" or holder is None or not _is_read(source, call, holder, at_once):
            continue
        inside = source.function_of(holder) or source.tree
        taken = names_within(inside) if inside is not None else frozenset()
        name = next((one for one in _NAMES if one not in taken), "")
        low, high = own_lines(source, [holder])
        start, end = source.span(call)
        first = source.starts[low]
        if not name or source.text[first : source.span(holder)[0]].strip():
            continue
        moved = shifted_lines(source, low, high, source.indent_unit)
        old = source.segment(call)
        if moved.count(old) != 1 or source.text[start:end] != old:
            continue
        front = f"{source.indent(holder)}with {old} as {name}:{source.newline}"
        yield Edit(source.path, first, source.line_span(low, high)[1], front + moved.replace(old, name))


def _is_read(source: Source, call: ast.Call, holder: ast.stmt, at_once: frozenset[str]) -> bool:
    """Whether nothing reads the file behind the statement."""
    outer = source.parents.get(call)
    if isinstance(holder, ast.For):
        return any(one is call for one in ast.walk(holder.iter))
    if not isinstance(holder, ast.Assign | ast.Return | ast.Expr | ast.AugAssign):
        return False
    if isinstance(outer, ast.Attribute):
        return outer.attr in _READS
    return isinstance(outer, ast.Call) and outer.func is not call and last_name(outer.func) in at_once
