"""The places of names that are not separate nodes: in heads, imports, handlers, patterns and declarations."""

from __future__ import annotations

import ast
import re

from spark_tui.pysource.source import Source, Span

UNKNOWN: Span = (-1, -1)
_SPACE = r"(?:[ \t\f]|\\\r?\n)"
_GAP = re.compile(r"(?:[\s()]|\\\r?\n|#[^\r\n]*)*")
_HEAD = re.compile(rf"(?:async{_SPACE}+)?(?:def|class){_SPACE}+(\w+)")
_AS = re.compile(rf"as{_SPACE}+(\w+)")
_WORD = re.compile(r"\w+")


def name_of(source: Source, node: ast.AST) -> Span:
    """The name alone of a node that has one: of a definition, a parameter, a keyword, or a name itself."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return head_name(source, node)
    span = source.span(node)
    return word_at(source, span[0]) if isinstance(node, ast.arg | ast.keyword) else span


def head_name(source: Source, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> Span:
    """The name in `def name` or `class name`."""
    found = _HEAD.match(source.text, source.span(node)[0])
    return found.span(1) if found else UNKNOWN


def attribute_name(source: Source, node: ast.Attribute) -> Span:
    """The name after the dot."""
    end = source.span(node)[1]
    if end < 0:
        return UNKNOWN
    start = end - len(node.attr)
    if source.text.startswith(f".{node.attr}", start - 1):
        return start, end
    start = end
    while start > 0 and (source.text[start - 1].isalnum() or source.text[start - 1] == "_"):
        start -= 1
    return start, end


def word_at(source: Source, start: int) -> Span:
    found = _WORD.match(source.text, start) if start >= 0 else None
    return found.span() if found else UNKNOWN


def handler_name(source: Source, node: ast.ExceptHandler) -> Span:
    """The name in `except … as name`."""
    if node.type is None or node.name is None:
        return UNKNOWN
    end = source.span(node.type)[1]
    gap = _GAP.match(source.text, end)
    found = _AS.match(source.text, gap.end() if gap else end)
    return found.span(1) if found else UNKNOWN


def alias_names(source: Source, node: ast.alias) -> tuple[Span, Span | None]:
    """The imported name (dotted ones whole), and the name after `as`."""
    start, end = source.span(node)
    if node.asname is None:
        return (start, end), None
    whole = source.text[start:end]
    alias = re.search(rf"(?<![\w.])as(?:{_SPACE}|\s)+(\w+)\Z", whole)
    if alias is None:
        return UNKNOWN, UNKNOWN
    return (start, start + len(whole[: alias.start()].rstrip(" \t\f\r\n\\"))), (start + alias.start(1), end)


def declared_names(source: Source, node: ast.Global | ast.Nonlocal) -> list[Span]:
    """The names of a `global` or `nonlocal` statement, in order."""
    start, end = source.span(node)
    return [found.span() for found in _WORD.finditer(source.text, start, end)][1:]


def last_word(source: Source, node: ast.AST) -> Span:
    """The last word of a node: the name in `pattern as name`, `*rest`."""
    start, end = source.span(node)
    found = None
    for found in _WORD.finditer(source.text, start, end):  # noqa: B007
        pass
    return found.span() if found else UNKNOWN
