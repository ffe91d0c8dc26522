"""A turn whose answer is a sentence or a list of edits, made without a model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.edits.parser import Parser
from spark_tui.events import Event
from spark_tui.session.exact.exact_turn import PROGRAM
from spark_tui.session.turn import Turn
from spark_tui.workspace.files import Tree


class SpokenTurn(Turn):
    """It ends immediately, has no hunks, and cannot be resumed or steered."""

    def __init__(
        self,
        turn_id: str,
        instruction: str,
        sentence: str,
        titles: Sequence[str],
        ending: str,
        tree: Tree,
        first_token: float = 0.0,
    ) -> None:
        def parser(name: str) -> Parser:
            return Parser(name, tree.read_lines)

        super().__init__(turn_id, (Request(instruction, format="lines"),), PROGRAM, parser)
        self._sentence, self._titles, self._ending = sentence, tuple(titles), ending
        self._first_token = first_token

    def start(self, stop: StopFlag) -> Iterator[Event]:
        del stop
        self.format = "lines"
        instruction = self.requests[0].instruction
        yield events.TurnStarted(self.turn_id, instruction, self.backend.name, self.format, self._wall())
        if self._sentence:
            self.emitted += 1
            yield events.Token(self.emitted, self._sentence + "\n")
            yield events.Prose(self._sentence + "\n")
        if self._titles:
            yield events.Choices(self._titles)
        self.reason = self._ending
        if self.reason == "interrupted":
            yield events.Interrupted(self.emitted)
        yield events.Finished(self.reason, timing=events.Timing(first_token=self._first_token))
