"""Instructions that were written for real code, with what they mean: one file of records a package.

Unlike sentences with slots they name things in passing, half-name them and describe them, as people do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any

from spark_tui.intent.evaluation import KnownRoles
from spark_tui.intent.intent_table import intents
from spark_tui.intent.network import LEFT_OUT
from spark_tui.intent.symbol_roles import RoleTable
from spark_tui.train.reader.examples import BEHIND, InstructionExample, PlacedOrder
from spark_tui.train.reader.saying import SlotText, Writing, disturb, trimmed
from spark_tui.train.reader.scenes import Scene

FOLDER = Path(__file__).parents[1] / "asked"
ASIDE = frozenset(("aiosmtpd", "blinker", "kombu", "questionary", "toolz", "vulture", "wcwidth"))
"""Packages whose instructions are not trained on. Probabilities are fitted on them."""
_NOWHERE = Scene("", [], [], {}, [], [], RoleTable())


@dataclass(frozen=True, slots=True)
class Asked:
    """An instruction in a package, and the roles that the words in it have there."""

    package: str
    example: InstructionExample
    roles: KnownRoles


def asked(folder: Path = FOLDER) -> list[Asked]:
    """Every record, by package."""
    return [
        asked_from(json.loads(line), path.stem.rpartition("-")[0])
        for path in sorted(folder.glob("*.jsonl"))
        for line in path.read_text("utf-8").splitlines()
    ]


def asked_from(record: Mapping[str, Any], package: str) -> Asked:
    mentions: list[SlotText] = []
    orders: list[PlacedOrder] = []
    for order in record["orders"]:
        orders.append(PlacedOrder(order["start"], order["intent"], order.get("everywhere", False)))
        named: Iterable[tuple[str, list[list[int]]]] = order["slots"].items()
        for slot, spans in (*named, (LEFT_OUT, order.get("left_out", []))):
            mentions += [SlotText(first, last, slot) for first, last in spans]
    writing = Writing(record["text"], tuple(sorted(mentions, key=lambda mention: mention.start)))
    names = {name: frozenset(roles) for name, roles in record["names"].items()}
    words = {word: frozenset(roles) for word, roles in record["words"].items()}
    made = InstructionExample(
        writing, tuple(orders), "", record["voice"], record.get("language", "en"), _NOWHERE
    )
    return Asked(package, made, KnownRoles(names, words))


def typed_again(one: Asked, rng: Random, earlier: list[str]) -> InstructionExample:
    """The same instruction with other typing errors, perhaps behind an answer."""
    example = one.example
    marked = Writing(example.writing.text, example.writing.mentions)
    for place, order in enumerate(example.orders):
        marked.mentions += (SlotText(order.start, order.start, f"\0{place}"),)
    typed = trimmed(disturb(marked, rng, example.language))
    starts = {int(m.slot[1:]): m.start for m in typed.mentions if m.slot.startswith("\0")}
    orders = tuple(
        PlacedOrder(max(starts[place], 0), order.intent, order.everywhere)
        for place, order in enumerate(example.orders)
    )
    writing = Writing(typed.text, tuple(m for m in typed.mentions if not m.slot.startswith("\0")))
    before = rng.choice(earlier) if rng.random() < BEHIND else ""
    return InstructionExample(writing, orders, before, example.voice, example.language, example.scene)


def copies(many: Iterable[Asked], times: int, rng: Random) -> Iterator[tuple[InstructionExample, KnownRoles]]:
    """Each instruction so many times."""
    doable = [name for name, intent in intents().items() if not intent.amends]
    for one in many:
        for _ in range(times):
            yield typed_again(one, rng, doable), one.roles
