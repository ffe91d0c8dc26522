"""Calls that hand the values to a log call, in place of a text that is put together first."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, builder
from spark_tui.intent.building.rewritten import Rewritten, build_together, replace_within
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.texts.text_parts import TextField, as_field, quote_text, split_text, write_value
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Source

_SPEC = re.compile(r"(?P<side>[<>])?(?P<width>0?\d+)?(?P<rest>\.\d+)?(?P<kind>[sdfxXeEgG])?")


@builder("lazy_logging")
def lazy_logging(context: Context) -> Iterator[Built]:
    wanted = phrases.level(context.text("level")) if context.has("level") else None
    found: list[Rewritten] = []
    calls = 0
    for area, source, node in context.find(ast.Call):
        if not is_log(node):
            continue
        calls += 1
        assert isinstance(node.func, ast.Attribute)
        level = "warning" if node.func.attr == "warn" else node.func.attr
        if wanted in (None, level) and (new := _lazy(source, node)):
            found.append(Rewritten(area, node, new))
    if calls and not found:
        raise Unresolved("the values are already arguments of the log calls", nothing=True)
    yield from build_together(context, found, "log call whose text is put together")


def _lazy(source: Source, node: ast.Call) -> str:
    """The log call with its values as arguments; empty where its text has none, or it has some already."""
    parts = split_text(source, node.args[0]) if len(node.args) == 1 else None
    if parts is None or not any(isinstance(part, TextField) for part in parts):
        return ""
    text = ""
    values: list[str] = []
    for item in parts:
        if isinstance(item, str):
            text += item.replace("%", "%%")
            continue
        sign = _sign(item)
        text += sign or "%s"
        values.append(write_value(source, item.value) if sign else f'f"{as_field(source, item)}"')
    given = ", ".join([quote_text(text, quote_of(source)), *values])
    return replace_within(source, node, node.args[0], given)


def _sign(filled: TextField) -> str:
    """The placeholder of a value; empty where `%` has no such format."""
    if filled.conversion:
        return f"%{filled.conversion}" if not filled.spec and filled.conversion in "ra" else ""
    found = _SPEC.fullmatch(filled.spec)
    if found is None:
        return ""
    side, width, kind = found["side"] or "", found["width"] or "", found["kind"] or ""
    if width and not side and kind in ("", "s"):
        side = "<"  # a text is put to the left
    if found["rest"] and not kind:
        return ""
    return f"%{'-' if side == '<' else ''}{width}{found['rest'] or ''}{kind or 's'}"
