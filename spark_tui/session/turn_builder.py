"""Makes the record of a turn: its requests to the backend, and the files as it reads them."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, field, replace

from spark_tui.backends.base import MAP_PATH, Request
from spark_tui.context.mentions import find_mentions, with_mentions
from spark_tui.context.repo_map import is_code
from spark_tui.context.shown_context import ContextRequest, ShownContext
from spark_tui.edits.emitter_options import EmitterOptions, ReadLines
from spark_tui.edits.parser import Parser, answer_parser
from spark_tui.events import HunkFailed
from spark_tui.session.model.cache_warmer import CacheWarmer
from spark_tui.session.model.context_builder import ContextBuilder, nothing_to_show
from spark_tui.session.model.conversation import Conversation
from spark_tui.session.model.edit_correction import correction
from spark_tui.session.model.session_tools import SessionTools, ToolSetup
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.review.turn_record import TurnRecord, TurnRecords
from spark_tui.session.storage.session_journal import PastTurn, SessionJournal
from spark_tui.session.storage.turn_storage import Leg
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.turn import Turn
from spark_tui.session.turn_execution import TurnExecution
from spark_tui.session.window_cursor import TurnPosition
from spark_tui.workspace.files import Tree

_RETRY_TEMPERATURE = 0.7
"""A retry of a finished turn is sampled: greedy decoding would give the same answer again."""


@dataclass
class TurnBuilder:
    """Adds turns to the records, new ones and those of a stored session, and stores their legs."""

    _setup: ModelSetup
    _tree: TreeReader
    _records: TurnRecords
    _journal: SessionJournal
    _context: ContextBuilder
    _conversation: Conversation
    _warmer: CacheWarmer
    _tools: SessionTools
    _execution: TurnExecution
    shown: ShownContext = field(default_factory=lambda: ShownContext(()))
    """What the last new turn shows the model, and what it leaves out."""

    def expanded(self, ask: ContextRequest) -> ContextRequest:
        """What a person asks, with the prompts and resources of MCP servers that it names."""
        return self._tools.expanded(self.with_files(ask))

    def with_files(self, ask: ContextRequest) -> ContextRequest:
        """With mentions of the files that it names. Where nothing is open or named, it is about the only
        source file, if there is just one."""
        ask = replace(ask, instruction=with_mentions(ask.instruction, self._context.is_file))
        if ask.in_view or ask.files or find_mentions(ask.instruction):
            return ask
        return replace(ask, in_view=self._context.only_source())

    def build(self, ask: ContextRequest, *, seed: int = 0, least_confidence: float = 0.0) -> TurnRecord:
        """A new turn, stored and ready to start. Raises where a small model would be shown nothing."""
        tree, history, turn_id = self._tree.fresh(), self._conversation.history(), self._execution.next_id
        shown = self._context.shown(ask, self._tools.lines_of(turn_id, tree), history)
        if not shown.sections and self._context.limits().small:
            raise nothing_to_show(shown, tree)
        requests = self._context.requests(ask, shown, history)
        if seed:
            requests = tuple(
                replace(request, seed=seed, temperature=_RETRY_TEMPERATURE) for request in requests
            )
        if least_confidence:
            requests = tuple(replace(request, least_confidence=least_confidence) for request in requests)
        self._warmer.turn_begins(requests)
        record = self._add(turn_id, tree, ask, requests)
        self.shown = shown
        self._journal.turns.add_turn(turn_id, requests, ask)
        for section in shown.sections:
            self._journal.keep_file(turn_id, tree, section.path)
        return record

    def correction(self, record: TurnRecord, failed: Sequence[HunkFailed]) -> str:
        """What a model is told of edits that did not fit, with the files as the prompt shows them."""
        shown = dict.fromkeys(part.path for request in record.turn.requests for part in request.files)
        return correction(failed, self._tools.lines_of(record.turn_id, record.tree), [*shown])

    def rebuild(self, past: PastTurn) -> TurnRecord:
        """A turn of a stored session, as it was before its first event."""
        stored, journaled = past.stored, past.journaled
        tree = self._tree.with_files(stored.read)
        record = self._add(journaled.turn_id, tree, stored.ask, stored.requests)
        self._journal.turns.continue_turn(journaled.turn_id, stored.requests)
        record.written_by = journaled.started.backend
        return record

    def _add(
        self, turn_id: str, tree: Tree, ask: ContextRequest, requests: tuple[Request, ...]
    ) -> TurnRecord:
        shown = dict.fromkeys(
            part.path for request in requests for part in request.files if part.path != MAP_PATH
        )
        tools = self._tools.for_turn(turn_id, tree, frozenset(shown))
        turn = self._turn(turn_id, requests, tree, tools, tuple(shown))
        record = TurnRecord(turn_id, tree, ask, turn, leg_from=self._records.last_hunk_id + 1)
        turn.on_leg = lambda position, steers: self._keep_leg(record, position, steers)
        self._records.add(record)
        return record

    def _turn(
        self,
        turn_id: str,
        requests: tuple[Request, ...],
        tree: Tree,
        tools: ToolSetup | None,
        shown: tuple[str, ...],
    ) -> Turn:
        backend = self._setup.backend
        if tools is None:
            read_lines = tree.read_lines
            return Turn(
                turn_id, requests, backend, lambda name: self._parser(name, tree, read_lines, shown, shown)
            )
        from spark_tui.session.model.tool_turn import ToolTurn  # not needed by the built-in model

        return ToolTurn(
            turn_id,
            requests,
            backend,
            lambda name, overlay: self._parser(
                name, tree, overlay.lines, shown, tools.seen, read_base=overlay.lines_before_turn
            ),
            tools,
        )

    def _keep_leg(self, record: TurnRecord, position: TurnPosition, steers: bool) -> None:
        first_hunk = self._records.last_hunk_id + 1
        leg = Leg(record.turn.emitted, len(record.messages) + steers, first_hunk, position)
        self._journal.turns.add_leg(record.turn_id, leg)

    def _parser(
        self,
        format_name: str,
        tree: Tree,
        read_lines: ReadLines,
        shown: tuple[str, ...],
        seen: Container[str],
        read_base: ReadLines | None = None,
    ) -> Parser:
        options: EmitterOptions = {
            "read_link": tree.read_link,
            "last_id": self._records.last_hunk_id,
            "shown": shown,
            "seen": seen,
        }
        if read_base is not None:
            options["read_base"] = read_base
        parser = answer_parser(format_name, read_lines, **options)
        parser.complete = True  # a turn interrupts the parser of an answer that was cut off
        return parser


def follow_up(record: TurnRecord, message: str) -> ContextRequest:
    """A message after a turn is about the files of that turn, also where only its prompt named them. Those
    that the person did not name are shown again; the first is open where nothing else is. The message may be
    about another file all the same."""
    before = record.ask
    in_view = "" if before.in_view in before.earlier else before.in_view
    ask = replace(before, instruction=message, in_view=in_view, earlier=())
    if any(not mention.may_be_symbol or is_code(mention.path) for mention in find_mentions(message)):
        return replace(ask, files=())
    shown = dict.fromkeys(part.path for request in record.turn.requests for part in request.files)
    named = tuple(path for path in shown if path in before.files)
    others = tuple(path for path in shown if path not in (*named, in_view, MAP_PATH))
    return replace(ask, files=named, in_view=in_view or "".join(others[:1]), earlier=others)
