"""What a message says goes wrong, by the words of `symptoms.toml`: each sentence there is an example."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.word_counts import BUCKETS, buckets, said_words, word_counts
from spark_tui.intent.words import phrases
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.words import word_set
from spark_tui.tables import table_beside

_WORD = re.compile(r"[\u4e00-\u9fff]|[^\W\d_][\w']*|_+[^\W_][\w']*|_|\d+(?:[.,]\d+)*|#")
_STEM = 6
_ENDING = re.compile(r"(?<=\w{3})(?:ings?|ed|es|s)\Z")
_SMOOTH = 6.0
_PAIRS = 0.7
"""How much two words that stand side by side say, against one."""
_ERROR = re.compile(r"[A-Z]\w+(?:Error|Exception|Warning)|[A-Z]rr\w*")
_ERRORS = 2.5
"""How much the name of an error says, against a word."""
_HEARD = 3
"""How often a word must have been said of edits to count as known."""
_NO_EDIT = frozenset(("fix_error", "question", "chat", "write", "impossible"))
_IDLE = word_set("a an the is are it to of and in be that this i my me so as at for with on when")


@dataclass(frozen=True)
class Symptoms:
    """How often words were said of each symptom."""

    counts: Mapping[str, Counter[str]]
    whole: Counter[str]
    sums: Mapping[str, int]

    def odds(self, said: Iterable[str]) -> dict[str, float]:
        """How much more the words speak for each symptom than for the next ones, as logarithms. Words that
        are not said of a symptom do not speak against it: people tell more than the symptom."""
        known = {word for word in said if self.whole[word]}
        every = sum(self.sums.values())
        out = {}
        for symptom, counts in self.counts.items():
            size, odds = self.sums[symptom], 0.0
            for word in known & counts.keys():
                background = (self.whole[word] + 1) / (every + len(self.whole))
                own = (counts[word] + _SMOOTH * background) / (size + _SMOOTH)
                weight = _PAIRS if " " in word else _ERRORS if word.endswith("err!") else 1.0
                odds += max(0.0, math.log(own / background)) * weight
            out[symptom] = odds
        next_ones = sorted(out.values(), reverse=True)[1:4]
        return {symptom: value - sum(next_ones) / len(next_ones) for symptom, value in out.items()}


def features(text: str, is_name: Container[str] = ()) -> list[str]:
    """The words of a text in their plain form, and pairs of them. Names are `_`, numbers `#`."""
    plain = []
    for word in _WORD.findall(text.replace("\\n", " newline ")):
        if word in ("0", "zero"):
            plain.append("zero")
        elif word[0].isdigit() or phrases.number(word) not in (None, "", "1"):
            plain.append("#")
        elif word in is_name or ("_" in word):
            plain.append("_")
        else:
            if _ERROR.fullmatch(word):
                plain.append(f"{word[:8].lower()}err!")
                continue
            low = word.lower().removesuffix("'s")
            plain.append(_ENDING.sub("", low)[:_STEM])
    pairs = [f"{one} {two}" for one, two in pairwise(plain)]
    return [*(word for word in plain if word not in _IDLE), *pairs]


def tells_symptom(text: str) -> float:
    """By how much likelier the words of a text are where somebody says what goes wrong than where an edit is
    asked for, as a logarithm; the latter is counted from what the reader was trained on."""
    told, asked = _told(), _asked()
    said = set(buckets(said_words(tokenize(text).items))[0])
    known = [word for word in said if told[word] or asked[word] >= _HEARD]
    whole_told, whole_asked = float(told.sum()) + BUCKETS / 2, float(asked.sum()) + BUCKETS
    return sum(
        math.log((float(told[word]) + 0.5) / whole_told * whole_asked / (float(asked[word]) + 1.0))
        for word in known
    )


@lru_cache(maxsize=1)
def _told() -> NDArray[np.int64]:
    """How often the words of each bucket stand in the sentences of the table."""
    out = np.zeros(BUCKETS, np.int64)
    for entry in _table().values():
        for sentence in entry["said"]:
            np.add.at(out, buckets(said_words(tokenize(sentence).items))[0], 1)
    return out


@lru_cache(maxsize=1)
def _asked() -> NDArray[np.int64]:
    """How often they were said of an edit."""
    counts = word_counts()
    edits = [
        at for name, at in counts.names.items() if name not in _NO_EDIT and not name.startswith("amend.")
    ]
    found: NDArray[np.int64] = counts.counts[:, edits].sum(axis=1, dtype=np.int64)
    return found


_table = table_beside(__file__, "symptoms.toml")


@lru_cache(maxsize=1)
def known_symptoms() -> Symptoms:
    counts = {name: Counter[str]() for name in _table()}
    for name, entry in _table().items():
        for sentence in entry["said"]:
            counts[name].update(set(features(sentence)))
    whole = Counter[str]()
    for own in counts.values():
        whole.update(own)
    return Symptoms(counts, whole, {name: sum(own.values()) for name, own in counts.items()})


def why(symptom: str) -> str:
    """What the mark of a repair says."""
    return str(_table()[symptom]["says"])
