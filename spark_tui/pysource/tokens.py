"""The tokens of a Python file with their places in the text."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

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


def comments_of(text: str) -> Iterator[Token]:
    """The comments of a text that parses and has no quotes within f-strings that end those in older versions
    of Python. All tokens take ten times as long."""
    for one in _COMMENT_OR_STRING.finditer(text):
        if one[0][0] == "#":
            yield Token(tokenize.COMMENT, one[0], one.span())


def tokens_of(lines: Sequence[str], starts: Sequence[int]) -> Iterator[Token]:
    """The tokens of lines as far as they can be told apart. `starts` has the offset of each line, and the
    end of the text."""
    text = "".join(line.rstrip("\r\n") + "\n" if line[-1:] in "\r\n" else line for line in lines)
    try:
        for one in tokenize.generate_tokens(io.StringIO(text, newline="\n").readline):
            if one.start[0] - 1 >= len(lines):
                break
            low = starts[one.start[0] - 1] + one.start[1]
            high = starts[one.end[0] - 1] + one.end[1] if one.end[0] - 1 < len(lines) else starts[-1]
            yield Token(one.type, one.string, (low, high))
    except (tokenize.TokenError, SyntaxError):
        return
