"""What is known of a server's model between its words: that it thinks, calls a tool, or has to be asked
again."""

from __future__ import annotations

from collections.abc import Callable

from spark_tui import events

_NO_WORD = (events.PrefillProgress, events.Retrying, events.Token)
_BEGINS = (events.Retrying, events.Reasoning)


class AnswerWait:
    """Reads the events of a leg."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self.retry: tuple[float, str] | None = None
        """When a busy server is asked again, and why; None while it is not waited for."""
        self._clock = clock
        self.thoughts = ""
        """What the model thought, as far as it is known."""
        self._thinking_since: float | None = None
        self._calls: dict[str, str] = {}
        """The names of the tools that were called and have not finished."""

    @property
    def calling(self) -> str:
        """The tool that is called or at work; not while the text of its edit arrives."""
        return next(reversed(self._calls.values()), "")

    def begin(self) -> None:
        self.retry = self._thinking_since = None
        self.thoughts = ""
        self._calls.clear()

    def note(self, event: events.Event) -> str:
        """What the model thought, as one line, with the event that ends it; else nothing."""
        if isinstance(event, events.ToolCalled):
            self._calls[event.call_id] = event.name
        elif isinstance(event, events.ToolFinished):
            self._calls.pop(event.call_id, None)
        elif isinstance(event, events.HunkOpened) and self._calls:
            self._calls.popitem()
        if self.retry is None and self._thinking_since is None and not isinstance(event, _BEGINS):
            return ""  # nearly every event: a token, or text of a hunk
        if isinstance(event, events.Retrying):
            self.retry = (self._clock() + event.seconds, event.reason)
        elif not isinstance(event, events.PrefillProgress):
            self.retry = None
        if isinstance(event, events.Reasoning):
            if self._thinking_since is None:
                self._thinking_since, self.thoughts = self._clock(), ""
            self.thoughts += event.text
            return ""
        if self._thinking_since is None or isinstance(event, _NO_WORD):
            return ""
        seconds, self._thinking_since = self._clock() - self._thinking_since, None
        return f"thought for {seconds:.0f} s" if seconds >= 1 else "thought for a moment"
