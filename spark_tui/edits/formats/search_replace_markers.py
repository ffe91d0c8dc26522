"""The marker lines of `search_replace` blocks, and whether a growing line may become one."""

from __future__ import annotations

import re
from collections.abc import Sequence

_OLD_WORDS = ("SEARCH", "ORIGINAL", "OLD", "BEFORE", "FIND", "CURRENT")
_NEW_WORDS = ("REPLACE", "UPDATED", "NEW", "AFTER", "MODIFIED")
OPENING = re.compile(
    rf"(?:<{{5,9}}|-{{5,9}}) ?(?:{'|'.join(_OLD_WORDS)})(?:[ \t]+(\S(?:.*\S)?))?\s*", re.IGNORECASE
)
"""The marker; some models name the file after it."""
INNER = re.compile(rf"<{{5,9}} ?(?:{'|'.join(_OLD_WORDS)})\b.*|-{{5,9}} (?-i:SEARCH)\s*", re.IGNORECASE)
"""One that is no new line of the block before it, as a comment of dashes may be."""
DIVIDER = re.compile(r"={5,9}\s*")
ENDING = re.compile(rf"(?:>{{5,9}}|\+{{5,9}}) ?(?:{'|'.join(_NEW_WORDS)})\s*", re.IGNORECASE)
LINE_HINT = re.compile(r":(start|end)_line:\s*(\d{1,9})\s*")
HINTS_END = re.compile(r"-{5,9}\s*")


def in_fence(lines: Sequence[str]) -> bool:
    """Whether these lines open a fence that they do not close."""
    return sum(line.lstrip().startswith(("```", "~~~")) for line in lines) % 2 == 1


def drop_fence(new: list[str], old: Sequence[str]) -> None:
    """Take the end of the fence around a block from the lines in front of its last marker."""
    if new and new[-1].strip() in ("```", "~~~") and in_fence(new) and not in_fence(old):
        del new[-1]


def lost_end(lines: Sequence[str]) -> str:
    """The line that ends a block which none of these begins; in a fence of theirs it is shown."""
    ends = next((at for at, line in enumerate(lines) if ENDING.fullmatch(line)), None)
    if ends is None or in_fence(lines[:ends]) or any(OPENING.fullmatch(line) for line in lines):
        return ""
    return lines[ends]


class Example:
    """Lines from an opening marker in a fence on: the text shows blocks, or the block was cut off there."""

    def __init__(self, line: str) -> None:
        self.lines = [line]
        self._open = True

    def ends(self, line: str) -> bool:
        """Whether this line ends the block around, as nothing in it is open: the lines were its text."""
        if ENDING.fullmatch(line):
            if not self._open and in_fence(self.lines):
                return True
            self._open = False
        elif INNER.fullmatch(line):
            self._open = True
        self.lines.append(line)
        return False


def could_open(head: str) -> bool:
    """Whether a growing line may still become the opening marker."""
    if OPENING.fullmatch(head) is not None:
        return True
    return any(_could_be(head, mark, word) for mark in "<-" for word in _OLD_WORDS)


def could_mark(head: str) -> bool:
    """Whether a growing line of the new side may still become the closing marker, or open another block."""
    if could_open(head) or INNER.fullmatch(head) is not None:
        return True
    return any(_could_be(head, mark, word) for mark in ">+" for word in _NEW_WORDS)


def _could_be(head: str, mark: str, word: str) -> bool:
    if not head.startswith(mark):
        return not head
    marks = len(head) - len(head.lstrip(mark))
    if marks == len(head):
        return marks <= 9
    rest = head[marks:].removeprefix(" ").upper()
    return 5 <= marks <= 9 and (word.startswith(rest) or rest.rstrip() == word)
