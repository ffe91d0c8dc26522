"""Orders that say which quotes a docstring gets: the reader learned them of strings only."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.answering.added_or_removed import CLEAR, odds_of
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Span

_SURE = 0.9
_OWNERS = ("function", "class", "file")


def with_docstring_quotes(text: str, orders: Sequence[Order]) -> tuple[Order, ...]:
    """The orders, with the quotes first where one is about a docstring and neither adds nor removes it."""
    return tuple(_quoted(text, order) or order for order in orders)


def _quoted(text: str, order: Order) -> Order | None:
    said = _kinds().search(text, order.start, order.end)
    first = next((one for one in order.readings[:2] if one.intent.endswith("_docstring")), None)
    if said is None or first is None:
        return None
    if any(odds_of(word) < -CLEAR for word in re.findall(r"[^\W\d_]+", text[order.start : said.start()])):
        return None
    slots = {name: first.slots[name] for name in _OWNERS if name in first.slots}
    slots["quote"] = (Span(*said.span(1), said[1]),)
    return order.preferring(replace(first, intent="set_quotes", probability=_SURE, slots=slots))


@lru_cache(maxsize=1)
def _kinds() -> re.Pattern[str]:
    """Which quotes, in front of a word for quotes."""
    kinds = [word for one in phrases.table()["quotes"].values() for word in one if word.isalpha()]
    ends = {one.rpartition(" ")[2] for one in phrases.words("in_quotes")}
    return re.compile(rf"(?<!\w)({'|'.join(kinds)})[\s-]*(?:{'|'.join(ends)})(?!\w)", re.IGNORECASE)
