"""A question of its own, asked in the middle of another.

Comes in: what the other is answered with, a question, ids and a cache of its own. Goes out: the tokens that
would have been offered. Must not know: why it is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spark_tui.backends.local.prompt_format import EncodedRequest, draft_source
from spark_tui.engine import Cache, Engine, Sampler
from spark_tui.engine.generate import OnStep


@dataclass(frozen=True, slots=True)
class SubQuery:
    """Where the other question is stopped, so is this one."""

    engine: Engine
    cache: Cache
    """What was read for the other question; it stays as it is where a fork is asked."""
    stopped: Callable[[], bool]
    on_step: OnStep | None

    def is_set(self) -> bool:
        return self.stopped()

    def tokens(self, asked: EncodedRequest, ids: Sequence[int], cache: Cache, most: int) -> list[int]:
        """The answer behind `ids`, looked over where that is asked for."""
        generation = self.engine.generation(
            list(ids),
            most,
            cache=cache,
            sampler=Sampler() if asked.look is None else asked.look.sampler,
            draft_source=draft_source(asked),
            constraint=asked.constraint,
        )
        tokens = self.engine.loop.run(generation, self, self.on_step)
        if asked.look is not None:
            tokens = asked.look.over(tokens, self.engine, cache, self.stopped, self.on_step)
        return [token.id for token in tokens]
