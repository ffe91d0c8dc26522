"""Exact edits on request: completes, plans and runs commands as turns of the session."""

from __future__ import annotations

import contextlib
import difflib
import posixpath
import re
import threading
import time
from collections.abc import Collection, Generator, Iterator, Sequence
from pathlib import Path
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.codemods import slots
from spark_tui.codemods.plan import Plan
from spark_tui.codemods.plan import Refused as PlanRefused
from spark_tui.codemods.registry import MalformedCall, slots_of
from spark_tui.context.mentions import files_asked_about
from spark_tui.context.shown_context import ContextRequest
from spark_tui.errors import SparkError
from spark_tui.events import Event
from spark_tui.pysource.files.content_store import CHARACTERS_AHEAD
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.garbage_collection import freeze_trees
from spark_tui.pysource.repository import Repository
from spark_tui.session.exact.command_words import quoted, split
from spark_tui.session.exact.edit_commands import FullCommand, UnknownWord, complete_call, read
from spark_tui.session.exact.edit_completion import Completer, Completions, SymbolLists
from spark_tui.session.exact.edit_cursor import Cursor, CursorPlace
from spark_tui.session.exact.exact_turn import ExactTurn, PlannedEdit, SpokenTurn
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.timing import giving_way
from spark_tui.session.tree.exact_edits import ExactEdits
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.turn_execution import TurnExecution
from spark_tui.workspace.file_listing import files_with_words

_IN_CODE = re.compile(r"\b(?=\w*(?:_|\d|[a-z][A-Z]))[A-Za-z_]\w{3,99}\b")
"""Words that are names in code, and no others."""
_MOST_NAMES = 20
_STEP_FILES = 5
"""The number of files indexed before other requests get a chance."""
_WAIT_SECONDS = 0.05
_FILL_SECONDS = 0.5
"""How often the symbols that are known so far are offered."""
_MOST_FILES_AHEAD = 2_000
_MOST_SO_FAR = 5_000
"""The files of which an answer is found while others are still being read: it may be awaited a second."""


class EditRefused(SparkError):
    """A command that cannot be done. `choices` are whole commands that may have been meant."""

    def __init__(self, what: str, choices: tuple[str, ...] = ()) -> None:
        super().__init__(what)
        self.choices = choices


