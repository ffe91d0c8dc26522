"""Which of several places of one function is meant by its number: *the second one*, *the last one*."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache

from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, without


@lru_cache(maxsize=1)
def _numbered() -> re.Pattern[str]:
    ends = "|".join(re.escape(word) for word in phrases.words("ones") if not phrases.has_cjk(word))
    known = [item for word in phrases.table()["ordinals"].values() for item in word]
    plain = "|".join(re.escape(item) for item in known if not phrases.has_cjk(item))
    return re.compile(rf"(?<!\w)(?P<at>{plain})\s+(?:{ends})(?!\w)", re.IGNORECASE)


def keep_numbered(context: Context, found: list[Anchor]) -> list[Anchor]:
    """The one place whose number is said, of several that stand in one function; else all of them."""
    match = _numbered().search(context.beside_slots())
    at = ordinal_in(match["at"]) if match is not None else None
    around = {
        (anchor.path, context.enclosing(anchor.path, anchor.node))
        for anchor in found
        if anchor.node is not None
    }
    if at is None or len(found) < 2 or len(around) != 1 or None in next(iter(around)):
        return found
    spots = sorted(found, key=lambda item: context.source(item.path).span(item.node)[0] if item.node else 0)
    if at >= len(spots):
        return found
    one = spots[at]
    return [replace(one, weight=0.9, doubts=without(one.doubts, DoubtKind.PLACES))]
