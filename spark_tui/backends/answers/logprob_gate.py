"""An answer that is known and may be wrong: how likely the model finds it decides whether it is marked.

The answer is held until it is whole, so that a stop and a resume find the same as one reading.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

from spark_tui.backends.answers.pipeline import STOPPED, Answer, StageContext, State
from spark_tui.steers.sureness import weighed


@dataclass(frozen=True, slots=True)
class LogprobGate:
    """Takes an attempt that is forced to be the known answer, gives it whole."""

    takes: ClassVar[State] = "attempt"
    sure: float
    """How sure the answer is before the model has read it."""

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        tokens = list(answer.tokens)
        if context.stopped():
            # Nothing was offered: a resume reads it as if there had been no stop.
            return STOPPED
        least = min((token.logprob for token in tokens), default=0.0)
        return Answer(tokens, "whole", confidence=weighed(self.sure, math.exp(least)))
