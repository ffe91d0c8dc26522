"""What a contender of a benchmark does and reports: seconds and tokens of one generation, by a stopwatch."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

Ids = Sequence[int]
POSITIONS = 16_384
"""Tokens that every contender has room for."""


@dataclass(frozen=True, slots=True)
class GenerationTimes:
    """`first` is the time to the first token, prompt included; `rest` the time of the others. `tokens` counts
    all."""

    first: float
    rest: float
    tokens: int
    passes: int = 0
    text: tuple[int, ...] = ()
    """The first tokens, to see that all contenders say the same."""
    cpu: float = 0.0
    """Processor seconds of `rest`, all threads: what is left of it when other programs take turns."""
    first_cpu: float = 0.0
    """The same of `first`."""

    @property
    def rate(self) -> float:
        """Tokens per second after the first."""
        return (self.tokens - 1) / self.rest


class Contender(ABC):
    """An engine that writes token by token; one that can speculate has an `edit` of its own."""

    @abstractmethod
    def greedy(self, prompt: Ids, count: int) -> GenerationTimes:
        """Exactly `count` best tokens, one at a time."""

    def prefill(self, prompt: Ids) -> GenerationTimes:
        """Read a prompt that nothing of is warm, and give one token."""
        return self.greedy(prompt, 1)

    def edit(self, prompt: Ids, truth: Ids, source: Ids) -> GenerationTimes:  # noqa: ARG002
        """Write `truth` with what speculation there is; every choice is replaced by the true token."""
        return self.greedy(prompt, len(truth))


class Stopwatch:
    """Begun when it is made; `mark` at the first token, `took` at the end."""

    def __init__(self) -> None:
        self._begun = self._marked = time.perf_counter()
        self._cpu = self._cpu_begun = time.process_time()
        self._seen = False

    def mark(self) -> None:
        if not self._seen:
            self._seen, self._marked, self._cpu = True, time.perf_counter(), time.process_time()

    def took(self, text: Sequence[int], passes: int = 0) -> GenerationTimes:
        ended, cpu = time.perf_counter(), time.process_time()
        rest, worked = max(ended - self._marked, 1e-9), max(cpu - self._cpu, 1e-9)
        first, first_worked = self._marked - self._begun, self._cpu - self._cpu_begun
        return GenerationTimes(first, rest, len(text), passes, tuple(text[:8]), worked, first_worked)
