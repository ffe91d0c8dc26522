"""An answer that is too long to be replaced any more: it streams, and only a loop ends it.

Comes in: tokens as they are chosen. Goes out: the same, and an end where they go in circles. Must not know:
requests, threads, doors.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from spark_tui.backends.answers.answer_check import LOOKED_BACK, is_repeating
from spark_tui.engine import Cache, Engine, Sampler, token_layout
from spark_tui.engine.generate import OnStep
from spark_tui.events import Token


def stream_through(tokens: Iterator[Token], ids: list[int], newline: int) -> Iterator[Token]:
    """`ids` were offered before."""
    for token in tokens:
        ids.append(token.id)
        yield token
        if is_repeating(ids[-LOOKED_BACK:], newline):
            yield Token(token_layout.END, "", logprob=-math.inf)
            yield Token(token_layout.EOS, "")
            return


@dataclass(frozen=True, slots=True)
class PassThrough:
    """The look at what comes behind a part of such an answer, in another request than the part. Nothing is
    held."""

    begun: tuple[int, ...]
    newline: int
    sampler: Sampler = field(default_factory=Sampler)

    def ends(self, ids: Sequence[int]) -> bool:
        return is_repeating([*self.begun, *ids][-LOOKED_BACK:], self.newline)

    def over(
        self,
        tokens: Iterator[Token],
        engine: Engine,  # noqa: ARG002
        cache: Cache,  # noqa: ARG002
        stopped: Callable[[], bool],  # noqa: ARG002
        on_step: OnStep | None,  # noqa: ARG002
    ) -> Iterator[Token]:
        return stream_through(tokens, [*self.begun[-LOOKED_BACK:]], self.newline)
