"""Slips in statements: one too many or missing, in the wrong order, or at the wrong depth."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import pairwise

from spark_tui.intent.slips.place import Place, Slip, finder
from spark_tui.pysource.source import Definition, Function, docstring, parameters
from spark_tui.pysource.syntax.parsing import suites
from spark_tui.pysource.syntax.walking import LOOPS, walk

_BLOCKS = (ast.For, ast.While, ast.If, ast.With, ast.Try, ast.AsyncFor, ast.AsyncWith)
_EMPTY = ("0", "None", "[]", "''", "{}", "False", "True", "set()", "0.0")
_MOST_EMPTY, _MOST_WANTED = 4, 3
_FORMS = (
    "list(_)",
    "_.strip()",
    "_.lower()",
    "sorted(_)",
    "dict(_)",
    "_ or []",
    "_ or {}",
    "int(_)",
    "float(_)",
    "str(_)",
    "abs(_)",
)
"""What may be made of a parameter before it is used."""
_NOTHING = {"not _": 0.15, "not _.strip()": 0.15, "_ is None": 0.08, "_ <= 0": 0.08, "_ == 1": 0.08}
"""Tests of a parameter for which there may be nothing to do."""


def _suites(place: Place) -> Iterator[list[ast.stmt]]:
    for node in (place.root, *place.nodes):
        if isinstance(node, ast.stmt | ast.Module | ast.ExceptHandler) and (
            node is place.root or not isinstance(node, Definition)
        ):
            yield from suites(node)


def _span(place: Place, first: ast.stmt, last: ast.stmt | None = None) -> tuple[int, int]:
    source = place.source
    return source.line_span(source.first_line(first), source.last_line(last or first))


def _indented(text: str, unit: str, more: int) -> str:
    lines = text.splitlines(keepends=True)
    if more > 0:
        return "".join(unit * more + line if line.strip() else line for line in lines)
    return "".join(line.removeprefix(unit) for line in lines)


def _at(text: str, indent: str) -> str:
    """A statement at another indentation."""
    own = text[: len(text) - len(text.lstrip())]
    return "".join(indent + line.removeprefix(own) for line in text.splitlines(keepends=True))


def _ended(place: Place, text: str) -> str:
    return text if text.endswith(("\n", "\r")) else text + place.source.newline


def _alone(place: Place, node: ast.stmt) -> bool:
    """Whether a statement has its lines for itself."""
    low, high = place.source.span(node)
    first, last = _span(place, node)
    text = place.source.text
    return not text[first:low].strip() and not text[high:last].strip(" \t\r\n").rstrip().partition("#")[0]


@finder
def surplus(place: Place) -> Iterator[Slip]:
    """A statement that should not be there."""
    for suite in _suites(place):
        for node in suite:
            if node is not docstring(place.root) and _alone(place, node) and not isinstance(node, Definition):
                low, high = _span(place, node)
                kept = "" if len(suite) > 1 else f"{place.source.indent(node)}pass{place.source.newline}"
                weight = 0.3 if not isinstance(node, _BLOCKS) else 0.15
                yield Slip(((low, high, kept),), weight)
    for node in place.all(ast.If):
        if not node.orelse and _alone(place, node):
            low, high = _span(place, node.body[0], node.body[-1])
            inner = _indented(place.source.text[low:high], place.source.indent_unit, -1)
            yield Slip(((*_span(place, node), inner),), 0.2)


@finder
def other_order(place: Place) -> Iterator[Slip]:
    for suite in _suites(place):
        for one, two in pairwise(suite):
            if one is docstring(place.root) or not (_alone(place, one) and _alone(place, two)):
                continue
            (low, mid), (start, end) = _span(place, one), _span(place, two)
            text = place.source.text
            first = _ended(place, text[start:end])
            yield Slip(((low, end, first + text[mid:start] + text[low:mid]),), 0.35)


@finder
def other_depth(place: Place) -> Iterator[Slip]:
    """The last statements of a block belong after it, the statement after it into it, or one in front."""
    source, unit = place.source, place.source.indent_unit
    for suite in _suites(place):
        for at, block in enumerate(suite):
            if not isinstance(block, _BLOCKS) or getattr(block, "orelse", None):
                continue
            inner: list[ast.stmt] = getattr(block, "body", [])
            for count in (1, 2):
                if len(inner) > count and all(_alone(place, one) for one in inner[-count:]):
                    low, high = _span(place, inner[-count], inner[-1])
                    yield Slip(((low, high, _indented(source.text[low:high], unit, -1)),), 0.6 / count)
            if at + 1 < len(suite) and inner and _alone(place, suite[at + 1]):
                low, high = _span(place, suite[at + 1])
                depth = _depth(place, inner[-1], suite[at + 1])
                yield Slip(((low, high, _indented(source.text[low:high], unit, depth)),), 0.4)
            if at and inner and isinstance(block, LOOPS) and isinstance(suite[at - 1], ast.Assign):
                low, high = _span(place, suite[at - 1])
                start = _span(place, inner[0])[0]
                moved = _indented(source.text[low:high], unit, 1)
                yield Slip(((low, high, ""), (start, start, moved)), 0.4)
                yield Slip(((start, start, moved),), 0.1)


def _depth(place: Place, inner: ast.stmt, outer: ast.stmt) -> int:
    longer = len(place.source.indent(inner)) - len(place.source.indent(outer))
    return max(1, longer // max(len(place.source.indent_unit), 1))


@finder
def other_assignment(place: Place) -> Iterator[Slip]:
    """`+=` for `=`: an assignment that should add."""
    source = place.source
    for node in place.all(ast.Assign):
        if len(node.targets) == 1 and isinstance(node.targets[0], ast.Name | ast.Attribute | ast.Subscript):
            low, high = source.span(node.targets[0])[1], source.span(node.value)[0]
            between = source.text[low:high]
            if "=" in between and "(" not in between:
                yield Slip(((low, high, between.replace("=", "+=", 1)),), 0.35)
                yield Slip(((low, high, between.replace("=", "-=", 1)),), 0.1)


@finder
def leaving(place: Place) -> Iterator[Slip]:
    """`break` for `continue`, a loop or a function that is left too early, too late or without a value."""
    source = place.source
    for node in place.all(ast.Break, ast.Continue):
        for other in ("continue" if isinstance(node, ast.Break) else "break", "return", "pass"):
            yield from place.swap(node, other, 0.25)
    for test in place.all(ast.If):
        yield from _word(place, test, "if", "while", 0.2)
        yield from _word(place, test, "elif", "if", 0.4)
        if _alone(place, test.body[-1]) and not isinstance(test.body[-1], ast.Return | ast.Raise):
            at = _span(place, test.body[-1])[1]
            indent = source.indent(test.body[-1])
            loop = any(isinstance(one, LOOPS) for one in source.ancestors(test))
            for word in ("break", "continue") if loop else ("return",):
                yield Slip(((at, at, f"{indent}{word}{source.newline}"),), 0.15)
    for suite in _suites(place):
        for one, two in pairwise(suite):
            if isinstance(one, ast.If) and isinstance(two, ast.If) and not one.orelse:
                yield from _word(place, two, "if", "elif", 0.4)
    for loop_node in place.all(ast.While):
        yield from _word(place, loop_node, "while", "if", 0.1)


def _word(place: Place, node: ast.stmt, word: str, other: str, weight: float) -> Iterator[Slip]:
    low, _ = place.source.span(node)
    if place.source.text.startswith(word, low):
        yield Slip(((low, low + len(word), other),), weight)


@finder
def missing_result(place: Place) -> Iterator[Slip]:
    """A result that is not returned, or an empty value that is not asked for first."""
    function, source = place.root, place.source
    if not isinstance(function, Function) or not function.body:
        return
    last = function.body[-1]
    indent, at = source.indent(last), _span(place, last)[1]
    if not isinstance(last, ast.Return | ast.Raise):
        start = at if source.text[:at].endswith(("\n", "\r")) else None
        for name in place.variables[-6:]:
            if start is not None:
                yield Slip(((at, at, f"{indent}return {name}{source.newline}"),), 0.35)
        if isinstance(last, ast.Expr) and docstring(function) is not last:
            yield from place.swap(last, f"return {place.code(last.value)}", 0.5)
    body = [one for one in function.body if one is not docstring(function)]
    if not body:
        return
    first = _span(place, body[0])[0]
    deep = source.indent(body[0])
    kinds = _results(place, function)
    checked = next((at for at, one in enumerate(body) if not _is_check(one)), 0)
    starts = dict.fromkeys((_span(place, body[checked])[0], first))
    for name in [one.arg for one in parameters(function)][:3]:
        for value in [] if name in ("self", "cls") else kinds:
            for test, weight in _NOTHING.items():
                head = f"{deep}if {test.replace('_', name)}:{source.newline}"
                code = f"{head}{deep}{source.indent_unit}return {value}{source.newline}"
                for start in starts:
                    yield Slip(((start, start, code),), weight)
    for name in [one.arg for one in parameters(function)]:
        for form in _FORMS if name not in ("self", "cls") else ():
            yield Slip(((first, first, f"{deep}{name} = {form.replace('_', name)}{source.newline}"),), 0.12)


def _is_check(node: ast.stmt) -> bool:
    """Whether a statement only calls something, or raises an error."""
    if isinstance(node, ast.If):
        return all(isinstance(one, ast.Raise) for one in node.body) and not node.orelse
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)


def _results(place: Place, function: Function) -> list[str]:
    """Values that a function may give for nothing: wanted ones, those that it returns as they stand, then
    empty ones."""
    own = [one.value for one in walk(function) if isinstance(one, ast.Return) and one.value is not None]
    plain = [place.code(one) for one in own if isinstance(one, ast.Constant | ast.List | ast.Dict | ast.Name)]
    names = {one.arg for one in parameters(function)}
    given = [
        one for one in plain if not one.isidentifier() or one in names or one in ("None", "True", "False")
    ]
    return list(dict.fromkeys([*place.wanted[:_MOST_WANTED], *given, *_EMPTY[:_MOST_EMPTY]]))


@finder
def after_loop(place: Place) -> Iterator[Slip]:
    """What is done for each part and has to be done once more for the last one."""
    source, unit = place.source, place.source.indent_unit
    for loop in place.all(ast.For, ast.While):
        end = _span(place, loop)[1]
        tests = [one for one in walk(loop) if isinstance(one, ast.If)]
        for suite in [one for test in tests for one in (test.body, test.orelse)]:
            for node in suite[:2]:
                if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call | ast.Yield):
                    again = _at(place.source.text[slice(*_span(place, node))], source.indent(loop))
                    yield Slip(((end, end, again),), 0.35)
                    used = [one.id for one in walk(node.value) if isinstance(one, ast.Name)]
                    for name in [one for one in used if one in place.variables][-2:]:
                        guarded = (
                            f"{source.indent(loop)}if {name}:{source.newline}{_indented(again, unit, 1)}"
                        )
                        yield Slip(((end, end, guarded),), 0.4)
        if isinstance(loop, ast.While) and loop.body:
            inner = source.indent(loop.body[-1])
            for name in [one.id for one in walk(loop.test) if isinstance(one, ast.Name)][:3]:
                for change in ("+= 1", "-= 1"):
                    yield Slip(((end, end, f"{inner}{name} {change}{source.newline}"),), 0.3)


@finder
def kept_state(place: Place) -> Iterator[Slip]:
    """A value that has to be set back to what it was first, where a block that uses it ends."""
    source = place.source
    for suite in _suites(place):
        firsts = [
            one for one in suite if isinstance(one, ast.Assign) and isinstance(one.targets[0], ast.Name)
        ]
        for first in firsts[-4:]:
            name = place.code(first.targets[0])
            for test in place.all(ast.If):
                used = any(isinstance(one, ast.Name) and one.id == name for one in walk(test))
                loop = any(isinstance(one, LOOPS) for one in source.ancestors(test))
                if used and loop and _alone(place, test.body[-1]):
                    at = _span(place, test.body[-1])[1]
                    code = f"{source.indent(test.body[-1])}{name} = {place.code(first.value)}{source.newline}"
                    yield Slip(((at, at, code),), 0.3)


@finder
def state_left(place: Place) -> Iterator[Slip]:
    """An attribute that a method has to set back, empty or count."""
    function, source = place.root, place.source
    if not isinstance(function, Function) or function.name == "__init__":
        return
    owner = source.class_of(function)
    body = [one for one in function.body if one is not docstring(function)]
    if owner is None or not body:
        return
    inits = [one for one in owner.body if isinstance(one, Function) and one.name == "__init__"]
    start, deep = _span(place, body[0])[0], source.indent(body[0])
    last = body[-1]
    end = _span(place, last)[0 if isinstance(last, ast.Return | ast.Raise) else 1]
    for node in [one for init in inits for one in walk(init) if isinstance(one, ast.Assign | ast.AnnAssign)]:
        target = node.targets[0] if isinstance(node, ast.Assign) else node.target
        if not isinstance(target, ast.Attribute) or node.value is None:
            continue
        name, value = place.code(target), node.value
        codes = [f"{name} = {place.code(value)}"] if not isinstance(value, ast.Name) else []
        if isinstance(value, ast.List | ast.Dict | ast.Set | ast.Call):
            codes = [f"{name}.clear()"]
        elif isinstance(value, ast.Constant) and isinstance(value.value, int):
            codes += [f"{name} += 1", f"{name} -= 1"]
        for code in codes:
            for at in (end, start):
                yield Slip(((at, at, f"{deep}{code}{source.newline}"),), 0.15)
