"""Writes only the cells that differ from what the terminal shows, with the shortest sequences for place and
style.

Rich writes every piece of a line whole, with both of its colours and a reset, although most of it is on
screen already.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from rich.cells import get_character_cell_size
from rich.color import Color, ColorSystem
from rich.console import COLOR_SYSTEMS, Console
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

Piece = tuple[int, int, Sequence[Segment]]
"""Row, column, and the cells from there on."""
_SHORT_GAP = 7
"""This many equal cells cost no more than going over them."""
_MOST_STYLES = 4096
_JOINING_OR_UNKNOWN = {"Mn", "Mc", "Me", "Cf", "Cn", "Co", "Cs"}
"""Characters that some terminals join with their neighbours, or know better than the tables here. (Beyond the
first plane stand mostly pictures, and the letters that end a Korean syllable are joined as well.)"""
_ATTRIBUTES = {
    "bold": "1",
    "dim": "2",
    "italic": "3",
    "underline": "4",
    "blink": "5",
    "blink2": "6",
    "reverse": "7",
    "conceal": "8",
    "strike": "9",
    "underline2": "21",
    "frame": "51",
    "encircle": "52",
    "overline": "53",
}
_ON_BLANKS = {"4", "5", "6", "7", "9", "21", "51", "52", "53"}
"""Attributes that show where nothing is written."""


@dataclass(frozen=True, slots=True, eq=False)
class CellStyle:
    """How a cell is drawn; there is one object for each look, so that two are compared by what they are."""

    attributes: frozenset[str]
    ink: str
    ground: str
    shows_on_blanks: bool


Cell = tuple[str, CellStyle]


class _Cells(dict[str, Cell]):
    """A character to its cell in one look. Blanks look alike in every ink on the same ground."""

    def __init__(self, look: CellStyle, blank: Cell) -> None:
        super().__init__()
        self._look = look
        self[" "] = blank

    def __missing__(self, character: str) -> Cell:
        cell = self[character] = (character, self._look)
        return cell


class TerminalWriter:
    """One terminal, and what it shows as far as this knows."""

    def __init__(self) -> None:
        self._rows: dict[int, list[Cell | None]] = {}
        self._looks: dict[tuple[frozenset[str], str, str], CellStyle] = {}
        self._cells: dict[CellStyle, _Cells] = {}
        self._of_style: dict[Style | None, _Cells] = {}
        self._changes: dict[tuple[CellStyle, CellStyle], str] = {}
        self._reset = self._look(frozenset(), "", "")
        self._system = ColorSystem.TRUECOLOR

    def forget(self) -> None:
        """Something else has drawn: forget what the terminal shows."""
        self._rows.clear()

    def draw(self, pieces: Iterable[Piece], console: Console) -> str:
        """What makes the terminal show these pieces."""
        system = COLOR_SYSTEMS.get(console.color_system or "truecolor", ColorSystem.TRUECOLOR)
        if system is not self._system or len(self._of_style) > _MOST_STYLES:
            self._of_style.clear()
            self._system = system
        out: list[str] = []
        look = self._reset
        for y, x, segments in pieces:
            cells = self._cells_of(segments)
            if cells is None:
                look = self._change(out, look, self._reset)
                out.append(f"\x1b[{y + 1};{x + 1}H{Strip(segments).render(console)}")
                # A terminal that draws them wider has pushed on what stands after them.
                del self._rows.setdefault(y, [])[x:]
                continue
            for start, end in _runs(self._cells_on_screen(y, x, cells), cells):
                out.append(f"\x1b[{y + 1};{x + start + 1}H")
                look = self._run(out, look, cells[start:end])
        self._change(out, look, self._reset)
        return "".join(out)

    def _cells_of(self, segments: Sequence[Segment]) -> list[Cell] | None:
        """One cell a character; None where a terminal may think otherwise of how wide they are."""
        cells: list[Cell] = []
        for text, style, control in segments:
            if control or not (text.isascii() or _is_narrow(text)) or (style is not None and style.link):
                return None
            table = self._of_style.get(style)
            if table is None:
                table = self._of_style[style] = self._styled(style)
            cells += map(table.__getitem__, text)
        return cells

    def _cells_on_screen(self, y: int, x: int, cells: Sequence[Cell]) -> list[Cell | None]:
        """The cells that are on the screen at these positions now."""
        row = self._rows.setdefault(y, [])
        end = x + len(cells)
        if len(row) < end:
            row += [None] * (end - len(row))
        before = row[x:end]
        row[x:end] = cells
        return before

    def _run(self, out: list[str], look: CellStyle, cells: Sequence[Cell]) -> CellStyle:
        for character, wanted in cells:
            if wanted is not look:
                if character != " " or wanted.shows_on_blanks or look.shows_on_blanks:
                    look = self._change(out, look, wanted)
                elif wanted.ground != look.ground:
                    # Only the ground counts: the ink may stay what it is.
                    look = self._change(out, look, self._look(look.attributes, look.ink, wanted.ground))
            out.append(character)
        return look

    def _change(self, out: list[str], before: CellStyle, now: CellStyle) -> CellStyle:
        if before is not now:
            codes = self._changes.get((before, now))
            if codes is None:
                codes = self._changes[before, now] = _codes(before, now)
            out.append(codes)
        return now

    def _look(self, attributes: frozenset[str], ink: str, ground: str) -> CellStyle:
        key = attributes, ink, ground
        look = self._looks.get(key)
        if look is None:
            look = self._looks[key] = CellStyle(*key, bool(attributes & _ON_BLANKS))
        return look

    def _styled(self, style: Style | None) -> _Cells:
        if style is None:
            look = self._reset
        else:
            attributes = frozenset(code for name, code in _ATTRIBUTES.items() if getattr(style, name))
            ink = _color(style.color, self._system, foreground=True)
            look = self._look(attributes, ink, _color(style.bgcolor, self._system, foreground=False))
        return self._table(look)

    def _table(self, look: CellStyle) -> _Cells:
        if look not in self._cells:
            paper = self._look(frozenset(), "", look.ground)
            own = look is paper or look.shows_on_blanks
            self._cells[look] = _Cells(look, (" ", look) if own else self._table(paper)[" "])
        return self._cells[look]


def _color(color: Color | None, system: ColorSystem, *, foreground: bool) -> str:
    """Empty for the terminal's own."""
    if color is None or color.is_default:
        return ""
    return ";".join(color.downgrade(system).get_ansi_codes(foreground))


