"""What a turn holds while it is in the shared engine, and when what it wrote may be offered.

A built-in model's answer is checked by `backends.answers.attempt_gate` before it is offered: it is held until
it is complete, or too long to hold; then it streams.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from threading import Event as StopFlag

from spark_tui.backends.base import Request
from spark_tui.backends.local.prompt_format import EncodedRequest
from spark_tui.engine import Cache
from spark_tui.engine.generate import Generation
from spark_tui.events import Event, PrefillProgress, Token
from spark_tui.serve.batching.push_backend import EventSink


@dataclass(slots=True, eq=False)
class EngineSequence:
    """One turn in the engine."""

    request: Request
    asked: EncodedRequest
    stop: StopFlag
    sink: EventSink
    began: float
    pages: int
    room: int
    """Tokens that it may write."""
    most: int
    """The most tokens that may still be offered."""
    generation: Generation | None = None
    cache: Cache | None = None
    seconds: float = 0.0
    first_seconds: float = 0.0
    progress: list[PrefillProgress] = field(default_factory=list)
    _attempt: deque[Token] = field(default_factory=deque)
    """What was written and not taken by the look."""
    _ids: list[int] = field(default_factory=list)
    """All that was written, as long as it is held."""
    _owed: int = 0
    _offered: Iterator[Token] | None = None
    """The look at an answer that streams."""
    _known: int = 0
    """How much of what was offered before this request was chosen again."""
    otherwise: bool = False
    """Whether another answer was chosen than the one to be continued."""

    @property
    def reading(self) -> bool:
        return self.generation is not None and self.generation.reading

    @property
    def unread(self) -> int:
        """Tokens of the prompt that are still to be read."""
        return len(self.asked.ids) - self.generation.sequence.length if self.generation is not None else 0

    @property
    def served(self) -> bool:
        """Whether all is offered that was asked for."""
        return self.asked.reader.finished or self.most <= 0

    def read(self, tokens: Sequence[Token], *, last: bool = False) -> list[Event]:
        """What tokens say that are offered now, up to the limit. `last`: none follows."""
        out: list[Event] = []
        for at, token in enumerate(tokens, 1):
            if self._known < len(self.asked.behind):
                self.otherwise = token.id != self.asked.behind[self._known]
                if self.otherwise:
                    return []
                self._known += 1
            elif not self.served:
                self.most -= 1
                out += self.asked.reader.read(token, (last and at == len(tokens)) or self.most <= 0)
        return out

    def go_on(self) -> None:
        """Continue after what was offered before."""
        self.asked.ids = [*self.asked.ids, *self.asked.behind]
        self.asked.gate, self.asked.behind, self.room = None, (), self.most
        self.otherwise, self._offered = False, None

    def whole(self) -> bool:
        """Take what the last pass wrote; whether the answer is now to be looked over, before any of it is
        offered."""
        gate, generation = self.asked.gate, self.generation
        assert generation is not None
        if gate is None or self.request.kind == "warm":
            return False
        while generation.ready:
            token = generation.ready.popleft()
            self._attempt.append(token)
            self._owed += 1
            if self._offered is None:
                self._ids.append(token.id)
                if gate.ends(self._ids):
                    generation.reason = generation.reason or "stop"
                    return True
        return self._offered is None and bool(generation.reason)

    def look_over(self) -> list[Token]:
        """What is offered of a whole answer: it, or a refusal. Nothing where it was stopped."""
        assert self.asked.gate is not None
        return list(self.asked.gate.offer(iter(self._attempt), self.stop.is_set))

    def offered(self) -> list[Token]:
        """What may be handed out now."""
        gate, generation = self.asked.gate, self.generation
        assert generation is not None
        if gate is None or self.request.kind == "warm":
            out = list(generation.ready)
            generation.ready.clear()
            return out
        if self._offered is None:
            if len(self._ids) <= gate.held_tokens:
                return []
            # It is only asked for what it was given, so it never runs out.
            self._offered = gate.offer(_taken(self._attempt), self.stop.is_set)
        out = []
        while self._owed and (token := next(self._offered, None)) is not None:
            self._owed -= 1
            out.append(token)
        return out


def _taken(tokens: deque[Token]) -> Iterator[Token]:
    while tokens:
        yield tokens.popleft()
