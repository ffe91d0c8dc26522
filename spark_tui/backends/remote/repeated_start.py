"""Leaves out what a chat model repeats when it is asked to go on with a begun answer.

Such models often begin again: with the whole answer, with the edit that was open, or with its last line.
"""

from __future__ import annotations

import re

_FEWEST = 7
"""Characters of a repetition, as many as the mark of a block has; fewer may be meant."""


class RepeatedStart:
    """Holds text back while it may repeat the end of `begun` from the start of one of its lines."""

    def __init__(self, begun: str) -> None:
        self._begun, self._held, self._cut = begun, "", 0
        self._open = [
            line.start() for line in re.finditer(r"^[ \t]*(?=\S)", begun, re.M) if self._counts(line)
        ]
        self._open += [
            line.end() for line in re.finditer(r"^[ \t]+(?=\S.*\Z)", begun, re.M) if self._counts(line)
        ]

    def _counts(self, line: re.Match[str]) -> bool:
        """Whether the text from a line on is long enough: after a whole line, two lines."""
        rest = self._begun[line.start() :].strip()
        return len(rest) >= _FEWEST and (not self._begun.endswith("\n") or "\n" in rest)

    def feed(self, text: str) -> str:
        if not self._open:
            return text
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
        self._cut = 0
        return out
