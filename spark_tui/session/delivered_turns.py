"""Turns whose answer was made elsewhere, for example by a background job, without asking a model here."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spark_tui.backends.base import Backend, FilePart, Request
from spark_tui.context.shown_context import ContextRequest
from spark_tui.edits.parser import Parser, answer_parser
from spark_tui.events import Event
from spark_tui.session.review.turn_record import TurnRecords
from spark_tui.session.tree.tree_reader import TreeReader
from spark_tui.session.turn import MOST_FILES, Turn
from spark_tui.session.turn_execution import TurnExecution
from spark_tui.workspace.files import FileText

_NO_LIMIT = 1_000_000_000


@dataclass
class DeliveredTurns:
    """Adds such turns to a session."""

    _tree: TreeReader
    _records: TurnRecords
    _execution: TurnExecution

    def run(self, instruction: str, answer: Backend, read: Mapping[str, FileText | None]) -> Iterator[Event]:
        """The turn that `answer` gives to an instruction. `read`: the files that it is about as they were
        then; what changed since is merged on write. It cannot be stopped: half of it would be lost."""
        self._execution.check_idle()
        tree, first_hunk = self._tree.with_files(read), self._records.last_hunk_id + 1
        shown = tuple(FilePart(path, "") for path in list(read)[:MOST_FILES])
        request = Request(instruction, shown, format="auto", max_tokens=_NO_LIMIT)

        def parser(name: str) -> Parser:
            return answer_parser(name, tree.read_lines, read_link=tree.read_link, last_id=first_hunk - 1)

        turn = Turn(self._execution.next_id, (request,), answer, parser)
        record = self._execution.add(turn, tree, ContextRequest(instruction), first_hunk)
        stop = threading.Event()
        yield from self._execution.run(record, turn.start(stop), stop)
