"""An answer that is too long to be replaced: it streams, and only a loop ends it."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from spark_tui.backends.answers.answer_check import LOOKED_BACK, is_repeating
from spark_tui.backends.answers.pipeline import Answer, StageContext, State
from spark_tui.engine import token_layout
from spark_tui.events import Token


def stream_through(tokens: Iterable[Token], ids: list[int], newline: int) -> Iterator[Token]:
    """The tokens, ended where they repeat themselves. `ids` were offered before."""
    for token in tokens:
        ids.append(token.id)
        yield token
        if is_repeating(ids[-LOOKED_BACK:], newline):
            yield Token(token_layout.END, "", logprob=-math.inf)
            yield Token(token_layout.EOS, "")
            return


@dataclass(frozen=True, slots=True)
class PassThrough:
    """Resumes an answer of which more was offered than is ever held. Takes an attempt, gives an open
    answer."""

    takes: ClassVar[State] = "attempt"
    begun: tuple[int, ...]
    newline: int

    def ends(self, ids: Sequence[int]) -> bool:
        return is_repeating([*self.begun, *ids][-LOOKED_BACK:], self.newline)

    def apply(self, answer: Answer, context: StageContext) -> Answer:  # noqa: ARG002
        return Answer(stream_through(answer.tokens, [*self.begun[-LOOKED_BACK:]], self.newline), "open")
