"""Where a form is made that no words place: at the line that is named, or where a person is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import area_of, definitions_around
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area

_AT_LINE, _SELECTED, _AT_CURSOR = 0.7, 0.95, 0.7
"""How likely a form is meant there, and not all over the file."""
_AT_LINE_ONLY = 0.3
_FORMS = "pattern."


def forms_here(context: Context, entry: Mapping[str, Any]) -> Iterator[tuple[str, Anchor, float]]:
    """The places for the calls of an entry that are likelier than all of the file, and how likely the file
    is beside each."""
    if "find" in entry or entry.get("place") != "{in}":
        return
    situation = context.situation
    if situation.line:
        place = f"{situation.path}:{situation.line}"
        yield place, Anchor(Area(situation.path), weight=_AT_LINE), _AT_LINE_ONLY
        return
    if not context.reading.intent.startswith(_FORMS) or context.named or context.everywhere:
        return
    around = [] if situation.focused else definitions_around(context.repo, situation)
    if around:
        lines = situation.selection
        weight = _SELECTED if lines is not None else _AT_CURSOR
        near = area_of(context.source(situation.path), around[0], said=False)
        place = f"{situation.path}:{lines[0]}-{lines[1]}" if lines is not None else near.place
        yield place, Anchor(near, near.node, weight), 1.0 - weight
