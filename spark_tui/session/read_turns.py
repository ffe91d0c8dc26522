"""Turns that the learned reader makes of what a person says, where no language model is needed."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as StopFlag

from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import UsageError
from spark_tui.events import Event
from spark_tui.intent.situation import Done
from spark_tui.session.decisions import Decisions
from spark_tui.session.edit_commands import is_edit_command
from spark_tui.session.exact_turns import ExactTurns
from spark_tui.session.instruction_reader import InstructionReader, ReadInstruction, ReadWay
from spark_tui.session.steering import withdrawals
from spark_tui.session.turn_record import TurnRecord, TurnRecords

_DECIDED = frozenset(("accepted", "edited", "applied", "undone"))


class ReadTurns:
    """The reader's turns of a session. What it did last is known as long as the process runs."""

    def __init__(self, exact: ExactTurns, records: TurnRecords, decisions: Decisions) -> None:
        self._exact, self._records, self._decisions = exact, records, decisions
        self._reader = InstructionReader()
        self._done: dict[str, Done] = {}
        self._choices: tuple[str, ContextRequest, tuple[ReadWay, ...]] | None = None

    def answer(self, ask: ContextRequest, stop: StopFlag) -> Iterator[Event] | None:
        """The turn that answers this; None where it is for a language model."""
        last = self._records.last
        earlier = self._done.get(last.turn_id) if last is not None else None
        stands = last is not None and self._stands(last)
        with self._exact.reading() as edits:
            found = self._reader.read(ask, edits, earlier if stands else None)
        if found is None:
            return None
        amended = last if found.amends and last is not None else None
        return self._run(ask, found, amended, stop)

    def choose(self, number: int, *, stop: StopFlag) -> Iterator[Event]:
        """Take one of the choices of the last turn, counted from 1."""
        last = self._records.last
        if last is None or self._choices is None or self._choices[0] != last.turn_id:
            raise UsageError("nothing to choose from", hint="Send the instruction again.")
        _, ask, ways = self._choices
        if not 1 <= number <= len(ways):
            raise UsageError(f"there is no choice {number}", hint=f"Choose 1 to {len(ways)}.")
        yield from self._show(ask, ways[number - 1], stop)

    def retry(self, record: TurnRecord, *, stop: StopFlag) -> Iterator[Event]:
        """The last turn again: a command is planned anew, words are taken otherwise."""
        if is_edit_command(record.instruction):
            yield from self._exact.retry(record, stop=stop)
            return
        with self._exact.reading() as edits:
            tried = Done("", {}, (), turned_down=self._turned_down(record))
            found = self._reader.read(record.ask, edits, tried)
        record.retried = True
        if found is None:
            raise UsageError("it cannot be taken otherwise", hint="Say it in other words.")
        yield from self._run(record.ask, found, record, stop)

    def _turned_down(self, record: TurnRecord) -> tuple[str, ...]:
        """The calls that were offered for these words before."""
        done = self._done.get(record.turn_id)
        return (*done.turned_down, str(done.calls)) if done is not None else ()

    def _stands(self, record: TurnRecord) -> bool:
        """Whether nobody decided about its hunks yet."""
        return all(state not in _DECIDED for _, state in self._decisions.hunks_of(record))

    def _run(
        self, ask: ContextRequest, found: ReadInstruction, amended: TurnRecord | None, stop: StopFlag
    ) -> Iterator[Event]:
        if amended is not None and found.ending in ("stop", "no_edit"):
            for decided in withdrawals(self._decisions.hunks_of(amended)):
                self._decisions.decide(decided.hunk_id, decided.decision)
                yield decided
        if found.ending == "stop":
            yield from self._show(ask, found.ways[0], stop)
            return
        titles = [one.title for one in found.ways]
        record = self._exact.say(ask, found.sentence, titles, found.ending, found.seconds)
        if titles:
            self._choices = record.turn_id, ask, found.ways
        yield from self._exact.run_record(record, stop)

    def _show(self, ask: ContextRequest, way: ReadWay, stop: StopFlag) -> Iterator[Event]:
        record = self._exact.record(way.planned, ask)
        if way.done is not None:
            self._done[record.turn_id] = way.done
        yield from self._exact.run_record(record, stop)