def _codes(before: CellStyle, now: CellStyle) -> str:
    """From one look to another. What is to be left off is left off by a reset, which every terminal knows."""
    if before.attributes - now.attributes or (now.ink, now.ground) == ("", ""):
        codes = ["0", *sorted(now.attributes), now.ink, now.ground]
    else:
        codes = sorted(now.attributes - before.attributes)
        codes += [now.ink or "39"] if now.ink != before.ink else []
        codes += [now.ground or "49"] if now.ground != before.ground else []
    return f"\x1b[{';'.join(code for code in codes if code)}m"


def _runs(before: Sequence[Cell | None], now: Sequence[Cell]) -> Iterator[tuple[int, int]]:
    """Stretches of cells that differ; a few equal ones between two of them are sent along."""
    if before == now:
        return
    start = end = -1
    for at, (old, new) in enumerate(zip(before, now, strict=True)):
        if old is new:
            continue
        if start < 0:
            start = at
        elif at > end and (
            at - end > _SHORT_GAP or any(look is not now[end - 1][1] for _, look in now[end:at])
        ):
            yield start, end
            start = at
        end = at + 1
    yield start, end


@lru_cache(maxsize=4096)
def _is_narrow(text: str) -> bool:
    """Whether every terminal gives each of these characters one cell."""
    return all(
        get_character_cell_size(character) == 1
        and character < "\U00010000"
        and unicodedata.category(character) not in _JOINING_OR_UNKNOWN
        and not "\u1160" <= character <= "\u11ff"
        for character in text
    )
