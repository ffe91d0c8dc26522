"""The answer to a message that corrects another answer, where its words say how.

Comes in: what was said, the hunks that stand, a way to ask. Goes out: what to say where that is known, else a
look that finds it. Must not know: words (`corrections` reads them), how hunks are made (`corrected`),
threads.

What can be done on the hunks that stand is done there: they were seen, and nothing else of them was objected
to. An answer that had not come to its end is brought there first, as it would have come without the message.
What cannot be done so is asked as if it had been said at first, of the same file. Where none of that holds
together, the model's own answer is looked over as any other.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain

from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.backends.answers.reranker import HELD_TOKENS, Reranker
from spark_tui.backends.answers.sub_query import SubQuery
from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.engine import Cache, Engine, Sampler, token_layout
from spark_tui.engine.generate import OnStep
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
    """The instruction, and what was said behind it."""
    return (
        request.instruction,
        *(splice.message for splice in request.spliced),
        *filter(None, [request.steer]),
    )


def answered_messages(request: Request) -> list[tuple[tuple[int, ...], str]]:
    """Each message behind the instruction, and the ids in front of it."""
    last = [(request.emitted, request.steer)] if request.steer else []
    return [*((splice.ids, splice.message) for splice in request.spliced), *last]


def without_last_message(request: Request) -> Request:
    """As if the last message had not been said: what stood then is to be gone on with."""
    if request.steer:
        return replace(request, steer="")
    return replace(request, spliced=request.spliced[:-1], emitted=request.spliced[-1].ids)


def answer_ended(request: Request) -> bool:
    """Whether the answer that the last message is behind had come to its end."""
    ids = without_last_message(request).emitted if len(messages(request)) > 1 else ()
    return bool(ids) and ids[-1] == token_layout.EOS


def without_end(request: Request, eos_ids: tuple[int, ...]) -> Request:
    """What ended an answer is no part of what goes on behind it."""

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
    """In the place of `look`, for one answer. `whole` asks for what would have come without the message,
    `anew` for what is said with the correction in its place."""

    look: Reranker
    said: FollowUpContext
    correction: Correction
    encode: token_layout.Encode
    whole: Ask | None = None
    anew: Ask | None = None
    sampler: Sampler = field(init=False)

    def __post_init__(self) -> None:
        self.sampler = self.look.sampler

    def ends(self, ids: Sequence[int]) -> bool:
        return self.look.ends(ids)

    def over(
        self,
        tokens: Iterator[Token],
        engine: Engine,
        cache: Cache,
        stopped: Callable[[], bool],
        on_step: OnStep | None,
    ) -> Iterator[Token]:
        # The first token of the model's own answer, with which all that stands before it has been read.
        begun = next(tokens, None)
        if begun is None or stopped():
            return
        found, sure = self._found(SubQuery(engine, cache, stopped, on_step))
        if stopped():
            return
        if found and len(found) <= MOST_TOKENS and not self.look.check.look(found)[0]:
            self.look.reader.judged = sure
            yield from (Token(token, "") for token in found)
            return
        yield from self.look.over(chain([begun], tokens), engine, cache, stopped, on_step)

    def _found(self, asking: SubQuery) -> tuple[list[int], float]:
        """What to say, and how sure that is: not surer than what was asked for it."""
        said, standing, sure = self.said, self.said.standing, PERHAPS
        if self.whole is not None:
            ids, sure = _answered_aside(asking, self.whole())
            rest = self._hunks(ids)
            kept = [old for old in said.before if not any(touch(old, new) for new in rest)]
            standing = (*kept, *rest) if rest else standing
            # What came of it tells what the message means.
            final = said.final(standing)
            if final is not None and not asking.stopped():
                return said.answer(final.hunks, self.encode), min(sure, final.sure)
        if self.anew is None or asking.stopped():
            return [], sure
        ids, again = _answered_aside(asking, self.anew())
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
        kind, hunks = read_hunks(ids, self.look.check.decode, self.look.check.newline)
        return hunks if kind == "edit" else []


def _answered_aside(asking: SubQuery, asked: EncodedRequest) -> tuple[list[int], float]:
    """The answer on a fork of what was read, as it would have been offered, and how sure it is; nothing where
    it is too long, or was stopped."""
    fork = asking.cache.fork()
    try:
        found = asking.tokens(asked, asked.ids, fork, MOST_TOKENS)
        if found[: len(asked.behind)] != list(asked.behind):
            asked.look = None
            found = [*asked.behind, *asking.tokens(asked, [*asked.ids, *asked.behind], fork, MOST_TOKENS)]
    finally:
        fork.drop()
    begun = len(asked.ids) - 1 - asked.ids[::-1].index(token_layout.OUT)
    judged = getattr(asked.reader, "judged", None)
    return [*asked.ids[begun + 1 :], *found], min(PERHAPS, PERHAPS if judged is None else judged)
