"""The tokens of a Python file with their places in the text."""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Token:
    """A token of Python with its place. `kind` is a constant of the `token` module."""

    kind: int
    text: str
    span: tuple[int, int]


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
