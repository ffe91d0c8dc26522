"""Holds keys that follow a key that changes the focus, until it is known which pane they are for."""

from __future__ import annotations

from typing import Protocol

from textual import events
from textual.message import Message

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
    "check",
    "help.short",
    "find.slash",
    "refactor",
    "rename",
    "signature",
    "imports",
    "extract",
}
"""With letters that are commands where they are typed, and text where they are meant."""


class KeyTaker(Protocol):
    """A widget that keys can be sent to."""

    def post_message(self, message: Message) -> bool: ...


class Typeahead:
    """The keys of one pane that may be meant for the one that gets the focus next."""

    def __init__(self, owner: KeyTaker) -> None:
        self._owner = owner
        self._waiting: list[events.Key] | None = None

    def hold(self) -> None:
        """What is typed from here on is for a screen or a pane that was asked for and is not there yet."""
        self._waiting = []

    def takes(self, event: events.Key) -> bool:
        """Whether the key waits. Esc never does."""
        if self._waiting is None or event.key == "escape":
            return False
        event.stop()
        event.prevent_default()
        self._waiting.append(events.Key(event.key, event.character))
        return True

    def release(self, taker: KeyTaker | None) -> None:
        """What was typed since belongs there; without a taker it stays here."""
        waiting, self._waiting = self._waiting or [], None
        for event in waiting:
            (taker or self._owner).post_message(event)
