"""Ghost text, the rest of the line after the cursor: from the file if that is nearly certain, otherwise
from the model in use."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from threading import Event as StopFlag

from spark_tui.backends import ghost_text
from spark_tui.backends.base import Backend
from spark_tui.errors import SparkError
from spark_tui.next_edit.inline import complete_line
from spark_tui.session.model.setup import ModelSetup


class GhostCompletion:
    """Asks for ghost text where the settings, the backend and the file allow it."""

    def __init__(self, setup: ModelSetup, withheld: Callable[[str], str]) -> None:
        """`withheld`: why a file is shown to no model unless it is named; empty for one that need not be."""
        self._setup = setup
        self._withheld = withheld
        self._failed: Backend | None = None
        """A backend that failed once is not asked again."""

    def fill(self, path: str, lines: Sequence[str], row: int, column: int, *, stop: StopFlag) -> str:
        """The rest of the line, or nothing if no source is certain enough. Waits for running turns, but
        never for long: a set `stop` ends it within one pass."""
        if self._setup.settings.ghost and path.endswith(".py"):
            inline = complete_line(lines, row, column)
            if inline:
                return "" if stop.is_set() else inline
        backend = self._setup.backend
        least = ghost_text.fill_threshold(backend)
        if least is None or not self._setup.settings.ghost or self._failed is backend or self._withheld(path):
            return ""
        try:
            filled = ghost_text.fill(backend, *ghost_text.text_around(lines, row, column), stop)
        except SparkError:
            self._failed = backend
            return ""
        return filled.text if ghost_text.is_shown(filled, least) and not stop.is_set() else ""
