"""The answer to a message that corrects another answer, where its words say how.

What can be done to the hunks that stand is done there: the person saw them and objected to nothing else. An
answer that had not come to its end is first completed as it would have been without the message. What cannot
be done so is asked as if it had been said at first, about the same file. Where none of that holds together,
the model's own attempt is passed on. `steers.corrections` reads the words, `steers.corrected` makes the
hunks.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import ClassVar

from spark_tui.backends.answers.answer_check import AnswerCheck, read_hunks
from spark_tui.backends.answers.pipeline import (
    HELD_TOKENS,
    STOPPED,
    Answer,
    AnswerPipeline,
    StageContext,
    State,
)
from spark_tui.backends.answers.sub_query import sub_query
from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.engine import token_layout
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.events import Token
from spark_tui.steers import corrected, steered_by_program
from spark_tui.steers.corrected import touch
from spark_tui.steers.corrections import Correction, Reading
from spark_tui.steers.ordered import hunks_between
from spark_tui.steers.slotted import slotted
from spark_tui.steers.stands import Stands
from spark_tui.steers.sureness import PERHAPS, SURE, By, Wanted, sureness

MOST_TOKENS = 2 * HELD_TOKENS
"""An answer that is longer is not made here."""
Ask = Callable[[], EncodedRequest]


def messages(request: Request) -> tuple[str, ...]:
    """The instruction and the messages after it."""
    return (
        request.instruction,
        *(splice.message for splice in request.spliced),
        *filter(None, [request.steer]),
    )


def answered_messages(request: Request) -> list[tuple[tuple[int, ...], str]]:
    """Each message after the instruction, and the ids before it."""
    last = [(request.emitted, request.steer)] if request.steer else []
    return [*((splice.ids, splice.message) for splice in request.spliced), *last]


def without_last_message(request: Request) -> Request:
    """The request without its last message, to continue the answer from before it."""
    if request.steer:
        return replace(request, steer="")
    return replace(request, spliced=request.spliced[:-1], emitted=request.spliced[-1].ids)


def answer_ended(request: Request) -> bool:
    """Whether the answer before the last message was complete."""
    ids = without_last_message(request).emitted if len(messages(request)) > 1 else ()
    return bool(ids) and ids[-1] == token_layout.EOS


def without_end(request: Request, eos_ids: tuple[int, ...]) -> Request:
    """The request with the end tokens of earlier pieces removed, so that the answer can continue."""

    def cut(ids: tuple[int, ...]) -> tuple[int, ...]:
        return ids[:-1] if ids and ids[-1] in eos_ids else ids

    spliced = tuple(replace(splice, ids=cut(splice.ids)) for splice in request.spliced)
    return replace(request, emitted=cut(request.emitted), spliced=spliced)


@dataclass(frozen=True, slots=True)
class FollowUpContext:
    """What a turn was told so far, and what stands of what it answered."""

    lines: tuple[str, ...]
    words: tuple[str, ...]
    """The instruction, and the messages behind it."""
    standing: tuple[WindowHunk, ...] = ()
    before: tuple[WindowHunk, ...] = ()
    """What stood before the answer that the last message broke into."""
    ended: bool = True
    """Whether that answer had come to its end."""
    programs: bool = False
    """Whether programs do what words spell out."""

    def correction(self) -> Correction:
        """What the last message wants of what was said before it."""
        order, found = self.words[0], Correction()
        for number, message in enumerate(self.words[1:], 2):
            standing = self.standing if number == len(self.words) else ()
            found = Reading(self.lines, order, message, standing).correction()
            order = found.order or f"{order}, {message}"
        return found

    def known(self, correction: Correction, encode: token_layout.Encode) -> tuple[list[int], float]:
        """The ids of the answer, where nothing has to be asked for it, and how sure it is; else none."""
        if correction.back:
            return [token_layout.NOEDIT, token_layout.EOS], SURE
        standing = self.standing
        if not self.ended:
            first = steered_by_program.first_answer(self.lines, self.words[0]) if self._first else None
            if first is None:
                return [], SURE
            standing = first
        final = self.final(standing)
        return ([], SURE) if final is None else (self.answer(final.hunks, encode), final.sure)

    @property
    def _first(self) -> bool:
        """Whether a program may have made the answer that the message broke into."""
        return self.programs and len(self.words) == 2 and not self.before

    def final(self, standing: Sequence[WindowHunk]) -> Wanted | None:
        """What the last message makes of hunks that stand, where that can be done on them."""
        last = self.words[-1]
        if self.programs:
            asked = self.words[0] if len(self.words) == 2 else ""
            return steered_by_program.wanted_surely(self.lines, asked, last, standing)
        by: By = "form"
        correction = replace(self, standing=tuple(standing)).correction()
        found: Sequence[WindowHunk] | None = corrected.wanted(self.lines, standing, correction)
        if found is None:
            text, by = slotted(Stands(self.lines, standing), self.words[0], last), "slot"
            found = None if text is None else hunks_between(self.lines, text.split("\n")[:-1])
        return (
            None if found is None else Wanted(tuple(found), sureness([by], last, self.lines, standing, found))
        )

    def answer(self, final: Sequence[WindowHunk], encode: token_layout.Encode) -> list[int]:
        """What to say so that this stands in the end; nothing where it stands already."""
        hunks = corrected.answer(self.lines, self.standing, final)
        return (
            [*chain(*(token_layout.encode_hunk(encode, hunk) for hunk in hunks)), token_layout.EOS]
            if hunks
            else []
        )


@dataclass(slots=True)
class FollowUpAnswer:
    """Takes the attempt; answers at once where the correction can be made, else passes the attempt on.
    `whole` asks for what would have come without the message, `anew` for what is said with the correction in
    its place."""

    takes: ClassVar[State] = "attempt"
    check: AnswerCheck
    said: FollowUpContext
    correction: Correction
    encode: token_layout.Encode
    whole: Ask | None = None
    anew: Ask | None = None

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        # With the first token of the attempt all that stands before it has been read.
        tokens = iter(answer.tokens)
        begun = next(tokens, None)
        if begun is None or context.stopped():
            return STOPPED
        found, sure = self._found(context)
        if context.stopped():
            return STOPPED
        if found and len(found) <= MOST_TOKENS and not self.check.look(found)[0]:
            return Answer([Token(token, "") for token in found], "whole", confidence=sure)
        return replace(answer, tokens=chain([begun], tokens))

    def _found(self, context: StageContext) -> tuple[list[int], float]:
        """What to say, and how sure that is: not surer than what was asked for it."""
        said, standing, sure = self.said, self.said.standing, PERHAPS
        if self.whole is not None:
            ids, sure = _answered_on_fork(context, self.whole())
            rest = self._hunks(ids)
            kept = [old for old in said.before if not any(touch(old, new) for new in rest)]
            standing = (*kept, *rest) if rest else standing
            # What came of it tells what the message means.
            final = said.final(standing)
            if final is not None and not context.stopped():
                return said.answer(final.hunks, self.encode), min(sure, final.sure)
        if self.anew is None or context.stopped():
            return [], sure
        ids, again = _answered_on_fork(context, self.anew())
        hunks = self._hunks(ids)
        if not hunks:
            return [], sure
        more = (
            [old for old in standing if not any(touch(old, new) for new in hunks)]
            if self.correction.more
            else []
        )
        return said.answer([*more, *hunks], self.encode), min(sure, again)

    def _hunks(self, ids: Sequence[int]) -> list[WindowHunk]:
        kind, hunks = read_hunks(ids, self.check.decode, self.check.newline)
        return hunks if kind == "edit" else []


def _answered_on_fork(context: StageContext, asked: EncodedRequest) -> tuple[list[int], float]:
    """The answer on a fork of what was read, as it would have been offered, and how sure it is; nothing where
    it is too long, or was stopped."""
    fork = context.cache.fork()
    try:
        found = _ids(sub_query(context, asked, asked.ids, fork, MOST_TOKENS))
        if found[: len(asked.behind)] != list(asked.behind):
            alone = replace(asked, pipeline=AnswerPipeline())
            rest = sub_query(context, alone, [*asked.ids, *asked.behind], fork, MOST_TOKENS)
            found = [*asked.behind, *_ids(rest)]
    finally:
        fork.drop()
    begun = len(asked.ids) - 1 - asked.ids[::-1].index(token_layout.OUT)
    judged = asked.reader.judged
    return [*asked.ids[begun + 1 :], *found], min(PERHAPS, PERHAPS if judged is None else judged)


def _ids(answer: Answer) -> list[int]:
    return [token.id for token in answer.tokens]
