"""An answer that is known and may be wrong: the model reads all of it, and what it finds says whether it is
marked.

Comes in: the tokens of the answer, as the model reads them. Goes out: the same, once it is whole. Must not
know: where the answer is from, requests, threads.

It is held until it is whole, so that a stop and a resume find of it what one reading finds.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from spark_tui.backends.answers.reranker import GradedReader
from spark_tui.engine import Cache, Engine, Sampler
from spark_tui.engine.generate import OnStep
from spark_tui.events import Token
from spark_tui.steers.sureness import weighed


@dataclass(frozen=True, slots=True)
class LogprobGate:
    """In the place of a look, for one answer."""

    reader: GradedReader
    sure: float
    """How sure it is before anybody reads it."""
    sampler: Sampler = field(default_factory=Sampler)

    def ends(self, ids: Sequence[int]) -> bool:  # noqa: ARG002
        """It is as long as it is."""
        return False

    def over(
        self,
        tokens: Iterator[Token],
        engine: Engine,  # noqa: ARG002
        cache: Cache,  # noqa: ARG002
        stopped: Callable[[], bool],
        on_step: OnStep | None,  # noqa: ARG002
    ) -> Iterator[Token]:
        held = list(tokens)
        if stopped():
            # Nothing was offered: a resume reads it as if there had been no stop.
            return
        self.reader.judged = weighed(self.sure, math.exp(min((token.logprob for token in held), default=0.0)))
        yield from held
