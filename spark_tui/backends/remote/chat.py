"""`POST /chat/completions`: the API that most model servers have."""

from __future__ import annotations

from collections.abc import Generator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote import chat_messages, completions, event_stream
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.events import Event

_OPENAI = "api.openai.com"


class ChatClient:
    """One model of one server. Connections belong to the endpoint."""

    def __init__(self, endpoint: Endpoint, model: str, pieces: PieceIds) -> None:
        self._endpoint = endpoint
        self._model = model
        self._pieces = pieces
        self._is_openai = endpoint.address.host.lower() == _OPENAI

    def stream(self, request: Request, stop: StopFlag, format_name: str) -> Generator[Event, None, None]:
        if request.kind in ("fill", "raw"):
            yield from completions.stream(self._endpoint, self._model, self._pieces, request, stop)
            return
        for event in event_stream.post(
            self._endpoint, "/chat/completions", self._body(request, format_name), stop
        ):
            event_stream.raise_error(self._endpoint, event)
            for choice in event_stream.choices(event):
                delta = event_stream.as_object(choice.get("delta"))
                yield from event_stream.tokens(self._pieces, delta.get("content"))
            if isinstance(usage := event.get("usage"), dict):
                yield from event_stream.prefill(
                    usage.get("prompt_tokens"), usage.get("prompt_tokens_details")
                )

    def close(self) -> None:
        """Nothing to close."""

    def _body(self, request: Request, format_name: str) -> dict[str, Any]:
        partial = self._pieces.text(request.emitted)
        body: dict[str, Any] = {
            "model": self._model,
            "messages": chat_messages.messages(request, format_name, partial),
            "max_completion_tokens" if self._is_openai else "max_tokens": request.max_tokens,
            "temperature": request.temperature,
            "stream": True,
            "stream_options": {"include_usage": True},
        }
        if request.stop_texts:
            body["stop"] = list(request.stop_texts)
        if request.prediction and self._is_openai:
            body["prediction"] = {"type": "content", "content": request.prediction}
            # The two exclude each other there.
            body.pop("max_completion_tokens")
        return body
