"""Copies of instructions in real code, each said differently, so that none of them is learned by heart."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from random import Random

from spark_tui.intent.reading.evaluation import KnownRoles
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.train.reader.asked import Asked
from spark_tui.train.reader.dataset import NAMES
from spark_tui.train.sentences.examples import BEHIND, NO_EDIT, InstructionExample, PlacedOrder
from spark_tui.train.sentences.rendering import SlotText, Writing, disturb, trimmed
from spark_tui.train.sentences.synonyms import reworded
from spark_tui.train.templates.tables import table

SWAPPED, REWORDED, JOINED, POLITE, LEFT = 0.5, 0.5, 0.3, 0.1, 0.3
"""Shares of copies: with texts of slots from others, other words, two as one, politeness, words left out."""
EACH = 0.5
"""Of the slots of a copy with other texts, so many have one."""
LEFT_WORDS = 0.07
_NAME = re.compile(r"[\w.]+\Z")
_WORD = re.compile(r"(?<![\w.`'’\"(-])[^\W\d_]{2,}(?![\w(.`'’=\"-]) ?")


class Variants:
    """Draws copies of instructions."""

    def __init__(self, many: Sequence[Asked], rng: Random) -> None:
        self.many, self.rng = many, rng
        self.doable = [name for name, intent in intents().items() if not intent.amends]
        self.donors: dict[tuple[str, str, bool], list[tuple[str, Asked]]] = defaultdict(list)
        self.single: dict[str, list[Asked]] = defaultdict(list)
        for asked in many:
            text = asked.example.writing.text
            for mention in asked.example.writing.mentions:
                mentioned = text[mention.start : mention.end]
                self.donors[self._kind(asked, mention.slot, mentioned)].append((mentioned, asked))
            if self._may_join(asked):
                self.single[asked.example.language].append(asked)

    @staticmethod
    def _kind(asked: Asked, slot: str, text: str) -> tuple[str, str, bool]:
        if slot in NAMES and _NAME.match(text):
            return slot, "", True
        return slot, asked.example.language + asked.example.orders[0].intent, False

    @staticmethod
    def _may_join(asked: Asked) -> bool:
        orders = asked.example.orders
        return len(orders) == 1 and not asked.example.earlier and orders[0].intent not in NO_EDIT

    def copies(self, times: int) -> Iterator[tuple[InstructionExample, KnownRoles]]:
        for item in self.many:
            for _ in range(times):
                yield self.copy(item)

    def copy(self, asked: Asked) -> tuple[InstructionExample, KnownRoles]:
        rng, example = self.rng, asked.example
        made, roles = self._said(asked)
        orders = list(example.orders)
        if self._may_join(asked) and rng.random() < JOINED:
            other = rng.choice(self.single[example.language])
            more, other_roles = self._said(other)
            roles = _together(roles, other_roles)
            self._join(made, more, orders, other.example.orders[0], example.language)
        if rng.random() < POLITE:
            self._polite(made, example.language)
        typed = trimmed(disturb(made, rng, example.language))
        starts = {int(m.slot[1:]): m.start for m in typed.mentions if m.slot.startswith("\0")}
        placed = tuple(
            PlacedOrder(max(starts.get(place, 0), 0), order.intent, order.everywhere)
            for place, order in enumerate(orders)
        )
        writing = Writing(typed.text, tuple(m for m in typed.mentions if not m.slot.startswith("\0")))
        before = example.earlier or (rng.choice(self.doable) if rng.random() < BEHIND else "")
        return (
            InstructionExample(writing, placed, before, example.voice, example.language, example.scene),
            roles,
        )

    def _said(self, asked: Asked) -> tuple[Writing, KnownRoles]:
        """The text with other words and other texts of slots. Marks stand where orders begin."""
        rng, example = self.rng, asked.example
        text, roles = example.writing.text, asked.roles
        swapped, other_words, left = rng.random() < SWAPPED, rng.random() < REWORDED, rng.random() < LEFT
        marks = [SlotText(order.start, order.start, f"\0{n}") for n, order in enumerate(example.orders)]
        made, at = Writing(), 0
        instead: dict[str, tuple[str, Asked]] = {}

        def plain(piece: str) -> None:
            if other_words:
                piece = reworded(piece, example.language, rng)
            if left:
                piece = _WORD.sub(lambda m: "" if rng.random() < LEFT_WORDS else m[0], piece)
            made.put(piece)

        for mention in sorted((*example.writing.mentions, *marks), key=lambda m: (m.start, m.end)):
            if mention.start < at:
                continue
            plain(text[at : mention.start])
            mentioned = text[mention.start : mention.end]
            if mention.slot.startswith("\0"):
                made.mentions += (SlotText(len(made.text), len(made.text), mention.slot),)
            else:
                if swapped and mention.slot != LEFT_OUT and mentioned not in instead and rng.random() < EACH:
                    instead[mentioned] = rng.choice(self.donors[self._kind(asked, mention.slot, mentioned)])
                if mentioned in instead:
                    mentioned, donor = instead[mentioned]
                    roles = _together(donor.roles, roles)
                made.put(mentioned, mention.slot)
            at = mention.end
        plain(text[at:])
        return made, roles

    def _join(
        self, made: Writing, more: Writing, orders: list[PlacedOrder], order: PlacedOrder, language: str
    ) -> None:
        rng, phrases = self.rng, table("sentences/phrases")
        own = phrases.get(language, phrases["en"])
        if rng.random() < 0.2:
            first, join, _ = rng.choice((*phrases["points"], *own.get("points", ())))
            made.lead(rng.choice(("", *own["leads"])) + first)
        else:
            join = rng.choice(own["joins"] if rng.random() < 0.5 else own["joins"][:5])
        made.text = made.text.rstrip(".!?。！ ")
        length = len(made.text)
        made.mentions = tuple(
            SlotText(min(m.start, length), min(m.end, length), m.slot) for m in made.mentions
        )
        start = SlotText(length, length, f"\0{len(orders)}")
        made.put(join)
        slots = [m for m in more.mentions if not m.slot.startswith("\0")]
        if not any(m.start == 0 for m in slots) and rng.random() < 0.8:
            more.text = more.text[:1].lower() + more.text[1:]
        made.join(Writing(more.text, tuple(slots)))
        made.mentions += (start,)
        orders.append(PlacedOrder(length, order.intent, order.everywhere))

    def _polite(self, made: Writing, language: str) -> None:
        phrases = table("sentences/phrases").get(language)
        if phrases is None:
            return
        if self.rng.random() < 0.5:
            made.lead(self.rng.choice(phrases["before"]))
        else:
            cut = made.text.rstrip(".!。！ ")
            if all(m.end <= len(cut) for m in made.mentions):
                made.text = cut
                made.put(self.rng.choice(phrases["after"]))


def _together(known_roles: KnownRoles, other: KnownRoles) -> KnownRoles:
    return KnownRoles({**other.names, **known_roles.names}, {**other.words, **known_roles.words})
