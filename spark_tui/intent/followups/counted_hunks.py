"""The hunk that a message takes back by its place or its number: *undo the second*, *not hunk 4*."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from spark_tui.edits.hunk import Hunk
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases


def counted_hunks(text: str, hunks: Sequence[Hunk]) -> Sequence[Hunk] | None:
    """Which of the hunks a message takes back, if it says nothing else: one, or none if there are not so
    many. None where it counts no hunk; *undo the last* means the last edit."""
    numbers, places = re.findall(r"\d+(?!\w)", text), ordinals_in(text)
    says_hunk = phrases.any_stands_in(followup_table()["counted"]["hunk"], text.lower())
    if len(numbers) + len(places) != 1 or not phrases.any_stands_in(_back(), text.lower()):
        return None
    drops = len(hunks) > 1 and phrases.any_stands_in(followup_table()["counted"]["back"], text.lower())
    if not says_hunk and (numbers or (places[0] < 0 and not drops)):
        return None
    if _other_words().sub("", text):
        return None
    if numbers:
        return [hunk for hunk in hunks if hunk.id == int(numbers[0])]
    at = places[0]
    return [hunks[at]] if -len(hunks) <= at < len(hunks) else []


@lru_cache(maxsize=1)
def _back() -> tuple[str, ...]:
    return (*followup_table()["stays"]["back"], *followup_table()["counted"]["back"])


@lru_cache(maxsize=1)
def _other_words() -> re.Pattern[str]:
    """What such a message consists of."""
    counted, ordinals = followup_table()["counted"], phrases.table()["ordinals"].values()
    words = {*_back(), *counted["hunk"], *counted["beside"], *phrases.words("articles")}
    words |= {word for said in ordinals for word in said}
    longest = "|".join(re.escape(word) for word in sorted(words, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{longest}|\d+)(?!\w)|[\s.,!#]", re.IGNORECASE)
