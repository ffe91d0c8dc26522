"""What becomes of hunks: decided, written, undone, committed. The half of a session that touches the tree.

Comes in: decisions and the wish to write or undo. Goes out: events, each journaled before anyone sees it.
Must not know: models, prompts, screens.
"""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.patch import build_text
from spark_tui.edits.review import Review
from spark_tui.errors import NothingToDo, UsageError
from spark_tui.events import Event
from spark_tui.session.decided_text import file_of
from spark_tui.session.index_rows import HANDED_BY
from spark_tui.session.journal import Journal
from spark_tui.session.turn import Turn
from spark_tui.session.turn_storage import facts, keep_facts
from spark_tui.session.writer import TreeWriter, WriteResult
from spark_tui.workspace import repository
from spark_tui.workspace.commit import draft_message
from spark_tui.workspace.files import Tree


@dataclass(slots=True)
class TurnRecord:
    """What a turn leaves behind: the files as it read them, and its part of the conversation."""

    turn_id: str
    tree: Tree
    ask: ContextRequest
    turn: Turn
    answer: str = ""
    """The text of its last leg: behind a steer the model says the whole edit again."""
    leg_from: int = 1
    """The first hunk of its last leg."""
    messages: list[tuple[int, str]] = field(default_factory=list)
    """What was spliced into it, each with the first hunk that came behind it."""
    retried: bool = False
    """Another turn took its place."""
    written_by: str = ""
    """The name of the backend, where another process asked it."""

    @property
    def instruction(self) -> str:
        return self.ask.instruction

    def requests(self, hunk_ids: Iterable[int]) -> list[str]:
        """What was asked for these hunks: the instruction, and the messages behind which some of them
        came."""
        name = self.written_by or self.turn.backend.name
        ends = [first for first, _ in self.messages[1:]] + [sys.maxsize]
        told = zip(self.messages, ends, strict=False)
        return [
            *(self.instruction.splitlines() if name == HANDED_BY else [self.instruction]),
            *(text for (first, text), end in told if any(first <= known < end for known in hunk_ids)),
        ]


class KeptReview(Review):
    """A review that tells when a hunk was divided, because the parts' numbers are needed again."""

    def __init__(self, on_split: Callable[[int], None]) -> None:
        super().__init__()
        self._on_split = on_split

    def split(self, hunk_id: int) -> tuple[int, ...]:
        with self.unless_it_fails():
            parts = super().split(hunk_id)
            if len(parts) > 1:
                self._on_split(hunk_id)
        return parts


