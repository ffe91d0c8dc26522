"""Slips in the form of a value: it has to be turned into something else first, or is and should not be."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.slips.place import Place, Slip, finder, in_brackets, likest
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk

_MOST_HELPERS = 5


@finder
def other_form(place: Place) -> Iterator[Slip]:
    """A value that has to be turned into something, or is and should not be."""
    helpers = _helpers(place)
    for node in _whole_values(place):
        code = place.code(node)
        if isinstance(node, ast.Constant) or not code:
            continue
        for name in other_words()["wraps"]["functions"]:
            yield from place.swap(node, name.replace("_", code, 1), 0.12)
        for name in other_words()["wraps"]["methods"]:
            yield from place.swap(node, in_brackets(code, node) + name, 0.12)
        is_owner = isinstance(place.source.parents.get(node), ast.Attribute)
        for name in () if is_owner else other_words()["wraps"]["units"]:
            yield from place.swap(node, name.replace("_", in_brackets(code, node)), 0.06)
        for name in helpers:
            yield from place.swap(node, f"{name}({code})", 0.15)
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Store):
            for other in likest(node.id, place.variables)[:4]:
                yield from place.swap(node, f"max({other}, {code})", 0.1)
                yield from place.swap(node, f"min({other}, {code})", 0.1)
                yield from place.swap(node, f"{code} + {other}", 0.08)
                yield from place.swap(node, f"{code} - {other}", 0.08)
    for call in place.all(ast.Call):
        if len(call.args) == 1 and not call.keywords and isinstance(call.func, ast.Name):
            yield from place.swap(call, place.code(call.args[0]), 0.15)
        elif isinstance(call.func, ast.Attribute) and len(call.args) <= 1:
            yield from place.swap(call, place.code(call.func.value), 0.2)


def _whole_values(place: Place) -> list[ast.expr]:
    found: dict[ast.expr, None] = {}
    for node in place.nodes:
        parts: list[ast.expr | None] = []
        if isinstance(
            node, ast.Return | ast.Assign | ast.AugAssign | ast.AnnAssign | ast.NamedExpr | ast.Yield
        ):
            parts = [node.value]
        elif isinstance(node, ast.Call):
            parts = [*node.args, *(one.value for one in node.keywords)]
            parts += [node.func.value] if isinstance(node.func, ast.Attribute) else []
        elif isinstance(node, ast.Compare):
            parts = [node.left, *node.comparators]
        elif isinstance(node, ast.BinOp):
            parts = [node.left, node.right]
        elif isinstance(node, ast.For | ast.comprehension):
            parts = [node.iter]
        elif isinstance(node, ast.Subscript) and not isinstance(node.slice, ast.Slice):
            parts = [node.slice]
        elif isinstance(node, ast.Tuple | ast.List):
            parts = [*node.elts]
        elif isinstance(node, ast.Dict):
            parts = [*node.values]
        elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp):
            parts = [node.elt]
        found |= dict.fromkeys(one for one in parts if one is not None)
    return [one for one in found if place.source.span(one)[0] >= 0]


def _helpers(place: Place) -> list[str]:
    """Functions of the file that take one value, and those that it imports."""
    source = place.source
    own = [one for one in source.functions if len(parameters(one)) == 1 and one is not place.root]
    plain = [one.name for one in own if source.class_of(one) is None]
    imported = [
        alias.asname or alias.name
        for node in walk(source.tree)
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
        if alias.name.islower()
    ]
    return list(dict.fromkeys([*plain[:_MOST_HELPERS], *imported[:_MOST_HELPERS]]))


@finder
def each_part(place: Place) -> Iterator[Slip]:
    """What has to be done with each part of a pair, or with all that is joined."""
    groups: list[ast.Tuple | ast.List] = [*place.all(ast.Tuple), *place.all(ast.List)]
    for node in groups:
        parts = [place.code(one) for one in node.elts]
        if 2 <= len(parts) <= 3 and all(parts) and isinstance(node.ctx, ast.Load):
            for name in ("abs", "int", "str", "float"):
                shown = ", ".join(f"{name}({one})" for one in parts)
                yield from place.swap(
                    node, f"({shown})" if isinstance(node, ast.Tuple) else f"[{shown}]", 0.15
                )
    for call in place.all(ast.Call):
        if isinstance(call.func, ast.Attribute) and call.func.attr == "join" and len(call.args) == 1:
            yield from place.swap(call.args[0], f"map(str, {place.code(call.args[0])})", 0.35)
            yield from place.swap(call.args[0], f"sorted({place.code(call.args[0])})", 0.2)


@finder
def around_the_end(place: Place) -> Iterator[Slip]:
    """An index that goes past the end of a list: it begins again there, or stays."""
    lists = [place.code(one.value) for one in walk(place.source.tree) if isinstance(one, ast.Subscript)]
    names = list(dict.fromkeys(one for one in lists if one.startswith("self.") or one in place.variables))[:3]
    for node in place.all(ast.AugAssign):
        if isinstance(node.op, ast.Add | ast.Sub):
            target, sign = place.code(node.target), "+" if isinstance(node.op, ast.Add) else "-"
            moved = f"{target} {sign} {place.code(node.value)}"
            for name in names:
                yield from place.swap(node, f"{target} = ({moved}) % len({name})", 0.15)
                yield from place.swap(node, f"{target} = min({moved}, len({name}) - 1)", 0.1)
            yield from place.swap(node, f"{target} = max({moved}, 0)", 0.12)


@finder
def whole_key(place: Place) -> Iterator[Slip]:
    """A key that misses an argument, in all places where it is used: `cache[a]` for `cache[a, b]`."""
    function = place.root
    if not isinstance(function, Function):
        return
    names = [one.arg for one in parameters(function) if one.arg not in ("self", "cls")]
    keyed: dict[tuple[str, str], list[ast.expr]] = {}
    for node in place.all(ast.Subscript):
        keyed.setdefault((place.code(node.value), place.code(node.slice)), []).append(node.slice)
    for test in place.all(ast.Compare):
        if isinstance(test.ops[0], ast.In | ast.NotIn):
            keyed.setdefault((place.code(test.comparators[0]), place.code(test.left)), []).append(test.left)
    for (_, key), nodes in keyed.items():
        for other in names if len(nodes) > 1 and key in names else ():
            if other != key:
                yield Slip(tuple((*place.source.span(one), f"({key}, {other})") for one in nodes), 0.15)


@finder
def one_text(place: Place) -> Iterator[Slip]:
    """A comma that is missing: between two texts, or behind the only one of a tuple."""
    source = place.source
    for node in place.all(ast.Constant):
        low, high = source.span(node)
        if not isinstance(node.value, str) or low < 1:
            continue
        code = source.text[low:high]
        for end, start in _joints(code):
            yield Slip(((low + end, low + start, "," + code[end:start]),), 0.4)
        if source.text[low - 1] == "(" and source.text[high : high + 1] == ")":
            called = low > 1 and (source.text[low - 2].isalnum() or source.text[low - 2] in "_)]")
            if not called:
                yield Slip(((high, high, ","),), 0.3)


def _joints(code: str) -> list[tuple[int, int]]:
    """Where a text that is written in several pieces is joined."""
    out, quote, at = [], "", 0
    end = -1
    while at < len(code):
        letter = code[at]
        if quote:
            if letter == "\\":
                at += 1
            elif letter == quote:
                quote, end = "", at + 1
        elif letter in "'\"":
            if end >= 0 and not code[end:at].strip():
                out.append((end, at))
            quote = letter
        at += 1
    return out
