"""Where a line of a check goes, and how a file would write its text.

Comes in: a source and a function. Goes out: line numbers with their indentation, changes, literals. Must not know:
orders.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.source import Change, Function, Source, docstring, indent_of


def quote_of(src: Source) -> str:
    """The quotes that a file prefers."""
    return "'" if src.text.count("'") > 2 * src.text.count('"') else '"'


def text_literal(src: Source, said: str) -> str:
    """A text as the file would write it; with names in braces it is an f-string."""
    quote = quote_of(src)
    if quote in said:
        quote = "'" if quote == '"' else '"'
    if quote in said:
        said = said.replace(quote, "\\" + quote)
    prefix = "f" if re.search(r"\{[^\W\d][\w.]*(?:![rsa])?\}", said) else ""
    return f"{prefix}{quote}{said}{quote}"


def top_line(src: Source, function: Function, code: str = "") -> tuple[int, str] | None:
    """Where the first line behind the docstring goes, and its indentation; None where there is no line of its own."""
    doc, first = docstring(function), function.body[0]
    if first.lineno == function.lineno or src.first_line(first) <= src.first_line(function):
        return None
    declared = [one for one in function.body if isinstance(one, ast.Global | ast.Nonlocal)]
    if any(re.search(rf"\b{name}\b", code) for one in declared for name in one.names):
        return src.last_line(declared[-1]), src.indent(declared[-1])
    indent = src.indent(first)
    if doc is not None and len(function.body) == 1:
        return src.last_line(doc), indent
    at = src.first_line(function.body[1] if doc is not None else first)
    low = src.last_line(doc) if doc is not None else _head_end(src, function)
    if at < low:
        return None
    while at > low and src.lines[at - 1].strip().startswith("#") and indent_of(src.lines[at - 1]) == indent:
        at -= 1
    return at, indent


def _head_end(src: Source, function: Function) -> int:
    """One past the line on which the head of a function ends."""
    last = max((getattr(node, "end_lineno", 0) for node in ast.walk(function.args)), default=0)
    if function.returns is not None:
        last = max(last, function.returns.end_lineno or 0)
    at = max(last, function.lineno) - len(src.headers)
    while at < len(src.lines) and not re.search(r":\s*(?:#.*)?$", src.lines[at - 1]):
        at += 1
    return at


def put(src: Source, line: int, new: Iterable[str]) -> Change:
    """Lines in front of a line."""
    start = src.starts[line]
    return start, start, "".join(f"{one}\n" for one in new)


def importing(src: Source, module: str) -> list[Change] | None:
    """What makes a module known; None where that cannot be done."""
    if not module or re.search(rf"^\s*import (?:[\w., ]+, )?{module}\b(?! as)", src.text, re.M):
        return []
    change = with_import(src, f"import {module}")
    return None if change is None else [change]
