"""Chooses what to offer among the model's first attempt and other ways to write the answer.

A whole answer has to hold together (`answer_check`). Where the model nearly wrote something else, the
likeliest such candidate is written out on a fork of the cache; if neither holds together, further ones are.
Of those that hold together the one with the best score is offered: its likelihood, less what speaks against
it. The answer is *no-edit* where there is likely nothing to do, and *cannot* where no candidate holds
together or the best is too unlikely. The thresholds (`ConfidenceGate`) are calibrated by
`spark_tui.train.calibration`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import ClassVar

from spark_tui.backends.answers.answer_check import LOOKED_BACK, AnswerCheck, is_repeating
from spark_tui.backends.answers.gated_sampler import ConfidenceGate, GatedSampler
from spark_tui.backends.answers.noop_classifier import (
    discounted_confidence,
    is_noop,
    noop_lower_bound,
    noop_probability,
)
from spark_tui.backends.answers.pass_through import stream_through
from spark_tui.backends.answers.pipeline import HELD_TOKENS, STOPPED, Answer, Judgement, StageContext, State
from spark_tui.engine import Cache, SuffixDrafter, token_layout
from spark_tui.engine.constraints import Constraint
from spark_tui.engine.generate import Generation
from spark_tui.events import Token

WAYS = 4
"""Other ways that are written out at most: one, and the others where nothing holds together yet. On the
development set the second to fourth way give the right answer 3 times more often than they take it away, of
678."""
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
Turn = tuple[int, int, float]
"""A place in the first attempt, another token there, and its log-probability."""


@dataclass(slots=True)
class AnswerCandidate:
    """One answer: its tokens, its defects, and its penalty."""

    tokens: list[Token]
    wrong: str = ""
    against: float = 0.0
    generation: Generation | None = None
    cache: Cache | None = None

    @property
    def logprob(self) -> float:
        return sum(token.logprob for token in self.tokens)

    @property
    def score(self) -> float:
        return self.logprob - self.against

    @property
    def ids(self) -> list[int]:
        return [token.id for token in self.tokens]


@dataclass(slots=True)
class Reranker:
    """For one answer to `prompt`. Takes the attempt and gives a whole answer with its judgement, or an open
    one where the attempt is too long to be replaced or was cut off."""

    takes: ClassVar[State] = "attempt"
    prompt: list[int]
    check: AnswerCheck
    gate: ConfidenceGate
    constraint: Constraint
    drafts: Callable[[], SuffixDrafter | None]
    sampler: GatedSampler = field(default_factory=GatedSampler)

    def __post_init__(self) -> None:
        self.sampler = GatedSampler(first_position=len(self.prompt), gate=self.gate)

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether a first attempt need not go on: it repeats itself."""
        return is_repeating(list(ids[-LOOKED_BACK:]), self.check.newline)

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        tokens = iter(answer.tokens)
        held: list[Token] = []
        looped = False
        for token in tokens:
            held.append(token)
            if len(held) > HELD_TOKENS:
                rest = stream_through(tokens, [item.id for item in held], self.check.newline)
                return Answer(chain(held, rest), "open")
            looped = self.ends([item.id for item in held[-LOOKED_BACK:]])
            if looped or token.id == token_layout.EOS:
                break
        if context.stopped():
            # Nothing was offered: a resume chooses as if there had been no stop.
            return STOPPED
        if not held or (held[-1].id != token_layout.EOS and not looped):
            return Answer(held, "open")
        return self._choose(AnswerCandidate(held), context)

    def _choose(self, first: AnswerCandidate, context: StageContext) -> Answer:
        cannot = self.sampler.first.get(token_layout.CANNOT, 0.0)
        said = self.sampler.first.get(token_layout.NOEDIT, 0.0)
        if first.ids[0] != token_layout.HUNK:
            sure = math.exp(min(0.0, first.logprob))
            found = Judgement(sure, "", cannot, noop_lower_bound(said), 1)
            return Answer(first.tokens, "whole", judgement=found)
        first.wrong, first.against = self.check.look(first.ids)
        others = self._written_out(first, context)
        if context.stopped():
            return STOPPED
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
        found = Judgement(sure, best.wrong, cannot, no_edit, 1 + len(others), told)
        if no_edit > self.gate.no_edit and told:
            return Answer(_word(token_layout.NOEDIT, no_edit), "whole", judgement=found)
        if best.wrong or no_edit > self.gate.no_edit or sure < self.gate.refuse:
            return Answer(_word(token_layout.CANNOT, cannot), "whole", judgement=found)
        return Answer(best.tokens, "whole", confidence=sure, judgement=found)

    # -- other ways
    # ----------------------------------------------------------------------------------------------

    def _written_out(
        self,
        first: AnswerCandidate,
        context: StageContext,
    ) -> list[AnswerCandidate]:
        """The likeliest turn that was not taken, to its end; where nothing of the model's holds together, the
        next ones too."""
        turns = self._turns(first)
        ways = [self._begun(first, turn, context) for turn in turns[:1]]
        ways = self._together(ways, first, context)
        if first.wrong and ways and all(way.wrong for way in ways):
            more = [self._begun(first, turn, context) for turn in turns[1:]]
            ways += self._together(more, first, context)
        return ways

    def _together(
        self,
        ways: list[AnswerCandidate],
        first: AnswerCandidate,
        context: StageContext,
    ) -> list[AnswerCandidate]:
        floor = -math.inf if first.wrong else first.score
        most = len(first.tokens) + _MORE_TOKENS
        try:
            while live := [way for way in ways if way.generation is not None and not way.generation.reason]:
                if context.stopped():
                    return []
                passes = [way.generation for way in live if way.generation is not None]
                context.engine.loop.step(passes, context.on_step)
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

    def _begun(self, first: AnswerCandidate, turn: Turn, context: StageContext) -> AnswerCandidate:
        at, token, chance = turn
        way = AnswerCandidate([*first.tokens[:at], Token(token, "", logprob=chance)])
        if token == token_layout.EOS:
            way.wrong, way.against = self.check.look(way.ids)
            return way
        drafter = self.drafts()
        if drafter is not None:
            # Most of it is what the first attempt says.
            drafter.begin(first.ids)
        way.cache = context.cache.fork()
        way.generation = context.engine.generation(
            self.prompt + way.ids,
            len(first.tokens) + _MORE_TOKENS,
            cache=way.cache,
            draft_source=drafter,
            constraint=self.constraint,
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


def answer_confidence(best: AnswerCandidate, second: Sequence[AnswerCandidate]) -> float:
    """How sure an answer is: its likelihood, lowered by what speaks against it and by a second that is nearly
    as good. The three weights were fitted on the development set; what a value means is the gate's to say."""
    lead = min(_WIDE, best.score - second[0].score) if second else _WIDE
    return math.exp(min(0.0, best.logprob - _OBJECTION * best.against + _NARROW * (lead - _WIDE)))


def _word(token: int, chance: float) -> list[Token]:
    """An answer without an edit."""
    return [Token(token, "", logprob=math.log(max(chance, 1e-9))), Token(token_layout.EOS, "")]
