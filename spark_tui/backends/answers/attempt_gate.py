"""Decides what to offer of the model's attempt: the edit, *no-edit* or *cannot*.

A whole answer has to be well formed, change something and keep the code parseable (`answer_check`). It is
*no-edit* where there is likely nothing to do, and *cannot* where it does not hold together or is too
unlikely. The thresholds (`ConfidenceGate`) are calibrated by `spark_tui.train.calibration`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends.answers.answer_check import LOOKED_BACK, AnswerCheck, is_repeating
from spark_tui.backends.answers.noop_classifier import (
    discounted_confidence,
    is_noop,
    noop_lower_bound,
    noop_probability,
)
from spark_tui.engine import Sampler
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.constraints import Allowed
from spark_tui.events import Token

HELD_TOKENS = 128
"""An answer is held until it is whole or longer than this; a longer one streams and is no longer replaced,
unless its beginning is already less likely than the request allows."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found out about a whole answer. `confidence`: the chance that it is right; `defect`: why it
    cannot be offered; `cannot`, `no_edit`: the chances that the request is out of reach, and that there is
    nothing to do."""

    confidence: float
    defect: str
    cannot: float
    no_edit: float
    noop_evident: bool = True
    """Whether there is evidence of a no-op besides the low confidence."""


Observe = Callable[[Judgement], None]
Stopped = Callable[[], bool]
"""Whether the person has stopped the turn."""


def stream_through(tokens: Iterable[Token], ids: list[int], newline: int) -> Iterator[Token]:
    """The tokens, ended where they repeat themselves. `ids` were offered before."""
    for token in tokens:
        ids.append(token.id)
        yield token
        if is_repeating(ids[-LOOKED_BACK:], newline):
            yield Token(token_layout.END, "", logprob=-math.inf)
            yield Token(token_layout.EOS, "")
            return


@dataclass(frozen=True, slots=True)
class PassThrough:
    """Resumes an answer of which more was offered than is ever held: only a loop ends it."""

    held_tokens: ClassVar[int] = 0
    sampler: ClassVar[Sampler] = Sampler()
    begun: tuple[int, ...]
    newline: int

    def ends(self, ids: Sequence[int]) -> bool:
        return is_repeating([*self.begun, *ids][-LOOKED_BACK:], self.newline)

    def offer(self, attempt: Iterator[Token], stopped: Stopped) -> Iterator[Token]:  # noqa: ARG002
        return stream_through(attempt, [*self.begun[-LOOKED_BACK:]], self.newline)


@dataclass(frozen=True, slots=True)
class ConfidenceGate:
    """Probabilities. The answer is *cannot* wherever that was likelier than `cannot` as the first token, and
    *no-edit* where that is likelier than `no_edit` (*cannot* where no more tells so than that the edit is
    unsure); an edit below `refuse` is not offered, one below `doubt` is offered with a mark."""

    cannot: float = 0.5
    no_edit: float = 0.5
    refuse: float = 0.0
    doubt: float = 0.0

    @classmethod
    def read(cls, settings: Mapping[str, Any]) -> ConfidenceGate:
        known = {name: settings.get(name) for name in cls.__slots__}
        return cls(**{name: float(value) for name, value in known.items() if value is not None})


@dataclass(frozen=True, slots=True)
class GatedSampler(Sampler):
    """Greedy, with the gate on the first token."""

    first_position: int = 0
    gate: ConfidenceGate = field(default_factory=ConfidenceGate)
    first: dict[int, float] = field(default_factory=dict)
    """Probabilities of the first token."""

    def choose(self, logits: NDArray[np.float32], position: int, allowed: Allowed = None) -> int:
        if position != self.first_position:
            return Sampler.choose(self, logits, position, allowed)
        weights = np.exp(logits - float(logits.max()))
        weights /= weights.sum()
        for token in (token_layout.HUNK, token_layout.CANNOT, token_layout.NOEDIT):
            self.first[token] = float(weights[token])
        if self.first[token_layout.CANNOT] > self.gate.cannot:
            return token_layout.CANNOT
        noop_evident = noop_lower_bound(self.first[token_layout.NOEDIT]) > self.gate.no_edit
        return token_layout.NOEDIT if noop_evident else token_layout.HUNK


class MarkingReader(Protocol):
    """A reader that marks the hunks of an answer below a threshold."""

    judged: float | None
    """How sure the whole answer is, where that is known before it is read."""


@dataclass(slots=True)
class AttemptGate:
    """For one answer to `prompt`. An attempt that is too long to be held, or was cut off, is offered as it
    comes. `reader` and `observe` are told how sure a whole answer is."""

    held_tokens: ClassVar[int] = HELD_TOKENS
    prompt: list[int]
    check: AnswerCheck
    gate: ConfidenceGate
    reader: MarkingReader
    observe: Observe | None = None
    least_confidence: float = 0.0
    """What the request asks of an answer; the rest of a long one only makes it less likely."""
    sampler: GatedSampler = field(init=False)

    def __post_init__(self) -> None:
        self.sampler = GatedSampler(first_position=len(self.prompt), gate=self.gate)

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether an attempt need not go on: it repeats itself."""
        return is_repeating(list(ids[-LOOKED_BACK:]), self.check.newline)

    def offer(self, attempt: Iterator[Token], stopped: Stopped) -> Iterator[Token]:
        """The tokens to offer; none where the person stopped while the answer was held."""
        held: list[Token] = []
        looped = False
        for token in attempt:
            held.append(token)
            if len(held) > HELD_TOKENS:
                if _confidence(held) < self.least_confidence:
                    yield from _refusal(token_layout.CANNOT, self.sampler.first.get(token_layout.CANNOT, 0.0))
                    return
                yield from held
                yield from stream_through(attempt, [item.id for item in held], self.check.newline)
                return
            looped = self.ends([item.id for item in held[-LOOKED_BACK:]])
            if looped or token.id == token_layout.EOS:
                break
        if stopped():
            # Nothing was offered: a resume decides as if there had been no stop.
            return
        whole = bool(held) and (held[-1].id == token_layout.EOS or looped)
        yield from self._decided(held) if whole else held

    def _decided(self, tokens: list[Token]) -> list[Token]:
        ids = [token.id for token in tokens]
        confidence = _confidence(tokens)
        cannot = self.sampler.first.get(token_layout.CANNOT, 0.0)
        model_chance = self.sampler.first.get(token_layout.NOEDIT, 0.0)
        if ids[0] != token_layout.HUNK:
            self._observed(Judgement(confidence, "", cannot, noop_lower_bound(model_chance)))
            return tokens
        defect = self.check.defect(ids)
        confidence = 0.0 if defect else confidence
        if self.check.steered:
            # A person who steers an answer wants an edit: only the model itself can say that there is none.
            no_edit, noop_evident = model_chance if model_chance > confidence else 0.0, True
        else:
            evidence = 0.0 if defect else self.check.noop_evidence(ids)
            no_edit = noop_probability(model_chance, confidence, evidence)
            noop_evident = is_noop(model_chance, evidence)
            confidence = discounted_confidence(confidence, no_edit)
        self._observed(Judgement(confidence, defect, cannot, no_edit, noop_evident))
        if no_edit > self.gate.no_edit and noop_evident:
            return _refusal(token_layout.NOEDIT, no_edit)
        if defect or no_edit > self.gate.no_edit or confidence < self.gate.refuse:
            return _refusal(token_layout.CANNOT, cannot)
        self.reader.judged = confidence
        return tokens

    def _observed(self, judgement: Judgement) -> None:
        if self.observe is not None:
            self.observe(judgement)


AnswerGate = AttemptGate | PassThrough
"""What an attempt goes through: its tokens are chosen by `sampler`, it need not go on once it `ends`, so many
of its tokens are held (`held_tokens`), and `offer` gives those to offer."""


def _confidence(tokens: Sequence[Token]) -> float:
    return math.exp(min(0.0, sum(token.logprob for token in tokens)))


def _refusal(token: int, chance: float) -> list[Token]:
    """An answer without an edit."""
    return [Token(token, "", logprob=math.log(max(chance, 1e-9))), Token(token_layout.EOS, "")]
