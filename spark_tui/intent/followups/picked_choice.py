"""Which of several edits that are offered a message takes, if it says nothing else: *only in convert_td*,
*the second one*."""

from __future__ import annotations

import re
from collections.abc import Sequence

from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.planning.words_unheard import is_idle, ordinal_words

_WORD = re.compile(r"\w+(?:[./]\w+)*")


def picked_choice(text: str, titles: Sequence[str]) -> int:
    """The number of the only title that has all names of a message, from 1; 0 where the message says more, or
    less. The last title is no edit."""
    said = [word for word in _WORD.findall(text) if not _is_beside(word.lower())]
    names = [word for word in said if word.lower() not in ordinal_words()]
    edits, counted = titles[:-1], ordinals_in(text)
    if not names and len(said) == len(counted) == 1 and -len(edits) <= counted[0] < len(edits):
        return counted[0] % len(edits) + 1
    found = [at for at, title in enumerate(edits, 1) if all(_has(title, word) for word in said)]
    return found[0] if names and len(found) == 1 < len(edits) else 0


def _has(title: str, word: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(word)}(?!\w)", title) is not None


def _is_beside(word: str) -> bool:
    table = followup_table()
    kinds = (
        *table["stays"]["only"],
        *table["stays"]["yes"],
        *table["counted"]["beside"],
        *table["parts"]["function"],
    )
    return is_idle(word) or word in kinds
