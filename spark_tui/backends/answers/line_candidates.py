"""Other ways to complete a line: what the lines around it suggest, and what the model nearly wrote instead.

A small model's first attempt is right in 8 of 100 lines; among a handful of candidates the right one is in
15. So the model reads the suggestions and writes out its own runners-up, all in the same passes. The
candidate with the highest confidence is offered, with that confidence.
"""

import math
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from spark_tui.backends.answers.confidence import LineCandidate, LineContext, candidate_confidences
from spark_tui.backends.answers.line_suggestions import LineSuggestion
from spark_tui.backends.answers.pipeline import STOPPED, Answer, StageContext, State
from spark_tui.engine import Sampler, token_layout
from spark_tui.engine.constraints import Allowed, Constraint
from spark_tui.engine.generate import Generation
from spark_tui.events import Token

HOPELESS = -4.5
"""A line below this log-probability is not completed: it would not be shown."""
MOST_BRANCHES = 3
"""Twice as many do not make more of the most confident fifth right."""
MOST_TOKENS = 64
"""A longer line is not scored: it would be likely only as a copy."""
_NEXT_BEST = 4


@dataclass(frozen=True, slots=True)
class RunnerUpSampler(Sampler):
    """A greedy sampler that records the runners-up: the next best tokens of each position and their
    likelihoods.
    """

    places: dict[int, list[tuple[float, int]]] = field(default_factory=dict)

    @property
    def plain(self) -> bool:
        return False

    def choose(
        self,
        logits: NDArray[np.float32],
        ids: Sequence[int],  # noqa: ARG002
        position: int,
        allowed: Allowed = None,
    ) -> int:
        scores = _only(logits, allowed)
        best = int(scores.argmax())
        nearest = np.argpartition(scores, -_NEXT_BEST - 1)[-_NEXT_BEST - 1 :].tolist()
        top = float(scores[best])
        whole = top + math.log(float(np.exp(scores - top).sum()))
        self.places[position] = [(float(scores[token]) - whole, token) for token in nearest if token != best]
        return best


@dataclass(frozen=True, slots=True)
class _FixedTokens(Sampler):
    """Chooses the given tokens, which the model only scores, and then the best next one."""

    first: int = 0
    ids: tuple[int, ...] = ()

    @property
    def plain(self) -> bool:
        return False

    def choose(
        self,
        logits: NDArray[np.float32],
        ids: Sequence[int],  # noqa: ARG002
        position: int,
        allowed: Allowed = None,
    ) -> int:
        at = position - self.first
        return self.ids[at] if at < len(self.ids) else int(_only(logits, allowed).argmax())


@dataclass(slots=True)
class _FixedDraft:
    """The given tokens as a draft, so that one pass reads them all."""

    ids: list[int]

    def begin(self, context: Sequence[int]) -> None:
        """The draft does not depend on the prompt."""

    def propose(self, limit: int) -> list[int]:
        return self.ids[:limit]

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:  # noqa: ARG002
        self.ids = self.ids[len(tokens) :]


