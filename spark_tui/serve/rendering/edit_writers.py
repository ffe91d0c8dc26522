"""Writes hunks as text that other tools read: `search_replace` blocks, or one `apply_patch` patch."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping, Sequence

from spark_tui.events import HunkClosed

_CONTEXT = 3


class SearchReplaceWriter:
    """One block for each hunk, in the order in which they closed.

    A block's search text is a place that occurs once in the file as the earlier blocks have left it, so that
    a client that applies them one by one finds each.
    """

    def __init__(self, files: Mapping[str, Sequence[str]]) -> None:
        self._lines = {path: list(lines) for path, lines in files.items()}
        self._made: dict[str, list[tuple[int, int]]] = {}

    def block(self, hunk: HunkClosed) -> str:
        """The block, or an empty text where nothing changes or the format cannot express it (a delete, a
        move)."""
        if hunk.kind == "add":
            body = "".join(line + "\n" for line in hunk.new_lines)
            return _fenced(hunk.path, "", body)
        if hunk.kind != "edit" or hunk.old_lines == hunk.new_lines:
            return ""
        lines = self._lines.setdefault(hunk.path, list(hunk.old_lines))
        made = self._made.setdefault(hunk.path, [])
        start = hunk.old_start - 1 + sum(grown for place, grown in made if place < hunk.old_start)
        end = start + len(hunk.old_lines)
        above, below = _unique(lines, start, end)
        search = lines[start - above : end + below]
        replace = [*lines[start - above : start], *hunk.new_lines, *lines[end : end + below]]
        lines[start:end] = hunk.new_lines
        made.append((hunk.old_start, len(hunk.new_lines) - len(hunk.old_lines)))
        return _fenced(hunk.path, "".join(s + "\n" for s in search), "".join(s + "\n" for s in replace))


def _unique(lines: Sequence[str], start: int, end: int) -> tuple[int, int]:
    """Lines of context above and below that make the place unique; all there are where nothing does."""
    whole = _closed(lines)

    def context(size: int) -> tuple[int, int]:
        # One line above first: what stands before a place says more about it.
        above = max(min((size + 1) // 2, start), size - (len(lines) - end))
        return above, size - above

    def is_unique(size: int) -> bool:
        above, below = context(size)
        wanted = lines[start - above : end + below]
        place = _closed(wanted)
        return any(wanted) and whole.find(place, whole.find(place) + 1) < 0

    # What holds a unique place is unique too, so the least is found by halves, among the small ones first.
    size, most = 1, start + len(lines) - end
    while size < most and not is_unique(size):
        size *= 2
    return context(bisect_left(range(min(size, most)), True, key=is_unique))


def _closed(lines: Sequence[str]) -> str:
    """One text, in which a line is found as a whole."""
    return "\n".join(["", *lines, ""])


def _fenced(path: str, search: str, replace: str) -> str:
    ticks = "```"
    while ticks in search or ticks in replace:
        ticks += "`"
    return f"{path}\n{ticks}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n{ticks}\n"


def replaced_span(hunks: Sequence[HunkClosed], lines: Sequence[str]) -> tuple[str, str]:
    """One text that occurs once in the file, from the first of its hunks to the last, and the text in its
    place. Neither ends with a line break, and the new one is never empty unless the file becomes so."""
    hunks = sorted(hunks, key=lambda hunk: hunk.old_start)
    start = hunks[0].old_start - 1
    end = hunks[-1].old_start - 1 + len(hunks[-1].old_lines)
    fresh: list[str] = []
    at = start
    for hunk in hunks:
        fresh += [*lines[at : hunk.old_start - 1], *hunk.new_lines]
        at = hunk.old_start - 1 + len(hunk.old_lines)
    above, below = _unique(lines, start, end)
    if not fresh and not above and not below:
        above, below = (1, 0) if start else (0, min(1, len(lines) - end))
    old = lines[start - above : end + below]
    new = [*lines[start - above : start], *fresh, *lines[end : end + below]]
    return "\n".join(old), "\n".join(new)


def apply_patch(hunks: Sequence[HunkClosed], files: Mapping[str, Sequence[str]]) -> str:
    """All hunks as one `*** Begin Patch` … `*** End Patch`, or an empty text where none changes anything."""
    by_path: dict[str, list[HunkClosed]] = {}
    for hunk in hunks:
        if hunk.kind != "edit" or hunk.old_lines != hunk.new_lines:
            by_path.setdefault(hunk.path, []).append(hunk)
    out: list[str] = []
    for path, group in by_path.items():
        out += _patch_of(path, group, files.get(path, ()))
    return "\n".join(["*** Begin Patch", *out, "*** End Patch"]) if out else ""


def _patch_of(path: str, group: Sequence[HunkClosed], lines: Sequence[str]) -> list[str]:
    kinds = {hunk.kind: hunk for hunk in group}
    if "add" in kinds:
        return [f"*** Add File: {path}", *("+" + line for line in kinds["add"].new_lines)]
    if "delete" in kinds:
        return [f"*** Delete File: {path}"]
    out = [f"*** Update File: {path}"]
    if "move" in kinds:
        out.append(f"*** Move to: {kinds['move'].new_path}")
    edits = sorted((hunk for hunk in group if hunk.kind == "edit"), key=lambda hunk: hunk.old_start)
    done = 0
    for at, hunk in enumerate(edits):
        start = hunk.old_start - 1
        end = start + len(hunk.old_lines)
        stop = edits[at + 1].old_start - 1 if at + 1 < len(edits) else len(lines)
        above, below = _unique(lines, start, end)
        # Context may not reach into the neighbours: every line of the file stands in one chunk at most.
        above, below = min(max(above, _CONTEXT), start - done), min(max(below, _CONTEXT), stop - end)
        out.append("@@")
        out += [" " + line for line in lines[start - above : start]]
        out += ["-" + line for line in hunk.old_lines]
        out += ["+" + line for line in hunk.new_lines]
        out += [" " + line for line in lines[end : end + below]]
        done = end + below
    return out
