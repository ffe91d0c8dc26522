"""Forms of code of which each can become the other: behind *instead of* stands the one that is there."""

from __future__ import annotations

import ast
import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.codemods.slots import CALLABLE
from spark_tui.intent.context.lookup import Names
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.inference.known_types import LOG_LEVELS
from spark_tui.pysource.syntax.walking import walk

_FORMS = (
    (("to_f_string", r"f-?\s?strings?"), ("from_f_string", r"%|\.?format\b|str\.format|concat\w*")),
    (("pattern.list_comprehension", r"\w*\s?comprehensions?"), ("pattern.loop", r"(?:for\s)?loops?")),
    (
        ("pattern.ternary", r"ternar\w+|conditional expression|one-?liner"),
        ("pattern.if_statement", r"ifs?\b"),
    ),
    (("make_async", r"async\w*"), ("make_sync", r"sync\w*")),
)
"""The intent that makes each form, and the words for it."""
_TURNED = {one: (form, two, wanted) for pair in _FORMS for (one, form), (two, wanted) in (pair, pair[::-1])}

_NEAR = 40
"""How many characters in front of what is there may tell that it is."""
_MOST_DIGITS = 15
"""More no number has behind its point."""
_SIGN = r"(?:[-+*/%@&|^]|\*\*|//|<<|>>)=(?!=)"
_LOGS = re.compile(rf"[\w.]+\.(?:{'|'.join(sorted(LOG_LEVELS))})")
_AS_LOGGED = {"variable": "message", "transform": "level"}


def as_turned(reading: Reading, instruction: str) -> Reading:
    """The reading, or the opposite one where the words say that what it makes is there: `% instead of the
    f-string`. A method of a logger gives nothing back: it is no function to apply."""
    logs = reading.intent == "apply_function" and _LOGS.fullmatch(reading.text("transform").strip("`()"))
    if logs and "variable" in reading.slots:
        slots = {_AS_LOGGED.get(slot, slot): spans for slot, spans in reading.slots.items()}
        return replace(reading, intent="add_log", slots=slots)
    count = phrases.number(reading.text("count")) or "0" if reading.intent == "round_value" else "0"
    if "x" in count.lower() or float(count) > _MOST_DIGITS:  # `0xff` and `2024` are no numbers of digits
        slots = {slot: spans for slot, spans in reading.slots.items() if slot in ("function", "variable")}
        return replace(reading, intent="set_value", slots={**slots, "value": reading.slots["count"]})
    if reading.intent == "pattern.augmented":
        return _as_plain(reading, instruction)
    form, other, wanted = _TURNED.get(reading.intent, ("", "", ""))
    if form and not re.search(form, instruction, re.IGNORECASE):
        uses = "|".join(phrases.words("using"))
        if re.search(rf"(?:^|[.,;:])\s*(?:{uses})\s+(?:{wanted})", instruction, re.IGNORECASE):
            return replace(reading, intent=other)
    front = rf"(?<!\w)(?:{_instead()})(?:\s+(?:of|de|que|von|an?|the|der|die|das|une?|la|el))*"
    there = form and re.search(rf"{front}\s+(?:{form})", instruction, re.IGNORECASE)
    return replace(reading, intent=other) if there else reading


def as_described(reading: Reading, situation: Situation, names: Names) -> Reading:
    """The reading, or what it exchanges the other way round where the words tell what a function has, *price
    has A instead of B*, and it has only that."""
    old, new = reading.slots.get("old", ()), reading.slots.get("new", ())
    if not reading.intent.startswith("replace_") or len(old) != 1 or len(new) != 1:
        return reading
    text, used = situation.instruction, _used_there(reading, situation, names)
    front = _told().search(text[max(0, new[0].start - _NEAR) : new[0].start])
    tells = front is not None and (front[1].endswith("s") or front[1] in phrases.words("copulas"))
    between = text[new[0].end : old[0].start] if new[0].end <= old[0].start else ""
    if not tells or not re.fullmatch(rf"\W*(?:{_instead()})(?:\s+\w+)?\W*", between, re.IGNORECASE):
        return reading
    there = [re.search(rf"(?<!\w){re.escape(one[0].text)}(?!\w)", used) is not None for one in (new, old)]
    return (
        replace(reading, slots={**reading.slots, "old": new, "new": old})
        if there == [True, False]
        else reading
    )


def _used_there(reading: Reading, situation: Situation, names: Names) -> str:
    """The code of the function that is named; without one what the open file uses, not what it defines."""
    index = situation.repo.index
    if reading.slots.get("function"):
        homes = names.find(reading.text("function"), CALLABLE)
        home = homes[0].target if len(homes) == 1 else None
        return (
            index.source(home.path).segment(home.node) if home is not None and home.node is not None else ""
        )
    source = index.source(situation.path) if situation.path in index.paths else None
    if source is None:
        return ""
    used = (node for node in walk(source.tree) if isinstance(node, ast.Name | ast.Constant | ast.Attribute))
    return "\n".join(
        source.segment(one) for one in used if not isinstance(getattr(one, "ctx", None), ast.Store)
    )


@lru_cache(maxsize=1)
def _told() -> re.Pattern[str]:
    """The word that tells what is there, perhaps with a preposition behind it."""
    small = "|".join(map(re.escape, phrases.table()["config_lists"]["prepositions"]))
    return re.compile(rf"(\w+)\s+(?:(?:{small})\s+)?(?:the\s+)?[`'\"]?\Z", re.IGNORECASE)


def _as_plain(reading: Reading, instruction: str) -> Reading:
    """Another operator for an augmented assignment that is there: `= instead of +=`."""
    front = (
        rf"(?<!\w)(?:{_instead()}|replac\w+|turn\w*|chang\w*|convert\w*)(?:\s+(?:of|de|que|von|the|das|el))*"
    )
    sign = re.search(rf"{front}\s+`?({_SIGN})", instruction, re.IGNORECASE)
    if sign is None:
        return reading
    other = next((one for one in re.findall(_SIGN, instruction) if one != sign[1]), "=")
    kept = {slot: spans for slot, spans in reading.slots.items() if slot == "function"}
    said = {"operator": (Span(*sign.span(1), sign[1]),), "new": (Span(*sign.span(1), other),)}
    return replace(reading, intent="replace_operator", slots={**kept, **said})


@lru_cache(maxsize=1)
def _instead() -> str:
    return "|".join(map(re.escape, phrases.table()["tied"]["instead"]))
