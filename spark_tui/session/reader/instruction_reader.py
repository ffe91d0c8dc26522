"""Reads instructions without a language model: edits that may be meant, planned on the repository."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from spark_tui.codemods.hunks import text_hunks
from spark_tui.codemods.registry import render
from spark_tui.context.mentions import paths_in, without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.answering.answer import answer_fix
from spark_tui.intent.answering.complete_messages import answer_behind_edit
from spark_tui.intent.answering.joined_messages import answer_together
from spark_tui.intent.answering.offering import offered
from spark_tui.intent.answering.try_readings import NO_EDIT
from spark_tui.intent.context.areas import explain_missing_file, unknown_files
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.amendments.by_call import GOES_ON, kind_of_amended
from spark_tui.intent.followups.parts.named import names_kind
from spark_tui.intent.followups.settled_orders import settled
from spark_tui.intent.planning.answers import (
    Answer,
    Way,
    is_about_choice,
    marked_with,
    titles_apart,
)
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.words.doubts import DoubtKind, is_of
from spark_tui.intent.words.readings import Reads, SymbolRoles
from spark_tui.pysource.parse_errors import in_conflict
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.exact_turn import PlannedEdit
from spark_tui.session.exact.kept_hunks import still_kept
from spark_tui.session.reader.message_situation import situation_of
from spark_tui.session.reader.named_files import named_files, new_file, why_unlisted
from spark_tui.session.reader.no_hunk_reason import (
    CAN_DO,
    NO_NEW_FILE,
    error_of_open,
    explain,
    found_elsewhere,
    names_no_file,
)
from spark_tui.session.reader.pasted_edits import at_problem, linter_answer, pasted_edit
from spark_tui.session.reader.pasted_input import has_pasted_lines, pasted_problems, pasted_traceback
from spark_tui.session.reader.read_instruction import Ending, ReadInstruction, ReadWay, told_apart
from spark_tui.session.reader.reader_edit import ReaderEdit
from spark_tui.session.reader.reader_edits import Base, JoinedEdit
from spark_tui.session.reader.taken_back import taken_back
from spark_tui.session.tree.exact_edits import ExactEdits

_ENDINGS: Mapping[str, Ending] = {
    "edit": "stop",
    "choices": "choices",
    "nothing": "no_edit",
    "cannot": "cannot",
    "question": "cannot",
    "chat": "cannot",
    "write": "write",
}
_LINE_AS_WORDS = "the linter's line was read together with the words around it, or its file is another one"


class InstructionReader:
    """Reads with `reader`, by default the shipped one, which is loaded once. `may_try`: whether code of the
    repository may be run now, to try repairs."""

    def __init__(self, reader: Reads | None = None, may_try: Callable[[], bool] = lambda: True) -> None:
        self._reader, self._may_try = reader, may_try
        self.roles = MessageRoles()

    def load(self) -> Reads:
        if self._reader is None:
            from spark_tui.intent.reading.reader import Reader

            self._reader = Reader.load()
        return self._reader

    def read(
        self,
        ask: ContextRequest,
        edits: ExactEdits,
        base: Base,
        turned_down: tuple[str, ...] = (),
        standing: Base | None = None,
    ) -> ReadInstruction:
        """The edits that may be meant. `turned_down` are calls, as text, that were offered for these
        words before, which means that the last edit has been withdrawn. `standing` is the base whose
        last edit goes."""
        begun = time.monotonic()
        standing, one = standing or base, base.as_one
        if base.last is not None and base.last.edit.done.intent == GOES_ON:
            base = one
        pasted = pasted_edit(ask.instruction, edits, begun)
        if pasted is not None:
            return pasted
        if names_no_file(ask, base.disk):
            return ReadInstruction("write")  # showing the files to a model says which is not there
        instruction = without_files(ask.instruction)
        if pasted_lines := pasted_problems(instruction, edits.root):
            base = Base(base.disk)  # it is the files that the linter has read
        situation = replace(situation_of(ask, base, turned_down), may_try=self._may_try)
        found = linter_answer(instruction, edits.root, situation, begun)
        if found is None or (len(pasted_lines) == 1 and not found.ways):
            found = answer_behind_edit(
                instruction, self.load(), situation, self._roles(instruction, situation)
            )
            found = answer_together(found, self.load(), situation, lambda text: self._roles(text, situation))
            for problem in pasted_lines:
                found = at_problem(found, problem, situation.repo)
            if not pasted_lines and has_pasted_lines(instruction):
                found = replace(found, ways=tuple(marked_with(_LINE_AS_WORDS, way) for way in found.ways))
        if not found.ways and (request := pasted_traceback(instruction, edits.files.root)) is not None:
            found = answer_fix(request, situation) or found
        read = _Read(ask, edits, base, bool(turned_down), begun, standing).instruction(found)
        if base.last is not one.last and not (read.ways or read.withdrawn or turned_down or pasted_lines):
            # What cannot be meant for the last edit may be for the one before it.
            whole = self.read(ask, edits, one, turned_down, standing)
            return whole if whole.ending == "stop" else read
        return read

    def offers(self, ask: ContextRequest, edits: ExactEdits, base: Base, doubt: float) -> tuple[ReadWay, ...]:
        """The edits to choose from, where none is sure enough and a model has none."""
        begun = time.monotonic()
        if names_no_file(ask, base.disk):
            return ()
        situation, instruction = situation_of(ask, base, ()), without_files(ask.instruction)
        ways = offered(instruction, self.load(), situation, self._roles(instruction, situation), doubt)
        touched = {path for way in ways for path in way.plan.texts(situation.repo)}
        if error_of_open(base.disk, (*ask.files, ask.in_view), touched):
            return ()
        found = Answer("choices", ways)
        for problem in pasted_problems(instruction, edits.root):
            found = at_problem(found, problem, situation.repo)
        return _Read(ask, edits, base, False, begun, base).instruction(found).ways

    def _roles(self, text: str, situation: Situation) -> SymbolRoles:
        return self.roles.of(text, situation.repo.index, situation.path)

    def amends(self, ask: ContextRequest, base: Base) -> bool:
        """Whether a message most likely changes the last edit, but does not take it back."""
        likeliest = set(self._intents(ask, base))
        return bool(likeliest - NO_EDIT) or ("amend.undo" in likeliest and names_kind(ask.instruction))

    def only_amends(self, ask: ContextRequest, base: Base) -> bool:
        """Whether a message means nothing without the last edit."""
        intents = self._intents(ask, base)
        return bool(intents) and all(intent.startswith("amend.") for intent in intents)

    def takes_back(self, ask: ContextRequest, base: Base) -> bool:
        """Whether a message most likely takes the last edit back, and says nothing else."""
        return self._intents(ask, base) == ["amend.undo"]

    def _intents(self, ask: ContextRequest, base: Base) -> list[str]:
        """The likeliest intents of a message about the last edit."""
        situation = situation_of(ask, base, ())
        if situation.earlier is None:
            return []
        instruction = without_files(ask.instruction)
        orders = self.load().read(instruction, self._roles(instruction, situation), situation.earlier.intent)
        first = (settled(order, situation).readings[:1] for order in orders)
        return [reading.intent for found in first for reading in found]


@dataclass(frozen=True)
class _Read:
    """Turns the answer to one message into hunks."""

    ask: ContextRequest
    edits: ExactEdits
    base: Base
    retried: bool
    begun: float
    standing: Base

    def instruction(self, found: Answer) -> ReadInstruction:
        if found.kind == "undo":
            return taken_back(self.standing, self.edits, self.ask.instruction, self.seconds)
        local = tuple(way for way in found.ways if not self._is_elsewhere(way))
        elsewhere = bool(found.ways and not local)
        chosen, named = elsewhere or found.kind == "choices", found.ways if elsewhere else local
        titles = zip(named, map(self.base.as_written, titles_apart(named)), strict=True)
        ways = told_apart(made for way, title in titles if (made := self.way(way, title, chosen)) is not None)
        ending = _ENDINGS[found.kind]
        sentence = explain(found.kind, found.reason, self.shown)
        touched = {path for way in found.ways for path in way.plan.texts(self.base.repo)}
        error = error_of_open(self.base.disk, self.shown, touched)
        if error and (chosen or (found.kind == "write" and sentence == CAN_DO)):
            sentence = f"{error}."
        elif elsewhere:
            parts = found_elsewhere(sorted(touched), self.named), why_unlisted(self.named, self.base.disk)
            sentence = " ".join(filter(None, parts))
        if elsewhere:
            return ReadInstruction("choices" if ways else "write", ways, sentence, self.seconds)
        new = new_file(self.ask.instruction, self.base.disk)
        if new and found.kind in ("cannot", "write") and new not in found.reason:
            sentence = NO_NEW_FILE.format(path=new)
        if local and not ways and found.kind == "edit" and self._gives_back(local[0]):
            return taken_back(self.standing, self.edits, self.ask.instruction, self.seconds, whole=True)
        if found.ways and not ways:
            ending, sentence = "no_edit", "There is nothing to do: the files are like that already."
        if not ways and found.kind in ("nothing", "cannot", "write"):
            sentence = why_unlisted(self.named, self.base.disk) or sentence
        index = self.base.disk.index
        read = [path for path in self.shown if path in index.paths]
        if ending == "write" and (found.closed or any(in_conflict(index.source(path)) for path in read)):
            ending = "cannot"  # a model would take a conflict for code
        return ReadInstruction(ending, ways, sentence, self.seconds)

    @property
    def seconds(self) -> float:
        return time.monotonic() - self.begun

    @cached_property
    def named(self) -> tuple[str, ...]:
        """The files of the repository that the person names."""
        return named_files(self.ask, self.base.disk)

    @property
    def shown(self) -> tuple[str, ...]:
        return (*self.named, self.ask.in_view)

    def _is_elsewhere(self, way: Way) -> bool:
        """Whether an edit has nothing to do with the files that are named. One that is not in doubt may
        have, if it can be planned there: ignored files and those of a submodule are not indexed. One that
        was tried has: what is named is the test."""
        if any(is_of(mark, DoubtKind.TRIED) for mark in way.marked):
            return False
        indexed = not {*self.named}.isdisjoint(self.base.disk.index.all_paths)
        if not self.named or (indexed and not way.marked):
            return False
        touched = {*way.plan.texts(self.base.repo), *paths_in("; ".join(map(render, way.calls)))}
        return touched.isdisjoint(self.named)

    def _gives_back(self, way: Way) -> bool:
        """Whether this edit undoes the last one completely."""
        instead = way.from_before or self.retried
        return self.base.last is not None and bool(
            self.base.joined(way.plan, in_place_of_last=instead).replaced
        )

    def way(self, way: Way, title: str, chosen: bool) -> ReadWay | None:
        """None if the files would not change. An edit that the user chose gets no mark about the other
        choices."""
        instead = way.from_before or self.retried
        joined = self.base.joined(way.plan, in_place_of_last=instead)
        disk = self.edits.repo
        alone = not joined.replaced and not instead
        hunks = self.edits.hunks(way.plan) if alone else text_hunks(joined.after, disk)
        if not hunks:
            return None
        shown = "; ".join(render(call) for call in way.calls) or title
        marked = [item for item in way.marked if not (chosen and is_about_choice(item))]
        last = self.base.last if way.from_before else None
        still = last.marks_of_amended(joined.after, marked) if last is not None else ()
        unknown = unknown_files(self.base.disk, without_files(self.ask.instruction)) if way.calls else ()
        # One that the call mentions may be a new file, or a text.
        missing = (explain_missing_file(self.base.disk, item) for item in unknown if item not in shown)
        broken = error_of_open(self.base.disk, self.shown, way.plan.texts(self.base.repo))
        guessed = tuple(dict.fromkeys(filter(None, (broken, *missing, *marked, *still, self.edits.partly))))
        kept = still_kept(hunks, joined.earlier, self._asked(way), guessed)
        planned = PlannedEdit(
            self.ask.instruction,
            shown,
            way.plan,
            hunks,
            self.edits.as_read(hunks),
            self.seconds,
            guessed=guessed,
            kept=kept,
        )
        return ReadWay(title, planned, joined.replaced, self._edit(way, joined, disk, planned), disk)

    def _asked(self, way: Way) -> tuple[str, ...]:
        """What was asked for, with what this amends."""
        last = self.base.last if way.from_before and not self.retried else None
        return (*(last.asked if last is not None else ()), self.ask.instruction)

    def _edit(self, way: Way, joined: JoinedEdit, disk: Repository, made: PlannedEdit) -> ReaderEdit | None:
        if way.done is None:
            return None
        texts = {path: disk.index.text(path) for path in joined.after}
        last = self.base.last
        earlier = kind_of_amended(last.edit.done, last.edit.earlier) if last is not None else None
        if self.retried:
            earlier = last.edit.earlier if last is not None else None
        kept, whole = tuple(made.kept.values()), None
        further = last in self.base.pending and not way.from_before and not self.retried
        if last is not None and further and last.edit.after.keys() <= joined.after.keys():
            whole = {path: self.base.before.index.text(path) for path in joined.after}
        stood = last is not None and (last.written or last in self.base.pending)
        amended = last.edit if last is not None and stood and way.from_before and not self.retried else None
        after, marked, asked = joined.after, made.guessed, self._asked(way)
        return ReaderEdit(way.done, texts, joined.before, after, marked, earlier, kept, asked, whole, amended)
