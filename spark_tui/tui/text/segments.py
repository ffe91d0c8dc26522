"""Turns a line into rich segments: colours by range, hostile characters as marks, cut to the visible
cells."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from spark_tui.tui.text.safe_text import is_plain, shorten, visible

Layer = Sequence[tuple[int, int, Style]]
Piece = tuple[str, Style]
_CHUNK = 512


def code_line(text: str, base: Style, layers: Iterable[Layer], x: int, width: int) -> list[Segment]:
    """The cells `[x, x + width)` of a line. Later layers go over earlier ones; ranges are in characters."""
    if width <= 0:
        return []
    plain = is_plain(text)
    # One cell a character: only what is in the window is looked at, so that a line of any length costs the
    # same.
    first, last = (min(x, len(text)), min(x + width, len(text))) if plain else (0, len(text))
    shown = [
        (max(start, first), min(end, last), style)
        for layer in layers
        for start, end, style in layer
        if start < last and end > first and end > start
    ]
    cuts = sorted({first, last, *(start for start, _, _ in shown), *(end for _, end, _ in shown)})
    pieces: list[Piece] = []
    for start, end in pairwise(cuts):
        style = base
        for layer_start, layer_end, layer_style in shown:
            if layer_start <= start and end <= layer_end:
                style += layer_style
        pieces.append((text[start:end], style))
    segments = [Segment(piece, style) for piece, style in pieces] if plain else _window(pieces, x, width)
    used = sum(cell_len(segment.text) for segment in segments)
    if used < width:
        segments.append(Segment(" " * (width - used), base))
    return joined(segments)


def joined(segments: Iterable[Segment]) -> list[Segment]:
    """The same cells in fewer segments: equal styles are merged, and blanks join the segment before them.
    Each segment costs some forty bytes of output, and blanks look the same in every foreground colour."""
    out: list[Segment] = []
    for text, style, _ in segments:
        before = out[-1].style if out else None
        if (
            before is not None
            and style is not None
            and (before == style or _look_the_same(text, before, style))
        ):
            out[-1] = Segment(out[-1].text + text, before)
        else:
            out.append(Segment(text, style))
    return out


def _look_the_same(text: str, before: Style, style: Style) -> bool:
    if not text.isspace() or before.bgcolor != style.bgcolor:
        return False
    return not any(item.underline or item.strike or item.reverse for item in (before, style))


def _window(pieces: Iterable[Piece], x: int, width: int) -> list[Segment]:
    """Expand, then keep the cells of the window; a wide character cut in half leaves a space."""
    out: list[Segment] = []
    column = 0
    for text, style in _chunks(pieces):
        if column >= x + width:
            break
        out.append(Segment(visible(text, column), style))
        column += cell_len(out[-1].text)
    return list(Strip(out, column).crop(x, x + width))


def _chunks(pieces: Iterable[Piece]) -> Iterator[Piece]:
    """Long pieces in parts: of a line of 20,000 columns only what lies before the end of the window is
    measured."""
    for text, style in pieces:
        for at in range(0, len(text), _CHUNK):
            yield text[at : at + _CHUNK], style


LEAST_SENTENCE_CELLS = 30
"""A shorter part of a sentence is not worth showing."""


def bar(
    left: Sequence[Piece], right: Sequence[Piece], width: int, fill: Style, rule: str = " ", group: int = 1
) -> list[Segment]:
    """One line of a bar: `left` from the left, `right` from the right; what does not fit is dropped from the
    inside.

    A sentence at the end of `left` is shortened if most of it fits. The last pieces of `left` and the first
    of `right` are the least important; `group` pieces of `left` are dropped together.
    """
    left, right = [p for p in left if p[0]], [p for p in right if p[0]]
    while right and cells_of(left) + cells_of(right) + 1 > width:
        right.pop(0)
    while len(left) > group and cells_of(left) + cells_of(right) > width:
        text, style = left.pop()
        room = width - cells_of(left) - cells_of(right)
        if group == 1 and room >= LEAST_SENTENCE_CELLS:
            left.append((shorten(text, room), style))
            break
        del left[len(left) - group + 1 :]
    if left and cells_of(left) > width:
        left = [(shorten(left[0][0], width), left[0][1])]
    gap = width - cells_of(left) - cells_of(right)
    middle = [Segment(rule * gap, fill)] if gap > 0 else []
    return [*(Segment(t, s) for t, s in left), *middle, *(Segment(t, s) for t, s in right)]


def cells_of(pieces: Iterable[tuple[str, object]]) -> int:
    return sum(cell_len(text) for text, _ in pieces)
