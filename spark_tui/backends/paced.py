"""A backend whose text appears no faster than another machine would write it: `--pace wafer|h100|65`.

Comes in: any backend and the seconds that a prompt and a token take there. Goes out: the same events, held
back. Must not know: sessions, doors, what the other machine is.

A pace can only slow down. What is late is caught up with for `SLACK_SECONDS` and no further: sleeps are
coarse, and the mean rate shall be right, but a slow machine is never followed by a burst.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any, Protocol

from spark_tui.backends.base import Backend, Request
from spark_tui.backends.replay import MACHINES, ReplayBackend, parse_pace
from spark_tui.events import Event, PrefillProgress, Token

SLACK_SECONDS = 0.04
"""A little more than one batch of text on the screen: nobody sees it."""
LEAST_WAIT_SECONDS = 0.002
"""Shorter waits are saved up: a sleep costs more than they are."""


class TargetSpeed(Protocol):
    """How fast the other machine is."""

    def first_token_seconds(self, prompt: int) -> float:
        """Reading that many tokens which no cache holds."""
        ...

    def seconds_per_token(self, context: int) -> float:
        """Writing one behind that many."""
        ...


class SteadyRate:
    """So many tokens a second, and a prompt costs nothing."""

    def __init__(self, tokens_per_second: float) -> None:
        self._seconds = 1.0 / tokens_per_second

    def first_token_seconds(self, prompt: int) -> float:  # noqa: ARG002
        return 0.0

    def seconds_per_token(self, context: int) -> float:  # noqa: ARG002
        return self._seconds


class PacedBackend:
    """Holds text back, and is otherwise the backend that it wraps: whatever else that one has is reached
    through it."""

    def __init__(self, inner: Backend, speed: TargetSpeed, label: str) -> None:
        self.inner = inner
        self.speed = speed
        self.label = label
        """Whose pace it is: the name says it, so that nobody takes the speed for the backend's own."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.inner, name)

    @property
    def name(self) -> str:
        return f"{self.inner.name} at {self.label}"

    @property
    def window(self) -> int:
        return self.inner.window

    def format_for(self, request: Request) -> str:
        return self.inner.format_for(request)

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    def close(self) -> None:
        self.inner.close()

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """The tokens of an answer, each when it is due; what is read ahead and ghost text are not held
        back."""
        if request.kind in ("fill", "warm"):
            yield from self.inner.stream(request, stop)
            return
        due, written = time.monotonic(), 0
        prompt = fresh = 0
        for event in self.inner.stream(request, stop):
            if isinstance(event, PrefillProgress):
                prompt, fresh = event.total, event.total - event.reused
            elif isinstance(event, Token):
                if not prompt:
                    prompt = fresh = self._length(request)
                speed = self.speed
                due += (
                    speed.seconds_per_token(prompt + written) if written else speed.first_token_seconds(fresh)
                )
                written += 1
                now = time.monotonic()
                due = max(due, now - SLACK_SECONDS)
                if due - now > LEAST_WAIT_SECONDS and stop.wait(due - now):
                    return
            yield event

    def _length(self, request: Request) -> int:
        """Tokens of a prompt that the backend does not count while it reads."""
        texts = [request.instruction, *(part.text for part in request.files)]
        return max(sum(map(self.inner.count_tokens, texts)), 1)


def paced(backend: Backend, pace: str) -> Backend:
    """The backend at the pace of the settings. A recording keeps a pace of tokens a second by itself."""
    if pace in MACHINES:
        from spark_tui.mesh.pace import Pace

        return PacedBackend(backend, Pace(pace), f"{pace} pace")
    rate = parse_pace(pace)
    if not rate or isinstance(backend, ReplayBackend):
        return backend
    return PacedBackend(backend, SteadyRate(rate), f"{rate:g} tok/s")
