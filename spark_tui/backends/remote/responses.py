"""The Responses API of servers that are not spark's: a kept WebSocket where offered, else a POST a turn."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote import chat_messages, completions, event_stream
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused
from spark_tui.events import Event

_PATH = "/responses"


class ResponsesClient:
    """One model of one server, and its WebSocket between turns."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds) -> None:
        self._endpoint = endpoint
        self._model = model
        self._pieces = pieces
        self._websocket: ClientWebSocket | None = None
        self._offers_websocket = True

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from completions.stream(self._endpoint, self._model, self._pieces, request, stop)
            return
        messages = chat_messages.messages(request, format_name, self._pieces.text(request.emitted))
        body: dict[str, Any] = {
            "model": self._model,
            "instructions": messages[0]["content"],
            "input": messages[1:],
            "max_output_tokens": max(request.max_tokens, 16),
            "store": False,
        }
        events = self._over_websocket(body, stop)
        if events is None:
            events = event_stream.post(self._endpoint, _PATH, {**body, "stream": True}, stop)
        for event in events:
            kind = event.get("type")
            if kind in ("response.output_text.delta", "response.custom_tool_call_input.delta"):
                yield from event_stream.tokens(self._pieces, event.get("delta"))
            elif kind in ("response.completed", "response.incomplete"):
                response = event_stream.as_object(event.get("response"))
                usage = event_stream.as_object(response.get("usage"))
                yield from event_stream.prefill(usage.get("input_tokens"), usage.get("input_tokens_details"))
                if kind == "response.completed" or self._websocket is not None:
                    return
            elif kind in ("error", "response.failed"):
                response = event_stream.as_object(event.get("response"))
                error = event.get("error") or response.get("error") or event
                raise self._endpoint.problem(event_stream.status_of(event.get("status")), error)

    def close(self) -> None:
        if self._websocket is not None:
            self._websocket.close()

    def _over_websocket(self, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]] | None:
        """Events of a WebSocket, or None where the server offers none."""
        if not self._offers_websocket:
            return None
        websocket, self._websocket = self._websocket, None
        if websocket is None or not websocket.alive() or not websocket.drained:
            websocket = self._upgraded(stop)
            if websocket is None:
                self._offers_websocket = False
                return None
        websocket.send(json.dumps({"type": "response.create", **body}))
        return self._received(websocket, stop)

    def _upgraded(self, stop: StopFlag) -> ClientWebSocket | None:
        connection = self._endpoint.connect()
        try:
            return self._endpoint.upgrade(connection, _PATH, stop)
        except (UpgradeRefused, ConnectionLost):
            return None

    def _received(self, websocket: ClientWebSocket, stop: StopFlag) -> Iterator[dict[str, Any]]:
        ended = False
        try:
            while not ended:
                event = event_stream.decoded_event(websocket.receive(stop, self._endpoint.silence_seconds))
                ended = event.get("type") in event_stream.LAST_EVENTS
                if ended:
                    self._websocket = websocket
                yield event
        finally:
            if not ended:
                websocket.close()
