"""An edit that an instruction spells out is made of the whole file, and shown to a small model in the windows
that it concerns.

Comes in: what would be shown, what was asked, a way to read files. Goes out: the same with other windows,
where a program makes the edit. Must not know: backends, which edits there are (`refactor` does).

A model that reads a window at a time would be asked where the names stand, and know nothing of the rest: an
import at the top, the calls of a function three windows further down.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache

from spark_tui.context.mentions import without_files
from spark_tui.context.shown_context import (
    ContextLimits,
    ContextRequest,
    CountTokens,
    KnownHunk,
    ReadLines,
    Section,
    ShownContext,
)
from spark_tui.refactor.known import PLAIN, known
from spark_tui.session.cross_file_edits import Outlines, cross_file_edits
from spark_tui.session.hunk_windows import PYTHON, may_be_asked, sections


def whole_file_edits(
    shown: ShownContext,
    ask: ContextRequest,
    limits: ContextLimits,
    read_lines: ReadLines,
    count_tokens: CountTokens,
    outlines: Outlines,
) -> ShownContext:
    """For each file whose edit is plain, and stands in more than one window or goes on in other files: the
    windows of that edit, with its hunks."""
    windows: list[tuple[Section, ...]] = []
    left_out, missed = list(shown.left_out), list(shown.missed)
    unfollowed: list[tuple[str, str]] = []
    done: set[str] = set()
    for group in shown.windows:
        path = group[0].path
        if path in done:
            continue
        windows.append(group)
        hunks = _hunks(path, ask, read_lines) if len(group) == 1 else ()
        if not hunks:
            continue
        abroad = cross_file_edits(path, hunks, read_lines, limits, count_tokens, outlines)
        whole = sum(section.text.count("\n") for section in group) >= group[0].total_lines
        made = sections(path, tuple(read_lines(path) or ()), hunks, limits, count_tokens)
        unfollowed += abroad.left_out
        if made and (abroad.sections or not whole):
            changed = (*made, *abroad.sections)
            paths = {section.path for section in changed}
            windows = [one for one in windows if one[0].path not in paths] + [
                (section,) for section in changed
            ]
            left_out = [one for one in left_out if one[0] != path]
            missed = [one for one in missed if one[0] != path]
            done |= paths
    every = tuple(section for group in windows for section in group)
    return replace(
        shown,
        sections=every,
        windows=tuple(windows),
        left_out=tuple(left_out),
        unfollowed=tuple(unfollowed),
        missed=tuple(missed),
    )


def _hunks(path: str, ask: ContextRequest, read_lines: ReadLines) -> tuple[KnownHunk, ...]:
    lines = tuple(read_lines(path) or ()) if path.endswith(PYTHON) else ()
    if not may_be_asked(lines):
        return ()
    here = ask if path == ask.in_view else ContextRequest(ask.instruction)
    selection = (here.selection[0] - 1, here.selection[1]) if here.selection else None
    return _plain(lines, without_files(ask.instruction), selection, here.cursor - 1 if here.cursor else None)


@lru_cache(maxsize=8)
def _plain(
    lines: tuple[str, ...], instruction: str, selection: tuple[int, int] | None, cursor: int | None
) -> tuple[KnownHunk, ...]:
    """Found while the person types, and asked for again with the key that sends it."""
    found = known(lines, instruction, selection=selection, cursor=cursor)
    if not found or found[0].plain != PLAIN:
        return ()
    return tuple((hunk.first + 1, hunk.last + 1, hunk.new) for hunk in found[0].hunks)
