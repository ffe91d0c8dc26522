"""One more value that a test lets pass like one that it names: *treat .tiff like .png*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.conditions.said_words import table
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.visible import Visible
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


def allowed_alike(context: Context) -> Iterator[Built]:
    """The tests that compare with a text which the instruction names, with the new text of the condition."""
    found = []
    for area, source, root in context.trees():
        visible = context.visible(area.path, area.node)
        new = _new_text(context, visible, source)
        for one in walk(root) if new else ():
            made = _with(source, one, literal(new, source)) if isinstance(one, ast.Compare) else None
            if made is not None and _is_named(context, made[0]) and made[0] != new:
                found.append((area, source, one, made[1]))
    for area, source, node, code in found:
        spot = place(context, Anchor(area, node))
        made_call = call("replace_expression", place=spot, old=source.segment(node), new=code)
        yield Built((made_call,), area.weight * 0.9 / len(found), area.doubts)


def _new_text(context: Context, visible: Visible, source: Source) -> str:
    """The text that is to pass, too: quoted, or the one word of the condition that names nothing there."""
    span = context.span("condition")
    if span is None:
        return ""
    quoted = re.findall(r"[\"'“`]([^\"'”`]+)[\"'”`]", span.text)
    if quoted or span.quoted:
        return quoted[0] if quoted else span.text
    idle = {
        *phrases.words("articles"),
        *phrases.words("kinds"),
        *phrases.words("rest"),
        *table()["alike"]["idle"],
    }
    words = [one for one in re.findall(r"[^\W_][\w.+-]*|\.\w+", span.text) if one.lower() not in idle]
    left = [one for one in words if not any(visible.name(each) for each in (one, one.removesuffix("s")))]
    if len(left) > 1:
        names = {one.arg for one in walk(source.tree or ast.Pass()) if isinstance(one, ast.arg)}
        left = [one for one in left if not {one, one.removesuffix("s")} & names]
    return left[0] if len(left) == 1 else ""


def _is_named(context: Context, text: str) -> bool:
    """Whether an instruction names a text that stands in the code."""
    said = (key(one) for one in re.findall(r"[^\W_][\w.+-]*|\.\w+", context.beside_slots()))
    return any(one in (key(text), f"{key(text)}s", f"{key(text)}n") for one in said)


def _with(source: Source, node: ast.Compare, new: str) -> tuple[str, str] | None:
    """The text that a test compares with, and the test with another one beside it."""
    left, right, op = node.left, node.comparators[0], node.ops[0]
    if len(node.ops) > 1:
        return None
    if isinstance(op, ast.Eq) and isinstance(right, ast.Constant) and isinstance(right.value, str):
        return right.value, f"{source.segment(left)} in ({source.segment(right)}, {new})"
    if isinstance(op, ast.In) and isinstance(left, ast.Constant) and isinstance(left.value, str):
        whole = source.segment(node)
        return left.value, f"{whole} or {new} in {source.segment(right)}"
    if isinstance(op, ast.In) and isinstance(right, ast.Tuple | ast.List | ast.Set) and right.elts:
        last, shown = right.elts[-1], source.segment(node)
        texts = [
            one.value for one in right.elts if isinstance(one, ast.Constant) and isinstance(one.value, str)
        ]
        at = source.span(last)[1] - source.span(node)[0]
        return (texts[0], f"{shown[:at]}, {new}{shown[at:]}") if texts else None
    return None
