"""A misspelled word that is named, and not how it is spelled: *typo: serialiation*."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.words.readings import CODE, Reading, Span

_WORD = re.compile(r"[A-Za-z]{5,}")
_MOST_FILES, _MOST_EDITS = 200, 2


def spelled_right(context: Context) -> Reading | None:
    """The reading with the word of the repository that is spelled most like the one that is named, where that
    stands in the file."""
    spans = [*context.reading.slots.get("old", ()), *context.reading.slots.get("new", ())]
    word = spans[0].text.strip("`'\".") if len(spans) == 1 else ""
    index, said = context.repo.index, "typo" in context.situation.instruction.lower()
    here = index.text(context.situation.path) or "" if said and _WORD.fullmatch(word) else ""
    if not re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", here):
        return None
    texts = (index.text(path) or "" for path in islice(index.paths, _MOST_FILES))
    counts = Counter(one.lower() for text in (here, *texts) for one in _WORD.findall(text))
    near = {one: edit_distance(word.lower(), one, _MOST_EDITS) for one in counts if one != word.lower()}
    best = min(near.values(), default=_MOST_EDITS + 1)
    found = [one for one, many in near.items() if many == best]
    if best > _MOST_EDITS or len(found) > 1:
        return None
    right = found[0].capitalize() if word[0].isupper() else found[0]
    slots = {**context.reading.slots, "old": (replace(spans[0], text=word),)}
    return replace(context.reading, slots={**slots, "new": (Span(CODE, CODE, right, quoted=True),)})
