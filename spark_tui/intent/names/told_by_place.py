"""Names that are told by their place (`the third argument of load`), by what sets them, and by a number."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.lookup import Names
from spark_tui.intent.names.implied_slots import own_parameters
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.syntax.walking import find_nodes, walk

_NEAR = 40
"""How many characters in front of a name its number may take."""


@lru_cache(maxsize=1)
def _place_patterns() -> tuple[re.Pattern[str], dict[str, int]]:
    """What names a place among the parameters, and the number of each ordinal."""
    places = {item: int(place) for place, known in phrases.table()["ordinals"].items() for item in known}
    ordinals = "|".join(re.escape(place) for place in sorted(places, key=len, reverse=True))
    kinds = "|".join(sorted(phrases.words("parameters"), key=len, reverse=True))
    only = "|".join(sorted(map(re.escape, phrases.table()["words"]["articles"]), key=len, reverse=True))
    found = rf"(?<!\w)(?:({ordinals})[\s-]*|(?:{only})\s+)(?:{kinds})"
    return re.compile(found, re.IGNORECASE), places


def with_parameter(reading: Reading, instruction: str, names: Names) -> Reading:
    """The reading with the parameter that stands where the instruction says, if it says so and the reading
    names none by itself. What is to be called otherwise is the only one, too: *in square call the parameter
    number*."""
    pattern, places = _place_patterns()
    found = pattern.search(instruction)
    known = intents().get(reading.intent)
    if found is None or known is None:
        return reading
    slot = "symbol" if reading.intent == "rename" else "parameter"
    owner = reading.slots.get("function") or (reading.slots.get("symbol") if slot == "symbol" else ())
    if slot not in known.slot_names or not owner:
        return reading
    own = own_parameters(owner[0].text, names)
    if any(item.text in own for item in reading.slots.get(slot, ())):
        return reading
    if found[1] is None and (slot != "symbol" or len(own) != 1 or _is_named(found, owner, instruction)):
        return reading
    try:
        name = own[places[found[1].lower()] if found[1] else 0]
    except IndexError:
        return reading
    span = Span(found.start(), found.end(), name)
    return replace(reading, slots={**reading.slots, slot: (span,), "function": owner[:1]})


def with_set_name(reading: Reading, instruction: str, names: Names) -> Reading:
    """The reading of a rename with the name that the one loop or handler of a function sets, where no more
    tells it. Of several such names none is taken, and not that of the function either."""
    told = [one for one in _SET_BY if phrases.any_stands_in(phrases.words(one), instruction.lower())]
    owner = reading.slots.get("function") or reading.slots.get("symbol", ())
    if reading.intent != "rename" or len(told) != 1 or not owner:
        return reading
    said = next(one for one in phrases.words(told[0]) if phrases.any_stands_in([one], instruction.lower()))
    symbol, new = reading.text("symbol").lower(), reading.text("new")
    node = next((one.target.node for one in names.find(owner[0].text, CALLABLE)), None)
    is_told = reading.slots.get("symbol") == owner or symbol in said
    if node is None or not is_told or not new or new in said.split():
        return reading
    set_there = {name for inner in walk(node) for name in _SET_BY[told[0]](inner)}
    at = instruction.lower().index(said)
    span = Span(at, at + len(said), set_there.pop() if len(set_there) == 1 else said)
    return replace(reading, slots={**reading.slots, "symbol": (span,), "function": owner[:1]})


def _looped(node: ast.AST) -> set[str]:
    target = node.target if isinstance(node, ast.For | ast.AsyncFor | ast.comprehension) else None
    return {name.id for name in find_nodes(target, ast.Name)}


def _caught(node: ast.AST) -> set[str]:
    return {node.name} if isinstance(node, ast.ExceptHandler) and node.name else set()


_SET_BY = {"loop_names": _looped, "caught_names": _caught}


def with_number(reading: Reading, instruction: str) -> Reading:
    """A rename with the number in front of what it renames: *the second x*."""
    span = reading.slots.get("symbol", (None,))[0]
    if reading.intent != "rename" or span is None or span.start < 0:
        return reading
    number = re.search(rf"{_number().pattern}\Z", instruction[max(0, span.start - _NEAR) : span.start], re.I)
    if number is None:
        return reading
    start = span.start - len(number[0])
    return replace(reading, slots={**reading.slots, "symbol": (replace(span, start=start),)})


def number_said(span: Span, instruction: str) -> int | None:
    """The number that stands in a span in front of its name, from 0, or -1 for the last."""
    found = _number().match(instruction, span.start, span.end) if span.start >= 0 else None
    if found is None or not instruction.startswith(span.text, found.end()):
        return None
    return _place_patterns()[1][found[1].lower()]


@lru_cache(maxsize=1)
def _number() -> re.Pattern[str]:
    ordinals = "|".join(re.escape(one) for one in sorted(_place_patterns()[1], key=len, reverse=True))
    kinds = "|".join(map(re.escape, phrases.words("kinds")))
    return re.compile(rf"(?<!\w)({ordinals})\s*(?:(?<=\s)(?:{kinds})\s+)?[`'\"]?", re.IGNORECASE)


def _is_named(found: re.Match[str], owner: tuple[Span, ...], instruction: str) -> bool:
    """Whether *the parameter* is what stands right behind it."""
    behind = (span.start for span in owner if span.start >= found.end())
    return any(not instruction[found.end() : start].strip("`'\" ") for start in behind)
