"""The tokens of a Python file with their places in the text."""

from __future__ import annotations

import io
import re
import sys
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

COMMENT = tokenize.COMMENT
F_STRING = re.compile(r"[fF][rR]?['\"]")
"""Finds more than f-strings, and fast."""
_ESCAPED = r"\\(?:\r\n|.)"
_STRINGS = [
    rf"{q}{q}{q}[^{q}\\]*(?:(?:{_ESCAPED}|{q}(?!{q}{q}))[^{q}\\]*)*{q}{q}{q}"
    rf"|{q}[^{q}\\\r\n]*(?:{_ESCAPED}[^{q}\\\r\n]*)*{q}"
    for q in "'\""
]
_COMMENT_OR_STRING = re.compile(rf"#[^\r\n]*|{'|'.join(_STRINGS)}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Token:
    """A token of Python with its place. `kind` is a constant of the `token` module."""

    kind: int
    text: str
    span: tuple[int, int]


def comments_and_strings(text: str) -> Iterator[re.Match[str]] | None:
    """The comments of a text that parses, and its strings, without their prefixes; None where quotes may
    stand within an f-string that end it in older versions of Python. All tokens take forty times as long."""
    is_new = sys.version_info >= (3, 12) and F_STRING.search(text)
    return None if is_new else _COMMENT_OR_STRING.finditer(text)


def comments_of(text: str) -> tuple[Token, ...] | None:
    """The comments alone."""
    found = comments_and_strings(text) if "#" in text else iter(())
    if found is None:
        return None
    return tuple(Token(COMMENT, match[0], match.span()) for match in found if match[0][0] == "#")


def tokens_of(lines: Sequence[str], starts: Sequence[int]) -> Iterator[Token]:
    """The tokens of lines as far as they can be told apart. `starts` has the offset of each line, and the
    end of the text."""
    text = "".join(line.rstrip("\r\n") + "\n" if line[-1:] in "\r\n" else line for line in lines)
    try:
        for token in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
            if token.start[0] - 1 >= len(lines):
                break
            low = starts[token.start[0] - 1] + token.start[1]
            high = starts[token.end[0] - 1] + token.end[1] if token.end[0] - 1 < len(lines) else starts[-1]
            yield Token(token.type, token.string, (low, high))
    except (tokenize.TokenError, SyntaxError):
        return
