"""`POST /messages`: Anthropic's Messages API, and the servers that have it too."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends import chat_messages
from spark_tui.backends.base import Request
from spark_tui.backends.remote import answer_pieces, event_stream
from spark_tui.backends.remote.answer_pieces import (
    AnswerCounts,
    AnswerReader,
    ProtocolClient,
    as_object,
    count,
)
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.tool_calls import ToolStep
from spark_tui.errors import UsageError
from spark_tui.events import Event, Reasoning, ToolCallStarted

_KINDS = ("thinking", "redacted_thinking")
_MOST_ANSWERS = 256
_GROWING = {"thinking_delta": "thinking", "signature_delta": "signature"}


class ThinkingReader:
    """Puts together the blocks of one answer."""

    def __init__(self) -> None:
        self._blocks: dict[object, dict[str, Any]] = {}

    def begin(self, place: object, block: Mapping[str, Any]) -> None:
        if block.get("type") in _KINDS:
            self._blocks[place] = dict(block)

    def delta(self, place: object, delta: Mapping[str, Any]) -> None:
        member = _GROWING.get(str(delta.get("type")))
        block, more = self._blocks.get(place), delta.get(member) if member else None
        if block is not None and member and isinstance(more, str):
            block[member] = f"{block.get(member) or ''}{more}"

    @property
    def signed(self) -> list[dict[str, Any]]:
        """The blocks that a server takes back."""
        return [block for block in self._blocks.values() if block.get("signature") or block.get("data")]


class ThinkingBlocks:
    """The blocks of the last answers that called tools, by the id of their first call."""

    def __init__(self) -> None:
        self._of: dict[str, list[dict[str, Any]]] = {}

    def keep(self, call_id: str, blocks: list[dict[str, Any]]) -> None:
        if call_id and blocks:
            self._of[call_id] = blocks
            while len(self._of) > _MOST_ANSWERS:
                del self._of[next(iter(self._of))]

    def before(self, call_id: str) -> list[dict[str, Any]]:
        return self._of.get(call_id, [])


HEADERS = {"anthropic-version": "2023-06-01"}
KEY_HEADER = "x-api-key"
_PATH = "/messages"
_KEPT = {"cache_control": {"type": "ephemeral"}}
_THINKING_TOKENS = {"medium": 4096, "high": 16384}
"""What an effort may take before the answer; `low` thinks not at all."""
_REASONS = {
    "end_turn": "stop",
    "stop_sequence": "stop",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "tool_use": "tool_calls",
}


class MessagesClient(ProtocolClient):
    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds, effort: str = "") -> None:
        super().__init__(endpoint, model, pieces, effort)
        self._thinking = ThinkingBlocks()

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            raise UsageError(
                "this protocol has no raw completions", where=self._endpoint.address.netloc, hint="Use chat."
            )
        answer, thoughts = AnswerReader(request, self._pieces, self._habit), ThinkingReader()
        for event in event_stream.post(self._endpoint, _PATH, self._body(request, format_name), stop):
            event_stream.raise_error(self._endpoint, event)
            kind, place = event.get("type"), event.get("index")
            if kind == "content_block_start":
                yield from self._begin(place, event.get("content_block"), answer, thoughts)
            elif kind == "content_block_delta":
                delta = as_object(event.get("delta"))
                thoughts.delta(place, delta)
                yield from answer.text.feed(delta.get("text"))
                yield from answer_pieces.reasoning(delta.get("thinking"))
                if request.tools and delta.get("type") == "input_json_delta":
                    yield from answer.calls.part(place, None, None, delta.get("partial_json"))
            elif kind == "content_block_stop":
                yield from answer.calls.end(place)
            elif kind == "message_start":
                _count(as_object(event.get("message")), answer.counts)
            elif kind == "message_delta":
                _count({**event, **as_object(event.get("delta"))}, answer.counts)
            elif kind == "message" or (kind is None and isinstance(event.get("content"), list)):
                for at, block in enumerate(event.get("content") or ()):
                    yield from self._begin(at, block, answer, thoughts)
                _count(event, answer.counts)
        yield from answer.finish()

    def _thoughts(self, step: ToolStep) -> list[dict[str, Any]]:
        return self._thinking.before(step.calls[0].id) if step.calls else []

    def _begin(
        self, place: object, given: object, answer: AnswerReader, thoughts: ThinkingReader
    ) -> Iterator[Event]:
        """A block that begins, or all of one that was not streamed."""
        block = as_object(given)
        thoughts.begin(place, block)
        yield from answer.text.feed(block.get("text"))
        if block.get("type") in _KINDS and not block.get("thinking"):
            yield Reasoning("")
        yield from answer_pieces.reasoning(block.get("thinking"))
        if not answer.takes_calls or block.get("type") != "tool_use":
            return
        # Streamed arguments follow an empty object.
        call_id, name, arguments = block.get("id"), block.get("name"), block.get("input") or None
        for piece in answer.calls.part(place, call_id, name, arguments):
            if isinstance(piece, ToolCallStarted) and answer.calls.called == 1:
                self._thinking.keep(piece.id, thoughts.signed)
            yield piece

    def _body(self, request: Request, format_name: str) -> dict[str, Any]:
        system, *rest = chat_messages.opening(request, format_name)
        messages: list[dict[str, Any]] = [*rest]
        if before := min(request.told_before, len(request.history)):
            # The last answer of the turns before this one.
            messages[2 * before - 1] = _kept(messages[2 * before - 1])
        for step in request.steps:
            messages += _step(step, self._thoughts(step))
        messages += chat_messages.continuation(request, self._pieces.text(request.emitted))
        joined = _joined(messages)
        body: dict[str, Any] = {
            "model": self._model,
            "system": [{"type": "text", "text": system["content"], **_KEPT}],
            "messages": [*joined[:-1], _kept(joined[-1])],
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
        }
        thinking = _THINKING_TOKENS.get(self._effort, 0)
        # A step whose reasoning cannot be sent back, as after a restart, excludes further reasoning.
        if thinking and all(map(self._thoughts, request.steps)):
            body["thinking"] = {"type": "enabled", "budget_tokens": thinking}
            body["max_tokens"] += thinking
            del body["temperature"]
        if request.tools:
            body["tools"] = [
                {"name": tool.name, "description": tool.description, "input_schema": tool.schema}
                for tool in request.tools
            ]
        if request.stop_texts:
            body["stop_sequences"] = list(request.stop_texts)
        return body


def _count(message: dict[str, Any], counts: AnswerCounts) -> None:
    usage = as_object(message.get("usage"))
    cached = count(usage.get("cache_read_input_tokens"))
    fresh = count(usage.get("input_tokens")) + count(usage.get("cache_creation_input_tokens"))
    if fresh or cached:
        counts.prompt, counts.cached = fresh + cached, cached
    counts.output = count(usage.get("output_tokens")) or counts.output
    reason = message.get("stop_reason")
    counts.reason = _REASONS.get(reason, reason) if isinstance(reason, str) else counts.reason


def _step(step: ToolStep, thoughts: list[dict[str, Any]]) -> list[dict[str, Any]]:
    content = [*thoughts, *([{"type": "text", "text": step.text}] if step.text.strip() else [])]
    content += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": call.object} for call in step.calls
    ]
    results = [
        {
            "type": "tool_result",
            "tool_use_id": result.id,
            "content": result.text,
            **({"is_error": True} if result.failed else {}),
        }
        for result in step.results
    ]
    return [{"role": "assistant", "content": content}, {"role": "user", "content": results}]


def _kept(message: dict[str, Any]) -> dict[str, Any]:
    """The message, to whose end the provider may keep what it read: the next request begins so, too."""
    *blocks, last = _blocks(message["content"])
    return {**message, "content": [*blocks, {**last, **_KEPT}]}


def _joined(messages: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Roles alternate: neighbours of one role become one message of several blocks."""
    out: list[dict[str, Any]] = []
    for message in messages:
        if out and out[-1]["role"] == message["role"]:
            out[-1] = {**out[-1], "content": [*_blocks(out[-1]["content"]), *_blocks(message["content"])]}
        else:
            out.append(message)
    return out


def _blocks(content: Any) -> list[Any]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else list(content)
