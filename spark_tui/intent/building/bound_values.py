"""What is said as the bound of others, *at least 1*, or as a new name: nothing is set to it."""

from __future__ import annotations

import re
from functools import lru_cache

from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_SETTING = frozenset(("set_option", "add_option", "set_default", "set_value", "set_entry", "set_key"))
_OF_FILES = ("set_key", "set_value")
"""Intents that may set a key of a configuration file."""
_VALUES = ("default", "value")
_VERSIONS = re.compile(r"[<>=!~^]=?\s*\d+(?:\.[\d*]+)+(?:\s*,.*)?")
"""The versions that are asked for: `>=3.11`."""

_NEAR = 40
"""How many characters in front of what is named may say that it gets a new name."""


def refuse_bound(reading: Reading, instruction: str) -> None:
    """Where a reading sets something to a value that is said as a bound, it is not what is meant."""
    if reading.intent not in _SETTING:
        return
    first = min((span.start for span in reading.spans if span.start >= 0), default=0)
    if _renamed().search(instruction[max(first - _NEAR, 0) : first]):
        raise Unresolved("a new name is asked for, and no value")
    for span in (span for slot in _VALUES for span in reading.slots.get(slot, ())):
        version = reading.intent in _OF_FILES and _VERSIONS.fullmatch(span.text.strip("`'\"")) is not None
        if not version and is_bound(span, instruction):
            raise Unresolved(f"{span.text} is a bound there, and no value to set")


@lru_cache(maxsize=1)
def _renamed() -> re.Pattern[str]:
    """That what follows gets another name."""
    stems = "|".join(phrases.words("renaming_stems"))
    return re.compile(rf"(?<!\w)(?:{stems})\w*\s+(?:\w+\s+){{0,2}}\W?\Z", re.IGNORECASE)


def is_bound(span: Span, instruction: str) -> bool:
    """Whether the words in front of a value or after it make it the least or most of others."""
    if span.start < 0:
        return False
    before, inside, behind = _bounds()
    front = before.search(instruction[: span.start]) or inside.match(span.text)
    return front is not None or behind.match(instruction, span.end) is not None


@lru_cache(maxsize=1)
def _bounds() -> tuple[re.Pattern[str], ...]:
    """What stands in front of a bound, alone and with the bound, and what after it."""
    before, behind = (
        "|".join(map(re.escape, sorted(phrases.words(kind), key=len, reverse=True)))
        for kind in ("in_front_of_bounds", "behind_bounds")
    )
    forms = rf"(?<![^\W\u3400-\u9fff])(?:{before})\s*\Z", rf"(?:{before})\s*[-\d]", rf"\s*(?:{behind})(?!\w)"
    return tuple(re.compile(form, re.IGNORECASE) for form in forms)
