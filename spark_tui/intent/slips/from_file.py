"""What is missing at one place and stands at another of the file: a statement, a value to keep."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from spark_tui.intent.slips.place import Place, Slip, finder, likest
from spark_tui.pysource.source import Function, docstring
from spark_tui.pysource.syntax.parsing import suites
from spark_tui.pysource.syntax.walking import walk

_MOST_STATEMENTS, _MOST_PLACES, _MOST_NAMES = 16, 14, 4
_KNOWN = frozenset(dir(builtins))


@finder
def donated_statement(place: Place) -> Iterator[Slip]:
    """A simple statement of another function of the same class, or of the same file."""
    function, source = place.root, place.source
    if not isinstance(function, Function):
        return
    owner = source.class_of(function)
    others = [one for one in source.functions if one is not function and source.class_of(one) is owner]
    donors = dict[str, None]()
    for other in others:
        for node in walk(other):
            if isinstance(node, ast.Expr | ast.Assign | ast.AugAssign | ast.Delete) and _is_plain(
                place, node
            ):
                donors[place.code(node)] = None
    own = {place.code(one) for one in walk(function) if isinstance(one, ast.stmt)}
    places = list(_gaps(place, function))[:_MOST_PLACES]
    for code in [one for one in donors if one not in own][:_MOST_STATEMENTS]:
        for at, indent in places:
            yield Slip(((at, at, f"{indent}{code}{source.newline}"),), 0.12)


def _is_plain(place: Place, node: ast.stmt) -> bool:
    """Whether a statement on one line changes something that stays, and names only what is known here."""
    if isinstance(node, ast.Expr):
        stays = isinstance(node.value, ast.Call) and isinstance(node.value.func, ast.Attribute)
    elif isinstance(node, ast.Assign | ast.AugAssign):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        stays = all(isinstance(one, ast.Attribute | ast.Subscript) for one in targets)
    else:
        stays = True
    return stays and "\n" not in place.code(node) and not _unknown(place, node)


def _unknown(place: Place, node: ast.AST) -> list[str]:
    """The names in some code that are not known in a place."""
    own = {one.id for one in walk(node) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    own |= {one.arg for one in walk(node) if isinstance(one, ast.arg)}
    used = [one.id for one in walk(node) if isinstance(one, ast.Name)]
    known = {*place.variables, *place.globals, *own, *_KNOWN}
    return list(dict.fromkeys(one for one in used if one not in known))


def _gaps(place: Place, function: ast.AST) -> Iterator[tuple[int, str]]:
    """Where a statement may stand: behind each that ran, and in front of the first."""
    source = place.source
    for node in (function, *place.nodes):
        if not isinstance(node, ast.stmt | ast.ExceptHandler) or isinstance(node, ast.ClassDef):
            continue
        for suite in suites(node):
            body = [one for one in suite if one is not docstring(function)]
            if not body or not any(one.lineno in place.lines for one in body):
                continue
            indent = source.indent(body[0])
            yield source.line_span(source.first_line(body[0]), source.last_line(body[0]))[0], indent
            for one in body:
                if not isinstance(one, ast.Return | ast.Raise | ast.Break | ast.Continue):
                    end = source.line_span(one.lineno, source.last_line(one))[1]
                    if source.text[:end].endswith(("\n", "\r")):
                        yield end, indent


@finder
def kept_value(place: Place) -> Iterator[Slip]:
    """An attribute that a function reads takes the value of a variable, once it is done."""
    function, source = place.root, place.source
    if not isinstance(function, Function):
        return
    attributes = [one for one in walk(function) if isinstance(one, ast.Attribute) and _of_self(one)]
    stored = {place.code(one) for one in attributes if not isinstance(one.ctx, ast.Load)}
    read = dict.fromkeys(place.code(one) for one in attributes if not source.is_called(one))
    names = [one.id for one in walk(function) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    body = [one for one in function.body if one is not docstring(function)]
    if not body:
        return
    last = body[-1]
    low, high = source.line_span(source.first_line(last), source.last_line(last))
    at = low if isinstance(last, ast.Return | ast.Raise) else high
    if not source.text[:at].endswith(("\n", "\r")):
        return
    for attribute in [one for one in read if one not in stored]:
        for name in likest(attribute.rpartition(".")[2], tuple(names))[:_MOST_NAMES]:
            code = f"{source.indent(last)}{attribute} = {name}{source.newline}"
            yield Slip(((at, at, code),), 0.12)


def _of_self(node: ast.Attribute) -> bool:
    return isinstance(node.value, ast.Name) and node.value.id == "self"
