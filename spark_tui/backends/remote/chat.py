"""`POST /chat/completions`: the API that most model servers have."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends import chat_messages
from spark_tui.backends.base import Request
from spark_tui.backends.remote import answer_pieces, completions, event_stream
from spark_tui.backends.remote.answer_pieces import (
    AnswerCounts,
    AnswerReader,
    ProtocolClient,
    as_object,
    count,
)
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.sent_back import Sent, SentBack
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.backends.tool_calls import ToolStep
from spark_tui.events import Event, ToolArguments, ToolCallStarted

_OPENAI = "api.openai.com"
_PATH = "/chat/completions"
_REASONS = {"max_tokens": "length", "model_length": "length"}
_BROKEN_OFF = ("abort", "error", "cancelled", "insufficient_system_resource")
"""Ends of an answer that is not whole."""
_REASONING = ("reasoning_content", "reasoning", "thinking")
"""Members that hold reasoning; servers have one of them, some two with the same text."""


class ChatClient(ProtocolClient):
    """Chat completions of one model."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds, effort: str = "") -> None:
        super().__init__(endpoint, model, pieces, effort)
        self._is_openai = endpoint.address.host.lower() == _OPENAI
        self._sent_back = SentBack()

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from completions.stream(self._endpoint, self._model, self._pieces, request, stop)
            return
        answer, sent = AnswerReader(request, self._pieces, self._habit), Sent()
        for event in event_stream.post(self._endpoint, _PATH, self._body(request, format_name), stop):
            event_stream.raise_error(self._endpoint, event)
            for choice in event_stream.choices(event):
                # An answer that is not streamed has the whole message.
                delta = choice.get("delta")
                delta = delta if isinstance(delta, dict) else as_object(choice.get("message"))
                sent.note(delta)
                for piece in _pieces(delta, answer, self._sent_back):
                    if isinstance(piece, ToolCallStarted):
                        self._sent_back.keep(piece.id, sent)
                    yield piece
                reason = choice.get("finish_reason")
                if reason in _BROKEN_OFF:
                    raise ConnectionLost(f"the server ended it ({reason})")
                if isinstance(reason, str) and reason:
                    answer.counts.reason = _REASONS.get(reason, reason)
            _count(as_object(event.get("usage")), answer.counts)
        yield from answer.finish()

    def _body(self, request: Request, format_name: str) -> dict[str, Any]:
        partial = self._pieces.text(request.emitted)
        messages: list[dict[str, Any]] = [*chat_messages.opening(request, format_name)]
        for step in request.steps:
            messages += _step(step, self._sent_back)
        messages += chat_messages.continuation(request, partial)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": messages,
            "max_completion_tokens" if self._is_openai else "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if self._effort:
            body["reasoning_effort"] = self._effort
        if request.tools:
            body["tools"] = [
                {
                    "type": "function",
                    "function": {
                        "name": tool.name,
                        "description": tool.description,
                        "parameters": tool.schema,
                    },
                }
                for tool in request.tools
            ]
        if request.stop_texts:
            body["stop"] = list(request.stop_texts)
        if request.prediction and self._is_openai and not request.tools:
            body["prediction"] = {"type": "content", "content": request.prediction}
            # The two exclude each other there.
            body.pop("max_completion_tokens")
        return body


def _pieces(delta: dict[str, Any], answer: AnswerReader, sent_back: SentBack) -> Iterator[Event]:
    thought = next((delta[name] for name in _REASONING if isinstance(delta.get(name), str)), "")
    if thought:
        answer.text.thinks_apart()
    yield from answer_pieces.reasoning(thought)
    content = delta.get("content")
    # Some servers send parts: text and thinking, each an object.
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, dict) and part.get("type") == "thinking":
            inner = part.get("thinking")
            for item in inner if isinstance(inner, list) else [inner]:
                yield from answer_pieces.reasoning(item.get("text") if isinstance(item, dict) else item)
        else:
            yield from answer.text.feed(part.get("text") if isinstance(part, dict) else part)
    yield from answer.text.feed(delta.get("refusal"))
    if not answer.takes_calls:
        return
    found = delta.get("tool_calls")
    for call in found if isinstance(found, list) else []:
        if isinstance(call, dict):
            function = as_object(call.get("function"))
            place = call.get("index")
            place = place if isinstance(place, int) else None
            name, arguments = function.get("name"), function.get("arguments")
            for piece in answer.calls.part(place, call.get("id"), name, arguments):
                if isinstance(piece, (ToolCallStarted, ToolArguments)):
                    sent_back.keep_call(piece.id, call, begins=isinstance(piece, ToolCallStarted))
                yield piece
    if isinstance(old := delta.get("function_call"), dict):
        yield from answer.calls.part(0, None, old.get("name"), old.get("arguments"))


def _count(usage: dict[str, Any], counts: AnswerCounts) -> None:
    counts.prompt = count(usage.get("prompt_tokens")) or counts.prompt
    counts.cached = count(as_object(usage.get("prompt_tokens_details")).get("cached_tokens")) or counts.cached
    counts.output = count(usage.get("completion_tokens")) or counts.output
    details = as_object(usage.get("completion_tokens_details"))
    counts.thought = count(details.get("reasoning_tokens")) or counts.thought


def _step(step: ToolStep, sent_back: SentBack) -> list[dict[str, Any]]:
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": call.object_text},
            **sent_back.of_call(call.id),
        }
        for call in step.calls
    ]
    message = {"role": "assistant", "content": step.text or None, "tool_calls": calls}
    message |= sent_back.of_message(step.calls)
    return [
        message,
        *({"role": "tool", "tool_call_id": result.id, "content": result.text} for result in step.results),
    ]
