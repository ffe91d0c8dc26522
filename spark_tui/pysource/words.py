"""Words: sets written as one text each, and the words that an identifier is made of."""

from __future__ import annotations

import re

_IDENTIFIER_WORD = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|\d+|[^\W\d_]+")


def word_set(text: str) -> frozenset[str]:
    return frozenset(text.split())


def identifier_words(name: str) -> list[str]:
    """The words of an identifier in lower case: `load_rows`, `loadRows` and `LoadRows` are load and rows,
    `HTTPServer2` is http, server and 2."""
    return [word.lower() for word in _IDENTIFIER_WORD.findall(name)]
