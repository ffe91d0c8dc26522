"""What came of an answer, and its failures in words that say what to do."""

from __future__ import annotations

from dataclasses import dataclass, field

from spark_tui.backends.remote import retry_times
from spark_tui.backends.remote.endpoint import ServerBusy
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.remote.thinking_room import CUT
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.errors import NoBackend, SparkError
from spark_tui.events import (
    AnswerEnded,
    Event,
    PrefillProgress,
    Reasoning,
    Token,
    ToolArguments,
    ToolCallEnded,
    ToolCallStarted,
)

_FILTERED = ("content_filter", "safety", "recitation", "blocklist", "prohibited_content", "refusal")
_MOST_CHARACTERS = 16
"""Of a token, on average. An answer with more is one of a server that ignores the limit."""
_MOST_THOUGHT = 32_768
"""Tokens for reasoning that may come on top."""
_THOUGHT_ONLY = "Raise --max-tokens, or lower --effort. Or ask again, or another model: --model NAME"
_EMPTY = (
    "Ask again, or another model: --model NAME. Some servers say nothing where the prompt is longer than the "
    "model's window: then show fewer files."
)
_BROKE_OFF = "the answer broke off: "


@dataclass(slots=True)
class AnswerWatch:
    """Watches one answer. It has begun once anything of it must not be asked for twice."""

    where: str
    has_begun: bool = False
    prompt: PrefillProgress = field(default_factory=lambda: PrefillProgress(0, 0))
    ended: AnswerEnded | None = None
    said: int = 0
    """Characters."""
    thought: int = 0
    thinks: bool = False

    def note(self, event: Event) -> None:
        if isinstance(event, (Token, ToolCallStarted, ToolArguments, ToolCallEnded)):
            self.has_begun = True
            self.said += len(event.text) if isinstance(event, (Token, ToolArguments)) else 0
        elif isinstance(event, Reasoning):
            self.thinks = True
            self.thought += len(event.text)
        elif isinstance(event, PrefillProgress):
            self.prompt = event
        elif isinstance(event, AnswerEnded):
            self.ended = event

    def exceeds(self, event: Event, tokens: int) -> bool:
        """Whether the answer goes on with this text beyond all that so many tokens can be."""
        if not isinstance(event, (Token, ToolArguments, Reasoning)):
            return False
        most = _MOST_CHARACTERS * tokens
        return self.said > most or self.thought > most + _MOST_CHARACTERS * _MOST_THOUGHT

    def check(self, *, goes_on: bool) -> None:
        """Raise where the answer, which is complete, was cut off by a filter, or is none. One that goes on
        after words or tools may be empty."""
        if self.ended is None:
            return
        reason = self.ended.reason.lower()
        if reason in _FILTERED:
            what = (
                "the model refused to answer"
                if reason == "refusal"
                else "the server's content filter ended the answer"
            )
            raise NoBackend(what, where=self.where, hint="What arrived is kept. Say it in another way.")
        if self.has_begun or goes_on:
            return
        thought = self.thinks or self.ended.reasoning_tokens > 0
        if reason == "length":
            why = CUT if thought else "the token limit left no room for an answer"
            raise NoBackend(why, where=self.where, hint="Raise it with --max-tokens, or lower --effort.")
        why = f" ({reason})" if reason not in ("", "stop", "tool_calls") else ""
        raise NoBackend(
            "the model used its whole answer for reasoning"
            if thought
            else f"the model's answer is empty{why}",
            where=self.where,
            hint=_THOUGHT_ONLY if thought else _EMPTY,
        )


def full_window(ended: AnswerEnded, asked: int) -> str:
    """A note on an answer that the limit ended before it had all the tokens that it might; else empty."""
    if ended.reason != "length" or not 0 < ended.output_tokens < 0.9 * asked:
        return ""
    return (
        f"The server ended the answer after {ended.output_tokens:,} of {asked:,} tokens: its window is full. "
        "Give it a longer one (Ollama: OLLAMA_CONTEXT_LENGTH), or show fewer files."
    )


def broken_off(error: Exception, where: str) -> SparkError:
    """An answer that ended in the middle."""
    said = error.what if isinstance(error, SparkError) else str(error)
    return NoBackend(
        # The server of a server has said so, too.
        f"{_BROKE_OFF}{said.replace(_BROKE_OFF, '')}",
        where=where,
        hint="What arrived is kept. To go on from there: spark exec --resume last",
    )


def no_list(seconds: float, where: str) -> NoBackend:
    """A server that is there and does not say which models it has."""
    hint = "It may be busy. With the name of a model its list is not needed: --model NAME"
    return NoBackend(f"the server listed no models in {seconds:.0f} s", where=where, hint=hint)


def unreachable(error: ConnectionLost | ServerBusy, where: str, limits: RetryLimits) -> NoBackend:
    """A server that gave no answer, after all attempts."""
    if isinstance(error, ServerBusy) and limits.asks_too_much(error):
        return NoBackend(
            f"the server asks to wait {retry_times.spoken(error.after)}: {error}",
            where=where,
            hint="That is longer than spark waits by itself. Try again then, or with another --model NAME.",
        )
    return NoBackend(str(error), where=where, hint=error.hint)
