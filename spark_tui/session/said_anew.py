"""What is said behind an edit that was spelled out over several windows is read of the whole file.

Comes in: the requests of a turn, its message, the file as the turn read it. Goes out: the windows of the edit that is
wanted now. Must not know: journals, decisions, doors.

A steer is spliced into the window that is being written. Where a name was given in five windows and is to be another
one, the four before it would keep the first. So would other files, which follow the first one.
"""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.backends.base import Request
from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.prompt import CountTokens, KnownHunk, Limits, ReadLines, Shown
from spark_tui.session.abroad import Outlines, others
from spark_tui.session.windows_of import may_be_asked, sections


def in_windows(requests: Sequence[Request]) -> bool:
    """Whether a turn is one edit that was known beforehand, in several windows."""
    return len(requests) > 1 and all(len(request.files) == 1 and request.known for request in requests)


def corrects(asked: str, message: str, lines: Sequence[str], hunks: Sequence[KnownHunk]) -> bool:
    """Whether a message says what is wrong with the hunks that stand, and is no order by itself."""
    if not hunks or find_mentions(message) or not may_be_asked(lines):
        return False
    from spark_tui.engine.layout import WindowHunk
    from spark_tui.steers.steered_by_program import first_answer, wanted

    standing = [WindowHunk(first - 1, last - 1, new) for first, last, new in hunks]
    return first_answer(lines, message) is None and wanted(lines, without_files(asked), message, standing) is not None


def said_anew(
    requests: Sequence[Request],
    message: str,
    read_lines: ReadLines,
    limits: Limits,
    count_tokens: CountTokens,
    outlines: Outlines,
) -> Shown | None:
    """What is to be shown instead; None where the words do not spell out what is wanted."""
    from spark_tui.engine.layout import WindowHunk
    from spark_tui.steers.steered_by_program import wanted  # of no use before somebody steers

    path = requests[0].files[0].path
    lines = tuple(read_lines(path) or ())
    if not may_be_asked(lines):
        return None
    of_it = [request for request in requests if request.files[0].path == path]
    standing = [WindowHunk(first - 1, last - 1, new) for one in of_it for first, last, new in one.known]
    final = wanted(lines, without_files(requests[0].instruction), without_files(message), standing)
    hunks = tuple((hunk.first + 1, hunk.last + 1, hunk.new) for hunk in final or ())
    found = sections(path, lines, hunks, limits, count_tokens) if hunks else ()
    if not found:
        return None
    abroad = others(path, hunks, read_lines, limits, count_tokens, outlines)
    found += abroad.sections
    return Shown(found, windows=tuple((section,) for section in found), unfollowed=abroad.left_out)
