"""Separate the diffs from the messages in a complete patch: a mail of `git format-patch`, or `git log -p`.

unidiff parses it, because the whole text is available and the counts of its hunks are correct.
`formats.udiff` reads what a model writes, while it arrives.
"""

from __future__ import annotations

import io
import re
from typing import TYPE_CHECKING

from spark_tui.edits.formats.udiff_header import is_extended

if TYPE_CHECKING:
    from unidiff.patch import PatchedFile

_MESSAGE = re.compile(
    r"(?:From|commit) [0-9a-f]{40}(?:[0-9a-f]{24})?\b|(?:From|Date|Subject|Message-ID): ", re.I
)
_SIGNATURE = re.compile(r"^-- ?\n\d.*$", re.MULTILINE)
"""Git's version below a mailed patch. Terminals and editors take the space away."""


def begins_with_message(text: str) -> bool:
    """Whether the text starts as a mail or a commit of `git log` does."""
    return _MESSAGE.match(text) is not None


def diff_of(text: str) -> tuple[str, str] | None:
    """The diff lines of a complete patch, without the messages before and between the diffs, and the text
    after them."""
    from unidiff.errors import UnidiffParseError
    from unidiff.patch import PatchSet

    try:
        files = PatchSet.from_string(text)
    except (UnidiffParseError, ValueError):
        return None
    lines = list(io.StringIO(text))
    diff, end = "", 0
    for file in files:
        begin, after = _lines_of(file, lines)
        if not file and lines[after - 1].startswith("+++ "):
            # A name without a hunk is the diff of a merge, which has several old sides and no numbers for
            # one file.
            return None
        diff += "".join(lines[max(begin, end) : after])
        end = max(end, after)
    return (diff, "".join(lines[end:])) if diff else None


def without_signature(text: str) -> str:
    """Text around diffs, without the line in which git names its version."""
    return _SIGNATURE.sub("", text)


def _lines_of(file: PatchedFile, lines: list[str]) -> tuple[int, int]:
    """Where one file's header and hunks begin and end."""
    at = (file.diff_line_no or 1) - 1
    if lines[at].startswith("+++ "):  # there is no `diff --git`; the old name is the line before
        at -= 1
    end = at + 1
    while end < len(lines) and (is_extended(lines[end]) or lines[end].startswith(("--- ", "+++ "))):
        end += 1
    numbers = [line.diff_line_no for hunk in file for line in hunk if line.diff_line_no]
    end = max([end, *numbers])
    while end < len(lines) and lines[end].startswith("\\"):
        end += 1
    return at, end
