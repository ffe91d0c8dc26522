"""The transcript: prompts, the model's prose, notes and errors, wrapped to the width, the newest at the
bottom.

What is folded away (thoughts, the output of a tool) is shown while `unfolded` is set.

Lines are wrapped once and kept; only the last one, which may still grow, is wrapped again. A frame costs what
is visible, whatever came before.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal

from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.settings.themes import PLAIN, Palette
from spark_tui.tui.text.pasted_text import folded
from spark_tui.tui.text.safe_text import at_most, shorten, visible, wrap
from spark_tui.tui.text.segments import Piece, bar
from spark_tui.tui.turns.transcript_lines import TranscriptLine

LOOKS = {
    "you": ("›", "pane"),
    "model": (" ", "pane.soft"),
    "steer": ("↪", "pane.key"),
    "note": ("·", "pane.soft"),
    "error": ("!", "pane.error"),
    "done": ("■", "pane.added"),
    "sum": ("●", "pane.soft"),
    "detail": ("│", "pane.faint"),
}
"""The sign of a speaker, and the style of what is said."""
MOST_DETAIL_LINES = 200
_SHORT = 6
"""Rows of an answer of which the beginning says enough."""
FOLDED = "…"
"""Behind a line that has something folded away."""
_BLANK_LINES = re.compile(r"\n(?:[ \t]*\n){2,}")


class Transcript(ScrollView, can_focus=False):
    DEFAULT_CSS = """
    Transcript { overflow: hidden scroll; scrollbar-size: 0 0; height: 5; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.palette: Palette = PLAIN.palette
        self._lines: Sequence[TranscriptLine] = ()
        self._rows: list[tuple[str, str, bool]] = []
        self._done = 0
        self._done_rows = 0
        self._asked_row = 0
        """Where the last message of the person begins."""
        self.unfolded = False
        self._cells = 0
        self._growing = False
        self.on_move: Callable[[], None] = lambda: None
        """Called when what is out of view has changed."""
        self._goal = 0
        """The row at the top while nobody has scrolled."""

    def set_palette(self, palette: Palette) -> None:
        self.palette = palette
        self.refresh()

    def unfold(self, unfolded: bool) -> None:
        """Show what is folded away, or fold it again."""
        self.unfolded, self._done = unfolded, 0
        self._cells = 0
        self.show_lines(self._lines, growing=self._growing)

    def show_lines(self, lines: Sequence[TranscriptLine], *, growing: bool = False) -> None:
        """Append the lines that are not shown yet. The last one may have grown, been replaced or gone;
        `growing`: it may still grow."""
        self._growing = growing
        cells = max(self.size.width - 4, 8)
        if cells != self._cells or len(lines) <= self._done:
            self._rows, self._done, self._done_rows, self._cells = [], 0, 0, cells
        del self._rows[self._done_rows :]
        for line in lines[self._done :]:
            self._done_rows = len(self._rows)
            if line.speaker in ("you", "steer"):
                self._asked_row = self._done_rows
            text = folded(line.text) if line.speaker in ("you", "steer") else line.text
            # Between two hunks a model may say nothing but line ends.
            text = _BLANK_LINES.sub("\n\n", text)
            if line.detail and not self.unfolded:
                text = f"{text} {FOLDED}"
            wrapped = wrap(text.strip("\n"), cells) if text.strip() else []
            self._rows += [(line.speaker, text, first == 0) for first, text in enumerate(wrapped)]
            if line.detail and self.unfolded:
                self._rows += [("detail", text, True) for text in _detail_rows(line.detail, cells)]
        self._done = max(len(lines) - 1, 0)
        self._lines = lines
        at_end = self.scroll_offset.y >= self._goal
        self.set_reactive(Widget.virtual_size, Size(self.size.width, len(self._rows)))
        if at_end:
            self._to_end()
        self.refresh()

    @property
    def hidden(self) -> Literal["", "back", "cut"]:
        """What is out of view: the newest entry, since somebody has scrolled back; or a part of the last
        answer, which has more rows than are shown."""
        if round(self.scroll_offset.y) < self._goal:
            return "back"
        return "cut" if len(self._rows) - self._asked_row > self.size.height else ""

    def turn_page(self, by: int) -> None:
        step = by * max(self.size.height - 1, 1)
        self.scroll_to(y=max(self.scroll_offset.y + step, 0), animate=False)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.on_move()

    def _to_end(self) -> None:
        """The newest entry at the bottom; of an error, or a short answer without a hunk, that does not fit
        the beginning, which says what is wrong."""
        end = max(len(self._rows) - self.size.height, 0)
        speaker = self._lines[-1].speaker if self._lines else "you"
        is_answer = speaker == "model" and not self._growing and len(self._rows) - self._done_rows <= _SHORT
        self._goal = min(end, self._done_rows) if speaker in ("error", "note") or is_answer else end
        self.scroll_to(y=self._goal, animate=False)

    def on_resize(self) -> None:
        self.show_lines(self._lines, growing=self._growing)
        self._to_end()

    def render_line(self, y: int) -> Strip:
        width, style = self.size.width, self.palette
        at = y + self.scroll_offset.y
        if not 0 <= at < len(self._rows):
            return Strip(bar([], [], width, style["pane"]), width)
        speaker, text, first = self._rows[at]
        sign, ink = LOOKS[speaker]
        goes_on = y == self.size.height - 1 and at + 1 < len(self._rows) and not self._rows[at + 1][2]
        text = shorten(f"{text} …", width - 4) if goes_on else text
        pieces: list[Piece] = [(f" {sign if first else ' '} ", style["pane.key"]), (text, style[ink])]
        return Strip(bar(pieces, [], width, style["pane"]), width)


def _detail_rows(text: str, cells: int) -> list[str]:
    lines = [visible(line) for line in text.strip("\n").split("\n")]
    kept = at_most(lines, MOST_DETAIL_LINES)
    return [row for line in kept for row in (wrap(line, cells) if line.strip() else [""])]
