"""The edits of a turn that did not fit, without those that the model wrote again after it was told."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from spark_tui import events
from spark_tui.errors import ExitCode
from spark_tui.events import Event, HunkFailed

_ANY_STEP = 0


@dataclass(slots=True)
class EditFailures:
    """Takes in the events of a turn. A tool call that fails tells the model so, and so does a message; a
    later edit of the same file then stands in for the failed one."""

    _found: list[tuple[HunkFailed, int]] = field(default_factory=list)
    """With the answer in which the model wrote it, `_ANY_STEP` after a message. -1: it was not told."""
    _calls: set[str] = field(default_factory=set)
    """Calls that have begun and not ended."""
    _step: int = 0

    @property
    def left(self) -> list[HunkFailed]:
        """Those that nothing stands in for, in the order of their coming."""
        return [failure for failure, _ in self._found]

    def note(self, event: Event) -> None:
        if isinstance(event, events.ToolCalled):
            self._calls.add(event.call_id)
            self._step = event.step
        elif isinstance(event, events.ToolFinished):
            self._calls.discard(event.call_id)
        elif isinstance(event, events.Steered):
            self._found = [(failure, _ANY_STEP) for failure, _ in self._found]
        elif isinstance(event, HunkFailed) and event.code != ExitCode.DONE:
            # The same again stands in for what the model was told.
            step = self._step if self._calls else -1
            told = range(self._next_step)
            self._found = [it for it in self._found if it[1] not in told or not _same(it[0], event)]
            self._found.append((event, step))
        elif isinstance(event, events.HunkClosed) and not event.partial and event.changes:
            self._stand_in(event, self._next_step)

    @property
    def _next_step(self) -> int:
        """Of what comes now; outside of calls it is text of the next answer."""
        return self._step if self._calls else self._step + 1

    def _stand_in(self, hunk: events.HunkClosed, step: int) -> None:
        told = [at for at, (_, when) in enumerate(self._found) if 0 <= when < step]
        same = (at for at in told if self._found[at][0].path in (hunk.path, hunk.new_path))
        # A file that does not exist or may not be edited was named by mistake.
        other = (at for at in told if _names_no_file(self._found[at][0]))
        at = next(same, next(other, None))
        if at is not None:
            del self._found[at]


def _same(one: HunkFailed, other: HunkFailed) -> bool:
    return replace(one, hunk_id=0) == replace(other, hunk_id=0)


def _names_no_file(failure: HunkFailed) -> bool:
    return failure.code != ExitCode.MISFIT or failure.message == events.NO_SUCH_FILE
