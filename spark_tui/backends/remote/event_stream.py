"""Streamed JSON events of one POST, as every OpenAI-compatible path sends them, and how to read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.piece_ids import PieceIds
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.errors import NoBackend
from spark_tui.events import Event, PrefillProgress, Token

LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed", "error")
"""Types of events that end an answer of the Responses API."""


def post(endpoint: Endpoint, path: str, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]]:
    """The events of one streamed answer. `ConnectionLost` when it ends before it is complete."""
    with endpoint.request("POST", path, body, stop) as answer:
        if answer.status != 200:
            raise endpoint.refusal(answer)
        if "text/event-stream" not in answer.headers.get("content-type", ""):
            raise NoBackend("the server does not stream", where=endpoint.address.netloc)
        ended = False
        for data in answer.events():
            if data == "[DONE]":
                ended = True
                continue
            event = decoded_event(data)
            ended = ended or _ends(event)
            yield event
        if not ended:
            raise ConnectionLost("the answer ended early")


def decoded_event(data: str | bytes) -> dict[str, Any]:
    """The JSON object in `data`."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise ConnectionLost("the server sent an event that is not JSON") from error
    if not isinstance(event, dict):
        raise ConnectionLost("the server sent an event that is not an object")
    return event


def tokens(pieces: PieceIds, text: object) -> Iterator[Token]:
    """A token with a new id for a piece of text that is not empty."""
    if isinstance(text, str) and text:
        yield Token(pieces.keep(text), text)


def prefill(prompt: object, details: object) -> Iterator[Event]:
    """The size of the prompt, where the server counts it."""
    if isinstance(prompt, int):
        cached = details.get("cached_tokens") if isinstance(details, dict) else 0
        yield PrefillProgress(prompt, prompt, cached if isinstance(cached, int) else 0)


def choices(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The choices of a completion's event."""
    found = event.get("choices")
    return [choice for choice in found if isinstance(choice, dict)] if isinstance(found, list) else []


def as_object(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def status_of(value: object) -> int:
    """The HTTP status that an error names in its body, as a number or as text; 400 where it names none."""
    number = int(value) if isinstance(value, (int, str)) and str(value).isdecimal() else 0
    return number if 400 <= number < 600 else 400


def raise_error(endpoint: Endpoint, event: dict[str, Any]) -> None:
    """Raise the error in an event: some servers answer with status 200 and then send one."""
    error = event.get("error")
    if error or event.get("object") == "error" or ("detail" in event and "choices" not in event):
        raise endpoint.problem(status_of(as_object(error or event).get("code")), event)


def _ends(event: dict[str, Any]) -> bool:
    """Whether the answer is complete with this event. Not every server says `[DONE]`."""
    return any(choice.get("finish_reason") for choice in choices(event)) or event.get("type") in LAST_EVENTS
