"""Line numbers that a model copied from the output of a tool in front of the lines that it quotes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from spark_tui.edits.places.locate import LineFinder, LineMatch, NoMatch

_NUMBERED = re.compile(r" *(\d{1,7}) ?([\t|:→])(.*)")
_CLOSE = 1
"""Lines may differ in trailing space only."""


@dataclass(frozen=True, slots=True)
class NumberedLines:
    """Lines without their numbers, which count on from `first`, and the mark after each number. `spaced`: a
    space after the mark was no part of the line."""

    first: int
    mark: str
    lines: tuple[str, ...]
    spaced: bool = False


def numbered(lines: Sequence[str]) -> NumberedLines | None:
    """The lines, if every one that is not blank begins with its number."""
    found = [_NUMBERED.fullmatch(line) for line in lines]
    known = [(at, match) for at, match in enumerate(found) if match]
    if not known:
        return None
    first, mark = int(known[0][1][1]) - known[0][0], known[0][1][2]
    if any((int(match[1]) - at, match[2]) != (first, mark) for at, match in known):
        return None
    others = [(at, line.strip()) for at, line in enumerate(lines) if not found[at]]
    if any(line not in ("", str(first + at)) for at, line in others):
        return None
    return NumberedLines(first, mark, tuple(match[3] if match else "" for match in found))


def find_numbered(file: LineFinder, quoted: NumberedLines) -> tuple[NumberedLines, LineMatch] | NoMatch:
    """The one place of the lines, which may have a space after the mark. Numbers may be out of date; they
    decide between equal places."""
    found: list[tuple[NumberedLines, LineMatch]] = []
    reason = "`old` begins with line numbers: quote the lines without them"
    miss = NoMatch(reason)
    for one in (_cut(quoted), quoted) if quoted.mark != "\t" and _is_spaced(quoted) else (quoted,):
        match = file.find(one.lines, at=one.first - 1)
        if isinstance(match, NoMatch):
            miss = replace(match, message=f"{reason} ({match.message})")
        elif match.level > _CLOSE or any(map(_NUMBERED.fullmatch, _matched(file, match))):
            miss = NoMatch(reason, match.start + 1)
        else:
            found.append((one, match))
    return found[0] if len(found) == 1 else miss


def _is_spaced(quoted: NumberedLines) -> bool:
    return all(line.startswith(" ") for line in quoted.lines if line)


def _cut(quoted: NumberedLines) -> NumberedLines:
    return replace(quoted, lines=tuple(line[1:] for line in quoted.lines), spaced=True)


def _matched(file: LineFinder, match: LineMatch) -> Sequence[str]:
    return file.lines[match.start : match.start + match.count]


def without_numbers(new: Sequence[str], quoted: NumberedLines) -> tuple[str, ...] | None:
    """The new lines in place of the quoted ones. None if it is not certain what are numbers in them."""
    found = numbered(new)
    if found is not None and (found.first, found.mark) == (quoted.first, quoted.mark):
        if not quoted.spaced:
            return found.lines
        return _cut(found).lines if _is_spaced(found) else None
    looks = any((match := _NUMBERED.fullmatch(line)) and match[2] == quoted.mark for line in new)
    return None if looks else tuple(new)
