"""Where a form is made that no words place: at the line that is named, where a person is, or at the start or
end of a body."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, Literal

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.areas import area_of, definitions_around
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.words import phrases

_AT_LINE, _SELECTED, _AT_CURSOR = 0.7, 0.95, 0.7
"""How likely a form is meant there, and not all over the file."""
_AT_LINE_ONLY = 0.3
_FORMS = "pattern."
_ARTICLE = r"(?:(?:the|a|an|each|every|its|their|la|las|los)\s+)"
_OF_A_THING = rf"\s+(?:of|der|des|de|del|vom|von)\s+{_ARTICLE}?(?!{_ARTICLE})"
_OF_A_BODY = r"(?:function|method|body|funktion|methode|fonction|méthode|función|método)\b"


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


def end_of_body(context: Context) -> Literal["", "start", "end"]:
    """The end that the words beside the slots name; nothing where it is that of something else, such as a
    line."""
    text = context.beside_slots()
    at_the_end, at_the_start = _ends()
    return "end" if at_the_end.search(text) else "start" if at_the_start.search(text) else ""


@lru_cache(maxsize=1)
def _ends() -> tuple[re.Pattern[str], ...]:
    return tuple(
        re.compile(rf"(?:{'|'.join(phrases.words(kind))})(?!{_OF_A_THING}(?!{_OF_A_BODY})\w)", re.IGNORECASE)
        for kind in ("at_the_end", "at_the_start")
    )
