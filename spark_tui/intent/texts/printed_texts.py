"""What a print, a log call or an exit says."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.finders.shown_messages import EXITS
from spark_tui.intent.texts.text_parts import Part, TextField, as_field, quote_text, split_text
from spark_tui.intent.values.converters.of_slots import quote_of
from spark_tui.pysource.source import Source


def words_of_call(source: Source, made: ast.Call) -> str:
    """What a call says as one text."""
    if ast.unparse(made.func) in EXITS and not _is_text(made.args):
        return ""
    rows = [arg for arg in made.args if not isinstance(arg, ast.Starred)]
    if len(rows) == 1:
        text = source.segment(rows[0])
        return re.sub(r"\\n(?=[\"'](?:\Z|\.format|\s*%))", "", text)
    parts = parts_of_call(source, made)
    return as_code(source, parts) if parts else ", ".join(source.segment(row) for row in rows)


def parts_of_call(source: Source, made: ast.Call) -> list[Part]:
    """The texts and values that a call shows."""
    rows = [arg for arg in made.args if not isinstance(arg, ast.Starred)]
    if is_log(made):
        whole = ast.BinOp(rows[0], ast.Mod(), ast.Tuple(rows[1:], ast.Load())) if rows else None
        return (split_text(source, whole) if whole is not None else None) or []
    parts: list[Part] = []
    for at, one in enumerate(rows):
        parts += [" "] if at else []
        constant = isinstance(one, ast.Constant) and isinstance(one.value, str)
        inner = [str(one.value)] if isinstance(one, ast.Constant) and constant else split_text(source, one)
        parts += inner if inner is not None else [TextField(one)]
    return parts


def as_code(source: Source, parts: list[Part]) -> str:
    """The literal, or the f-string, that shows texts and values."""
    quote = quote_of(source)
    other = "'" if quote == '"' else '"'
    shown = "".join(
        part.replace("{", "{{").replace("}", "}}")
        if isinstance(part, str)
        else as_field(source, part).replace(quote, other)
        for part in parts
    )
    plain = not any(isinstance(part, TextField) for part in parts)
    return quote_text(shown, quote) if plain else f"f{quote_text(shown, quote)}"


def _is_text(rows: list[ast.expr]) -> bool:
    return any(not isinstance(row, ast.Constant) or isinstance(row.value, str) for row in rows)