class ExactTurns:
    """The exact edits of a session. Every method but `run` and `retry` may be called on any thread; they take
    turns."""

    def __init__(
        self,
        tree: TreeReader,
        records: TurnRecords,
        decisions: Decisions,
        execution: TurnExecution,
        cache: Path,
    ) -> None:
        self._tree, self._records, self._decisions = tree, records, decisions
        self._execution, self._cache = execution, cache
        self._lock, self._loads = threading.Lock(), threading.Lock()
        self._edits: ExactEdits | None = None
        self._symbols = SymbolLists()
        self._completer: tuple[str, Completer] | None = None
        self._place: tuple[Cursor, CursorPlace] | None = None
        self._indexed = self._loading = self._announced = False
        self._paths: Sequence[str] = ()
        """What is indexed, in order."""
        self._stop: StopFlag | None = None
        self.done = self.total = 0
        """Files that are indexed, and of how many."""

    # -- reading the repository

    @property
    def index(self) -> Index | None:
        """What is known of the files as they were read last; None where nothing is read yet."""
        return self._edits.repo.index if self._edits is not None else None

    @contextlib.contextmanager
    def announced(self) -> Iterator[None]:
        """`load` follows in this block: no answer reads a large repository in its place."""
        self._announced = True
        try:
            yield
        finally:
            self._announced = False

    def load(self, stop: StopFlag) -> None:
        """Read and index the current files, parse many, and find out what they call. `done` and
        `total` show the progress; completion uses what is indexed so far."""
        while not self._loads.acquire(timeout=_WAIT_SECONDS):
            if stop.is_set():
                return
        try:
            with giving_way():
                self._load(stop)
        finally:
            self._loading = False
            self._loads.release()

    def _load(self, stop: StopFlag) -> None:
        with self._lock:
            repo = self._reread().repo
            paths = sorted(repo.index.modules.paths)
        self.done, self.total, filled = 0, len(paths), time.monotonic()
        self._paths, self._loading = paths, True
        while self.done < self.total and not stop.is_set():
            with self._lock:
                for path in paths[self.done : self.done + _STEP_FILES]:
                    if repo.index.text(path) is not None:
                        repo.index.summary(path)
                if filled < time.monotonic() - _FILL_SECONDS:
                    known = [path for path in paths[: self.done + _STEP_FILES] if repo.index.text(path)]
                    self._symbols.fill(repo, known)
                    filled = time.monotonic()
            self.done = min(self.done + _STEP_FILES, self.total)
            # Whoever waits for the lock goes first.
            time.sleep(0)
        if stop.is_set():
            return
        index = repo.index
        with self._lock:
            _ = index.summaries  # stores what is known on the disk
            self._symbols.fill(repo, index.paths)
            self._indexed, self._place = True, None
            ahead = _worth_parsing(index)
        # The calls come last: what they call stands in other files.
        for learn, files in ((index.word_bits, index.paths), (index.scopes, ahead), (repo.calls.of, ahead)):
            for path in files:
                if stop.is_set():
                    return
                with self._lock:
                    learn(path)
                time.sleep(0)
        freeze_trees(len(ahead))

    def _reread(self, named: Collection[str] = ()) -> ExactEdits:
        before: Repository | None = self._edits.repo if self._edits is not None else None
        self._edits = ExactEdits(
            self._tree.root,
            self._cache,
            before=before,
            known=self._tree.as_read,
            on_work=self._on_work,
            named=named,
        )
        self._completer = self._place = None
        return self._edits

    def _read_so_far(self, ask: ContextRequest) -> ExactEdits | None:
        """The files that are indexed already, those that are named and those that have a name of code in the
        words, while the others are still being read; None where all are."""
        if self._indexed or not (self._loading or self._announced):
            return None
        if self._edits is None:
            self._paths = sorted(self._reread().repo.index.modules.paths)
            self.done, self.total = 0, len(self._paths)
        waits = self._loading or self.total > _MOST_SO_FAR
        if self._edits is None or not waits or self.done == self.total:
            return None
        about = files_asked_about(ask)
        named = [path for path in self._paths if posixpath.basename(path) in ask.instruction]
        names = list(dict.fromkeys(_IN_CODE.findall(ask.instruction)))[:_MOST_NAMES]
        having = files_with_words(self._tree.root, names)
        named += having if len(having) <= _MOST_SO_FAR else []
        read = min(self.done, _MOST_SO_FAR)
        only = frozenset((*self._paths[:read], *about, *named))
        partly = f"Only {read:,} of {self.total:,} files are read so far; the others were not looked at."
        before = self._edits.repo
        return ExactEdits(
            self._tree.root, before=before, on_work=self._on_work, only=only, partly=partly, named=about
        )

    def _on_work(self) -> None:
        """End what is not wanted any more."""
        if self.stopped:
            raise EditRefused("stopped")

    @property
    def indexed(self) -> bool:
        """Whether all files are known."""
        return self._indexed

    @property
    def stopped(self) -> bool:
        """Whether what runs now is to stop."""
        return self._stop is not None and self._stop.is_set()

    @contextlib.contextmanager
    def _until(self, stop: StopFlag | None) -> Iterator[None]:
        self._stop = stop
        try:
            with giving_way():
                yield
        finally:
            self._stop = None

    def _now(self) -> ExactEdits:
        return self._edits or self._reread()

    # -- while a command is typed

    def candidates(self, line: str, at: int, path: str) -> Completions:
        """The candidates at a position in the line, with `path` in view."""
        with self._lock:
            repo = self._now().repo
            if self._completer is None or self._completer[0] != path:
                self._completer = path, Completer(repo, path, self._symbols)
            return self._completer[1].candidates(line, at)

    def complete(self, line: str, cursor: Cursor) -> FullCommand:
        """The command with the defaults of the cursor. Raises EditRefused where something is missing."""
        with self._lock:
            repo = self._now().repo
            if self._place is None or self._place[0] != cursor:
                self._place = cursor, CursorPlace(repo, cursor, indexed=self._indexed)
            return self._full(line, self._place[1])

    def _full(self, line: str, cursor: CursorPlace) -> FullCommand:
        try:
            return complete_call(line, cursor)
        except UnknownWord as error:
            words = split(line)
            word = words[error.at] if words else None
            meant = (
                (f"{line[: word.start]}{item}{line[word.end :]}" for item in error.nearest) if word else ()
            )
            raise EditRefused(str(error), tuple(meant)) from error
        except MalformedCall as error:
            raise EditRefused(str(error)) from error

    # -- planning

    def plan(self, line: str, cursor: Cursor, stop: StopFlag | None = None) -> PlannedEdit:
        """The edit for a command, checked. Raises EditRefused if there is none or if it is stopped."""
        begun = time.monotonic()
        with self._lock, self._until(stop):
            edits = self._reread(files_asked_about(ContextRequest(line)))
            full = self._full(line, CursorPlace(edits.repo, cursor))
            first: PlanRefused | None = None
            for item in (full, *full.others):
                found = edits.try_plan(*item.calls)
                if isinstance(found, Plan):
                    hunks = edits.hunks(found)
                    seconds = time.monotonic() - begun
                    return PlannedEdit(item.line, item.shown, found, hunks, edits.as_read(hunks), seconds)
                first = first or found
            assert first is not None
            raise EditRefused(first.reason, _choices(full, first, edits.repo))

    # -- running

    def run(self, planned: PlannedEdit, *, stop: StopFlag) -> Iterator[Event]:
        """The turn of a planned edit, journaled like any other."""
        yield from self.run_record(self.record(planned, ContextRequest(planned.line)), stop)

    @contextlib.contextmanager
    def reading(self, ask: ContextRequest, stop: StopFlag) -> Generator[ExactEdits, None, None]:
        """The current files, for planning edits. While they are being indexed, it has only the indexed
        ones, and those that the words are about. Raises EditRefused if it is stopped."""
        with self._lock, self._until(stop):
            yield self._read_so_far(ask) or self._reread(files_asked_about(ask))

    def record(
        self, planned: PlannedEdit, ask: ContextRequest, chosen: events.Chosen | None = None
    ) -> TurnRecord:
        """A new turn that shows a planned edit as the answer to `ask`."""
        self._execution.check_idle()
        tree = self._tree.with_files(planned.read)
        first_hunk = self._records.last_hunk_id + 1
        turn = ExactTurn(self._execution.next_id, planned, tree, first_hunk, chosen)
        return self._execution.add(turn, tree, ask, first_hunk)

    def say(
        self, ask: ContextRequest, sentence: str, titles: Sequence[str], ending: str, seconds: float
    ) -> TurnRecord:
        """A new turn that answers with a sentence or a choice."""
        self._execution.check_idle()
        tree = self._tree.fresh()
        turn_id = self._execution.next_id
        turn = SpokenTurn(turn_id, ask.instruction, sentence, titles, ending, tree, seconds)
        return self._execution.add(turn, tree, ask, self._records.last_hunk_id + 1)

    def run_record(self, record: TurnRecord, stop: StopFlag) -> Iterator[Event]:
        """Run a turn that was added."""
        yield from self._execution.run(record, record.turn.start(stop), stop)

    def retry(self, record: TurnRecord, *, stop: StopFlag) -> Iterator[Event]:
        """The edit of a turn again, on the files as they are now; its undecided hunks are rejected first."""
        planned = self.plan(record.instruction, Cursor())
        yield from self._decisions.withdraw(record)
        record.retried = True
        yield from self.run(planned, stop=stop)


