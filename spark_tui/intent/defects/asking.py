"""Whether a message asks for an edit, or only tells what goes wrong."""

from __future__ import annotations

import re
from collections.abc import Container
from functools import lru_cache

from spark_tui.tables import read_table

_SENTENCE = re.compile(r"[.;!?](?=\s|\Z)|\n| [-–—] |[。；！？]")
_CLAUSE = re.compile(rf"{_SENTENCE.pattern}|[,:，：]\s")
_WISH = re.compile(
    r"\b(?:should|shall|ought|must|needs? to|ha(?:s|ve) to|i want"
    r"|soll(?:te|ten|en)?|muss|müssen|gehört|doi(?:t|vent)|devrai(?:t|ent)|debe(?:n|ría|rían)?)\b|应该|要",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"\A(?:\W|\b(?:fix|bug|issue|ticket|so|just|then|and|also|maybe|better)\b)+", re.IGNORECASE
)


@lru_cache(maxsize=1)
def _words() -> tuple[frozenset[str], re.Pattern[str]]:
    table = read_table(__file__, "asking.toml")
    every = [re.escape(one).replace(r"\-", " ") for one in table["anywhere"].split()]
    spaced, close = ("|".join(one for one in every if one.isascii() is told) for told in (True, False))
    asked = re.compile(rf"(?<!\w)(?:{spaced})(?![a-zé])|{close}", re.IGNORECASE)
    return frozenset(table["begins"].split()), asked


def asks_for_edit(text: str, names: Container[str] = ()) -> bool:
    """Whether a clause of a message begins as an order does or has a word of asking, or all is a wish.
    `names` are those of functions, of which something may be said: `load fails`."""
    begins, anywhere = _words()
    if anywhere.search(text):
        return True
    if all(tells_wish(sentence) for sentence in _SENTENCE.split(text) if sentence.strip()):
        return True
    for sentence in _CLAUSE.split(text):
        first = re.match(r"[^\W\d_][\w']*", _BEFORE.sub("", sentence))
        if first is None or first[0].lower() not in begins:
            continue
        if first[0] not in names or not _is_told_of(sentence, first[0]):
            return True
    return False


def tells_wish(text: str) -> bool:
    """Whether a message says what is to be done, besides what goes wrong."""
    return _WISH.search(text) is not None


def _is_told_of(sentence: str, name: str) -> bool:
    """Whether a clause begins with a name and what it does: `load fails`, `save() hangs`."""
    behind = sentence[sentence.index(name) + len(name) :].lstrip()
    third = re.match(
        r"(?:\(|\.\w)|(?:always|never|only|still|sometimes|just|does|doesn't|is|isn't|has|\w+s)\b", behind
    )
    return third is not None and not re.match(r"(?:this|its|us|as)\b", behind)
