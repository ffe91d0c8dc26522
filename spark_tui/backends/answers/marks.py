"""The last stage: tells the reader of the answer how sure it is, and whoever measures answers what was
found."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import ClassVar, Protocol

from spark_tui.backends.answers.pipeline import Answer, Judgement, State, Stopped

Observe = Callable[[Judgement], None]


class MarkingReader(Protocol):
    """A reader that marks the hunks of an answer below a threshold."""

    judged: float | None
    """How sure the whole answer is, where that is known before it is read."""


@dataclass(frozen=True, slots=True)
class ConfidenceMark:
    """Takes a whole answer and passes it on unchanged."""

    takes: ClassVar[State] = "whole"
    reader: MarkingReader
    observe: Observe | None = None

    def apply(self, answer: Answer, stopped: Stopped) -> Answer:  # noqa: ARG002
        if answer.confidence is not None:
            self.reader.judged = answer.confidence
        if answer.judgement is not None and self.observe is not None:
            self.observe(answer.judgement)
        return answer
