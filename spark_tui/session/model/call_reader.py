"""Reads the text and the tool calls of one answer, and yields events as soon as they are certain.

Text goes to the edit parser. The arguments of an edit tool become hunks while they arrive. Other calls are
collected; the turn runs them when the answer is complete.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from spark_tui import events
from spark_tui.backends.tool_calls import ToolCall, ToolResult
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.edits.snippets.code_placer import BLIND
from spark_tui.events import Event
from spark_tui.session.model.answer_text import AnswerText
from spark_tui.session.model.session_tools import ToolSetup
from spark_tui.session.model.tool_history import EditsMade
from spark_tui.tools.argument_reader import ArgumentReader, BrokenArguments
from spark_tui.tools.edit_calls import EditCall, WriteFile
from spark_tui.tools.edit_outcome import EditLog
from spark_tui.tools.edit_tools import EDIT_CALLS
from spark_tui.tools.left_calls import left_calls
from spark_tui.tools.overlay import LIVE, Overlay, PendingHunk
from spark_tui.tools.overlay_stream import OverlayStream
from spark_tui.tools.registry import ToolOutcome, WrongArguments
from spark_tui.tools.text_calls import TextCalls, TextPiece

MOST_CALLS = 32
"""The number of calls that are run for one answer; the model is told which ones were not."""


@dataclass(slots=True)
class OpenCall:
    """A call whose arguments arrive."""

    id: str
    name: str
    begun: float
    pieces: list[str] = field(default_factory=list)
    read: int = 0
    """How many of the pieces were read."""
    ended: bool = False
    same: list[str] | None = None
    """Arguments of earlier edits that begin as these do. Nothing is read while there are any."""
    length: int = 0
    reader: ArgumentReader = field(default_factory=ArgumentReader)
    broken: str = ""
    edit: EditCall | None = None
    stream: OverlayStream | None = None
    log: EditLog | None = None
    names: set[str] = field(default_factory=set)
    """Of the files that it edits."""
    values: dict[str, Any] = field(default_factory=dict)
    blind: bool = False
    """Whether it replaces lines that the model has not read."""

    @property
    def whole(self) -> ToolCall:
        return ToolCall(self.id, self.name, "".join(self.pieces))


class CallReader:
    """One answer after the other. It is the `EditParser` of a turn with tools."""

    def __init__(
        self,
        setup: ToolSetup,
        make_parser: Callable[[Overlay], Parser],
        step: int = 1,
        made: EditsMade | None = None,
    ) -> None:
        """`made`: the edits of this turn that another process read."""
        self._setup = setup
        self._make_parser = make_parser
        self._text: AnswerText | None = None
        self._open: list[OpenCall] = []
        """In the order of their beginning; the first one is read while it arrives."""
        self.verdict = ""
        self.called = False
        """Whether any answer began a call."""
        self.step = step
        self._edits: EditsMade = dict(made or {})
        self._text_calls = 0
        """Calls as text in this turn."""
        self.edits = 0
        """What the text of this answer has of edits, also of such that do not fit."""
        self._said: list[str] = []
        self.begin()

    def begin(self) -> None:
        """Another answer begins. A call of the one before that was cut off is forgotten."""
        self._open, self._said, self.edits = [], [], 0
        self._marks = TextCalls(self._text_calls + 1)
        self.todo: list[OpenCall] = []
        """Whole calls that are still to be run."""
        self.calls: list[ToolCall] = []
        self.results: dict[str, ToolResult] = {}
        self.cut = False
        """Whether the arguments of the last call end too early."""

    # -- text

    @property
    def goes_on(self) -> bool:
        """Whether the model has called a tool as text and writes on, without waiting for what comes back."""
        return self._marks.went_on

    def go_on(self) -> None:
        """The model goes on where its text broke off. A call that was cut off is written anew."""
        if self._text is not None:
            self._text.go_on()

    def feed(self, text: str) -> Iterator[Event]:
        if self._setup.native:
            yield from self._feed(text)
        else:
            yield from self._route(self._marks.feed(text))

    def finish(self) -> Iterator[Event]:
        """The answer is complete."""
        if not self._setup.native:
            yield from self._route(self._marks.finish())
        yield from self._end_text()
        if self.calls or self.edits:
            return
        registry = self._setup.registry
        for name, arguments in left_calls(
            "".join(self._said), lambda called: registry.get(registry.name_of(called)) is not None
        ):
            self._text_calls += 1
            call_id = f"t{self.step:04}{self._text_calls:04}"  # as long as Mistral's templates want it
            yield from self.started(call_id, name)
            yield from self.arguments(call_id, arguments)
            yield from self.ended(call_id)

    def _route(self, pieces: Iterator[TextPiece]) -> Iterator[Event]:
        for piece in pieces:
            if isinstance(piece, str):
                if not self._marks.went_on:
                    yield from self._feed(piece)
            elif isinstance(piece, events.ToolCallStarted):
                self._text_calls += 1
                yield from self.started(piece.id, piece.name)
            elif isinstance(piece, events.ToolArguments):
                yield from self.arguments(piece.id, piece.text)
            else:
                yield from self.ended(piece.id)

    def _feed(self, text: str) -> Iterator[Event]:
        self._said.append(text)
        if self._text is None:
            # A model that called nothing quotes the files that it was shown, also after a message about edits
            # that did not fit: it may repeat what fitted.
            self._text = AnswerText(self._setup, self._make_parser, own=self.called or self.step > 1)
        yield from self._text.feed(text)

    def _end_text(self) -> Iterator[Event]:
        if self._text is None:
            return
        yield from self._text.finish()
        self.verdict, self.edits = self._text.verdict, self.edits + self._text.edits
        self._text = None

    def interrupt(self) -> Iterator[Event]:
        """What is open, as far as it has come."""
        if self._text is not None:
            yield from self._text.interrupt()
        for call in self._open[:1]:
            if call.edit is not None and call.stream is not None and not call.broken:
                for event in call.edit.interrupt():
                    yield from call.stream.take(event)
                yield from call.stream.flush()

    # -- calls

    def started(self, call_id: str, name: str) -> Iterator[Event]:
        """The model begins a call."""
        if not self._open:
            yield from self._end_text()
        self.called = True
        name = self._setup.registry.name_of(name[:200])
        self._open.append(OpenCall(call_id, name, time.monotonic()))
        yield events.ToolCalled(call_id, name, self.step)

    def arguments(self, call_id: str, text: str) -> Iterator[Event]:
        call = self._find(call_id)
        if call is not None:
            call.pieces.append(text)
            yield from self._read()

    def ended(self, call_id: str) -> Iterator[Event]:
        call = self._find(call_id)
        if call is not None:
            call.ended = True
            yield from self._read()

    def proposed(self, hunks: Sequence[Hunk]) -> Iterator[Event]:
        """Hunks of a tool that makes all of them in one step, relative to the current files."""
        ids = itertools.count(self._setup.last_hunk_id() + 1)
        stream = OverlayStream(self._setup.make_overlay(True), self._pending, ids.__next__)
        for hunk in hunks:
            made = replace(hunk, id=next(ids))
            opened = events.HunkOpened(
                made.id, made.path, made.old_start, len(made.old_lines), made.kind, made.new_path
            )
            yield from stream.take(opened)
            yield from stream.take(made.closed())
        yield from stream.flush()

    def _pending(self) -> Sequence[PendingHunk]:
        return self._setup.pending(True)

    def answered(self, call: OpenCall, outcome: ToolOutcome) -> Event:
        """The end of a call: stores what the model will be told."""
        self.results[call.id] = ToolResult(call.id, outcome.text, outcome.failed)
        seconds = time.monotonic() - call.begun
        return events.ToolFinished(
            call.id, call.name, call.whole.arguments, outcome.summary, outcome.failed, seconds
        )

    def _find(self, call_id: str) -> OpenCall | None:
        return next((call for call in self._open if call.id == call_id and not call.ended), None)

    def _read(self) -> Iterator[Event]:
        """Read the arguments that have arrived for the first open call, and for later ones once it has
        ended."""
        while self._open:
            call = self._open[0]
            while call.read < len(call.pieces):
                call.read += 1
                if text := self._unlike_earlier(call, call.pieces[call.read - 1]):
                    yield from self._piece(call, text)
            # Servers that do not say where a call ends leave an edit open no longer than its arguments are.
            if not call.ended and (call.edit is None or call.broken or not call.reader.is_whole):
                return
            yield from self._end(call)
            self._open.pop(0)

    def _unlike_earlier(self, call: OpenCall, piece: str) -> str:
        """The text to read now: none while the call may be an earlier edit once more."""
        if call.same is None:
            call.same = [made for name, made in self._edits if name == call.name]
        if not call.same:
            return piece
        call.same = [made for made in call.same if made.startswith(piece, call.length)]
        call.length += len(piece)
        return "" if call.same else "".join(call.pieces[: call.read])

    def _stands(self, call: OpenCall) -> bool:
        """Whether the same edit was made before, all of it is still there, and no other file has its names
        since."""
        made, names = self._edits.get((call.name, call.whole.arguments), ((), set()))
        if not made:
            return False
        live = [pending.hunk for pending in self._pending() if pending.state in LIVE]
        later = [hunk for hunk in live if hunk.id > max(made) and hunk.kind in ("add", "move")]
        taken = any((hunk.new_path or hunk.path) in names for hunk in later)
        return not taken and {*made} <= {hunk.id for hunk in live}

    def _piece(self, call: OpenCall, text: str) -> Iterator[Event]:
        if call.broken:
            return
        if call.edit is None and call.name in EDIT_CALLS and len(self.calls) < MOST_CALLS:
            overlay, last = self._setup.make_overlay(True), self._setup.last_hunk_id()
            call.edit = EDIT_CALLS[call.name](overlay.lines, last)
            call.edit.named = overlay.meant
            call.edit.read_base = overlay.lines_before_turn
            call.log = EditLog(overlay)
            call.stream = OverlayStream(overlay, self._pending, call.edit.new_id)
        try:
            for member in call.reader.feed(text):
                if call.edit is not None:
                    yield from self._hunks(call, call.edit.take(member))
        except BrokenArguments as error:
            yield from self._break(call, str(error))

    def _break(self, call: OpenCall, message: str) -> Iterator[Event]:
        call.broken = message
        if call.edit is not None:
            yield from self._hunks(call, call.edit.fail(f"malformed arguments: {message}"))

    def _hunks(self, call: OpenCall, stream: Iterator[Event]) -> Iterator[Event]:
        assert call.stream is not None and call.log is not None
        for event in stream:
            if isinstance(event, events.HunkClosed):
                call.names |= {event.path, event.new_path}
            yield from self._noted(call, call.stream.take(event))

    def _noted(self, call: OpenCall, shown: Iterator[Event]) -> Iterator[Event]:
        """A whole file that takes the place of lines which the model cannot know is doubted: nothing quotes
        them."""
        assert call.log is not None
        for event in shown:
            if isinstance(event, events.HunkClosed) and self._replaces_unseen(call, event):
                call.blind = True
                yield events.Doubt(event.hunk_id, 0.0, BLIND)
            call.log.note(event)
            yield event

    def _replaces_unseen(self, call: OpenCall, hunk: events.HunkClosed) -> bool:
        whole = isinstance(call.edit, WriteFile) and not hunk.partial
        return whole and bool(hunk.old_lines) and hunk.path not in self._setup.seen

    def _end(self, call: OpenCall) -> Iterator[Event]:
        """The arguments are complete."""
        stands = self._stands(call)
        if not stands and (call.same or not call.pieces):
            yield from self._piece(call, call.whole.arguments)
        self.calls.append(call.whole)
        tool = self._setup.registry.get(call.name)
        if not call.broken:
            try:
                call.values = call.reader.finish()
                if tool is not None:
                    call.values = tool.values(call.values)
            except (BrokenArguments, WrongArguments) as error:
                self.cut = isinstance(error, BrokenArguments)
                yield from self._break(call, str(error))
        if len(self.calls) > MOST_CALLS:
            text = f"not done: an answer may have {MOST_CALLS} calls; call again for the others"
            yield from self._refuse(call, text, "too many calls")
        elif stands:
            text = "nothing changes: you made this edit before, and it stands"
            yield from self._refuse(call, text, "made already", failed=False)
        elif call.broken:
            yield from self._refuse(call, f"nothing was done: {call.broken}", "malformed arguments")
        elif call.edit is None or call.stream is None or call.log is None or tool is None:
            self.todo.append(call)
        else:
            yield from self._hunks(call, call.edit.finish())
            yield from self._noted(call, call.stream.flush())
            outcome = call.log.outcome()
            if not outcome.failed:
                self._edits[call.name, call.whole.arguments] = call.log.hunks, call.names
                if isinstance(call.edit, WriteFile) and not call.blind:
                    self._setup.seen |= call.names
            yield events.ToolOutput(call.id, outcome.text)
            yield self.answered(call, outcome)

    def _refuse(self, call: OpenCall, text: str, summary: str, *, failed: bool = True) -> Iterator[Event]:
        yield events.ToolOutput(call.id, text)
        yield self.answered(call, ToolOutcome(text, summary, failed))
