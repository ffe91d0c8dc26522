"""Texts that are told as they come out: `sent 3 alerts` of `"sent %d alerts"`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.values.literals.date_formats import DATE_FIELD, date_format
from spark_tui.pysource.syntax.walking import walk

_FIELD = re.compile(r"%[-+0 #]*\d*(?:\.\d+)?[sdrfgi]|\{[^{}]+\}|\{\}")


def shown_texts(context: Context) -> list[tuple[Anchor, str, str]]:
    """The strings whose text comes out as the old one of an order, each with its code and the new one."""
    intent = context.reading.intent
    new = context.text("message" if intent == "replace_message" else "new").strip("`'\"")
    old = context.text("old").strip("`'\"")
    found = [
        (Anchor(area, node, 0.9, area.doubts), code, made)
        for area, source, root in context.trees()
        for node in walk(root)
        if _is_text(source.parents.get(node), node) and source.span(node)[0] >= 0
        for code in (source.segment(node),)
        if (made := _of_code(code, old, new)) is not None and made != code
    ]
    by_node = {one.node: (code, made) for one, code, made in found}
    return [(anchor, *by_node[anchor.node]) for anchor in weighted(context, [one for one, *_ in found])]


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
