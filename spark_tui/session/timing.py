"""Measures one leg of a turn from its events and a clock, and makes long work give way to the screen.

A part that was not measured stays 0. Text held back before the first token counts as generation, not as
prefill. If the backend does not report when the prompt was read, the first token counts as that moment.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from spark_tui import events
from spark_tui.backends.base import FilePart
from spark_tui.events import Event

_COUNTED_CHARACTERS = 50_000
_SWITCH_SECONDS = 0.0003
_USUAL_SECONDS = sys.getswitchinterval()
_working: list[threading.Thread] = []
_lock = threading.Lock()


@contextmanager
def giving_way() -> Iterator[None]:
    """While this works, another thread waits for the interpreter a fraction of a millisecond, not five: keys
    and spinners are drawn meanwhile."""
    worker = threading.current_thread()
    with _lock:
        _working.append(worker)
        sys.setswitchinterval(_SWITCH_SECONDS)
    try:
        yield
    finally:
        with _lock:
            _working.remove(worker)
            if not _working:
                sys.setswitchinterval(_USUAL_SECONDS)


@dataclass(slots=True)
class LegTimer:
    clock: Callable[[], float]
    started: float = 0.0
    """When the person pressed Enter."""
    read: float = 0.0
    """When the prompt had been read."""
    first: float = 0.0
    last: float = 0.0
    output: int = 0
    counted: int = 0
    """Tokens of the answers whose server counts them."""
    thought: int = 0
    cost: float = 0.0
    drafted: int = 0
    prompt: int = 0
    reused: int = 0
    """Of the request that is out; `earlier` has those before it."""
    earlier: tuple[int, int] = (0, 0)
    waited: list[events.Waited] = field(default_factory=list)
    """One for each request: windows are asked one after the other."""

    def begin(self) -> None:
        """Another request goes out."""
        self.earlier = (self.earlier[0] + self.prompt, self.earlier[1] + self.reused)
        self.prompt = self.reused = 0
        self.waited.append(events.Waited())

    def note(self, event: Event) -> None:
        if isinstance(event, (events.Token, events.ToolCallStarted, events.ToolArguments)):
            self.last = self.clock()
            self.first = self.first or self.last
        if isinstance(event, events.Token):
            self.output += 1
            self.drafted += event.drafted
        elif isinstance(event, events.PrefillProgress):
            self.prompt, self.reused = event.total, event.reused
            if event.done >= event.total and not self.first:
                self.read = self.clock()
        elif isinstance(event, events.Waited):
            self.waited[-1] = event
        elif isinstance(event, events.AnswerEnded):
            self.counted += event.output_tokens
            self.thought += event.reasoning_tokens
            self.cost += event.cost

    def usage(self, of_files: int = 0) -> events.Usage:
        """`of_files`: tokens of the files that were edited."""
        return events.Usage(
            prompt_tokens=self.earlier[0] + self.prompt,
            reused_tokens=self.earlier[1] + self.reused,
            output_tokens=self.counted or self.output,
            accepted_tokens=self.drafted,
            reasoning_tokens=self.thought,
            file_tokens=of_files,
            cost=round(self.cost, 9),
        )

    def timing(self) -> events.Timing:
        queue, network = sum(item.queue for item in self.waited), sum(item.network for item in self.waited)
        if not self.first:
            return events.Timing(queue=queue, network=network)
        read = self.read or self.first
        # Later windows wait while the answer is being written; that is no time before it.
        before = self.waited[0].queue + self.waited[0].network if self.waited else 0.0
        prefill = max(0.0, read - self.started - before)
        return events.Timing(queue, network, prefill, self.first - self.started, self.last - read)


def file_tokens(parts: Iterable[FilePart], edited: Collection[str], count: Callable[[str], int]) -> int:
    """About the tokens of the edited files: of a window, and of a long text, a part is counted and scaled."""
    by_path: dict[str, int] = {}
    for part in parts:
        if part.path in edited and part.text:
            sample, lines = part.text[:_COUNTED_CHARACTERS], part.text.count("\n") or 1
            of_window = lines / max(lines, part.total_lines)
            by_path[part.path] = round(count(sample) * len(part.text) / len(sample) / of_window)
    return sum(by_path.values())
