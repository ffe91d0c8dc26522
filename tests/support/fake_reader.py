"""A reader that was told what each instruction means."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from spark_tui.intent.words.readings import Order, Reading, Span, SymbolRoles

SlotWords = tuple[str, Mapping[str, str], float]
"""An intent, the words of its slots as they stand in the instruction, and its probability."""


class FakeReader:
    """`means` has for each instruction its readings; any other is for a language model."""

    def __init__(self, means: Mapping[str, Sequence[SlotWords]]) -> None:
        self.means = means
        self.read_after: list[tuple[str, str]] = []
        """What was read, each with the intent of the edit before."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]:
        self.read_after.append((instruction, earlier))
        said = self.means.get(instruction, (("write", {}, 0.9),))
        readings = tuple(Reading(intent, sure, _slots(instruction, words)) for intent, words, sure in said)
        return (Order(0, len(instruction), readings),)


def _slots(instruction: str, words: Mapping[str, str]) -> dict[str, tuple[Span, ...]]:
    out = {}
    for slot, word in words.items():
        start = instruction.index(word)
        out[slot] = (Span(start, start + len(word), word),)
    return out
