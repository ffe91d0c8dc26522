"""Reads the ids of hunks as text of the format `lines`, and marks the hunks that the model was unsure of."""

from __future__ import annotations

import math
from dataclasses import replace

from spark_tui.backends.base import FilePart
from spark_tui.engine.text import token_layout
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Doubt, Event, Token


class HunkReader:
    """Decodes the ids of hunks into the text of `lines`, and emits a `Doubt` before the token that closes an
    uncertain hunk, so that a reader that stops at that token has received it.

    `emitted` was read before: its text is not returned again, and its open hunk continues.
    """

    def __init__(
        self, tokenizer: Tokenizer, part: FilePart, doubt_below: float, emitted: tuple[int, ...]
    ) -> None:
        self._detokenizer = tokenizer.stream()
        self._doubt_below = doubt_below
        self._answer = token_layout.AnswerReader(
            part.path, self._detokenizer.push, first_line=part.first_line
        )
        self._certainty = 0.0
        self._in_hunk = False
        self.judged: float | None = None
        """How sure the whole answer is, where that is known before it is read."""
        self.hunks = 0
        """Hunks begun so far, which is how the parser numbers them."""
        restart = max(
            (place + 1 for place, token in enumerate(emitted) if token == token_layout.OUT), default=0
        )
        self.hunks += sum(token == token_layout.HUNK for token in emitted[:restart])
        for token in emitted[restart:]:
            self._follow(token, 0.0)
            self._answer.read(token)

    @property
    def finished(self) -> bool:
        return self._answer.finished

    def read(self, token: Token, last: bool) -> list[Event]:  # noqa: ARG002
        closed = self._follow(token.id, token.logprob)
        confidence = math.exp(min(self._certainty, 0.0)) if self.judged is None else self.judged
        out: list[Event] = []
        if closed and confidence < self._doubt_below:
            out.append(Doubt(self.hunks, confidence, "the model was unsure of it"))
        return [*out, replace(token, text=self._answer.read(token.id))]

    def _follow(self, token_id: int, logprob: float) -> bool:
        """Sum up how sure the hunk was; True where it closes with this token."""
        if token_id == token_layout.HUNK:
            self.hunks += 1
            self._in_hunk, self._certainty = True, 0.0
        if self._in_hunk:
            self._certainty += logprob
        closed = self._in_hunk and token_id == token_layout.END
        if closed:
            self._in_hunk = False
        return closed
