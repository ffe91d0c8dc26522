"""Lines that a person types into: cursor, selection, the usual movements, and undo.

Only a newline that was typed or pasted divides lines: form feeds, NEL and U+2028 stay inside them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Place = tuple[int, int]
"""A row and a column, in characters."""

_WORD_END = re.compile(r"\W*\w*")
_WORD_START = re.compile(r"\w*\W*$")
_INDENT = re.compile(r"[ \t]*")
_ONE_STEP = re.compile(r"\A(?:\t| {1,4})")
_ENDS = re.compile(r"\r\n?")


@dataclass(slots=True)
class _Step:
    """`old` lines from `row` on became `new`; where the cursor was, and where it went."""

    row: int
    old: list[str]
    new: list[str]
    before: Place
    after: Place


class TextBuffer:
    """`row` and `column` are the cursor. There is always at least one line."""

    def __init__(self, lines: Sequence[str], row: int = 0, column: int = 0) -> None:
        self.lines = list(lines) or [""]
        self.row, self.column = self._inside(row, column)
        self.anchor: Place | None = None
        """The other end of the selection."""
        self.page = 20
        self.version = 0
        """Grows with every change of the text."""
        self._changed_from: int | None = None
        self._before = list(self.lines)
        self._past: list[_Step] = []
        self._future: list[_Step] = []
        self._typing = False
        self._goal: int | None = None
        self._moves: dict[str, Callable[[], None]] = {
            "left": self._left,
            "right": self._right,
            "up": lambda: self._vertical(-1),
            "down": lambda: self._vertical(1),
            "pageup": lambda: self._vertical(-self.page),
            "pagedown": lambda: self._vertical(self.page),
            "home": self._home,
            "end": lambda: self._to(self.row, len(self.line)),
            "ctrl+left": self._word_left,
            "ctrl+right": self._word_right,
            "ctrl+home": lambda: self._to(0, 0),
            "ctrl+end": lambda: self._to(len(self.lines) - 1, len(self.lines[-1])),
        }
        self._edits: dict[str, Callable[[], None]] = {
            "enter": lambda: self.insert("\n" + self._indent() + self._deeper()),
            "tab": self._tab,
            "shift+tab": self._dedent,
            "backspace": self._backspace,
            "delete": lambda: self._remove_to(self._right),
        }
        self._acts: dict[str, Callable[[], None]] = {
            "undo": self.undo,
            "redo": self.redo,
            "all": self.select_all,
            "word.delete": lambda: self._remove_to(self._word_left),
            "line.end.delete": lambda: self._remove_to(lambda: self._to(self.row, len(self.line))),
        }

    @property
    def line(self) -> str:
        return self.lines[self.row]

    @property
    def changed(self) -> bool:
        return self.lines != self._before

    def changed_from(self) -> int | None:
        """The first row that changed since this was asked last."""
        row, self._changed_from = self._changed_from, None
        return row

    def _touch(self, row: int) -> None:
        self.version += 1
        self._changed_from = row if self._changed_from is None else min(row, self._changed_from)

    @property
    def at(self) -> Place:
        return self.row, self.column

    def press(self, key: str, character: str | None) -> bool:
        """Do what a key does in any text; False when it does nothing here."""
        move = key.replace("shift+", "")
        if move in self._moves:
            self._go(self._moves[move], key != move)
        elif key in self._edits:
            self._edits[key]()
        elif character and character.isprintable() and not key.startswith(("ctrl+", "alt+")):
            self.insert(character)
        else:
            return False
        return True

    def do(self, act: str) -> None:
        """What has a name and a key that may be rebound: `undo`, `redo`, `all`, `word.delete`,
        `line.end.delete`."""
        self._acts[act]()

    # Selecting

    @property
    def selection(self) -> tuple[Place, Place] | None:
        """The range of the selection, end exclusive; None without one."""
        if self.anchor is None or self.anchor == self.at:
            return None
        return min(self.anchor, self.at), max(self.anchor, self.at)

    @property
    def selected(self) -> str:
        found = self.selection
        if found is None:
            return ""
        (top, left), (bottom, right) = found
        if top == bottom:
            return self.lines[top][left:right]
        return "\n".join([self.lines[top][left:], *self.lines[top + 1 : bottom], self.lines[bottom][:right]])

    def select_all(self) -> None:
        self.anchor = (0, 0)
        self._to(len(self.lines) - 1, len(self.lines[-1]))

    def go_to(self, row: int, column: int) -> None:
        """Where the mouse points."""
        self._go(lambda: self._to(*self._inside(row, column)), selecting=False)

    def _go(self, move: Callable[[], None], selecting: bool) -> None:
        self._typing = False
        found = self.selection
        if selecting:
            self.anchor = self.anchor or self.at
            move()
        elif found and move in (self._moves["left"], self._moves["right"]):
            self.anchor = None
            self._to(*found[move == self._moves["right"]])
        else:
            self.anchor = None
            move()

    def taken(self) -> str:
        """What copying takes: the selection, else the whole line."""
        return self.selected or self.line + "\n"

    def cut(self) -> str:
        """Remove and return what copying would return."""
        text = self.taken()
        if self.selection is None:
            last = self.row == len(self.lines) - 1
            above = self.row - 1
            start = (above, len(self.lines[above])) if last and self.row else (self.row, 0)
            self._replace(start, (self.row, len(self.line)) if last else (self.row + 1, 0), "")
        else:
            self._replace(*self.selection, "")
        return text

    # Changing

    def insert(self, text: str) -> None:
        """In place of the selection, else at the cursor. A run of single characters is one step of undo."""
        single = len(text) == 1 and text != "\n" and self.selection is None
        first, last = self.selection or (self.at, self.at)
        self._replace(first, last, text, run=single)

    def paste(self, text: str) -> None:
        """Text from elsewhere: its line ends are ours, and NUL, which would make the file binary, is left
        out."""
        self.insert(_ENDS.sub("\n", text).replace("\0", ""))

    def take_over(self, lines: Sequence[str], at: Place) -> None:
        """Replace the whole text, for a reason other than a key; can be undone."""
        if list(lines) != self.lines:
            self._replace((0, 0), (len(self.lines) - 1, len(self.lines[-1])), "\n".join(lines))
        self.anchor = None
        self._to(*self._inside(*at))

    def _inside(self, row: int, column: int) -> Place:
        """The nearest place that there is."""
        row = min(max(row, 0), len(self.lines) - 1)
        return row, min(max(column, 0), len(self.lines[row]))

    def _replace(self, first: Place, last: Place, text: str, *, run: bool = False) -> None:
        """The one way in which the text changes."""
        before = self.at
        old = self.lines[first[0] : last[0] + 1]
        new = (old[0][: first[1]] + text + old[-1][last[1] :]).split("\n")
        self.lines[first[0] : last[0] + 1] = new
        *above, end = text.split("\n")
        self._to(first[0] + len(above), len(end) + (0 if above else first[1]))
        self.anchor = None
        step = self._past[-1] if self._past and run and self._typing else None
        if step is not None and step.row == first[0] and len(step.new) == 1:
            step.new, step.after = new, self.at
        else:
            self._past.append(_Step(first[0], old, new, before, self.at))
        self._future.clear()
        self._typing = run
        self._touch(first[0])

    def _backspace(self) -> None:
        head = self.line[: self.column]
        blank = head.isspace() and "\t" not in head
        stop = self.column - ((self.column - 1) % 4 + 1)
        self._remove_to((lambda: self._to(self.row, stop)) if blank else self._left)

    def _tab(self) -> None:
        """Indent the lines of a selection of several; else go on to where the next tab is."""
        unit = self._unit()
        if "\n" in self.selected:
            self._put_lines([(unit if line.strip() else "") + line for line in self._chosen_lines()])
        else:
            self.insert(unit if unit == "\t" else " " * (4 - self.column % 4))

    def _dedent(self) -> None:
        """Take one step of indentation from the selected lines, else from this one."""
        self._put_lines([_ONE_STEP.sub("", line, count=1) for line in self._chosen_lines()])

    def _unit(self) -> str:
        return "\t" if self.line.startswith("\t") else "    "

    def _chosen_lines(self) -> list[str]:
        """The lines of the selection, else this one; none of which it has only the line end before."""
        (top, _), (bottom, right) = self.selection or (self.at, self.at)
        return self.lines[top : bottom + (right > 0 or top == bottom)]

    def _put_lines(self, lines: Sequence[str]) -> None:
        """In place of the chosen lines, which stay selected if they were."""
        found, column = self.selection, self.column
        top = found[0][0] if found else self.row
        last = top + len(lines) - 1
        moved = len(lines[0]) - len(self.line) if not found else 0
        if self.lines[top : last + 1] != [*lines]:
            self._replace((top, 0), (last, len(self.lines[last])), "\n".join(lines))
            self._to(last, len(self.line) if found else max(column + moved, 0))
            self.anchor = (top, 0) if found else None

    def _remove_to(self, move: Callable[[], None]) -> None:
        """What is selected, else from the cursor to where the movement leads."""
        found, here = self.selection, self.at
        if found is None:
            move()
            found, (self.row, self.column) = (min(here, self.at), max(here, self.at)), here
        if found[0] != found[1]:
            self._replace(*found, "")

    def undo(self) -> None:
        if self._past:
            step = self._past.pop()
            self._future.append(step)
            self._put(step.row, len(step.new), step.old, step.before)

    def redo(self) -> None:
        if self._future:
            step = self._future.pop()
            self._past.append(step)
            self._put(step.row, len(step.old), step.new, step.after)

    def _put(self, row: int, count: int, lines: Sequence[str], at: Place) -> None:
        self.lines[row : row + count] = lines
        self.anchor = None
        self._to(*at)
        self._typing = False
        self._touch(row)

    # Moving

    def _to(self, row: int, column: int) -> None:
        self.row, self.column, self._goal = row, column, None

    def _left(self) -> None:
        if self.column:
            self._to(self.row, self.column - 1)
        elif self.row:
            self._to(self.row - 1, len(self.lines[self.row - 1]))

    def _right(self) -> None:
        if self.column < len(self.line):
            self._to(self.row, self.column + 1)
        elif self.row < len(self.lines) - 1:
            self._to(self.row + 1, 0)

    def _vertical(self, by: int) -> None:
        goal = self.column if self._goal is None else self._goal
        row = min(max(self.row + by, 0), len(self.lines) - 1)
        self._to(row, min(goal, len(self.lines[row])))
        self._goal = goal

    def _home(self) -> None:
        """To the first letter of the line, then to its start."""
        indent = len(self._indent(whole=True))
        self._to(self.row, 0 if self.column == indent else indent)

    def _word_left(self) -> None:
        if not self.column:
            return self._left()
        found = _WORD_START.search(self.line[: self.column])
        self._to(self.row, found.start() if found and found.start() < self.column else self.column - 1)
        return None

    def _word_right(self) -> None:
        if self.column == len(self.line):
            return self._right()
        found = _WORD_END.match(self.line, self.column)
        self._to(self.row, found.end() if found and found.end() > self.column else self.column + 1)
        return None

    def _deeper(self) -> str:
        """The extra indentation after a line that opens a block."""
        before, after = self.line[: self.column], self.line[self.column :]
        if after.strip() or not before.rstrip().endswith((":", "{", "(", "[")):
            return ""
        return self._unit()

    def _indent(self, whole: bool = False) -> str:
        found = _INDENT.match(self.line)
        indent = found.group() if found else ""
        return indent if whole else indent[: self.column]
