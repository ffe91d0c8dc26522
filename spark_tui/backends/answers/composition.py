"""Which stages answer a request of the built-in family. `EditComposer.compose` reads from top to bottom."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain

from spark_tui.backends.answers.answer_check import AnswerCheck, Decode, is_python, read_hunks
from spark_tui.backends.answers.compound_request import CompoundRequest
from spark_tui.backends.answers.follow_up import (
    MOST_TOKENS,
    FollowUpAnswer,
    FollowUpContext,
    answer_ended,
    messages,
    without_last_message,
)
from spark_tui.backends.answers.gated_sampler import ConfidenceGate
from spark_tui.backends.answers.instruction_splitter import instruction_splits
from spark_tui.backends.answers.line_candidates import LineCandidates
from spark_tui.backends.answers.logprob_gate import LogprobGate
from spark_tui.backends.answers.marks import ConfidenceMark, Observe
from spark_tui.backends.answers.pass_through import PassThrough
from spark_tui.backends.answers.pipeline import HELD_TOKENS, AnswerPipeline, Judgement, Stage
from spark_tui.backends.answers.program_edits import LOOSE_CREDIT, ProgramEdits, answer_ids, program_edits
from spark_tui.backends.answers.reranker import WAYS, Reranker
from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest, draft_source
from spark_tui.context.mentions import without_files
from spark_tui.engine import Sampler, token_layout
from spark_tui.engine.constraints import ForcedText
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.refactor.source import headers
from spark_tui.steers.corrected import touch
from spark_tui.steers.corrections import Correction
from spark_tui.steers.sureness import PERHAPS, SURE

REFUSAL = (token_layout.CANNOT, token_layout.EOS)
BRANCHES = (2 * HELD_TOKENS,) * WAYS
"""The other ways of an answer, each on a fork of its own."""
AskPart = Callable[[str, tuple[str, ...] | None], EncodedRequest]
"""Asks a part of an instruction, about another text than the file where there is one."""


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
        return tuple(without_files(message) for message in messages(self.request))


@dataclass(frozen=True, slots=True)
class KnownAnswer:
    """An answer that is known before the model runs, and its confidence."""

    ids: tuple[int, ...]
    sure: float = SURE


@dataclass(frozen=True, slots=True)
class EditComposer:
    """Composes the answer to edit requests. Without a gate, for weights that nobody calibrated or an answer
    that is drawn at random, the model's attempt is the answer."""

    gate: ConfidenceGate | None
    programs: bool
    """Whether programs make the edits that an instruction spells out."""
    encode: token_layout.Encode
    decode: Decode
    newline: int
    ask: Callable[[Request], EncodedRequest]
    ask_part: AskPart | None = None
    """None where the instruction is a part already."""
    observe: Observe | None = None

    def compose(self, edit: EncodedEdit) -> EncodedRequest:
        """The request with its pipeline. What the model must write, it reads by a constraint."""
        if not is_python(edit.prompt.path, edit.prompt.lines):
            return replace(edit.asked, constraint=ForcedText(REFUSAL))
        if self.gate is None:
            return edit.asked
        found = self._program_edits(edit)
        follow_up = self._follow_up(edit)
        check = self._check(edit)
        known = self._known_answer(edit, found, follow_up, check)
        if known is not None and known.ids[: len(edit.begun)] == edit.begun:
            return self._read_known(edit, known)
        if len(edit.begun) > HELD_TOKENS:
            return self._pass_through(edit)
        return self._choose(edit, self.gate, found, follow_up, check)

    # -- the four ways to answer

    def _read_known(self, edit: EncodedEdit, known: KnownAnswer) -> EncodedRequest:
        """The model reads the answer instead of writing it."""
        held = len(known.ids) <= HELD_TOKENS and len(edit.begun) <= HELD_TOKENS
        if known.sure == PERHAPS and held:
            # From its beginning, also where some of it was offered before a stop.
            gate, mark = LogprobGate(known.sure), ConfidenceMark(edit.asked.reader)
            pipeline = AnswerPipeline((gate, mark), Sampler(), held_tokens=HELD_TOKENS, branches=BRANCHES)
            asked = self._chosen_again(edit, pipeline)
            return replace(asked, constraint=ForcedText(known.ids), hint=list(known.ids))
        if self.observe is not None and len(edit.messages) == 1:
            self.observe(Judgement(1.0, "", 0.0, 0.0, 0))
        edit.asked.reader.judged = known.sure
        return replace(
            edit.asked,
            constraint=ForcedText(known.ids[len(edit.begun) :]),
            hint=list(known.ids),
            known_ids=known.ids,
        )

    def _pass_through(self, edit: EncodedEdit) -> EncodedRequest:
        """The rest of an answer that is too long to be replaced."""
        stage = PassThrough(edit.begun, self.newline)
        return replace(edit.asked, pipeline=AnswerPipeline((stage,), Sampler(), stage.ends))

    def _choose(
        self,
        edit: EncodedEdit,
        gate: ConfidenceGate,
        found: ProgramEdits,
        follow_up: FollowUp | None,
        check: AnswerCheck,
    ) -> EncodedRequest:
        """Let the model write, and offer the best of its answer and the other candidates."""
        asked = self._chosen_again(edit, AnswerPipeline())
        assert asked.constraint is not None
        given = [(list(ids), LOOSE_CREDIT) for ids in found.others]
        reranker = Reranker(asked.ids, check, gate, asked.constraint, partial(draft_source, asked), given)
        correcting = self._correcting(edit, follow_up, check)
        compound = self._compound(edit, gate, check)
        stages: tuple[Stage, ...] = (
            *correcting,
            reranker,
            *compound,
            ConfidenceMark(asked.reader, self.observe),
        )
        # A part of an instruction may be asked about another text, which takes a prompt of its own.
        branches = (*BRANCHES, *(len(asked.ids) + HELD_TOKENS for _ in compound))
        asked.pipeline = AnswerPipeline(stages, reranker.sampler, reranker.ends, HELD_TOKENS, branches)
        return asked

    def _chosen_again(self, edit: EncodedEdit, pipeline: AnswerPipeline) -> EncodedRequest:
        """What was stopped while it could still be replaced is chosen as a whole again: the result is the
        same, and it goes on there."""
        ids = edit.asked.ids[: len(edit.asked.ids) - len(edit.begun)]
        return replace(edit.asked, ids=ids, behind=edit.begun, pipeline=pipeline)

    # -- optional stages

    def _correcting(
        self, edit: EncodedEdit, follow_up: FollowUp | None, check: AnswerCheck
    ) -> tuple[Stage, ...]:
        """For a message that corrects what was said before it."""
        if follow_up is None:
            return ()
        said, correction, request = follow_up.said, follow_up.correction, edit.request
        if correction == Correction() and (said.ended or not said.programs):
            return ()
        whole = None if said.ended else partial(self.ask, without_last_message(request))
        again = replace(request, instruction=correction.order, steer="", spliced=(), emitted=(), known=())
        anew = partial(self.ask, again) if correction.order else None
        return (FollowUpAnswer(check, said, correction, self.encode, whole, anew),)

    def _compound(self, edit: EncodedEdit, gate: ConfidenceGate, check: AnswerCheck) -> tuple[Stage, ...]:
        """The answer to an instruction with several orders.

        A small model that gets two orders mostly follows one. So each part is run alone, on the same file, on
        a fork of the cache. If the parts' hunks do not overlap, their union is the answer. If they do, or the
        second part refers to something that the first creates, the second runs on the text after the first.
        The answer to the whole instruction is kept if it is likelier than all parts together, with a bonus if
        it addresses every part.
        """
        if self.ask_part is None or len(edit.messages) > 1:
            return ()
        splits = instruction_splits(edit.messages[0])
        steps = not any(edit.request.selection)
        stage = CompoundRequest(check, splits, self.ask_part, self.encode, gate.refuse, steps)
        return (stage,) if splits else ()

    # -- what is known before the model is asked

    def _known_answer(
        self, edit: EncodedEdit, found: ProgramEdits, follow_up: FollowUp | None, check: AnswerCheck
    ) -> KnownAnswer | None:
        if edit.request.wanted and len(edit.messages) > 1:
            return KnownAnswer(self._hunk_ids(edit.request.wanted, edit.prompt.first_line))
        if follow_up is None:
            return KnownAnswer(found.plain) if found.plain else None
        ids, sure = follow_up.said.known(follow_up.correction, self.encode)
        fits = ids and len(ids) <= MOST_TOKENS and not check.look(ids)[0]
        return KnownAnswer(tuple(ids), sure) if fits else None

    def _program_edits(self, edit: EncodedEdit) -> ProgramEdits:
        """What programs make of an instruction, or what the request says is known."""
        prompt = edit.prompt
        if len(edit.messages) > 1:
            return ProgramEdits()
        if edit.request.known:
            return ProgramEdits(plain=self._hunk_ids(edit.request.known, prompt.first_line))
        if not self.programs:
            return ProgramEdits()
        return program_edits(
            prompt.lines,
            tuple(headers(prompt.lines)),
            prompt.instruction,
            self.encode,
            prompt.selection,
            prompt.cursor,
            prompt.first_line,
        )

    def _follow_up(self, edit: EncodedEdit) -> FollowUp | None:
        """What the last message says about what was said before it; None where nothing was."""
        if len(edit.messages) < 2 or edit.request.wanted:
            return None
        standing = self._standing([*chain(*edit.pieces)])
        before = self._standing([*chain(*edit.pieces[:-1])])
        ended = answer_ended(edit.request)
        said = FollowUpContext(edit.prompt.lines, edit.messages, standing, before, ended, self.programs)
        return FollowUp(said, said.correction())

    def _hunk_ids(
        self, hunks: Sequence[tuple[int, int, tuple[str, ...]]], first_line: int
    ) -> tuple[int, ...]:
        """Hunks in lines of the file as an answer."""
        moved = [WindowHunk(first - first_line, last - first_line, new) for first, last, new in hunks]
        return answer_ids(moved, self.encode)

    def _check(self, edit: EncodedEdit) -> AnswerCheck:
        words, standing = edit.messages, self._standing([*chain(*edit.pieces)])
        earlier = "\n".join([*words[:-1], *(line for hunk in standing for line in hunk.new)])
        return AnswerCheck(
            edit.prompt.lines, words[-1], self.decode, self.newline, standing, earlier, self.encode
        )

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
                standing = [old for old in standing if not any(touch(old, new) for new in hunks)] + hunks
                piece = []
            else:
                piece.append(token)
        return tuple(standing)


@dataclass(frozen=True, slots=True)
class FollowUp:
    """What a turn was told so far, and what the last message wants of it."""

    said: FollowUpContext
    correction: Correction


def line_pipeline(candidates: LineCandidates) -> AnswerPipeline:
    """For a line of ghost text."""
    return AnswerPipeline((candidates,), candidates.sampler, candidates.ends, HELD_TOKENS, BRANCHES)
