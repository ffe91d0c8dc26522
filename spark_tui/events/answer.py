"""Events that go from a backend to the turn and no further: no journal has them, and no screen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Waited:
    """A backend sends it for an answer that waited: for the engine or the server, and on the wire. The last
    one of an answer counts; the turn makes `Timing` of it."""

    queue: float = 0.0
    network: float = 0.0


@dataclass(frozen=True, slots=True)
class AnswerEnded:
    """A backend sends it last, if the server reports how the answer ended and what it used. `reason`:
    `stop`, `length`, `content_filter`, `refusal`, `tool_calls` or the server's own word."""

    reason: str
    output_tokens: int = 0
    """Of them all, reasoning too; 0 where the server does not count."""
    reasoning_tokens: int = 0
    cost: float = 0.0
    """In the currency of the configured prices; 0 if there is none."""


@dataclass(frozen=True, slots=True)
class ToolCallStarted:
    """The model begins a call. `id` is unique in the turn; the name may be one that was not offered."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class ToolArguments:
    """More of a call's arguments: joined, they are JSON text as the model wrote it, valid or not."""

    id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolCallEnded:
    """The arguments of a call are complete. A call that was cut off never ends."""

    id: str
