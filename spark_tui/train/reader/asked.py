"""Instructions that were written for real code, with what they mean: one file of records a package.

Unlike sentences with slots they name things in passing, half-name them and describe them, as people do.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from spark_tui.intent.reading.evaluation import KnownRoles
from spark_tui.intent.reading.network import LEFT_OUT
from spark_tui.intent.reading.symbol_roles import RoleTable
from spark_tui.train.sentences.code_facts import Scene
from spark_tui.train.sentences.examples import InstructionExample, PlacedOrder
from spark_tui.train.sentences.rendering import SlotText, Writing

FOLDER = Path(__file__).parents[1] / "asked"
JUDGED = frozenset(("apps-ember", "apps-heron", "apps-koala", "apps-lemur", "apps-sorrel", "apps-wren"))
"""Programs of the tasks that judge the whole: nothing is trained, fitted or mended on what is asked there."""
FITTED = frozenset(
    (
        *("aiosmtpd", "blinker", "kombu", "questionary", "toolz", "vulture", "wcwidth"),
        *("apps-anvil", "apps-panda"),
    )
)
"""Packages and writers whose instructions are not trained on. Probabilities are fitted on them."""
UNTRAINED_PACKAGES = FITTED | JUDGED
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
        writing,
        tuple(orders),
        record.get("earlier", ""),
        record["voice"],
        record.get("language", "en"),
        _NOWHERE,
    )
    return Asked(package, made, KnownRoles(names, words))
