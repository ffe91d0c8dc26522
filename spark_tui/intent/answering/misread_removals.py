"""Readings by which something would go that the words ask to add, to move, to keep, or do not name; or come
back that is to go."""

from __future__ import annotations

import re

from spark_tui.intent.answering.added_or_removed import asks_otherwise, asks_to_move
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.planning.words_unheard import TAKES_AWAY
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import only_keeps
from spark_tui.intent.words.readings import Order, Reading, ignores_shown_call

_RIVAL = 0.25
"""The share of the probability of its reverse from which a reading may be meant."""
_SURE = 0.9
"""How likely a deletion has to be to be believed against words that are mostly said of moves."""


def is_misread(one: Reading, first: Reading, situation: Situation, order: Order) -> bool:
    """Whether the words say that a reading is not meant: what is to be deleted is to be moved or kept."""
    text = situation.instruction
    opened = situation.repo.index.text(situation.path) or "" if situation.path else ""
    return (
        ignores_shown_call(one, first, opened)
        or (one.intent == "delete_lines" and asks_otherwise(text))
        or (_deletes_unsurely(one, text) and asks_to_move(_beside_code(one, text)))
        or (one.intent.startswith(TAKES_AWAY) and only_keeps(text[order.start : max(order.end, 1)]))
    )


def reverses(one: Reading, first: Reading) -> bool:
    """Whether a reading adds again what the likeliest one, by far, removes, or the reverse: that is no other
    way to do it where nothing is there to be removed."""
    back = {"remove": "add", "add": "remove"}
    way, _, what = one.intent.partition("_")
    return first.intent == f"{back.get(way)}_{what}" and one.probability < _RIVAL * first.probability


def _deletes_unsurely(reading: Reading, text: str) -> bool:
    """Whether a deletion is read and not plainly asked for, as by *remove the prints after the loop*."""
    first, *rest = re.findall(r"\w+", text.lower()) or [""]
    plain = first in phrases.words("deleting") and set(rest).isdisjoint(phrases.words("and"))
    return reading.intent == "delete_statement" and reading.probability < _SURE and not plain


def _beside_code(reading: Reading, text: str) -> str:
    """A message without the code that a reading found in it."""
    for span in reading.slots.get("code", ()):
        text = text[: span.start] + " " * (span.end - span.start) + text[span.end :]
    return text
