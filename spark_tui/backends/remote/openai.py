"""Turns over the doors that every model server has: responses (WebSocket or SSE), chat completions,
completions.

Comes in: requests. Goes out: `Token` events with ids that this process gives, and `PrefillProgress` where the
server counts its prompt. Must not know: sessions, doors.
"""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote import chat_messages, websocket_client
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.transport import Connection, ConnectionLost
from spark_tui.errors import NoBackend
from spark_tui.events import Event, PrefillProgress, Token

_LAST = ("response.completed", "response.incomplete", "response.failed", "error")
_OPENAI = "api.openai.com"


class _Speaker:
    """What both kinds share: streamed JSON of one POST."""

    def __init__(self, dial: Endpoint, model: str, pieces: PieceIds) -> None:
        self._dial = dial
        self._model = model
        self._pieces = pieces
        self._openai = dial.address.host.lower() == _OPENAI

    def close(self) -> None:
        """Links belong to the dial."""

    def _post(self, door: str, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]]:
        answer = self._dial.ask("POST", door, body, stop)
        try:
            if answer.status != 200:
                raise self._dial.refusal(answer)
            if "text/event-stream" not in answer.headers.get("content-type", ""):
                raise NoBackend("the server does not stream", where=self._dial.address.netloc)
            ended = False
            for data in answer.events():
                if data == "[DONE]":
                    ended = True
                    continue
                event = self._decoded(data)
                ended = ended or _ends(event)
                yield event
            if not ended:
                raise ConnectionLost("the answer ended early")
        finally:
            self._dial.give(answer.link) if answer.done else answer.link.close()

    def _decoded(self, data: str | bytes) -> dict[str, Any]:
        try:
            event = json.loads(data)
        except ValueError as error:
            raise ConnectionLost("the server sent an event that is not JSON") from error
        if not isinstance(event, dict):
            raise ConnectionLost("the server sent an event that is not an object")
        return event

    def _tokens(self, text: object) -> Iterator[Token]:
        """What was written, if anything was."""
        if isinstance(text, str) and text:
            yield Token(self._pieces.keep(text), text)

    def _fill(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """`fill` and `raw` have a door of their own on servers that can."""
        body: dict[str, Any] = {
            "model": self._model,
            "prompt": request.prefix + self._pieces.text(request.emitted),
            "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
        }
        if request.kind == "fill":
            body["suffix"] = request.suffix
        if request.stop_texts:
            body["stop"] = list(request.stop_texts)
        for event in self._post("/completions", body, stop):
            _raise_error(self._dial, event)
            for choice in _choices(event):
                yield from self._tokens(choice.get("text"))


class ChatClient(_Speaker):
    """`POST /chat/completions`."""

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from self._fill(request, stop)
            return
        partial = self._pieces.text(request.emitted)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": chat_messages.messages(request, format_name, partial),
            "max_completion_tokens" if self._openai else "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.stop_texts:
            body["stop"] = list(request.stop_texts)
        if request.prediction and self._openai:
            body["prediction"] = {"type": "content", "content": request.prediction}
            # The two exclude each other there.
            body.pop("max_completion_tokens")
        for event in self._post("/chat/completions", body, stop):
            _raise_error(self._dial, event)
            for choice in _choices(event):
                yield from self._tokens(_object(choice.get("delta")).get("content"))
            if isinstance(usage := event.get("usage"), dict):
                yield from _prefill(usage.get("prompt_tokens"), usage.get("prompt_tokens_details"))


class ResponsesClient(_Speaker):
    """`/responses`: over a WebSocket that lasts where the server offers one, else one POST a turn."""

    def __init__(self, dial: Endpoint, model: str, pieces: PieceIds) -> None:
        super().__init__(dial, model, pieces)
        self._socket: websocket_client.ClientWebSocket | None = None
        self._offers_socket = True

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from self._fill(request, stop)
            return
        said = chat_messages.messages(request, format_name, self._pieces.text(request.emitted))
        body: dict[str, Any] = {
            "model": self._model,
            "instructions": said[0]["content"],
            "input": said[1:],
            "max_output_tokens": max(request.max_tokens, 16),
            "store": False,
        }
        events = self._over_socket(body, stop)
        if events is None:
            events = self._post("/responses", {**body, "stream": True}, stop)
        for event in events:
            kind = event.get("type")
            if kind in ("response.output_text.delta", "response.custom_tool_call_input.delta"):
                yield from self._tokens(event.get("delta"))
            elif kind in ("response.completed", "response.incomplete"):
                usage = _object(_object(event.get("response")).get("usage"))
                yield from _prefill(usage.get("input_tokens"), usage.get("input_tokens_details"))
                if kind == "response.completed" or self._socket is not None:
                    return
            elif kind in ("error", "response.failed"):
                body = event.get("error") or _object(event.get("response")).get("error") or event
                raise self._dial.problem(_status(event.get("status")), body)

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()

    def _over_socket(self, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]] | None:
        """Events of a WebSocket, or None where the server has none or another turn is using it."""
        if not self._offers_socket:
            return None
        socket, self._socket = self._socket, None
        if socket is None or not socket.link.alive() or socket.link.buffer:
            link = self._dial.open()
            if not self._upgraded(link, stop):
                link.close()
                self._offers_socket = False
                return None
            socket = websocket_client.ClientWebSocket(link)
        socket.send(json.dumps({"type": "response.create", **body}))
        return self._received(socket, stop)

    def _upgraded(self, link: Connection, stop: StopFlag) -> bool:
        try:
            answer = websocket_client.upgrade(
                link,
                self._dial.address,
                "/responses",
                headers=self._dial.headers(),
                stop=stop,
                silence=self._dial.connect_seconds,
            )
        except ConnectionLost:
            return False
        return answer.status == 101

    def _received(self, socket: websocket_client.ClientWebSocket, stop: StopFlag) -> Iterator[dict[str, Any]]:
        ended = False
        try:
            while not ended:
                event = self._decoded(socket.receive(stop, self._dial.silence_seconds))
                ended = event.get("type") in _LAST
                if ended:
                    self._socket = socket
                yield event
        finally:
            if not ended:
                socket.close()


def _ends(event: dict[str, Any]) -> bool:
    """Whether the answer is complete with this event. Not every server says `[DONE]`."""
    return any(choice.get("finish_reason") for choice in _choices(event)) or event.get("type") in _LAST


def _choices(event: dict[str, Any]) -> list[dict[str, Any]]:
    choices = event.get("choices")
    return [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []


def _object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _status(value: object) -> int:
    """The HTTP status that an error names in its body, as a number or as text."""
    number = int(value) if isinstance(value, (int, str)) and str(value).isdecimal() else 0
    return number if 400 <= number < 600 else 400


def _prefill(prompt: object, details: object) -> Iterator[Event]:
    if isinstance(prompt, int):
        cached = details.get("cached_tokens") if isinstance(details, dict) else 0
        yield PrefillProgress(prompt, prompt, cached if isinstance(cached, int) else 0)


def _raise_error(dial: Endpoint, event: dict[str, Any]) -> None:
    """Some servers answer 200 and then send an error."""
    error = event.get("error")
    if error or event.get("object") == "error" or ("detail" in event and "choices" not in event):
        raise dial.problem(_status(_object(error or event).get("code")), event)
