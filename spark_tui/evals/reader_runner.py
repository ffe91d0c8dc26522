"""Run one case through the learned reader, as a session does before it asks a language model."""

from __future__ import annotations

import time
from dataclasses import dataclass
from functools import cached_property

from spark_tui.context.mentions import without_files
from spark_tui.evals.cases import EvalCase
from spark_tui.intent.answer import Answer, answer, earlier_done
from spark_tui.intent.reader import Reader
from spark_tui.intent.situation import Done, Situation
from spark_tui.intent.symbol_roles import repository_roles
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.tree import DictTree


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
    """Reads cases; the weights are loaded once."""

    @cached_property
    def _reader(self) -> Reader:
        return Reader.load()

    def ask(self, case: EvalCase, written: str) -> ReaderAnswer:
        """`written`: the file with the hunks that stand before a steer."""
        begun = time.perf_counter()
        before = Repository(DictTree({case.path: case.before}))
        found = self._answer(case.instruction, Situation(before, case.path))
        base = case.before
        if case.steer:
            earlier = found.ways[0].done if found.kind == "edit" else None
            texts_of = found.ways[0].plan.texts(before) if found.kind == "edit" else {}
            if texts_of.get(case.path) != written:
                earlier = self._earlier(case, written, Situation(before, case.path)) or earlier
            earlier = earlier or Done("", {}, ())
            repo = before.with_changes({case.path: written})
            found = self._answer(case.steer, Situation(repo, case.path, earlier=earlier, before=before))
            base = written
        texts = []
        for way in found.ways:
            changed = way.plan.texts(before if way.from_before or not case.steer else repo)
            texts.append(changed.get(case.path) or (case.before if way.from_before else base))
        best = found.ways[0] if found.ways else None
        return ReaderAnswer(
            found.kind,
            tuple(texts),
            best.confidence if best is not None else 0.0,
            bool(best is not None and best.marked),
            str(best.calls) if best is not None else found.reason,
            time.perf_counter() - begun,
        )

    def _earlier(self, case: EvalCase, written: str, situation: Situation) -> Done | None:
        roles = repository_roles(situation.repo.index, (case.path,))
        text = without_files(case.instruction)
        return earlier_done(text, self._reader, situation, roles, {case.path: written})

    def _answer(self, text: str, situation: Situation) -> Answer:
        roles = repository_roles(situation.repo.index, (situation.path,))
        return answer(without_files(text), self._reader, situation, roles)
