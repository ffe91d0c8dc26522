"""Renders a turn as chunks of chat completions, or of the older completions API."""

from __future__ import annotations

import json
from json.encoder import encode_basestring_ascii as quote
from typing import Any

from spark_tui.serve.rendering.output_formats import OutputText
from spark_tui.serve.rendering.renderer import BriefRenderer, TokenBatch, TurnCost, TurnOutcome, new_id


class ChatRenderer(BriefRenderer):
    """`chat.completion.chunk`s; with `texts` the `text_completion`s of the older API."""

    def __init__(
        self,
        answer_id: str,
        model: str,
        created_at: float,
        *,
        texts: bool = False,
        with_usage: bool = False,
        split: bool = False,
        echo: str = "",
    ) -> None:
        self._texts = texts
        self._with_usage = with_usage
        self.split = split
        self._echo = echo
        self._all: list[str] = []
        self._calls: list[dict[str, Any]] = []
        kind = "text_completion" if texts else "chat.completion.chunk"
        self._base = {"id": answer_id, "object": kind, "created": int(created_at), "model": model}
        head = json.dumps(self._base, separators=(",", ":"))[:-1]
        text, end = ('"text":', "") if texts else ('"delta":{"content":', "}")
        self._before = f'{head},"choices":[{{"index":0,{text}'
        self._after = end + ',"logprobs":null,"finish_reason":null}]}'

    def opening(self) -> list[str]:
        if self._texts:
            return [self._delta(self._echo)] if self._echo else []
        return [self._chunk({"role": "assistant", "content": ""}, None)]

    def batch(self, batch: TokenBatch) -> list[str]:
        texts = [piece.text for piece in batch.said if piece.text and piece.to != "call"]
        calls = [self._call(piece) for piece in batch.said if piece.to == "call"]
        self._all += texts
        if not texts:
            return calls
        deltas = [self._delta(text) for text in texts] if self.split else [self._delta("".join(texts))]
        return [*deltas, *calls]

    def closing(self, outcome: TurnOutcome, last: TokenBatch) -> list[str]:
        out = self.batch(last)
        if outcome.problem is not None:
            return [*out, json.dumps({"error": outcome.problem.body()})]
        out.append(self._chunk({}, self._reason(outcome)))
        if self._with_usage:
            out.append(json.dumps({**self._base, "choices": [], "usage": usage(outcome.spent)}))
        return out

    def whole(self, outcome: TurnOutcome) -> dict[str, Any]:
        text = self._echo + "".join(self._all)
        choice: dict[str, Any] = {"index": 0, "logprobs": None, "finish_reason": self._reason(outcome)}
        if self._texts:
            choice["text"] = text
        else:
            choice["message"] = {"role": "assistant", "content": text, "refusal": None}
            if self._calls:
                choice["message"]["tool_calls"] = self._calls
        kind = "text_completion" if self._texts else "chat.completion"
        return {**self._base, "object": kind, "choices": [choice], "usage": usage(outcome.spent)}

    def _call(self, piece: OutputText) -> str:
        """A whole call in one chunk."""
        function = {"name": piece.name, "arguments": piece.text}
        call = {"id": new_id("call_"), "type": "function", "function": function}
        self._calls.append(call)
        return self._chunk({"tool_calls": [{"index": len(self._calls) - 1, **call}]}, None)

    def _reason(self, outcome: TurnOutcome) -> str:
        if outcome.reason == "max_output_tokens":
            return "length"
        return "tool_calls" if self._calls else "stop"

    def _delta(self, text: str) -> str:
        return f"{self._before}{quote(text)}{self._after}"

    def _chunk(self, delta: dict[str, Any], reason: str | None) -> str:
        choice: dict[str, Any] = {"index": 0, "logprobs": None, "finish_reason": reason}
        choice.update({"text": ""} if self._texts else {"delta": delta})
        return json.dumps({**self._base, "choices": [choice]}, separators=(",", ":"))


def usage(spent: TurnCost) -> dict[str, Any]:
    return {
        "prompt_tokens": spent.prompt,
        "completion_tokens": spent.output,
        "total_tokens": spent.prompt + spent.output,
        "prompt_tokens_details": {"cached_tokens": spent.reused},
        "completion_tokens_details": {"accepted_prediction_tokens": spent.drafted, "reasoning_tokens": 0},
    }
