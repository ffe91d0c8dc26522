"""A backend whose text appears no faster than another machine would write it: `--pace wafer|h100|65`.

A pace can only slow down. Tokens that are late are caught up with for `SLACK_SECONDS` and no further: sleeps
are coarse and the mean rate has to be right, but a slow machine is never followed by a burst.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any, Protocol

from spark_tui.backends.base import Backend, ReportsSteps, Request, StepListener
from spark_tui.backends.replay import MACHINES, ReplayBackend, parse_pace
from spark_tui.events import Event, PrefillProgress, Token
from spark_tui.shapes import ModelShape, Step

SLACK_SECONDS = 0.04
"""A little more than one batch of text on the screen: nobody sees it."""
LEAST_WAIT_SECONDS = 0.002
"""Shorter waits are saved up: a sleep costs more than they are."""

_OPTIONAL = frozenset(("takes_corrections", "takes_splices", "takes_tools", "prompt_tokens", "fills_from"))
_OPTIONAL |= {"small_window", "bound", "model", "notes", "warm_up", "recall", "stop_with"}
"""Members that not every backend has."""


class TargetSpeed(Protocol):
    """How fast the other machine is."""

    def first_token_seconds(self, prompt: int) -> float:
        """Reading that many tokens which no cache holds."""

    def seconds_per_token(self, context: int) -> float:
        """The time of one token after that many."""


class SteadyRate:
    """A fixed rate of tokens a second; a prompt takes no time."""

    def __init__(self, tokens_per_second: float) -> None:
        self._seconds = 1.0 / tokens_per_second

    def first_token_seconds(self, prompt: int) -> float:  # noqa: ARG002
        return 0.0

    def seconds_per_token(self, context: int) -> float:  # noqa: ARG002
        return self._seconds


class PacedBackend:
    """Delays the text of an inner backend and forwards everything else."""

    def __init__(self, inner: Backend, speed: TargetSpeed, label: str) -> None:
        self.inner = inner
        self.speed = speed
        self.label = label
        """Whose pace it is: the name says it, so that nobody takes the speed for the backend's own. Empty
        where `own_rate` is shown."""

    @property
    def name(self) -> str:
        return f"{self.inner.name} at {self.label}" if self.label else self.inner.name

    @property
    def own_rate(self) -> float:
        """Tokens a second of the model itself in the last answer; 0 where nobody measures it."""
        return 0.0

    @property
    def window(self) -> int:
        return self.inner.window

    def format_for(self, request: Request) -> str:
        return self.inner.format_for(request)

    def count_tokens(self, text: str) -> int:
        return self.inner.count_tokens(text)

    def close(self) -> None:
        self.inner.close()

    def __getattr__(self, name: str) -> Any:
        if name in _OPTIONAL:
            return getattr(self.inner, name)
        raise AttributeError(name)

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


class PacedEngine(PacedBackend):
    """A paced backend whose model runs on this machine: it measures its forward passes, and hands them
    on."""

    def __init__(self, inner: Backend, steps: ReportsSteps, speed: TargetSpeed, label: str) -> None:
        super().__init__(inner, speed, label)
        self._steps = steps
        self._listener: StepListener | None = None
        self._tokens, self._seconds = 0, 0.0
        """Of the answer that runs, or was last."""

    @property
    def own_rate(self) -> float:
        return self._tokens / self._seconds if self._seconds else 0.0

    @property
    def shape(self) -> ModelShape:
        return self._steps.shape

    def listen(self, listener: StepListener | None) -> None:
        self._listener = listener
        self._steps.listen(self)

    def begin(self) -> None:
        self._tokens, self._seconds = 0, 0.0
        if self._listener is not None:
            self._listener.begin()

    def step(self, step: Step) -> None:
        if step.kind == "decode":
            self._tokens += step.accepted + 1
            self._seconds += step.seconds
        if self._listener is not None:
            self._listener.step(step)


def paced(backend: Backend, pace: str) -> Backend:
    """The backend at the pace of the settings, closed where there is no such pace. A recording keeps tokens a
    second by itself."""
    try:
        if pace in MACHINES:
            from spark_tui.mesh.estimates.pace import Pace

            return at_speed(backend, Pace(pace), f"{pace} pace")
        rate = parse_pace(pace)
    except BaseException:
        backend.close()
        raise
    if not rate or isinstance(backend, ReplayBackend):
        return backend
    return at_speed(backend, SteadyRate(rate), f"{rate:g} tok/s")


def at_speed(backend: Backend, speed: TargetSpeed, label: str) -> PacedBackend:
    """The backend held back to a speed. Only one that reports its forward passes goes on doing so."""
    if isinstance(backend, ReportsSteps):
        return PacedEngine(backend, backend, speed, label)
    return PacedBackend(backend, speed, label)
