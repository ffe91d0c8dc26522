"""A misspelled word that is named, and not how it is spelled: *typo: serialiation*; or shown in a text."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace
from itertools import islice

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import CODE, Reading, Span

_WORD = re.compile(r"[A-Za-z]{5,}")
_MOST_FILES, _MOST_EDITS = 200, 2


def spelled_right(context: Context) -> Reading | None:
    """The reading with the word of the repository that is spelled most like the one that is named, where that
    stands in the file."""
    spans = [*context.reading.slots.get("old", ()), *context.reading.slots.get("new", ())]
    word = spans[0].text.strip("`'\".") if len(spans) == 1 else ""
    index, told = context.repo.index, phrases.mentions("misspelled", context.situation.instruction)
    said = told or not context.has("new")
    here = index.text(context.situation.path) or "" if said and _WORD.fullmatch(word) else ""
    if not here or not re.search(rf"(?<![A-Za-z]){re.escape(word)}(?![A-Za-z])", here):
        return None
    texts = (index.text(path) or "" for path in islice(index.paths, _MOST_FILES))
    own = Counter(one.lower() for one in _WORD.findall(here))
    counts = own + Counter(one.lower() for text in texts for one in _WORD.findall(text))
    near = {one: edit_distance(word.lower(), one, _MOST_EDITS) for one in counts if one != word.lower()}
    best = min(near.values(), default=_MOST_EDITS + 1)
    found = [one for one, many in near.items() if many == best]
    found = [one for one in found if own[one] > own[word.lower()]] or found  # the word of this file
    rarer = told or counts[word.lower()] < max((counts[one] for one in found), default=0)
    if best > _MOST_EDITS or len(found) > 1 or not rarer:
        return None
    right = found[0].capitalize() if word[0].isupper() else found[0]
    slots = {**context.reading.slots, "old": (replace(spans[0], text=word),)}
    return replace(context.reading, slots={**slots, "new": (Span(CODE, CODE, right, quoted=True),)})


def respelled_in_text(context: Context) -> Reading | None:
    """The reading with the whole new text, where a single word is given for a quoted text of several: the one
    of them that is spelled nearly like it is meant."""
    olds, news = (context.reading.slots.get(slot, ()) for slot in ("old", "new"))
    if len(olds) != 1 or len(news) != 1 or not olds[0].quoted:
        return None
    text, word = (one[0].text.strip("`'\"") for one in (olds, news))
    said = list(re.finditer(r"[^\W\d_]+", text))
    if not word.isalpha() or len(said) < 2 or word in {one[0] for one in said}:
        return None
    most = 1 if len(word) < 6 else _MOST_EDITS
    near = [one for one in said if edit_distance(one[0].lower(), word.lower(), most) <= most]
    if len(near) != 1 or len(near[0][0]) < 3:
        return None
    whole = text[: near[0].start()] + word + text[near[0].end() :]
    return replace(context.reading, slots={**context.reading.slots, "new": (replace(news[0], text=whole),)})
