"""Leaves out what a chat model repeats when it is asked to go on with a begun answer.

Such models often begin again: with the whole answer, with the edit that was open, or with its last line.
"""

from __future__ import annotations

import re

_FEWEST = 3
"""Characters of a repetition; fewer may be meant."""
_MARK = 7
"""As many as the mark of a block has. Fewer count where they are no half of it, nor of a row: `0, 0`. A name
behind indentation is none."""
_NO_ROW = re.compile(r"(?!(.)\1*\Z)(?:[+ \t-]+|\W*[^\W\d][^,|]*|(?:  +|\t+)[^\W\d].*)")
_VALUE = r"""[\w.+-]+|"[^"\n]*"|'[^'\n]*'|\([^()\n]*\)|\[[^][\n]*\]"""
_ROW = re.compile(rf"(?:\| *)?((?:{_VALUE}) *[,|] *)\1*+")
"""The same thing again and again, which may go on so."""


class RepeatedStart:
    """Holds text back while it may repeat the end of `begun` from the start of one of its lines, or the
    blanks there, which a chat model is not shown."""

    def __init__(self, begun: str) -> None:
        self._begun, self._held, self._cut = begun, "", 0
        self._blanks = begun[len(begun.rstrip(" \t")) :]
        starts = [line.start() for line in re.finditer(r"^[ \t]*(?=\S)", begun, re.M)]
        starts += [line.end() for line in re.finditer(r"^[ \t]+(?=\S.*\Z)", begun, re.M)]
        self._open = [start for start in starts if self._counts(begun[start:])]

    def _counts(self, rest: str) -> bool:
        """Whether the text from a line on is long enough: after a whole line, two lines that differ."""
        if self._begun.endswith("\n"):
            return len({*rest.strip("\n").split("\n")}) > 1
        if _ROW.fullmatch(rest):
            return False
        return len(rest.strip()) >= _MARK or (len(rest) >= _FEWEST and bool(_NO_ROW.fullmatch(rest)))

    def feed(self, text: str) -> str:
        if not self._open:
            return self._goes_on(text)
        self._held += text
        still = []
        for start in self._open:
            rest = len(self._begun) - start
            if len(self._held) >= rest:
                if self._held.startswith(self._begun[start:]):
                    self._cut = max(self._cut, rest)
            elif self._begun.startswith(self._held, start):
                still.append(start)
        self._open = still
        return "" if still else self.finish()

    def finish(self) -> str:
        """What is held back, without what it repeats."""
        out, self._held, self._open = self._held[self._cut :], "", []
        if self._cut:
            self._cut, self._blanks = 0, ""
        return self._goes_on(out)

    def _goes_on(self, text: str) -> str:
        """The text without those of its first blanks that the answer has already."""
        while text and self._blanks:
            if text[0] != self._blanks[0]:
                self._blanks = ""
                break
            text, self._blanks = text[1:], self._blanks[1:]
        return text
