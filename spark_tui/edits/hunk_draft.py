"""A hunk of a stream that is not complete yet."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from spark_tui.events import Event, HunkKind, HunkText


@dataclass(slots=True)
class HunkDraft:
    """A hunk that is being received. `place` is 0-based; `new` are the lines so far, the last one
    open-ended."""

    id: int
    path: str
    place: int
    old: tuple[str, ...]
    kind: HunkKind = "edit"
    new_path: str = ""
    chars: int = 0
    _lines: list[str] = field(default_factory=list)
    _more: list[str] = field(default_factory=list)
    """Pieces of the last line that are not joined to it yet."""

    @property
    def new(self) -> list[str]:
        if self._more:
            self._lines[-1:] = ["".join([*self._lines[-1:], *self._more])]
            self._more.clear()
        return self._lines

    def text(self, piece: str) -> HunkText:
        """Append characters to the last line."""
        self._more.append(piece)
        self.chars += len(piece)
        return HunkText(self.id, piece)

    def next_line(self) -> Iterator[Event]:
        """Begin a line; the newline between two lines is text too."""
        self.new.append("")
        self.chars += 1
        if len(self.new) > 1:
            yield HunkText(self.id, "\n")
