"""What the formats of configuration files share: the type of a format, and places of lines."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.parse_errors import conflict_in

Keys = tuple[str, ...]
TextEdit = tuple[int, int, str]
BLANK = re.compile(r"(?:[ \t\r\n]|#[^\r\n]*)*")


@dataclass(frozen=True, slots=True)
class Format:
    """A format of configuration files. `parse` raises a `ValueError`, `value` reads a value as it stands in
    such a file, `place` tells where the value of a key stands."""

    name: str
    parse: Callable[[str], Any]
    value: Callable[[str], tuple[str, Any]]
    put: Callable[[str, Keys, str], TextEdit]
    drop: Callable[[str, Keys], TextEdit]
    place: Callable[[str, Keys], tuple[int, int] | None]
    path: str = "the file"

    def read(self, text: str) -> Any:
        """The data of a file; refused, by the file's name, where it has a conflict or does not parse."""
        if conflict := conflict_in(self.path, text):
            raise Refusal(conflict)
        try:
            return self.parse(text)
        except ValueError as error:
            raise Refusal(f"{self.path} is not valid {self.name}: {error}") from None


def newline_of(text: str) -> str:
    """The line ending of a text: that of its first line."""
    found = re.search(r"\r\n|\r|\n", text)
    return found[0] if found else "\n"


def skip(pattern: re.Pattern[str], text: str, at: int) -> int:
    """Where a pattern ends that may stand at a place."""
    found = pattern.match(text, at)
    return found.end() if found else at


def whole_lines(text: str, start: int, end: int) -> tuple[int, int]:
    """A place widened to whole lines, with the last one's ending."""
    low = max(text.rfind("\n", 0, start), text.rfind("\r", 0, start)) + 1
    found = re.compile(r"\r\n|\r|\n|\Z").search(text, end)
    return low, found.end() if found else len(text)


def appended_section(text: str, header: str, line: str) -> TextEdit:
    """The edit that puts a section with one line at the end of a text, below a blank line."""
    newline = newline_of(text)
    gap = newline if text.strip() else ""
    front = "" if not text or text[-1] in "\r\n" else newline
    return len(text), len(text), f"{front}{gap}[{header}]{newline}{line}{newline}"


def inserted_line(text: str, at: int, line: str) -> TextEdit:
    """The edit that puts a line at the start of another one, or at the end of a text without a last line
    ending."""
    newline = newline_of(text)
    if at and text[at - 1] not in "\r\n":
        return at, at, newline + line
    return at, at, line + newline
