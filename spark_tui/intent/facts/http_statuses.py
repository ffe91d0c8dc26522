"""How a file answers with an HTTP status: `raise ApiError(404, "not found")`, `abort(404)`, `page, 404`."""

from __future__ import annotations

import ast
import re
from http import HTTPStatus

from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

AS_ELSEWHERE = "the answer was made as it is elsewhere in the file"
_FAILURES = range(400, 600)
_CALLED = ("abort", "raise_for", "fail")
_SENDING = ("send_response", "send_error", "send_header", "end_headers")
_NAMED = re.compile(r"status|code")


def status_said(text: str) -> str:
    """The status that words name beside what it is called: *a 404 with error not found*; the words as they
    are where they name none."""
    plain = text.removeprefix("a ").strip("`")
    found = re.findall(r"(?<![\w.])\d{3}(?![\w.])", plain)
    return found[0] if len(found) == 1 and not re.search(r"[\[({]", plain) else plain


def failing_like(source: Source, status: str) -> str:
    """The statement that ends a request with a status, as one elsewhere in the file does; empty for none."""
    wanted = int(status) if status.isdigit() else 0
    known: list[tuple[bool, bool, str]] = []
    for node in walk(source.tree) if wanted in _FAILURES else ():
        ends = isinstance(node, ast.Raise | ast.Return)
        if sent := _sent(source, node, wanted):
            known.append(sent)
        if not ends and not (isinstance(node, ast.Expr) and _is_abort(node.value)):
            continue
        constants = list(find_nodes(node, ast.Constant))
        numbers = [one for one in constants if type(one.value) is int and one.value in _FAILURES]
        texts = [one for one in constants if isinstance(one.value, str)]
        if len(numbers) == 1 and not names_in(node) & _locals(source, node):
            same = numbers[0].value == wanted
            code = source.segment(node)
            if not same:
                code = _with_status(source, node, numbers[0], texts[-1:], wanted)
            known.append((same, isinstance(node, ast.Raise), code))
    return max(known)[2] if known else ""


def _sent(source: Source, node: ast.AST, status: int) -> tuple[bool, bool, str] | None:
    """The statements by which a handler of `http.server` sends nothing but a status, with a `return`."""
    if not isinstance(node, ast.Expr) or called_name(node.value) not in ("send_response", "send_error"):
        return None
    given = node.value.args if isinstance(node.value, ast.Call) else []
    number = given[0].value if given and isinstance(given[0], ast.Constant) else None
    rows = source.suite(node)
    rows = rows[rows.index(node) :]
    plain = all(isinstance(row, ast.Expr) and called_name(row.value) in _SENDING for row in rows)
    if not plain or number not in _FAILURES or len(given) > 1:
        return None
    shown = [source.segment(row) for row in rows]
    shown[0] = shown[0].replace(str(number), str(status), 1)
    return number == status, False, "\n".join([*shown, "return"])


def _is_abort(node: ast.expr) -> bool:
    return isinstance(node, ast.Call) and called_name(node) in _CALLED


def _locals(source: Source, node: ast.AST) -> set[str]:
    """The names that the function around a statement binds, which others need not have."""
    inside = source.function_of(node)
    stored = {inner.id for inner in find_nodes(inside, ast.Name) if isinstance(inner.ctx, ast.Store)}
    caught = {inner.name or "" for inner in find_nodes(inside, ast.ExceptHandler)}
    given = {item.arg for item in parameters(inside)} if isinstance(inside, Function) else set()
    return stored | caught | given


def _with_status(
    source: Source, node: ast.AST, number: ast.Constant, text: list[ast.Constant], status: int
) -> str:
    """A statement with another status, and what that is called in place of its text."""
    start = source.span(node)[0]
    changes = [(source.span(number), str(status))]
    names = {item.value for item in HTTPStatus}
    if text and status in names:
        shown = source.segment(text[0])
        phrase = HTTPStatus(status).phrase
        phrase = phrase.lower() if str(text[0].value).islower() else phrase
        changes.append((source.span(text[0]), f"{shown[0]}{phrase}{shown[-1]}"))
    code = source.segment(node)
    for (low, high), new in sorted(changes, reverse=True):
        code = code[: low - start] + new + code[high - start :]
    return code


def with_status(source: Source, value: ast.expr | None, status: str) -> str:
    """A result with a status: passed to the function of the file that makes the response, or in a tuple as
    other returns of the file have it; empty where the file has no such form."""
    if not status.isdigit() or int(status) not in range(100, 600) or value is None:
        return ""
    if isinstance(value, ast.Call):
        called = called_name(value)
        for definition in source.definitions:
            given = definition.args if isinstance(definition, ast.FunctionDef) else None
            if given is None or getattr(definition, "name", "") != called:
                continue
            names = [item.arg for item in (*given.args, *given.kwonlyargs)]
            name = next((item for item in names if _NAMED.search(item)), "")
            at = names.index(name) if name else 0
            passed = len(value.args) > at or any(item.arg == name for item in value.keywords)
            if name and not passed:
                shown = source.segment(value)
                return f"{shown[:-1].rstrip(', ')}, {name}={status})"
    pairs = (node.value for node in find_nodes(source.tree, ast.Return))
    paired = any(
        isinstance(pair, ast.Tuple)
        and len(pair.elts) == 2
        and isinstance(pair.elts[1], ast.Constant)
        and pair.elts[1].value in range(100, 600)
        for pair in pairs
    )
    return f"{source.segment(value)}, {status}" if paired and not isinstance(value, ast.Tuple) else ""
