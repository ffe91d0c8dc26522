"""Which words go with which intents: a second opinion on a reading, from counts alone.

The counts stand in `word_counts.npz`, which `python -m spark_tui.train reader --count-words` writes. They
are of single words and of pairs that stand side by side, in numbered buckets.
"""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.network import Array
from spark_tui.intent.words.readings import Reading
from spark_tui.intent.words.tokens import Token

WEIGHTS = Path(__file__).with_name("word_counts.npz")
BUCKETS = 8192
_CODE = re.compile(r"\w[_.]\w|[a-z][A-Z]|\d")
_SMOOTH = 0.05
_STEM = 6
_FLOOR = 0.15
"""How often in a thousand words any word is taken to be said for any intent."""
OFTEN = 10
"""How often at least a word was said for an intent that it asks for."""
_ASKS = 100
"""How often a word must have been said for one intent to be one that asks for it."""
_SEEN = 3
"""How often a word must have been seen to count as known."""


@dataclass(frozen=True)
class Opinion:
    """What the words say of an intent. `margin` is by how much they fit it better than the best other one,
    for each word; `unseen` the share of known words that never go with it."""

    margin: float
    unseen: float
    first: bool


class WordCounts:
    """Counts of the words [buckets, intents]."""

    def __init__(self, names: Sequence[str], counts: NDArray[np.uint8]) -> None:
        self.names = {name: at for at, name in enumerate(names)}
        self.counts = counts
        sums = counts.sum(axis=0, dtype=np.float64)
        self._floor = np.log(sums + _SMOOTH * BUCKETS)

    @classmethod
    def load(cls, path: Path = WEIGHTS) -> WordCounts:
        with np.load(path, allow_pickle=False) as stored:
            return cls([str(name) for name in stored["names"]], stored["counts"])

    def opinion(self, words: Iterable[str], intent: str) -> Opinion:
        """What the words say of an intent."""
        singles, pairs = buckets(words)
        at = self.names.get(intent)
        if at is None or not singles:
            return Opinion(0.0, 0.0, False)
        rows = self.counts[[*singles, *pairs]].astype(np.float64)
        known = rows.sum(axis=1) > 0
        scores: Array = (np.log(rows[known] + _SMOOTH) - self._floor).sum(axis=0)
        own, best = float(scores[at]), int(scores.argmax())
        scores[at] = -np.inf
        margin = (own - float(scores.max())) / len(singles) if known.any() else 0.0
        often = self.counts[singles].sum(axis=1, dtype=np.int64) >= _SEEN
        never = often & (self.counts[singles, at] == 0)
        return Opinion(max(min(margin, 4.0), -4.0), float(never.sum()) / max(int(often.sum()), 1), best == at)

    def often(self, intent: str, *said: str) -> int | None:
        """How often a word, or two that stand side by side, were said for an intent; None if it is not
        counted."""
        singles, pairs = buckets(said)
        at = self.names.get(intent)
        return int(self.counts[(pairs or singles)[0], at]) if at is not None and singles else None

    def is_heard(self, words: Iterable[str], intent: str) -> bool:
        """Whether any of the words was seen with an intent; of one that is not counted nothing is known."""
        at, singles = self.names.get(intent), buckets(words)[0]
        return at is None or bool(self.counts[singles, at].any())


@lru_cache(maxsize=1 << 12)
def asks(word: str) -> bool:
    """Whether a word is what one kind of edit is asked for with: *import*, *docstring*, *default*."""
    return int(word_counts().counts[buckets([word])[0][0]].max()) >= _ASKS


@lru_cache(maxsize=1 << 12)
def share(word: str, intents: Sequence[str]) -> float:
    """How often in a thousand words of some intents a word was said."""
    counts, bucket = word_counts(), buckets([word])[0][0]
    own = [counts.names[one] for one in intents if one in counts.names]
    said = float(counts.counts[bucket, own].sum(dtype=int))
    return 1000 * said / max(float(counts.counts[:, own].sum(dtype=int)), 1.0)


def log_odds(word: str, intents: Sequence[str], others: Sequence[str]) -> float:
    """The log odds that a word asks for one of some intents and not for one of the others; even where no word
    of one side is counted."""
    if not all(any(one in word_counts().names for one in side) for side in (intents, others)):
        return 0.0
    return math.log((share(word, intents) + _FLOOR) / (share(word, others) + _FLOOR))


def said_words(tokens: Iterable[Token]) -> list[str]:
    """The words that are no names, numbers or quoted pieces."""
    return [
        token.text
        for token in tokens
        if token.inside < 0 and (token.kind == "ideograph" or (token.kind == "name" and not is_code(token)))
    ]


def is_code(token: Token) -> bool:
    """Whether a word looks like a name in code."""
    return token.kind == "name" and bool(_CODE.search(token.text))


def buckets(words: Iterable[str]) -> tuple[list[int], list[int]]:
    """The buckets of words and of pairs of them."""
    plain = [word.lower()[:_STEM] for word in words]
    return [_bucket(item) for item in plain], [_bucket(f"{a} {b}") for a, b in pairwise(plain)]


def _bucket(text: str) -> int:
    return zlib.crc32(text.encode("utf-8", "surrogatepass")) % BUCKETS


def keep_heard_readings(readings: Iterable[Reading], tokens: Iterable[Token]) -> tuple[Reading, ...]:
    """The readings without those that rest on nothing: that name nothing in the code, and none of whose words
    was ever said for that."""
    words, known = said_words(tokens), word_counts()
    return tuple(reading for reading in readings if reading.slots or known.is_heard(words, reading.intent))


@lru_cache(maxsize=1)
def word_counts() -> WordCounts:
    return WordCounts.load()
