"""The Responses API of servers that are not spark's: a kept WebSocket where offered, else a POST a turn."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends import chat_messages
from spark_tui.backends.base import Request
from spark_tui.backends.remote import answer_pieces, completions, error_bodies, event_stream
from spark_tui.backends.remote.answer_pieces import (
    AnswerCounts,
    AnswerReader,
    ProtocolClient,
    ToolCallReader,
    as_object,
    count,
)
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.sendable_text import json_of
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused
from spark_tui.backends.tool_calls import ToolStep
from spark_tui.events import Event, Reasoning

_PATH = "/responses"
_TEXT = ("response.output_text.delta", "response.refusal.delta", "response.custom_tool_call_input.delta")
_REASONING = ("response.reasoning_summary_text.delta", "response.reasoning_text.delta")
_REASONS = {"max_output_tokens": "length", "max_tokens": "length"}


class ResponsesClient(ProtocolClient):
    """Responses of one model, and its WebSocket between turns."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds, effort: str = "") -> None:
        super().__init__(endpoint, model, pieces, effort)
        self._websocket: ClientWebSocket | None = None
        self._offers_websocket = True

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from completions.stream(self._endpoint, self._model, self._pieces, request, stop)
            return
        body = self._body(request, format_name)
        events = self._over_websocket(body, stop)
        if events is None:
            events = event_stream.post(self._endpoint, _PATH, {**body, "stream": True}, stop)
        answer, came, thought = AnswerReader(request, self._pieces, self._habit), False, False
        for event in events:
            kind = event.get("type")
            if kind in _TEXT:
                came = True
                yield from answer.text.feed(event.get("delta"))
            elif kind in _REASONING:
                thought = True
                yield from answer_pieces.reasoning(event.get("delta"))
            elif kind in ("response.completed", "response.incomplete"):
                response = as_object(event.get("response"))
                if not (came or answer.calls.called) and isinstance(response.get("output"), list):
                    # Some servers stream none of it, or only the reasoning.
                    yield from _whole(response, answer, thought)
                _end(response, answer.counts)
                if kind == "response.completed" or self._websocket is not None:
                    break
            elif kind in ("error", "response.failed") or event.get("error") or "detail" in event:
                response = as_object(event.get("response"))
                error = event.get("error") or response.get("error") or event
                facts = as_object(error)
                named = (event.get("status"), facts.get("code"), facts.get("type"))
                raise self._endpoint.problem(event_stream.status_of(*named), error)
            elif isinstance(event.get("output"), list):
                yield from _whole(event, answer)
                _end(event, answer.counts)
            elif as_object(event.get("item")).get("type") == "reasoning":
                # Most providers do not show its text.
                yield Reasoning("")
            elif request.tools:
                yield from _call(event, answer.calls)
        yield from answer.finish()

    def close(self) -> None:
        if self._websocket is not None:
            self._websocket.close()

    def _body(self, request: Request, format_name: str) -> dict[str, Any]:
        first, *rest = chat_messages.opening(request, format_name)
        items: list[dict[str, Any]] = [*rest]
        for step in request.steps:
            items += _step(step)
        items += chat_messages.continuation(request, self._pieces.text(request.emitted))
        body: dict[str, Any] = {
            "model": self._model,
            "instructions": first["content"],
            "input": items,
            "max_output_tokens": max(request.max_tokens, 16),
            "store": False,
        }
        if self._effort:
            body["reasoning"] = {"effort": self._effort, "summary": "auto"}
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "name": tool.name,
                    "description": tool.description,
                    "parameters": tool.schema,
                    "strict": False,
                }
                for tool in request.tools
            ]
        return body

    def _over_websocket(self, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]] | None:
        """Events of a WebSocket, or None where the server offers none."""
        if not self._offers_websocket:
            return None
        websocket, self._websocket = self._websocket, None
        if websocket is None or not websocket.alive() or not websocket.drained:
            connection = self._endpoint.connect(stop)
            try:
                websocket = self._endpoint.upgrade(connection, _PATH, stop)
            except (UpgradeRefused, ConnectionLost):
                self._offers_websocket = False
                return None
        return self._received(websocket, body, stop)

    def _received(
        self, websocket: ClientWebSocket, body: dict[str, Any], stop: StopFlag
    ) -> Iterator[dict[str, Any]]:
        """The events of one response. A parameter that the server refuses is left out, and asked again."""
        ended = False
        try:
            sent = self._asked(websocket, body)
            first = quiet = True
            while not ended:
                seconds = self._endpoint.first_token_seconds if quiet else self._endpoint.stall_seconds
                event = event_stream.decoded_event(websocket.receive(stop, seconds))
                if event.get("type") == "error" and first:
                    status = event_stream.status_of(event.get("status"))
                    if self._endpoint.parameters.learn(status, error_bodies.read(event), sent):
                        sent = self._asked(websocket, body)
                        continue
                first, quiet = False, event_stream.is_quiet(event, quiet)
                ended = event.get("type") in event_stream.LAST_EVENTS
                if ended:
                    self._websocket = websocket
                yield event
        finally:
            if not ended:
                websocket.close()

    def _asked(self, websocket: ClientWebSocket, body: dict[str, Any]) -> dict[str, Any]:
        sent = self._endpoint.parameters.adapt(body)
        websocket.send(json_of({"type": "response.create", **sent}))
        return sent


