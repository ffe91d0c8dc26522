"""A session: one user's turns, decisions and changes in one tree, with one backend and one journal."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui.backends.base import Backend
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.context.shown_context import ContextRequest
from spark_tui.events import Doubt, Event
from spark_tui.pysource.garbage_collection import release_trees
from spark_tui.session.delivered_turns import DeliveredTurns
from spark_tui.session.model.cache_warmer import CacheWarmer
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.conversation import Conversation
from spark_tui.session.model.session_tools import SessionTools
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.next_edit.ghost_completion import GhostCompletion
from spark_tui.session.next_edit.offer_log import OfferLog
from spark_tui.session.reader.read_ahead import Kept, ReadAhead
from spark_tui.session.reader.undo_turns import UndoTurns
from spark_tui.session.review.answer_checks import AnswerChecks
from spark_tui.session.review.changes import Changes
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.messages import Outbox
from spark_tui.session.review.turn_record import TurnRecords
from spark_tui.session.steering.planner import SteerPlanner
from spark_tui.session.storage.session_journal import SessionJournal
from spark_tui.session.storage.turn_storage import read_undelivered, write_typing, write_undelivered
from spark_tui.session.tree.file_finder import FileFinder
from spark_tui.session.tree.manual_edits import ManualEdits
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.tree.writer import TreeWriter
from spark_tui.session.turn_builder import TurnBuilder
from spark_tui.session.turn_execution import TurnExecution
from spark_tui.session.turn_restore import TurnRestore
from spark_tui.session.turns import Turns

if TYPE_CHECKING:
    from spark_tui.intent.words.readings import Reads
    from spark_tui.session.exact.exact_turns import ExactTurns
    from spark_tui.session.next_edit.offers import NextEdits
    from spark_tui.session.reader.read_turns import ReadTurns
    from spark_tui.session.review.repository_checks import RepositoryChecks

_WAIT_SECONDS = 0.1


class Session:
    """Builds the parts of a session and holds them. Callers use the parts: `turns`, `decisions`, `changes`,
    `manual_edits`, `tree`, `finding`, `ghost`, `warmer`, `outbox` and `journal`.

    The thread of a turn and that of the user interface may use it concurrently; one turn runs at a time.
    """

    def __init__(
        self,
        root: Path,
        backend: Backend,
        settings: Settings,
        state: Path,
        *,
        session_id: str = "",
        reader: Reads | None = None,
        make_writer: Callable[..., TreeWriter] = TreeWriter,
    ) -> None:
        """`session_id`: continue a stored session; without it, a new one begins. `reader` reads instructions;
        by default the built-in one. `make_writer`: how files are written if another program has them open."""
        self._own_reader = reader
        self.lost = ""
        """What a session that was opened lacks of the stored one."""
        self.ahead = ReadAhead(self._read_ahead, lambda found: self._reads_all() or found.is_sure)
        self.root = root
        self.id = session_id or new_id()
        self._setup = setup = ModelSetup(settings, backend)
        self._records = records = TurnRecords()
        self.journal = journal = SessionJournal(state / "sessions" / self.id)
        self.folder = journal.folder
        writer = make_writer(root, state, self.id, most_bytes=settings.max_file_bytes)
        writer.recover()
        writer.reversing = UndoTurns(self.folder / "edits")
        self.tree = TreeReader(root, lambda: setup.settings.max_file_bytes)
        self.finding = FileFinder(root, settings.max_file_bytes)
        self.decisions = decisions = Decisions(records, journal)
        self.changes = changes = Changes(writer, decisions, records, journal)
        self.manual_edits = ManualEdits(self.tree, changes, partial(write_typing, self.folder))
        self._context = context = ContextBuilder(root, setup)
        self.ghost = GhostCompletion(setup, context.withheld)
        self.conversation = conversation = Conversation(records, decisions.review, context)
        self.warmer = CacheWarmer(backend, context, self.tree.fresh, conversation.history)
        self.outbox = Outbox(
            read_undelivered(self.folder), lambda texts: write_undelivered(self.folder, texts)
        )
        self._state = state
        self._cache = paths.cache_dir() / "pysource" / state.name
        self.tools = SessionTools(root, setup, records, decisions, context, state, self._cache)
        self._execution = execution = TurnExecution(records, decisions, journal, writer.unwritable)
        self.builder = builder = TurnBuilder(
            setup, self.tree, records, journal, context, conversation, self.warmer, self.tools, execution
        )
        self.checks = AnswerChecks(
            records, decisions, journal, execution.check_idle, lambda: self._repository_checks
        )
        planner = SteerPlanner(setup, decisions, context, conversation)
        restore = TurnRestore(setup, records, decisions, changes, journal, builder, execution)
        execution.catch_up = restore.catch_up
        self.delivered = DeliveredTurns(self.tree, records, execution)
        self.turns = Turns(
            setup,
            records,
            decisions,
            journal,
            self.outbox,
            builder,
            execution,
            planner,
            lambda: self.reader,
            self._reads,
            self._reads_all,
            changes.clashes,
        )
        if session_id:
            journal.take_typed_hunk()
            restore.replay()

    def pending_tree(self, stop: StopFlag) -> Path | None:
        """A copy of the files as they would be with all hunks that may still be written; None without any."""
        return self.tools.pending_tree(self.tree.fresh(), stop)

    def close(self) -> None:
        """End the session, and its backend with it."""
        if "next_edits" in self.__dict__:
            self.next_edits.close()
        self.checks.close()
        self.warmer.drafts.close()
        self.ahead.drafts.close()
        self.tools.close()
        self.backend.close()
        with self._records.lock:
            self.journal.close()
        release_trees()

    # -- model and settings

    @property
    def backend(self) -> Backend:
        return self._setup.backend

    @property
    def settings(self) -> Settings:
        return self._setup.settings

    def use(self, backend: Backend) -> Backend:
        """Ask this one from now on. Returns the one before, which the caller closes. Raises UsageError while
        a turn runs. The conversation stays; a turn that another model wrote is neither resumed nor
        steered."""
        with self._records.lock:
            self._execution.check_idle()
            before, self._setup.backend = self._setup.backend, backend
            self.warmer.use(backend)
        return before

    def adopt(self, settings: Settings) -> None:
        """These settings from the next turn on."""
        self._setup.settings = settings

    # -- turns

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
        """Run a new turn: `turns.start` in one call. `selection` (first and last line) and `cursor` are
        those of the file in view, 1-based."""
        ask = ContextRequest(instruction, in_view, tuple(files), selection, cursor)
        return self.turns.start(ask, stop=stop)

    @cached_property
    def next_edits(self) -> NextEdits:
        """What follows from what the person types."""
        from spark_tui.session.next_edit.offers import NextEdits  # slow to import, and not needed before

        return NextEdits(self.tree, self._cache, OfferLog(self._state))

    @cached_property
    def exact(self) -> ExactTurns:
        """Exact edits, which need no model."""
        from spark_tui.session.exact.exact_turns import ExactTurns  # slow to import, and not needed before

        return ExactTurns(self.tree, self._records, self.decisions, self._execution, self._cache)

    @cached_property
    def reader(self) -> ReadTurns:
        """What is answered without a language model."""
        from spark_tui.session.reader.read_turns import ReadTurns  # slow to import, and not needed before

        return ReadTurns(
            self.exact,
            self._records,
            self.decisions,
            self.journal,
            self._own_reader,
            self.settings.try_code,
            self.ahead,
        )

    @cached_property
    def _repository_checks(self) -> RepositoryChecks:
        from spark_tui.session.review.repository_checks import RepositoryChecks

        return RepositoryChecks(self.root, self._cache, lambda: self.exact.index)

    def _reads(self) -> bool:
        """Whether the reader is asked before the model: not where a connected one reads everything itself."""
        return self.settings.exact and (self.settings.exact_first or self._reads_all())

    def _reads_all(self) -> bool:
        """Whether it answers whatever it can, and not only what it is sure of."""
        return self.settings.exact and self._context.limits().small

    def draft(self, ask: ContextRequest) -> None:
        """What would be asked if Enter were pressed now: what it needs is read ahead."""
        self.warmer.drafts.draft(ask)
        self.ahead.draft(ask)

    def _read_ahead(self, draft: ContextRequest, stop: StopFlag) -> Kept | None:
        if not self._reads():
            return None
        while "reader" not in self.__dict__:  # it is being imported
            if stop.wait(_WAIT_SECONDS):
                return None
        return self.reader.read_ahead(self.builder.with_files(draft), stop)

    def load_reader(self, stop: StopFlag) -> None:
        """Read the repository ahead, where the built-in reader will be asked. Once is enough."""
        if self._reads() and not self.exact.indexed:
            with self.exact.announced():
                self.reader.load(stop)

    def check_answer(self, *, stop: StopFlag) -> tuple[Event, ...]:
        """Check what the hunks of the last turn would break; may take seconds in a large repository. Gives
        `Checked` and a `Doubt` for each place, or nothing where there is nothing to check."""
        return self.checks.run(stop)

    def breaks_of_write(self) -> Doubt | None:
        """A place that a write now would break, because only a part of an answer is accepted."""
        return self.checks.of_write()


def new_id() -> str:
    """The id of a new session: when it began, and a random suffix."""
    return time.strftime("%Y%m%d-%H%M%S-", time.gmtime()) + secrets.token_hex(4)
