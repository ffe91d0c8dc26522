"""A session: turns over one tree with one backend, one journal, one review. Doors call it; none keeps state of its own.

Comes in: instructions, steers, decisions, and the wish to write or undo. Goes out: events, each journaled before
anyone sees it. Must not know: screens, argument parsers. Safe to call from a turn's thread and the door's at the same
time; one turn runs at a time.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, Exchange, Request
from spark_tui.config import Settings
from spark_tui.context.prompt import Ask, Shown
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode, SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session import archive
from spark_tui.session.asking import Asking
from spark_tui.session.deciding import Deciding, TurnRecord, new_id
from spark_tui.session.keeping import Keeper, Leg, keep_waiting, waiting
from spark_tui.session.reopening import PastTurn, past_turns
from spark_tui.session.steering import Outbox, clash, withdrawn
from spark_tui.session.turn import Standing, Turn
from spark_tui.session.warming import Warmer
from spark_tui.workspace.files import Tree

_RETRY_TEMPERATURE = 0.7
"""A second try of a finished turn is drawn: greedy, it would say the same again."""


class Session(Deciding):
    """One person's work in one tree."""

    def __init__(
        self,
        root: Path,
        backend: Backend,
        settings: Settings,
        state: Path,
        *,
        clock: Callable[[], float] = time.time,
        session_id: str = "",
    ) -> None:
        """`session_id`: go on with a kept session where it stood; without one, a new session begins."""
        super().__init__(root, settings, state, session_id or new_id(clock), clock)
        self.backend = backend
        self._keeper = Keeper(self.folder)
        self.outbox = Outbox(waiting(self.folder), lambda texts: keep_waiting(self.folder, texts))
        self._last_hunk_id = 0
        self._opened: dict[int, events.HunkOpened] = {}
        self._running = False
        self.asking = Asking(root, settings, backend)
        self.warmer = Warmer(backend, self.asking, self._fresh_tree, self._history)
        self.shown = Shown(())
        """What the last turn's model was shown, and what was left out."""
        if session_id:
            self._replay()

    # -- turns -------------------------------------------------------------------------------------------------

    def turn(
        self,
        instruction: str,
        *,
        in_view: str = "",
        files: Sequence[str] = (),
        selection: tuple[int, int] | None = None,
        cursor: int = 0,
        stop: StopFlag,
    ) -> Iterator[Event]:
        """One turn. Whoever iterates runs it; each event is in the journal before it is yielded. `selection` (first and
        last line) and `cursor` are those of the file in view, 1-based."""
        yield from self._new_turn(Ask(instruction, in_view, tuple(files), selection, cursor), stop)

    @property
    def can_resume(self) -> bool:
        """Whether the last turn was stopped, cut off or broke, so that there is more of it to come."""
        return bool(self._turns) and self._turns[-1].turn.can_resume

    def warm(
        self,
        draft: str,
        *,
        in_view: str = "",
        files: Sequence[str] = (),
        selection: tuple[int, int] | None = None,
        cursor: int = 0,
    ) -> None:
        """Read ahead what this draft would show the model; call it on every key. Returns at once."""
        self.warmer.draft(Ask(draft, in_view, tuple(files), selection, cursor))

    def resume(self, *, stop: StopFlag) -> Iterator[Event]:
        """Go on with the last turn behind what stands; joined, its text is that of a turn that was never stopped.
        No `TurnStarted`: the turn began already. Raises UsageError where there is nothing to resume."""
        record = self._last("resume")
        if not record.turn.can_resume:
            raise UsageError("there is nothing to resume", hint="The last turn came to its end.")
        yield from self._run(record, record.turn.resume(stop), stop)

    def shown_before(self) -> list[Event]:
        """The events of the last turn so far, as they would read had it not been stopped."""
        if not self._turns:
            return []
        shown = [entry.event for entry in archive.turns_of(self.folder)[-1].entries]
        if self.can_resume:
            ends = (events.Interrupted, events.Finished, events.Failed)
            shown = [
                e for e in shown if not isinstance(e, ends) and not (isinstance(e, events.HunkClosed) and e.partial)
            ]
        return shown

    def steer(self, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Splice a message in behind what the last turn has said; stop it first. Begins with `Steered` once it counts.

        Whole hunks stay; the open one is dropped; hunks that what follows overlaps give way (`Decided` says so). A turn
        that cannot be steered any more (written, or never begun) is followed by a turn of its own. A message that could
        not be delivered is in `outbox.take_returned()`.
        """
        message_id = self.outbox.draft(message, "steer")
        with self._delivering(message_id):
            record = self._turns[-1] if self._turns else None
            if record is None or not self._steerable(record):
                ask = replace(record.ask, instruction=message) if record else Ask(message)
                stream = self._new_turn(ask, stop)
            else:
                stream = self._run(record, record.turn.steer(message, stop), stop)
            yield from self._delivered(stream, message_id)

    def branch_at(self, hunk_id: int, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Go back to behind a hunk of the last turn and say something else from there. What came after it and was not
        decided is rejected."""
        record = self._last("branch")
        source = self.review.source(hunk_id) if hunk_id in self.review.ids else hunk_id
        behind = set(record.turn.behind(source))
        message_id = self.outbox.draft(message, "steer")
        with self._delivering(message_id):
            stream = self._run(record, record.turn.branch(source, message, stop), stop, behind)
            yield from self._delivered(stream, message_id)

    def retry(self, *, stop: StopFlag) -> Iterator[Event]:
        """Ask the last turn again, as a turn of its own; what nobody decided about is rejected first. A turn that was
        stopped or broke is asked the same way; one that finished is drawn, or it would say the same."""
        record = self._last("retry")
        drawn = record.turn.reason not in ("interrupted", "failed", "")
        for decided in withdrawn(self._hunks_of(record)):
            self.decide(decided.hunk_id, decided.decision)
            yield decided
        record.retried = True
        yield from self._new_turn(record.ask, stop, seed=len(self._turns) * drawn)

    def queue(self, message: str) -> int:
        """Keep a message for after the turn; `outbox.next_queued()` gives it back. Returns its number."""
        message_id = self.outbox.draft(message, "queue")
        self.outbox.accept(message_id)
        return message_id

    # -- inside ------------------------------------------------------------------------------------------------

    def _last(self, act: str) -> TurnRecord:
        if not self._turns:
            raise UsageError(f"there is nothing to {act}", hint="Ask for something first.")
        return self._turns[-1]

    def _steerable(self, record: TurnRecord) -> bool:
        """Written hunks changed the file that the turn read; what has no answer cannot be spliced into."""
        begun = record.turn.format and not (record.turn.reason == "failed" and not record.turn.emitted)
        return bool(begun) and all(state not in ("applied", "undone") for _, state in self._hunks_of(record))

    def _new_turn(self, ask: Ask, stop: StopFlag, *, seed: int = 0) -> Iterator[Event]:
        self._one_at_a_time()
        tree, history = self._fresh_tree(), self._history()
        shown = self.asking.shown(ask, tree, history)
        requests = self.asking.requests(ask, shown, history)
        if seed:
            requests = tuple(replace(one, seed=seed, temperature=_RETRY_TEMPERATURE) for one in requests)
        self.warmer.turn_begins(requests)
        record = self._record(f"{self.id}-{len(self._turns) + 1}", tree, ask, requests)
        self.shown = shown
        self._keeper.turn(record.turn_id, requests, ask)
        for section in shown.sections:
            self._keep_file(record, section.path)
        yield from self._run(record, record.turn.start(stop), stop)

    def _record(self, turn_id: str, tree: Tree, ask: Ask, requests: tuple[Request, ...]) -> TurnRecord:
        turn = Turn(turn_id, requests, self.backend, lambda name: self._parser(name, tree))
        record = TurnRecord(turn_id, tree, ask, turn, leg_from=self._last_hunk_id + 1)
        turn.on_leg = lambda standing, steers: self._keep_leg(record, standing, steers)
        with self._lock:
            self._turns.append(record)
        return record

    def _keep_leg(self, record: TurnRecord, standing: Standing, steers: bool) -> None:
        leg = Leg(record.turn.emitted, record.steers + steers, self._last_hunk_id + 1, standing)
        self._keeper.leg(record.turn_id, leg)

    def _keep_file(self, record: TurnRecord, path: str) -> None:
        if self._replaying:
            return
        with contextlib.suppress(SparkError):  # a file that may not be read has no bytes to keep
            self._keeper.file(record.turn_id, path, record.tree.file(path))

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
                *(d for d in withdrawn(self._hunks_of(record)) if d.decision == "dropped" or d.hunk_id in late),
            ]
        if isinstance(event, (events.HunkText, events.HunkClosed, events.HunkFailed)):
            known = event.hunk_id in self.review.ids
            if known and self.review.state(event.hunk_id) != "partial":
                # The person kept or dropped it where it was cut off; that stands.
                return []
        if isinstance(event, events.HunkClosed) and not event.partial and record.turn.steered:
            return self._among_earlier(event, record)
        if isinstance(event, events.Finished) and event.reason == "no_edit" and record.turn.steered:
            return [*withdrawn(self._hunks_of(record)), event]
        return [event]

    def _among_earlier(self, event: events.HunkClosed, record: TurnRecord) -> list[Event]:
        """A hunk behind a steer: it may repeat an earlier one, take its place, or meet the person's own text."""
        earlier = [(h, state) for h, state in self._hunks_of(record) if self.review.source(h.id) < record.leg_from]
        opened = self._opened.get(event.hunk_id)
        span = (opened.old_start, opened.old_count) if opened else (event.old_start, len(event.old_lines))
        found = clash(Hunk.of(event), span, earlier)
        if found.same:
            return [events.HunkClosed(event.hunk_id, event.path, event.old_start, (), ())]
        if found.stands:
            what = "you changed these lines yourself; your text stands"
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
            record.answer, record.leg_from = "", self._last_hunk_id + 1
            record.steers += 1
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

    @contextlib.contextmanager
    def _delivering(self, message_id: int) -> Generator[None, None, None]:
        """Whatever happens, the message is committed or comes back."""
        self.outbox.accept(message_id)
        try:
            yield
        finally:
            if self.outbox[message_id].state == "accepted":
                self.outbox.give_back(message_id)

    def _delivered(self, stream: Iterator[Event], message_id: int) -> Iterator[Event]:
        for event in stream:
            if isinstance(event, (events.Steered, events.TurnStarted)):
                self.outbox.commit(message_id)
            yield event

    def _fresh_tree(self) -> Tree:
        return Tree(self.root, most_bytes=self.settings.max_file_bytes)

    def _history(self) -> tuple[Exchange, ...]:
        with self._lock:
            return tuple(self._exchange(record) for record in self._turns if not record.retried)

    def _exchange(self, record: TurnRecord) -> Exchange:
        """A turn as the model should remember it: what was said, also on the way, and what became of its hunks."""
        said = [record.instruction, *(splice.message for splice in record.turn.standing.spliced)]
        outcome = self.review.summary(known for known, turn in self._turn_of.items() if turn is record)
        return Exchange("\n".join(said), record.answer, outcome)

    def _parser(self, format_name: str, tree: Tree) -> Parser:
        return Parser(format_name, tree.read_lines, last_id=self._last_hunk_id)

    # -- what another process left --------------------------------------------------------------------------------

    def _replay(self) -> None:
        """Stand where the journal ends. A turn that was killed is ended here, as one that was stopped."""
        past, applied = None, set[str]()
        self._replaying = True
        for past in past_turns(self.folder):
            tree = Tree(self.root, most_bytes=self.settings.max_file_bytes, known=past.kept.read)
            record = self._record(past.turn_id, tree, past.kept.ask, past.kept.requests)
            for event in past.shown:
                if isinstance(event, events.Applied):
                    applied.add(event.checkpoint)
                    self._mark(event.hunks, redo=True)
                elif isinstance(event, events.Undone):
                    self._mark(event.hunks, event.redo)
                else:
                    self._note(event, record)
            record.turn.emitted = past.tokens
            record.turn.reason = past.reason
        self._replaying = False
        if past is not None:
            self._stand(self._turns[-1], past)
            self._admit(applied)

    def _stand(self, record: TurnRecord, past: PastTurn) -> None:
        """Put the last turn where it can go on."""
        leg, last = past.leg, self._last_hunk_id
        if leg is not None:
            self._last_hunk_id = leg.first_hunk - 1
            # What this process may spend counts, not what the one before might.
            requests = tuple(replace(one, max_tokens=self.settings.max_tokens) for one in leg.standing.requests)
            standing = replace(leg.standing, requests=requests)
            record.turn.restore(standing, past.started.format, past.tokens_of(leg), past.reason)
            self._last_hunk_id, record.turn.emitted = last, past.tokens
        if not past.reason:
            for event in record.turn.cut_off():
                for _ in self._taken(event, record, None):
                    pass

    def _admit(self, applied: set[str]) -> None:
        """What was written by a process that was killed before it could say so."""
        for checkpoint in self.ledger.history.applies:
            ids = tuple(int(hunk["hunk_id"]) for hunk in checkpoint.note.hunks)
            if checkpoint.id in applied or not all(
                known in self.review.ids and self.review.state(known) in ("accepted", "edited") for known in ids
            ):
                continue
            self.review.mark_applied(ids)
            self._keep(events.Applied(checkpoint.paths, checkpoint.id, ids))

    def close(self) -> None:
        self.warmer.close()
        self.backend.close()
        with self._lock:
            self._journal.close()
            self._keeper.close()
