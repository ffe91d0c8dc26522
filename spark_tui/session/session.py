"""A session: turns over one tree with one backend, one journal, one review. Doors call it; none keeps state of its own.

Comes in: instructions, decisions, and the wish to write or undo. Goes out: events, each journaled before anyone sees
it. Must not know: screens, argument parsers. Safe to call from a turn's thread and the door's at the same time.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, Exchange, FilePart, Request
from spark_tui.config import Settings
from spark_tui.context.prompt import Shown, show
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.edits.patch import build_text
from spark_tui.edits.review import Review
from spark_tui.errors import NothingToDo
from spark_tui.events import Event
from spark_tui.session.journal import Journal
from spark_tui.session.ledger import Ledger, Written
from spark_tui.session.turn import run_turn
from spark_tui.session.writing import file_of
from spark_tui.workspace import repo
from spark_tui.workspace.commit import draft_message
from spark_tui.workspace.files import Tree
from spark_tui.workspace.listing import list_files


@dataclass(slots=True)
class TurnRecord:
    """What a turn leaves behind: the files as it read them, and its part of the conversation."""

    turn_id: str
    tree: Tree
    instruction: str
    answer: str = ""


class Session:
    """One person's work in one tree."""

    def __init__(
        self,
        root: Path,
        backend: Backend,
        settings: Settings,
        state: Path,
        *,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.root = root
        self.backend = backend
        self.settings = settings
        self.review = Review()
        self.id = time.strftime("%Y%m%d-%H%M%S-", time.gmtime(clock())) + secrets.token_hex(2)
        self._clock = clock
        self._lock = threading.RLock()
        self._journal = Journal(state / "sessions" / self.id / "journal.jsonl")
        self.ledger = Ledger(root, state, self.id, clock=clock, most_bytes=settings.max_file_bytes)
        self.recovered = self.ledger.recover()
        self._turns: list[TurnRecord] = []
        self._turn_of: dict[int, TurnRecord] = {}
        self._last_hunk_id = 0
        self._checkpoints: list[str] = []
        """Written since the last commit."""

    # -- turns -------------------------------------------------------------------------------------------------

    def turn(
        self, instruction: str, *, in_view: str = "", files: Sequence[str] = (), stop: StopFlag
    ) -> Iterator[Event]:
        """One turn. Whoever iterates runs it; each event is in the journal before it is yielded."""
        tree = Tree(self.root, most_bytes=self.settings.max_file_bytes)
        record = TurnRecord(f"{self.id}-{len(self._turns) + 1}", tree, instruction)
        shown = self._show(instruction, in_view, files, tree)
        request = self._request(instruction, shown)
        with self._lock:
            self._turns.append(record)
        stream = run_turn(record.turn_id, request, self.backend, lambda name: self._parser(name, tree), stop)
        try:
            for event in stream:
                self._note(event, record)
                yield event
        except GeneratorExit:
            # The door stopped looking: what was open is cut off here, and the journal says so.
            stop.set()
            for event in stream:
                self._note(event, record)
            raise

    def _show(self, instruction: str, in_view: str, files: Sequence[str], tree: Tree) -> Shown:
        named = " ".join(f'@"{path}"' for path in files)
        return show(
            f"{instruction} {named}".strip(),
            in_view,
            read_lines=tree.read_lines,
            count_tokens=self.backend.count_tokens,
            budget_tokens=self.backend.window,
        )

    def _request(self, instruction: str, shown: Shown) -> Request:
        return Request(
            instruction=instruction,
            files=tuple(FilePart(part.path, part.text, part.first_line, part.total_lines) for part in shown.sections),
            history=tuple(Exchange(turn.instruction, turn.answer, self._outcome(turn)) for turn in self._turns),
            format=self.settings.format,
            max_tokens=self.settings.max_tokens,
        )

    def _outcome(self, turn: TurnRecord) -> str:
        """What became of a turn's hunks, in words for the model."""
        return self.review.summary(hunk_id for hunk_id, record in self._turn_of.items() if record is turn)

    def _parser(self, format_name: str, tree: Tree) -> Parser:
        return Parser(format_name, tree.read_lines, last_id=self._last_hunk_id)

    def _note(self, event: Event, record: TurnRecord) -> None:
        with self._lock:
            self._journal.append(event, self._clock())
            if isinstance(event, events.Token):
                record.answer += event.text
            elif isinstance(event, (events.HunkOpened, events.HunkFailed)):
                self._last_hunk_id = max(self._last_hunk_id, event.hunk_id)
            elif isinstance(event, events.HunkClosed):
                self._last_hunk_id = max(self._last_hunk_id, event.hunk_id)
                self.review.add(Hunk.of(event))
                self._turn_of[event.hunk_id] = record

    # -- decisions ---------------------------------------------------------------------------------------------

    def offered(self) -> tuple[Hunk, ...]:
        """Whole hunks that nobody decided about yet."""
        with self._lock:
            return tuple(hunk for hunk in self.review.undecided() if not hunk.partial)

    def decide(self, hunk_id: int, decision: events.Decision, text: str = "") -> None:
        """What the person decided about a hunk; `text` is the new side of an edited one."""
        acts: dict[events.Decision, Callable[[int], None]] = {
            "accepted": self.review.accept,
            "rejected": self.review.reject,
            "open": self.review.reopen,
            "kept": self.review.keep,
            "dropped": self.review.drop,
            "edited": lambda chosen: self.review.edit(chosen, text),
        }
        with self._lock:
            acts[decision](hunk_id)
            self._journal.append(events.Decided(hunk_id, decision, text), self._clock())

    def patch(self, hunk_ids: Iterable[int] | None = None) -> str:
        """A git patch of these hunks, or of the accepted ones that are not written yet."""
        with self._lock:
            hunks = self.review.accepted() if hunk_ids is None else [self.review.hunk(one) for one in hunk_ids]
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

    # -- the tree ----------------------------------------------------------------------------------------------

    def write(self) -> events.Applied:
        """Write the accepted hunks, turn by turn, each turn all or nothing, with a checkpoint before it."""
        with self._lock:
            groups = self._by_turn(self.review.accepted())
            if not groups:
                raise NothingToDo("no hunk is accepted", hint="Accept one first.")
            done: list[Written] = []
            try:
                for record, hunks in groups:
                    done.append(self.ledger.apply(hunks, record.tree, turn=record.turn_id, label=record.instruction))
                    self.review.mark_applied(hunk.id for hunk in hunks)
            finally:
                # What the turns before a failing one wrote is written, and is said.
                if done:
                    applied = events.Applied(_paths(done), done[-1].checkpoint, _hunks(done))
                    self._checkpoints.extend(written.checkpoint for written in done)
                    self._journal.append(applied, self._clock())
            return applied

    def undo(self) -> events.Undone:
        """Take the last turn that was written out of the files. What the person changed since stays, or it refuses."""
        return self._travelled(self.ledger.undo_turn, redo=False)

    def undo_hunk(self, hunk_id: int) -> events.Undone:
        """Take one hunk out of the files."""
        return self._travelled(lambda: self.ledger.undo_hunks([hunk_id]), redo=False)

    def redo(self) -> events.Undone:
        """Bring back what the last undo took out."""
        return self._travelled(self.ledger.redo, redo=True)

    def _travelled(self, go: Callable[[], Written], *, redo: bool) -> events.Undone:
        with self._lock:
            written = go()
            known = [hunk_id for hunk_id in written.hunks if hunk_id in self.review.ids]
            (self.review.mark_applied if redo else self.review.mark_undone)(known)
            undone = events.Undone(written.paths, written.checkpoint, redo)
            self._journal.append(undone, self._clock())
            return undone

    def commit(self, message: str | None = None) -> str:
        """Commit what was written and not committed yet, and nothing else that is dirty. Returns the commit's id."""
        with self._lock:
            if not self._checkpoints:
                raise NothingToDo("nothing was written since the last commit", hint="Write the accepted hunks first.")
            words = message if message is not None else self.draft_message()
            made = self.ledger.commit(self._checkpoints, words)
            self._checkpoints.clear()
            return made

    def draft_message(self) -> str:
        """A commit message from what was asked last, for the person to change."""
        asked = self._turns[-1].instruction if self._turns else ""
        return draft_message(asked, [path for one in self.ledger.history.applies for path in one.paths])

    def read_lines(self, path: str) -> Sequence[str] | None:
        """A file as it is on the disk now; None where there is none."""
        return Tree(self.root, most_bytes=self.settings.max_file_bytes).read_lines(path)

    def files(self) -> Sequence[str]:
        """Paths that a person may want to name: git's tracked and untracked ones, or all outside of git."""
        return list_files(self.root)

    def branch(self) -> str:
        """Branch and state in a few words; empty outside of git."""
        found = repo.find(self.root)
        return found.place if found else ""

    def dirty(self) -> bool:
        found = repo.find(self.root)
        return bool(found and repo.dirty(found))

    def close(self) -> None:
        self.backend.close()
        with self._lock:
            self._journal.close()


def _paths(done: Iterable[Written]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path for written in done for path in written.paths))


def _hunks(done: Iterable[Written]) -> tuple[int, ...]:
    return tuple(hunk_id for written in done for hunk_id in written.hunks)
