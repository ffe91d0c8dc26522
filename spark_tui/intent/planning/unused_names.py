"""Names and quoted pieces of a reading that its calls do not have."""

from __future__ import annotations

import re
from dataclasses import replace

from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.situation import Candidate
from spark_tui.intent.words.doubts import unused

ONE_NAME = frozenset(("fix_error", "remove_import"))
"""Intents that are about one thing, however many are named, or that take all of them at once."""
_QUOTES = re.compile(r"[\\'\"\s]")


def with_unused(candidate: Candidate) -> Candidate:
    """The candidate with a doubt about one of several names in a slot that is in none of its calls."""
    shown = str(candidate.calls)
    doubts = [*candidate.doubts]
    if not candidate.calls or candidate.reading.intent in ONE_NAME:
        return candidate
    for spans in candidate.reading.slots.values():
        names = [span.text if span.quoted else plain_name(span.text) for span in spans]
        pieces = {span.text for span in spans if span.quoted and len(spans) > 1}
        lost = [name for name in names if (name.isidentifier() or name in pieces) and not _is_in(name, shown)]
        if len(lost) < len(set(names)):
            doubts += map(unused, lost)
    return replace(candidate, doubts=tuple(doubts))


def _is_in(piece: str, shown: str) -> bool:
    """Whether calls have a piece, whatever its quotes."""
    return _QUOTES.sub("", piece) in _QUOTES.sub("", shown)
