"""`POST /completions`: raw continuations, and fill-in-the-middle where the server takes a `suffix`."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Request
from spark_tui.backends.remote import answer_pieces, event_stream
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.events import Event


def stream(
    endpoint: Endpoint, model: str, pieces: PieceIds, request: Request, stop: StopFlag
) -> Iterator[Event]:
    """The answer to a request of kind `fill` or `raw`."""
    body: dict[str, Any] = {
        "model": model,
        "prompt": request.prefix + pieces.text(request.emitted),
        "max_tokens": request.max_tokens,
        "temperature": request.temperature,
        "stream": True,
    }
    if request.kind == "fill":
        body["suffix"] = request.suffix
    if request.stop_texts:
        body["stop"] = list(request.stop_texts)
    pairs = answer_pieces.PairJoiner()
    for event in event_stream.post(endpoint, "/completions", body, stop):
        event_stream.raise_error(endpoint, event)
        for choice in event_stream.choices(event):
            if isinstance(text := choice.get("text"), str):
                yield from answer_pieces.tokens(pieces, pairs.join(text))
