"""The way of an answer from the model's first attempt to what is offered: a list of stages, applied in order.

`composition` chooses the stages of a request. The local backend and the shared engine of the server both run
them through `AnswerPipeline`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from spark_tui.engine import Sampler
from spark_tui.events import Token

HELD_TOKENS = 128
"""An answer is held until it is whole or longer than this; a longer one streams and is no longer replaced."""

State = Literal["attempt", "whole", "open", "stopped"]
"""What a stage is given or gives. `attempt`: what the model writes, as it comes. `whole`: a complete answer,
of which nothing was offered yet; it may still be replaced. `open`: an answer that is offered as it comes.
`stopped`: the person stopped while the answer was held; nothing is offered."""


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


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer between two stages."""

    tokens: Iterable[Token]
    state: State = "attempt"
    confidence: float | None = None
    """How sure the whole edit is; None where that is not known, or where it is no edit."""
    judgement: Judgement | None = None


STOPPED = Answer((), "stopped")
Stopped = Callable[[], bool]
"""Whether the person has stopped the turn."""


class Stage(Protocol):
    """One step. A stage may answer at once, replace or reorder what it is given, mark it, or pass it on."""

    @property
    def takes(self) -> State:
        """The state of the answers that this stage is for. Others pass it by."""
        ...

    def apply(self, answer: Answer, stopped: Stopped) -> Answer:
        """May read tokens of the answer. Returns `STOPPED` when it was stopped."""
        ...


def never_ends(ids: Sequence[int]) -> bool:  # noqa: ARG001
    return False


@dataclass(frozen=True, slots=True)
class AnswerPipeline:
    """The stages of one request, and how its first attempt is written."""

    stages: tuple[Stage, ...] = ()
    """Without any, the first attempt is the answer."""
    sampler: Sampler | None = None
    """Chooses the tokens of the first attempt; None: as the request says."""
    ends: Callable[[Sequence[int]], bool] = never_ends
    """Whether a first attempt of these ids need not go on."""
    held_tokens: int = 0
    """So many tokens are chosen before the first of them is offered."""

    def run(self, attempt: Iterator[Token], stopped: Stopped) -> Answer:
        answer = Answer(attempt)
        for stage in self.stages:
            if answer.state == stage.takes:
                answer = stage.apply(answer, stopped)
        return answer

    def offer(self, attempt: Iterator[Token], stopped: Stopped) -> Iterator[Token]:
        """The tokens to offer; none where it was stopped while the answer was held."""
        yield from self.run(attempt, stopped).tokens
