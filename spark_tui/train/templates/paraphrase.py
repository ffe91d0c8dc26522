"""Varies how an instruction is typed: politeness, reasons, asides, abbreviations, synonyms and typing
errors."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any

from spark_tui.train.templates.grammar import (
    Piece,
    PlaceSlot,
    Slot,
    WordsSlot,
    expand,
    pick,
    reads_like_held_out,
)
from spark_tui.train.templates.tables import table

_TABLES = table("tables/manner")
_SAYINGS = table("tables/sayings")

WRAPPERS: tuple[str, ...] = _SAYINGS["wrappers"]
NEUTRAL_WRAPPERS: tuple[str, ...] = _SAYINGS["neutral_wrappers"]
"""Wrappers of a statement ("the limit should be 3"), which cannot be phrased as a request."""
REASONS: tuple[str, ...] = _SAYINGS["reasons"]
LIMITS: tuple[str, ...] = _SAYINGS["limits"]
CONTEXTS: tuple[str, ...] = _SAYINGS["contexts"]

PLAIN = 0.4
"""Share of instructions that are the bare order."""
REMARK_SHARE = 0.15
"""Share that carries a reason, a context or a limit that says nothing about the edit."""
TYPO = 0.1
SYNONYMS = 0.3

_IMPERATIVE: frozenset[str] = frozenset(_TABLES["imperative"])
_SHORTHAND: tuple[tuple[Any, ...], ...] = _TABLES["shorthand"]
_SYNONYMS: tuple[tuple[str, ...], ...] = _TABLES["synonyms"]
_RULES = tuple(
    (re.compile(pattern, re.IGNORECASE), tuple(others.split("|"))) for pattern, others in _SYNONYMS
)
_SHORT_RULES = tuple((re.compile(pattern), others) for pattern, others in _SHORTHAND)
_SWAPS: dict[str, str] = _TABLES["swaps"]


def _drawn(others: Sequence[str], rng: Random) -> Callable[[re.Match[str]], str]:
    """A replacement for `re.sub` that draws one of several texts for each match."""
    return lambda _: rng.choice(others)


def _reworded(
    pieces: list[Piece], rng: Random, rules: Sequence[tuple[re.Pattern[str], Sequence[str]]]
) -> list[Piece]:
    out = []
    for number, (text, soft) in enumerate(pieces):
        if soft:
            for pattern, others in rules:
                if pattern.pattern.startswith("^") and number:
                    continue
                if rng.random() < 0.6:
                    text = pattern.sub(_drawn(others, rng), text, count=1)
        out.append((text, soft))
    return out


def synonyms(pieces: list[Piece], templates: Sequence[str], rng: Random) -> list[Piece]:
    """Replaces some of the words by synonyms, unless the result is a held-out form."""
    if rng.random() >= SYNONYMS:
        return pieces
    out = _reworded(pieces, rng, _RULES)
    return pieces if reads_like_held_out("".join(text for text, _ in out).strip(), templates) else out


def _typo(word: str, rng: Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    roll = rng.random()
    if roll < 0.35:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if roll < 0.7:
        return word[:at] + word[at + 1 :]
    if roll < 0.85:
        near = _KEYS.get(word[at].lower(), word[at])
        return word[:at] + rng.choice(near) + word[at + 1 :]
    return word[:at] + word[at] + word[at:]


_KEYS: dict[str, str] = _TABLES["keys"]


def misspell(pieces: list[Piece], rng: Random) -> list[Piece]:
    """Misspells one word of four letters or more, never inside a slot and never the words of a line
    number."""
    places = [
        (number, match.span())
        for number, (text, soft) in enumerate(pieces)
        if soft
        for match in re.finditer(r"[A-Za-z]{4,}", text)
        if match[0].lower() not in ("line", "lines")
    ]
    if not places:
        return pieces
    number, (start, end) = rng.choice(places)
    text = pieces[number][0]
    out = list(pieces)
    out[number] = (text[:start] + _typo(text[start:end], rng) + text[end:], True)
    return out


def word(templates: Sequence[str], slots: Mapping[str, Slot], rng: Random) -> str:
    return paraphrase_order(order(templates, slots, rng), rng)


def with_place(pieces: list[Piece], place: PlaceSlot, rng: Random) -> tuple[list[Piece], list[Piece]]:
    """The order with a place after it, or a place to put in front of it."""
    if rng.random() < 0.4 or not _open_end(pieces):
        return pieces, expand(place.front, place.slots, rng)
    return [*pieces, *expand(place.behind, place.slots, rng)], []


def order(templates: Sequence[str], slots: Mapping[str, Slot], rng: Random) -> list[Piece]:
    """What to do, in the words of one of the templates."""
    return synonyms(expand(pick(templates, rng), slots, rng), templates, rng)


def _open_end(pieces: Sequence[Piece]) -> bool:
    """Whether words can follow without becoming a part of what is to be written."""
    text, soft = next((piece for piece in reversed(pieces) if piece[0].strip()), ("", False))
    return soft or text[-1:] in "`\"')" or re.fullmatch(r"[\w.]+", text) is not None


def is_order(pieces: Sequence[Piece]) -> bool:
    first = re.match(r"[\w']+", pieces[0][0].strip()) if pieces and pieces[0][1] else None
    return first is not None and first[0].lower() in _IMPERATIVE


def paraphrase_order(
    pieces: list[Piece], rng: Random, *, front: Sequence[Piece] = (), plain: bool = False
) -> str:
    """Puts the order into a wrapper unless it is to be plain, adds an aside, typos, capitals, a full stop."""
    if plain:
        return _finish(misspell(pieces, rng) if rng.random() < TYPO else pieces, rng)
    ordered = is_order(pieces)
    wrapper = "{do}"
    if rng.random() >= (PLAIN if ordered else 0.7):
        wrapper = rng.choice(WRAPPERS if ordered else NEUTRAL_WRAPPERS)
    if front and wrapper[0] in "-*>1":
        wrapper = "{do}"
    out: list[Piece] = []
    for text, soft in expand(wrapper, {"do": WordsSlot("\0")}, rng):
        if text == "\0":
            out += pieces
        else:
            out.append((text, soft))
    out = [*front, *out]
    if rng.random() < REMARK_SHARE:
        out = _aside(out, rng)
    if rng.random() < 0.1:
        out = _reworded(out, rng, _SHORT_RULES)
    if rng.random() < TYPO:
        for _ in range(rng.choice((1, 1, 2))):
            out = misspell(out, rng)
    return _finish(out, rng)


def _aside(pieces: list[Piece], rng: Random) -> list[Piece]:
    """Adds a sentence before or after the order."""
    roll = rng.random()
    if roll < 0.3:
        return [(rng.choice(CONTEXTS) + " ", True), *pieces]
    end = pieces[-1][0].rstrip()[-1:] if pieces else ""
    remark = rng.choice(REASONS if roll < 0.75 else LIMITS)
    if roll < 0.75 and rng.random() < 0.2:
        return [(remark + rng.choice((", so", ".", ":", " so")) + " ", True), *pieces]
    joints: tuple[str, ...] = (" ", " ") if end in "?!." else (", ", ", ", " - ", ". ", "; ", " (\0)")
    if not _open_end(pieces):
        joints = (". ", ". ", " - ") if end not in "?!." else (" ",)
    joint = rng.choice(joints)
    if "\0" in joint:
        return [*pieces, (joint.replace("\0", remark), True)]
    return [*pieces, (joint + remark, True)]


def _finish(out: Sequence[Piece], rng: Random) -> str:
    text = "".join(text for text, _ in out).strip()
    if not any("  " in piece or "\n" in piece for piece, soft in out if not soft):
        text = re.sub(r" +([,.?!])(?=\s|$)", r"\1", re.sub(r"  +", " ", text))
        text = re.sub(r"\b(the|a|an) the\b", r"\1", text)
    first_soft = next((soft for piece, soft in out if piece.strip()), False)
    if first_soft and rng.random() < 0.3:
        text = text[:1].upper() + text[1:]
    if text[-1:].isalnum() and rng.random() < 0.2:
        text += "."
    for british, american in _SWAPS.items():
        if british in text and rng.random() < 0.5:
            text = text.replace(british, american)
    return text
