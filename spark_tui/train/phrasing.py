# ruff: noqa: E501 - tables and templates read better unbroken
"""The grammar that words instructions: templates with alternatives and slots, polite or terse, with typos.

Comes in: a kind's templates and what its generator filled in. Goes out: an instruction, and whether its
template is one that training never sees. Must not know: code, tokens, the model.

A template is imperative text with `[a|b|]` for alternatives (they nest) and `{slot}` for values.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True, slots=True)
class Name:
    """An identifier: bare, in backticks or in quotes; a call may carry `()`."""

    text: str
    call: bool = False


@dataclass(frozen=True, slots=True)
class Code:
    """A piece of code: in backticks mostly."""

    text: str


@dataclass(frozen=True, slots=True)
class Words:
    """Plain words, shown as they are and open to typos."""

    text: str


@dataclass(frozen=True, slots=True)
class Exact:
    """Text that must stand in the instruction letter by letter (a message, a docstring, a number)."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Sub:
    """A template of its own."""

    template: str
    slots: Mapping[str, Slot] = field(default_factory=dict)


Slot = Name | Code | Words | Exact | Sub
Piece = tuple[str, bool]
"""Text, and whether it may be misspelled."""

WRAPPERS = (
    "{do}", "{do}", "{do}", "{do}", "{do}", "{do}", "{do}", "{do}",
    "please {do}", "{do} please", "{do}, please", "pls {do}", "can you {do}?", "could you {do}?", "can you {do}",
    "could you please {do}?", "I want [you|] to {do}", "I'd like to {do}", "let's {do}", "we should {do}", "we need to {do}",
    "you should {do}", "now {do}", "hey, {do}", "ok {do}", "just {do}", "{do}, thanks", "{do} for me", "go ahead and {do}",
    "i need you to {do}", "next, {do}", "todo: {do}", "quick one: {do}", "would you {do}?",
)  # fmt: skip
NEUTRAL_WRAPPERS = (
    "{do}", "{do}", "{do}", "{do}", "{do}", "hey, {do}", "ok, {do}", "{do}, please", "{do}, thanks", "quick one: {do}", "todo: {do}",
    "btw {do}", "hm, {do}",
)  # fmt: skip
"""Around a statement ("the limit should be 3"), which cannot be ordered."""
_IMPERATIVE = frozenset(
    [
        "add",
        "alphabetise",
        "annotate",
        "append",
        "assert",
        "assign",
        "async",
        "avoid",
        "await",
        "await",
        "begin",
        "build",
        "bump",
        "call",
        "catch",
        "chain",
        "change",
        "check",
        "clean",
        "collapse",
        "combine",
        "comment",
        "convert",
        "cover",
        "create",
        "cut",
        "decorate",
        "declare",
        "dedent",
        "default",
        "define",
        "delete",
        "derive",
        "describe",
        "disable",
        "do",
        "document",
        "don't",
        "drop",
        "end",
        "enumerate",
        "erase",
        "exchange",
        "expand",
        "extend",
        "extract",
        "fix",
        "flatten",
        "flip",
        "fold",
        "get",
        "give",
        "handle",
        "have",
        "hoist",
        "implement",
        "import",
        "indent",
        "initialise",
        "inline",
        "insert",
        "introduce",
        "invert",
        "iterate",
        "join",
        "keep",
        "kill",
        "leave",
        "let",
        "log",
        "loop",
        "make",
        "mark",
        "merge",
        "modernise",
        "move",
        "name",
        "narrow",
        "negate",
        "open",
        "order",
        "pass",
        "pull",
        "put",
        "raise",
        "reduce",
        "refactor",
        "remove",
        "rename",
        "reorder",
        "repeat",
        "replace",
        "retry",
        "return",
        "reword",
        "rewrite",
        "set",
        "simplify",
        "solve",
        "sort",
        "start",
        "stop",
        "store",
        "strip",
        "stub",
        "surround",
        "swap",
        "switch",
        "take",
        "test",
        "throw",
        "try",
        "turn",
        "type",
        "unfold",
        "unroll",
        "update",
        "use",
        "validate",
        "wrap",
        "write",
    ]
)
HELD_OUT_WRAPPERS = (
    "would you mind if we {do}?", "it'd be nice to {do}", "any chance you could {do}?", "the task here is to {do}",
    "do me a favour: {do}",
)  # fmt: skip

_TOKEN = re.compile(r"[\[\]|]|\{\w+\}|[^\[\]|{]+")


