"""Texts that are told as they come out: `sent 3 alerts` of `"sent %d alerts"`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import is_print
from spark_tui.intent.texts.printed_texts import as_code, parts_of_call
from spark_tui.intent.texts.text_parts import Part, TextField, split_text
from spark_tui.intent.values.literals.moments import DATE_FIELD, date_format
from spark_tui.pysource.source import Source

_FIELD = re.compile(r"%[-+0 #]*\d*(?:\.\d+)?[sdrfgi]|\{[^{}]+\}|\{\}")


def shown_texts(context: Context) -> list[tuple[Anchor, str, str]]:
    """The strings whose text comes out as the old one of an order, each with its code and the new one."""
    intent = context.reading.intent
    new = context.text("message" if intent == "replace_message" else "new").strip("`'\"")
    old = context.text("old").strip("`'\"")
    found = [
        (Anchor(area, node, 0.9, area.doubts), code, made)
        for area, source, node in context.find(ast.AST)
        if _is_text(source.parents.get(node), node) and source.span(node)[0] >= 0
        for code in (source.segment(node),)
        if (made := _of_code(code, old, new)) is not None and made != code
    ]
    found = found or [
        (Anchor(area, node, 0.9, area.doubts), source.segment(node), made)
        for area, source, node in context.find(ast.expr)
        if (made := _put_together(source, node, old, new)) is not None
    ]
    by_node = {one.node: (code, made) for one, code, made in found}
    return [(anchor, *by_node[anchor.node]) for anchor in weighted(context, [one for one, *_ in found])]


def _put_together(source: Source, node: ast.expr, old: str, new: str) -> str | None:
    """The code that shows a new text with the values of the old one: of a print with several arguments, or of
    a text with values in it. A number may have fewer decimals."""
    several = isinstance(node, ast.Call) and is_print(node) and len(node.args) > 1 and not node.keywords
    if not several and isinstance(source.parents.get(node), ast.BinOp | ast.JoinedStr):
        return None
    printed = node if isinstance(node, ast.Call) and several else None
    parts = (split_text(source, node) if printed is None else parts_of_call(source, printed)) or []
    fields = [part for part in parts if isinstance(part, TextField)]
    fixed = "".join(part for part in parts if isinstance(part, str))
    shape = "".join(re.escape(part) if isinstance(part, str) else "([^{}]+?)" for part in parts)
    shown = re.fullmatch(shape, old) if fields and re.search(r"[^\W\d_]", fixed) else None
    spots = [_shown_in(new, value) for value in shown.groups()] if shown is not None else []
    if shown is None or any(len(spot) != 1 for spot in spots):
        return None
    made: list[Part] = []
    end = 0
    placed = zip(spots, fields, shown.groups(), strict=True)
    for (spot,), field, value in sorted(placed, key=lambda item: item[0][0].start()):
        digits = len(spot[0].partition(".")[2])
        made += [new[end : spot.start()], field if spot[0] == value else replace(field, spec=f".{digits}f")]
        end = spot.end()
    code = as_code(source, [part for part in (*made, new[end:]) if part])
    return f"print({code})" if several else code


def _shown_in(text: str, value: str) -> list[re.Match[str]]:
    """Where a value stands in a text, or the number that it is with fewer decimals."""
    words = list(re.finditer(rf"(?<!\w){re.escape(value)}(?!\w)", text))
    if words or not re.fullmatch(r"\d+\.\d+", value):
        return words
    numbers = re.finditer(r"\d+(?:\.\d+)?", text)
    return [one for one in numbers if f"{float(value):.{len(one[0].partition('.')[2])}f}" == one[0]]


def _is_text(outer: ast.AST | None, node: ast.AST) -> bool:
    plain = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return (plain or isinstance(node, ast.JoinedStr)) and not isinstance(outer, ast.JoinedStr | ast.Expr)


def _of_code(code: str, old: str, new: str) -> str | None:
    """The literal that shows the new text where this one shows the old."""
    found = re.fullmatch(r"([rfRF]{0,2})(['\"])(.*)\2", code)
    if found is None or found[3].startswith(found[2]):
        return None
    body = found[3]
    if len(DATE_FIELD.findall(body)) > (not old) and (date := date_format(body, old, new)) is not None:
        return f"{found[1]}{found[2]}{date}{found[2]}"
    if not old or ("{" in body and "f" not in found[1].lower() and "{}" not in body):
        return None
    made = next((body.replace(part, text, 1) for part, text in _refilled(body, old, new)), None)
    bad = made is not None and (found[2] in made.replace(body, "") or "\\" in made.replace(body, ""))
    return f"{found[1]}{found[2]}{made}{found[2]}" if made is not None and not bad else None


def _refilled(body: str, old: str, new: str) -> Iterator[tuple[str, str]]:
    """The parts of a template that show an old text, and what shows the new one with the same values."""
    pieces = body.split(" ")
    for many in range(len(pieces), 0, -1):
        for at in range(len(pieces) - many + 1):
            part = " ".join(pieces[at : at + many])
            fields = _FIELD.findall(part)
            shape = "(.+?)".join(map(re.escape, _FIELD.split(part)))
            shown = (
                re.fullmatch(shape, old) if fields and re.search(r"[^\W\d_]", _FIELD.sub("", part)) else None
            )
            if shown is None:
                continue
            text = new
            for field, value in zip(fields, shown.groups(), strict=True):
                pieces = re.split(rf"(?<!\w){re.escape(value)}(?!\w)", text)
                if len(pieces) != 2:
                    return
                text = field.join(pieces)
            yield part, text
            return
