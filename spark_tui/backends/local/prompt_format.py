"""How a model is prompted: a `Request` as prompt ids, and the ids of its answer as text.

`SparkFormat` speaks to the built-in family, `ChatFormat` to every other model.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from spark_tui.backends.answers.attempt_gate import AnswerGate
from spark_tui.backends.base import Request
from spark_tui.engine import SuffixDrafter
from spark_tui.engine.text.constraints import Constraint
from spark_tui.engine.text.detokenizer import TextStream
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Event, Token


class AnswerReader(Protocol):
    """Turns what the model writes into events, one token at a time."""

    judged: float | None
    """How sure the whole answer is, where that is known before it is read."""

    @property
    def finished(self) -> bool:
        """The answer is complete; what would follow is not read."""

    def read(self, token: Token, last: bool) -> list[Event]:
        """`last`: no token follows, so nothing may be held back."""


class TextReader:
    """Plain text, cut at stop texts. `emitted` was read before: its text is not given again."""

    def __init__(
        self, tokenizer: Tokenizer, stop_texts: Sequence[str] = (), emitted: Sequence[int] = ()
    ) -> None:
        self.judged: float | None = None
        self._texts = TextStream(tokenizer.stream(), stop_texts)
        for token_id in emitted:
            self._texts.push(token_id)

    @property
    def finished(self) -> bool:
        return self._texts.stopped

    def read(self, token: Token, last: bool) -> list[Event]:
        text = self._texts.push(token.id)
        return [replace(token, text=text + self._texts.flush() if last else text)]


@dataclass(slots=True)
class EncodedRequest:
    """A request as ids. `copied_from` are the ids that the answer mostly repeats, the file's; `anchors` says
    which place of them an id of the answer points to."""

    ids: list[int]
    reader: AnswerReader
    copied_from: list[int] = field(default_factory=list)
    anchors: dict[int, int] = field(default_factory=dict)
    hint: list[int] = field(default_factory=list)
    """What the answer may repeat besides: a prediction of it."""
    closing: tuple[int, ...] = ()
    """What follows a part that was copied to its end."""
    opening: int | None = None
    """The id after which the answer begins."""
    starting: tuple[int, ...] = ()
    """How it mostly begins."""
    constraint: Constraint | None = None
    gate: AnswerGate | None = None
    """Decides what is offered of the first attempt; None: all of it."""
    behind: tuple[int, ...] = ()
    """What was offered of this answer before. It is chosen again, so `ids` end in front of it."""


class PromptFormat(Protocol):
    @property
    def formats(self) -> tuple[str, ...]:
        """Edit formats that can be requested from the model, best first."""

    @property
    def fills(self) -> bool:
        """Whether the model was taught to write what is missing between two texts."""

    def ask(self, request: Request) -> EncodedRequest:
        """Raises `Misfit` where the request is not one for this model."""

    def count(self, text: str) -> int: ...


def draft_source(asked: EncodedRequest) -> SuffixDrafter | None:
    """Where the drafts of this request come from; None where nothing is known that the answer may repeat."""
    if not asked.copied_from:
        return None
    drafter = SuffixDrafter(
        asked.copied_from,
        anchors=asked.anchors,
        closing=asked.closing,
        opening=asked.opening,
        starting=asked.starting,
    )
    if asked.hint:
        # Read before the prompt, for the drafter alone.
        drafter.begin(asked.hint)
    return drafter
