"""Slips for which code is written in another way: other brackets, a test of what is there, a copy."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.slips.place import Change, Place, Slip, finder, in_brackets
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import docstring
from spark_tui.pysource.syntax.signs import OPERATORS
from spark_tui.pysource.syntax.walking import walk

_LOOSE, _TIGHT = (ast.Add, ast.Sub), (ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)


@finder
def other_grouping(place: Place) -> Iterator[Slip]:
    """`a / b - c` for `(a - c) / b`: what is added or taken away first."""
    for node in place.all(ast.BinOp):
        sign, inner = OPERATORS.get(type(node.op), ""), node.left
        if isinstance(node.op, _TIGHT) and isinstance(inner, ast.BinOp) and isinstance(inner.op, _LOOSE):
            a, b, c = (in_brackets(place.code(one), one) for one in (inner.left, inner.right, node.right))
            yield from place.swap(node, f"{a} {sign} {c} {OPERATORS[type(inner.op)]} {b}", 0.3)
        if not isinstance(node.op, _LOOSE):
            continue
        for tight, loose in ((node.left, node.right), (node.right, node.left)):
            if isinstance(tight, ast.BinOp) and isinstance(tight.op, _TIGHT):
                a, b, c = (in_brackets(place.code(one), one) for one in (tight.left, tight.right, loose))
                first, second = (a, c) if tight is node.left else (c, a)
                yield from place.swap(node, f"({first} {sign} {second}) {OPERATORS[type(tight.op)]} {b}", 0.3)


@finder
def turned_round(place: Place) -> Iterator[Slip]:
    """`found = not found` for `found = True`."""
    for node in place.all(ast.Assign):
        plain = isinstance(node.value, ast.Constant) and isinstance(node.value.value, bool)
        if plain and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name | ast.Attribute):
            yield from place.swap(node.value, f"not {place.code(node.targets[0])}", 0.2)


@finder
def there_or_not(place: Place) -> Iterator[Slip]:
    """A test of what is under a key, where it is asked whether the key is there; at one place or all."""
    found: list[Change] = []
    tests = [*place.tests, *(one for node in place.all(ast.BoolOp) for one in node.values)]
    for test in dict.fromkeys(tests):
        code = _as_membership(place, test)
        low, high = place.source.span(test)
        if code and low >= 0:
            found.append((low, high, code))
            yield Slip(((low, high, code),), 0.45)
    if len(found) > 1:
        yield Slip(tuple(found), 0.45)


def _as_membership(place: Place, test: ast.expr) -> str:
    sign = "in"
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        test, sign = test.operand, "not in"
    elif isinstance(test, ast.Compare) and len(test.ops) == 1 and place.code(test.comparators[0]) == "None":
        sign = "not in" if isinstance(test.ops[0], ast.Is | ast.Eq) else "in"
        test = test.left
    if isinstance(test, ast.Call) and isinstance(test.func, ast.Attribute) and test.func.attr == "get":
        held, key = test.func.value, test.args[0] if test.args else None
    elif isinstance(test, ast.Subscript) and not isinstance(test.slice, ast.Slice):
        held, key = test.value, test.slice
    else:
        return ""
    return f"{place.code(key)} {sign} {place.code(held)}" if key is not None else ""


@finder
def own_copy(place: Place) -> Iterator[Slip]:
    """A copy of what is gone through or handed out, and changed meanwhile or later."""
    for loop in place.all(ast.For):
        if (
            not isinstance(loop.iter, ast.Constant | ast.List | ast.Tuple)
            and called_name(loop.iter) != "list"
        ):
            yield from place.swap(loop.iter, f"list({place.code(loop.iter)})", 0.2)
    values: list[ast.expr] = []
    values += [one.value for one in place.all(ast.Assign)]
    values += [one.value for one in place.all(ast.Return) if one.value is not None]
    for value in values:
        if isinstance(value, ast.Name | ast.Attribute | ast.Subscript):
            code = place.code(value)
            yield from place.swap(value, f"{code}.copy()", 0.18)
            low, high = place.source.span(value)
            if low >= 0:
                yield Slip((*_import(place, "copy"), (low, high, f"copy.deepcopy({code})")), 0.15)


def _import(place: Place, module: str) -> tuple[Change, ...]:
    """The change that imports a module, if the file does not yet."""
    source = place.source
    first = docstring(source.tree) if source.tree is not None else None
    body = [one for one in source.body if one is not first]
    imports = [one for one in body if isinstance(one, ast.Import | ast.ImportFrom)]
    if any(alias.name == module for one in imports if isinstance(one, ast.Import) for alias in one.names):
        return ()
    late = [one for one in body if not (isinstance(one, ast.ImportFrom) and one.module == "__future__")]
    if not late:
        return ()
    at = source.line_span(source.first_line(late[0]), source.last_line(late[0]))[0]
    return ((at, at, f"import {module}{source.newline}"),)


@finder
def two_loops(place: Place) -> Iterator[Slip]:
    """What is done for all before the rest is done for any."""
    source = place.source
    for loop in place.all(ast.For):
        leaves = any(isinstance(one, ast.Break | ast.Continue) for one in walk(loop))
        if len(loop.body) < 2 or loop.orelse or leaves:
            continue
        low = source.span(loop)[0]
        head = source.text[low : source.span(loop.iter)[1]]
        for node in loop.body[1:]:
            at = source.line_span(source.first_line(node), source.last_line(node))[0]
            if "\n" not in head:
                yield Slip(((at, at, f"{source.indent(loop)}{head}:{source.newline}"),), 0.15)


@finder
def without_else(place: Place) -> Iterator[Slip]:
    """What an `else` holds is done in any case."""
    source, unit = place.source, place.source.indent_unit
    for test in place.all(ast.If):
        if not test.orelse or (len(test.orelse) == 1 and isinstance(test.orelse[0], ast.If)):
            continue
        low = source.line_span(source.last_line(test.body[-1]), source.last_line(test.body[-1]))[1]
        start, high = source.line_span(source.first_line(test.orelse[0]), source.last_line(test.orelse[-1]))
        if source.text[low:start].strip() == "else:":
            lines = source.text[start:high].splitlines(keepends=True)
            yield Slip(((low, high, "".join(line.removeprefix(unit) for line in lines)),), 0.2)


@finder
def back_otherwise(place: Place) -> Iterator[Slip]:
    """What one branch counts or sets is set back in the other."""
    source = place.source
    for test in place.all(ast.If):
        end = source.line_span(source.first_line(test), source.last_line(test))[1]
        if test.orelse or not source.text[:end].endswith(("\n", "\r")):
            continue
        for node in test.body:
            codes: list[str] = []
            if isinstance(node, ast.AugAssign):
                codes = [f"{place.code(node.target)} = 0"]
            elif isinstance(node, ast.Assign) and len(node.targets) == 1:
                empty = ("0", "None", "False")
                codes = [f"{place.code(node.targets[0])} = {one}" for one in empty]
            for code in codes:
                indent, new = source.indent(test), source.newline
                branch = f"{indent}else:{new}{indent}{source.indent_unit}{code}{new}"
                yield Slip(((end, end, branch),), 0.15)


@finder
def bounded(place: Place) -> Iterator[Slip]:
    """The greater or smaller of a value and another one of its statement or of the test around it."""
    for node in place.all(ast.Name, ast.Attribute, ast.Subscript):
        if not _is_read(node) or isinstance(place.source.parents.get(node), ast.Attribute):
            continue
        statement = place.source.statement(node)
        around = place.source.parents.get(statement) if statement is not None else None
        near = [statement, around.test if isinstance(around, ast.If) else None]
        others = dict[str, None]()
        for one in near:
            for part in walk(one):
                if isinstance(part, ast.Subscript | ast.Attribute) and _is_read(part):
                    others[place.code(part)] = None
        code = place.code(node)
        for other in [one for one in others if one and one not in code and code not in one][:3]:
            for name in ("max", "min"):
                yield from place.swap(node, f"{name}({other}, {code})", 0.1)


def _is_read(node: ast.expr) -> bool:
    return isinstance(getattr(node, "ctx", None), ast.Load)
