"""A further attribute in the text that `__repr__` or `__str__` of a class gives already."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.classes.fields import container_fields, fields_set
from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.texts.text_parts import TextField, split_text
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

_OF_ITEMS = ("len", "iter", "contains", "getitem", "bool")


def show_more_attributes(context: Context, anchor: Anchor, method: str, names: list[str]) -> Iterator[Built]:
    """The text with the attributes after the last one that it shows, in the same form."""
    source, found = context.source(anchor.path), anchor.node
    body = found.body if isinstance(found, ast.ClassDef) else []
    own = next((stmt for stmt in body if isinstance(stmt, Function) and stmt.name == method), None)
    for node in walk(own):
        value = node.value if isinstance(node, ast.Return) else None
        new = _longer(source, value, names) if value is not None else ""
        if value is not None and new:
            yield build_at(anchor, replace_code(context, Anchor(anchor.area, value), new), weight=0.9)
            return


def held_attributes(node: ast.AST | None, method: str) -> list[str]:
    """The attributes that a class with several may hold its items in, if a method asks for one of them: those
    that its other methods look something up in. Otherwise an empty name, which leaves the choice."""
    if not isinstance(node, ast.ClassDef) or method not in _OF_ITEMS or len(container_fields(node)) == 1:
        return [""]
    own, found = set(fields_set(node, public=False)), dict[str, None]()
    for inner in walk(node):
        asked = inner.comparators[0] if isinstance(inner, ast.Compare) else getattr(inner, "iter", None)
        held = inner.value if isinstance(inner, ast.Subscript) else asked
        if isinstance(held, ast.Attribute) and ast.unparse(held.value) == "self" and held.attr in own:
            found[held.attr] = None
    return list(found) if len(found) > 1 else [""]


def _longer(source: Source, node: ast.expr, names: list[str]) -> str:
    parts = split_text(source, node)
    fields = [part for part in parts or () if isinstance(part, TextField)]
    shown = [ast.unparse(field.value) for field in fields]
    last = fields[-1] if fields else None
    if parts is None or last is None or not re.fullmatch(r"self\.\w+", shown[-1]):
        return ""
    names = [name for name in names if f"self.{name}" not in shown]
    before = parts[parts.index(last) - 1] if parts.index(last) else ""
    between = before if isinstance(before, str) and len(fields) > 1 else ""
    old = shown[-1].removeprefix("self.")
    gap = re.sub(r"\A[^,;|/ ]+(?=[,;|/ ])", "", between)
    gap = ", " if not gap or re.search(r"[()<>\[\]]", gap) else gap
    return _appended(source, node, last, [(name, gap.replace(old, name)) for name in names]) if names else ""


def _appended(source: Source, node: ast.expr, last: TextField, more: list[tuple[str, str]]) -> str:
    """The code of a text with more fields: in an f-string, or filled by `%`."""
    low, text = source.span(node)[0], source.segment(node)
    high = source.span(last.value)[1] - low
    if isinstance(node, ast.JoinedStr):
        end = text.index("}", high) + 1
        form = text[high:end]
        return text[:end] + "".join(f"{gap}{{self.{one}{form}" for one, gap in more) + text[end:]
    if (
        not isinstance(node, ast.BinOp)
        or not isinstance(node.op, ast.Mod)
        or not isinstance(node.right, ast.Tuple)
    ):
        return ""
    left = source.segment(node.left)
    places = list(re.finditer(r"%(?!%)[-0+ #]*\d*(?:\.\d+)?[a-zA-Z]", left))
    form = places[-1][0] if places[-1][0][-1] in "sr" else "%s"
    at = places[-1].end()
    left = left[:at] + "".join(f"{gap}{form}" for _, gap in more) + left[at:]
    between = text[len(source.segment(node.left)) : high]
    return left + between + "".join(f", self.{one}" for one, _ in more) + text[high:]
