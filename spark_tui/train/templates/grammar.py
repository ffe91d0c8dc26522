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
    """An identifier: bare, in backticks or in quotes; a call may carry `()`."""

    text: str
    call: bool = False


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

_TOKEN = re.compile(r"[\[\]|]|\{\w+\}|[^\[\]|{]+")


HELD_OUT = "--- for the test alone ---"
"""Templates after this mark in a list are held out; without it the last sixth is."""


def held_out_count(templates: Sequence[str]) -> int:
    """How many templates at the end of a kind's list are held out."""
    if HELD_OUT in templates:
        return len(templates) - templates.index(HELD_OUT) - 1
    return max(1, len(templates) // 6) if len(templates) >= 3 else 0


def pick(templates: Sequence[str], rng: Random) -> str:
    kept = held_out_count(templates)
    return rng.choice([template for template in templates[: len(templates) - kept] if template != HELD_OUT])


def expand(template: str, slots: Mapping[str, Slot], rng: Random) -> list[Piece]:
    """One random reading of the template. A missing slot raises KeyError: a kind must fill what its
    templates name."""
    tokens = _TOKEN.findall(template)
    pieces, at = _sequence(tokens, 0, slots, rng)
    if at != len(tokens):
        raise ValueError(f"unbalanced template: {template}")
    return pieces


def _sequence(tokens: list[str], at: int, slots: Mapping[str, Slot], rng: Random) -> tuple[list[Piece], int]:
    out: list[Piece] = []
    while at < len(tokens) and tokens[at] not in "]|":
        token = tokens[at]
        if token == "[":
            choices: list[list[Piece]] = []
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


def _value(slot: Slot, rng: Random) -> list[Piece]:
    roll = rng.random()
    if isinstance(slot, SubTemplate):
        return expand(slot.template, slot.slots, rng)
    if isinstance(slot, PlaceSlot):
        return expand(slot.behind, slot.slots, rng)
    if isinstance(slot, WordsSlot):
        return [(slot.text, True)]
    if isinstance(slot, NameSlot):
        name = slot.text + ("()" if slot.call and rng.random() < 0.25 else "")
        mark = "" if roll < 0.55 else "`" if roll < 0.88 else "'" if roll < 0.95 else '"'
        return [(f"{mark}{name}{mark}", False)]
    if isinstance(slot, CodeSlot):
        return [(f"`{slot.text}`" if roll < 0.7 or slot.text[-1:] in "`" else slot.text, False)]
    if slot.quoted:
        mark = '"' if roll < 0.55 else "'" if roll < 0.85 else "`"
        if mark in slot.text:
            mark = '"' if '"' not in slot.text else "`"
        return [(f"{mark}{slot.text}{mark}", False)]
    return [(slot.text, False)]


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
