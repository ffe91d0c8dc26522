"""Decides whether a message steers the last turn, and which windows of it the message is for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from spark_tui.backends.base import Request
from spark_tui.context.mentions import without_files
from spark_tui.context.prompt import file_windows
from spark_tui.context.shown_context import ContextRequest, Section
from spark_tui.session.model.context_builder import ContextBuilder
from spark_tui.session.model.conversation import Conversation
from spark_tui.session.model.setup import ModelSetup
from spark_tui.session.review.decisions import Decisions
from spark_tui.session.review.turn_record import TurnRecord
from spark_tui.session.steering.named_targets import words_for_code
from spark_tui.session.steering.steered_turn import SteeredTurn
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.window_answers import INTO_THE_LAST, MessageRoute

MAX_WINDOWS = 8
"""The number of windows that a message is sent to at most."""


class MessageRouter:
    def __init__(self, turn: SteeredTurn) -> None:
        self._turn = turn

    def route(self) -> MessageRoute:
        """Where the message goes."""
        windows = self._windows()[:MAX_WINDOWS]
        if windows == [self._turn.last] and len(self._turn.position.requests) == 1:
            # The backend reads the message itself where there is only one window.
            return INTO_THE_LAST
        unanswered = (one for one in self._turn.unfinished if one not in windows)
        return MessageRoute(tuple(windows), tuple(unanswered))

    def _windows(self) -> list[Request]:
        """The windows that a message is for, in order."""
        if self._turn.added_paths:
            return [request for path in self._turn.added_paths for request in self._turn.requests_about(path)]
        named = list(
            dict.fromkeys(request for path in self._turn.places for request in self._windows_at(path))
        )
        if named:
            return named
        holding = [one for one in self._turn.with_hunks if self._talks_of(one)]
        if holding and len(holding) < len(self._turn.with_hunks):
            return self._ordered([*holding, *([self._turn.last] if self._turn.was_cut else [])])
        likely = [
            one
            for one in (*self._turn.with_hunks, *self._turn.unfinished)
            if one.files[0].path in self._turn.target_paths
        ]
        return self._ordered(likely or self._turn.with_hunks) or [self._turn.last]

    def _ordered(self, requests: Sequence[Request]) -> list[Request]:
        return [one for one in self._turn.position.requests if one in requests]

    def _talks_of(self, request: Request) -> bool:
        """Whether a hunk of this window holds a word of code that the message has."""
        words = words_for_code(self._turn.text)
        return any(
            words & words_for_code("\n".join([*hunk.old_lines, *hunk.new_lines]))
            for hunk in self._turn.hunks_in(request)
        )

    def _windows_at(self, path: str) -> Iterator[Request]:
        """The windows with hunks in the named places; if there are none, the windows of the places."""
        places, hunks = self._turn.places[path], self._turn.hunks_of(path)
        lines = self._turn.lines(path)
        for window in file_windows(path, lines, self._turn.limits, self._turn.count_tokens)[1]:
            for place in places:
                inside = [one for one in hunks if place.holds(one)]
                spots = [one.first + 1 for one in inside] or [place.first]
                if any(window.first <= spot <= window.last for spot in spots):
                    text = "".join(f"{line}\n" for line in lines[window.first - 1 : window.last])
                    yield self._turn.request_for(
                        Section(path, text, window.first, len(lines), window.tokens, "named")
                    )
                    break


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
        """The windows of the turn that a message is for. A model that reads everything in one go has only
        one."""
        requests, limits = record.turn.requests, self._context.limits()
        if not limits.small or not all(request.files for request in requests):
            return INTO_THE_LAST
        part = requests[0].files[0]
        if len(requests) == 1 and part.text.count("\n") >= part.total_lines and "." not in message:
            return INTO_THE_LAST
        from spark_tui.session.steering.steered_turn import SteeredTurn

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