def _choices(full: FullCommand, found: PlanRefused, repo: Repository) -> tuple[str, ...]:
    """The command with each of the nearest names in the place of the one that was not found."""
    call, where = full.calls[0], slots.Symbol | slots.FilePath | slots.Place
    fields = [getattr(call, item.name) for item in slots_of(type(call)) if issubclass(item.type, where)]
    nearest, paths = found.nearest, repo.index.all_paths
    if not nearest:
        named = [field.path if isinstance(field, slots.Place) else str(field) for field in fields]
        lost = next((path for path in named if path and path not in paths and path in found.reason), "")
        files = lost if "/" in lost or "." in lost else ""
        nearest = tuple(difflib.get_close_matches(files, paths, 3)) if files else ()
    texts = [str(field) for field in fields]
    typed = read(full.line)
    word = next(
        (argument for argument in typed.arguments if _means(_value(argument.text), texts, found.reason)), None
    )
    if word is None:
        return ()
    value = _value(word.text)
    head, _, name = value.rpartition("::")
    # A file that is not there is only the first part of a symbol.
    after = f"::{name}" if head and f"{head}::" not in found.reason and head in found.reason else ""
    before = full.line[: word.start] + word.text[: len(word.text) - len(value)]
    return tuple(f"{before}{quoted(match + after)}{full.line[word.end :]}" for match in nearest)


def _value(word: str) -> str:
    name, equals, value = word.partition("=")
    return value if equals and name.isidentifier() else word


def _means(value: str, fields: Sequence[str], reason: str) -> bool:
    """Whether a word is the field that a refusal is about."""
    head, _, name = value.rpartition("::")
    parts = filter(None, (value, head, name.partition("@")[0]))
    is_field = any(value in (text, text.removeprefix("in ")) for text in fields)
    return is_field and any(part in reason for part in parts)


def _worth_parsing(index: Index) -> list[str]:
    """The files that most others import, those last: as many as are parsed ahead."""
    out: list[str] = []
    room = CHARACTERS_AHEAD
    for path in sorted(index.paths, key=lambda item: -len(index.importers(item))):
        room -= len(index.text(path) or "")
        if room < 0 or len(out) == _MOST_FILES_AHEAD:
            break
        out.append(path)
    return out[::-1]
