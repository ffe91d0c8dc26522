"""The table of kinds of edit that calls make, with the sentences that ask for each."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from random import Random
from typing import Any

from spark_tui.intent.reading.intent_table import intents
from spark_tui.train.sentences.wordings import Sentence, Voice, parse_sentence, voices
from spark_tui.train.templates.grammar import HELD_OUT, Slot, SubTemplate, WordsSlot, expand, held_out_count
from spark_tui.train.templates.tables import table

BY_TEMPLATE = 0.5
"""Share of instructions in the words of the kind's own templates, if it has some; voices word the others."""
TRIES = 12
NAMELESS = 0.15
"""Share of templates with a place that leave it out."""
_SLOT = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, eq=False)
class CallKind:
    """A kind of edit: what asks for it, and in which code."""

    name: str
    intent: str
    weight: float
    needs: re.Pattern[str] | None
    exact: bool
    seen: tuple[str, ...]
    slots: Mapping[str, str]
    sources: Mapping[str, str]
    said: Mapping[str, str]
    requires: frozenset[str]

    @cached_property
    def has_function(self) -> bool:
        return "function" in intents()[self.intent].slot_names

    def template(self, rng: Random) -> Sentence | None:
        """A sentence of the templates; their alternatives are drawn."""
        if not self.seen:
            return None
        pieces = expand(rng.choice(self.seen), self._filled(rng), rng)
        return parse_sentence(self.intent, "".join(text for text, _ in pieces).strip())

    def _filled(self, rng: Random) -> dict[str, Slot]:
        places = table("tables/places")
        named = self.has_function and rng.random() >= NAMELESS
        place = {"f": WordsSlot("{function}")}
        noun = rng.choice(("function", "method", "func"))
        behind, front = (rng.choice(places[key]).replace("NOUN", noun) for key in ("behind", "front"))
        return {
            "f": place["f"],
            "where": SubTemplate(behind if named else "", place),
            "at": SubTemplate(front if named else "", place),
            **{slot: WordsSlot(text) for slot, text in self.slots.items()},
        }

    def sentence(self, rng: Random) -> tuple[Sentence, Voice | None] | None:
        """A sentence, and the voice that says it; None if nobody has words for it."""
        found = self.template(rng) if rng.random() < BY_TEMPLATE else None
        if found is not None:
            return found, None
        fitting = english().get(self.intent, ())
        for _ in range(TRIES if fitting else 0):
            voice = rng.choice(fitting)
            one = rng.choice(voice.sentences[self.intent])
            if self.requires <= set(one.slots):
                return one, voice
        found = self.template(rng)
        return (found, None) if found is not None else None


@cache
def english() -> Mapping[str, tuple[Voice, ...]]:
    """The voices that are trained on, by what they have sentences for."""
    found = [voice for voice in voices() if voice.language == "en" and not voice.held_out]
    return {name: tuple(voice for voice in found if name in voice.sentences) for name in intents()}


@cache
def call_kinds() -> Mapping[str, CallKind]:
    """All kinds of first instructions, by name and in the order of the table."""
    return kinds_of("calls/kinds")


def kinds_of(name: str) -> Mapping[str, CallKind]:
    return {key: _kind(key, entry) for key, entry in table(name).items()}


def _kind(name: str, entry: Mapping[str, Any]) -> CallKind:
    slots: Mapping[str, str] = entry.get("slots", {})
    file, _, key = str(entry.get("templates", "")).partition(".")
    templates: tuple[str, ...] = table(f"wording/{file}")[key] if file else ()
    kept = held_out_count(templates)
    known = {*slots, "f", "where", "at"}
    without = re.compile(str(entry["without"])) if "without" in entry else None

    def usable(some: tuple[str, ...]) -> tuple[str, ...]:
        return tuple(
            item
            for item in some
            if item != HELD_OUT
            and set(_SLOT.findall(item)) <= known
            and not (without and without.search(item))
        )

    return CallKind(
        name,
        str(entry["intent"]),
        float(entry["weight"]),
        re.compile(str(entry["needs"])) if "needs" in entry else None,
        bool(entry.get("exact", False)),
        usable(templates[: len(templates) - kept]),
        slots,
        entry.get("sources", {}),
        entry.get("said", {}),
        frozenset(entry.get("requires", ())),
    )
