"""What an anchor such as `@@ def total(self):` points at: the lines below it that are indented deeper."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from spark_tui.edits.indentation import depth_of
from spark_tui.edits.places.locate import LEVELS, LineFinder, LineMatch, NoMatch, ambiguous


@dataclass(frozen=True, slots=True)
class AnchorScopes:
    """0-based ranges `[anchor line, end)` under each occurrence of the innermost anchor."""

    spans: tuple[tuple[int, int], ...]
    miss: NoMatch | None = None

    @property
    def first(self) -> int:
        return self.spans[0][0] if self.spans else 0

    def prefer(self, starts: list[int]) -> list[int]:
        """The starts under an anchor; if there is one anchor and no start under it, the start after it is
        judged alone."""
        return [start for start in starts if any(low <= start < high for low, high in self.spans)]

    def insertion(self) -> LineMatch | NoMatch:
        """Where lines go that quote nothing: right after the anchor, if there is one."""
        if len(self.spans) > 1:
            return ambiguous(low for low, _ in self.spans)
        return LineMatch(self.spans[0][0] + 1, 0, 0)


def scopes_of(file: LineFinder, anchors: Sequence[str], low: int) -> AnchorScopes:
    """Follow the anchors inwards, each one looked for under the one before it."""
    spans: list[tuple[int, int]] = [(low, len(file.lines))]
    for anchor in anchors:
        inner = _occurrences(file, anchor, spans)
        if not inner:
            return AnchorScopes(
                (), NoMatch(f"the anchor is not in the file: {anchor[:80]!r}", expected=anchor)
            )
        spans = [(at, _end_of(file, at)) for at in inner]
    return AnchorScopes(tuple(spans))


def _occurrences(file: LineFinder, anchor: str, spans: Sequence[tuple[int, int]]) -> list[int]:
    for level in range(len(LEVELS)):
        found = [at for at in file.positions(anchor, level) if any(low <= at < high for low, high in spans)]
        if found:
            return found
    return []


def _end_of(file: LineFinder, at: int) -> int:
    """First line after the anchor that is not indented deeper than it."""
    depth = depth_of(file.lines[at])
    for line in range(at + 1, len(file.lines)):
        text = file.lines[line]
        if text.strip() and depth_of(text) <= depth:
            return line
    return len(file.lines)