@dataclass(slots=True)
class LineCandidates:
    """For one line, asked with `prompt`. Takes the attempt and gives the best candidate whole. Each of the
    `suggestions` ends with the end of the line. `text_of` gives what of some ids is shown."""

    takes: ClassVar[State] = "attempt"
    prompt: list[int]
    suggestions: list[tuple[tuple[int, ...], LineSuggestion]]
    newline: int
    line_context: LineContext
    text_of: Callable[[Sequence[int]], str]
    constraint: Constraint | None = None
    sampler: RunnerUpSampler = field(default_factory=RunnerUpSampler)

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether a first attempt need not go on: the line is at its end."""
        return ids[-1] in (self.newline, token_layout.EOS)

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        """The best candidate, or an empty line where even that is too unlikely to be shown."""
        first: list[Token] = []
        logprob = 0.0
        for token in answer.tokens:
            first.append(token)
            logprob += token.logprob
            if self.ends([token.id]) or logprob < HOPELESS:
                break
        if context.stopped():
            return STOPPED
        beginnings = [
            *self._branches(first),
            *(ids for ids, _ in self.suggestions if len(ids) <= MOST_TOKENS),
        ]
        lines = [first]
        with closing(self._completed(beginnings, context)) as passes:
            for finished in passes:
                lines += finished
                if context.stopped():
                    return STOPPED
        return Answer(list(self._most_confident(lines)), "whole")

    def _branches(self, first: Sequence[Token]) -> list[tuple[int, ...]]:
        """Beginnings of other lines: the first attempt up to a token, and then a runner-up of that token."""
        found: list[tuple[float, tuple[int, ...]]] = []
        logprob = 0.0
        begun: tuple[int, ...] = ()
        for token in first:
            for other, token_id in self.sampler.places.get(len(self.prompt) + len(begun), ()):
                if logprob + other > HOPELESS:
                    found.append((logprob + other, (*begun, token_id)))
            logprob += token.logprob
            begun = (*begun, token.id)
        return [ids for _, ids in sorted(found, reverse=True)[:MOST_BRANCHES]]

    def _completed(
        self, beginnings: Sequence[tuple[int, ...]], context: StageContext
    ) -> Generator[list[list[Token]]]:
        """Completes all beginnings in the same passes: an empty list after each pass, then the lines."""
        forks = [context.cache.fork() for _ in beginnings]
        try:
            generations = [
                context.engine.generation(
                    self.prompt,
                    MOST_TOKENS,
                    cache=fork,
                    draft_source=_FixedDraft(list(ids)),
                    sampler=_FixedTokens(first=len(self.prompt), ids=ids),
                    constraint=self.constraint,
                    ends=(self.newline, token_layout.EOS),
                )
                for ids, fork in zip(beginnings, forks, strict=True)
            ]
            while live := [generation for generation in generations if not self._done(generation)]:
                context.engine.loop.step(live, context.on_step)
                yield []
            yield [list(generation.ready) for generation in generations]
        finally:
            for fork in forks:
                fork.drop()

    def _done(self, generation: Generation) -> bool:
        return bool(generation.reason) or sum(token.logprob for token in generation.ready) < HOPELESS

    def _most_confident(self, lines: Sequence[list[Token]]) -> Iterator[Token]:
        """The tokens of the best complete line. The same text in other tokens is the same candidate."""
        suggested = dict(self.suggestions)
        by_text: dict[str, tuple[LineCandidate, list[Token]]] = {}
        for line in lines:
            logprobs = [token.logprob for token in line]
            ids = tuple(token.id for token in line)
            text = self.text_of(ids).rstrip()
            if not ids or not self.ends(ids) or sum(logprobs) < HOPELESS or not text:
                continue
            candidate, best = by_text.setdefault(
                text, (LineCandidate(text, logprobs, first=line is lines[0]), line)
            )
            if sum(logprobs) > candidate.logprob:
                candidate.logprobs, best = logprobs, line
            if found := suggested.get(ids):
                candidate.by.add(found.by)
                candidate.count = found.count
            by_text[text] = candidate, best
        confidences = candidate_confidences(
            [candidate for candidate, _ in by_text.values()], self.line_context
        )
        _, chosen = max(
            zip(confidences, (line for _, line in by_text.values()), strict=True),
            key=lambda pair: pair[0],
            default=(0.0, [Token(self.newline, "")]),
        )
        yield from _with_logprob(math.log(max(confidences)) if confidences else HOPELESS, chosen)


def _only(logits: NDArray[np.float32], allowed: Allowed) -> NDArray[np.float32]:
    return np.where(allowed, logits, np.float32(-np.inf)) if isinstance(allowed, np.ndarray) else logits


def _with_logprob(logprob: float, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens with this log-probability in all; no single one is above 0."""
    credit = min(logprob, 0.0) - sum(token.logprob for token in tokens)
    for token in tokens:
        lift = min(credit, -token.logprob)  # negative where the line is less likely than its tokens
        credit -= lift
        yield replace(token, logprob=token.logprob + lift)
