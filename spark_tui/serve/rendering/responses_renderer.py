"""Renders a turn as events of the Responses API, and as a response object.

For spark's own client (`lean`) a turn is `response.created`, `response.output_text.delta` with the token ids,
and one closing event with the last of them: what the client can derive is not sent.
"""

from __future__ import annotations

import json
import time
from collections.abc import Mapping
from json.encoder import encode_basestring_ascii as quote
from types import MappingProxyType
from typing import Any, NamedTuple

from spark_tui.events import Doubt, PrefillProgress, Token
from spark_tui.serve.api_errors import ApiError
from spark_tui.serve.rendering.output_formats import OutputText
from spark_tui.serve.rendering.renderer import TokenBatch, TurnCost, TurnOutcome, new_id

_encode = json.JSONEncoder(separators=(",", ":")).encode


class _ItemKind(NamedTuple):
    """An item of a response, by what its text is for. `member` holds the text, `event` names its events."""

    type: str
    prefix: str
    member: str
    event: str
    more: Mapping[str, Any] = MappingProxyType({})
    """Further members of these events."""


_ITEMS = {
    "message": _ItemKind(
        "message", "msg_", "content", "output_text", MappingProxyType({"content_index": 0, "logprobs": []})
    ),
    "patch": _ItemKind("custom_tool_call", "ctc_", "input", "custom_tool_call_input"),
    "call": _ItemKind("function_call", "fc_", "arguments", "function_call_arguments"),
}


class ResponsesRenderer:
    """The events of one response. Items open with their first text and close when the next one opens."""

    def __init__(
        self,
        response_id: str,
        model: str,
        created_at: float,
        echo: dict[str, Any],
        *,
        lean: bool,
        split: bool = False,
        sure: bool = False,
    ) -> None:
        self.response_id = response_id
        self._model = model
        self._created_at = created_at
        self._echo = echo
        self.lean = lean
        self.split = split
        """One event a token, as plain servers send it: the baseline of the bench."""
        self._sure = sure
        """Whether the client wants to know how likely each token was."""
        self._sequence = 0
        self._items: list[dict[str, Any]] = []
        self._open: OutputText | None = None
        self._text: list[str] = []
        self._delta = ""

    def successor(self, response_id: str) -> ResponsesRenderer:
        """The renderer of the response that follows this one after a steer."""
        echo = {**self._echo, "previous_response_id": self.response_id}
        return ResponsesRenderer(
            response_id, self._model, time.time(), echo, lean=self.lean, split=self.split
        )

    def opening(self) -> list[str]:
        if self.lean:
            before = self._echo.get("previous_response_id")
            named = f'{{"id":"{self.response_id}","previous_response_id":{_encode(before)}}}'
            return [f'{{"type":"response.created","sequence_number":{self._next()},"response":{named}}}']
        snapshot = self._snapshot("in_progress")
        return [
            self._event("response.created", response=snapshot),
            self._event("response.in_progress", response=snapshot),
        ]

    def queued(self, position: int) -> list[str]:
        brief = {"id": self.response_id, "object": "response", "status": "queued"}
        return [self._event("response.queued", response=brief, position=position)]

    def prefill(self, progress: PrefillProgress) -> list[str]:
        """On the way; that it is done comes with what was written next."""
        if not self.lean:
            return []
        facts = {"done": progress.done, "total": progress.total, "reused": progress.reused}
        return [self._event("spark.prefill", response_id=self.response_id, **facts)]

    def doubt(self, doubt: Doubt) -> list[str]:
        if not self.lean:
            return []
        facts = {"hunk_id": doubt.hunk_id, "confidence": doubt.confidence, "reason": doubt.reason}
        if doubt.path:
            facts |= {"path": doubt.path, "line": doubt.line}
        return [self._event("spark.doubt", response_id=self.response_id, **facts)]

    def batch(self, batch: TokenBatch) -> list[str]:
        if self.lean:
            return [self._lean_delta(batch)]
        out: list[str] = []
        pieces = batch.said if self.split else _joined(batch.said)
        for piece in pieces:
            if self._open is None or self._open.to != piece.to or piece.to == "call":
                out += self._close_item()
                out += self._open_item(piece)
            self._text.append(piece.text)
            out.append(f'{self._delta}{self._next()},"delta":{quote(piece.text)}}}')
        return out

    def closing(self, outcome: TurnOutcome, last: TokenBatch) -> list[str]:
        name = f"response.{outcome.status}"
        if self.lean:
            spent = outcome.spent
            waited = f"[{spent.queue_seconds:.6f},{spent.first_seconds:.6f}]"
            brief = f'{{"id":"{self.response_id}","status":"{outcome.status}","waited":{waited}'
            if outcome.reason:
                brief += f',"incomplete_details":{{"reason":"{outcome.reason}"}}'
            elif outcome.problem is not None:
                brief += f',"error":{_encode(_error(outcome.problem))}'
            head = f'{{"type":"{name}","sequence_number":{self._next()},'
            return [f'{head}{_lean_members(last, self._sure)}"response":{brief}}}}}']
        out = self.batch(last)
        out += self._close_item() if self._items or outcome.status != "completed" else self._empty_item()
        out.append(self._event(name, response=self.whole(outcome)))
        return out

    def whole(self, outcome: TurnOutcome) -> dict[str, Any]:
        if self._open is None and not self._items and outcome.status == "completed":
            self._empty_item()
        elif self._open is not None:
            self._close_item()
        snapshot = self._snapshot(outcome.status)
        snapshot.update(_ending(outcome), output=self._items, usage=usage(outcome.spent))
        return snapshot

    def standing(self, state: str) -> dict[str, Any]:
        status = {"running": "in_progress", "suspended": "incomplete"}.get(state, state)
        out = {**self._snapshot(status), "output": [dict(item) for item in self._items]}
        if self._open is not None and self._open.to == "message":
            out["output"][-1]["content"] = [_part("".join(self._text))]
        return out

    def _event(self, name: str, **members: Any) -> str:
        return _encode({"type": name, "sequence_number": self._next(), **members})

    def _next(self) -> int:
        number = self._sequence
        self._sequence = number + 1
        return number

    def _lean_delta(self, batch: TokenBatch) -> str:
        head = f'{{"type":"response.output_text.delta","sequence_number":{self._next()},'
        return f'{head}{_lean_members(batch, self._sure)}"response_id":"{self.response_id}"}}'

    def _open_item(self, piece: OutputText) -> list[str]:
        kind = _ITEMS[piece.to]
        self._open, self._text, at = piece, [], len(self._items)
        item: dict[str, Any] = {"type": kind.type, "id": new_id(kind.prefix), "status": "in_progress"}
        if piece.to == "message":
            item |= {"role": "assistant", "content": []}
        else:
            item |= {"call_id": new_id("call_"), "name": piece.name or "apply_patch", kind.member: ""}
        self._items.append(item)
        place = {"item_id": item["id"], "output_index": at}
        head = {"type": f"response.{kind.event}.delta", **place, **kind.more}
        self._delta = f'{_encode(head)[:-1]},"sequence_number":'
        out = [self._event("response.output_item.added", output_index=at, item=item)]
        if piece.to == "message":
            out.append(self._event("response.content_part.added", **place, content_index=0, part=_part("")))
        return out

    def _close_item(self) -> list[str]:
        if self._open is None:
            return []
        kind, text, at = _ITEMS[self._open.to], "".join(self._text), len(self._items) - 1
        item = self._items[at] = {**self._items[at], "status": "completed"}
        item[kind.member] = [_part(text)] if self._open.to == "message" else text
        place = {"item_id": item["id"], "output_index": at}
        done = {"text" if self._open.to == "message" else kind.member: text}
        out = [self._event(f"response.{kind.event}.done", **place, **kind.more, **done)]
        if self._open.to == "message":
            out.append(self._event("response.content_part.done", **place, content_index=0, part=_part(text)))
        self._open = None
        return [*out, self._event("response.output_item.done", output_index=at, item=item)]

    def _empty_item(self) -> list[str]:
        """Clients expect a message even of a model that said nothing."""
        return [*self._open_item(OutputText("message", "")), *self._close_item()]

    def _snapshot(self, status: str) -> dict[str, Any]:
        return {
            "id": self.response_id,
            "object": "response",
            "created_at": int(self._created_at),
            "status": status,
            "model": self._model,
            "output": [],
            "error": None,
            "incomplete_details": None,
            "usage": None,
            "parallel_tool_calls": False,
            **self._echo,
        }


