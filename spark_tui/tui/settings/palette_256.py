"""A theme's colours among the 256 of a terminal that has no others.

Rich takes the nearest by hue, which turns dark grounds navy or black. Here it is the one that looks most
alike (in CIELAB) among those that leave text as readable as the theme has it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cache
from math import dist

from rich.color import Color, ColorSystem

Triple = tuple[float, float, float]
_FIRST, _COUNT = 16, 256
"""The first sixteen are what the person has made of them."""
_GROUNDS = ("ground", "surface", "cursor", "added_ground", "removed_ground")
"""Every ink is written on each of these, and only `ink` on those below."""
_UNDER_INK = ("selection", "added_word", "removed_word")
_MOST_CONTRAST = 7.0


def in_256(colors: Mapping[str, str]) -> dict[str, str]:
    """The colours of a theme. One that is not written as `#rrggbb` stays, as do all of a theme that has such
    a ground."""
    if not all(colors[name].startswith("#") and len(colors[name]) == 7 for name in (*_GROUNDS, "ink")):
        return dict(colors)
    written = [name for name in colors if colors[name].startswith("#")]
    inks = [name for name in written if name not in (*_GROUNDS, *_UNDER_INK, "rule")]
    least = min(_MOST_CONTRAST, *(contrast(colors[ink], colors[on]) for ink in inks for on in _GROUNDS))
    out = dict(colors) | {name: _nearest(colors[name]) for name in written if name in (*_GROUNDS, "rule")}
    for name in inks:
        out[name] = _nearest(
            colors[name], lambda ink: all(contrast(ink, out[on]) >= least for on in _GROUNDS)
        )
    taken = {out[name] for name in _GROUNDS}
    for name in filter(written.__contains__, _UNDER_INK):
        out[name] = _nearest(colors[name], lambda on: on not in taken and contrast(out["ink"], on) >= least)
    return out


def contrast(one: str, other: str) -> float:
    """As WCAG measures it, from 1 to 21."""
    low, high = sorted((_linear(one)[1], _linear(other)[1]))
    return (high + 0.05) / (low + 0.05)


@cache
def _all() -> list[str]:
    """Those that Rich takes for themselves: some greys it takes for the one beside them."""
    known = [Color.from_ansi(number) for number in range(_FIRST, _COUNT)]
    true = [Color.from_rgb(*color.get_truecolor()) for color in known]
    return [
        color.name
        for color, one in zip(true, known, strict=True)
        if color.downgrade(ColorSystem.EIGHT_BIT).get_truecolor() == one.get_truecolor()
    ]


def _nearest(color: str, counts: Callable[[str], bool] = lambda _: True) -> str:
    wanted = _lab(color)
    return min(filter(counts, _all()), key=lambda other: dist(wanted, _lab(other)), default=color)


@cache
def _linear(color: str) -> Triple:
    """In CIE XYZ; the second is the luminance."""
    red, green, blue = (
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4
        for part in (byte / 255 for byte in bytes.fromhex(color[1:]))
    )
    return (
        0.4124 * red + 0.3576 * green + 0.1805 * blue,
        0.2126 * red + 0.7152 * green + 0.0722 * blue,
        0.0193 * red + 0.1192 * green + 0.9505 * blue,
    )


@cache
def _lab(color: str) -> Triple:
    """In CIELAB, for the white of a screen."""
    x, y, z = (
        value ** (1 / 3) if value > 0.008856 else 7.787 * value + 16 / 116
        for value in (
            part / white for part, white in zip(_linear(color), (0.95047, 1.0, 1.08883), strict=True)
        )
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)
