"""A turn in which the model may call tools: answers in sequence, until one has no calls.

Text and edits stream as in any turn. When an answer is complete, its other calls are run and the next answer
is requested with their results. Every step is in the journal: a killed turn continues after its last complete
call.
"""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import replace
from threading import Event as StopFlag

from spark_tui import events
from spark_tui.backends.base import Backend, Request, takes_tools
from spark_tui.backends.tool_calls import ToolStep
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode, Misfit, SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session.model.call_reader import CallReader, OpenCall
from spark_tui.session.model.compaction import CHARACTERS
from spark_tui.session.model.session_tools import ToolSetup
from spark_tui.session.model.tool_history import (
    EditsMade,
    journaled_edits,
    journaled_reads,
    journaled_steps,
    named_in,
    with_steps,
    within,
)
from spark_tui.session.timing import LegTimer
from spark_tui.session.turn import CallPiece, EditParser, Turn
from spark_tui.session.window_cursor import HunkBoundary
from spark_tui.tools.edit_tools import EDIT_CALLS
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.overlay_stream import superseded
from spark_tui.tools.registry import Stopped, ToolOutcome

_SAME_CALL_TOLD = 3
_SAME_CALL_ENDS = 6
"""So often the same call may give the same."""


_LEFT_OUT = "\nThe prompt exceeds the model's window: older outputs and messages are left out.\n"


class _AnswerOver(Exception):
    """The rest of the answer is not wanted."""