HELD_OUT = "--- for the test alone ---"
"""What stands behind this mark in a list of templates is kept from training; without it the last sixth is."""


def held_out_count(templates: Sequence[str]) -> int:
    """How many templates at the end of a kind's list are kept from training."""
    if HELD_OUT in templates:
        return len(templates) - templates.index(HELD_OUT) - 1
    return max(1, len(templates) // 6) if len(templates) >= 3 else 0


def pick(templates: Sequence[str], rng: Random, *, unseen: bool) -> str:
    kept = held_out_count(templates)
    if unseen and kept:
        return rng.choice(templates[-kept:])
    return rng.choice([template for template in templates[: len(templates) - kept] if template != HELD_OUT])


def expand(template: str, slots: Mapping[str, Slot], rng: Random) -> list[Piece]:
    """One reading of the template. A slot that is missing is a KeyError: a kind must fill what it names."""
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
    if isinstance(slot, Sub):
        return expand(slot.template, slot.slots, rng)
    if isinstance(slot, Words):
        return [(slot.text, True)]
    if isinstance(slot, Name):
        text = slot.text + ("()" if slot.call and rng.random() < 0.25 else "")
        return [
            (
                text if roll < 0.55 else f"`{text}`" if roll < 0.88 else f"'{text}'" if roll < 0.95 else f'"{text}"',
                False,
            )
        ]
    if isinstance(slot, Code):
        return [(f"`{slot.text}`" if roll < 0.7 or slot.text[-1:] in "`" else slot.text, False)]
    if slot.quoted:
        mark = '"' if roll < 0.55 else "'" if roll < 0.85 else "`"
        if mark in slot.text:
            mark = '"' if '"' not in slot.text else "`"
        return [(f"{mark}{slot.text}{mark}", False)]
    return [(slot.text, False)]


_SWAPS = {
    "colour": "color",
    "behaviour": "behavior",
    "favour": "favor",
    "initialise": "initialize",
    "normalise": "normalize",
}


def _typo(word: str, rng: Random) -> str:
    at = rng.randrange(1, len(word) - 1)
    roll = rng.random()
    if roll < 0.4:
        return word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    if roll < 0.75:
        return word[:at] + word[at + 1 :]
    return word[:at] + word[at] + word[at:]


def misspell(pieces: list[Piece], rng: Random) -> list[Piece]:
    """One word of four letters or more, never inside a slot."""
    places = [
        (number, match.span())
        for number, (text, soft) in enumerate(pieces)
        if soft
        for match in re.finditer(r"[A-Za-z]{4,}", text)
    ]
    if not places:
        return pieces
    number, (start, end) = rng.choice(places)
    text = pieces[number][0]
    out = list(pieces)
    out[number] = (text[:start] + _typo(text[start:end], rng) + text[end:], True)
    return out


def word(templates: Sequence[str], slots: Mapping[str, Slot], rng: Random, *, unseen: bool = False) -> str:
    """An instruction from one of the templates."""
    return dress(expand(pick(templates, rng, unseen=unseen), slots, rng), rng, unseen=unseen)


def dress(pieces: list[Piece], rng: Random, *, unseen: bool = False) -> str:
    """Manner and finish around the imperative: a wrapper, a typo, capitals, a full stop."""
    first = re.match(r"[\w']+", pieces[0][0].strip()) if pieces and pieces[0][1] else None
    if first is None or first[0].lower() not in _IMPERATIVE:
        wrappers: tuple[str, ...] = NEUTRAL_WRAPPERS
    else:
        wrappers = HELD_OUT_WRAPPERS if unseen and rng.random() < 0.3 else WRAPPERS
    wrapped = expand(rng.choice(wrappers), {"do": Words("\0")}, rng)
    out: list[Piece] = []
    for text, soft in wrapped:
        if text == "\0":
            out += pieces
        else:
            out.append((text, soft))
    if rng.random() < 0.07:
        out = misspell(out, rng)
    text = "".join(text for text, _ in out).strip()
    if not any("  " in piece or "\n" in piece for piece, soft in out if not soft):
        text = re.sub(r" +([,.?!])(?=\s|$)", r"\1", re.sub(r"  +", " ", text))
    first_soft = next((soft for piece, soft in out if piece.strip()), False)
    if first_soft and rng.random() < 0.4:
        text = text[:1].upper() + text[1:]
    if text[-1:].isalnum() and rng.random() < 0.2:
        text += "."
    for british, american in _SWAPS.items():
        if british in text and rng.random() < 0.5:
            text = text.replace(british, american)
    return text
