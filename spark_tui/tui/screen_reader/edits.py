"""`/rename` and the other commands for exact edits as words for `--screen-reader`."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.errors import UsageError

if TYPE_CHECKING:
    from spark_tui.session.session import Session

_NAMES = ("rename", "signature", "imports", "extract", "test", "refactor")
Leg = Callable[[threading.Event], Iterator[events.Event]]


class EditCommands:
    """Offers after a refusal keep their numbers until the next command. There is no cursor, so every
    command names its symbol, lines or file."""

    def __init__(
        self,
        session: Session,
        say: Callable[[str], None],
        run: Callable[[Leg], None],
        choices: Callable[[], Sequence[str]] = tuple,
    ) -> None:
        """`choices` are the edits that the last turn may have been meant to do."""
        self._session, self._say, self._run, self._choices = session, say, run, choices
        self._offered: tuple[str, ...] = ()
        self.words: dict[str, Callable[[str], None]] = {f"/{name}": self._command(name) for name in _NAMES}
        self.words["/take"] = self._take

    def _command(self, name: str) -> Callable[[str], None]:
        return lambda rest: self._edit(f"/{name} {rest}".strip())

    def _take(self, which: str) -> None:
        if not self._offered and self._choices():
            if not which.isdecimal():
                raise UsageError("say which one", hint="Say /take and a number.")
            self._run(lambda stop: self._session.turns.choose(int(which), stop=stop))
            return
        if not which.isdigit() or not 1 <= int(which) <= len(self._offered):
            raise UsageError("nothing with this number was offered", hint="Say the whole command.")
        self._edit(self._offered[int(which) - 1])

    def _edit(self, line: str) -> None:
        # Slow to import, and not needed before.
        from spark_tui.codemods.describe import listing
        from spark_tui.session.exact.edit_cursor import Cursor
        from spark_tui.session.exact.exact_turns import EditRefused

        if line == "/refactor":
            self._say(listing())
            return
        exact = self._session.exact
        try:
            planned = exact.plan(line, Cursor())
        except EditRefused as error:
            self._offered = error.choices
            self._say(f"Error: {error.what}.")
            for number, choice in enumerate(error.choices, start=1):
                self._say(f"{number}: {choice}")
            if error.choices:
                self._say("Say /take and a number.")
            return
        self._offered = ()
        self._run(lambda stop: exact.run(planned, stop=stop))