def _call(event: dict[str, Any], calls: ToolCallReader) -> Iterator[Event]:
    """The part of a function call in an event."""
    kind, item = event.get("type"), as_object(event.get("item"))
    if kind == "response.output_item.added" and item.get("type") == "function_call":
        place = event.get("output_index", item.get("id"))
        yield from calls.part(place, item.get("call_id"), item.get("name"), item.get("arguments"))
    elif kind == "response.function_call_arguments.delta":
        yield from calls.part(event.get("output_index", event.get("item_id")), None, None, event.get("delta"))
    elif kind == "response.output_item.done" and item.get("type") == "function_call":
        yield from calls.end(event.get("output_index", item.get("id")))


def _whole(response: dict[str, Any], answer: AnswerReader, thought: bool = False) -> Iterator[Event]:
    """The pieces of a response that was not streamed, or of which only the thoughts were."""
    for item in map(as_object, response["output"]):
        parts = [as_object(part) for name in ("summary", "content") for part in item.get(name) or ()]
        if item.get("type") == "reasoning" and thought:
            continue
        if item.get("type") == "reasoning":
            if not parts:
                yield Reasoning("")
            for part in parts:
                yield from answer_pieces.reasoning(part.get("text"))
        elif item.get("type") == "message":
            for part in parts:
                yield from answer.text.feed(part.get("text") or part.get("refusal"))
        elif item.get("type") == "function_call" and answer.takes_calls:
            name, arguments = item.get("name"), item.get("arguments")
            yield from answer.calls.part(None, item.get("call_id"), name, arguments)


def _end(response: dict[str, Any], counts: AnswerCounts) -> None:
    why = as_object(response.get("incomplete_details")).get("reason")
    counts.reason = _REASONS.get(why, why) if isinstance(why, str) else "stop"
    usage = as_object(response.get("usage"))
    counts.prompt = count(usage.get("input_tokens"))
    counts.cached = count(as_object(usage.get("input_tokens_details")).get("cached_tokens"))
    counts.output = count(usage.get("output_tokens"))
    counts.thought = count(as_object(usage.get("output_tokens_details")).get("reasoning_tokens"))


def _step(step: ToolStep) -> list[dict[str, Any]]:
    messages = [{"role": "assistant", "content": step.text}] if step.text else []
    calls = [
        {"type": "function_call", "call_id": call.id, "name": call.name, "arguments": call.object_text}
        for call in step.calls
    ]
    results = [
        {"type": "function_call_output", "call_id": result.id, "output": result.text}
        for result in step.results
    ]
    return [*messages, *calls, *results]
