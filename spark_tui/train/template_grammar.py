"""The grammar of instruction templates.

A template is imperative text with `[a|b|]` for alternatives, which can be nested, and `{slot}` for values.
Some templates are held out: training never sees them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from random import Random


@dataclass(frozen=True, slots=True)
class NameSlot:
    """An identifier: bare, in backticks or in quotes; a call may carry `()`. `ways` are other ways to refer
    to it, as `(text, kind words)`: `("the load rows", "function")`."""

    text: str
    call: bool = False
    ways: tuple[ReferenceSlot, ...] = ()


@dataclass(frozen=True, slots=True)
class ReferenceSlot:
    """A reference that is not a bare identifier. `article` asks for "the" before it; `noun` follows it."""

    text: str
    article: bool = False
    noun: str = ""
    before: bool = False
    """Whether the noun comes first: `the variable x`."""


@dataclass(frozen=True, slots=True)
class CodeSlot:
    """A piece of code, usually in backticks."""

    text: str


@dataclass(frozen=True, slots=True)
class WordsSlot:
    """Plain words, which may get typing errors."""

    text: str


@dataclass(frozen=True, slots=True)
class ExactSlot:
    """Text that must be in the instruction letter by letter (a message, a docstring, a number)."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class SubTemplate:
    """A template of its own."""

    template: str
    slots: Mapping[str, Slot] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PlaceSlot:
    """A place: after the order (` in foo`), or before it (`in foo, `)."""

    behind: str
    front: str
    slots: Mapping[str, Slot] = field(default_factory=dict)


Slot = NameSlot | CodeSlot | WordsSlot | ExactSlot | SubTemplate | PlaceSlot
Piece = tuple[str, bool]
"""Text, and whether it may be misspelled."""
_Raw = tuple[str | NameSlot, bool]

OTHER_WAY = 0.24
"""Adds the other ways to refer to the names of the window."""

_TOKEN = re.compile(r"[\[\]|]|\{\w+\}|[^\[\]|{]+")


HELD_OUT = "--- for the test alone ---"
"""Templates after this mark in a list are held out; without it the last sixth is."""


def held_out_count(templates: Sequence[str]) -> int:
    """How many templates at the end of a kind's list are held out."""
    if HELD_OUT in templates:
        return len(templates) - templates.index(HELD_OUT) - 1
    return max(1, len(templates) // 6) if len(templates) >= 3 else 0


def pick(templates: Sequence[str], rng: Random, *, unseen: bool) -> str:
    kept = held_out_count(templates)
    if unseen and kept:
        return rng.choice(templates[-kept:])
    return rng.choice([template for template in templates[: len(templates) - kept] if template != HELD_OUT])


def expand(template: str, slots: Mapping[str, Slot], rng: Random) -> list[Piece]:
    """One random reading of the template. A missing slot raises KeyError: a kind must fill what its
    templates name."""
    raw = _expand(template, slots, rng)
    out: list[Piece] = []
    for number, (item, soft) in enumerate(raw):
        if isinstance(item, str):
            out.append((item, soft))
            continue
        before = "".join(text for text, _ in out[-3:])
        behind = raw[number + 1][0] if number + 1 < len(raw) else ""
        out.append((_named(item, before, behind if isinstance(behind, str) else "x", rng), False))
    return out


def _expand(template: str, slots: Mapping[str, Slot], rng: Random) -> list[_Raw]:
    tokens = _TOKEN.findall(template)
    pieces, at = _sequence(tokens, 0, slots, rng)
    if at != len(tokens):
        raise ValueError(f"unbalanced template: {template}")
    return pieces


def _sequence(tokens: list[str], at: int, slots: Mapping[str, Slot], rng: Random) -> tuple[list[_Raw], int]:
    out: list[_Raw] = []
    while at < len(tokens) and tokens[at] not in "]|":
        token = tokens[at]
        if token == "[":
            choices: list[list[_Raw]] = []
            while token != "]":
                pieces, at = _sequence(tokens, at + 1, slots, rng)
                choices.append(pieces)
                if at >= len(tokens):
                    raise ValueError("a template has an open bracket")
                token = tokens[at]
            out += rng.choice(choices)
        elif token.startswith("{"):
            out += _value(slots[token[1:-1]], rng)
        else:
            out.append((token, True))
        at += 1
    return out, at


def _value(slot: Slot, rng: Random) -> list[_Raw]:
    roll = rng.random()
    if isinstance(slot, SubTemplate):
        return _expand(slot.template, slot.slots, rng)
    if isinstance(slot, PlaceSlot):
        return _expand(slot.behind, slot.slots, rng)
    if isinstance(slot, WordsSlot):
        return [(slot.text, True)]
    if isinstance(slot, NameSlot):
        return [(slot, False)]
    if isinstance(slot, CodeSlot):
        return [(f"`{slot.text}`" if roll < 0.7 or slot.text[-1:] in "`" else slot.text, False)]
    if slot.quoted:
        mark = '"' if roll < 0.55 else "'" if roll < 0.85 else "`"
        if mark in slot.text:
            mark = '"' if '"' not in slot.text else "`"
        return [(f"{mark}{slot.text}{mark}", False)]
    return [(slot.text, False)]


_NOUNS = (
    "function|func|fn|method|class|variable|var|local|argument|arg|parameter|param"
    "|constant|attribute|attr|field|property|decorator|member|name|module|import"
)
_NOUN_BEFORE = re.compile(rf"\b(?:{_NOUNS})s?:? $", re.IGNORECASE)
_NOUN_BEHIND = re.compile(rf"^ (?:{_NOUNS})\b", re.IGNORECASE)
_DETERMINED = re.compile(r"(?:\b(?:the|a|an|its?|this|that|my|our)|'s) $", re.IGNORECASE)


def _named(name: NameSlot, before: str, behind: str, rng: Random) -> str:
    """The identifier, or another way to refer to it if the words around it allow that."""
    if (
        name.ways
        and rng.random() < OTHER_WAY
        and (not before or before[-1] in " (:,\n")
        and behind[:1] not in tuple(".=([_")
    ):
        way = rng.choice(name.ways)
        noun = "" if _NOUN_BEFORE.search(before) or _NOUN_BEHIND.search(behind) else way.noun
        article = "the " if way.article and (noun or not _NOUN_BEFORE.search(before)) else ""
        if _DETERMINED.search(before):
            article = ""
        if not noun:
            return article + way.text
        return f"{article}{noun} {way.text}" if way.before else f"{article}{way.text} {noun}"
    text = name.text + ("()" if name.call and rng.random() < 0.25 else "")
    roll = rng.random()
    return (
        text if roll < 0.55 else f"`{text}`" if roll < 0.88 else f"'{text}'" if roll < 0.95 else f'"{text}"'
    )


@lru_cache(maxsize=4096)
def _pattern(template: str) -> re.Pattern[str]:
    """A pattern for the template's readings, with any text for a slot."""
    marks = {"[": "(?:", "]": ")", "|": "|"}
    parts = [marks.get(t) or (".+?" if t.startswith("{") else re.escape(t)) for t in _TOKEN.findall(template)]
    return re.compile("".join(parts), re.IGNORECASE | re.DOTALL)


def reads_like_held_out(text: str, templates: Sequence[str]) -> bool:
    """Whether the wording matches one of the list's held-out templates."""
    kept = held_out_count(templates)
    return any(_pattern(template).fullmatch(text) for template in (templates[-kept:] if kept else ()))
