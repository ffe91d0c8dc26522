"""Which tokens may come next: the constraint interface, and the grammar of the edit format `lines`.

A state gives its allowed tokens as ranges or as a mask. States are small immutable values, so a run of
drafted tokens can be checked and rolled back.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine.text import token_layout
from spark_tui.errors import MalformedInput

Ranges = tuple[tuple[int, int], ...]
"""Half-open ranges of ids."""
Allowed = Ranges | NDArray[np.bool_] | None
"""None allows everything."""


class Constraint(Protocol):
    """A grammar over ids. A state is anything immutable."""

    def start(self, prompt: Sequence[int]) -> Any:
        """The state after a prompt, which may end in a partial answer."""

    def advance(self, state: Any, token: int) -> Any:
        """The state after one more token."""

    def allowed(self, state: Any) -> Allowed:
        """What may come next."""


def restrict(logits: NDArray[np.float32], allowed: Allowed) -> int:
    """The best allowed token."""
    if allowed is None:
        return int(logits.argmax())
    if isinstance(allowed, np.ndarray):
        if not allowed.any():
            raise MalformedInput("the constraint allows no token at all")
        return int(np.where(allowed, logits, -np.inf).argmax())
    best, best_value = -1, -np.inf
    for low, high in allowed:
        at = low + int(logits[low:high].argmax())
        if best < 0 or logits[at] > best_value:
            best, best_value = at, float(logits[at])
    if best < 0:
        raise MalformedInput("the constraint allows no token at all")
    return best


def lead(logits: NDArray[np.float32], allowed: Allowed, token: int) -> float:
    """How far the chosen token lies above the next best allowed one."""
    top = logits[token]
    logits[token] = -np.inf
    second = logits[restrict(logits, allowed)]
    logits[token] = top
    return float(top - second)


@dataclass(frozen=True, slots=True)
class ForcedText:
    """Only one text may be written: how fast a model would be that writes exactly this (the oracle of
    benchmarks)."""

    ids: tuple[int, ...]

    def start(self, prompt: Sequence[int]) -> int:  # noqa: ARG002
        """Nothing written yet."""
        return 0

    def advance(self, state: int, token: int) -> int:  # noqa: ARG002
        """One further."""
        return state + 1

    def allowed(self, state: int) -> Allowed:
        """The next id; anything after the last."""
        return ((self.ids[state], self.ids[state] + 1),) if state < len(self.ids) else None


@dataclass(frozen=True, slots=True)
class LinesState:
    """`part` is one of `answer`, `from`, `to`, `body`, `between`, `end`; `low` the first line (by its order
    in the window) that may be named next; `fresh` whether a line of the body has just begun."""

    part: str
    low: int
    fresh: bool = True


class LinesGrammar:
    """Answers of the `spark` family: `(<R> tag tag line* <E>)* <eos>`, or no edit, or cannot.

    Tags after `<R>` are those of the file in the prompt; hunks rise and do not overlap, and a hunk's end is
    not before its start. With `newline`, `<E>` comes only at the beginning of a line.
    """

    def __init__(self, vocab_size: int, newline: int | None = None) -> None:
        self._newline = newline
        self._order: dict[int, int] = {}
        self._tags: list[int] = []
        self._from: dict[int, Ranges] = {}
        last = min(vocab_size, token_layout.TAG_FIRST_ID)
        self._plain: Ranges = ((token_layout.OPERATOR_COUNT, last),)
        self._body: Ranges = ((token_layout.END, token_layout.END + 1), *self._plain)

    def start(self, prompt: Sequence[int]) -> LinesState:
        """Read the window's tags from the file part, then what was answered already."""
        self._tags, self._from = _window_tags(prompt), {}
        self._order = {token: index for index, token in enumerate(self._tags)}
        opened = max((at for at, token in enumerate(prompt) if token == token_layout.OUT), default=-1)
        if opened < 0 or not self._tags:
            raise MalformedInput("the prompt has no file part with line tags, or no place for an answer")
        state = LinesState("answer", 0)
        for token in prompt[opened + 1 :]:
            state = self.advance(state, token)
        return state

    def advance(self, state: LinesState, token: int) -> LinesState:
        """One more id of the answer."""
        part, low = state.part, state.low
        if token == token_layout.HUNK and part in ("answer", "between"):
            return LinesState("from", low)
        if part == "from":
            return LinesState("to", self._order.get(token, low))
        if part == "to":
            return LinesState("body", self._order.get(token, low))
        if part == "body":
            if token == token_layout.END:
                return LinesState("between", low)
            return LinesState("body", low, fresh=token == self._newline)
        if part == "answer" and token in (token_layout.NOEDIT, token_layout.CANNOT):
            return LinesState("closing", low)
        return LinesState("end", low)

    def allowed(self, state: LinesState) -> Allowed:
        """See the class."""
        part = state.part
        if part == "answer":
            return _ids(token_layout.HUNK, token_layout.NOEDIT, token_layout.CANNOT)
        if part == "between":
            return _ids(token_layout.HUNK, token_layout.EOS)
        if part in ("from", "to"):
            if state.low not in self._from:
                self._from[state.low] = _ids(*self._tags[state.low :])
            return self._from[state.low]
        if part == "body":
            return self._body if state.fresh or self._newline is None else self._plain
        return _ids(token_layout.EOS)


def _ids(*tokens: int) -> Ranges:
    """Ids as ranges, runs joined."""
    out: list[tuple[int, int]] = []
    for token in tokens:
        if out and out[-1][1] == token:
            out[-1] = (out[-1][0], token + 1)
        else:
            out.append((token, token + 1))
    return tuple(out)


def _window_tags(prompt: Sequence[int]) -> list[int]:
    """The tags of the last file part, in order, each once."""
    tags: list[int] = []
    inside = False
    for token in prompt:
        if token == token_layout.FILE:
            tags, inside = [], True
        elif token < token_layout.OPERATOR_COUNT and token != token_layout.GAP:
            inside = False
        elif inside and token_layout.is_tag(token):
            tags.append(token)
    return tags
