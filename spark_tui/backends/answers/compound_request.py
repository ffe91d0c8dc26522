"""Asks an instruction for several things part by part, and offers the answers as one where that is better.

A small model that is told two things mostly does one. So each part is asked alone, about the same file, on a
fork of the cache. Where the parts' hunks do not touch, together they are the answer. Where they touch, or the
second part means something that the first makes, the second is asked about the text with the first done. The
answer to the whole instruction stays where it is likelier than all parts together, more so where it does
something about every part.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import chain, pairwise
from typing import ClassVar

from spark_tui.backends.answers.answer_check import AnswerCheck, read_hunks
from spark_tui.backends.answers.instruction_splitter import BARE, LOOSE, PLAIN, InstructionSplit, is_order
from spark_tui.backends.answers.pipeline import HELD_TOKENS, STOPPED, Answer, Judgement, StageContext, State
from spark_tui.backends.answers.sub_query import sub_query
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.engine import token_layout
from spark_tui.engine.token_layout import WindowHunk
from spark_tui.events import Token
from spark_tui.steers.corrected import touch

MOST_PARTINGS = 3
CREDIT = {BARE: 0.0, LOOSE: 2.0, PLAIN: 6.0}
"""What speaks for several answers in the place of one, in units of log-probability, by how plainly there are
several orders; a list is as plain as can be."""
COVERED = 2.0
"""What speaks for an answer to the whole that does something about every part."""
UNSURE = 0.05
"""Where it is not plain that there are two orders, only a whole answer that is less sure is doubted. No
answer at all counts as one that is so sure."""
ENOUGH = 0.2
"""With every part so sure no other way to part the instruction is tried."""
LESS = -1.5
"""As a log-probability, what is taken off how sure all parts are. Of those without it that came without a
mark two thirds were right."""
UNDONE = -2.0
"""The same for an answer that leaves undone what plainly is a part."""
KNOWN = 0.95
"""How sure an answer is that nobody has to find."""
_NUMBERED = re.compile(r"\b(?:lines?|ln)\b|\bL\.?\d", re.IGNORECASE)

Lines = tuple[str, ...]
Ask = Callable[[str, Lines | None], EncodedRequest]
"""Of an order, and of a text in the place of the file, where there is one."""


@dataclass(frozen=True, slots=True)
class PartAnswer:
    """What came of one part. No hunks: nothing that can be offered."""

    hunks: tuple[WindowHunk, ...] = ()
    sure: float = 0.0
    cannot: float = 0.0
    no_edit: float = 0.0


@dataclass(frozen=True, slots=True)
class CombinedAnswer:
    """The answers to all parts, and as one."""

    answers: tuple[PartAnswer, ...]
    hunks: tuple[WindowHunk, ...]
    plain: int

    @property
    def logprob(self) -> float:
        return sum(_log(answer.sure) for answer in self.answers)

    @property
    def score(self) -> float:
        return self.logprob + CREDIT[min(self.plain, PLAIN)]


@dataclass(slots=True)
class CompoundRequest:
    """Takes the whole answer to the instruction and gives it, or the combined answers to its parts. `steps`:
    a part may be asked about the text with another done; `least_sure`: what is offered counts as no less
    sure."""

    takes: ClassVar[State] = "whole"
    check: AnswerCheck
    splits: Sequence[InstructionSplit]
    ask: Ask
    encode: token_layout.Encode
    least_sure: float = 0.0
    steps: bool = True
    _known: dict[tuple[str, Lines | None], PartAnswer] = field(init=False, default_factory=dict)

    def apply(self, answer: Answer, context: StageContext) -> Answer:
        judged = answer.judgement
        if judged is None:
            return answer
        whole = list(answer.tokens)
        found = self._found(whole, judged, context)
        if context.stopped():
            return STOPPED
        ways = judged.ways + len(self._known)
        if found is not None:
            whole, judged = self._offered(found)
        elif whole[0].id == token_layout.HUNK and self._leaves_undone(whole):
            judged = replace(judged, sure=max(judged.sure * math.exp(UNDONE), self.least_sure))
        confidence = judged.sure if whole[0].id == token_layout.HUNK else None
        return Answer(whole, "whole", confidence, replace(judged, ways=ways))

    def _offered(self, found: CombinedAnswer) -> tuple[list[Token], Judgement]:
        """All hunks, in the order of the file. None of them is surer than all."""
        sure = max(math.exp(min(0.0, found.logprob + LESS)), self.least_sure)
        ids = [
            *chain(*(token_layout.encode_hunk(self.encode, hunk) for hunk in found.hunks)),
            token_layout.EOS,
        ]
        tokens = [Token(token, "", logprob=0.0 if at else _log(sure)) for at, token in enumerate(ids)]
        cannot = max(answer.cannot for answer in found.answers)
        return tokens, Judgement(sure, "", cannot, max(answer.no_edit for answer in found.answers), 0)

    # -- which answers
    # -----------------------------------------------------------------------------------------------

    def _found(
        self, whole: Sequence[Token], judged: Judgement, context: StageContext
    ) -> CombinedAnswer | None:
        """The best answer in parts, where it is better than the answer to the whole."""
        hunks = self._hunks([token.id for token in whole])
        best: CombinedAnswer | None = None
        for parting in self.splits[:MOST_PARTINGS]:
            if parting.plain == BARE and not (hunks and judged.sure < UNSURE):
                continue
            made = self._together(parting, context)
            if context.stopped():
                return None
            if (
                made is not None
                and self._beats(made, hunks, judged)
                and (best is None or made.score > best.score)
            ):
                best = made
                if min(answer.sure for answer in made.answers) > ENOUGH:
                    break
        return best or (None if hunks else self._one(context))

    def _beats(self, made: CombinedAnswer, whole: Sequence[WindowHunk], judged: Judgement) -> bool:
        if not whole:
            return made.score > _log(UNSURE)
        return made.score > _log(judged.sure) + (COVERED if _covers(whole, made.answers) else 0.0)

    def _one(self, context: StageContext) -> CombinedAnswer | None:
        """What can be done of what plainly are several orders, where nothing else can be offered."""
        for parting in self.splits[:MOST_PARTINGS]:
            for part in parting.parts if parting.plain >= PLAIN else ():
                answer = self._answer(part, None, context)
                if answer.hunks and answer.sure > ENOUGH:
                    return CombinedAnswer(
                        (replace(answer, sure=answer.sure * math.exp(UNDONE)),), answer.hunks, parting.plain
                    )
        return None

    def _leaves_undone(self, whole: Sequence[Token]) -> bool:
        """Whether an answer does nothing where it should by what plainly is a part."""
        hunks = self._hunks([token.id for token in whole])
        plain = (parting.parts for parting in self.splits if parting.plain >= PLAIN)
        parts = next((parts for parts in plain if all(map(is_order, parts))), ())
        return not _covers(hunks, [self._known.get((part, None), PartAnswer()) for part in parts])

    def _together(self, parting: InstructionSplit, context: StageContext) -> CombinedAnswer | None:
        """Beside each other where that goes, else one behind the other. Nothing where a part has no answer,
        or all of them do not hold together."""
        first, *others = parting.parts
        answers = [self._answer(first, None, context)]
        if not answers[0].hunks:
            return None
        answers += [self._answer(part, None, context) for part in others]
        hunks = sorted(chain(*(answer.hunks for answer in answers)), key=lambda hunk: (hunk.first, hunk.last))
        if not all(answer.hunks for answer in answers) or any(
            touch(one, two) for one, two in pairwise(hunks)
        ):
            answers = answers[:1]
            hunks = self._one_behind_the_other(others, answers, context)
        ids = [*chain(*(token_layout.encode_hunk(self.encode, hunk) for hunk in hunks)), token_layout.EOS]
        if not hunks or len(ids) > HELD_TOKENS or self.check.look(ids)[0]:
            return None
        return CombinedAnswer(tuple(answers), tuple(hunks), parting.plain)

    def _one_behind_the_other(
        self, others: Sequence[str], answers: list[PartAnswer], context: StageContext
    ) -> list[WindowHunk]:
        """Adds what comes of each part, asked of the text with the ones before it done. Gives what all
        changes."""
        lines = self.check.lines
        text = _done(lines, answers[0].hunks)
        for part in others:
            if not self.steps or _NUMBERED.search(part):
                return []
            answers.append(self._answer(part, text, context))
            if not answers[-1].hunks:
                return []
            text = _done(text, answers[-1].hunks)
        return minimal_hunks(lines, text)

    # -- one part
    # ----------------------------------------------------------------------------------------------------

    def _answer(self, part: str, lines: Lines | None, context: StageContext) -> PartAnswer:
        key = (part, lines)
        if key in self._known:
            return self._known[key]
        if context.stopped():
            return PartAnswer()
        answer = self._asked(self.ask(part, lines), context)
        if not context.stopped():
            # An answer that was interrupted is asked again when the request resumes.
            self._known[key] = answer
        return answer

    def _asked(self, asked: EncodedRequest, context: StageContext) -> PartAnswer:
        if asked.known_ids:
            return PartAnswer(tuple(self._hunks(asked.known_ids)), KNOWN)
        answer = _answered_on_fork(asked, context)
        found = answer.judgement
        if found is None:
            return PartAnswer()
        hunks = self._hunks([token.id for token in answer.tokens])
        return PartAnswer(tuple(hunks), found.sure, found.cannot, found.no_edit)

    def _hunks(self, ids: Sequence[int]) -> list[WindowHunk]:
        kind, hunks = read_hunks(ids, self.check.decode, self.check.newline)
        return hunks if kind == "edit" else []


def _answered_on_fork(asked: EncodedRequest, context: StageContext) -> Answer:
    """What would be offered. It has no judgement where it was stopped or is too long to be held."""
    fork = context.cache.fork()
    try:
        return sub_query(context, asked, asked.ids, fork, HELD_TOKENS)
    finally:
        fork.drop()


def _covers(whole: Sequence[WindowHunk], answers: Sequence[PartAnswer]) -> bool:
    """Whether something is done about every part; not where nothing is known of one, or all that is done is
    one."""
    if any(list(answer.hunks) == list(whole) for answer in answers):
        return False
    return all(any(touch(old, new) for old in whole for new in answer.hunks) for answer in answers)


def _done(lines: Lines, hunks: Sequence[WindowHunk]) -> Lines:
    """The text after applying hunks that pass the checks."""
    out: list[str] = []
    at = 0
    for hunk in sorted(hunks, key=lambda item: (item.first, item.last)):
        out += [*lines[at : hunk.first], *hunk.new]
        at = hunk.last
    return (*out, *lines[at:])


def minimal_hunks(old: Sequence[str], new: Sequence[str]) -> list[WindowHunk]:
    """The least hunks from one text to the other."""
    codes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [WindowHunk(a, b, tuple(new[c:d])) for code, a, b, c, d in codes if code != "equal"]


def _log(chance: float) -> float:
    return math.log(max(chance, 1e-9))
