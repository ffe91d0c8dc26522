"""Fixes of exceptions of the wrong class: another one comes than is caught, or than a test expects."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import find_nodes

_NAMED = re.compile(r"^(?:[\w.]+\.)?(\w+)(?::|$)")
_EXPECTS = ("raises", "assertRaises", "assertRaisesRegex")


def wrong_exception(at: SeenError) -> Iterator[Built]:
    """A handler around the line that catches another exception, or a test that expects another one."""
    found = _NAMED.match(at.text)
    name = found[1] if found is not None else ""
    kind = getattr(builtins, name, None)
    if not at.exact or not (isinstance(kind, type) and issubclass(kind, Exception)):
        return
    raised = [
        node.exc.func
        for node in at.nodes(ast.Raise)
        if isinstance(node.exc, ast.Call) and ast.unparse(node.exc.func) == name
    ]
    likely = 0.75 if at.kind in ("", "key", "index") else 0.4
    for depth, frame in enumerate(at.frames()):
        for handler in _handlers(frame):
            assert handler.type is not None
            caught = frame.source.segment(handler.type)
            if _catches(handler.type, kind):
                continue  # and so it was not raised there
            if raised and not depth and not isinstance(handler.type, ast.Tuple):
                yield at.spliced(*at.source.span(raised[0]), caught, 0.6)
            low, high = frame.source.span(handler.type)
            weight = likely - 0.1 * min(depth, 3)
            # What is caught now stays caught: something else may rely on it.
            if isinstance(handler.type, ast.Tuple):
                yield frame.spliced(high - 1, high - 1, f", {name}", weight)
            else:
                yield frame.spliced(low, high, f"({caught}, {name})", weight)
        for expected in _expected(frame):
            if raised and expected != name:
                yield at.spliced(*at.source.span(raised[0]), expected, 0.9)


def _catches(node: ast.expr, kind: type) -> bool:
    """Whether a handler catches exceptions of a class, as far as its own are built in."""
    each = node.elts if isinstance(node, ast.Tuple) else [node]
    found = [getattr(builtins, ast.unparse(element), None) for element in each]
    return any(isinstance(item, type) and issubclass(kind, item) for item in found)


def _handlers(at: SeenError) -> Iterator[ast.ExceptHandler]:
    """The handlers of the `try` statements whose body holds the line, the innermost first."""
    statement = at.statement
    for node in (statement, *at.source.ancestors(statement)) if statement is not None else ():
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node is not statement:
            return
        if isinstance(node, ast.Try) and any(_holds(stmt, at.line) for stmt in node.body):
            yield from (handler for handler in node.handlers if handler.type is not None)


def _holds(node: ast.stmt, line: int) -> bool:
    return node.lineno <= line <= (node.end_lineno or node.lineno)


def _expected(at: SeenError) -> Iterator[str]:
    """The exceptions that a test around the line expects."""
    statement = at.statement
    for node in (statement, *at.source.ancestors(statement)) if statement is not None else ():
        items = node.items if isinstance(node, ast.With) else ()
        calls = [item.context_expr for item in items]
        calls += list(find_nodes(node, ast.Call)) if isinstance(node, ast.Expr) else []
        for call in calls:
            if isinstance(call, ast.Call) and call.args and called_name(call) in _EXPECTS:
                first = call.args[0]
                yield from [
                    ast.unparse(element)
                    for element in (first.elts if isinstance(first, ast.Tuple) else [first])
                ]