class ReviewStore:
    """Decisions, and the tree that they lead to. `Session` adds the turns."""

    def __init__(
        self, root: Path, settings: Settings, state: Path, session_id: str, clock: Callable[[], float]
    ) -> None:
        self.root = root
        self.settings = settings
        self.id = session_id
        self.review: Review = KeptReview(self._on_split)
        self.folder = state / "sessions" / session_id
        self._clock = clock
        self._lock = threading.RLock()
        self._journal = Journal(self.folder / "journal.jsonl")
        self.ledger = TreeWriter(root, state, self.id, clock=clock, most_bytes=settings.max_file_bytes)
        self.recovered = self.ledger.recover()
        self._turns: list[TurnRecord] = []
        self._turn_of: dict[int, TurnRecord] = {}
        self._checkpoints: list[str] = list(facts(self.folder).uncommitted)
        """Written since the last commit."""
        self._committable = self._stands()
        self._replaying = False
        """The journal is being read, not written."""

    def _on_split(self, hunk_id: int) -> None:
        if not self._replaying:
            self._keep(events.Decided(hunk_id, "split"))

    def _keep(self, event: Event) -> None:
        self._journal.append(event, self._clock())

    # -- decisions
    # ---------------------------------------------------------------------------------------------

    def offered(self, *, last_turn: bool = False) -> tuple[Hunk, ...]:
        """Whole hunks that nobody decided about yet."""
        with self._lock:
            found = tuple(hunk for hunk in self.review.undecided() if not hunk.partial)
            if not last_turn:
                return found
            return tuple(h for h in found if self._turn_of[self.review.source(h.id)] is self._turns[-1])

    def unwritten(self) -> tuple[Hunk, ...]:
        """Whole hunks of the last turn that are not in the files: nobody decided about them, or they were
        accepted."""
        with self._lock:
            last = self._hunks_of(self._turns[-1]) if self._turns else []
            return tuple(h for h, state in last if state in ("open", "accepted", "edited") and not h.partial)

    def decide(self, hunk_id: int, decision: events.Decision, text: str = "") -> None:
        """What the person decided about a hunk; `text` is the new side of an edited one. What cannot be kept
        is not decided."""
        with self._lock, self.review.unless_it_fails():
            self._act(events.Decided(hunk_id, decision, text))
            if decision != "split":
                self._keep(events.Decided(hunk_id, decision, text))

    def _act(self, decided: events.Decided) -> None:
        acts: dict[events.Decision, Callable[[int], None]] = {
            "accepted": self.review.accept,
            "rejected": self.review.reject,
            "open": self.review.reopen,
            "kept": self.review.keep,
            "dropped": self.review.drop,
            "edited": lambda chosen: self.review.edit(chosen, decided.text),
        }
        if decided.decision == "split":
            self.review.split(decided.hunk_id)
        else:
            acts[decided.decision](decided.hunk_id)

    def patch(self, hunk_ids: Iterable[int] | None = None) -> str:
        """A git patch of these hunks, or of the accepted ones that are not written yet."""
        with self._lock:
            hunks = (
                self.review.accepted() if hunk_ids is None else [self.review.hunk(one) for one in hunk_ids]
            )
            groups = self._by_turn(hunks)
        return "".join(
            build_text(group, lambda path, tree=record.tree: file_of(tree, path))  # type: ignore[misc]
            for record, group in groups
        )

    def _by_turn(self, hunks: Iterable[Hunk]) -> list[tuple[TurnRecord, list[Hunk]]]:
        groups: dict[str, tuple[TurnRecord, list[Hunk]]] = {}
        for hunk in hunks:
            record = self._turn_of[self.review.source(hunk.id)]
            groups.setdefault(record.turn_id, (record, []))[1].append(hunk)
        return list(groups.values())

    def _hunks_of(self, record: TurnRecord) -> list[tuple[Hunk, str]]:
        """The hunks of a turn, with what they were split into, and their states."""
        return [
            (self.review.hunk(known), self.review.state(known))
            for known in self.review.ids
            if self._turn_of.get(self.review.source(known)) is record
        ]

    # -- the tree
    # ----------------------------------------------------------------------------------------------

    def write(self) -> events.Applied:
        """Write the accepted hunks, turn by turn, each turn all or nothing, with a checkpoint before it."""
        with self._lock:
            begun = time.monotonic()
            groups = self._by_turn(self.review.accepted())
            if not groups:
                raise NothingToDo("no hunk is accepted", hint="Accept a hunk first.")
            done: list[WriteResult] = []
            try:
                for record, hunks in groups:
                    standing = [hunk for hunk, state in self._hunks_of(record) if state == "applied"]
                    written = self.ledger.apply(
                        hunks, record.tree, turn=record.turn_id, label=record.instruction, standing=standing
                    )
                    done.append(written)
                    self.review.mark_applied(hunk.id for hunk in hunks)
            finally:
                # What the turns before a failing one wrote is written, and is said.
                if done:
                    applied = events.Applied(_paths(done), done[-1].checkpoint, _hunks(done), _took(begun))
                    self._checkpoints.extend(written.checkpoint for written in done)
                    self._committable = True
                    self._keep(applied)
                    self._keep_checkpoints()
            return applied

    def undo(self) -> events.Undone:
        """Take the last turn that was written out of the files. What the person changed since stays, or it
        refuses."""
        return self._travelled(self.ledger.undo_turn, redo=False)

    def undo_hunk(self, hunk_id: int) -> events.Undone:
        """Take one hunk out of the files."""
        return self._travelled(lambda: self.ledger.undo_hunks([hunk_id]), redo=False)

    def redo(self) -> events.Undone:
        """Bring back what the last undo took out."""
        return self._travelled(self.ledger.redo, redo=True)

    def _travelled(self, go: Callable[[], WriteResult], *, redo: bool) -> events.Undone:
        with self._lock:
            begun = time.monotonic()
            try:
                written = go()
            except (NothingToDo, UsageError) as error:
                if origin := facts(self.folder).forked_from:
                    # A change has one owner, so that two sessions cannot take it out twice.
                    hint = (
                        "To undo what was written before the fork, open the original session: spark"
                        f" --session {origin}"
                    )
                    raise type(error)(error.what, where=error.where, hint=hint) from error
                raise
            self._mark(written.hunks, redo)
            self._committable = self._stands()
            undone = events.Undone(written.paths, written.checkpoint, redo, written.hunks, _took(begun))
            self._keep(undone)
            return undone

    def _mark(self, hunk_ids: Iterable[int], redo: bool) -> None:
        known = [hunk_id for hunk_id in hunk_ids if hunk_id in self.review.ids]
        (self.review.mark_applied if redo else self.review.mark_undone)(known)

    @property
    def uncommitted(self) -> bool:
        """Whether something was written that is in no commit yet, and was not taken out again."""
        return self._committable

    def _stands(self) -> bool:
        return bool(self._checkpoints) and any(
            one.id in self._checkpoints for one in self.ledger.history.standing()
        )

    def check_commit(self, hunk_ids: Iterable[int]) -> None:
        """Raises what `commit` would, were these hunks written; nothing is written or committed."""
        with self._lock:
            groups = self._by_turn([self.review.hunk(one) for one in hunk_ids])
            self.ledger.check_commit(self._checkpoints, [(hunks, record.tree) for record, hunks in groups])

    def commit(self, message: str | None = None) -> str:
        """Commit what was written and not committed yet, and nothing else that is dirty. Returns the commit's
        id."""
        with self._lock:
            if not self._checkpoints:
                raise NothingToDo(
                    "nothing was written since the last commit", hint="Write the accepted hunks first."
                )
            words = message if message is not None else self.draft_message()
            made = self.ledger.commit(self._checkpoints, words)
            self._checkpoints.clear()
            self._committable = False
            self._keep_checkpoints()
            return made

    def _keep_checkpoints(self) -> None:
        keep_facts(self.folder, replace(facts(self.folder), uncommitted=tuple(self._checkpoints)))

    def draft_message(self) -> str:
        """A commit message from what was asked for the hunks that are to be committed, for the person to
        change."""
        history, records = self.ledger.history, {record.turn_id: record for record in self._turns}
        coming = [one for one in history.standing() if one.id in self._checkpoints]
        asked: list[str] = []
        for one in coming:
            if (record := records.get(one.note.turn)) is not None:
                ids = {int(hunk["hunk_id"]) for hunk in one.note.hunks} - history.undone(one)
                asked += record.requests([self.review.source(known) for known in ids])
        return draft_message(list(dict.fromkeys(asked)), [path for one in coming for path in one.paths])

    def read_lines(self, path: str) -> Sequence[str] | None:
        """A file as it is on the disk now; None where there is none."""
        return Tree(self.root, most_bytes=self.settings.max_file_bytes).read_lines(path)

    def branch(self) -> str:
        """Branch and state in a few words; empty outside of git."""
        found = repository.find_repository(self.root)
        return found.place if found else ""

    def dirty(self) -> bool:
        found = repository.find_repository(self.root)
        return bool(found and repository.dirty(found))


def new_id(clock: Callable[[], float]) -> str:
    """A session's name: when it began, and a little chance."""
    import secrets

    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime(clock())) + secrets.token_hex(2)


def _took(begun: float) -> events.Timing:
    return events.Timing(apply=time.monotonic() - begun)


def _paths(done: Iterable[WriteResult]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for written in done for path in written.paths))


def _hunks(done: Iterable[WriteResult]) -> tuple[int, ...]:
    return tuple(hunk_id for written in done for hunk_id in written.hunks)
