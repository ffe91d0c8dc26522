"""What a turn was answered so far, one answer a window, and where it stands between two events.

Comes in: requests, messages, tokens. Goes out: frozen values that can be kept. Must not know: backends,
parsers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from spark_tui.backends.base import Exchange, Request, Splice
from spark_tui.context.shown_context import KnownHunk

SAID_MORE = "the user said more while this was being written"
"""What became of an answer that was steered."""


@dataclass(frozen=True, slots=True)
class WindowAnswer:
    """To one request, so far."""

    spliced: tuple[Splice, ...] = ()
    said: tuple[str, ...] = ()
    """Its text before each splice."""
    ids: tuple[int, ...] = ()
    """Token ids behind the last splice."""
    text: str = ""
    wanted: tuple[KnownHunk, ...] = ()
    """What has to be said behind the last splice, where that is known beforehand."""

    def told(self, message: str, wanted: tuple[KnownHunk, ...] = ()) -> WindowAnswer:
        """With a message spliced in behind all of it."""
        return WindowAnswer(
            (*self.spliced, Splice(self.ids, message)), (*self.said, self.text), wanted=wanted
        )

    def again(self) -> WindowAnswer:
        """As if nothing had been said behind the last splice."""
        return replace(self, ids=(), text="")


@dataclass(frozen=True, slots=True)
class TurnPosition:
    """Where a turn stands between two events: enough to go on, here or in another process."""

    requests: tuple[Request, ...]
    at: int = 0
    """Which of the requests is being answered: one a window."""
    answer: WindowAnswer = WindowAnswer()
    """To that one."""
    others: tuple[tuple[int, WindowAnswer], ...] = ()
    """To those that were answered before, and to those ahead that were told something already."""
    ahead: tuple[int, ...] = ()
    """Requests that are still to be answered, in order."""

    @property
    def messages(self) -> tuple[str, ...]:
        """What was said on the way, each once: most windows were told only some of it."""
        every = sorted([self.answer, *(one for _, one in self.others)], key=lambda one: -len(one.spliced))
        return tuple(dict.fromkeys(splice.message for one in every for splice in one.spliced))


@dataclass(frozen=True, slots=True)
class WindowMessage:
    """A window that a message is for. `wanted`: what has to be said there, where that is known beforehand."""

    request: Request
    wanted: tuple[KnownHunk, ...] = ()


@dataclass(frozen=True, slots=True)
class MessageRoute:
    """Where a message goes; told to nobody in particular: into the window that was answered last."""

    told: tuple[WindowMessage, ...] = ()
    still: tuple[Request, ...] = ()
    """Windows that are not told, and were not answered to their end: they are asked as they would have
    been."""
    unfollowed: tuple[tuple[str, str], ...] = ()
    """Where the person has to look besides."""


INTO_THE_LAST = MessageRoute()


@dataclass(frozen=True, slots=True)
class HunkBoundary:
    """Behind the token that closed a hunk."""

    at: int
    splices: int
    ids: int
    chars: int


def as_history(request: Request, prior: Sequence[Splice], said: Sequence[str]) -> Request:
    """Earlier splices as exchanges, for a backend that takes one at a time."""
    for splice, text in zip(prior, said, strict=False):
        exchange = Exchange(request.instruction, text, SAID_MORE)
        request = replace(request, history=(*request.history, exchange), instruction=splice.message)
    return request
