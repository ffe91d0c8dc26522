"""Decides whether a message steers the last turn, and which windows of it the message is for."""

from __future__ import annotations

from spark_tui.backends.base import Request
from spark_tui.context.mentions import without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.context_builder import ContextBuilder
from spark_tui.session.conversation import Conversation
from spark_tui.session.decisions import Decisions
from spark_tui.session.model_setup import ModelSetup
from spark_tui.session.tree_reader import TreeReader
from spark_tui.session.turn_record import TurnRecord
from spark_tui.session.window_answers import INTO_THE_LAST, MessageRoute


class SteerPlanner:
    """Judges messages after a turn. It changes nothing."""

    def __init__(
        self,
        setup: ModelSetup,
        tree: TreeReader,
        decisions: Decisions,
        context: ContextBuilder,
        conversation: Conversation,
    ) -> None:
        self._setup = setup
        self._tree = tree
        self._decisions = decisions
        self._context = context
        self._conversation = conversation

    def can_steer(self, record: TurnRecord) -> bool:
        """Whether a message can be spliced into this turn. Not once hunks of it were written, for that
        changed the file it read; not without an answer, or with that of another model; not where it called
        tools, for what was called cannot be taken back: there the message is the next one."""
        return (
            bool(record.turn.format)
            and not record.turn.uses_tools
            and not record.failed_at_once
            and record.is_by(self._setup.backend)
            and all(state not in ("applied", "undone") for _, state in self._decisions.hunks_of(record))
        )

    def plan(self, record: TurnRecord, message: str) -> MessageRoute:
        """Which windows of the turn a message is for. A model that reads everything at once has only one."""
        requests, limits = record.turn.requests, self._context.limits()
        if not limits.small or not all(request.files for request in requests):
            return INTO_THE_LAST
        part = requests[0].files[0]
        if len(requests) == 1 and part.text.count("\n") >= part.total_lines and "." not in message:
            return INTO_THE_LAST
        from spark_tui.session.message_router import MessageRouter  # slow to import, and not needed before
        from spark_tui.session.steered_turn import SteeredTurn

        turn = SteeredTurn(
            instruction=record.instruction,
            message=message,
            position=record.turn.position,
            hunks=self._decisions.hunks_of(record),
            was_cut=record.turn.can_resume,
            read_lines=record.tree.read_lines,
            limits=limits,
            count_tokens=self._setup.backend.count_tokens,
            outlines=self._context.outlines,
            requests_about=lambda path: self._requests_about(record, path),
        )
        return MessageRouter(turn).route()

    def _requests_about(self, record: TurnRecord, path: str) -> tuple[Request, ...]:
        """What would be asked if the turn were about this file as well."""
        ask = ContextRequest(without_files(record.instruction), files=(path,))
        shown = self._context.shown(ask, record.tree)
        return self._context.requests(ask, shown, self._conversation.history()[:-1])
