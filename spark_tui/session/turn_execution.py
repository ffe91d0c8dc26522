"""Running a turn of a session: each event is journaled, then kept in the review, then shown.

Comes in: an ask, the legs of turns. Goes out: events, with what follows from them for earlier hunks. Must not
know: how a person says what they want, screens. `Session` gives the words: turn, steer, branch, retry,
resume.
"""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, Exchange, Request
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest, ShownContext
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode, NoPlace, SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session.cache_warmer import CacheWarmer
from spark_tui.session.context_builder import ContextBuilder, nothing_to_show
from spark_tui.session.manual_edits import ManualEdits
from spark_tui.session.review_store import TurnRecord
from spark_tui.session.steering import lies_in, steer_conflict, withdrawn
from spark_tui.session.turn import Turn
from spark_tui.session.turn_storage import Leg, TurnStorage
from spark_tui.session.window_answers import SAID_MORE, TurnPosition
from spark_tui.workspace.files import FileText, Tree

_RETRY_TEMPERATURE = 0.7
"""A second try of a finished turn is drawn: greedy, it would say the same again."""


class TurnExecution(ManualEdits):
    """Turns, one at a time, over one tree with one backend."""

    def __init__(
        self,
        root: Path,
        backend: Backend,
        settings: Settings,
        state: Path,
        session_id: str,
        clock: Callable[[], float] = time.time,
    ) -> None:
        super().__init__(root, settings, state, session_id, clock)
        self.backend = backend
        self._keeper = TurnStorage(self.folder)
        self._last_hunk_id = 0
        self._opened: dict[int, events.HunkOpened] = {}
        self._running = False
        self._unkept: TurnRecord | None = None
        """A turn that is further than the journal, because the disk was full."""
        self.asking = ContextBuilder(root, settings, backend)
        self.warmer = CacheWarmer(backend, self.asking, self._fresh_tree, self._history)
        self.shown = ShownContext(())
        """What the last turn's model was shown, and what was left out."""
        self.as_read: Mapping[str, FileText | None] = {}
        """Files that the next turn reads as they were, and not as they are: what changed since is merged when
        it is written."""

    def _new_turn(self, ask: ContextRequest, stop: StopFlag, *, seed: int = 0) -> Iterator[Event]:
        asked = time.monotonic()
        self._one_at_a_time()
        tree, history = self._fresh_tree(), self._history()
        shown = self.asking.shown(ask, tree, history)
        if not shown.sections and self.asking.limits().small:
            raise nothing_to_show(shown, tree)
        requests = self.asking.requests(ask, shown, history)
        if seed:
            requests = tuple(replace(one, seed=seed, temperature=_RETRY_TEMPERATURE) for one in requests)
        self.warmer.turn_begins(requests)
        record = self._record(f"{self.id}-{len(self._turns) + 1}", tree, ask, requests)
        record.turn.asked = asked
        self.shown = shown
        self._keeper.turn(record.turn_id, requests, ask)
        for section in shown.sections:
            self._keep_file(record, section.path)
        yield from self._run(record, interruptible(record.turn.start(stop), shown.told), stop)

    def _record(
        self, turn_id: str, tree: Tree, ask: ContextRequest, requests: tuple[Request, ...]
    ) -> TurnRecord:
        turn = Turn(turn_id, requests, self.backend, lambda name: self._parser(name, tree))
        record = TurnRecord(turn_id, tree, ask, turn, leg_from=self._last_hunk_id + 1)
        turn.on_leg = lambda standing, steers: self._keep_leg(record, standing, steers)
        with self._lock:
            self._turns.append(record)
        return record

    def _keep_leg(self, record: TurnRecord, standing: TurnPosition, steers: bool) -> None:
        leg = Leg(record.turn.emitted, len(record.messages) + steers, self._last_hunk_id + 1, standing)
        self._keeper.leg(record.turn_id, leg)

    def _keep_file(self, record: TurnRecord, path: str) -> None:
        if self._replaying:
            return
        try:
            file = record.tree.file(path)
        except SparkError:  # a file that may not be read has no bytes to keep
            return
        self._keeper.file(record.turn_id, path, file)

    def _run(
        self, record: TurnRecord, stream: Iterator[Event], stop: StopFlag, behind: set[int] | None = None
    ) -> Iterator[Event]:
        with self._lock:
            self._one_at_a_time()
            self._running = True
        try:
            for event in stream:
                yield from self._taken(event, record, behind)
        except GeneratorExit:
            # The door stopped looking: what was open is cut off here, and the journal says so.
            stop.set()
            for event in stream:
                for _ in self._taken(event, record, behind):
                    pass
            raise
        except NoPlace:
            # What could not be kept nobody was shown: the turn stands where the journal ends.
            self._unkept, record.turn.reason = record, "failed"
            raise
        finally:
            self._running = False

    def _one_at_a_time(self) -> None:
        if self._running:
            raise UsageError("a turn is running", hint="Stop it first.")

    def _taken(self, event: Event, record: TurnRecord, behind: set[int] | None) -> Iterator[Event]:
        """Journal an event, keep what it says, and give it with what follows from it."""
        with self._lock:
            given = self._follows(event, record, behind)
            for one in given:
                self._keep(one)
                self._note(one, record)
        yield from given

    def _follows(self, event: Event, record: TurnRecord, behind: set[int] | None) -> list[Event]:
        if isinstance(event, events.Steered):
            late = {known for known in self.review.ids if behind and self.review.source(known) in behind}
            return [
                event,
                *(
                    d
                    for d in withdrawn(self._hunks_of(record))
                    if d.decision == "dropped" or d.hunk_id in late
                ),
            ]
        if isinstance(event, (events.HunkText, events.HunkClosed, events.HunkFailed)):
            known = event.hunk_id in self.review.ids
            if known and self.review.state(event.hunk_id) != "partial":
                # The person kept or dropped it where it was cut off; that stands.
                return []
        if isinstance(event, events.HunkClosed) and not event.partial and record.turn.steered:
            return self._among_earlier(event, record)
        if isinstance(event, events.Finished) and record.turn.steered:
            return [*withdrawn(self._left_without(event, record)), event]
        return [event]

    def _left_without(self, event: events.Finished, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The hunks in whose place the answer to a message left nothing to do."""
        found = self._hunks_of(record)
        if len(record.turn.requests) == 1:
            return found if event.reason == "no_edit" else []
        return [
            (hunk, state)
            for hunk, state in found
            if any(lies_in(hunk, part) for part in record.turn.taken_back)
        ]

    def _among_earlier(self, event: events.HunkClosed, record: TurnRecord) -> list[Event]:
        """A hunk behind a steer: it may repeat an earlier one, take its place, or meet the person's own
        text."""
        earlier = [
            (h, state) for h, state in self._hunks_of(record) if self.review.source(h.id) < record.leg_from
        ]
        opened = self._opened.get(event.hunk_id)
        span = (opened.old_start, opened.old_count) if opened else (event.old_start, len(event.old_lines))
        found = steer_conflict(Hunk.of(event), span, earlier)
        if found.same:
            return [events.HunkClosed(event.hunk_id, event.path, event.old_start, (), ())]
        if found.stands:
            what = "you changed these lines yourself; your text is kept"
            return [events.HunkFailed(event.hunk_id, event.path, what, int(ExitCode.MISFIT), event.old_start)]
        out: list[Event] = []
        for hunk_id in found.gives_way:
            partial = self.review.state(hunk_id) == "partial"
            out.append(events.Decided(hunk_id, "dropped" if partial else "rejected"))
        return [*out, event]

    def _note(self, event: Event, record: TurnRecord) -> None:
        if isinstance(event, events.Token):
            record.answer += event.text
        elif isinstance(event, events.Steered):
            if len(record.turn.requests) == 1:
                # Of several windows those that were not told stand.
                record.answer = ""
            record.leg_from = self._last_hunk_id + 1
            record.messages.append((record.leg_from, event.message))
        elif isinstance(event, events.Decided):
            self._act(event)
        elif isinstance(event, (events.HunkOpened, events.HunkFailed)):
            self._last_hunk_id = max(self._last_hunk_id, event.hunk_id)
            if isinstance(event, events.HunkOpened):
                self._opened[event.hunk_id] = event
                self._keep_file(record, event.path)
        elif isinstance(event, events.HunkClosed):
            self._last_hunk_id = max(self._last_hunk_id, event.hunk_id)
            self.review.add(Hunk.of(event))
            self._turn_of[event.hunk_id] = record

    def _fresh_tree(self) -> Tree:
        return Tree(self.root, most_bytes=self.settings.max_file_bytes, known=self.as_read)

    def _history(self) -> tuple[Exchange, ...]:
        with self._lock:
            return tuple(
                one for record in self._turns if not record.retried for one in self._exchanges(record)
            )

    def _exchanges(self, record: TurnRecord) -> tuple[Exchange, ...]:
        """A turn as the model should remember it: what was said, also on the way, and what became of its
        hunks."""
        standing = record.turn.standing
        said = [record.instruction, *standing.messages]
        outcome = self.review.summary(known for known, turn in self._turn_of.items() if turn is record)
        if self.asking.limits().small:
            # It says the whole edit again behind a steer.
            return (Exchange("\n".join(said), record.answer, outcome),)
        before = [
            Exchange(words, text, SAID_MORE) for words, text in zip(said, standing.answer.said, strict=False)
        ]
        return (*before, Exchange(said[-1], record.answer, outcome))

    def _parser(self, format_name: str, tree: Tree) -> Parser:
        return Parser(format_name, tree.read_lines, read_link=tree.read_link, last_id=self._last_hunk_id)

    def close(self) -> None:
        self.warmer.close()
        self.backend.close()
        with self._lock:
            self._journal.close()
            self._keeper.close()
            if self._came_to_nothing():
                shutil.rmtree(self.folder, ignore_errors=True)

    def _came_to_nothing(self) -> bool:
        """Nothing was asked, typed, named or left on its way: there is nothing to list or to go on with."""
        if not self._journal.path.is_file():
            return False
        kept = [
            path
            for path in self.folder.iterdir()
            if path.name not in ("journal.jsonl", "turns.jsonl", "files")
        ]
        return not kept and self._journal.path.stat().st_size == 0


def interruptible(stream: Iterator[Event], unfollowed: Sequence[tuple[str, str]]) -> Iterator[Event]:
    """A turn, or what goes on behind a message, that says at its beginning where else the person has to
    look."""
    for event in stream:
        yield event
        if isinstance(event, (events.TurnStarted, events.Steered)):
            yield from (events.Prose(f"{path} {why}\n") for path, why in unfollowed)
