"""Calls that print or write, and what takes their place."""

from __future__ import annotations

import ast
import re

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.blocks import is_log
from spark_tui.pysource.source import Source

_LINE_END = re.compile(r"""(?:\\n)(?=["']\Z)""")


def written_or_printed(context: Context, path: str, node: ast.Call, new: str) -> str:
    """`print` for `write` of a stream or the other way round: one of them ends the line."""
    source, called = context.source(path), ast.unparse(node.func)
    holder, _, last = called.rpartition(".")
    streams = ("sys.stdout", "sys.stderr")
    if new == "print" and is_log(node):
        return _printed_log(source, node)
    if len(node.args) != 1 or node.keywords or isinstance(node.args[0], ast.Starred):
        return ""
    text, is_text = source.segment(node.args[0]), isinstance(node.args[0], ast.Constant | ast.JoinedStr)
    if new == "print" and last == "write" and holder in streams:
        cut = _LINE_END.sub("", text) if is_text else text
        stream = f", file={holder}" if holder != streams[0] else ""
        return f"print({cut}{stream})" if cut != text else f'print({text}, end=""{stream})'
    if new == "print" and last == "write" and holder and (ended := _ended_line(source, node.args[0])):
        return f"print({ended}, file={holder})"
    if called == "print" and new in [f"{stream}.write" for stream in streams]:
        ended = f"{text[:-1]}\\n{text[-1]}" if is_text and text[-1] in "\"'" else f'f"{{{text}}}\\n"'
        return f"{new}({ended})"
    return ""


def _ended_line(source: Source, node: ast.expr) -> str:
    """A text that ends its line, without that end; empty where it may be none."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=ast.Constant(value="\n")):
            return source.segment(left)
        case ast.JoinedStr() | ast.Constant(value=str()):
            text = source.segment(node)
            return cut if (cut := _LINE_END.sub("", text)) != text else ""
    return ""


def _printed_log(source: Source, node: ast.Call) -> str:
    """A log call as a `print`, which formats no values into its text and knows no `exc_info`; empty where
    that makes no difference."""
    template, *values = node.args or [ast.Constant("")]
    text = isinstance(template, ast.Constant) and isinstance(template.value, str)
    if not text or any(isinstance(item, ast.Starred) for item in values):
        return ""
    shown, given = source.segment(template), [source.segment(item) for item in values]
    plain = len(given) == 1 and not isinstance(values[0], ast.Tuple | ast.Dict | ast.Name | ast.BinOp)
    filled = given[0] if plain else f"({', '.join(given)}{',' * (len(given) == 1)})"
    if not values and not node.keywords:
        return ""
    return f"print({shown} % {filled})" if values else f"print({shown})"
