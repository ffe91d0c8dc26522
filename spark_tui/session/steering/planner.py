"""Decides whether a message steers the last turn."""

from __future__ import annotations

from dataclasses import dataclass

from spark_tui.backends.base import Request
from spark_tui.context.mentions import without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.conversation import Conversation
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord
from spark_tui.session.steering.steered_turn import SteeredTurn
from spark_tui.session.window_cursor import INTO_THE_LAST, MessageRoute


@dataclass
class SteerPlanner:
    """Judges messages after a turn. It changes nothing."""

    _setup: ModelSetup
    _decisions: Decisions
    _context: ContextBuilder
    _conversation: Conversation

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
        """The windows of the turn that a message is for. A model that reads everything in one go has only
        one."""
        requests, limits = record.turn.requests, self._context.limits()
        if not limits.small or not all(request.files for request in requests):
            return INTO_THE_LAST
        part = requests[0].files[0]
        if len(requests) == 1 and part.text.count("\n") >= part.total_lines and "." not in message:
            return INTO_THE_LAST
        turn = SteeredTurn(
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
        return turn.route()

    def _requests_about(self, record: TurnRecord, path: str) -> tuple[Request, ...]:
        """What would be asked if the turn were about this file as well."""
        ask = ContextRequest(without_files(record.instruction), files=(path,))
        shown = self._context.shown(ask, record.tree.read_lines)
        return self._context.requests(ask, shown, self._conversation.history()[:-1])
