"""Orders about files that are neither Python nor configuration: what exchanges one text for another there."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from spark_tui.intent.builders.statements.key_tables import is_configuration
from spark_tui.intent.context.areas import paths_named
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words.readings import Order, Reading
from spark_tui.pysource.modules import is_python

_NEW = ("new", "result", "default")
_SAID = ("old", "new", "variable", "value")
_MADE = ("substitute", "set_value")
_KEPT = frozenset(("rename", "set_value"))
"""Intents that such files have themselves."""
_NUMBER = re.compile(r"-?\d[\w.%]*")


def as_substitutions(orders: Sequence[Order], situation: Situation) -> tuple[Order, ...]:
    """The orders, where a value, an operator or a result in such a file is taken for its text."""
    return tuple(replace(order, readings=_merged(order.readings, situation)) for order in orders)


def _merged(readings: Sequence[Reading], situation: Situation) -> tuple[Reading, ...]:
    """The readings, best first; those that exchange the same texts are one."""
    all_made = [_substitution(one, situation) for one in readings]
    if all(made is one for made, one in zip(all_made, readings, strict=True)):
        return tuple(readings)
    out: list[Reading] = []
    for made, one in zip(all_made, readings, strict=True):
        at = next((n for n, other in enumerate(out) if _says(other) == _says(made)), -1)
        if at < 0 or (made is one and made.intent not in _MADE):
            out.append(made)
        else:
            out[at] = replace(out[at], probability=out[at].probability + made.probability)
    return tuple(sorted(out, key=lambda one: -one.probability))


def _says(reading: Reading) -> tuple[str, ...]:
    return reading.intent, *(reading.text(slot) for slot in _SAID)


def _substitution(reading: Reading, situation: Situation) -> Reading:
    new = next((slot for slot in _NEW if reading.slots.get(slot)), "")
    if not new or not reading.slots.get("old") or reading.intent in _KEPT or not _is_text(reading, situation):
        return reading
    named = _NUMBER.fullmatch(reading.text(new)) and not re.search(r"\d", reading.text("old"))
    intent, was, is_now = ("set_value", "variable", "value") if named else ("substitute", "old", "new")
    slots = {was: reading.slots["old"], is_now: reading.slots[new]}
    if reading.slots.get("file"):
        slots["file"] = reading.slots["file"]
    return replace(reading, intent=intent, slots=slots)


def _is_text(reading: Reading, situation: Situation) -> bool:
    """Whether the file that is named, or else the one in view, is neither Python nor configuration."""
    said = reading.text("file")
    named = [path for path, _ in paths_named(situation.repo, said)] if said else [situation.path]
    path = named[0] if named else ""
    return path in situation.repo.index.all_paths and not is_python(path) and not is_configuration(path)
