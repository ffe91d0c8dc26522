"""Examples as arrays: words, flags, tags and orders, packed one after the other, and drawn in batches."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np
from numpy.typing import NDArray

from spark_tui.intent.reading.features import FLAGS, describe_tokens, grams
from spark_tui.intent.reading.intent_table import Intent
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.intent.words.tokens import Tokens, tokenize
from spark_tui.train.sentences.examples import InstructionExample
from spark_tui.train.sentences.rendering import SlotText

IGNORED = -100
Ints = NDArray[np.int64]
OTHER_LETTERS = 0.25
"""Share of the ordinary words in slots for names whose letters are those of any other word, or hidden: what a
thing is called says nothing of what is to be done with it."""
NAMES = frozenset(
    ("symbol", "new", "function", "class", "parameter", "other", "variable", "name", "argument", "attribute")
)


def token_slots(tokens: Tokens, mentions: Sequence[SlotText]) -> list[tuple[str, bool] | None]:
    """For each token the slot that it belongs to and whether it begins it. Quotes around a whole mention are
    outside; where two mentions meet in one token, the later one has it."""
    out: list[tuple[str, bool] | None] = [None] * len(tokens.items)
    for mention in mentions:
        inside = [
            place
            for place, token in enumerate(tokens.items)
            if token.start < mention.end and mention.start < token.end
        ]
        if len(inside) > 2:
            first, last = tokens.items[inside[0]], tokens.items[inside[-1]]
            if first.kind == last.kind == "quote" and first.inside == last.inside:
                inside = inside[1:-1]
        for number, place in enumerate(inside):
            out[place] = mention.slot, number == 0
    return out


def order_ranges(tokens: Tokens, starts: Sequence[int]) -> list[tuple[int, int]]:
    """The tokens of each order, from the characters with which the orders begin."""
    firsts = [
        next((place for place, token in enumerate(tokens.items) if token.start >= start), len(tokens.items))
        for start in starts
    ]
    firsts[0] = 0
    return list(zip(firsts, [*firsts[1:], len(tokens.items)], strict=True))


@dataclass
class Packed:
    """Examples, one after the other. Words are numbers of `vocabulary`."""

    vocabulary: list[str] = field(default_factory=list)
    words: list[int] = field(default_factory=list)
    flags: list[int] = field(default_factory=list)
    tags: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    earlier: list[int] = field(default_factory=list)
    orders: list[tuple[int, int, int, int, bool]] = field(default_factory=list)
    """Example, first and last token, intent, *everywhere*."""

    def __len__(self) -> int:
        return len(self.ends)


class Packer:
    """Turns examples into arrays."""

    def __init__(self, table: Sequence[Intent], rng: Random | None = None) -> None:
        self.rng = rng
        self.ordinary: list[str] = []
        self.intent = {intent.name: place for place, intent in enumerate(table)}
        self.places = [
            {slot: place for place, slot in enumerate((*intent.slot_names, LEFT_OUT))} for intent in table
        ]
        self.numbers: dict[str, int] = {}
        self.packed = Packed()

    def add(self, example: InstructionExample, symbols: SymbolRoles) -> bool:
        """Adds an example, unless an order of it has no token."""
        tokens = tokenize(example.writing.text)
        if not tokens.items:
            return False
        ranges = order_ranges(tokens, [order.start for order in example.orders])
        if any(first >= last for first, last in ranges):
            return False
        packed = self.packed
        slots = token_slots(tokens, example.writing.mentions)
        tags = [0] * len(slots)
        for (first, last), order in zip(ranges, example.orders, strict=True):
            number = self.intent[order.intent]
            for place in range(first, last):
                tags[place] = self._tag(number, slots[place])
            packed.orders.append((len(packed), first, last, number, order.everywhere))
        for feature, slot in zip(describe_tokens(tokens, symbols), slots, strict=True):
            packed.words.append(self._number(feature.word, slot[0] if slot is not None else ""))
            packed.flags.append(feature.flags)
        packed.tags += tags
        packed.earlier.append(self.intent.get(example.earlier, -1))
        packed.ends.append(len(packed.words))
        return True

    def _number(self, word: str, slot: str) -> int:
        if word not in self.numbers and word.isalpha():
            self.ordinary.append(word)
        number = self.numbers.setdefault(word, len(self.numbers))
        rng = self.rng
        if rng is not None and slot in NAMES and word.isalpha() and rng.random() < OTHER_LETTERS:
            other = rng.choice(("\x02name", *rng.choices(self.ordinary, k=2)))
            number = self.numbers.setdefault(other, len(self.numbers))
        return number

    def _tag(self, intent: int, slot: tuple[str, bool] | None) -> int:
        if slot is None or slot[0] not in self.places[intent]:
            return 0
        return 1 + 2 * self.places[intent][slot[0]] + (not slot[1])

    def done(self) -> Packed:
        self.packed.vocabulary = list(self.numbers)
        return self.packed


class Dataset:
    """Several packs as one, with batches of examples of similar length."""

    def __init__(self, packs: Sequence[Packed]) -> None:
        numbers: dict[str, int] = {}
        words, orders, earlier, ends = [], [], [], [0]
        for pack in packs:
            mapped = np.array([numbers.setdefault(word, len(numbers)) for word in pack.vocabulary])
            words.append(mapped[np.array(pack.words)])
            shift, examples = ends[-1], len(ends) - 1
            ends += [shift + end for end in pack.ends]
            orders += [(examples + order[0], *order[1:]) for order in pack.orders]
            earlier += pack.earlier
        self.words: Ints = np.concatenate(words)
        self.flags = np.concatenate([np.array(pack.flags, dtype=np.uint64) for pack in packs])
        self.tags: Ints = np.concatenate([np.array(pack.tags, dtype=np.int64) for pack in packs])
        self.ends: Ints = np.array(ends)
        self.earlier: Ints = np.array(earlier)
        self.orders: Ints = np.array(orders, dtype=np.int64)
        self.first_order = np.searchsorted(self.orders[:, 0], np.arange(len(earlier) + 1))
        pieces = [grams(word) for word in numbers]
        self.grams: Ints = np.array([gram for piece in pieces for gram in piece], dtype=np.int64)
        self.gram_ends: Ints = np.cumsum([0, *map(len, pieces)])

    def __len__(self) -> int:
        return len(self.earlier)

    @property
    def sizes(self) -> Ints:
        return np.diff(self.ends)

    def batches(self, rng: np.random.Generator, tokens: int) -> Iterator[Ints]:
        """All examples once, in groups of similar length with at most so many tokens, in any order."""
        sizes = self.sizes
        order = np.argsort(sizes + rng.uniform(0, 4, len(sizes)))
        groups: list[Ints] = []
        start = 0
        for stop in range(1, len(order) + 1):
            longest = sizes[order[stop - 1]]
            if stop == len(order) or (stop + 1 - start) * max(longest, sizes[order[stop]]) > tokens:
                groups.append(order[start:stop])
                start = stop
        for place in rng.permutation(len(groups)):
            yield groups[place]

    def arrays(self, chosen: Ints) -> dict[str, NDArray[np.generic]]:
        """The padded arrays of some examples, as `network.Batch` names them."""
        sizes = self.sizes[chosen]
        longest = int(sizes.max())
        places = self.ends[chosen][:, None] + np.minimum(np.arange(longest), sizes[:, None] - 1)
        there = np.arange(longest) < sizes[:, None]
        distinct, words = np.unique(self.words[places], return_inverse=True)
        lengths = self.gram_ends[distinct + 1] - self.gram_ends[distinct]
        gram_ids = np.concatenate(
            [self.grams[self.gram_ends[item] : self.gram_ends[item + 1]] for item in distinct]
        )
        bits = self.flags[places][..., None] >> np.arange(len(FLAGS), dtype=np.uint64) & np.uint64(1)
        rows = np.concatenate(
            [np.arange(self.first_order[item], self.first_order[item + 1]) for item in chosen]
        )
        counts = self.first_order[chosen + 1] - self.first_order[chosen]
        example = np.repeat(np.arange(len(chosen)), counts)
        first, last = self.orders[rows, 1], self.orders[rows, 2]
        inside = (np.arange(longest) >= first[:, None]) & (np.arange(longest) < last[:, None])
        boundary = np.zeros((len(chosen), longest), dtype=np.float32)
        behind = first > 0
        boundary[example[behind], first[behind]] = 1
        return {
            "gram_ids": gram_ids,
            "gram_offsets": np.cumsum([0, *lengths[:-1]]),
            "words": words.reshape(places.shape),
            "flags": (bits * there[..., None]).astype(np.float32),
            "sizes": sizes,
            "earlier": self.earlier[chosen],
            "boundary": boundary,
            "rows": example,
            "first": first,
            "last": last,
            "intents": self.orders[rows, 3],
            "everywhere": self.orders[rows, 4].astype(np.float32),
            "tags": np.where(inside, self.tags[places][example], IGNORED),
        }
