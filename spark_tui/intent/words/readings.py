"""What the reader found in an instruction: orders, each with its readings, best first."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, runtime_checkable

PLACES = ("function", "class", "file")
OTHER_PLACES = ("anchor", "parameter", "variable")
_CALL = re.compile(r"[\w.]+\(.+\)", re.DOTALL)
CODE = -2
"""Where a span begins that stands nowhere in the instruction and is code, as if in backticks."""


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of the instruction. `text` has no quotes or backticks around it."""

    start: int
    end: int
    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """One way to understand an order.

    `intent` is a key of the intent table, such as `guard_raise`, `pattern.any` or `amend.name`.
    `probability` is calibrated and covers the intent and its slots. `left_out` are places that are excepted
    ("not in the tests"). `everywhere` is set when the whole file or project is named.
    """

    intent: str
    probability: float
    slots: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    left_out: tuple[Span, ...] = ()
    everywhere: bool = False
    unsure: Mapping[str, tuple[Span, ...]] = field(default_factory=dict)
    """For required slots that were not found: what is likeliest to be named for them."""

    def text(self, slot: str) -> str:
        """The text of the first span of a slot, or an empty string."""
        spans = self.slots.get(slot, ())
        return spans[0].text if spans else ""

    @property
    def spans(self) -> tuple[Span, ...]:
        """The spans of all slots."""
        return tuple(span for own in self.slots.values() for span in own)

    @property
    def held(self) -> tuple[Span, ...]:
        """The spans of all slots, and those of the places that are left out."""
        return (*self.spans, *self.left_out)

    def keeping(self, keep: Callable[[str, Span], bool]) -> Reading:
        """The reading with those spans of its slots, each with its slot, that are to be kept."""
        kept = {slot: tuple(one for one in spans if keep(slot, one)) for slot, spans in self.slots.items()}
        slots = {slot: spans for slot, spans in kept.items() if spans}
        return self if slots == self.slots else replace(self, slots=slots)


@dataclass(frozen=True, slots=True)
class Order:
    """One of the things that an instruction asks for: its characters, and at most 8 readings, best first."""

    start: int
    end: int
    readings: tuple[Reading, ...]

    def preferring(self, reading: Reading) -> Order:
        """The order with another reading first, which takes its probability from the others."""
        left = 1 - reading.probability
        others = (replace(one, probability=left * one.probability) for one in self.readings)
        return replace(self, readings=(reading, *others))


def ignores_shown_call(reading: Reading, first: Reading, code: str) -> bool:
    """Whether a reading leaves out a call, `echo(err=err)`, that the first one takes for what is to go, and
    that stands nowhere in some code."""
    calls = (span for span in first.slots.get("old", ()) if _CALL.fullmatch(span.text))
    shown = [span for span in calls if "".join(span.text.split()) not in "".join(code.split())]
    held = reading.held
    return any(all(span.end <= one.start or one.end <= span.start for one in held) for span in shown)


class SymbolRoles(Protocol):
    """What a word is in the repository.

    Roles are `function`, `class`, `method`, `parameter`, `local`, `variable`, `constant`, `attribute`,
    `import`, `module`, `string`, `keyword_argument`, `decorator`, `file` and `config_key`.
    """

    def roles(self, name: str) -> frozenset[str]:
        """The roles of a name or of the text of a string; empty if it is unknown."""
        ...

    def word_roles(self, word: str) -> frozenset[str]:
        """The roles of the symbols of which `word` is a part, such as `discount` of `apply_discount`."""
        ...


class Reads(Protocol):
    """A reader of instructions."""

    def read(self, instruction: str, symbols: SymbolRoles, earlier: str = "") -> tuple[Order, ...]: ...


@runtime_checkable
class Splits(Reads, Protocol):
    """A reader that can also take one more order to begin, and say how likely one begins."""

    def split_once_more(
        self, instruction: str, symbols: SymbolRoles, earlier: str = ""
    ) -> tuple[Order, ...]: ...

    def score_of_order(
        self, instruction: str, symbols: SymbolRoles, place: tuple[int, int], earlier: str = ""
    ) -> float: ...
