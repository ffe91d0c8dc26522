"""The list at the left edge: hunks by file with mark, place, size, and the current one; below them the
problems of the last check."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from spark_tui.tui.code.hunk_view import WITHOUT_LINES, HunkView
from spark_tui.tui.messages import HunkPicked, ProblemPicked
from spark_tui.tui.settings.keys import Keymap, keymap
from spark_tui.tui.settings.themes import PLAIN, Palette
from spark_tui.tui.text.safe_text import shorten
from spark_tui.tui.text.segments import Piece, bar
from spark_tui.tui.widgets.typeahead import Typeahead

_MARK_STYLES = {"doubt": "pane.warn", "open": "pane.accent", "refused": "pane.removed", "taken": "pane.added"}
"""The style of a mark in the list, where it is this one in the code."""

_MOST_DRAWN = 4_000


@dataclass(frozen=True, slots=True)
class ProblemRow:
    """A problem in the list: its place, its text, and whether it is an error."""

    place: str
    message: str
    error: bool = True


def _look(path: str, hunk: HunkView | None, current: int) -> object:
    """Everything that decides how a row is drawn."""
    if hunk is None:
        return path
    added = hunk.added if hunk.state != "streaming" else 0
    return hunk.id, hunk.mark, hunk.state, hunk.kind, hunk.start, added, hunk.removed, hunk.id == current


class HunkList(ScrollView, can_focus=True):
    DEFAULT_CSS = """
    HunkList { overflow: hidden scroll; scrollbar-size: 0 0; width: 27; height: 1fr; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keymap: Keymap = keymap()
        self.typeahead = Typeahead()
        self.palette: Palette = PLAIN.palette
        self.current = 0
        self._rows: list[tuple[str, HunkView | None]] = []
        self._place = (0, 0, 0)
        """Which hunk is current, its row, and of how many: where the list was brought to."""
        self._problems: tuple[ProblemRow, ...] = ()
        self._problem = -1
        """Which problem the keys are on; -1 while they are on the hunks."""
        self._drawn: dict[tuple[object, int], Strip] = {}
        """Rows as they were drawn, by what they look like and how wide they are: when the list scrolls they
        only change their place."""
        self._looks: list[object] = []
        """What each row on screen looks like; rows that look the same are not drawn again."""

    def set_palette(self, palette: Palette) -> None:
        self.palette = palette
        self._drawn.clear()
        self.refresh()

    def show_hunks(self, hunks: Sequence[HunkView], current: int) -> None:
        by_path: dict[str, list[HunkView]] = {}
        for hunk in hunks:
            by_path.setdefault(hunk.path, []).append(hunk)
        rows: list[tuple[str, HunkView | None]] = []
        for path, of_path in by_path.items():
            rows.append((path, None))
            rows += [(path, hunk) for hunk in sorted(of_path, key=lambda h: (h.start, h.id))]
        before, (top, height), count = self._looks, (self.scroll_offset.y, self.size.height), len(self._rows)
        self._rows, self.current = rows, current
        if len(rows) != count:
            self._measure()
        at = next((y for y, (_, hunk) in enumerate(rows) if hunk and hunk.id == current), 0)
        place, self._place = self._place, (current, at, len(rows))
        if place != self._place and not top <= at < top + height:
            self.scroll_to(y=max(at - height // 2, 0), animate=False)
        self._looks = [_look(path, hunk, current) for path, hunk in rows[self.scroll_offset.y :][:height]]
        if before != self._looks or not count or self.scroll_offset.y != top:
            self.refresh()

    def show_problems(self, problems: Sequence[ProblemRow]) -> None:
        """What the last check reported, in place of what the one before did."""
        self._problems, self._problem = tuple(problems), -1
        self._measure()
        self.refresh()

    def _measure(self) -> None:
        height = len(self._rows) + (1 + len(self._problems) if self._problems else 0)
        self.set_reactive(Widget.virtual_size, Size(self.size.width, height))

    def on_resize(self) -> None:
        """Draw what arrived while the screen had no room for the list."""
        self._measure()
        self.refresh()

    def render_line(self, y: int) -> Strip:
        # The pane has no border, and the size without one is looked for in the whole layout.
        width, style = self.outer_size.width, self.palette
        at = y + self.scroll_offset.y
        if at >= len(self._rows):
            if self._problems:
                return Strip(self._problem_line(at - len(self._rows) - 1, width), width)
            text = "  no hunks yet" if not self._rows and at == 0 else ""
            return Strip(bar([(text, style["pane.faint"])], [], width, style["pane"]), width)
        path, hunk = self._rows[at]
        look = (_look(path, hunk, self.current), width)
        if look not in self._drawn:
            if len(self._drawn) >= _MOST_DRAWN:
                self._drawn.clear()
            self._drawn[look] = self._row(path, hunk, width)
        return self._drawn[look]

    def _row(self, path: str, hunk: HunkView | None, width: int) -> Strip:
        style = self.palette
        if hunk is None:
            pure = PurePosixPath(path)
            name = shorten(pure.name, width - 2)
            pieces = [(f" {name}", style["pane"])]
            if str(pure.parent) != ".":
                folder = shorten(f"{pure.parent}/", width - 3 - len(name), keep_end=True)
                pieces.append((f"  {folder}" if folder else "", style["pane.faint"]))
            return Strip(bar(pieces, [], width, style["pane"]), width)
        here = hunk.id == self.current
        fill = style["pane.current"] if here else style["pane"]
        # Where the current row is marked by its colours (reversed, or on a bright background), its pieces
        # have those colours too.
        bright = here and (fill.reverse or fill.color != style["pane"].color)

        def style_here(name: str) -> Style:
            return fill if bright else style[name] + fill.background_style

        where = {"add": "new", "delete": "gone", "move": "moved"}.get(hunk.kind, f"L{hunk.start}")
        if hunk.state in ("streaming", *WITHOUT_LINES):
            words = {"streaming": "… ", "failed": "no place "}
            sizes: list[Piece] = [(words.get(hunk.state, "check "), style_here("pane.faint"))]
        else:
            added, removed = hunk.size
            sizes = [(f"+{added} ", style_here("pane.added"))]
            sizes.append((f"−{removed} " if removed else "   ", style_here("pane.removed")))
        left: list[Piece] = [
            ("  ", fill),
            (hunk.mark, style_here(_MARK_STYLES[hunk.mark_style])),
            (" you " if hunk.state == "unsaved" else f" {hunk.label:<2} ", fill),
            (f"{where} ", fill),
        ]
        return Strip(bar(left, [*sizes, (self._sign if here else " ", fill)], width, fill), width)

    @property
    def _sign(self) -> str:
        """Beside the current row: whether the list has the keys."""
        return "▸" if self.has_focus else "▹"

    def on_focus(self) -> None:
        self._drawn.clear()
        self.refresh()

    on_blur = on_focus

    def _problem_line(self, number: int, width: int) -> list[Segment]:
        """The heading of the problems (-1), or one of them."""
        style = self.palette
        if not 0 <= number < len(self._problems):
            heading: list[Piece] = [(f" problems: {len(self._problems)}", style["pane.faint"])]
            if self._problem >= 0:
                key, what = style["pane.key"], style["pane.faint"]
                heading = [(" Enter", key), (" show   ", what), ("f", key), (" fix", what)]
            return bar(heading if number < 0 else [], [], width, style["pane"])
        one, here = self._problems[number], number == self._problem
        fill = style["pane.current"] if here else style["pane"]
        mark = fill if here else style["pane.removed" if one.error else "pane.warn"]
        place = shorten(one.place, max(width // 2, 8), keep_end=True)
        message = shorten(one.message, max(width - len(place) - 5, 4))
        left: list[Piece] = [
            (" ✗ ", mark),
            (f"{place} ", fill),
            (message, fill if here else style["pane.faint"]),
        ]
        return bar(left, [(self._sign if here else " ", fill)], width, fill)

    def _takes(self, key: str) -> bool:
        """Whether a key is about the problems: down from the last hunk leads to them, up back."""
        action = self.keymap.action("code", key)
        last = next((hunk.id for _, hunk in reversed(self._rows) if hunk), self.current)
        if self._problem < 0:
            if not self._problems or action != "line.down" or self.current != last:
                return False
            self._problem = 0
        elif key in ("enter", "f"):
            self.post_message(ProblemPicked(self._problem, fix=key == "f"))
            return True
        elif action in ("line.down", "line.up"):
            step = 1 if action == "line.down" else -1
            self._problem = min(self._problem + step, len(self._problems) - 1)
        else:
            self._problem = -1
            self.refresh()
            return False
        top, height = self.scroll_offset.y, self.size.height
        row = len(self._rows) + 1 + self._problem
        if not top <= row < top + height:
            self.scroll_to(y=max(row - height // 2, 0), animate=False)
        self.refresh()
        return True

    def on_key(self, event: events.Key) -> None:
        if self.typeahead.takes(event):
            return
        if self._takes(event.key):
            event.stop()
            event.prevent_default()
            return
        action = self.keymap.action("code", event.key)
        moves = {"line.down": "hunk.next", "line.up": "hunk.previous"}
        if action is not None:
            event.stop()
            event.prevent_default()
            self.typeahead.ask(self, moves.get(action, action))

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        number = at - len(self._rows) - 1
        if 0 <= number < len(self._problems):
            self._problem = number
            self.refresh()
            self.post_message(ProblemPicked(number))
        elif at < len(self._rows):
            path, hunk = self._rows[at]
            chosen = hunk or next((h for p, h in self._rows if p == path and h), None)
            if chosen:
                self.post_message(HunkPicked(chosen.id))
