"""Other words for the words of an order, in the form in which they stand there."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from keyword import iskeyword
from random import Random

from spark_tui.train.sentences.wordings import Sentence
from spark_tui.train.templates.tables import table

EXCHANGED = 0.3
"""The share of the words."""

_WORD = re.compile(r"(?<![\w.`'’-])[A-Za-z]+(?![\w(.`'’=-]|[ ]out\b)")


def verb_forms(verb: str) -> tuple[str, ...]:
    """A verb with `s`, `ed`, as a participle, and with `ing`. Of several words the first is inflected."""
    first, _, rest = verb.partition(" ")
    tail = " " + rest if rest else ""
    known = table("sentences/synonyms")["forms"]
    stem = first + first[-1] if first in known["doubled"].split() else first
    if first in known["irregular"]:
        past, participle, ing = known["irregular"][first].split()
    else:
        cut = first[:-1] if first.endswith("e") else stem
        past = participle = (first[:-1] + "i" if re.search(r"[^aeiou]y$", first) else cut) + "ed"
        ing = cut + "ing"
    return tuple(form + tail for form in (_with_s(first), past, participle, ing))


def _with_s(word: str) -> str:
    if re.search(r"(?:s|x|ch|sh|z|o)$", word):
        return word + "es"
    return word[:-1] + "ies" if re.search(r"[^aeiou]y$", word) else word + "s"


def _plural(noun: str) -> str:
    return noun if noun.endswith("s") and not noun.endswith("ss") else _with_s(noun)


@cache
def _table(language: str) -> dict[str, tuple[str, ...]]:
    """For each form of a word the same form of the others."""
    found: dict[str, tuple[str, ...]] = {}
    for kind, words in table("sentences/synonyms").get(language, {}).items():
        for word, listed in words.items():
            others = listed.split(", ")
            pairs = {word: tuple(others)}
            if kind == "verbs":
                cut = [verb_forms(other) for other in others]
                pairs |= dict(zip(verb_forms(word), zip(*cut, strict=True), strict=True))
            elif kind == "nouns":
                pairs[_plural(word)] = tuple(map(_plural, others))
            for form, those in pairs.items():
                found[form] = (*found.get(form, ()), *those)
    return found


def in_other_words(sentence: Sentence, language: str, rng: Random) -> Sentence:
    """A sentence with a share of its known words exchanged."""
    pieces = (reworded(one, language, rng) if at % 2 == 0 else one for at, one in enumerate(sentence.pieces))
    return replace(sentence, pieces=tuple(pieces))


def reworded(text: str, language: str, rng: Random) -> str:
    """A text with a share of its known words exchanged."""
    known = _table(language)

    def other(match: re.Match[str]) -> str:
        word = match[0]
        others = known.get(word.lower())
        if others is None or iskeyword(word) or word == "print" or rng.random() >= EXCHANGED:
            return word
        synonym = rng.choice(others)
        return synonym[:1].upper() + synonym[1:] if word[:1].isupper() else synonym

    return _WORD.sub(other, text) if known else text
