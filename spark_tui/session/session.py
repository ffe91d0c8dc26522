"""A session: turns over one tree with one backend, one journal, one review. Doors call it; none keeps state
of its own.

Comes in: instructions, steers, decisions, and the wish to write or undo. Goes out: events, each journaled
before anyone sees it. Must not know: screens, argument parsers. Safe to call from a turn's thread and the
door's at the same time; one turn runs at a time.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, Request
from spark_tui.config.settings import Settings
from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.repo_map import is_code
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.errors import UsageError
from spark_tui.events import Event
from spark_tui.session import archive
from spark_tui.session.context_builder import MAP_PATH
from spark_tui.session.file_finder import FileFinder
from spark_tui.session.review_store import TurnRecord, new_id
from spark_tui.session.session_restore import PastTurn, past_turns, same_model
from spark_tui.session.steering import Outbox, withdrawn
from spark_tui.session.turn_execution import TurnExecution, interruptible
from spark_tui.session.turn_storage import keep_waiting, waiting
from spark_tui.session.window_answers import INTO_THE_LAST, MessageRoute
from spark_tui.workspace.files import Tree


class Session(TurnExecution):
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
        super().__init__(root, backend, settings, state, session_id or new_id(clock), clock)
        self.finding = FileFinder(root, settings.max_file_bytes)
        self.outbox = Outbox(waiting(self.folder), lambda texts: keep_waiting(self.folder, texts))
        if session_id:
            self._replay()

    # -- turns
    # -------------------------------------------------------------------------------------------------

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
        """One turn. Whoever iterates runs it; each event is in the journal before it is yielded. `selection`
        (first and last line) and `cursor` are those of the file in view, 1-based."""
        yield from self._new_turn(ContextRequest(instruction, in_view, tuple(files), selection, cursor), stop)

    def say(
        self,
        text: str,
        *,
        in_view: str = "",
        selection: tuple[int, int] | None = None,
        cursor: int = 0,
        stop: StopFlag,
    ) -> Iterator[Event]:
        """What a person says when nothing runs: a steer of the last turn where it spells out what is wrong
        with hunks that nobody decided about, else a turn of its own. An edit is mostly whole before anybody
        can stop it."""
        if self._corrects(text):
            yield from self.steer(text, stop=stop)
        else:
            yield from self.turn(text, in_view=in_view, selection=selection, cursor=cursor, stop=stop)

    def follow(self, instruction: str, *, files: Sequence[str] = (), stop: StopFlag) -> Iterator[Event]:
        """A turn of its own behind the last one, about the same files where neither it nor `files` name
        others."""
        named = ContextRequest(instruction, files=tuple(files))
        yield from self._new_turn(
            _behind(self._turns[-1], instruction) if self._turns and not files else named, stop
        )

    @property
    def can_resume(self) -> bool:
        """Whether the last turn was stopped, cut off or broke, so that there is more of it to come."""
        return bool(self._turns) and self._turns[-1].turn.can_resume and self._of_this_model(self._turns[-1])

    @property
    def stopped(self) -> bool:
        """The same, whichever model wrote it."""
        return bool(self._turns) and self._turns[-1].turn.can_resume

    @property
    def broke_at_once(self) -> bool:
        """Whether the last turn failed with nothing said: there is nothing to go on behind, and all of it to
        ask."""
        return (
            bool(self._turns) and self._turns[-1].turn.reason == "failed" and not self._turns[-1].turn.emitted
        )

    def use(self, backend: Backend) -> Backend:
        """Ask this one from now on. Returns the one before, which the caller closes. Raises UsageError while
        a turn runs. What was said stays; a turn that another model wrote is neither resumed nor spliced
        into."""
        with self._lock:
            self._one_at_a_time()
            before, self.backend = self.backend, backend
            self.asking.backend = backend
            self.warmer.use(backend)
        return before

    def adopt(self, settings: Settings) -> None:
        """These settings from the next turn on."""
        self.settings = self.asking.settings = settings

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
        self.warmer.draft(ContextRequest(draft, in_view, tuple(files), selection, cursor))

    def resume(self, *, stop: StopFlag) -> Iterator[Event]:
        """Go on with the last turn behind what stands; joined, its text is that of a turn that was never
        stopped. No `TurnStarted`: the turn began already. Raises UsageError where nothing to resume."""
        record = self.check_resume()
        yield from self._run(record, record.turn.resume(stop), stop)

    def check_resume(self) -> TurnRecord:
        """The turn that a resume goes on with; raises what it would raise."""
        record = self._last("resume")
        if not record.turn.can_resume:
            raise UsageError("nothing to resume", hint="The last turn is complete.")
        self._same_model(record)
        return record

    def shown_before(self) -> list[Event]:
        """The events of the last turn so far, as they would read had it not been stopped."""
        if not self._turns:
            return []
        shown = [entry.event for entry in archive.turns_of(self.folder)[-1].entries]
        if self.can_resume:
            ends = (events.Interrupted, events.Finished, events.Failed)
            shown = [
                e
                for e in shown
                if not isinstance(e, ends) and not (isinstance(e, events.HunkClosed) and e.partial)
            ]
        return shown

    def steer(self, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Splice a message in behind what the last turn has said; stop it first. Begins with `Steered` once
        it counts.

        Whole hunks stay; the open one is dropped; hunks that what follows overlaps give way (`Decided` says
        so). A turn that cannot be steered any more (written, or never begun) is followed by a turn of its
        own. Of a turn of several windows those are told that the message is for. A message that could not be
        delivered is in `outbox.take_returned()`.
        """
        message_id = self.outbox.draft(message, "steer")
        with self._delivering(message_id):
            record = self._turns[-1] if self._turns else None
            if record is None or not self._steerable(record):
                ask = _behind(record, message) if record else ContextRequest(message)
                stream = self._new_turn(ask, stop)
            else:
                record.turn.asked = time.monotonic()
                plan = self._plan(record, message)
                for one in plan.told:
                    self._keep_file(record, one.request.files[0].path)
                stream = self._run(
                    record, interruptible(record.turn.steer(message, stop, plan), plan.unfollowed), stop
                )
            yield from self._delivered(stream, message_id)

    def branch_at(self, hunk_id: int, message: str, *, stop: StopFlag) -> Iterator[Event]:
        """Go back to behind a hunk of the last turn and say something else from there. What came after it and
        was not decided is rejected."""
        record = self._last("branch")
        self._same_model(record)
        source = self.review.source(hunk_id) if hunk_id in self.review.ids else hunk_id
        behind = set(record.turn.behind(source))
        message_id = self.outbox.draft(message, "steer")
        with self._delivering(message_id):
            stream = self._run(record, record.turn.branch(source, message, stop), stop, behind)
            yield from self._delivered(stream, message_id)

    def retry(self, *, stop: StopFlag) -> Iterator[Event]:
        """Ask the last turn again, as a turn of its own; what nobody decided about is rejected first. A turn
        that was stopped or broke is asked the same way; one that finished is drawn, or it would say the
        same."""
        record = self._last("retry")
        drawn = record.turn.reason not in ("interrupted", "failed", "") and self._of_this_model(record)
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

    def withdraw(self, message_id: int = 0) -> str:
        """Take a message back that waits for the turn to end: this one, or the one that was queued last.
        Returns its text. Raises UsageError where none waits any more."""
        waiting = [one.id for one in self.outbox.waiting if one.way == "queue"]
        if not waiting or (message_id and message_id not in waiting):
            raise UsageError("no queued message to take back", hint="It may already have been sent.")
        return self.outbox.take_back(message_id or waiting[-1])

    # -- inside
    # ------------------------------------------------------------------------------------------------

    def _last(self, act: str) -> TurnRecord:
        if not self._turns:
            raise UsageError(f"nothing to {act}", hint="Send an instruction first.")
        return self._turns[-1]

    def _steerable(self, record: TurnRecord) -> bool:
        """Written hunks changed the file that the turn read; what has no answer, or another model's, cannot
        be spliced into."""
        begun = record.turn.format and not (record.turn.reason == "failed" and not record.turn.emitted)
        return (
            bool(begun)
            and self._of_this_model(record)
            and all(state not in ("applied", "undone") for _, state in self._hunks_of(record))
        )

    def _corrects(self, text: str) -> bool:
        record = self._turns[-1] if self._turns else None
        if record is None or record.turn.reason != "stop" or not self._steerable(record):
            return False
        found = self._hunks_of(record)
        if (
            not self.asking.limits().small
            or not self.settings.exact
            or any(state != "open" for _, state in found)
        ):
            return False
        from spark_tui.session.message_router import corrects

        now, of_file = self._fresh_tree(), dict[str, list[Hunk]]()
        for hunk, _ in found:
            if hunk.kind == "edit" and not hunk.changes_nothing:
                of_file.setdefault(hunk.path, []).append(hunk)
        lines = {path: now.read_lines(path) for path in of_file}
        if any(known is None or known != record.tree.read_lines(path) for path, known in lines.items()):
            return False
        return any(
            corrects(record.instruction, text, lines[path] or (), hunks) for path, hunks in of_file.items()
        )

    def _plan(self, record: TurnRecord, message: str) -> MessageRoute:
        """Which windows of the turn a message is for. A model that reads everything at once has only one."""
        requests, limits = record.turn.requests, self.asking.limits()
        if not limits.small or not all(request.files for request in requests):
            return INTO_THE_LAST
        part = requests[0].files[0]
        if len(requests) == 1 and part.text.count("\n") >= part.total_lines and "." not in message:
            return INTO_THE_LAST
        from spark_tui.session.message_router import MessageRouter  # of no use before somebody steers

        now, paths = self._fresh_tree(), {request.files[0].path for request in requests}
        return MessageRouter(
            asked=record.instruction,
            message=message,
            standing=record.turn.standing,
            hunks=self._hunks_of(record),
            cut=record.turn.can_resume,
            fresh=all(now.read_lines(path) == record.tree.read_lines(path) for path in paths),
            programs=self.settings.exact,
            read_lines=record.tree.read_lines,
            limits=limits,
            count_tokens=self.backend.count_tokens,
            outlines=self.asking.outlines,
            shown_for=lambda path: self._about_file(record, path),
        ).plan()

    def _about_file(self, record: TurnRecord, path: str) -> tuple[Request, ...]:
        """What would be asked were a turn about this file as well."""
        ask = ContextRequest(without_files(record.instruction), files=(path,))
        return self.asking.requests(ask, self.asking.shown(ask, record.tree), self._history()[:-1])

    def _of_this_model(self, record: TurnRecord) -> bool:
        if record.written_by and getattr(self.backend, "model", "?"):
            return record.turn.backend is self.backend and same_model(record.written_by, self.backend.name)
        # What a server has for a model is not known before it was asked something.
        return record.turn.backend is self.backend

    def _same_model(self, record: TurnRecord) -> None:
        """The tokens of one model mean nothing to another."""
        if not self._of_this_model(record):
            author = record.written_by or record.turn.backend.name
            raise UsageError(
                f"the turn was written by {author}, but {self.backend.name} is in use",
                hint=(
                    "Switch back to that model (--model, --connect or --replay), or send the instruction"
                    " again."
                ),
            )

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

    # -- what another process left
    # --------------------------------------------------------------------------------

    def _replay(self) -> None:
        """Stand where the journal ends. A turn that was killed is ended here, as one that was stopped."""
        past, applied = None, set[str]()
        self._replaying = True
        for past in past_turns(self.folder):
            tree = Tree(self.root, most_bytes=self.settings.max_file_bytes, known=past.kept.read)
            record = self._record(past.turn_id, tree, past.kept.ask, past.kept.requests)
            self._keeper.goes_on(past.turn_id, len(past.kept.requests))
            record.written_by = past.started.backend
            for event in past.shown:
                if isinstance(event, events.Applied):
                    applied.add(event.checkpoint)
                    self._mark(event.hunks, redo=True)
                elif isinstance(event, events.Undone):
                    self._mark(event.hunks, event.redo)
                else:
                    self._note(event, record)
            if past.leg is not None:
                record.turn.restore(past.leg.standing, past.started.format, (), past.reason)
            record.turn.emitted = past.tokens
            record.turn.reason = past.reason
        self._replaying = False
        if past is not None:
            for _ in self._stand(self._turns[-1], past):
                pass
            self._admit(applied)

    def _run(
        self, record: TurnRecord, stream: Iterator[Event], stop: StopFlag, behind: set[int] | None = None
    ) -> Iterator[Event]:
        if self._unkept is not None:
            past = next((one for one in past_turns(self.folder) if one.turn_id == self._unkept.turn_id), None)
            for event in self._stand(self._unkept, past) if past else ():
                if not isinstance(event, (events.Interrupted, events.Finished)):
                    yield event
            self._unkept = None
        yield from super()._run(record, stream, stop, behind)

    def _stand(self, record: TurnRecord, past: PastTurn) -> Iterator[Event]:
        """Put the last turn where it can go on. Gives what the journal had not."""
        leg, last = past.leg, self._last_hunk_id
        if leg is not None:
            self._last_hunk_id = leg.first_hunk - 1
            # What this process may spend counts, not what the one before might.
            requests = tuple(
                replace(one, max_tokens=self.settings.max_tokens) for one in leg.standing.requests
            )
            standing = replace(leg.standing, requests=requests)
            recall = getattr(self.backend, "recall", None)
            if recall is not None:
                recall([event for event in past.shown if isinstance(event, events.Token)])
            tokens = past.tokens_of(leg)
            record.turn.restore(standing, past.started.format, tokens[:-1], past.reason)
            given = [event for token in tokens[-1:] for event in record.turn.read_again(token)]
            self._last_hunk_id, record.turn.emitted = last, past.tokens
            if not past.reason:
                # Killed between a steer or a token and what follows: what was not journaled yet is made up
                # for.
                before = [
                    one
                    for one in self._hunks_of(record)
                    if one[0].id < record.leg_from and one[1] == "partial"
                ]
                for event in (*withdrawn(before), *given[past.said_behind_last_token :]):
                    yield from self._taken(event, record, None)
        if not past.reason:
            for event in record.turn.cut_off():
                yield from self._taken(event, record, None)

    def _admit(self, applied: set[str]) -> None:
        """What was written by a process that was killed before it could say so."""
        for checkpoint in self.ledger.history.applies:
            ids = tuple(int(hunk["hunk_id"]) for hunk in checkpoint.note.hunks)
            if checkpoint.id in applied or not all(
                known in self.review.ids and self.review.state(known) in ("accepted", "edited")
                for known in ids
            ):
                continue
            self.review.mark_applied(ids)
            self._keep(events.Applied(checkpoint.paths, checkpoint.id, ids))


def _behind(record: TurnRecord, said: str) -> ContextRequest:
    """What is said behind a turn is about what that turn was about, also where only its prompt named a
    file."""
    ask = replace(record.ask, instruction=said)
    if any(not mention.may_be_symbol or is_code(mention.path) for mention in find_mentions(said)):
        return replace(ask, files=())
    shown = dict.fromkeys(part.path for request in record.turn.requests for part in request.files)
    return replace(ask, files=tuple(path for path in shown if path not in (ask.in_view, MAP_PATH)))
