"""One turn: requests → backend → parser → events. Every door renders this; none owns logic.

Comes in: one request (or one a window), a backend, a way to make a parser, a stop flag. Goes out: the typed
events of the turn, in order; every leg of it (the first, a resume, a steer, a branch) ends with `Finished` or
`Failed`. Must not know: screens, settings, the disk, what becomes of hunks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from threading import Event as StopFlag
from typing import Protocol

from spark_tui import events
from spark_tui.backends.base import Backend, FilePart, Request, Splice, supports_splices
from spark_tui.context.shown_context import KnownHunk
from spark_tui.errors import SparkError, UsageError
from spark_tui.events import Event
from spark_tui.session.timing import LegTimer
from spark_tui.session.window_answers import (
    INTO_THE_LAST,
    HunkBoundary,
    MessageRoute,
    TurnPosition,
    WindowAnswer,
    WindowMessage,
    as_history,
)


class EditParser(Protocol):
    """What a turn needs of `edits.parser.Parser`."""

    @property
    def verdict(self) -> str: ...
    def feed(self, text: str) -> Iterator[Event]: ...
    def finish(self) -> Iterator[Event]: ...
    def interrupt(self) -> Iterator[Event]: ...


MakeParser = Callable[[str], EditParser]
_NOTHING_TO_DO = "@@ no-edit"


@dataclass(slots=True)
class Turn:
    """A turn that can be stopped, resumed, steered and taken back to any of its hunks. Its methods that give
    events must be iterated one after the other; each ends with `Finished` or `Failed`."""

    turn_id: str
    requests: tuple[Request, ...]
    backend: Backend
    make_parser: MakeParser
    clock: Callable[[], float] = time.monotonic
    wall: Callable[[], float] = time.time
    on_leg: Callable[[TurnPosition, bool], None] | None = None
    """Told where the turn stands whenever its next token cannot be told from the tokens before, and whether a
    steer is about to count."""
    format: str = ""
    emitted: int = 0
    """Tokens of all legs."""
    open_hunk: int = 0
    changes: int = 0
    """Hunks of the last leg that change something."""
    reason: str = ""
    """How the last leg ended: `Finished.reason`, or `failed`."""
    asked: float = 0.0
    """When the person asked for the leg that comes, by `clock`; 0: when it begins."""
    _parser: EditParser | None = None
    _at: int = 0
    _spliced: list[Splice] = field(default_factory=list)
    _said: list[str] = field(default_factory=list)
    _ids: list[int] = field(default_factory=list)
    _text: list[str] = field(default_factory=list)
    _wanted: tuple[KnownHunk, ...] = ()
    _others: dict[int, WindowAnswer] = field(default_factory=dict)
    _ahead: list[int] = field(default_factory=list)
    _taken_back: list[int] = field(default_factory=list)
    """Windows of the last leg that a message leaves nothing in."""
    _boundaries: dict[int, HunkBoundary] = field(default_factory=dict)
    _closed: list[int] = field(default_factory=list)
    """Hunks that the last token closed."""

    def __post_init__(self) -> None:
        self._ahead = list(range(1, len(self.requests)))

    # -- where it stands
    # ---------------------------------------------------------------------------------------

    @property
    def standing(self) -> TurnPosition:
        return TurnPosition(
            self.requests, self._at, self._here, tuple(self._others.items()), tuple(self._ahead)
        )

    @property
    def steered(self) -> bool:
        return bool(self._spliced) or any(one.spliced for one in self._others.values())

    @property
    def taken_back(self) -> tuple[FilePart, ...]:
        """Windows of the last leg that a message leaves nothing in."""
        return tuple(self.requests[at].files[0] for at in self._taken_back)

    @property
    def can_resume(self) -> bool:
        """Whether there is more to come: it was stopped, cut off by its limit, or broke."""
        return self._parser is not None and self.reason in ("interrupted", "length", "failed")

    def restore(
        self, standing: TurnPosition, format_name: str, tokens: Iterable[events.Token], reason: str
    ) -> list[Event]:
        """Stand where another process left off: at the beginning of a leg, and `tokens` behind it. Returns
        the events that these tokens give anew."""
        self._set(standing)
        self.format, self.reason = format_name, reason
        self._parser = self.make_parser(format_name)
        return [event for token in tokens for event in self._read(token, self._parser)]

    def read_again(self, token: events.Token) -> list[Event]:
        """The events that one more of these tokens gives anew."""
        assert self._parser is not None
        return list(self._read(token, self._parser))

    def cut_off(self) -> Iterator[Event]:
        """The end of a leg that another process could not end."""
        if self._parser is not None:
            yield from self._parser.interrupt()
        self.reason = "interrupted"
        yield events.Interrupted(at=self.emitted, open_hunk=self.open_hunk)
        yield events.Finished(self.reason)

    # -- legs
    # --------------------------------------------------------------------------------------------------

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
            self.turn_id, self.requests[0].instruction, self.backend.name, self.format, self.wall()
        )
        if failure is not None:
            yield self._failed(failure)
            return
        self._parser = self.make_parser(self.format)
        self._tell()
        yield from self._leg(stop)

    def resume(self, stop: StopFlag) -> Iterator[Event]:
        """Go on behind what stands. The joined tokens are those of a run that was never stopped."""
        if not self.can_resume:
            raise UsageError("nothing to resume", hint="The last turn is complete.")
        yield from self._leg(stop, allowance=True)

    def steer(self, message: str, stop: StopFlag, plan: MessageRoute = INTO_THE_LAST) -> Iterator[Event]:
        """Splice a message in behind what stands, in each window that it is for, one after the other.
        `Steered` says that it counts; without one it does not, and the turn stands where it stood."""
        if self._parser is None:
            raise UsageError("nothing to steer", hint="The last turn did not start.")
        before, parser = self.standing, self._parser
        answers, at_last = {**self._others, self._at: self._here}, self._at
        order = {self._place_of(one) for one in plan.still} if plan.told else {*self._ahead}
        if at_last in order:
            answers[at_last] = answers[at_last].again()
        for one in plan.told or (WindowMessage(self.requests[at_last]),):
            at = self._place_of(one.request)
            answers[at] = answers.get(at, WindowAnswer()).told(message, one.wanted)
            order.add(at)
        # What was answered last is warm: it comes first.
        first, *self._ahead = sorted(order, key=lambda one: (one != at_last, one))
        self._others = answers
        self._go(first)
        yield from self._spliced_leg(message, before, parser, stop)

    def branch(self, hunk_id: int, message: str, stop: StopFlag) -> Iterator[Event]:
        """The same from behind a hunk of this turn: what came after it was never said."""
        place = self.boundary(hunk_id)
        parser, before = self._parser, self.standing
        assert parser is not None
        ids = self._spliced[place.splices].ids if place.splices < len(self._spliced) else tuple(self._ids)
        text = self._said[place.splices] if place.splices < len(self._said) else "".join(self._text)
        del self._spliced[place.splices :], self._said[place.splices :]
        self._spliced.append(Splice(tuple(ids[: place.ids]), message))
        self._said.append(text[: place.chars])
        self._ids, self._text, self._wanted = [], [], ()
        yield from self._spliced_leg(message, before, parser, stop)

    def boundary(self, hunk_id: int) -> HunkBoundary:
        place = self._boundaries.get(hunk_id)
        if place is None or place.at != self._at:
            raise UsageError(
                f"the turn cannot be rewound to hunk {hunk_id}",
                hint="Choose a complete hunk of the last answer.",
            )
        return place

    def behind(self, hunk_id: int) -> tuple[int, ...]:
        """Hunks of this turn that came after that one."""
        place = self.boundary(hunk_id)
        order = (place.splices, place.ids)
        return tuple(
            other for other, b in self._boundaries.items() if b.at == place.at and (b.splices, b.ids) > order
        )

    # -- inside
    # ------------------------------------------------------------------------------------------------

    def _spliced_leg(
        self, message: str, before: TurnPosition, parser: EditParser, stop: StopFlag
    ) -> Iterator[Event]:
        """A leg that begins with a message. It counts once the backend has answered it with anything."""
        self._parser = self.make_parser(self.format)
        reason, open_hunk, self.open_hunk = self.reason, self.open_hunk, 0
        counts = gone = False
        for event in self._leg(stop):
            if not counts and isinstance(event, (events.Interrupted, events.Failed)):
                gone = True
                self._set(before)
                self._parser, self.open_hunk = parser, open_hunk
            elif not counts and not gone:
                counts = True
                self._tell(steers=True)
                yield events.Steered(
                    message, event.reused if isinstance(event, events.PrefillProgress) else 0
                )
            yield event
        if gone:
            self.reason = reason

    @property
    def _here(self) -> WindowAnswer:
        return WindowAnswer(
            tuple(self._spliced), tuple(self._said), tuple(self._ids), "".join(self._text), self._wanted
        )

    def _set(self, standing: TurnPosition) -> None:
        self.requests, self._ahead = standing.requests, list(standing.ahead)
        self._others = {**dict(standing.others), standing.at: standing.answer}
        self._go(standing.at)

    def _go(self, at: int) -> None:
        """Stand in that window."""
        self._at, answer = at, self._others.pop(at, WindowAnswer())
        self._spliced, self._said = list(answer.spliced), list(answer.said)
        self._ids, self._text, self._wanted = list(answer.ids), [answer.text], answer.wanted

    def _place_of(self, request: Request) -> int:
        """Which request asks about these lines; one that none asks about is put behind them."""
        for at, known in enumerate(self.requests):
            if known.files == request.files:
                return at
        self.requests = (*self.requests, request)
        return len(self.requests) - 1

    def _leg(self, stop: StopFlag, *, allowance: bool = False) -> Iterator[Event]:
        """Ask, parse and end. `allowance`: what the answer was cut off by counts anew."""
        meter = LegTimer(self.clock, started=self.asked or self.clock())
        self.asked = 0.0
        parser = self._parser
        assert parser is not None
        if allowance and len(self._ids) >= self.requests[self._at].max_tokens:
            self._widen()
        self.reason = ""
        self.changes = self.changes if allowance else 0
        self._taken_back = self._taken_back if allowance else []
        try:
            while True:
                yield from self._answer(meter, parser, stop)
                cut_off = len(self._ids) >= self.requests[self._at].max_tokens
                if stop.is_set() or cut_off:
                    break
                self._look_back()
                if not self._ahead:
                    break
                self._next_window()
        except SparkError as error:
            yield from parser.interrupt()
            yield self._failed(error)
            return
        if stop.is_set():
            yield from parser.interrupt()
            self.reason = "interrupted"
            yield events.Interrupted(at=self.emitted, open_hunk=self.open_hunk)
        elif len(self._ids) >= self.requests[self._at].max_tokens and not parser.verdict:
            yield from parser.interrupt()
            self.reason = "length"
        else:
            for event in parser.finish():
                shown = self._follow(event)
                if shown is not None:
                    yield shown
            self.reason = ("stop" if self.changes else parser.verdict.replace("-", "_")) or "stop"
        yield events.Finished(self.reason, meter.usage(), meter.timing())

    def _answer(self, meter: LegTimer, parser: EditParser, stop: StopFlag) -> Iterator[Event]:
        meter.begin()
        self._closed = []
        doubt: events.Doubt | None = None
        for event in self.backend.stream(self._asked(), stop):
            meter.note(event)
            if isinstance(event, events.Waited):
                continue
            if isinstance(event, events.Doubt):
                # Of what the next token closes; a server may say it behind that token.
                if self._closed:
                    yield from self._doubted(event)
                elif self.open_hunk:
                    # Said before it closes, so that no process is killed with the hunk whole and the doubt
                    # unsaid.
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
            if stop.is_set():
                return

    def _doubted(self, doubt: events.Doubt) -> Iterator[Event]:
        """It is about the hunks that the last token closed, whatever the backend counts."""
        yield from (replace(doubt, hunk_id=hunk_id) for hunk_id in self._closed)
        self._closed = []

    def _read(self, token: events.Token, parser: EditParser) -> Iterator[Event]:
        self.emitted += 1
        self._ids.append(token.id)
        self._text.append(token.text)
        self._closed = []
        if token.text:
            for parsed in parser.feed(token.text):
                shown = self._follow(parsed)
                if shown is not None:
                    yield shown

    def _follow(self, event: Event) -> Event | None:
        """Keep count of hunks and their places. The marker of a verdict is not for people: `Finished` says
        it."""
        if isinstance(event, events.HunkOpened):
            self.open_hunk = event.hunk_id
        elif isinstance(event, (events.HunkClosed, events.HunkFailed)):
            if event.hunk_id == self.open_hunk:
                self.open_hunk = 0
            if isinstance(event, events.HunkClosed) and _changes(event):
                self.changes += 1
                self._closed.append(event.hunk_id)
                chars = sum(map(len, self._text))
                self._boundaries[event.hunk_id] = HunkBoundary(
                    self._at, len(self._spliced), len(self._ids), chars
                )
        elif isinstance(event, events.Prose) and self._parser is not None and self._parser.verdict:
            marker = event.text.strip().removeprefix("@@").strip()
            if marker == self._parser.verdict:
                return None
        return event

    def _tell(self, *, steers: bool = False) -> None:
        if self.on_leg is not None:
            self.on_leg(self.standing, steers)

    def _next_window(self) -> None:
        self._others[self._at] = self._here
        self._go(self._ahead.pop(0))
        self._tell()

    def _look_back(self) -> None:
        """Whether the message left nothing to do in the window that was just answered."""
        if self._spliced and _NOTHING_TO_DO in (line.strip() for line in "".join(self._text).split("\n")):
            self._taken_back.append(self._at)

    def _widen(self) -> None:
        """The answer was cut off by its limit: let it have as much again."""
        request = self.requests[self._at]
        wider = replace(request, max_tokens=len(self._ids) + request.max_tokens)
        self.requests = (*self.requests[: self._at], wider, *self.requests[self._at + 1 :])

    def _asked(self) -> Request:
        base = self.requests[self._at]
        left = max(0, base.max_tokens - len(self._ids))
        if not self._spliced:
            return replace(base, emitted=tuple(self._ids), max_tokens=left)
        prior, emitted, steer = tuple(self._spliced), tuple(self._ids), ""
        if not emitted:
            prior, emitted, steer = prior[:-1], prior[-1].ids, prior[-1].message
        base = replace(base, emitted=emitted, steer=steer, max_tokens=left, wanted=self._wanted)
        # A server that another process talked to is met here: only then is known what it takes.
        self.backend.format_for(base)
        if supports_splices(self.backend):
            return replace(base, spliced=prior)
        return as_history(base, prior, self._said)

    def _failed(self, error: SparkError) -> events.Failed:
        self.reason = "failed"
        return events.Failed(error.what, error.where, error.hint, int(error.exit_code))


def _changes(hunk: events.HunkClosed) -> bool:
    return not hunk.partial and bool(hunk.old_lines or hunk.new_lines or hunk.mode or hunk.kind != "edit")


def run_turn(
    turn_id: str,
    request: Request,
    backend: Backend,
    make_parser: MakeParser,
    stop: StopFlag,
    *,
    clock: Callable[[], float] = time.monotonic,
    wall: Callable[[], float] = time.time,
) -> Iterator[Event]:
    """The events of a turn of one leg. A set `stop` ends it within one token, with what was open marked
    partial."""
    return Turn(turn_id, (request,), backend, make_parser, clock, wall).start(stop)
