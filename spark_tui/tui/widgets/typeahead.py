"""Holds keys that follow a key that changes the focus, until it is known which pane they are for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.widget import Widget

FROM_THE_PROMPT = frozenset(
    (
        "commands",
        "mention",
        "palette",
        "prompt.search",
        "model",
        "connect",
        "settings",
        "sessions",
        "help",
        "find",
    )
) | {"pane.next", "pane.previous"}
FROM_A_PANE = FROM_THE_PROMPT | {
    "stop",
    "open",
    "line.go",
    "edit",
    "comment",
    "diff",
    "jobs",
    "help.short",
    "find.slash",
    "refactor",
    "rename",
    "signature",
    "imports",
    "extract",
}
"""With letters that are commands where they are typed, and text where they are meant."""

if TYPE_CHECKING:
    _Widget = Widget
else:
    _Widget = object


class Typeahead(_Widget):
    """A pane whose keys may be meant for the one that gets the focus next."""

    _ahead: list[events.Key] | None = None

    def hold_keys(self) -> None:
        """What is typed from here on is for a screen or a pane that was asked for and is not there yet."""
        self._ahead = []

    def held(self, event: events.Key) -> bool:
        """Whether the key waits. Esc never does."""
        if self._ahead is None or event.key == "escape":
            return False
        event.stop()
        event.prevent_default()
        self._ahead.append(events.Key(event.key, event.character))
        return True

    def release_keys(self, taker: Widget | None) -> None:
        """What was typed since belongs there; without a taker it stays here."""
        ahead, self._ahead = self._ahead or [], None
        for event in ahead:
            (taker or self).post_message(event)
