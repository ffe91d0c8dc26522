"""An instruction that asks for two things is asked one by one, and what comes of it is offered as one answer.

Comes in: ways to part the instruction (`two_orders`), a way to ask one order, the look at the answer to the
whole. Goes out: the tokens to offer, as from that look. Must not know: requests, threads, how words are
parted.

A small model that is told two things mostly does one. So each part is asked by itself, of the same file, on a
fork of what was read, and looked over as any answer is. Where the parts keep out of each other's way, their
hunks together are the answer. Where they touch, or the second means something that the first makes, it is
asked of the text with the first done. The answer to the whole stays where it is likelier than all parts
together, more so where no part is left undone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from difflib import SequenceMatcher
from itertools import chain, pairwise

from spark_tui.backends.answers.answer_check import read_hunks
from spark_tui.backends.answers.instruction_splitter import BARE, LOOSE, PLAIN, InstructionSplit, is_order
from spark_tui.backends.answers.reranker import HELD_TOKENS, Judgement, Reranker
from spark_tui.backends.answers.sub_query import SubQuery
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.engine import Cache, Engine, Sampler, token_layout
from spark_tui.engine.constraints import ForcedText
from spark_tui.engine.generate import OnStep
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
    """In the place of `look`, for one answer. `steps`: a part may be asked of the text with another done."""

    look: Reranker
    partings: Sequence[InstructionSplit]
    ask: Ask
    encode: token_layout.Encode
    steps: bool = True
    sampler: Sampler = field(init=False)
    _tell: Callable[[Judgement], None] | None = field(init=False)
    _heard: list[Judgement] = field(init=False, default_factory=list)
    _known: dict[tuple[str, Lines | None], PartAnswer] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.sampler = self.look.sampler
        self._tell, self.look.observe = self.look.observe, self._heard.append

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
        self._heard.clear()
        offered = self.look.over(tokens, engine, cache, stopped, on_step)
        first = next(offered, None)
        if first is None:
            return
        if not self._heard:  # It is too long to be held, or was cut off.
            yield first
            yield from offered
            return
        whole = [first, *offered]
        judged = self._heard[-1]
        found = self._found(whole, judged, SubQuery(engine, cache, stopped, on_step))
        if stopped():
            return
        if found is not None:
            whole, judged = self._offered(found)
        elif whole[0].id == token_layout.HUNK and self._leaves_undone(whole):
            judged = replace(judged, sure=max(judged.sure * math.exp(UNDONE), self.look.gate.refuse))
        if whole[0].id == token_layout.HUNK:
            self.look.reader.judged = judged.sure
        if self._tell is not None:
            self._tell(replace(judged, ways=self._heard[-1].ways + len(self._known)))
        yield from whole

    def _offered(self, found: CombinedAnswer) -> tuple[list[Token], Judgement]:
        """All hunks, in the order of the file. None of them is surer than all."""
        sure = max(math.exp(min(0.0, found.logprob + LESS)), self.look.gate.refuse)
        ids = [
            *chain(*(token_layout.encode_hunk(self.encode, hunk) for hunk in found.hunks)),
            token_layout.EOS,
        ]
        tokens = [Token(token, "", logprob=0.0 if at else _log(sure)) for at, token in enumerate(ids)]
        cannot = max(answer.cannot for answer in found.answers)
        return tokens, Judgement(sure, "", cannot, max(answer.no_edit for answer in found.answers), 0)

    # -- which answers
    # -----------------------------------------------------------------------------------------------

    def _found(self, whole: Sequence[Token], judged: Judgement, asking: SubQuery) -> CombinedAnswer | None:
        """The best answer in parts, where it is better than the answer to the whole."""
        hunks = self._hunks([token.id for token in whole])
        best: CombinedAnswer | None = None
        for parting in self.partings[:MOST_PARTINGS]:
            if parting.plain == BARE and not (hunks and judged.sure < UNSURE):
                continue
            made = self._together(parting, asking)
            if asking.stopped():
                return None
            if (
                made is not None
                and self._beats(made, hunks, judged)
                and (best is None or made.score > best.score)
            ):
                best = made
                if min(answer.sure for answer in made.answers) > ENOUGH:
                    break
        return best or (None if hunks else self._one(asking))

    def _beats(self, made: CombinedAnswer, whole: Sequence[WindowHunk], judged: Judgement) -> bool:
        if not whole:
            return made.score > _log(UNSURE)
        return made.score > _log(judged.sure) + (COVERED if _covers(whole, made.answers) else 0.0)

    def _one(self, asking: SubQuery) -> CombinedAnswer | None:
        """What can be done of what plainly are several orders, where nothing else can be offered."""
        for parting in self.partings[:MOST_PARTINGS]:
            for part in parting.parts if parting.plain >= PLAIN else ():
                answer = self._answer(part, None, asking)
                if answer.hunks and answer.sure > ENOUGH:
                    return CombinedAnswer(
                        (replace(answer, sure=answer.sure * math.exp(UNDONE)),), answer.hunks, parting.plain
                    )
        return None

    def _leaves_undone(self, whole: Sequence[Token]) -> bool:
        """Whether an answer does nothing where it should by what plainly is a part."""
        hunks = self._hunks([token.id for token in whole])
        plain = (parting.parts for parting in self.partings if parting.plain >= PLAIN)
        parts = next((parts for parts in plain if all(map(is_order, parts))), ())
        return not _covers(hunks, [self._known.get((part, None), PartAnswer()) for part in parts])

    def _together(self, parting: InstructionSplit, asking: SubQuery) -> CombinedAnswer | None:
        """Beside each other where that goes, else one behind the other. Nothing where a part has no answer,
        or all of them do not hold together."""
        first, *others = parting.parts
        answers = [self._answer(first, None, asking)]
        if not answers[0].hunks:
            return None
        answers += [self._answer(part, None, asking) for part in others]
        hunks = sorted(chain(*(answer.hunks for answer in answers)), key=lambda hunk: (hunk.first, hunk.last))
        if not all(answer.hunks for answer in answers) or any(
            touch(one, two) for one, two in pairwise(hunks)
        ):
            answers = answers[:1]
            hunks = self._one_behind_the_other(others, answers, asking)
        ids = [*chain(*(token_layout.encode_hunk(self.encode, hunk) for hunk in hunks)), token_layout.EOS]
        if not hunks or len(ids) > HELD_TOKENS or self.look.check.look(ids)[0]:
            return None
        return CombinedAnswer(tuple(answers), tuple(hunks), parting.plain)

    def _one_behind_the_other(
        self, others: Sequence[str], answers: list[PartAnswer], asking: SubQuery
    ) -> list[WindowHunk]:
        """Adds what comes of each part, asked of the text with the ones before it done. Gives what all
        changes."""
        lines = self.look.check.lines
        text = _done(lines, answers[0].hunks)
        for part in others:
            if not self.steps or _NUMBERED.search(part):
                return []
            answers.append(self._answer(part, text, asking))
            if not answers[-1].hunks:
                return []
            text = _done(text, answers[-1].hunks)
        return minimal_hunks(lines, text)

    # -- one part
    # ----------------------------------------------------------------------------------------------------

    def _answer(self, part: str, lines: Lines | None, asking: SubQuery) -> PartAnswer:
        key = (part, lines)
        if key not in self._known:
            self._known[key] = self._asked(self.ask(part, lines), asking)
        return self._known[key]

    def _asked(self, asked: EncodedRequest, asking: SubQuery) -> PartAnswer:
        heard: list[Judgement] = []
        if asked.look is None and isinstance(asked.constraint, ForcedText):
            return PartAnswer(tuple(self._hunks(asked.constraint.ids)), KNOWN)
        if not isinstance(asked.look, Reranker):
            return PartAnswer()
        asked.look.observe = heard.append
        hunks = self._hunks(_offered_aside(asking, asked))
        if not heard:
            return PartAnswer()
        found = heard[-1]
        return PartAnswer(tuple(hunks), found.sure, found.cannot, found.no_edit)

    def _hunks(self, ids: Sequence[int]) -> list[WindowHunk]:
        kind, hunks = read_hunks(ids, self.look.check.decode, self.look.check.newline)
        return hunks if kind == "edit" else []


def _offered_aside(asking: SubQuery, asked: EncodedRequest) -> list[int]:
    """What would be offered; nothing where it was stopped or is too long to be held."""
    if asking.stopped():
        return []
    fork = asking.cache.fork()
    try:
        return asking.tokens(asked, asked.ids, fork, HELD_TOKENS)
    finally:
        fork.drop()


def _covers(whole: Sequence[WindowHunk], answers: Sequence[PartAnswer]) -> bool:
    """Whether something is done about every part; not where nothing is known of one, or all that is done is
    one."""
    if any(list(answer.hunks) == list(whole) for answer in answers):
        return False
    return all(any(touch(old, new) for old in whole for new in answer.hunks) for answer in answers)


def _done(lines: Lines, hunks: Sequence[WindowHunk]) -> Lines:
    """The text behind hunks that hold together."""
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
