"""Names that are told by their place (`the third argument of load`), by what sets them, and by a number."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
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


def with_number(reading: Reading, instruction: str, names: Names) -> Reading:
    """A rename with the number in front of what it renames: *the second x*, *the first two x*."""
    symbols = reading.slots.get("symbol", ())
    if reading.intent != "rename" or not symbols or symbols[-1].start < 0:
        return reading
    span = _numbered_name(symbols[0], instruction, reading, names) or symbols[-1]
    number = re.search(rf"{_number().pattern}\Z", instruction[max(0, span.start - _NEAR) : span.start], re.I)
    if number is None:
        return reading
    start = span.start - len(number[0])
    if any(one.start < start for one in symbols):
        return reading
    return replace(reading, slots={**reading.slots, "symbol": (replace(span, start=start),)})


def _numbered_name(span: Span, instruction: str, reading: Reading, names: Names) -> Span | None:
    """The name behind a number that was read as a name, or as a part of one: *second* of *the second x*."""
    owner = reading.text("function")
    found = re.compile(rf"{_number().pattern}(\w+)", re.IGNORECASE).match(instruction, span.start)
    if found is None or span.end > found.end() or not owner:
        return None
    name = found[found.lastindex or 0]
    return Span(found.end() - len(name), found.end(), name) if names.holds(owner, name) else None


def numbers_said(span: Span, instruction: str) -> list[tuple[int, int]]:
    """The numbers that stand in a span in front of its name, from 0, or -1 for the last, each with how many
    from there: *the first two x*."""
    return _numbers(instruction[span.start : span.end].rpartition(span.text)[0]) if span.start >= 0 else []


def numbers_excepted(span: Span, instruction: str) -> list[tuple[int, int]]:
    """The numbers of those that are left out behind a name: *all x but the first*."""
    around = (
        one for one in numbered_exceptions(instruction) if one.start() <= span.start and span.end <= one.end()
    )
    number = next((_number().match(instruction, one.end()) for one in around), None)
    return _numbers(number[0]) if number is not None else []


def _numbers(text: str) -> list[tuple[int, int]]:
    out: list[tuple[int, int]] = []
    for word in re.findall(r"\w+", text.lower()):
        number = phrases.number(word)
        if word in _place_patterns()[1]:
            out.append((_place_patterns()[1][word], 1))
        elif out and number is not None and number.isdecimal() and int(number):
            out[-1] = (out[-1][0], int(number))
    return out


def is_excepted(span: Span, instruction: str) -> bool:
    """Whether all are meant but what a span says: *all but the first x*."""
    return any(found.end() == span.start for found in numbered_exceptions(instruction))


def numbered_exceptions(instruction: str) -> Iterator[re.Match[str]]:
    """What stands in front of a number if all others are meant: *all but the*."""
    return _excepting().finditer(instruction)


@lru_cache(maxsize=1)
def _excepting() -> re.Pattern[str]:
    every, excepting, articles = (
        "|".join(map(re.escape, phrases.words(kind))) for kind in ("every", "excepting", "articles")
    )
    front = (
        rf"(?<!\w)(?:{every})(?:\s+[`'\"]?\w+[`'\"]?)?\s+(?:but|except|{excepting})\s+(?:(?:{articles})\s+)?"
    )
    return re.compile(rf"{front}(?={_number().pattern})", re.IGNORECASE)


@lru_cache(maxsize=1)
def _number() -> re.Pattern[str]:
    ordinals = "|".join(re.escape(one) for one in sorted(_place_patterns()[1], key=len, reverse=True))
    joins = "|".join(map(re.escape, (*phrases.words("and"), *phrases.words("or"))))
    counts = "|".join(re.escape(one) for known in phrases.table()["numbers"].values() for one in known)
    kinds = "|".join(map(re.escape, phrases.words("kinds")))
    one = rf"(?:{ordinals})(?:\s+(?:{counts}|\d)(?=\s))?"
    more = rf"(?:(?:\s*,\s*|\s+(?:{joins})\s+)(?:the\s+)?{one}){{0,5}}"
    return re.compile(rf"(?<!\w){one}{more}\s*(?:(?<=\s)(?:{kinds})\s+)?[`'\"]?", re.IGNORECASE)


def _is_named(found: re.Match[str], owner: tuple[Span, ...], instruction: str) -> bool:
    """Whether *the parameter* is what stands right behind it."""
    behind = (span.start for span in owner if span.start >= found.end())
    return any(not instruction[found.end() : start].strip("`'\" ") for start in behind)
