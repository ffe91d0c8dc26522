"""The windows of a file in which hunks stand that are known before a model is asked.

Comes in: lines, hunks, limits. Goes out: sections with their hunks. Must not know: instructions, backends.
"""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.context.prompt import file_windows
from spark_tui.context.shown_context import ContextLimits, CountTokens, KnownHunk, Section
from spark_tui.context.windows import Window

PYTHON = (".py", ".pyi", ".pyw")
MOST_LINES = 4000
MOST_CHARS = 200_000
"""A larger file takes longer to look through than its model to write."""


def may_be_asked(lines: Sequence[str]) -> bool:
    """Whether a file is short enough to be looked through as a whole."""
    return 0 < len(lines) <= MOST_LINES and sum(map(len, lines)) <= MOST_CHARS


def sections(
    path: str,
    lines: tuple[str, ...],
    hunks: Sequence[KnownHunk],
    limits: ContextLimits,
    count_tokens: CountTokens,
) -> tuple[Section, ...]:
    """The windows of a file in which hunks stand; none where one of them stands in two."""
    windows = file_windows(path, lines, limits, count_tokens)[1]
    placed = [_window_of(hunk, windows) for hunk in hunks]
    if None in placed:
        return ()
    return tuple(
        _section(path, lines, window, [hunk for hunk, at in zip(hunks, placed, strict=True) if at is window])
        for window in windows
        if any(at is window for at in placed)
    )


def _window_of(hunk: KnownHunk, windows: Sequence[Window]) -> Window | None:
    """The one that holds all of it; what is put in between two stands at the beginning of the later."""
    first, last = hunk[0], max(hunk[0], hunk[1] - 1)
    for window in windows:
        if window.first <= first and last <= window.last:
            return window
    return windows[-1] if first == last == windows[-1].last + 1 else None


def _section(path: str, lines: Sequence[str], window: Window, hunks: Sequence[KnownHunk]) -> Section:
    text = "".join(f"{line}\n" for line in lines[window.first - 1 : window.last])
    return Section(
        path, text, window.first, len(lines), window.tokens, "made from the instruction", tuple(hunks)
    )
