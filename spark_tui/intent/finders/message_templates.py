"""Messages as they were printed, with values in the place of what the code puts in, or cut at the end:
*unknown key 'b'* for `f"unknown key {name!r}"`, *no route to ...*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

_DIRECTIVE = re.compile(r"%(?:\(\w+\))?[-#+0-9.]*[A-Za-z]|\{[^{}]*\}")
_CUT = re.compile(r"\s*(?:\.{2,}|…)\s*\Z")
_LEAST, _SHARE = 8, 0.4
"""The characters that the code itself has to have of a message, and their share of it."""


def without_cut(text: str) -> str:
    """A text without the dots at the end that say that it goes on, unless it is no more than those."""
    return _CUT.sub("", text) or text


def may_print(node: ast.expr, shown: str) -> bool:
    """Whether the text that an expression makes can be the one that is shown, whatever values it has."""
    pieces = [" ".join(piece.split()).lower() for piece in _pieces(node)]
    own = sum(map(len, pieces))
    wanted = " ".join(shown.split()).lower()
    if len(pieces) < 2 or own < _LEAST or own < _SHARE * len(wanted):
        return False
    at = 0
    for piece in pieces:
        found = wanted.find(piece, at)
        if found < 0:
            return False
        at = found + len(piece)
    return True


def _pieces(node: ast.expr) -> Iterator[str]:
    """What a text says between its values."""
    match node:
        case ast.Constant(value=str(text)):
            yield from _DIRECTIVE.split(text)
        case ast.JoinedStr():
            before = ""
            for part in node.values:
                if isinstance(part, ast.Constant):
                    before += str(part.value)
                else:
                    yield before
                    before = ""
            yield before
        case ast.BinOp(op=ast.Mod(), left=ast.Constant(value=str(text))):
            yield from _DIRECTIVE.split(text)
        case ast.Call(func=ast.Attribute(attr="format", value=ast.Constant(value=str(text)))):
            yield from _DIRECTIVE.split(text)
