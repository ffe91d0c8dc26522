"""Which words go with which intents, from counts alone: of words that were never said for one it is not read.

The counts stand in `word_counts.npz`, which `python -m spark_tui.train reader --count-words` writes, in
numbered buckets.
"""

from __future__ import annotations

import re
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.readings import Reading
from spark_tui.intent.tokens import Token

WEIGHTS = Path(__file__).with_name("word_counts.npz")
BUCKETS = 8192
_CODE = re.compile(r"\w[_.]\w|[a-z][A-Z]|\d")
_STEM = 6


class WordCounts:
    """Counts of the words [buckets, intents]."""

    def __init__(self, names: Sequence[str], counts: NDArray[np.uint8]) -> None:
        self.names = {name: at for at, name in enumerate(names)}
        self.counts = counts

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> WordCounts:
        with np.load(path, allow_pickle=False) as stored:
            return cls([str(name) for name in stored["names"]], stored["counts"])

    def is_heard(self, words: Iterable[str], intent: str) -> bool:
        """Whether any of the words was seen with an intent; of one that is not counted nothing is known."""
        at = self.names.get(intent)
        return at is None or bool(self.counts[buckets(words), at].any())


def said_words(tokens: Iterable[Token]) -> list[str]:
    """The words that are no names, numbers or quoted pieces."""
    return [
        one.text
        for one in tokens
        if one.inside < 0 and (one.kind == "ideograph" or (one.kind == "name" and not is_code(one)))
    ]


def is_code(token: Token) -> bool:
    """Whether a word looks like a name in code."""
    return token.kind == "name" and bool(_CODE.search(token.text))


def buckets(words: Iterable[str]) -> list[int]:
    """The buckets of words."""
    return [zlib.crc32(one.lower()[:_STEM].encode("utf-8")) % BUCKETS for one in words]


def heard(readings: Iterable[Reading], tokens: Iterable[Token]) -> tuple[Reading, ...]:
    """The readings without those that rest on nothing: that name nothing in the code, and none of whose words
    was ever said for that."""
    words, known = said_words(tokens), word_counts()
    return tuple(one for one in readings if one.slots or known.is_heard(words, one.intent))


@lru_cache(maxsize=1)
def word_counts() -> WordCounts:
    """The shipped counts."""
    return WordCounts.load()
