"""Makes examples of ghost text from code.

The text after the cursor is read first, and then every line is a completion of its own, so that a file that
is read once gives about forty answers.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from spark_tui.engine import token_layout
from spark_tui.train.kinds import Draw
from spark_tui.train.source_windows import SourceWindow

LINES_BEFORE = (10, 20, 40, 40, 40)
LINES_BEHIND = 25
LEAST_LINES = 6
LEAST_TOKENS = 4
"""Shorter lines are left out: typing them is faster than reading a suggestion."""
FROM_THE_START = 0.5
"""Share of lines that are asked from their first word on; the others are asked from the second."""
_FIRST = re.compile(r"\s*(?:\w+|[^\w\s]+) ?")

Spans = tuple[tuple[int, int], ...]


def fill(
    encode: Callable[[str], list[int]], window: SourceWindow, draw: Draw
) -> tuple[list[int], Spans] | None:
    """Some lines of the window as questions, each with the text around it; the answers are the rests of the
    lines."""
    lines, rng = window.lines, draw.rng
    if len(lines) < LEAST_LINES:
        return None
    end = rng.randint(max(LEAST_LINES, len(lines) // 2), len(lines))
    first = max(0, end - 1 - rng.choice(LINES_BEFORE))
    prose, newline = prose_lines(window), encode("\n")
    behind = "\n" + "\n".join(lines[end : end + LINES_BEHIND])
    ids = token_layout.encode_fill(encode, "", behind)
    spans: list[tuple[int, int]] = []
    for number in range(first, end):
        line = lines[number]
        begin = len(ids)
        ids += [*encode(line), *newline]
        if number in prose or len(encode(line.strip())) < LEAST_TOKENS:
            continue
        head = len(line) - len(line.lstrip())
        if not draw.chance(FROM_THE_START) and (found := _FIRST.match(line)):
            head = found.end()
        begin += len(encode(line[:head]))
        if begin < len(ids):
            spans.append((begin, len(ids)))
    return ([*ids, token_layout.EOS], (*spans, (len(ids), len(ids) + 1))) if spans else None


def prose_lines(window: SourceWindow) -> set[int]:
    """Lines (from 0) of docstrings and comments, which nobody can predict exactly."""
    out = {number for number, line in enumerate(window.lines) if line.lstrip().startswith("#")}
    for node in window.nodes:
        if (
            isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Constant)
            and isinstance(node.value.value, str)
        ):
            out |= set(range(node.lineno - 1, node.end_lineno or node.lineno))
    return out
