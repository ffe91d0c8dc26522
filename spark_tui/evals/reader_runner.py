"""Run one case through the learned reader, as a session does before it asks a language model."""

from __future__ import annotations

import time
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from spark_tui.context.mentions import without_files
from spark_tui.evals.cases import EvalCase, apply
from spark_tui.intent.answering.answer import answer
from spark_tui.intent.answering.earlier import UNREAD, earlier_done
from spark_tui.intent.answering.offering import offered
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.planning.answers import Way
from spark_tui.intent.reading.near_roles import MessageRoles
from spark_tui.intent.reading.reader import Reader
from spark_tui.pysource.files.tree import DictTree, DiskTree
from spark_tui.pysource.repository import Repository

_FOLDER = "case/"
"""Where a case stands in the repository around it."""


@dataclass(frozen=True, slots=True)
class ReaderAnswer:
    """What the reader made of a case. `texts` are the results of its edit, or of each choice."""

    kind: str
    texts: tuple[str, ...]
    confidence: float
    marked: bool
    calls: str
    seconds: float


class CaseReader:
    """Reads cases; the weights are loaded once. With `around` each stands in a folder of that repository."""

    def __init__(self, around: Path | None = None) -> None:
        self._around = around

    @cached_property
    def _repository(self) -> Repository | None:
        return Repository(DiskTree(self._around)) if self._around is not None else None

    @cached_property
    def _reader(self) -> Reader:
        return Reader.load()

    def ask(self, case: EvalCase, written: str) -> ReaderAnswer:
        """`written`: the file with the hunks that stand before a steer."""
        case, begun = self._placed(case), time.perf_counter()
        situation, message = self._situation(case, written)
        roles = MessageRoles().of(message, situation.repo.index, situation.path)
        found = answer(message, self._reader, situation, roles)
        best = found.ways[0] if found.ways else None
        return ReaderAnswer(
            found.kind,
            tuple(_text(way, case, situation) for way in found.ways),
            best.confidence if best is not None else 0.0,
            bool(best is not None and best.marked),
            str(best.calls) if best is not None else found.reason,
            time.perf_counter() - begun,
        )

    def offers(self, case: EvalCase, doubt: float) -> tuple[str, ...]:
        """The results that a session offers where the language model has no edit; see `offered`."""
        case = self._placed(case)
        situation, message = self._situation(case, case.before)
        roles = MessageRoles().of(message, situation.repo.index, situation.path)
        ways = offered(message, self._reader, situation, roles, doubt)
        return tuple(_text(way, case, situation) for way in ways)

    def _situation(self, case: EvalCase, written: str) -> tuple[Situation, str]:
        """What is known, and what is said."""
        before = self._before({**case.files, case.path: case.before})
        situation, message = Situation(before, case.path), case.instruction
        if case.steer:
            message = case.steer
            situation = replace(
                situation,
                repo=before.with_changes({case.path: written}),
                before=before,
                earlier=self._earlier(case.instruction, situation, case.path, written),
            )
        elif case.history:
            past = case.history[-1]
            # What was turned down is not in the file; the file of what was taken before it is not known.
            rejected = past.hunks if not past.kept else ()
            shown = apply(case.before, rejected) if rejected else None
            earlier = self._earlier(past.instruction, situation, case.path, shown)
            turned_down = before.with_changes({case.path: shown}) if shown is not None else None
            situation = replace(situation, before=before, earlier=earlier, written=turned_down)
        return situation, without_files(message)

    def _placed(self, case: EvalCase) -> EvalCase:
        if self._around is None:
            return case
        files = {_FOLDER + path: text for path, text in case.files.items()}
        return replace(case, path=_FOLDER + case.path, files=files)

    def _before(self, files: dict[str, str]) -> Repository:
        around = self._repository
        return around.with_changes(files) if around is not None else Repository(DictTree(files))

    def _earlier(self, asked: str, situation: Situation, path: str, written: str | None) -> Done:
        roles = MessageRoles().of(asked, situation.repo.index, path)
        texts = {path: written} if written is not None else {}
        partial = written == situation.repo.index.text(path)
        found = earlier_done(without_files(asked), self._reader, situation, roles, texts, partial=partial)
        return found or Done(UNREAD, {}, ())


def _text(way: Way, case: EvalCase, situation: Situation) -> str:
    """The file with an edit."""
    base = situation.before if way.from_before and situation.before is not None else situation.repo
    return way.plan.texts(base).get(case.path) or base.index.text(case.path) or ""
