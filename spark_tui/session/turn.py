"""One turn, in order: requests → backend → parser → events. Every leg (the first, a resume, a steer, a
branch) ends with `Finished` or `Failed`."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from threading import Event as StopFlag
from typing import Protocol

from spark_tui import events
from spark_tui.backends.base import Backend, FilePart, Request, takes_corrections
from spark_tui.errors import SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session.held_leg import until_an_edit
from spark_tui.session.timing import LegTimer, file_tokens
from spark_tui.session.window_cursor import (
    INTO_THE_LAST,
    HunkBoundary,
    MessageRoute,
    TurnPosition,
    WindowCursor,
)

MOST_FILES = 8
"""The number of files that a follow-up to an answer without a model can be about."""
CallPiece = events.ToolCallStarted | events.ToolArguments | events.ToolCallEnded
CALL_PIECES = (events.ToolCallStarted, events.ToolArguments, events.ToolCallEnded)


class EditParser(Protocol):
    """What a turn needs of `edits.parser.Parser`."""

    @property
    def verdict(self) -> str: ...
    def feed(self, text: str) -> Iterator[Event]: ...
    def finish(self) -> Iterator[Event]: ...
    def interrupt(self) -> Iterator[Event]: ...
    def go_on(self) -> None: ...


MakeParser = Callable[[str], EditParser]


class Turn:
    """A turn that can be stopped, resumed, steered and rewound to a hunk. Its generators are iterated one
    after the other."""

    sees_pending = False
    """Whether the model is shown the files with the hunks of earlier turns that wait."""

    def __init__(
        self,
        turn_id: str,
        requests: tuple[Request, ...],
        backend: Backend,
        make_parser: MakeParser,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.turn_id = turn_id
        self.backend = backend
        self.on_leg: Callable[[TurnPosition, bool], None] | None = None
        """Called with the position where the next token cannot be derived from those before, and with whether
        a steer is about to count."""
        self.format = ""
        self.emitted = 0
        """Tokens of all legs."""
        self.open_hunk = 0
        self.checked = False
        """Whether its hunks were checked already."""
        self.changes = 0
        """Hunks of the last leg that change something."""
        self.misfits = 0
        """Edits of the last leg that were not made."""
        self.reason = ""
        """How the last leg ended: `Finished.reason`, or `failed`."""
        self.asked = 0.0
        """When the user asked for the next leg, by `clock`; 0: when it begins."""
        self._make_parser = make_parser
        self._clock = clock
        self._wall = wall
        self._parser: EditParser | None = None
        self._cursor = WindowCursor(requests)
        self._taken_back: list[Request] = []
        self._boundaries: dict[int, HunkBoundary] = {}
        self._edited: set[str] = set()
        """Files that the last leg edits."""
        self._closed: list[int] = []
        """Hunks that the last token closed."""

    # -- position

    @property
    def requests(self) -> tuple[Request, ...]:
        return self._cursor.requests

    @property
    def position(self) -> TurnPosition:
        return self._cursor.position

    @property
    def steered(self) -> bool:
        return self._cursor.steered

    @property
    def taken_back(self) -> tuple[FilePart, ...]:
        """Windows of the last leg in which a message leaves nothing to do."""
        return tuple(request.files[0] for request in self._taken_back)

    @property
    def uses_tools(self) -> bool:
        """Whether the model called tools in it."""
        return False

    @property
    def can_resume(self) -> bool:
        """Whether it can continue: it was stopped, cut off by its limit, or failed."""
        return self._parser is not None and self.reason in ("interrupted", "failed", *events.CUT_OFF)

    def restore(
        self, position: TurnPosition, format_name: str, tokens: Iterable[events.Token], reason: str
    ) -> list[Event]:
        """Continue where another process left off: `tokens` after the beginning of a leg. Returns their
        events."""
        self._cursor.move_to(position)
        self._cursor.end_reason = reason if reason in events.CUT_OFF else ""
        self.format, self.reason = format_name, reason
        self._parser = self._make_parser(format_name)
        return [event for token in tokens for event in self._read(token, self._parser)]

    def recall(self, past: Sequence[Event]) -> int:
        """Take in what another process journaled of this turn, besides its tokens. Returns how many of the
        tokens belong to steps that are complete."""
        del past
        return 0

    def read_again(self, token: events.Token) -> list[Event]:
        """The events of one more of these tokens."""
        assert self._parser is not None
        return list(self._read(token, self._parser))

    def cut_off(self) -> Iterator[Event]:
        """The end of a leg that was killed."""
        if self._parser is not None:
            yield from self._parser.interrupt()
        self.reason = "interrupted"
        yield events.Interrupted(at=self.emitted, open_hunk=self.open_hunk)
        yield events.Finished(self.reason)

    # -- legs

    def start(self, stop: StopFlag) -> Iterator[Event]:
        """The first leg."""
        failure = None
        self.format = self.requests[0].format
        try:
            if self.format == "auto":
                self.format = self.backend.format_for(self.requests[0])
        except SparkError as error:
            failure = error
        yield events.TurnStarted(
            self.turn_id, self.requests[0].instruction, self.backend.name, self.format, self._wall()
        )
        if failure is not None:
            yield self._failed(failure)
            return
        self._parser = self._make_parser(self.format)
        self._report_leg()
        yield from self._leg(stop)

    def resume(self, stop: StopFlag) -> Iterator[Event]:
        """Continue from the current position."""
        if self._parser is None or not self.can_resume:
            raise UsageError("nothing to resume", hint="The last turn is complete.")
        if takes_corrections(self.backend):
            self._parser.go_on()
        yield from self._leg(stop, resumed=True)

    def steer(
        self, message: str, stop: StopFlag, route: MessageRoute = INTO_THE_LAST, *, for_an_edit: bool = False
    ) -> Iterator[Event]:
        """Splice a message in at the current position, in each window that it is for. It takes effect
        with the `Steered` event; without that event the turn is unchanged. `for_an_edit`: it takes effect
        only if an edit comes of it."""
        if self._parser is None:
            raise UsageError("nothing to steer", hint="The last turn did not start.")
        before = self.position
        self._cursor.deliver(message, route)
        held = until_an_edit if for_an_edit and self._cursor.is_last else iter
        yield from self._spliced_leg(message, before, self._parser, stop, held)

    def branch(self, hunk_id: int, message: str, stop: StopFlag) -> Iterator[Event]:
        """The same from the end of one of this turn's hunks; what came after it is discarded."""
        boundary = self.boundary(hunk_id)
        parser, before = self._parser, self.position
        assert parser is not None
        self._cursor.rewind(boundary, message)
        yield from self._spliced_leg(message, before, parser, stop)

    def boundary(self, hunk_id: int) -> HunkBoundary:
        """The place after a hunk. Raises UsageError where the turn cannot go back to it."""
        found = self._boundaries.get(hunk_id)
        if found is None or found.at != self.position.at:
            raise UsageError(
                f"the turn cannot be rewound to hunk {hunk_id}",
                hint="Choose a complete hunk of the last answer.",
            )
        return found

    def hunks_after(self, hunk_id: int) -> tuple[int, ...]:
        """The hunks of this turn that came after that one."""
        place = self.boundary(hunk_id)
        order = (place.splices, place.ids)
        return tuple(
            other for other, b in self._boundaries.items() if b.at == place.at and (b.splices, b.ids) > order
        )

    # -- inside

    def _spliced_leg(
        self,
        message: str,
        before: TurnPosition,
        parser: EditParser,
        stop: StopFlag,
        held: Callable[[Iterator[Event]], Iterator[Event]] = iter,
    ) -> Iterator[Event]:
        """A leg that begins with a message. It counts from the first event that is not held back."""
        self._parser = self._make_parser(self.format)
        reason, open_hunk, self.open_hunk = self.reason, self.open_hunk, 0
        begun, emitted, counts, gone = self.position, self.emitted, False, False
        for event in held(self._leg(stop)):
            if not counts and isinstance(event, (events.Interrupted, events.Failed)):
                gone = True
                self._cursor.move_to(before)
                self._parser, self.open_hunk, self.emitted = parser, open_hunk, emitted
            elif not counts and not gone:
                counts, now, self.emitted = True, self.emitted, emitted
                self._report_leg(begun, steers=True)
                self.emitted = now
                yield events.Steered(
                    message, event.reused if isinstance(event, events.PrefillProgress) else 0
                )
            yield event
        if gone:
            self.reason = reason

    def _leg(self, stop: StopFlag, *, resumed: bool = False) -> Iterator[Event]:
        """Ask, parse and end. A resumed leg that was cut off by its limit gets as many tokens again."""
        timer = LegTimer(self._clock, started=self.asked or self._clock())
        self.asked = 0.0
        parser = self._parser
        assert parser is not None
        if resumed and self._cursor.at_limit:
            self._cursor.extend_limit()
        self.reason = ""
        if not resumed:
            self.changes = self.misfits = 0
            self._taken_back, self._edited = [], set()
        try:
            while True:
                yield from self._answer(timer, parser, stop)
                if stop.is_set() or self._cursor.at_limit:
                    break
                if self._cursor.has_nothing_to_do:
                    self._taken_back.append(self._cursor.request)
                if self._cursor.is_last:
                    break
                self._cursor.enter_next()
                self._report_leg()
        except SparkError as error:
            yield from parser.interrupt()
            yield self._failed(error)
            return
        if stop.is_set():
            yield from parser.interrupt()
            self.reason = "interrupted"
            yield events.Interrupted(at=self.emitted, open_hunk=self.open_hunk)
        elif self._cursor.at_limit and not parser.verdict:
            yield from parser.interrupt()
            self.reason = self._cursor.end_reason or "length"
        else:
            yield from self._shown(parser.finish())
            # One with an edit that did not fit has something to change.
            edited = self.changes or self.misfits
            self.reason = ("stop" if edited else parser.verdict.replace("-", "_")) or "stop"
        parts = (part for request in self.requests for part in request.files)
        of_files = file_tokens(parts, self._edited, self.backend.count_tokens)
        yield events.Finished(self.reason, timer.usage(of_files), timer.timing())

    def _answer(self, timer: LegTimer, parser: EditParser, stop: StopFlag) -> Iterator[Event]:
        timer.begin()
        self._closed = []
        self._cursor.begin_part()
        doubt: events.Doubt | None = None
        for event in self.backend.stream(self._next_request(), stop):
            timer.note(event)
            if isinstance(event, CALL_PIECES):
                yield from self._call_piece(event, stop)
                if stop.is_set():
                    return
                continue
            if isinstance(event, events.Waited):
                continue
            if isinstance(event, events.AnswerEnded):
                self._cursor.end_reason = event.reason
                continue
            if isinstance(event, events.Doubt):
                # About what the next token closes; a server may send it after that token.
                if self._closed:
                    yield from self._doubted(event)
                elif self.open_hunk:
                    # Given before the hunk closes: a killed process cannot leave a whole hunk without its
                    # doubt.
                    yield replace(event, hunk_id=self.open_hunk)
                else:
                    doubt = event
                continue
            yield event
            if isinstance(event, events.Token):
                yield from self._read(event, parser)
                if doubt is not None and self._closed:
                    yield from self._doubted(doubt)
                    doubt = None
            if stop.is_set() or self._cursor.repeats(event):
                return

    def _next_request(self) -> Request:
        """What to ask for the rest of the answer."""
        return self._cursor.next_request(self.backend)

    def _call_piece(self, piece: CallPiece, stop: StopFlag) -> Iterator[Event]:
        """A piece of a tool call. This turn offers no tools."""
        del piece, stop
        yield from ()

    def _doubted(self, doubt: events.Doubt) -> Iterator[Event]:
        """It is about the hunks that the last token closed, whatever the backend counts."""
        yield from (replace(doubt, hunk_id=hunk_id) for hunk_id in self._closed)
        self._closed = []

    def _read(self, token: events.Token, parser: EditParser) -> Iterator[Event]:
        self.emitted += 1
        self._cursor.add(token)
        self._closed = []
        if token.text:
            yield from self._shown(parser.feed(token.text))

    def _shown(self, stream: Iterator[Event]) -> Iterator[Event]:
        """Keep track of hunks and their places. The marker of a verdict is not shown: `Finished` carries
        it."""
        for event in stream:
            if not self._is_verdict(event):
                self._follow(event)
                yield event

    def _is_verdict(self, event: Event) -> bool:
        verdict = self._parser.verdict if self._parser is not None else ""
        if not verdict or not isinstance(event, events.Prose):
            return False
        return event.text.strip().removeprefix("@@").strip() == verdict

    def _follow(self, event: Event) -> None:
        if isinstance(event, events.HunkOpened):
            self.open_hunk = event.hunk_id
        elif isinstance(event, (events.HunkClosed, events.HunkFailed)):
            if event.hunk_id == self.open_hunk:
                self.open_hunk = 0
            self.misfits += isinstance(event, events.HunkFailed)
            if isinstance(event, events.HunkClosed) and event.changes and not event.partial:
                self.changes += 1
                self._edited.add(event.path)
                self._closed.append(event.hunk_id)
                self._boundaries[event.hunk_id] = self._cursor.boundary()

    def _report_leg(self, begun: TurnPosition | None = None, *, steers: bool = False) -> None:
        if self.on_leg is not None:
            self.on_leg(begun or self.position, steers)

    def _failed(self, error: SparkError) -> events.Failed:
        self.reason = "failed"
        return events.Failed(error.what, error.where, error.hint, int(error.exit_code))
