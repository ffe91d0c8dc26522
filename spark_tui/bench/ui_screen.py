"""What stands on a terminal, as far as `spark bench ui` must know it: characters and their places.

A workbench that sends only what differs does not write a whole number, or all that was typed, again. Comes
in: bytes. Goes out: rows, and which of them have changed. Must not know: colours, what is measured.
"""

from __future__ import annotations

import codecs
import re

_TOKEN = re.compile(
    r"\x1b\[(?P<codes>[\d;]*)(?P<what>[A-HJKXdf])"
    r"|\x1b\[[<=>?!]?[\d;:]*["
    r" $\"']?[@-~]|\x1b[\]P_^X][^\x07\x1b]*(?:\x07|\x1b\\)|\x1b[()*+].|\x1b[^\[\]P_^X()*+]"
    r"|(?P<move>[\r\n\b])|(?P<text>[^\x00-\x1f\x7f]+)|[\x00-\x1a\x1c-\x1f\x7f]"
)


class Screen:
    """One character a cell: nothing wider is looked for."""

    def __init__(self, columns: int, rows: int) -> None:
        self._columns = columns
        self.rows = [" " * columns for _ in range(rows)]
        self._x = self._y = 0
        self._rest = ""
        self._decode = codecs.getincrementaldecoder("utf-8")("replace").decode

    def feed(self, data: bytes) -> set[int]:
        """Take in what came; the rows that were written to."""
        text, at, written = self._rest + self._decode(data), 0, set[int]()
        while at < len(text) and (match := _TOKEN.match(text, at)):
            at = match.end()
            if match["text"]:
                self._put(match["text"])
                written.add(self._y)
            elif match["move"]:
                there = {"\r": (0, self._y), "\n": (self._x, self._y + 1), "\b": (self._x - 1, self._y)}
                self._go(*there[match["move"]])
            elif match["what"] and self._command(match["what"], match["codes"]):
                written.add(self._y)
        # A sequence may come in two parts.
        self._rest = text[at:]
        return written

    def _put(self, text: str) -> None:
        row = self.rows[self._y]
        self.rows[self._y] = (row[: self._x] + text + row[self._x + len(text) :])[: self._columns]
        self._x = min(self._x + len(text), self._columns - 1)

    def _go(self, x: int, y: int) -> None:
        self._x, self._y = min(max(x, 0), self._columns - 1), min(max(y, 0), len(self.rows) - 1)

    def _command(self, what: str, codes: str) -> bool:
        """Whether it writes."""
        numbers = [int(code or 0) for code in codes.split(";")]
        count, x, y = max(numbers[0], 1), self._x, self._y
        match what:
            case "H" | "f":
                self._go(max(numbers[1], 1) - 1 if len(numbers) > 1 else 0, count - 1)
            case "A" | "B":
                self._go(x, y + (count if what == "B" else -count))
            case "C" | "D":
                self._go(x + (count if what == "C" else -count), y)
            case "G" | "d":
                self._go(*((count - 1, y) if what == "G" else (x, count - 1)))
            case "E" | "F":
                self._go(0, y + (count if what == "E" else -count))
            case "J":
                first = 0 if numbers[0] else y + 1
                self.rows[first:] = [" " * self._columns for _ in self.rows[first:]]
            case "K" | "X":
                begin = x if what == "X" or numbers[0] == 0 else 0
                end = x + count if what == "X" else x + 1 if numbers[0] == 1 else self._columns
                row = self.rows[y]
                self.rows[y] = (row[:begin] + " " * (end - begin) + row[end:])[: self._columns]
        return what in "KX"
