"""An edit that an instruction spells out is made of the whole file, and shown to a small model in the windows that it
concerns.

Comes in: what would be shown, what was asked, a way to read files. Goes out: the same with other windows, where a
program makes the edit. Must not know: backends, which edits there are (`refactor` does).

A model that reads a window at a time would be asked where the names stand, and know nothing of the rest: an import at
the top, the calls of a function three windows further down.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.context.mentions import without_files
from spark_tui.context.prompt import Ask, CountTokens, KnownHunk, Limits, ReadLines, Section, Shown, tiles
from spark_tui.context.windows import Window
from spark_tui.refactor.known import PLAIN, known

MOST_LINES = 4000
MOST_CHARS = 200_000
"""A larger file takes longer to look through than its model to write."""
_PYTHON = (".py", ".pyi", ".pyw")


def spelled_out(shown: Shown, ask: Ask, limits: Limits, read_lines: ReadLines, count_tokens: CountTokens) -> Shown:
    """For each file of more than one window whose edit is plain: the windows of that edit, with its hunks."""
    windows: list[tuple[Section, ...]] = []
    left_out = list(shown.left_out)
    done: set[str] = set()
    for group in shown.windows:
        path = group[0].path
        if path in done:
            continue
        whole = sum(section.text.count("\n") for section in group) >= group[0].total_lines
        made = () if whole or len(group) > 1 else _made(path, ask, limits, read_lines, count_tokens)
        if made:
            done.add(path)
            windows += [(section,) for section in made]
            left_out = [(other, why) for other, why in left_out if other != path]
        else:
            windows.append(group)
    if not done:
        return shown
    sections = tuple(section for group in windows for section in group)
    return replace(shown, sections=sections, windows=tuple(windows), left_out=tuple(left_out))


def _made(path: str, ask: Ask, limits: Limits, read_lines: ReadLines, count_tokens: CountTokens) -> tuple[Section, ...]:
    lines = tuple(read_lines(path) or ()) if path.endswith(_PYTHON) else ()
    if not may_be_asked(lines):
        return ()
    here = ask if path == ask.in_view else Ask(ask.instruction)
    selection = (here.selection[0] - 1, here.selection[1]) if here.selection else None
    hunks = _plain(lines, without_files(ask.instruction), selection, here.cursor - 1 if here.cursor else None)
    return sections(path, lines, hunks, limits, count_tokens)


def may_be_asked(lines: Sequence[str]) -> bool:
    """Whether a file is short enough to be looked through as a whole."""
    return 0 < len(lines) <= MOST_LINES and sum(map(len, lines)) <= MOST_CHARS


@lru_cache(maxsize=8)
def _plain(
    lines: tuple[str, ...], instruction: str, selection: tuple[int, int] | None, cursor: int | None
) -> tuple[KnownHunk, ...]:
    """Found while the person types, and asked for again with the key that sends it."""
    found = known(lines, instruction, selection=selection, cursor=cursor)
    if not found or found[0].plain != PLAIN:
        return ()
    return tuple((hunk.first + 1, hunk.last + 1, hunk.new) for hunk in found[0].hunks)


def sections(
    path: str, lines: tuple[str, ...], hunks: Sequence[KnownHunk], limits: Limits, count_tokens: CountTokens
) -> tuple[Section, ...]:
    """The windows of a file in which hunks stand; none where one of them stands in two."""
    windows = tiles(path, lines, limits, count_tokens)[1]
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
    return Section(path, text, window.first, len(lines), window.tokens, "what the instruction spells out", tuple(hunks))
