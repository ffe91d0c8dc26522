"""A text that is put together by `%`, `+`, `.format` or an f-string, as its parts."""

from __future__ import annotations

import ast
import re
import string
from dataclasses import dataclass

from spark_tui.intent.facts.literal_types import is_text
from spark_tui.pysource.source import Source

_CONVERSION = re.compile(r"%(?P<spec>[-0+ ]*\d*(?:\.\d+)?)(?P<kind>[srdifxXeEgG%])")


@dataclass(frozen=True, eq=False)
class TextField:
    """A value in a text: its tree, `r` or nothing, and its format as in an f-string."""

    value: ast.expr
    conversion: str = ""
    spec: str = ""


Part = str | TextField


def split_text(source: Source, node: ast.expr) -> list[Part] | None:
    """The parts of a text with values in it; None where it is none, or cannot be taken apart."""
    out: list[Part] = []
    rows = _parts(source, node)
    for row in rows or ():
        if isinstance(row, str) and out and isinstance(out[-1], str):
            out[-1] += row
        elif row != "":
            out.append(row)
    return out if rows is not None else None


def _parts(source: Source, node: ast.expr) -> list[Part] | None:
    if isinstance(node, ast.JoinedStr):
        return _joined(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mod) and is_text(node.left):
        return _percent(node)
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _sum(source, node)
    func = node.func if isinstance(node, ast.Call) else None
    if isinstance(func, ast.Attribute) and func.attr == "format" and isinstance(func.value, ast.Constant):
        assert isinstance(node, ast.Call)
        return _format(str(func.value.value), node) if is_text(func.value) else None
    return None


def _joined(node: ast.JoinedStr) -> list[Part] | None:
    out: list[Part] = []
    for value in node.values:
        if isinstance(value, ast.Constant):
            out.append(str(value.value))
        elif isinstance(value, ast.FormattedValue):
            rows = value.format_spec.values if isinstance(value.format_spec, ast.JoinedStr) else []
            if any(not isinstance(row, ast.Constant) for row in rows):
                return None
            spec = "".join(str(row.value) for row in rows if isinstance(row, ast.Constant))
            out.append(TextField(value.value, chr(value.conversion) if value.conversion > 0 else "", spec))
    return out


def _percent(node: ast.BinOp) -> list[Part] | None:
    assert isinstance(node.left, ast.Constant)
    text = str(node.left.value)
    values = list(node.right.elts) if isinstance(node.right, ast.Tuple) else [node.right]
    out: list[Part] = []
    at = 0
    for found in _CONVERSION.finditer(text):
        out.append(text[at : found.start()])
        at = found.end()
        if found["kind"] == "%":
            out.append("%")
            continue
        if not values:
            return None
        kind = found["kind"]
        spec = found["spec"] + ("" if kind in "sr" else "d" if kind == "i" else kind)
        padded = kind in "sr" and re.fullmatch(r"-?\d+", found["spec"])
        spec = ("<" if spec[0] == "-" else ">") + spec.lstrip("-") if padded else spec
        out.append(TextField(values.pop(0), "r" if kind == "r" else "", spec))
    return None if values or "%" in text[at:] else [*out, text[at:]]


def _sum(source: Source, node: ast.expr) -> list[Part] | None:
    rows = _added(node)
    if not any(is_text(row) or isinstance(row, ast.JoinedStr) for row in rows):
        return None
    out: list[Part] = []
    for item in rows:
        inner = split_text(source, item)
        if isinstance(item, ast.Constant) and isinstance(item.value, str):
            out.append(item.value)
        elif inner is not None:
            out += inner
        elif isinstance(item, ast.Call) and ast.unparse(item.func) in ("str", "repr") and len(item.args) == 1:
            out.append(TextField(item.args[0], "r" if ast.unparse(item.func) == "repr" else ""))
        else:
            out.append(TextField(item))
    return out


def _added(node: ast.expr) -> list[ast.expr]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return [*_added(node.left), *_added(node.right)]
    return [node]


def _format(text: str, node: ast.Call) -> list[Part] | None:
    named = {keyword.arg: keyword.value for keyword in node.keywords}
    out: list[Part] = []
    count = 0
    try:
        rows = list(string.Formatter().parse(text))
    except ValueError:
        return None
    for piece, name, spec, conversion in rows:
        out.append(piece)
        if name is None:
            continue
        place, count = (str(count), count + 1) if not name else (name, count)
        value = node.args[int(place)] if place.isdigit() and int(place) < len(node.args) else named.get(place)
        if value is None or "{" in (spec or "") or isinstance(value, ast.Starred):
            return None
        out.append(TextField(value, conversion or "", spec or ""))
    return out


def quote_text(text: str, quote: str = '"') -> str:
    """A text as a literal in these quotes; one of several lines in three of them."""
    if "\n" in text.rstrip("\n") and "\\" not in text and '"""' not in text and not text.endswith('"'):
        return f'"""{text}"""'
    if quote == '"' and '"' not in text:
        return f'"{repr(chr(39) + text)[2:-1]}"'
    return repr(text)


def as_field(source: Source, filled: TextField) -> str:
    """A value as it stands in an f-string."""
    shown = write_value(source, filled.value)
    mark = f"!{filled.conversion}" if filled.conversion else ""
    return "{" + shown + mark + (f":{filled.spec}" if filled.spec else "") + "}"


def write_value(source: Source, node: ast.expr) -> str:
    """The code of a value, also inside an unusual f-string, where its place is not known."""
    return source.segment(node) or ast.unparse(node)
