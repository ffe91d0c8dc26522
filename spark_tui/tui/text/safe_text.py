"""Makes hostile text visible: characters that could control a terminal or hide from a reader become marks.
Also measures how wide text is drawn. Files on disk are never changed."""

from __future__ import annotations

import re
from functools import lru_cache

from rich.cells import cell_len

TAB_WIDTH = 4

# Controls, soft hyphen, bidi marks and overrides, zero-width characters, variation selectors, tags, lone
# surrogates.
_HOSTILE = re.compile(
    "[\x00-\x08\x0a-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u180b-\u180f\u200b-\u200f\u2028-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\U000e0000-\U000e0fff\ud800-\udfff]"
)


def _mark(match: re.Match[str]) -> str:
    code = ord(match.group())
    if code < 0x20:
        return chr(0x2400 + code)
    if code == 0x7F:
        return "␡"
    if 0xDC80 <= code <= 0xDCFF:  # a byte that is not of the file's encoding
        return f"‹{code - 0xDC00:02X}›"
    return f"‹{code:04X}›"


def is_plain(text: str) -> bool:
    """Nothing to mark and nothing to expand: one cell a character."""
    return text.isascii() and text.isprintable()


def visible(text: str, column: int = 0) -> str:
    """The text with marks, and with tabs expanded as they fall when it starts at `column`."""
    if text.isascii() and text.isprintable():
        return text
    marked = _HOSTILE.sub(_mark, text)
    if "\t" not in marked:
        return marked
    out: list[str] = []
    for index, part in enumerate(marked.split("\t")):
        if index:
            gap = TAB_WIDTH - column % TAB_WIDTH
            out.append(" " * gap)
            column += gap
        out.append(part)
        column += cell_len(part)
    return "".join(out)


def one_line(text: str) -> str:
    """For names and messages on a single line: line ends become spaces, everything else a mark."""
    return visible(" ".join(text.split("\n")).replace("\t", " "))


def width(text: str) -> int:
    """Cells that the text takes once it is made visible."""
    return len(text) if is_plain(text) else cell_len(visible(text))


def column_of(text: str, index: int) -> int:
    """The cell in which the character at `index` starts."""
    return width(text[:index])


def index_at(text: str, column: int) -> int:
    """The character that covers the cell at `column`; the length of the text past its end."""
    if is_plain(text):
        return min(max(column, 0), len(text))
    at = 0
    for index, char in enumerate(text):
        at += TAB_WIDTH - at % TAB_WIDTH if char == "\t" else cell_len(visible(char))
        if at > column:
            return index
    return len(text)


def shorten(text: str, cells: int, *, keep_end: bool = False) -> str:
    """At most `cells` wide; what was cut is shown as `…` (at the front when the end is kept)."""
    text = one_line(text)
    if cell_len(text) <= cells:
        return text
    if cells <= 1:
        return "…"[:cells]
    parts: list[str] = []
    room = cells - 1
    for char in reversed(text) if keep_end else text:
        room -= cell_len(char)
        if room < 0:
            break
        parts.append(char)
    return "…" + "".join(reversed(parts)) if keep_end else "".join(parts) + "…"


def at_most(lines: list[str], count: int) -> list[str]:
    """The first lines, and how many more there are."""
    more = len(lines) - count
    return [*lines[:count], f"… {more} more lines"] if more > 0 else lines


def wrap(text: str, cells: int) -> list[str]:
    """Lines of at most `cells`, broken at spaces where there are any."""
    return [row for line in text.rstrip("\n").split("\n") for row in _wrapped(line, cells)]


@lru_cache(maxsize=1024)
def _wrapped(line: str, cells: int) -> tuple[str, ...]:
    """Kept, because text that streams is wrapped again whenever its last line has grown."""
    out: list[str] = []
    line, start = visible(line), 0
    while (cut := _cut(line, start, cells)) < len(line):
        space = line.rfind(" ", start + 1, cut + 1)
        at = space if space - start > cells // 3 else cut
        out.append(line[start:at].rstrip())
        start = at
        while at == space and line.startswith(" ", start):
            start += 1
    return (*out, line[start:])


def _cut(line: str, start: int, cells: int) -> int:
    """Where a row ends that begins at `start` and has at least one character."""
    if line.isascii():
        return min(start + max(cells, 1), len(line))
    used = 0
    for index in range(start, len(line)):
        used += cell_len(line[index])
        if used > cells:
            return max(index, start + 1)
    return len(line)
