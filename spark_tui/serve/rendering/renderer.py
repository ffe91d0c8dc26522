"""The types between a running turn and an API's messages: `TurnOutcome`, `TokenBatch` and `Renderer`."""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import Any, Literal, NamedTuple, Protocol

from spark_tui.events import Doubt, PrefillProgress, Token
from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.rendering.output_formats import OutputText

Status = Literal["completed", "incomplete", "failed"]


class TokenBatch(NamedTuple):
    """Tokens that came since the last look, and what they say to the client. One message carries them all.
    `prefill`: the prompt was read to its end just before."""

    tokens: tuple[Token, ...] = ()
    said: tuple[OutputText, ...] = ()
    prefill: PrefillProgress | None = None


@dataclass(slots=True)
class TurnCost:
    """What a turn has cost: counts, and seconds of waiting, of the engine, and until the first token."""

    prompt: int = 0
    reused: int = 0
    output: int = 0
    drafted: int = 0
    queue_seconds: float = 0.0
    engine_seconds: float = 0.0
    engine_first_seconds: float = 0.0
    first_seconds: float = 0.0


@dataclass(slots=True)
class TurnOutcome:
    """How a turn ended. `reason` of an incomplete one: `max_output_tokens`, `interrupted`, `steered`."""

    status: Status
    reason: str = ""
    problem: ApiError | None = None
    spent: TurnCost = field(default_factory=TurnCost)


class Renderer(Protocol):
    """One turn in the words of one API. Each method returns JSON texts, to be sent in this order."""

    def opening(self) -> list[str]: ...
    def queued(self, position: int) -> list[str]: ...
    def prefill(self, progress: PrefillProgress) -> list[str]: ...
    def doubt(self, doubt: Doubt) -> list[str]: ...
    def batch(self, batch: TokenBatch) -> list[str]: ...
    def closing(self, outcome: TurnOutcome, last: TokenBatch) -> list[str]:
        """`last` came together with the end."""

    def whole(self, outcome: TurnOutcome) -> dict[str, Any]:
        """The answer of a request that does not stream."""

    def standing(self, state: str) -> dict[str, Any]:
        """The answer as far as it has come."""


class BriefRenderer(Renderer):
    """What an API without words for waiting, reading and doubt says of them."""

    def queued(self, position: int) -> list[str]:  # noqa: ARG002
        return []

    def prefill(self, progress: PrefillProgress) -> list[str]:  # noqa: ARG002
        return []

    def doubt(self, doubt: Doubt) -> list[str]:  # noqa: ARG002
        return []

    def standing(self, state: str) -> dict[str, Any]:  # noqa: ARG002
        return self.whole(TurnOutcome("incomplete"))


def new_id(prefix: str) -> str:
    """An id that nobody guesses: it is all that another connection needs to name a response."""
    return prefix + os.urandom(16).hex()
