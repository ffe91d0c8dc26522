"""Holds keys typed after one that moves the focus, until the focus has moved, and keeps their order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual import events
from textual.dom import DOMNode
from textual.widget import Widget

from spark_tui.tui.messages import Intent
from spark_tui.tui.settings.keys import ACTIONS

_FROM_THE_PROMPT = {"commands", "mention"} | {action.id for action in ACTIONS if action.waits == "always"}
_FROM_A_PANE = _FROM_THE_PROMPT | {action.id for action in ACTIONS if action.waits}


class Typeahead:
    """One for the workbench. No pane gets keys between `hold` and `release`; the queued keys of the pane
    that asked are collected and delivered, in order, to the pane with the focus. Esc never waits."""

    def __init__(self, deliver: Callable[[Sequence[events.Key]], None] | None = None) -> None:
        self._deliver = deliver
        self._pending: list[object] = []
        """What must be done first."""
        self._queues = 0
        """Queues in which keys may stand that came before the hold."""
        self._queued: list[events.Key] = []
        self._arrived: list[events.Key] = []

    def ask(self, owner: Widget, action: str, *, in_the_prompt: bool = False) -> None:
        """Let the workbench do it; keys that follow wait where it changes what they are for."""
        intent = Intent(action)
        if action in (_FROM_THE_PROMPT if in_the_prompt else _FROM_A_PANE):
            self.hold(owner, intent)
        owner.post_message(intent)

    def hold(self, owner: Widget, until: object) -> None:
        """The owner has asked for `until`: what is typed from here on is for what is there after it."""
        self._pending.append(until)
        self._queues += 1
        focused = owner.screen.focused
        self._collect(focused if focused is not None and owner in focused.ancestors else owner, owner)

    def _collect(self, node: DOMNode, owner: Widget) -> None:
        """Collect keys from queue to queue up to the owner. They are in order, and no more are added:
        after this, no key is left."""
        above = node.parent if node is not owner else None
        then = self._collected if above is None else partial(self._collect, above, owner)
        if not node.call_later(then):
            then()  # it closes, and gets no more

    def release(self, done: object) -> None:
        """This has been done, or is given up. It need not have been asked for with a hold."""
        self._pending = [item for item in self._pending if item is not done]
        self._open()

    def takes(self, event: events.Key) -> bool:
        """Whether a key waits that a pane has got."""
        return self._add(self._queued, event)

    def takes_new(self, event: events.Key) -> bool:
        """Whether a key is waiting that no pane has received."""
        return self._add(self._arrived, event)

    def _add(self, keys: list[events.Key], event: events.Key) -> bool:
        if event.key == "escape" or not (self._pending or self._queues):
            return False
        event.stop()
        event.prevent_default()
        keys.append(events.Key(event.key, event.character))
        return True

    def _collected(self) -> None:
        self._queues -= 1
        self._open()

    def _open(self) -> None:
        if not (self._pending or self._queues):
            keys, self._queued, self._arrived = [*self._queued, *self._arrived], [], []
            if self._deliver is not None:
                self._deliver(keys)
