"""The text of one answer, which becomes hunks of the files as the model sees them."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator

from spark_tui import events
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.parser import Parser
from spark_tui.errors import ExitCode
from spark_tui.events import Event
from spark_tui.session.model.session_tools import ToolSetup
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.overlay_stream import OverlayStream


class AnswerText:
    """Reads the text over the files with the hunks of the turn so far if `own`, else as the model was shown
    them. After a message it may quote its own hunks although it was not shown them: text that does not fit
    is read over them as well, at its end."""

    def __init__(self, setup: ToolSetup, make_parser: Callable[[Overlay], Parser], *, own: bool) -> None:
        self._setup, self._make_parser = setup, make_parser
        self._parser, self._stream = self._reader(setup.make_overlay(own), own=own)
        wrote = not own and len(setup.pending(True)) > len(setup.pending(False))
        self._written = setup.make_overlay(True) if wrote else None
        self._said: list[str] = []
        self._opened: set[int] = set()
        self._closed: set[tuple[object, ...]] = set()
        self._misfits: list[events.HunkFailed] = []

    @property
    def verdict(self) -> str:
        return self._parser.verdict

    @property
    def edits(self) -> int:
        return self._parser.edits + len(self._parser.failures)

    def feed(self, text: str) -> Iterator[Event]:
        if self._written is not None:
            self._said.append(text)
        yield from self._taken(self._parser.feed(text))

    def go_on(self) -> None:
        self._parser.go_on()

    def finish(self) -> Iterator[Event]:
        yield from self._taken(self._parser.finish())
        yield from self._stream.flush()
        if self._written is not None and self._misfits:
            yield from self._over_own(self._written)

    def interrupt(self) -> Iterator[Event]:
        """What is open, as far as it has come."""
        yield from self._misfits
        self._misfits, self._written = [], None
        yield from self._stream.flush()
        for event in self._parser.interrupt():
            yield from self._stream.take(event)

    def _reader(self, overlay: Overlay, *, own: bool) -> tuple[Parser, OverlayStream]:
        parser = self._make_parser(overlay)
        return parser, OverlayStream(overlay, lambda: self._setup.pending(own), parser.emitter.new_id)

    def _taken(self, stream: Iterable[Event]) -> Iterator[Event]:
        for event in stream:
            if isinstance(event, events.HunkOpened):
                self._opened.add(event.hunk_id)
            elif isinstance(event, events.HunkClosed):
                self._closed.add(_change(event))
            elif isinstance(event, events.HunkFailed) and self._written and event.code == ExitCode.MISFIT:
                self._misfits.append(event)
                continue
            yield from self._stream.take(event)

    def _over_own(self, overlay: Overlay) -> Iterator[Event]:
        parser, stream = self._reader(overlay, own=True)
        found = [*parser.feed("".join(self._said)), *parser.finish()]
        if parser.failures:
            yield from self._misfits
            return
        closed = (event for event in found if isinstance(event, events.HunkClosed))
        given_up = {event.hunk_id for event in found if isinstance(event, events.Decided)}
        new = {event.hunk_id for event in closed if _change(event) not in self._closed} - given_up
        kinds = (events.HunkOpened, events.HunkText, events.HunkClosed)
        taken = [stream.take(event) for event in found if isinstance(event, kinds) and event.hunk_id in new]
        for one in itertools.chain(*taken, stream.flush()):
            # The hunks that these replace are taken back where the turn is kept.
            if not isinstance(one, events.Decided):
                yield one
        for failure in self._misfits:  # last: it takes the place of what it touches
            if failure.hunk_id in self._opened:
                yield Hunk(failure.hunk_id, failure.path, max(failure.line, 1), (), ()).closed()


def _change(event: events.HunkClosed) -> tuple[object, ...]:
    return event.path, event.kind, event.old_lines, event.new_lines
