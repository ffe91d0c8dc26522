"""A terminal that knows what the workbench's frames use: places, colours and attributes, and text."""

from __future__ import annotations

import re

from rich.cells import cell_len

_TOKEN = re.compile(r"\x1b\[(\d+);(\d+)H|\x1b\[([\d;]*)m|([^\x1b]+)|\x1b.")
_SEEN_ON_BLANKS = {"4", "7", "9", "21", "53"}
Cell = tuple[str, frozenset[str], str, str]


class SmallTerminal:
    """Cells as a person would see them: blanks in another ink are the same blanks."""

    def __init__(self) -> None:
        self.cells: dict[tuple[int, int], Cell] = {}
        self._on: set[str] = set()
        self._ink = self._ground = ""

    def feed(self, text: str) -> None:
        x = y = 0
        for match in _TOKEN.finditer(text):
            row, column, codes, written = match.groups()
            if row is not None:
                y, x = int(row) - 1, int(column) - 1
            elif codes is not None:
                self._look(codes.split(";"))
            elif written is not None:
                for character in written:
                    if character == "\n":
                        continue
                    width = cell_len(character)
                    if width == 0:
                        before = self.cells[y, x - 1]
                        self.cells[y, x - 1] = (before[0] + character, *before[1:])
                        continue
                    self.cells[y, x] = self._cell(character)
                    if width == 2:
                        self.cells[y, x + 1] = self._cell("")
                    x += width
            else:
                raise AssertionError(f"not known here: {match.group()!r}")

    @property
    def at_rest(self) -> bool:
        """What is written next looks like nothing in particular."""
        return not self._on and not self._ink and not self._ground

    def text(self) -> list[str]:
        rows: dict[int, dict[int, str]] = {}
        for (y, x), cell in self.cells.items():
            rows.setdefault(y, {})[x] = cell[0]
        return ["".join(row[x] for x in sorted(row)) for _, row in sorted(rows.items())]

    def _cell(self, character: str) -> Cell:
        seen = frozenset(self._on)
        if character == " " and not seen & _SEEN_ON_BLANKS:
            return " ", frozenset(), "", self._ground
        return character, seen, self._ink, self._ground

    def _look(self, codes: list[str]) -> None:
        while codes:
            code = codes.pop(0)
            if code in ("0", ""):
                self._on.clear()
                self._ink = self._ground = ""
            elif code in ("38", "48"):
                count = 4 if codes[0] == "2" else 2
                color, codes = ";".join([code, *codes[:count]]), codes[count:]
                self._ink, self._ground = (color, self._ground) if code == "38" else (self._ink, color)
            elif code in ("39", "49"):
                self._ink, self._ground = ("", self._ground) if code == "39" else (self._ink, "")
            elif len(code) > 1 and code[:-1] in ("3", "9"):
                self._ink = code
            elif len(code) > 1 and code[:-1] in ("4", "10"):
                self._ground = code
            else:
                self._on.add(code)
