"""Ask the model something else in the middle of an answer, on a fork of what was read for it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from spark_tui.backends.answers.pipeline import Answer, StageContext
from spark_tui.backends.local.prompt_format import EncodedRequest, draft_source
from spark_tui.engine import Cache, Sampler


def sub_query(
    context: StageContext, asked: EncodedRequest, ids: Sequence[int], cache: Cache, most: int
) -> Answer:
    """What would be offered for `asked` after `ids`, all of it. It stops where the outer answer is
    stopped."""
    generation = context.engine.generation(
        list(ids),
        most,
        cache=cache,
        sampler=asked.pipeline.sampler or Sampler(),
        draft_source=draft_source(asked),
        constraint=asked.constraint,
    )
    attempt = context.engine.loop.run(generation, context, context.on_step)
    answer = asked.pipeline.run(attempt, replace(context, cache=cache))
    return replace(answer, tokens=tuple(answer.tokens))
