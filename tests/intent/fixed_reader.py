"""A reader that says what it was given, and the answer to readings of several probabilities."""

from __future__ import annotations

from intent.support import situation, spans

from spark_tui.intent.answering.answer import Answer, answer_orders
from spark_tui.intent.words.readings import Order, Reading, SymbolRoles


class Reads:
    """A reader that says what it was given."""

    def __init__(self, *orders: Order) -> None:
        self.orders = orders
        self.seen: list[tuple[str, str]] = []

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        self.seen.append((instruction, earlier))
        return self.orders


class NoRoles:
    def roles(self, name: str) -> frozenset[str]:
        return frozenset()

    def word_roles(self, word: str) -> frozenset[str]:
        return frozenset()


def ranked(files: dict[str, str], *readings: tuple[str, dict[str, str], float], **more: object) -> Answer:
    """The answer to one order with several readings."""
    made = [Reading(intent, sure, spans(words)[1]) for intent, words, sure in readings]
    return answer_orders([Order(0, 1, tuple(made))], situation(files, **more))
