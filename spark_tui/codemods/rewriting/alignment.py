"""Lines that are aligned with a bracket and move with it, and how long a line may be."""

from __future__ import annotations

import tokenize
from collections.abc import Iterator

from spark_tui.codemods.plan import Edit
from spark_tui.codemods.rewriting.edits import string_lines
from spark_tui.pysource.source import Source

_LEAST, _MOST = 88, 120
_NOTHING = (tokenize.NL, tokenize.NEWLINE, tokenize.COMMENT)


def widest_line(source: Source) -> int:
    """From which width on a line is too long, by the longest one of its file."""
    return min(max(_LEAST, *map(len, source.text.splitlines())), _MOST)


def shifted_lines(source: Source, low: int, high: int, by: int, others: int = 0) -> Iterator[Edit]:
    """The edits that move the lines of the code between two offsets `by` columns, where they are aligned with
    a bracket on its first line; the others by `others`."""
    line, last = source.position(low)[0], source.position(high)[0]
    column = _aligned_with(source, low, high) if line < last else None
    inside = string_lines(source) if line < last else set()
    for at in range(line + 1, last + 1):
        text, start = source.lines[at], source.starts[at]
        lead = len(text) - len(text.lstrip(" \t"))
        move = max(by if column is not None and lead > column else others, -lead)
        if move and at not in inside and text.strip():
            end, blank = start + lead, text[:lead][-1:] or source.indent_unit[:1]
            yield Edit(source.path, end - max(-move, 0), end, blank * max(move, 0))


def _aligned_with(source: Source, low: int, high: int) -> int | None:
    """The column of the outermost bracket that is open at the end of a line, with code behind it there."""
    line = source.position(low)[0]
    opened: list[tuple[int, bool]] = []
    for token in source.tokens:
        if not low <= token.span[0] < min(high, source.starts[line + 1]) or token.kind in _NOTHING:
            continue
        opened = [(column, True) for column, _ in opened]
        if token.kind == tokenize.OP and token.text in "([{":
            opened.append((token.span[0] - source.starts[line], False))
        elif token.kind == tokenize.OP and token.text in ")]}" and opened:
            opened.pop()
    return next((column for column, filled in opened if filled), None)
