"""Words that are kin: *the counting* is about `counts`, *the handlers* about `handle`, *a comment* about `"#"`.

Comes in: words of an order, pieces of code. Goes out: whether the words are about the piece. Must not know: orders,
edits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from spark_tui.refactor.naming import parts

_ENDINGS = (
    "ations", "ation", "ments", "ment", "ings", "ing", "ied", "ies", "ers", "er", "ed", "es", "s", "e", "y",
)  # fmt: skip
_SIGNS = {"comment": "#", "comments": "#", "comma": ",", "commas": ",", "colon": ":", "dash": "-", "slash": "/"}
SILENT = frozenset(
    [
        "the",
        "a",
        "an",
        "of",
        "in",
        "its",
        "their",
        "his",
        "our",
        "all",
        "any",
        "every",
        "each",
        "both",
        "these",
        "those",
        "this",
        "that",
        "some",
    ]
)
_LEAST, _ROOT = 3, 4


def stem(word: str) -> str:
    """What a word has in common with its kin."""
    low = word.lower()
    for ending in _ENDINGS:
        if low.endswith(ending) and len(low) - len(ending) >= _LEAST:
            low = low[: -len(ending)]
            break
    return low[:-1] if len(low) > _LEAST and low[-1] == low[-2] else low


def stems(code: str) -> frozenset[str]:
    """Of all names and words that stand in a piece of code."""
    found = re.findall(r"[^\W\d]\w*|\d+(?:\.\d+)?", code)
    return frozenset(stem(one) for name in found for one in (name, *parts(name)))


def kin(word: str, of: Iterable[str]) -> bool:
    """Whether a word has its stem among some, or begins as one of them does, or the other way round."""
    one = stem(word)
    return any(
        one == other or (min(len(one), len(other)) >= _ROOT and (one.startswith(other) or other.startswith(one)))
        for other in of
    )


def about(phrase: str, code: str) -> bool:
    """Whether every word of a phrase that says something is kin to the code."""
    said = [word for word in re.findall(r"[^\W_]+", phrase) if word.lower() not in SILENT]
    of = stems(code)
    return bool(said) and all(kin(word, of) or _SIGNS.get(word.lower(), "\n") in code for word in said)


def kin_words(said: Iterable[str], code: str) -> Iterator[str]:
    """Those that are kin to the code; numbers are not, they are said or they are not."""
    of = stems(code)
    yield from (word for word in said if word.isalpha() and kin(word, of))
