"""Slips in what is named or written out: another name, number or text, and a value of another form."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.slips.place import Place, Slip, finder, in_brackets, likest
from spark_tui.intent.words.other_words import other_words
from spark_tui.pysource.source import Function

_MOST_LITERALS = 8


@finder
def other_name(place: Place) -> Iterator[Slip]:
    for node in place.all(ast.Name):
        if isinstance(node.ctx, ast.Load) and node.id in place.variables:
            for at, other in enumerate(likest(node.id, place.variables)):
                yield from place.swap(node, other, 0.4 / (1 + 0.3 * at))
        elif isinstance(node.ctx, ast.Store) and not isinstance(place.source.parents.get(node), ast.For):
            for at, other in enumerate(likest(node.id, place.variables)[:3]):
                yield from place.swap(node, other, 0.2 / (1 + 0.3 * at))
    for attribute in place.all(ast.Attribute):
        value = in_brackets(place.code(attribute.value), attribute.value)
        called = place.source.parents.get(attribute)
        if isinstance(called, ast.Call) and called.func is attribute:
            continue
        for at, other in enumerate(likest(attribute.attr, place.members)[:4]):
            yield from place.swap(attribute, f"{value}.{other}", 0.35 / (1 + 0.5 * at))
        if isinstance(attribute.value, ast.Name) and attribute.attr in place.variables:
            yield from place.swap(attribute, attribute.attr, 0.3)
    own = [one for one in place.variables if one in place.members and "self" in place.variables]
    for node in place.all(ast.Name):
        if node.id in own and isinstance(node.ctx, ast.Load | ast.Store):
            yield from place.swap(node, f"self.{node.id}", 0.3)


@finder
def other_literal(place: Place) -> Iterator[Slip]:
    for node in place.all(ast.Constant):
        value, around = node.value, place.source.parents.get(node)
        if isinstance(around, ast.Dict) and node in around.keys:
            continue
        if isinstance(value, bool):
            yield from place.swap(node, str(not value), 0.6)
        elif isinstance(value, int | float):
            yield from _numbers(place, node, value)
        elif isinstance(value, str):
            yield from _texts(place, node, value)
        elif value is None:
            for other in ("0", "''", "[]", "{}", "1"):
                yield from place.swap(node, other, 0.12)


def _numbers(place: Place, node: ast.Constant, value: int | float) -> Iterator[Slip]:
    in_sum = isinstance(place.source.parents.get(node), ast.BinOp)
    if isinstance(value, int):
        yield from place.swap(node, str(value + 1), 0.5)
        if value != 1 or not in_sum:
            yield from place.swap(node, str(value - 1), 0.5)
    others = [one for one in place.literals if isinstance(one, int | float) and one != value]
    near = sorted(others, key=lambda one: abs(one - value))[:_MOST_LITERALS]
    for other in dict.fromkeys([*near, -value, 0, value * 10, value / 10, value * 100, value / 100]):
        shown = (
            int(other)
            if isinstance(other, float) and other.is_integer() and isinstance(value, int)
            else other
        )
        if shown != 0 or not in_sum:
            yield from place.swap(node, repr(shown), 0.15)


def _texts(place: Place, node: ast.Constant, value: str) -> Iterator[Slip]:
    quoted = place.code(node)
    if not quoted or quoted[-1] not in "'\"" or isinstance(place.source.parents.get(node), ast.JoinedStr):
        return
    prefix = "r" if quoted[0] in "rR" else ""
    others = [one for one in place.literals if isinstance(one, str) and one != value]
    for other in likest(value, tuple(others))[:_MOST_LITERALS]:
        yield from place.swap(node, _quoted(other, quoted, ""), 0.15)
    for other in dict.fromkeys(
        (value.lower(), value.upper(), value.strip(), f"{value} ", f" {value}", "", " ")
    ):
        if other != value:
            yield from place.swap(node, _quoted(other, quoted, ""), 0.12)
    for old, news in other_words()["pieces"].items():
        for at in [found.start() for found in re.finditer(re.escape(old), value)][:3]:
            for new in news:
                changed = value[:at] + new + value[at + len(old) :]
                yield from place.swap(node, _quoted(changed, quoted, prefix), 0.25)
    if "\\" in quoted or any(one in value for one in "[(*+?"):
        for changed in (f"^{value}", f"{value}$", f"^{value}$", f"{value}+", f"{value}*", f"{value}?"):
            yield from place.swap(node, _quoted(changed, quoted, prefix), 0.1)


def _quoted(text: str, quoted: str, prefix: str) -> str:
    shown = repr(text)
    if prefix and "'" not in text and not text.endswith("\\"):
        shown = f"'{text}'"
    if quoted[-1] == '"' and '"' not in shown:
        shown = f'"{shown[1:-1]}"'
    return prefix + shown


@finder
def other_format(place: Place) -> Iterator[Slip]:
    """The digits behind a format's dot, or a width."""
    for node in place.all(ast.FormattedValue):
        high = place.source.span(node.value)[1]
        after = re.match(r"[^{}'\"\n]*:([^{}'\"\n]+)\}", place.source.text[high : high + 24])
        if after is None:
            continue
        spec, at = after[1], high + after.start(1)
        for found in re.finditer(r"\d+", spec):
            number = int(found[0])
            for other in dict.fromkeys((number + 1, max(number - 1, 0), 0, 1, 2)):
                text = spec[: found.start()] + str(other) + spec[found.end() :]
                yield Slip(((at, at + len(spec), text),), 0.25)
        for old, new in ((">", "<"), ("<", ">"), ("^", ">"), (",", ""), ("f", "%")):
            if old in spec:
                yield Slip(((at, at + len(spec), spec.replace(old, new, 1)),), 0.2)


@finder
def other_default(place: Place) -> Iterator[Slip]:
    """Another default of a parameter of the function that ran."""
    if isinstance(place.root, Function):
        spec = place.root.args
        for default in [*spec.defaults, *(one for one in spec.kw_defaults if one is not None)]:
            if isinstance(default, ast.Constant) and place.source.span(default)[0] >= 0:
                value = default.value
                if isinstance(value, bool):
                    yield from place.swap(default, str(not value), 0.4)
                elif isinstance(value, int | float):
                    yield from _numbers(place, default, value)
                elif isinstance(value, str):
                    yield from _texts(place, default, value)
