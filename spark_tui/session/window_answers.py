"""Values that describe the answer to each window of a turn, and the turn's position."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spark_tui.backends.base import Exchange, Request, Splice

SAID_MORE = "the user said more while this was being written"
"""The outcome of an answer that was steered."""


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """The answer to one request, so far."""

    spliced: tuple[Splice, ...] = ()
    said: tuple[str, ...] = ()
    """Its text before each splice."""
    ids: tuple[int, ...] = ()
    """Token ids after the last splice."""
    text: str = ""

    def with_message(self, message: str) -> WindowAnswer:
        """With a message spliced in at its end."""
        return WindowAnswer((*self.spliced, Splice(self.ids, message)), (*self.said, self.text))

    def restarted(self) -> WindowAnswer:
        """As if nothing had been answered since the last splice."""
        return replace(self, ids=(), text="")


@dataclass(frozen=True, slots=True)
class TurnPosition:
    """The position of a turn between two events: enough to continue, here or in another process."""

    requests: tuple[Request, ...]
    at: int = 0
    """The index of the request that is being answered; there is one a window."""
    answer: WindowAnswer = WindowAnswer()
    """The answer to that one."""
    others: tuple[tuple[int, WindowAnswer], ...] = ()
    """The answers to earlier windows, and to later ones that already got a message."""
    ahead: tuple[int, ...] = ()
    """Requests that are still to be answered, in order."""

    @property
    def messages(self) -> tuple[str, ...]:
        """The messages sent to any window, each once."""
        every = sorted([self.answer, *(one for _, one in self.others)], key=lambda one: -len(one.spliced))
        return tuple(dict.fromkeys(splice.message for one in every for splice in one.spliced))


@dataclass(frozen=True, slots=True)
class MessageRoute:
    """Where a message goes. Without `windows` it goes into the one that was answered last."""

    windows: tuple[Request, ...] = ()
    unanswered: tuple[Request, ...] = ()
    """Windows without a message whose answer is incomplete: they are asked as planned."""


INTO_THE_LAST = MessageRoute()


@dataclass(frozen=True, slots=True)
class HunkBoundary:
    """The place after the token that closed a hunk."""

    at: int
    splices: int
    ids: int
    chars: int


def as_history(request: Request, prior: Sequence[Splice], said: Sequence[str]) -> Request:
    """Earlier splices as exchanges, for a backend that does not take splices."""
    for splice, text in zip(prior, said, strict=False):
        exchange = Exchange(request.instruction, text, SAID_MORE)
        request = replace(request, history=(*request.history, exchange), instruction=splice.message)
    return request
