"""Room for reasoning, which most servers count towards the token limit of an answer.

A model that thinks gets more tokens than an answer may have: at once where an effort is asked for, else from
the first answer that shows that it does. An answer that was cut off in the middle of its reasoning is asked
for again with more.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from dataclasses import replace

from spark_tui.backends.base import Request
from spark_tui.errors import Misfit
from spark_tui.events import AnswerEnded, Event, Reasoning, Retrying, Token, ToolArguments, ToolCallStarted

_OF_EFFORT = {"low": 2048, "medium": 4096, "high": 16384}
_STEPS = (8192, 32768)
CUT = "the token limit was reached while the model was still thinking"


class ThinkingRoom:
    """The tokens on top of the limit of an answer, for one model."""

    def __init__(self, effort: str = "") -> None:
        self._tokens = _OF_EFFORT.get(effort, 0)
        self._refused = False

    def stream(
        self, request: Request, ask: Callable[[Request], Generator[Event, None, None]], window: int = 0
    ) -> Generator[Event, None, None]:
        """The events of an answer with room for reasoning; where the model's `window` is known, answer and
        reasoning get at most half of it. The end of an answer counts the tokens of those before it."""
        attempt = lost = 0
        while True:
            room = self._fitting(self._tokens, request, window)
            more = next((step for step in _STEPS if self._fitting(step, request, window) > room), 0)
            thinks = begun = cut = False
            try:
                with closing(ask(replace(request, max_tokens=request.max_tokens + room))) as events:
                    for event in events:
                        begun = begun or isinstance(event, (Token, ToolCallStarted, ToolArguments))
                        thinks = thinks or isinstance(event, Reasoning)
                        if isinstance(event, AnswerEnded):
                            thinks = thinks or event.reasoning_tokens > 0
                            if cut := event.reason == "length" and thinks and not begun and more > 0:
                                lost += event.output_tokens
                                break
                            event = _with_tokens(event, lost)
                            self._tokens = max(self._tokens, _STEPS[0] if thinks else 0)
                        yield event
            except Misfit:
                if not room or thinks or begun:
                    raise
                self._tokens, self._refused = 0, True
                continue
            if not cut:
                return
            attempt += 1
            self._tokens = more
            yield Retrying(0.0, CUT, attempt)

    def _fitting(self, tokens: int, request: Request, window: int) -> int:
        if self._refused:
            return 0
        return max(0, min(tokens, window // 2 - request.max_tokens)) if window else tokens


def _with_tokens(ended: AnswerEnded, lost: int) -> AnswerEnded:
    """The end of an answer with the reasoning of those that were cut off before it."""
    output, thought = ended.output_tokens + lost, ended.reasoning_tokens + lost
    return replace(ended, output_tokens=output, reasoning_tokens=thought)
