"""Words: sets written as one text each, the words of an identifier, and whole words in a text."""

from __future__ import annotations

import re
from functools import lru_cache

_IDENTIFIER_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


@lru_cache(maxsize=20_000)
def identifier_words(name: str) -> tuple[str, ...]:
    """The words of an identifier in lower case: `load_rows`, `loadRows` and `LoadRows` are load and rows,
    `HTTPServer2` is http, server and 2."""
    return tuple(word.lower() for word in _IDENTIFIER_WORD.findall(name))


def whole_word(text: str) -> str:
    """The pattern of a text that is no part of a longer word. It begins with the text itself: one that begins
    with what must not stand in front is tried at every place, which takes a hundred times as long."""
    word = re.escape(text)
    return rf"{word}(?<!\w{word})(?!\w)"
