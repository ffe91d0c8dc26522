"""Lines that a person types into: a cursor, the usual movements, and undo of typing.

Lines are exact: only a newline that was typed or pasted divides, so form feeds, NEL and U+2028 stay inside their
line. Comes in: lines and keys as names. Goes out: lines. Must not know: files, endings, widgets.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

_WORD_END = re.compile(r"\W*\w*")
_WORD_START = re.compile(r"\w*\W*$")
_INDENT = re.compile(r"[ \t]*")


class TextBuffer:
    """`row` and `column` are the cursor, the column in characters. There is always at least one line to stand on."""

    def __init__(self, lines: Sequence[str], row: int = 0, column: int = 0) -> None:
        self.lines = list(lines) or [""]
        self.row = min(max(row, 0), len(self.lines) - 1)
        self.column = min(max(column, 0), len(self.line))
        self._before = list(self.lines)
        self._past: list[tuple[list[str], int, int]] = []
        self._future: list[tuple[list[str], int, int]] = []
        self._typing = False

    @property
    def line(self) -> str:
        return self.lines[self.row]

    @property
    def changed(self) -> bool:
        return self.lines != self._before

    def press(self, key: str, character: str | None) -> bool:
        """Do what a key does in a text; False when it does nothing here."""
        moves: dict[str, Callable[[], None]] = {
            "left": self._left,
            "right": self._right,
            "up": lambda: self._vertical(-1),
            "down": lambda: self._vertical(1),
            "pageup": lambda: self._vertical(-20),
            "pagedown": lambda: self._vertical(20),
            "home": self._home,
            "end": lambda: self._to(self.row, len(self.line)),
            "ctrl+left": self._word_left,
            "ctrl+right": self._word_right,
            "ctrl+home": lambda: self._to(0, 0),
            "ctrl+end": lambda: self._to(len(self.lines) - 1, len(self.lines[-1])),
        }
        edits: dict[str, Callable[[], None]] = {
            "enter": lambda: self.insert("\n" + self._indent()),
            "tab": lambda: self.insert("\t" if self.line.startswith("\t") else " " * (4 - self.column % 4)),
            "backspace": self._backspace,
            "delete": self._delete,
            "ctrl+w": self._delete_word,
            "ctrl+k": self._delete_to_end,
        }
        if key in moves:
            self._typing = False
            moves[key]()
        elif key in edits:
            edits[key]()
        elif key == "ctrl+z":
            self.undo()
        elif key in ("ctrl+y", "ctrl+shift+z"):
            self.redo()
        elif character and character.isprintable() and not key.startswith(("ctrl+", "alt+")):
            self.insert(character)
        else:
            return False
        return True

    # Changing

    def insert(self, text: str) -> None:
        """At the cursor. A run of single characters is one step of undo."""
        single = len(text) == 1 and text != "\n"
        if not (single and self._typing):
            self._remember()
        self._typing = single
        head, tail = self.line[: self.column], self.line[self.column :]
        first, *rest = text.split("\n")
        if not rest:
            self.lines[self.row] = head + first + tail
            self.column += len(first)
            return
        self.lines[self.row : self.row + 1] = [head + first, *rest[:-1], rest[-1] + tail]
        self.row += len(rest)
        self.column = len(rest[-1])

    def _cut(self, row: int, column: int) -> None:
        """Remove from there to the cursor; there is before the cursor."""
        self._remember()
        self._typing = False
        self.lines[row : self.row + 1] = [self.lines[row][:column] + self.line[self.column :]]
        self.row, self.column = row, column

    def _backspace(self) -> None:
        if self.column:
            head = self.line[: self.column]
            blank = head.isspace() and "\t" not in head
            self._cut(self.row, self.column - ((self.column - 1) % 4 + 1 if blank else 1))
        elif self.row:
            self._cut(self.row - 1, len(self.lines[self.row - 1]))

    def _delete(self) -> None:
        row, column = self.row, self.column
        self._right()
        if (self.row, self.column) != (row, column):
            self._cut(row, column)

    def _delete_word(self) -> None:
        row, column = self.row, self.column
        self._word_left()
        start = (self.row, self.column)
        self.row, self.column = row, column
        if start != (row, column):
            self._cut(*start)

    def _delete_to_end(self) -> None:
        column = self.column
        self.column = len(self.line)
        if self.column > column:
            self._cut(self.row, column)

    def _remember(self) -> None:
        self._past.append((list(self.lines), self.row, self.column))
        self._future.clear()

    def undo(self) -> None:
        self._travel(self._past, self._future)

    def redo(self) -> None:
        self._travel(self._future, self._past)

    def _travel(self, source: list[tuple[list[str], int, int]], target: list[tuple[list[str], int, int]]) -> None:
        if source:
            target.append((list(self.lines), self.row, self.column))
            self.lines, self.row, self.column = source.pop()
            self._typing = False

    # Moving

    def _to(self, row: int, column: int) -> None:
        self.row, self.column = row, column

    def _left(self) -> None:
        if self.column:
            self.column -= 1
        elif self.row:
            self._to(self.row - 1, len(self.lines[self.row - 1]))

    def _right(self) -> None:
        if self.column < len(self.line):
            self.column += 1
        elif self.row < len(self.lines) - 1:
            self._to(self.row + 1, 0)

    def _vertical(self, by: int) -> None:
        row = min(max(self.row + by, 0), len(self.lines) - 1)
        self._to(row, min(self.column, len(self.lines[row])))

    def _home(self) -> None:
        """To the first letter of the line, then to its start."""
        indent = len(self._indent(whole=True))
        self.column = 0 if self.column == indent else indent

    def _word_left(self) -> None:
        if not self.column:
            return self._left()
        found = _WORD_START.search(self.line[: self.column])
        self.column = found.start() if found and found.start() < self.column else self.column - 1
        return None

    def _word_right(self) -> None:
        if self.column == len(self.line):
            return self._right()
        found = _WORD_END.match(self.line, self.column)
        self.column = found.end() if found and found.end() > self.column else self.column + 1
        return None

    def _indent(self, whole: bool = False) -> str:
        found = _INDENT.match(self.line)
        indent = found.group() if found else ""
        return indent if whole else indent[: self.column]
