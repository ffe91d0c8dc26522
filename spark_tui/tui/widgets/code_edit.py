"""Typing into the new side of a hunk, in its place in the file.

Comes in: a hunk and keys. Goes out: the hunk as it stands while it is typed, and the text when it is done. The
board's hunk stays as it is until the session has taken the text. Must not know: the session, scrolling.
"""

from __future__ import annotations

from dataclasses import replace

from spark_tui.tui.hunks import Hunk
from spark_tui.tui.textbuf import TextBuffer


class HunkEditor:
    """One hunk being typed into."""

    def __init__(self, hunk: Hunk) -> None:
        self.hunk_id = hunk.id
        self._hunk = hunk
        self.buffer = TextBuffer(hunk.new)

    def working(self) -> Hunk:
        """What the code pane shows instead of the hunk: both sides, as while it is open."""
        return replace(self._hunk, new=list(self.buffer.lines), tail="", state="closed")

    @property
    def caret(self) -> tuple[int, int, int]:
        """`(hunk, new line, character)`."""
        return self.hunk_id, self.buffer.row, self.buffer.column

    @property
    def text(self) -> str:
        """The new side with an end to each line; nothing at all when one empty line is left."""
        lines = self.buffer.lines
        return "" if lines == [""] else "\n".join(lines) + "\n"
