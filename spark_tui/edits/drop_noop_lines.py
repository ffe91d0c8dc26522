"""Keep the file's own bytes where new text only repeats what it quoted."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.diff import diff, replace_ranges
from spark_tui.shared_ends import same_ends


def drop_noop_lines(quoted: Sequence[str], actual: Sequence[str], new: Sequence[str]) -> list[str]:
    """`new`, with every line that equals its quoted line replaced by the file's line (spaces and all), and
    with the file's quotes, dashes and spaces at both ends of a line that takes the place of one."""
    changes = []
    for a0, a1, b0, b1 in diff(quoted, new):
        lines = new[b0:b1]
        if a1 - a0 == b1 - b0:
            lines = [*map(_with_file_ends, quoted[a0:a1], actual[a0:a1], lines)]
        changes.append((a0, a1, lines))
    return replace_ranges(actual, changes)


def _with_file_ends(quoted: str, actual: str, new: str) -> str:
    quoted, actual = quoted.rstrip(), actual.rstrip()
    if quoted == actual or len(quoted) != len(actual):
        return new
    front, back = same_ends(quoted, new)
    return actual[:front] + new[front : len(new) - back] + actual[len(actual) - back :]
