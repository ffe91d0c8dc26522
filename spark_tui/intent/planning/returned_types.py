"""What is to be returned as another type is converted: no type is returned, and a hint changes nothing."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span

_OTHERS = ("set_return", "if_to_lookup", "apply_function")
_TYPES = r"dict(?:ionary|ionaries)?|list|set|tuple|str(?:ing)?|int(?:eger)?|float"
_AS = r"as|als|comme|como"


def as_converted(reading: Reading, instruction: str) -> Reading:
    """The reading, or that the result is converted where the words say only of which type it is to be:
    *return it as a dict*, *parse should return a dict*."""
    if reading.intent not in (*_OTHERS, "annotate_return", "convert_value"):
        return reading
    said = _said().search(instruction)
    if said is None or (reading.intent not in _OTHERS and not said["form"]):
        return reading
    result = (*reading.slots.get("result", ())[:1], *reading.slots.get("transform", ()))
    if any(not said.start("type") <= span.end <= said.end() for span in result):
        return reading
    slots = {slot: spans for slot, spans in reading.slots.items() if slot in ("function", "variable", "file")}
    if slots.get("variable") and slots["variable"][0].text.lower() in phrases.words("returned_words"):
        del slots["variable"]
    slots["type"] = (Span(*said.span("type"), said["type"]),)
    return replace(reading, intent="convert_value", slots=slots)


@lru_cache(maxsize=1)
def _said() -> re.Pattern[str]:
    verbs, articles = ("|".join(map(re.escape, phrases.words(kind))) for kind in ("give_back", "articles"))
    return re.compile(
        rf"(?<!\w)(?:{verbs})(?!\w)(?:[^.;]*?\s(?P<form>{_AS}))?(?:\s+(?:{articles}))?\s+(?P<type>{_TYPES})"
        r"(?=\W*\Z|\s+(?:in|from|instead|rather|and not|not)\b|\W*,)",
        re.IGNORECASE,
    )
