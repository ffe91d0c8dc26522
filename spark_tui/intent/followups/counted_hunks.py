"""The hunks that a message takes back by place or number: *undo the second*, *not hunk 4*."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from spark_tui.edits.hunk import Hunk
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.words import phrases


def counted_hunks(
    text: str, hunks: Sequence[Hunk], places: Callable[[], Sequence[Sequence[Hunk]]]
) -> Sequence[Hunk] | None:
    """Which of the hunks a message takes back, if it says nothing else: those of one of the `places`, or none
    if there are not so many. None where it counts no hunk; *undo the last* means the last edit."""
    numbers, ordinals = re.findall(r"\d+(?!\w)", text), ordinals_in(text)
    says_hunk = phrases.any_stands_in(followup_table()["counted"]["hunk"], text.lower())
    if len(numbers) + len(ordinals) != 1 or not phrases.any_stands_in(_back(), text.lower()):
        return None
    drops = len(hunks) > 1 and phrases.any_stands_in(followup_table()["counted"]["back"], text.lower())
    if not says_hunk and (numbers or (ordinals[0] < 0 and not drops)):
        return None
    if _other_words().sub("", text):
        return None
    if numbers:
        meant = [hunk for hunk in hunks if hunk.id == int(numbers[0])]
    elif says_hunk:
        meant = list(hunks[ordinals[0] :][:1]) if ordinals[0] >= -len(hunks) else []
    else:
        own = [one for one in places() if not all(map(_only_imports, one))] or places()
        return own[ordinals[0]] if -len(own) <= ordinals[0] < len(own) else []
    return next((place for place in places() if meant and meant[0] in place), [])


def _only_imports(hunk: Hunk) -> bool:
    """Whether a hunk only comes with the others."""
    lines = (line.strip() for line in (*hunk.old_lines, *hunk.new_lines))
    return all(not line or re.match(r"(?:import|from) ", line) for line in lines)


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
