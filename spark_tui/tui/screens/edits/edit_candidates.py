"""Finds the candidates at the caret of a command, ranked by the typed letters. Runs on threads."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from spark_tui.session.exact.edit_commands import usage_of
from spark_tui.session.exact.edit_completion import MARKS, Completion, Completions
from spark_tui.session.exact.edit_cursor import Cursor
from spark_tui.session.exact.exact_turns import EditRefused, ExactTurns
from spark_tui.tui.text.fuzzy_match import FuzzyFinder, best
from spark_tui.tui.widgets.choice_list import ChoiceRow

_MOST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Found:
    """What was found for one state of the line. `call` is what Enter would do, `missing` why it would do
    nothing."""

    candidates: Completions
    rows: Sequence[ChoiceRow]
    total: int
    call: str = ""
    missing: str = ""
    usage: str = ""

    @property
    def is_sure(self) -> bool:
        """Whether the first row contains the typed letters in one piece, so that later results cannot be
        better."""
        return bool(self.rows) and self.candidates.typed in self.rows[0].value


NOTHING = Found(Completions(0, 0, ""), (), 0)


class CandidateFinder:
    """One for each line that is typed; one look at a time."""

    def __init__(self, exact: ExactTurns, cursor: Cursor, given_up: Callable[[], bool]) -> None:
        self._exact, self._cursor, self._given_up = exact, cursor, given_up
        self._finder: FuzzyFinder[Completion] = FuzzyFinder()
        self._far: tuple[Sequence[Completion], list[tuple[str, Completion]]] = ((), [])

    def find(self, line: str, at: int) -> Found:
        """The candidates at a position in the line; the file in view comes before the rest of the
        repository."""
        found = self._exact.candidates(line, at, self._cursor.path)
        near = best(found.typed, ((item.text, item) for item in found.near), _MOST_SHOWN)
        if self._far[0] is not found.far:
            self._far, self._finder = (
                (found.far, [(completion.text, completion) for completion in found.far]),
                FuzzyFinder(),
            )
        far, count = self._finder.find(found.typed, self._far[1], _MOST_SHOWN, self._given_up) or ([], 0)
        first: dict[str, Completion] = {}
        for item in (*near, *far):
            first.setdefault(item.text, item)
        choices = [
            ChoiceRow(text, text, item.detail, by_label=True, mark=MARKS.get(item.kind, ""))
            for text, item in first.items()
        ]
        call = missing = ""
        try:
            call = self._exact.complete(line, self._cursor).shown
        except EditRefused as error:
            missing = error.what
        total = len(near) + count
        return Found(found, choices[:_MOST_SHOWN], total, call, missing, usage_of(line))
