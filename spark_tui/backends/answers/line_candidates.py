"""Other ways to complete a line: what the lines around it suggest, and what the model nearly wrote instead.

A small model's first attempt is right in 8 of 100 lines; among a handful of candidates the right one is in
15. So the model reads the suggestions and writes out its own runners-up, all in the same passes. The
candidate with the highest confidence is offered, with that confidence.
"""

from __future__ import annotations

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
"""A line that is less likely, in log-probability, is not written to its end: nobody is going to see it."""
MOST_BRANCHES = 3
"""With twice as many no more of the surest fifth are right."""
MOST_TOKENS = 64
"""A longer line is not read: it would be likely only by being copied."""
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
        near = np.argpartition(scores, -_NEXT_BEST - 1)[-_NEXT_BEST - 1 :].tolist()
        top = float(scores[best])
        whole = top + math.log(float(np.exp(scores - top).sum()))
        self.places[position] = [(float(scores[token]) - whole, token) for token in near if token != best]
        return best


@dataclass(frozen=True, slots=True)
class _Given(Sampler):
    """Chooses the given tokens, so that the model only scores them, and then the best next one."""

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
class _Drafted:
    """The same as drafts: read in one pass."""

    ids: list[int]

    def begin(self, context: Sequence[int]) -> None:
        """What was read makes no difference."""

    def propose(self, limit: int) -> list[int]:
        return self.ids[:limit]

    def extend(self, tokens: Sequence[int], drafted: int, accepted: int) -> None:  # noqa: ARG002
        self.ids = self.ids[len(tokens) :]


@dataclass(slots=True)
class LineCandidates:
    """For one line, asked with `prompt`. Takes the attempt and gives the best candidate whole. Each of
    `others` ends with the line's end. `text_of` gives what of some ids is shown."""

    takes: ClassVar[State] = "attempt"
    prompt: list[int]
    others: list[tuple[tuple[int, ...], LineSuggestion]]
    newline: int
    around: LineContext
    text_of: Callable[[Sequence[int]], str]
    constraint: Constraint | None = None
    sampler: RunnerUpSampler = field(default_factory=RunnerUpSampler)

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether a first attempt need not go on: the line is at its end."""
        return ids[-1] in (self.newline, token_layout.EOS)

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        """Where nobody would see the best candidate, the answer is an empty line."""
        first: list[Token] = []
        likely = 0.0
        for token in answer.tokens:
            first.append(token)
            likely += token.logprob
            if self.ends([token.id]) or likely < HOPELESS:
                break
        if context.stopped():
            return STOPPED
        begun = [*self._branches(first), *(ids for ids, _ in self.others if len(ids) <= MOST_TOKENS)]
        lines = [first]
        with closing(self._written(begun, context)) as passes:
            for said in passes:
                lines += said
                if context.stopped():
                    return STOPPED
        return Answer(list(self._surest(lines)), "whole")

    def _branches(self, first: Sequence[Token]) -> list[tuple[int, ...]]:
        """How the line begins where it leaves the first attempt for what was the next best there."""
        found: list[tuple[float, tuple[int, ...]]] = []
        likely = 0.0
        begun: tuple[int, ...] = ()
        for token in first:
            for other, near in self.sampler.places.get(len(self.prompt) + len(begun), ()):
                if likely + other > HOPELESS:
                    found.append((likely + other, (*begun, near)))
            likely += token.logprob
            begun = (*begun, token.id)
        return [ids for _, ids in sorted(found, reverse=True)[:MOST_BRANCHES]]

    def _written(
        self, begun: Sequence[tuple[int, ...]], context: StageContext
    ) -> Generator[list[list[Token]]]:
        """All of them to the line's end, in the same passes: nothing after each pass, then the lines."""
        forks = [context.cache.fork() for _ in begun]
        try:
            made = [
                context.engine.generation(
                    self.prompt,
                    MOST_TOKENS,
                    cache=fork,
                    draft_source=_Drafted(list(ids)),
                    sampler=_Given(first=len(self.prompt), ids=ids),
                    constraint=self.constraint,
                    ends=(self.newline, token_layout.EOS),
                )
                for ids, fork in zip(begun, forks, strict=True)
            ]
            while live := [generation for generation in made if not self._done(generation)]:
                context.engine.loop.step(live, context.on_step)
                yield []
            yield [list(generation.ready) for generation in made]
        finally:
            for fork in forks:
                fork.drop()

    def _done(self, generation: Generation) -> bool:
        return bool(generation.reason) or sum(token.logprob for token in generation.ready) < HOPELESS

    def _surest(self, lines: Sequence[list[Token]]) -> Iterator[Token]:
        """Of those that came to their end; the same text in other tokens is the same way."""
        suggested = dict(self.others)
        ways: dict[str, tuple[LineCandidate, list[Token]]] = {}
        for line in lines:
            logprobs = [token.logprob for token in line]
            ids = tuple(token.id for token in line)
            text = self.text_of(ids).rstrip()
            if not ids or not self.ends(ids) or sum(logprobs) < HOPELESS or not text:
                continue
            way, best = ways.setdefault(text, (LineCandidate(text, logprobs, first=line is lines[0]), line))
            if sum(logprobs) > way.likely:
                way.logprobs, best = logprobs, line
            if found := suggested.get(ids):
                way.by.add(found.by)
                way.count = found.count
            ways[text] = way, best
        sure = candidate_confidences([way for way, _ in ways.values()], self.around)
        _, chosen = max(
            zip(sure, (line for _, line in ways.values()), strict=True),
            key=lambda pair: pair[0],
            default=(0.0, [Token(self.newline, "")]),
        )
        yield from _lifted(math.log(max(sure)) if sure else HOPELESS, chosen)


def _only(logits: NDArray[np.float32], allowed: Allowed) -> NDArray[np.float32]:
    return np.where(allowed, logits, np.float32(-np.inf)) if isinstance(allowed, np.ndarray) else logits


def _lifted(likely: float, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, so likely in all; no single one more than sure."""
    credit = min(likely, 0.0) - sum(token.logprob for token in tokens)
    for token in tokens:
        lift = min(credit, -token.logprob)  # where nothing is any good it is taken away
        credit -= lift
        yield replace(token, logprob=token.logprob + lift)
