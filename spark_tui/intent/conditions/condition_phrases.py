"""The words of a condition: stems, numbers and texts that are said, which names they resemble, and what they
say about what they look at."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property, lru_cache

from spark_tui.intent.context.visible import is_short_for
from spark_tui.intent.words.phrases import has_cjk, table
from spark_tui.pysource.words import identifier_words
from spark_tui.tables import table_beside

_WORD = re.compile(r"[^\W\d_]+|\d+|[^\w\s]|[\u4e00-\u9fff]")


_table = table_beside(__file__, "ranking_words.toml")
_ORDERS = ("above", "below", "at_least", "at_most")


@lru_cache(maxsize=32)
def word_list(name: str) -> frozenset[str]:
    """A list of `ranking_words.toml`."""
    return frozenset(_table()[name].split())


def words_said(text: str) -> list[str]:
    """Words, numbers and signs in lower case; names are cut into words."""
    return [
        item.lower() for item in _WORD.findall(re.sub(r"([a-z])([A-Z])", r"\1 \2", text.replace("_", " ")))
    ]


def stem(word: str) -> str:
    for end in ("ies", "ing", "ed", "es", "s"):
        if word.endswith(end) and len(word) - len(end) >= 3:
            return word[: -len(end)]
    return word


def alike(one: str, two: str) -> bool:
    """Whether two words are forms of one, or one is the short form of the other."""
    short = min(len(one), len(two))
    if one == two or short < 3:
        return one == two
    return stem(one) == stem(two) or (
        short >= 4 and one[:short] == two[:short] and abs(len(one) - len(two)) <= 3
    )


class Phrase:
    """The words of a text, asked for often."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.words = tuple(dict.fromkeys(words_said(text)))
        self.content = frozenset(
            word for word in self.words if word not in word_list("fillers") and word[0].isalnum()
        )
        self._known: dict[str, frozenset[str]] = {}

    def matches(self, word: str) -> frozenset[str]:
        """The words of the text that are forms of a word of a name, or for which that is short."""
        found = self._known.get(word)
        if found is None:
            found = self._known[word] = frozenset(
                item for item in self.words if alike(item, word) or is_short_for(word, item)
            )
        return found

    def names(self, words: Iterable[str]) -> bool:
        """Whether any of some words is said."""
        return any(self.matches(word) for word in words)


def numbers_said(text: str) -> list[str]:
    found = re.findall(r"(?<![\w.])-?\d+(?:\.\d+)?(?!\w)", text)
    units: list[str] = _table()["units"].split()
    amounts = {**{one: str(at) for at, one in enumerate(units)}, **_table()["tens"]}
    found += [amounts[word] for word in re.findall(r"[a-z]+", text.lower()) if word in amounts]
    return list(dict.fromkeys(found))[:3]


def signs_said(text: str) -> list[str]:
    """The texts in quotes and the signs of a condition, also those that it calls by their names."""
    quoted = [match[1] or match[2] for match in re.finditer(r"\"([^\"]{1,20})\"|'([^'\s]{1,20})'", text)]
    signs = re.findall(r"(?<!\S)([^\w\s\"'.,!?()]{1,3}|\.\w+|\._)(?!\S)", text)
    named: dict[str, str] = _table()["signs"]
    return [*quoted, *signs, *(named[item] for item in re.findall(r"\w+", text.lower()) if item in named)]


def texts_said(text: str, known: set[str]) -> list[str]:
    """The texts that a condition may compare with: quoted, signs, names, those of the file that are said."""
    tokens = re.findall(r"\w+", text.lower())
    names = re.findall(r"(?<!\w)(?!\A)([A-Z]\w{0,9})(?!\w)", text)
    names += re.findall(r"(?!\d+\b)\w+", text) if len(tokens) < 3 else []
    phrase = Phrase(text)
    members = [
        item
        for item in sorted(known)
        if len(item) > 1 and (words := identifier_words(item)) and all(map(phrase.matches, words))
    ]
    return list(dict.fromkeys([*signs_said(text), *names, *members]))[:8]


@dataclass(frozen=True)
class RelationPhrase:
    """Words that relate two things, such as `is at least {n}`."""

    kind: str
    regex: str
    length: int
    parts: tuple[str, ...]
    """What stands in every text with the phrase: most phrases are told to be out by it alone."""

    def search(self, text: str) -> re.Match[str] | None:
        return self._pattern.search(text) if all(part in text for part in self.parts) else None

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile(self.regex)


@lru_cache(maxsize=256)
def relations_in(text: str) -> tuple[tuple[RelationPhrase, re.Match[str]], ...]:
    """The phrases that a text has, in small letters, and where: the longest first."""
    low = text.lower()
    return tuple((each, found) for each in _relation_phrases() if (found := each.search(low)) is not None)


@lru_cache(maxsize=1)
def _relation_phrases() -> tuple[RelationPhrase, ...]:
    out = []
    for kind, entry in table()["conditions"].items():
        for text in entry["phrases"]:
            bare = text.replace("{n}", "").strip()
            pattern = re.escape(text.lower()).replace(r"\{n\}", r"(?P<n>\S+)").replace(r"\ ", r"\s+")
            pattern = pattern.replace("'", "['’]?")
            left = r"(?<![\w])" if re.match(r"\w", text) and not has_cjk(text) else ""
            right = r"(?![\w])" if re.search(r"\w\Z", text) and not has_cjk(text) else ""
            if text.startswith("{n}"):
                left = ""
                right += r"(?!\s+than\b)"  # `less than 1 or more than 9`
            parts = tuple(re.split(r"\{n\}|[\s']+", text.lower()))
            length = len(bare) + 3 * ("{n}" in text)
            out.append(RelationPhrase(kind, left + pattern + right, length, parts))
    return tuple(sorted(out, key=lambda item: -item.length))


def ends_in_order(text: str) -> bool:
    """Whether a text ends with words such as *less than*, to which a number belongs."""
    text = text.rstrip()
    return any(found.end() == len(found.string) for each, found in relations_in(text) if each.kind in _ORDERS)
