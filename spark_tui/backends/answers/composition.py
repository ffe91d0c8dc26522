"""How a request of the built-in family is answered. `EditComposer.compose` reads from top to bottom."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain

from spark_tui.backends.answers.answer_check import AnswerCheck, Decode, is_python, read_hunks
from spark_tui.backends.answers.attempt_gate import (
    HELD_TOKENS,
    AttemptGate,
    ConfidenceGate,
    Judgement,
    Observe,
    PassThrough,
)
from spark_tui.backends.answers.messages import answered_messages
from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.context.mentions import without_files
from spark_tui.engine.text import token_layout
from spark_tui.engine.text.constraints import ForcedText
from spark_tui.engine.text.token_layout import WindowHunk

REFUSAL = (token_layout.CANNOT, token_layout.EOS)
KnownHunks = Sequence[tuple[int, int, tuple[str, ...]]]


@dataclass(frozen=True, slots=True)
class EncodedEdit:
    """An edit request as ids. `asked.ids` end with `begun`, what was offered of this answer before; `pieces`
    are what was written before each message after the instruction, with that message."""

    asked: EncodedRequest
    request: Request
    prompt: token_layout.EncodedPrompt
    pieces: list[list[int]]
    begun: tuple[int, ...]

    @property
    def messages(self) -> tuple[str, ...]:
        """The instruction, and what was said inside its answer."""
        after = (message for _, message in answered_messages(self.request))
        return tuple(map(without_files, (self.request.instruction, *after)))

    @property
    def known(self) -> KnownHunks:
        """The hunks of this answer where they are known before the model runs."""
        return self.request.known if len(self.messages) == 1 else ()


@dataclass(frozen=True, slots=True)
class EditComposer:
    """Composes the answer to edit requests. Without a gate, for weights that nobody calibrated or an answer
    that is drawn at random, the model's attempt is the answer."""

    gate: ConfidenceGate | None
    encode: token_layout.Encode
    decode: Decode
    newline: int
    observe: Observe | None = None

    def compose(self, edit: EncodedEdit) -> EncodedRequest:
        """The request with its gate. What the model must write, it reads by a constraint."""
        known = self._known_ids(edit)
        if known and known[: len(edit.begun)] == edit.begun:
            return self._read_known(edit, known)
        if not is_python(edit.prompt.path, edit.prompt.lines):
            return replace(edit.asked, constraint=ForcedText(REFUSAL))
        if self.gate is None:
            return edit.asked
        if len(edit.begun) > HELD_TOKENS:
            # The rest of an answer that is too long to be replaced.
            return replace(edit.asked, gate=PassThrough(edit.begun, self.newline))
        return self._decide(edit, self.gate)

    # -- the three ways to answer

    def _read_known(self, edit: EncodedEdit, known: tuple[int, ...]) -> EncodedRequest:
        """The model reads the answer instead of writing it."""
        if self.observe is not None and len(edit.messages) == 1:
            self.observe(Judgement(1.0, "", 0.0, 0.0))
        edit.asked.reader.judged = 1.0
        return replace(edit.asked, constraint=ForcedText(known[len(edit.begun) :]), hint=list(known))

    def _decide(self, edit: EncodedEdit, gate: ConfidenceGate) -> EncodedRequest:
        """Let the model write, and offer its answer or none. What was stopped while it was held is decided
        as a whole again: the result is the same, and it goes on there."""
        ids = edit.asked.ids[: len(edit.asked.ids) - len(edit.begun)]
        gate = replace(gate, refuse=max(gate.refuse, edit.request.least_confidence))
        least = edit.request.least_confidence
        attempt_gate = AttemptGate(ids, self._check(edit), gate, edit.asked.reader, self.observe, least)
        return replace(edit.asked, ids=ids, behind=edit.begun, gate=attempt_gate)

    # -- what they need

    def _known_ids(self, edit: EncodedEdit) -> tuple[int, ...]:
        """Hunks in lines of the file as an answer; none where nothing is known."""
        start = edit.prompt.first_line
        hunks = [WindowHunk(first - start, last - start, new) for first, last, new in edit.known]
        return answer_ids(hunks, self.encode) if hunks else ()

    def _check(self, edit: EncodedEdit) -> AnswerCheck:
        words, standing = edit.messages, self._standing([*chain(*edit.pieces)])
        steered = len(words) > 1
        lines, part, first = edit.prompt.lines, edit.request.files[0], edit.prompt.first_line - 1
        around = part.around
        if 0 < part.total_lines <= len(lines):
            around, first = lines, 0
        return AnswerCheck(lines, words[-1], self.decode, self.newline, standing, steered, around, first)

    def _standing(self, emitted: list[int]) -> tuple[WindowHunk, ...]:
        """Whole hunks of this turn from before its last message, without those that a later one replaced."""
        standing: list[WindowHunk] = []
        piece: list[int] = []
        for token in [*emitted, token_layout.STEER]:
            if token == token_layout.OUT:
                piece = []
            elif token == token_layout.STEER:
                whole = len(piece) - piece[::-1].index(token_layout.END) if token_layout.END in piece else 0
                hunks = read_hunks([*piece[:whole], token_layout.EOS], self.decode, self.newline)[1]
                standing = [old for old in standing if not any(old.touches(new) for new in hunks)] + hunks
                piece = []
            else:
                piece.append(token)
        return tuple(standing)


def answer_ids(hunks: Sequence[WindowHunk], encode: token_layout.Encode) -> tuple[int, ...]:
    """The ids of an answer that consists of these hunks."""
    return (*chain(*(token_layout.encode_hunk(encode, hunk) for hunk in hunks)), token_layout.EOS)
