"""Renders a turn as events of Anthropic's Messages API, or as one message."""

from __future__ import annotations

import json
from typing import Any

from spark_tui.serve.rendering.output_formats import OutputText
from spark_tui.serve.rendering.renderer import BriefRenderer, TokenBatch, TurnCost, TurnOutcome, new_id


class MessagesRenderer(BriefRenderer):
    """Content blocks open with their first text and close when the next one opens."""

    split = False

    def __init__(self, answer_id: str, model: str) -> None:
        self._base = {"id": answer_id, "type": "message", "role": "assistant", "model": model}
        self._blocks: list[dict[str, Any]] = []
        self._is_open = False

    def opening(self) -> list[str]:
        empty: dict[str, Any] = {
            "content": [],
            "stop_reason": None,
            "stop_sequence": None,
            "usage": usage(TurnCost()),
        }
        return [_event("message_start", message={**self._base, **empty})]

    def batch(self, batch: TokenBatch) -> list[str]:
        out: list[str] = []
        for piece in batch.said:
            if piece.to == "call":
                out += self._call(piece)
            elif piece.text:
                out += self._text(piece.text)
        return out

    def closing(self, outcome: TurnOutcome, last: TokenBatch) -> list[str]:
        out = [*self.batch(last), *self._close()]
        if outcome.problem is not None:
            return [*out, _event("error", error=outcome.problem.body())]
        delta = {"stop_reason": self._reason(outcome), "stop_sequence": None}
        return [
            *out,
            _event("message_delta", delta=delta, usage=usage(outcome.spent)),
            _event("message_stop"),
        ]

    def whole(self, outcome: TurnOutcome) -> dict[str, Any]:
        ending = {"stop_reason": self._reason(outcome), "stop_sequence": None, "usage": usage(outcome.spent)}
        return {**self._base, "content": self._blocks, **ending}

    def _reason(self, outcome: TurnOutcome) -> str:
        if outcome.reason == "max_output_tokens":
            return "max_tokens"
        return "tool_use" if any(block["type"] == "tool_use" for block in self._blocks) else "end_turn"

    def _text(self, text: str) -> list[str]:
        out: list[str] = []
        if not self._is_open:
            out = self._open({"type": "text", "text": ""})
        self._blocks[-1]["text"] += text
        return [*out, self._delta({"type": "text_delta", "text": text})]

    def _call(self, piece: OutputText) -> list[str]:
        block = {"type": "tool_use", "id": new_id("toolu_"), "name": piece.name, "input": {}}
        out = [*self._close(), *self._open(block)]
        self._blocks[-1]["input"] = json.loads(piece.text)
        return [*out, self._delta({"type": "input_json_delta", "partial_json": piece.text}), *self._close()]

    def _open(self, block: dict[str, Any]) -> list[str]:
        self._is_open = True
        event = _event("content_block_start", index=len(self._blocks), content_block=block)
        self._blocks.append(block)
        return [event]

    def _delta(self, delta: dict[str, Any]) -> str:
        return _event("content_block_delta", index=len(self._blocks) - 1, delta=delta)

    def _close(self) -> list[str]:
        was_open, self._is_open = self._is_open, False
        return [_event("content_block_stop", index=len(self._blocks) - 1)] if was_open else []


def _event(name: str, **members: Any) -> str:
    return json.dumps({"type": name, **members}, separators=(",", ":"))


def usage(spent: TurnCost) -> dict[str, int]:
    return {
        "input_tokens": spent.prompt - spent.reused,
        "cache_read_input_tokens": spent.reused,
        "cache_creation_input_tokens": 0,
        "output_tokens": spent.output,
    }