class ToolTurn(Turn):
    """A turn of several steps."""

    sees_pending = True

    def __init__(
        self,
        turn_id: str,
        requests: tuple[Request, ...],
        backend: Backend,
        make_parser: Callable[[str, Overlay], Parser],
        setup: ToolSetup,
    ) -> None:
        self._setup = setup
        self._steps: list[ToolStep] = []
        """The answers with calls so far, and what came back."""
        self._limited = ""
        """Why the last leg ended before the model had finished."""
        self._began = 0.0
        self._tokens_before = self._steps_before = 0
        self._arguments = 0
        """Characters of arguments in this leg."""
        self._stale = False
        """Whether the calls of the reader are those of the step before."""
        self._same: Counter[tuple[str, str, str]] = Counter()
        self._made: EditsMade = {}
        """The edits that another process read."""
        self._forgotten = 0
        """So many exchanges of the history do not fit."""
        self._unclosed: dict[int, str] = {}
        """Hunks that another process opened and did not close."""

        def reader(name: str) -> CallReader:
            return CallReader(
                setup, lambda overlay: make_parser(name, overlay), len(self._steps) + 1, self._made
            )

        super().__init__(turn_id, requests, backend, reader)

    @property
    def uses_tools(self) -> bool:
        return bool(self._steps) or (self._parser is not None and bool(self._reader.called))

    def boundary(self, hunk_id: int) -> HunkBoundary:
        if self._steps:
            hint = "Reject the hunks that are wrong, and say what to do as a new message."
            raise UsageError("a turn that used tools cannot be taken back to a hunk", hint=hint)
        return super().boundary(hunk_id)

    # -- restoring

    def recall(self, past: Sequence[Event]) -> int:
        self._steps, tokens, self._unclosed = journaled_steps(past)
        self._made = journaled_edits(past)
        self._setup.seen |= journaled_reads(past)
        return tokens

    def cut_off(self) -> Iterator[Event]:
        for hunk_id, path in sorted(self._unclosed.items()):
            if hunk_id != self.open_hunk:
                message = "the call that wrote this edit was cut off"
                yield events.HunkFailed(hunk_id, path, message, int(ExitCode.INTERRUPTED))
        self._unclosed = {}
        yield from superseded(self._setup.pending(True))
        yield from super().cut_off()

    # -- legs

    def _leg(self, stop: StopFlag, *, resumed: bool = False) -> Iterator[Event]:
        self._limited, self._began = "", self._clock()
        self._tokens_before, self._steps_before, self._arguments = self.emitted, len(self._steps), 0
        self._same.clear()
        for event in super()._leg(stop, resumed=resumed):
            if isinstance(event, events.Finished) and self._limited and event.reason != "interrupted":
                self.reason = "limit"
                event = replace(event, reason="limit")
            yield event

    def _answer(self, timer: LegTimer, parser: EditParser, stop: StopFlag) -> Iterator[Event]:
        """Answers until one calls nothing, a limit is reached, or the person stops the turn."""
        reader = self._reader
        for note in self._setup.notes:
            yield events.Prose(f"{note}\n")
        self._setup.notes = ()
        while True:
            reader.step = len(self._steps) + 1
            if self._setup.native or self._stale:
                reader.begin()
            self._stale = False
            try:
                with contextlib.suppress(_AnswerOver):
                    yield from super()._answer(timer, parser, stop)
            except Misfit:
                if self._cursor.narrow():
                    continue
                if not self._gives_way():
                    raise
                yield events.Prose(_LEFT_OUT)
                continue
            if not stop.is_set() and not self._cursor.at_limit:
                yield from self._shown(reader.finish())
                if not reader.calls:
                    if not self._setup.native or takes_tools(self.backend) or reader.edits or self._steps:
                        return
                    # The server refused the tools, and the model answered without them.
                    self._setup.native, self._stale = False, True
                    self._cursor.begin_answer()
                    continue
            yield from self._run_calls(reader, stop)
            # A call cannot go on where the limit cut it off, as text can: it is written again with more room.
            again = reader.cut and self._cursor.at_limit and self._cursor.widen(self.backend.window)
            if reader.results:
                self._keep_step(reader)
            if stop.is_set() or (self._cursor.at_limit and not again):
                return
            self._limited = self._limited or self._limit()
            if not self._stale:
                return
            if self._limited:
                yield events.Prose(f"\n{self._limited}\n")
                return

    @property
    def _reader(self) -> CallReader:
        assert isinstance(self._parser, CallReader)
        return self._parser

    def _next_request(self) -> Request:
        request = super()._next_request()
        left = max(request.told_before - self._forgotten, 0)
        request = replace(request, history=request.history[self._forgotten :], told_before=left)
        return with_steps(request, self._steps, self._setup)

    def _gives_way(self) -> bool:
        """Whether a server with a smaller window than was thought can be told less: half of the outputs, then
        half of the history."""
        sent = within(self._steps, self._setup.step_tokens)
        size = sum(len(result.text) for step in sent for result in step.results) // CHARACTERS
        self._setup.step_tokens = max(size // 2, 1)
        if within(self._steps, self._setup.step_tokens) != sent:
            return True
        left = len(super()._next_request().history) - self._forgotten
        self._forgotten += (left + 1) // 2
        return left > 0

    def _read(self, token: events.Token, parser: EditParser) -> Iterator[Event]:
        yield from super()._read(token, parser)
        if self._reader.goes_on:
            raise _AnswerOver

    def _follow(self, event: Event) -> None:
        super()._follow(event)
        if isinstance(event, events.ToolFinished) and (event.failed or event.name in EDIT_CALLS):
            # An edit, or a call that cannot be read: these are not run, but may be repeated for ever, too.
            self._repeated(event.name, event.arguments, event.summary)

    def _call_piece(self, piece: CallPiece, stop: StopFlag) -> Iterator[Event]:
        del stop
        reader = self._reader
        if isinstance(piece, events.ToolCallStarted):
            yield from self._shown(reader.started(piece.id, piece.name))
        elif isinstance(piece, events.ToolArguments):
            self._arguments += len(piece.text)
            yield from self._shown(reader.arguments(piece.id, piece.text))
            if self._cursor.repeats(piece, self._seen_texts):
                raise _AnswerOver
        else:
            yield from self._shown(reader.ended(piece.id))

    def _seen_texts(self) -> Iterator[str]:
        """The files that the model has read by tools, as they are now."""
        overlay = self._setup.make_overlay(True)
        for path in sorted(self._setup.seen):
            with contextlib.suppress(SparkError):
                yield "\n".join(overlay.lines(path) or ())

    # -- calls

    def _run_calls(self, reader: CallReader, stop: StopFlag) -> Iterator[Event]:
        """Run the calls of the answer in sequence. A call that is stopped has no result."""
        while reader.todo and not stop.is_set():
            call = reader.todo[0]
            try:
                outcome = yield from self._run(reader, call, stop)
            except Stopped:
                return
            reader.todo.pop(0)
            yield reader.answered(call, outcome)

    def _run(self, reader: CallReader, call: OpenCall, stop: StopFlag) -> Generator[Event, None, ToolOutcome]:
        call.begun = self._clock()
        context = self._setup.context(stop)
        stream = self._setup.registry.call(call.name, call.values, context)
        pieces: list[str] = []
        while True:
            try:
                text = next(stream)
            except StopIteration as end:
                outcome: ToolOutcome = end.value
                break
            if stop.is_set():
                stream.close()
                raise Stopped
            if isinstance(text, str):
                pieces.append(text)
                yield events.ToolOutput(call.id, text)
                continue
            for event in self._shown(reader.proposed(text)):
                if isinstance(event, events.HunkFailed):
                    pieces.append(f"{event.sentence}\n")
                    yield events.ToolOutput(call.id, pieces[-1])
                yield event
        if stop.is_set():
            raise Stopped
        if not outcome.failed:
            self._setup.seen |= {context.files.named(word) for word in named_in(call.values)}
        same = self._repeated(call.name, call.whole.arguments, outcome.text)
        if same >= _SAME_CALL_TOLD:
            note = f"\n(this is call {same} of the same, with the same outcome: do something else)"
            yield events.ToolOutput(call.id, note)
            pieces.append(note)
        return replace(outcome, text="".join(pieces))

    def _repeated(self, name: str, arguments: str, text: str) -> int:
        """How often the call gave this."""
        self._same[name, arguments, text] += 1
        if self._same[name, arguments, text] >= _SAME_CALL_ENDS:
            self._limited = f"Stopped: the model repeats the same call of {name}."
        return self._same[name, arguments, text]

    def _keep_step(self, reader: CallReader) -> None:
        """The calls that were answered are a step; what follows is the next answer."""
        calls = tuple(call for call in reader.calls if call.id in reader.results)
        results = tuple(reader.results[call.id] for call in calls)
        self._steps.append(ToolStep(self._cursor.text, calls, results))
        self._cursor.begin_answer()
        # What is open is still to be shown as it stands, where the turn was stopped.
        reader.calls, reader.results, self._stale = [], {}, True
        self._report_leg()

    def _limit(self) -> str:
        """Why no further answer is asked for; empty where one is."""
        limits = self._setup.limits
        if limits.tool_steps and len(self._steps) - self._steps_before >= limits.tool_steps:
            return f"Stopped after {limits.tool_steps} steps (tools.max_steps)."
        tokens = self.emitted - self._tokens_before + self._arguments // 4
        if limits.tool_tokens and tokens >= limits.tool_tokens:
            return f"Stopped after about {tokens:,} tokens (tools.max_tokens)."
        if limits.tool_seconds and self._clock() - self._began >= limits.tool_seconds:
            return f"Stopped after {limits.tool_seconds:g} seconds (tools.max_seconds)."
        return ""
