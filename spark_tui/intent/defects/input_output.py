"""Causes where a program meets the world: files that are not there, what is typed in, loops over it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call
from spark_tui.intent.defects.causes import around, cause, changed, own, text_of
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes


def _opened(at: SeenError) -> Iterator[tuple[ast.Call, str]]:
    """The calls that open a file as text, with the mode."""
    for node in own(at, ast.Call):
        if text_of(node.func) == "open" and node.args:
            given = [*node.args[1:2], *(word.value for word in node.keywords if word.arg == "mode")]
            mode = given[0].value if given and isinstance(given[0], ast.Constant) else "r"
            if isinstance(mode, str) and "b" not in mode:
                yield node, mode


def _with_keyword(at: SeenError, node: ast.Call, name: str, value: str, weight: float) -> Iterator[Built]:
    if not any(word.arg == name for word in node.keywords):
        high = at.source.span(node)[1] - 1
        yield from changed(at, [(high, high, f", {name}={value}")], weight)


@cause("letters_broken")
def encoding_not_said(at: SeenError) -> Iterator[Built]:
    """`open(path)` in whatever encoding the machine has."""
    for node, _ in _opened(at):
        yield from _with_keyword(at, node, "encoding", '"utf-8"', 0.9)
    for node in own(at, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr in ("read_text", "write_text"):
            comma = ", " if node.args or node.keywords else ""
            if not any(word.arg == "encoding" for word in node.keywords):
                high = at.source.span(node)[1] - 1
                yield from changed(at, [(high, high, f'{comma}encoding="utf-8"')], 0.9)
        elif text_of(node.func) in ("json.dump", "json.dumps"):
            yield from _with_keyword(at, node, "ensure_ascii", "False", 0.7)


@cause("line_ends", plain=0.4)
def rows_apart(at: SeenError) -> Iterator[Built]:
    """A table that is written with two line ends a row."""
    if any("writer" in text_of(node.func) for node in own(at, ast.Call)):
        for node, mode in _opened(at):
            if mode[:1] in "wax":
                yield from _with_keyword(at, node, "newline", '""', 0.95)


@cause("no_file_yet")
def file_not_there(at: SeenError) -> Iterator[Built]:
    """A file that is read before there is one: what it would hold is empty."""
    if not isinstance(at.root, Function):
        return
    reads = [node for node, mode in _opened(at) if mode[:1] == "r"]
    if reads and around(at, reads[0], ast.Try) is None:
        loaded = {text_of(node.func) for node in own(at, ast.Call)}
        lists = any(isinstance(node, ast.ListComp | ast.List) for node in own(at, ast.expr))
        empty = "[]" if lists or not loaded & {"json.load", "json.loads"} else "{}"
        for result, weight in ((empty, 0.8), ("{}" if empty == "[]" else "[]", 0.5)):
            spot = f"in {at.source.path}::{at.source.qualname(at.root)}"
            made = call("wrap_in_try", place=spot, exception="FileNotFoundError", handler=f"return {result}")
            yield Built((made,), weight * at.area.weight)


@cause("keeps_going")
def never_left(at: SeenError) -> Iterator[Built]:
    """A branch of `while True` that tells the end of it, and does not leave it."""
    for loop in own(at, ast.While):
        if text_of(loop.test) not in ("True", "1"):
            continue
        for test in find_nodes(loop, ast.If):
            last = test.body[-1]
            if around(at, test, *LOOPS) is loop and isinstance(last, ast.Expr):
                high = at.source.span(last)[1]
                code = f"{at.source.newline}{at.source.indent(last)}break"
                yield from changed(at, [(high, high, code)], 0.8)


@cause("stops_early")
def left_too_early(at: SeenError) -> Iterator[Built]:
    """`break` or `return` in a loop that is to go on with the next round."""
    for kind in (ast.Break, ast.Return):
        for node in own(at, kind):
            bare = isinstance(node, ast.Break) or (isinstance(node, ast.Return) and node.value is None)
            if bare and around(at, node, *LOOPS) is not None:
                low, high = at.source.span(node)
                yield from changed(at, [(low, high, "continue")], 0.9)


@cause("added_twice")
def not_looked_for(at: SeenError) -> Iterator[Built]:
    """What is appended may be there already."""
    for stmt in own(at, ast.Expr):
        node = stmt.value
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "append":
            item, into = at.source.segment(node.args[0]), at.source.segment(node.func.value)
            if isinstance(node.args[0], ast.Name | ast.Attribute | ast.Subscript):
                low, high = at.source.span(stmt)
                inner = at.source.newline + at.source.indent(stmt) + at.source.indent_unit
                code = f"if {item} not in {into}:{inner}{at.source.text[low:high]}"
                yield from changed(at, [(low, high, code)], 0.85)


@cause("spaces_matter")
def not_stripped(at: SeenError) -> Iterator[Built]:
    """What is typed in comes with spaces."""
    for node in own(at, ast.Call):
        if text_of(node.func) == "input":
            parent = at.source.parents.get(node)
            if not isinstance(parent, ast.Attribute):
                yield at.swap(node, f"{at.source.segment(node)}.strip()", 0.9)
    for test in own(at, ast.Compare):
        if isinstance(test.ops[0], ast.Eq) and isinstance(test.left, ast.Name | ast.Attribute):
            yield at.swap(test.left, f"{at.source.segment(test.left)}.strip()", 0.6)
