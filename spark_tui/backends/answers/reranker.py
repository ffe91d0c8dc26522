"""The built-in model's answer is looked over before it is offered: other ways to write it, and how sure it
is.

Comes in: the tokens of the first attempt, as they are chosen. Goes out: the tokens to offer, and what to
think of them. Must not know: requests, threads, doors, code (`answer_check` does).

The rule. An answer is held until it is whole, or until it is `HELD_TOKENS` long; what is longer streams from
there on and is no longer replaced. A whole answer has to hold together. Where the model nearly wrote
something else, the likeliest such way is written out too, on a fork of what was read; if neither holds
together, further ways, all in one pass after another. Where the first attempt does in one place what is
wanted in several (`everywhere`), the answer that does it in all is a way as well, read instead of written; so
is the one with a line put right that was copied wrongly (`nearly_copied`). Of those that hold together the
one is offered that is likeliest, with what speaks for it, less what speaks against it. Where there is likely
nothing to do (`no_edit`), that is the answer; where no way holds together, or the best is too unlikely, or a
question was asked (`questions`), it is that the model cannot. Thresholds (`ConfidenceGate`) are calibrated,
see `spark_tui.train.calibration`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends.answers.answer_check import LOOKED_BACK, AnswerCheck, is_repeating
from spark_tui.backends.answers.copy_repair import CREDIT, SUREST
from spark_tui.backends.answers.noop_classifier import (
    discounted_confidence,
    is_noop,
    noop_lower_bound,
    noop_probability,
)
from spark_tui.backends.answers.pass_through import stream_through
from spark_tui.engine import Cache, Engine, Sampler, SuffixDrafter, token_layout
from spark_tui.engine.constraints import Allowed, Constraint, ForcedText
from spark_tui.engine.generate import Generation, OnStep
from spark_tui.events import Token
from spark_tui.steers.questions import no_order

HELD_TOKENS = 128
WAYS = 4
"""Other ways that are written out at most: one, and the others where nothing holds together yet. On the
development set the second to fourth way give the right answer 3 times more often than they take it away, of
678."""
LEAST_LIKELY = 0.01
"""A token below this probability is no other way."""
_BEHIND = 1.0
"""Ways that are less likely than the best by so much (in log-probability) are still written out: that one is
nearly as good tells how sure the best is."""
_UNLIKELY = 2.0
"""A way that begins less likely than all of the first attempt by so much is not written: what speaks against
that one mostly speaks against it, too."""
_WIDE, _NARROW = 5.0, 0.3
"""A lead of `_WIDE` over the second best is as good as any; a smaller one lowers the confidence by so much a
unit."""
_OBJECTION = 0.4
"""By how much what speaks against an answer lowers the confidence in it."""
_MORE_TOKENS = 48
"""By how much another way may be longer than the first."""
_RUNNERS_UP = 3
Turn = tuple[int, int, float]
"""A place in the first attempt, another token there, and its log-probability."""


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
        return cls(**{name: float(settings[name]) for name in cls.__slots__ if name in settings})


@dataclass(frozen=True, slots=True)
class Judgement:
    """What was found: how sure the best answer is, what is wrong with it, how likely it was from the start
    that it is out of reach, and how likely it is that there is nothing to do."""

    sure: float
    wrong: str
    cannot: float
    no_edit: float
    ways: int
    told: bool = True
    """Whether more tells that there is nothing to do than how unsure the answer is."""


class GradedReader(Protocol):
    """The reader of the answer, told how sure the whole of it is."""

    judged: float | None


@dataclass(frozen=True, slots=True)
class GatedSampler(Sampler):
    """Greedy, with the gate on the first token; it keeps what came next at each place."""

    first_position: int = 0
    gate: ConfidenceGate | None = None
    question: bool = False
    runners: dict[int, list[tuple[int, float]]] = field(default_factory=dict)
    first: dict[int, float] = field(default_factory=dict)
    """Probabilities of the first token."""

    def choose(
        self, logits: NDArray[np.float32], ids: Sequence[int], position: int, allowed: Allowed = None
    ) -> int:
        chosen = Sampler.choose(self, logits, ids, position, allowed)
        top = float(logits[chosen])
        weights = np.exp(logits - max(top, float(logits.max())))
        weights /= weights.sum()
        if position == self.first_position and self.gate is not None:
            return self._begin(weights)
        if weights[chosen] < 1 - LEAST_LIKELY:
            self.runners[position] = _next_best(weights, chosen, allowed)
        return chosen

    def _begin(self, weights: NDArray[np.float32]) -> int:
        assert self.gate is not None
        for token in (token_layout.HUNK, token_layout.CANNOT, token_layout.NOEDIT):
            self.first[token] = float(weights[token])
        self.first[token_layout.CANNOT] = no_order(self.first[token_layout.CANNOT], self.question)
        if self.first[token_layout.CANNOT] > self.gate.cannot:
            return token_layout.CANNOT
        return (
            token_layout.NOEDIT
            if noop_lower_bound(self.first[token_layout.NOEDIT]) > self.gate.no_edit
            else token_layout.HUNK
        )


def _next_best(weights: NDArray[np.float32], chosen: int, allowed: Allowed) -> list[tuple[int, float]]:
    places = np.flatnonzero(weights > LEAST_LIKELY)
    if isinstance(allowed, np.ndarray):
        places = places[allowed[places]]
    elif allowed is not None:
        inside = [any(low <= place < high for low, high in allowed) for place in places.tolist()]
        places = places[np.array(inside, np.bool_)]
    best = places[np.argsort(-weights[places])][: _RUNNERS_UP + 1]
    return [(int(token), float(weights[token])) for token in best if token != chosen]


@dataclass(slots=True)
class AnswerCandidate:
    """One answer: its tokens, what is wrong with it, and what speaks against it."""

    tokens: list[Token]
    wrong: str = ""
    against: float = 0.0
    generation: Generation | None = None
    cache: Cache | None = None
    credit: float = 0.0
    """What speaks for an answer that is not the model's own: one that does one thing everywhere, a copy put
    right. The model finds those less likely than they are."""
    surest: float = 0.0
    """The most, as a log-probability, that it is sure."""

    @property
    def logprob(self) -> float:
        return sum(token.logprob for token in self.tokens)

    @property
    def score(self) -> float:
        return self.logprob + self.credit - self.against

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]


@dataclass(slots=True)
class Reranker:
    """For one asked answer. `over` takes the first attempt and gives what is offered."""

    prompt: list[int]
    check: AnswerCheck
    gate: ConfidenceGate
    reader: GradedReader
    constraint: Constraint
    drafts: Callable[[], SuffixDrafter | None]
    observe: Callable[[Judgement], None] | None = None
    given: Sequence[tuple[list[int], float]] = ()
    """Answers that were made elsewhere, and what speaks for each."""
    sampler: GatedSampler = field(default_factory=GatedSampler)

    def __post_init__(self) -> None:
        self.sampler = GatedSampler(
            first_position=len(self.prompt), gate=self.gate, question=self.check.question
        )

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether a first attempt need not go on: it goes in circles."""
        return is_repeating(list(ids[-LOOKED_BACK:]), self.check.newline)

    def over(
        self,
        tokens: Iterator[Token],
        engine: Engine,
        cache: Cache,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> Iterator[Token]:
        held: list[Token] = []
        looped = False
        for token in tokens:
            held.append(token)
            if len(held) > HELD_TOKENS:
                yield from held
                yield from stream_through(tokens, [item.id for item in held], self.check.newline)
                return
            looped = is_repeating([item.id for item in held[-LOOKED_BACK:]], self.check.newline)
            if looped or token.id == token_layout.EOS:
                break
        if stopped():
            # Nothing was offered: a resume chooses as if there had been no stop.
            return
        if not held or (held[-1].id != token_layout.EOS and not looped):
            yield from held
            return
        yield from self._settled(AnswerCandidate(held), engine, cache, stopped, on_step)

    def _settled(
        self,
        first: AnswerCandidate,
        engine: Engine,
        cache: Cache,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> Iterator[Token]:
        cannot, said = (
            self.sampler.first.get(token_layout.CANNOT, 0.0),
            self.sampler.first.get(token_layout.NOEDIT, 0.0),
        )
        if first.ids[0] != token_layout.HUNK:
            self._tell(Judgement(math.exp(min(0.0, first.logprob)), "", cannot, noop_lower_bound(said), 1))
            yield from first.tokens
            return
        first.wrong, first.against = self.check.look(first.ids)
        others = self._written_out(first, engine, cache, stopped, on_step)
        if stopped():
            return
        whole = sorted((way for way in [first, *others] if not way.wrong), key=lambda way: -way.score)
        best = whole[0] if whole else first
        sure = (
            0.0 if best.wrong else answer_confidence(best, [way for way in whole if way.ids != best.ids][:1])
        )
        if self.check.steered:
            # Whoever goes on about an answer wants something done: an unsure edit, or a like line, says
            # nothing else.
            no_edit, told = said if said > sure else 0.0, True
        else:
            signs = 0.0 if best.wrong else self.check.idle(best.ids)
            no_edit, told = noop_probability(said, sure, signs), is_noop(said, signs)
            sure = discounted_confidence(sure, no_edit)
        self._tell(Judgement(sure, best.wrong, cannot, no_edit, 1 + len(others), told))
        if no_edit > self.gate.no_edit and told:
            yield from _word(token_layout.NOEDIT, no_edit)
        elif best.wrong or no_edit > self.gate.no_edit or sure < self.gate.refuse:
            yield from _word(token_layout.CANNOT, cannot)
        else:
            self.reader.judged = sure
            yield from best.tokens

    def _tell(self, found: Judgement) -> None:
        if self.observe is not None:
            self.observe(found)

    # -- other ways
    # ----------------------------------------------------------------------------------------------

    def _written_out(
        self,
        first: AnswerCandidate,
        engine: Engine,
        cache: Cache,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> list[AnswerCandidate]:
        """The likeliest turn that was not taken, to its end; where nothing of the model's holds together, the
        next ones too."""
        turns = self._turns(first)
        ways = [self._begun(first, turn, engine, cache) for turn in turns[:1]]
        ways = self._together(
            [*ways, *self._completed(first, engine, cache)], first, engine, stopped, on_step
        )
        if first.wrong and ways and all(way.wrong or way.surest for way in ways):
            more = [self._begun(first, turn, engine, cache) for turn in turns[1:]]
            ways += self._together(more, first, engine, stopped, on_step)
        return ways

    def _completed(self, first: AnswerCandidate, engine: Engine, cache: Cache) -> list[AnswerCandidate]:
        """The first attempt done everywhere; the attempt itself, where it is that already, is given the
        credit. Where there is no such thing: the first attempt with its copy put right."""
        ways = []
        for ids, credit in [*self.check.completed(first.ids), *self.given]:
            if ids == first.ids:
                first.credit = max(first.credit, credit)
            elif len(ids) <= 2 * HELD_TOKENS:
                ways.append(self._given(ids, credit, engine, cache))
        if not ways and not first.credit:
            copied = self.check.put_right(first.ids, math.inf if first.wrong else first.against)
            if copied and len(copied) <= 2 * HELD_TOKENS:
                ways.append(self._given(copied, CREDIT, engine, cache, surest=SUREST))
        return ways

    def _together(
        self,
        ways: list[AnswerCandidate],
        first: AnswerCandidate,
        engine: Engine,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> list[AnswerCandidate]:
        floor = -math.inf if first.wrong else first.score
        most = len(first.tokens) + _MORE_TOKENS
        try:
            while live := [way for way in ways if way.generation is not None and not way.generation.reason]:
                if stopped():
                    return []
                engine.loop.step([way.generation for way in live if way.generation is not None], on_step)
                for way in live:
                    self._taken(way, floor, most)
                    if not way.wrong and way.ids[-1] == token_layout.EOS:
                        floor = max(floor, way.score)
        finally:
            for way in ways:
                if way.cache is not None:
                    way.cache.drop()
        return ways

    def _turns(self, first: AnswerCandidate) -> list[Turn]:
        """Places, tokens and log-probabilities, the likeliest whole first. One that is already much less
        likely than the first attempt is left out."""
        found: list[tuple[float, Turn]] = []
        before = 0.0
        for at, token in enumerate(first.tokens):
            for other, chance in self.sampler.runners.get(len(self.prompt) + at, ()) if at else ():
                if other != token.id:
                    found.append((before + math.log(chance), (at, other, math.log(chance))))
            before += token.logprob
        floor = -math.inf if first.wrong else max(first.score - _BEHIND, first.logprob - _UNLIKELY)
        return [turn for bound, turn in sorted(found, reverse=True)[:WAYS] if bound > floor]

    def _begun(self, first: AnswerCandidate, turn: Turn, engine: Engine, cache: Cache) -> AnswerCandidate:
        at, token, chance = turn
        way = AnswerCandidate([*first.tokens[:at], Token(token, "", logprob=chance)])
        if token == token_layout.EOS:
            way.wrong, way.against = self.check.look(way.ids)
            return way
        drafter = self.drafts()
        if drafter is not None:
            # Most of it is what the first attempt says.
            drafter.begin(first.ids)
        way.cache = cache.fork()
        way.generation = engine.generation(
            self.prompt + way.ids,
            len(first.tokens) + _MORE_TOKENS,
            cache=way.cache,
            draft_source=drafter,
            constraint=self.constraint,
        )
        return way

    def _given(
        self, ids: list[int], credit: float, engine: Engine, cache: Cache, surest: float = 0.0
    ) -> AnswerCandidate:
        """An answer that is not the model's own: it only says how likely that is."""
        way = AnswerCandidate([], credit=credit, surest=surest)
        way.cache = cache.fork()
        way.generation = engine.generation(
            self.prompt,
            len(ids),
            cache=way.cache,
            draft_source=_Given(ids),
            constraint=ForcedText(tuple(ids)),
        )
        return way

    def _taken(self, way: AnswerCandidate, floor: float, most: int) -> None:
        """What a pass gave. A way that has become too unlikely, too long, or goes in circles ends here."""
        assert way.generation is not None
        way.tokens += way.generation.ready
        way.generation.ready.clear()
        if way.ids[-1] == token_layout.EOS:
            way.wrong, way.against = self.check.look(way.ids)
        elif way.generation.reason or way.logprob < floor - _BEHIND or len(way.tokens) > most:
            way.wrong, way.generation.reason = "the model was stopped", way.generation.reason or "stop"


@dataclass(slots=True)
class _Given:
    """Drafts of an answer that is there already."""

    ids: list[int]

    def begin(self, context: Sequence[int]) -> None:
        """What was read makes no difference."""

    def propose(self, limit: int) -> list[int]:
        return self.ids[:limit]

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:  # noqa: ARG002
        self.ids = self.ids[len(tokens) :]


def answer_confidence(best: AnswerCandidate, second: Sequence[AnswerCandidate]) -> float:
    """How sure an answer is: its likelihood, lowered by what speaks against it and by a second that is nearly
    as good. The three weights were fitted on the development set; what a value means is the gate's to say."""
    lead = min(_WIDE, best.score - second[0].score) if second else _WIDE
    likely = min(best.surest, best.logprob + best.credit)
    return math.exp(min(0.0, likely - _OBJECTION * best.against + _NARROW * (lead - _WIDE)))


def _word(token: int, chance: float) -> list[Token]:
    """An answer without an edit."""
    return [Token(token, "", logprob=math.log(max(chance, 1e-9))), Token(token_layout.EOS, "")]
