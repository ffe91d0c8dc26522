"""Messages that name another statement by words that stand in it, and say that it is to be done there too."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import pairwise

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.repeats.like_statements import like_statements
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_MEANT = 0.7
"""How likely the statement is meant of which two words in a row are said."""

_REPEATED = re.compile(
    r"(?<!\w)(?:repeat|redo) (?:this|that|it)(?! (?:\d|up|until|if|when|on))(?!\w)"
    r"|(?<!\w)wiederhol\w* das(?!\w)|(?<!\w)répèt\w+ (?:ça|cela)(?!\w)|(?<!\w)rep[íi]t\w* (?:eso|esto)(?!\w)",
    re.IGNORECASE,
)


def with_repeated(order: Order, situation: Situation) -> Order:
    """The order as one to do the same at another place, where it asks to repeat what was done and is read as
    one that runs code again."""
    text, first = situation.instruction[order.start : order.end], order.readings[:1]
    again = bool(first) and first[0].intent == "add_retry" and bool(first[0].slots.get("function"))
    done = situation.earlier
    if not again or done is None or done.intent == "add_retry" or not _REPEATED.search(text):
        return order
    also = replace(first[0], intent="amend.also", slots={"function": first[0].slots["function"]})
    return replace(order, readings=(also, *order.readings[1:]))


def with_also_there(order: Order, situation: Situation) -> Order:
    """The order as one to do the same to the only statement that two of its words in a row are quoted from,
    where it says that this is to be done there too."""
    text = situation.instruction[order.start : order.end]
    found = changes_of_edit(situation) if phrases.mentions("likewise", f" {text} ") else []
    if not found or situation.before is None or not order.readings:
        return order
    if order.readings[0].intent == "amend.also" and order.readings[0].probability > _MEANT:
        return order
    for first, second in pairwise(re.finditer(r"\w+", text)):
        pair = f"{first[0]} {second[0]}".lower()
        span = Span(order.start + first.start(), order.start + second.end(), pair)
        there = [
            change
            for path in dict.fromkeys(change.path for change in found)
            for change in like_statements(found, situation, path, (span,), ())
            if _quotes("\n".join(change.old), pair)
        ]
        if len(there) == 1 and not any(
            _quotes("\n".join((*change.old, *change.new)), pair) for change in found
        ):
            return order.preferring(Reading("amend.also", _MEANT, {"variable": (span,)}))
    return order


def _quotes(code: str, phrase: str) -> bool:
    """Whether words stand in a text of some code."""
    texts = re.findall(r"\"[^\"\n]*\"|'[^'\n]*'", code.lower())
    return any(phrases.stands_in(phrase, " ".join(re.findall(r"\w+", text))) for text in texts)
