"""What hunks changed: single differences, and what these have to do with.

Comes in: the lines that were shown, hunks. Goes out: differences. Must not know: messages, engines, ids.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property

from spark_tui.engine.token_layout import WindowHunk

PARTS = {
    "docstring": r"^\s*[rR]?(?:\"\"\"|''')|\"\"\"\s*$", "comment": r"#",
    "import": r"^\s*(?:import|from)\b", "print": r"^\s*print\(",
    "log": r"^\s*log\w*\.", "logging": r"^\s*log\w*\.", "default": r"=", "message": r"\braise\b", "text": r"\braise\b",
}  # fmt: skip
"""Parts of code by what people call them, and how a line of one looks."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Lines `first..last-1` became `new`; as few as it can be told apart by."""

    first: int
    last: int
    new: tuple[str, ...]


def differences(lines: Sequence[str], hunks: Sequence[WindowHunk]) -> Iterator[Difference]:
    """Hunks in their smallest parts."""
    for hunk in hunks:
        old = list(lines[hunk.first : hunk.last])
        for code, a, b, c, d in SequenceMatcher(None, old, list(hunk.new), autojunk=False).get_opcodes():
            if code == "equal":
                continue
            if b - a == d - c:
                for step in range(b - a):
                    yield Difference(hunk.first + a + step, hunk.first + a + step + 1, (hunk.new[c + step],))
            else:
                yield Difference(hunk.first + a, hunk.first + b, tuple(hunk.new[c:d]))


@dataclass
class Written:
    """Of one answer."""

    lines: Sequence[str]
    standing: Sequence[WindowHunk]

    def lost(self, looks: str) -> bool:
        """Whether lines of this look are gone, and none came."""
        gone = [line for one in self.differences for line in self.lines[one.first : one.last]]
        came = [line for one in self.differences for line in one.new]
        return any(re.search(looks, line) for line in gone) and not any(
            re.search(looks, line) for line in came
        )

    def mentions(self, word: str) -> bool:
        """Whether a difference has to do with it."""
        if len(word) < 2 or not re.search(r"\w", word):
            return False
        found = re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
        return any(
            found.search(line)
            for one in self.differences
            for line in (*self.lines[one.first : one.last], *one.new)
        )

    def mentions_all(self, word: str) -> bool:
        """Whether every difference has to do with it."""
        found = re.compile(rf"(?<![a-z0-9]){re.escape(word)}(?![a-z0-9])", re.IGNORECASE)
        return all(
            found.search("\n".join([*self.lines[one.first : one.last], *one.new])) for one in self.differences
        )

    @cached_property
    def differences(self) -> list[Difference]:
        return list(differences(self.lines, self.standing))
