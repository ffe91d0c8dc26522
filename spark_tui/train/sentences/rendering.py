"""How a name, value or piece of code is typed into a sentence, and how sentences are typed badly."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass
from itertools import accumulate
from random import Random

from spark_tui.pysource.words import identifier_words
from spark_tui.train.sentences.fillers import Text

_QUOTES = "`\"'“”„«»「」‘’"
_WORD = re.compile(r"[^\W\d_]{4,}")


@dataclass(frozen=True, slots=True)
class SlotText:
    """Characters `start` to `end` of a text that fill a slot."""

    start: int
    end: int
    slot: str


@dataclass(slots=True)
class Writing:
    """A text that grows, with the places of its slots."""

    text: str = ""
    mentions: tuple[SlotText, ...] = ()

    def put(self, text: str, slot: str = "") -> None:
        if slot:
            self.mentions += (SlotText(len(self.text), len(self.text) + len(text), slot),)
        self.text += text

    def lead(self, text: str) -> None:
        """Put a text in front."""
        self.text = text + self.text
        self.mentions = tuple(SlotText(m.start + len(text), m.end + len(text), m.slot) for m in self.mentions)

    def join(self, other: Writing) -> None:
        shift = len(self.text)
        self.text += other.text
        self.mentions += tuple(SlotText(m.start + shift, m.end + shift, m.slot) for m in other.mentions)


def say(writing: Writing, slot: str, found: Text, following: str, rng: Random) -> None:
    """Writes a text for a slot in one of the forms in which people type it, within backticks as it is."""
    text, kind = found
    quoted = writing.text[-1:] in _QUOTES and bool(writing.text)
    in_code = writing.text.count("`") % 2 == 1
    called = following.startswith("(")
    draw = rng.random()
    if kind == "file" and draw < 0.5:
        text = text.rpartition("/")[2]
    if kind == "callable" and "." in text and draw < 0.55:
        text = text.rpartition(".")[2]
    if kind in ("callable", "class", "name") and not (quoted or in_code or called) and rng.random() < 0.05:
        spoken = "_" in text and "__" not in text and rng.random() < 0.25
        text = (" ".join(text.replace("_", " underscore ").split()) if spoken else in_words(text)) or text
    around = _around(kind, quoted or in_code, rng)
    if kind == "text" and writing.text.endswith("("):
        around = rng.choice("\"'")
    if kind == "value" and text[:1] == '"' and (quoted or (not in_code and rng.random() < 0.2)):
        text = text[1:-1] or text
    elif kind == "value" and text[:1] == '"' and rng.random() < 0.35:
        text = "'" + text[1:-1] + "'"
    if around in _QUOTES and around and around in text:
        around = ""
    closing = {"“": "”", "«": "»", "「": "」"}.get(around, around)
    writing.put(around)
    writing.put(text, slot)
    if kind == "callable" and not called and " " not in text and rng.random() < (0.15 if quoted else 0.22):
        writing.put("()")
    writing.put(closing)


def _around(kind: str, quoted: bool, rng: Random) -> str:
    """The quotes or backticks that somebody puts around a thing."""
    if quoted:
        return ""
    draw = rng.random()
    if kind == "text":
        return rng.choice(('"', '"', "'", "“")) if draw < 0.6 else ""
    if kind in ("code", "condition"):
        return "`" if draw < (0.35 if kind == "code" else 0.0) else '"' if draw < 0.05 else ""
    if kind in ("word", "number_word"):
        return "`" if draw < 0.04 else ""
    return "`" if draw < 0.25 else rng.choice("'\"") if draw < 0.3 else ""


def disturb(writing: Writing, rng: Random, language: str) -> Writing:
    """The text as typed in haste: typing errors in ordinary words, lower case, no accents, no backticks."""
    inside = [False] * len(writing.text)
    for mention in writing.mentions:
        for place in range(mention.start, mention.end):
            inside[place] = True
    cut = [writing.text[i] for i in range(len(writing.text))]
    if rng.random() < 0.12:
        cut = [
            char if inside[i] else char.lower() if len(char.lower()) == 1 else char
            for i, char in enumerate(cut)
        ]
    if rng.random() < 0.1:
        cut = ["" if char in "`" and not inside[i] else char for i, char in enumerate(cut)]
    if rng.random() < 0.08:
        cut = [
            "" if char in ",.;:!?、，。" and not inside[i] and _at_word_end(cut, i) else char
            for i, char in enumerate(cut)
        ]
    if language != "zh" and rng.random() < 0.12:
        cut = [char if inside[i] else _bare(char) for i, char in enumerate(cut)]
    if language != "zh" and rng.random() < 0.15:
        _mistype(writing.text, cut, inside, rng)
    return _rebuilt(writing, cut)


def _at_word_end(cut: list[str], place: int) -> bool:
    return place + 1 == len(cut) or cut[place + 1].isspace()


def _bare(char: str) -> str:
    first = unicodedata.normalize("NFKD", char)[:1]
    return first if first.isascii() else char


def _mistype(text: str, cut: list[str], inside: list[bool], rng: Random) -> None:
    for match in _WORD.finditer(text):
        if rng.random() > 0.15 or any(inside[match.start() : match.end()]):
            continue
        place = rng.randrange(match.start() + 1, match.end() - 1)
        kind = rng.random()
        if kind < 0.35:
            cut[place] = ""
        elif kind < 0.7:
            cut[place], cut[place + 1] = cut[place + 1], cut[place]
        elif kind < 0.85:
            cut[place] *= 2
        else:
            cut[place] = rng.choice("aeiounstrl")


def _rebuilt(writing: Writing, cut: list[str]) -> Writing:
    """The text of the changed characters, with the places of the slots moved along."""
    starts = [*accumulate(map(len, cut), initial=0)]
    moved = tuple(SlotText(starts[m.start], starts[m.end], m.slot) for m in writing.mentions)
    return Writing("".join(cut), moved)


def trimmed(writing: Writing) -> Writing:
    """Without white space at both ends."""
    lead = len(writing.text) - len(writing.text.lstrip())
    moved = tuple(SlotText(m.start - lead, m.end - lead, m.slot) for m in writing.mentions)
    return Writing(writing.text.strip(), moved)


def in_words(name: str) -> str:
    """`apply_discount` as somebody says it: apply discount."""
    return " ".join(identifier_words(name.rpartition(".")[2]))