def _part(text: str) -> dict[str, Any]:
    return {"type": "output_text", "text": text, "annotations": [], "logprobs": []}


def _lean_members(batch: TokenBatch, sure: bool) -> str:
    """What came, as members of an event: how the prompt was read, the text, and its tokens."""
    out = ""
    if batch.prefill is not None:
        out = f'"prefill":[{batch.prefill.done},{batch.prefill.total},{batch.prefill.reused}],'
    if batch.tokens:
        text = "".join([token.text for token in batch.tokens])
        rows = ",".join([_token_row(token, sure) for token in batch.tokens])
        out += f'"delta":{quote(text)},"tokens":[{rows}],'
    return out


def _token_row(token: Token, sure: bool) -> str:
    likelihood = f",{token.logprob:.5f}" if sure else ""
    return f"[{token.id},{len(token.text)},{1 if token.drafted else 0}{likelihood}]"


def usage(spent: TurnCost) -> dict[str, Any]:
    return {
        "input_tokens": spent.prompt,
        "input_tokens_details": {"cached_tokens": spent.reused},
        "output_tokens": spent.output,
        "output_tokens_details": {"reasoning_tokens": 0},
        "total_tokens": spent.prompt + spent.output,
    }


def _joined(outputs: tuple[OutputText, ...]) -> list[OutputText]:
    out: list[OutputText] = []
    for piece in outputs:
        if out and out[-1].to == piece.to != "call":
            out[-1] = OutputText(piece.to, out[-1].text + piece.text)
        elif piece.text:
            out.append(piece)
    return out


def _ending(outcome: TurnOutcome) -> dict[str, Any]:
    if outcome.status == "incomplete":
        return {"incomplete_details": {"reason": outcome.reason}}
    return {"error": _error(outcome.problem)} if outcome.problem is not None else {}


def _error(problem: ApiError) -> dict[str, str]:
    return {"code": problem.code, "message": problem.message}
