"""Forms of which several may be meant: the first that fits the code is the likeliest."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from spark_tui.codemods.plan import Refused
from spark_tui.intent.building.building import Built, from_entry
from spark_tui.intent.context.reading_in_place import Context

_LESS = 0.1
"""How likely a form is meant, against one in front of it that fits too."""


def first_fitting(context: Context, *forms: tuple[Mapping[str, Any], ...]) -> Iterator[Built]:
    """The calls of forms that fit, at each place; a form of several entries is done one after the other."""
    count, weight = 0, 1.0
    for entries in forms:
        fits = 0
        for built in _together(context, entries):
            if not isinstance(built.calls[0].plan(context.repo), Refused):
                fits += 1
                yield replace(built, weight=built.weight * weight)
        count += fits
        weight *= _LESS if fits else 1.0
    if not count:
        # The reason that is shown is the one of the last form, which is the simplest.
        yield from _together(context, forms[-1])


def _together(context: Context, entries: tuple[Mapping[str, Any], ...]) -> Iterator[Built]:
    rows = [list(from_entry(context, entry)) for entry in entries]
    for parts in zip(*rows, strict=False):
        calls = tuple(call for part in parts for call in part.calls)
        yield replace(parts[0], calls=calls)
