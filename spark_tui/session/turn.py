"""One turn: request → backend → parser → events. Every door renders this; none owns logic.

Comes in: a `Request`, a backend, a way to make a parser, a stop flag. Goes out: the typed events of the turn, in
order, always ended by `Finished` or `Failed`. Must not know: screens, settings, the disk, what becomes of hunks.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Event as StopFlag
from typing import Protocol

from spark_tui import events
from spark_tui.backends.base import Backend, Request
from spark_tui.errors import SparkError
from spark_tui.events import Event


class EditParser(Protocol):
    """What a turn needs of `edits.parser.Parser`."""

    @property
    def verdict(self) -> str: ...
    def feed(self, text: str) -> Iterator[Event]: ...
    def finish(self) -> Iterator[Event]: ...
    def interrupt(self) -> Iterator[Event]: ...


MakeParser = Callable[[str], EditParser]


@dataclass(slots=True)
class Meter:
    """What a turn has cost so far, read off its own events."""

    clock: Callable[[], float]
    started: float = 0.0
    first: float = 0.0
    last: float = 0.0
    output: int = 0
    drafted: int = 0
    prompt: int = 0
    reused: int = 0
    answer: list[str] = field(default_factory=list)

    def note(self, event: Event) -> None:
        if isinstance(event, events.Token):
            now = self.clock()
            self.first = self.first or now
            self.last = now
            self.output += 1
            self.drafted += event.drafted
            self.answer.append(event.text)
        elif isinstance(event, events.PrefillProgress):
            self.prompt, self.reused = event.total, event.reused

    def usage(self) -> events.Usage:
        return events.Usage(
            prompt_tokens=self.prompt,
            reused_tokens=self.reused,
            output_tokens=self.output,
            accepted_tokens=self.drafted,
        )

    def timing(self) -> events.Timing:
        first = self.first - self.started if self.first else 0.0
        return events.Timing(prefill=first, first_token=first, generation=self.last - self.first)


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
    """The events of one turn. A set `stop` ends it within one token, with what was open marked partial."""
    meter = Meter(clock, started=clock())
    format_name, failure = request.format, None
    try:
        format_name = backend.format_for(request) if request.format == "auto" else request.format
    except SparkError as error:
        failure = error
    yield events.TurnStarted(turn_id, request.instruction, backend.name, format_name, wall())
    if failure is not None:
        yield _failed(failure)
        return
    parser = make_parser(format_name)
    open_hunk = 0
    try:
        for event in backend.stream(request, stop):
            meter.note(event)
            yield event
            if isinstance(event, events.Token) and event.text:
                for parsed in parser.feed(event.text):
                    open_hunk = _open_after(parsed, open_hunk)
                    yield parsed
            if stop.is_set():
                break
    except SparkError as error:
        yield from parser.interrupt()
        yield _failed(error)
        return
    if stop.is_set():
        yield from parser.interrupt()
        yield events.Interrupted(at=meter.output, open_hunk=open_hunk)
        reason = "interrupted"
    else:
        yield from parser.finish()
        reason = parser.verdict.replace("-", "_") or ("length" if meter.output >= request.max_tokens else "stop")
    yield events.Finished(reason, meter.usage(), meter.timing())


def _open_after(event: Event, open_hunk: int) -> int:
    if isinstance(event, events.HunkOpened):
        return event.hunk_id
    if isinstance(event, (events.HunkClosed, events.HunkFailed)) and event.hunk_id == open_hunk:
        return 0
    return open_hunk


def _failed(error: SparkError) -> events.Failed:
    return events.Failed(error.what, error.where, error.hint, int(error.exit_code))
