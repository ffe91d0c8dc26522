"""Words that name lists of configuration files: keys, groups, and kinds of requirements."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from spark_tui.intent.context.lookup import key, without_s
from spark_tui.intent.context.spelling import edit_distance
from spark_tui.intent.words import phrases

PARTS = re.compile(r"[\s._:/*-]+")
_LONG = 8
"""Letters of a word that may have a typing error."""


@lru_cache(maxsize=4096)
def parts_of(name: str) -> frozenset[str]:
    return frozenset(without_s(key(part)) for part in PARTS.split(name) if part)


def said_as(name: str, words: Sequence[str]) -> set[str]:
    """The words that are the name of a key, in a row, or its last part in another form: *ignored*."""
    wanted, count = without_s(key(name)), len(PARTS.split(name))
    rows = [words[at : at + size] for size in range(1, count + 1) for at in range(len(words))]
    found = {word for row in rows if without_s(key("".join(row))) == wanted for word in row}
    last = PARTS.split(name.strip("/*"))[-1]
    return found or {word for word in words if is_form(word.lower(), last.lower())}


def without_prepositions(named: set[str], text: str) -> set[str]:
    """Words that name a list, without *to* of *rename x to y*: as a name it is shown or has an article."""
    prepositions = phrases.table()["config_lists"]["prepositions"]
    return {
        word
        for word in named
        if word not in prepositions or re.search(rf"(?:[`'\"]|\bthe\s){word}\b", text) is not None
    }


def is_form(word: str, name: str) -> bool:
    """Whether a word is a form of a verb or noun: *ignoring* of *ignore*."""
    stem = name[: max(4, len(name) - 1)]
    return word.startswith(stem) and len(word) <= len(name) + 4


def is_list_verb(word: str) -> bool:
    """Whether a word is a form of a verb that is the name of lists: *ignoring*."""
    return any(is_form(word.lower(), verb) for verb in phrases.table()["config_lists"]["verbs"])


def is_group(group: str, word: str) -> bool:
    same = [key(group), *(key(part) for part in PARTS.split(group))]
    alike = phrases.table()["config_lists"]["groups"]
    return key(word) in same or any(key(word) in row and key(group) in row for row in alike)


@lru_cache(maxsize=4096)
def is_kind(kind: str, word: str) -> bool:
    known, low = phrases.table()["config_lists"][kind], word.lower()
    return low in known or (
        len(low) >= _LONG and any(edit_distance(low, one, 2) <= 2 for one in known if len(one) >= _LONG)
    )
