"""The files without the hunks that the turn has made so far, for an answer that says again what they do."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from spark_tui.edits.diff import Block, diff
from spark_tui.edits.emitter_options import ReadLines
from spark_tui.edits.places.locate import LineFinder, NoMatch, scopes_of


class BaseFiles:
    """`file` gives a file with those hunks; without `read` there are none."""

    def __init__(self, read: ReadLines | None, file: Callable[[str], LineFinder | None]) -> None:
        self._read = read
        self._file = file
        self._known: dict[str, tuple[LineFinder, list[Block]]] = {}
        """With what those hunks change."""

    def made_since(
        self,
        path: str,
        old: Sequence[str],
        new: Sequence[str],
        at: int | None = None,
        anchors: Sequence[str] = (),
    ) -> bool | NoMatch:
        """Whether the old lines have their place in the file without those hunks, and the new ones stand
        there only with them. Where they have several, and the new ones stand in one, that is not known.
        Without old lines, whether they were put in at this place."""
        now = self._file(path) if self._read is not None and new else None
        if now is None or self._read is None:
            return False
        if path not in self._known:
            lines = self._read(path) or ()
            self._known[path] = LineFinder(lines), diff(lines, now.lines)
        before, changed = self._known[path]
        if not changed:
            return False
        if not old:
            # Where the lines around are alike, the difference may begin with a later one of them. A line
            # number may be one of the base.
            put = [(a0, b0, b1) for a0, a1, b0, b1 in changed if a0 == a1]
            put = [one for one in put if at in range(one[1], one[2] + 1) or (at == one[0] and not anchors)]
            return any(sorted(now.lines[b0:b1]) == sorted(new) for _, b0, b1 in put)
        prefer = scopes_of(before, anchors, 0).prefer if anchors else None
        place = before.find(old, at=at, prefer=prefer)
        if isinstance(place, NoMatch):
            starts = [line - 1 for line in place.candidates] if place.several else []
        else:
            starts = [place.start]
        stood, stands = before.matches(new, 2), now.matches(new, 2)
        made = any(at in stands for start in starts if start not in stood for at in _now(start, changed))
        return place if made and isinstance(place, NoMatch) else made


def _now(line: int, changed: Sequence[Block]) -> tuple[int, int]:
    """Where the base's line is now: below what was put in right above it, or with that."""
    above = [(b1 - b0) - (a1 - a0) for a0, a1, b0, b1 in changed if a1 < line or a0 < a1 == line]
    beside = [b1 - b0 for a0, a1, b0, b1 in changed if a0 == a1 == line]
    return line + sum(above), line + sum(above) + sum(beside)
