"""Lines that begin alike: what goes on from the same typed text elsewhere in the file is a way to go on here.

A small model repeats a line of the file less often than people do. So beside what it writes, the rests of lines that
begin with what was typed are read by it, and the likeliest of all is offered; a repeated one gets `CREDIT`.
Comes in: the tokens of the first attempt, the other rests as ids. Goes out: the tokens of the best, as likely as it is
with its credit. Must not know: requests, how text becomes ids.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from spark_tui.engine import Cache, Engine, Sampler, layout
from spark_tui.engine.constraints import Allowed, Constraint
from spark_tui.engine.generate import OnStep
from spark_tui.events import Token

CREDIT = 1.0
"""In log-probability. Of 0 to 4 the one with most right among the surest tenth of 567 development lines."""
MOST_RESTS = 4
LEAST_TYPED = 2
HOPELESS = math.log(0.001)
"""A line that is less likely is not written to its end: nobody is going to see it."""


def rests(above: Sequence[str], behind: Sequence[str], typed: str) -> list[str]:
    """How lines go on that begin with what was typed, indentation aside; the nearest above first."""
    start = typed.lstrip()
    if len(start) < LEAST_TYPED:
        return []
    lines = (line.strip() for line in (*reversed(above), *behind))
    found = (line[len(start) :] for line in lines if line.startswith(start))
    return [rest for rest in dict.fromkeys(found) if rest.strip()][:MOST_RESTS]


@dataclass(frozen=True, slots=True)
class _Given(Sampler):
    """Chooses what is there already, so that the model only says how likely it is."""

    first: int = 0
    ids: tuple[int, ...] = ()

    @property
    def plain(self) -> bool:
        return False

    def choose(self, logits: NDArray[np.float32], ids: Sequence[int], position: int, allowed: Allowed = None) -> int:  # noqa: ARG002
        return self.ids[position - self.first]


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
class Likewise:
    """For one asked line, of which `prompt` was read. Each of `others` ends with the line's end."""

    prompt: list[int]
    others: list[tuple[int, ...]]
    newline: int
    constraint: Constraint | None = None
    sampler: Sampler = field(default_factory=Sampler)

    def ends(self, ids: Sequence[int]) -> bool:
        """Whether a first attempt need not go on: the line is at its end."""
        return ids[-1] in (self.newline, layout.EOS)

    def over(
        self, tokens: Iterator[Token], engine: Engine, cache: Cache, stopped: Callable[[], bool], on_step: OnStep | None
    ) -> Iterator[Token]:
        """The tokens of the best; where it was stopped none, and where nobody would see it an empty line."""
        first: list[Token] = []
        likely = 0.0
        for token in tokens:
            first.append(token)
            likely += token.logprob
            if self.ends([token.id]) or likely < HOPELESS:
                break
        if stopped():
            return
        written = tuple(token.id for token in first)
        ways = [(likely + (CREDIT if written in self.others else 0.0), first)] if likely >= HOPELESS else []
        for said in self._said([ids for ids in self.others if ids != written], engine, cache, stopped, on_step):
            ways.append((sum(token.logprob for token in said) + CREDIT, said))
        if not stopped():
            yield from _lifted(*max(ways, key=lambda way: way[0], default=(HOPELESS, [Token(self.newline, "")])))

    def _said(
        self,
        others: Sequence[tuple[int, ...]],
        engine: Engine,
        cache: Cache,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> list[list[Token]]:
        """The others as the model would have written them, all in one pass."""
        forks = [cache.fork() for _ in others]
        try:
            made = [
                engine.generation(
                    self.prompt,
                    len(ids),
                    cache=fork,
                    draft_source=_Drafted(list(ids)),
                    sampler=_Given(first=len(self.prompt), ids=ids),
                    constraint=self.constraint,
                    ends=(),
                )
                for ids, fork in zip(others, forks, strict=True)
            ]
            while live := [generation for generation in made if not generation.reason]:
                if stopped():
                    return []
                engine.loop.step(live, on_step)
            return [list(generation.ready) for generation in made]
        finally:
            for fork in forks:
                fork.drop()


def _lifted(likely: float, tokens: Sequence[Token]) -> Iterator[Token]:
    """The tokens, so likely in all; no single one more than sure."""
    credit = min(likely, 0.0) - sum(token.logprob for token in tokens)
    for token in tokens:
        lift = min(credit, -token.logprob)  # where nothing is any good it is taken away
        credit -= lift
        yield replace(token, logprob=token.logprob + lift)
