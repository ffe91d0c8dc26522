"""Keep the file's own lines where new text only repeats what it quoted."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.diff import diff


def drop_noop_lines(quoted: Sequence[str], actual: Sequence[str], new: Sequence[str]) -> list[str]:
    """`new`, with every line that equals its quoted line replaced by the file's line (spaces and all)."""
    out: list[str] = []
    at = 0
    for a0, a1, b0, b1 in diff(quoted, new):
        out.extend(actual[at:a0])
        out.extend(new[b0:b1])
        at = a1
    out.extend(actual[at:])
    return out
