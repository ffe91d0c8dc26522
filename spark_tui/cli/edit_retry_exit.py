"""The exit code of an answer in which edits did not fit and the model then wrote some of them again."""

from __future__ import annotations

from spark_tui import events
from spark_tui.errors import ExitCode
from spark_tui.events import Event


class MisfitCounter:
    """Counts edits that did not fit in a leg, and those that came in their place in the next one."""

    def __init__(self) -> None:
        self._failed = 0
        self._owed = 0

    def code_after(self, event: Event, code: ExitCode) -> ExitCode:
        """The exit code so far, given the one before this event. A message to the model begins anew; at the
        end what it did not write again has still failed."""
        if isinstance(event, events.HunkFailed) and event.code != ExitCode.DONE:
            self._failed += 1
            return ExitCode(event.code)
        if isinstance(event, events.Steered) and code is ExitCode.MISFIT:
            self._owed, self._failed = self._failed, 0
            return ExitCode.DONE
        if isinstance(event, events.HunkClosed) and (event.old_lines or event.new_lines):
            self._owed = max(self._owed - 1, 0)
        elif isinstance(event, events.Finished) and self._owed and code is ExitCode.DONE:
            return ExitCode.MISFIT
        return code
