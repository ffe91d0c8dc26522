"""Messages by which a part of an edit stays as it was: the number that was there, "the pause as it was"."""

from __future__ import annotations

import re

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import LineChange, changes_of_edit, tokens_of
from spark_tui.intent.followups.parts.fewer_places import Amendment, changes_named, parts_named
from spark_tui.intent.followups.parts.of_lines import removed_words
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span

_MEANT = 0.7
"""How likely it is meant, against all other readings."""
_CLAUSES = re.compile(r"[,;.!?:，。；！](?=\s|\Z)|\s[-–—]\s|[，。；！]")
_WORD = re.compile(r"[^\W_]\w*")


def with_kept_part(order: Order, situation: Situation) -> Order:
    """The order as one to leave a part of the edit out, where it says so in words and with what was there."""
    found = changes_of_edit(situation)
    if not order.readings or not found or situation.partial:
        return order
    for low, high in _clauses(situation.instruction[: order.end], order.start):
        clause = situation.instruction[low:high]
        span = _kept_part(clause, low, found, situation)
        if span is None:
            continue
        first = order.readings[0]
        if first.intent == "amend.except" and first.probability > _MEANT and first.slots:
            return order
        return order.preferring(Reading("amend.except", _MEANT, {"variable": (span,)}))
    return order


def _clauses(text: str, start: int) -> list[tuple[int, int]]:
    """Where the parts of a message between its commas begin and end."""
    out, low = [], start
    for match in _CLAUSES.finditer(text, start):
        out.append((low, match.start()))
        low = match.end()
    return [*out, (low, len(text))]


def _kept_part(clause: str, start: int, found: list[LineChange], situation: Situation) -> Span | None:
    """What stays as it was by a part of a message: all of it, or the token that was removed."""
    low = clause.lower()
    if phrases.any_stands_in(phrases.words("as_before"), low):
        idle = sorted((*phrases.words("as_before"), *phrases.words("keeping")), key=len, reverse=True)
        rest = re.sub(
            rf"(?<!\w)(?:{'|'.join(map(re.escape, idle))})(?!\w)", "  ", clause, flags=re.IGNORECASE
        )
        span = Span(start, start + len(clause), f"{rest}  ")
        return span if _parts(span, found, situation) else None
    if not phrases.any_stands_in(phrases.words("keeping"), low):
        return None
    for word in _WORD.finditer(clause):
        was = [change for change in found if word[0] in removed_words(change)]
        now = {token.text for change in found for token in tokens_of(change.text)}
        span = Span(start + word.start(), start + word.end(), word[0])
        if len(was) == 1 and word[0] not in now and _parts(span, found, situation):
            return span
    return None


def _parts(span: Span, found: list[LineChange], situation: Situation) -> bool:
    """Whether words name a part of an edit, and not all of it."""
    edit = Amendment(Reading("amend.except", 1.0, {"variable": (span,)}), situation, found)
    return bool(changes_named(edit) or next(parts_named(edit), None))
