"""Streamed JSON events of one POST, as every protocol sends them, and how to read them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.remote import error_bodies
from spark_tui.backends.remote.answer_pieces import as_object
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.http_client import HttpResponse
from spark_tui.backends.remote.other_bodies import OtherBody
from spark_tui.backends.remote.transport import ConnectionLost, Garbled, Unreadable
from spark_tui.errors import NoBackend

LAST_EVENTS = ("response.completed", "response.incomplete", "response.failed", "message_stop", "error")
"""Types of events that end an answer of the Responses and Messages APIs."""
_GATHERING = 4
"""So many times as long a server may be silent that may write a call: some send it only when it is whole."""
_EDITS = ("```", "<<<", "***", "@@")
_LAST_SECONDS = 5.0
"""The longest wait for the counts that may follow the end of an answer."""
WHOLE_MEMBERS = ("choices", "output", "content", "error", "detail", "message")
"""Members of which an answer that is not streamed, or an error in its place, has one."""


def post(endpoint: Endpoint, path: str, body: dict[str, Any], stop: StopFlag) -> Iterator[dict[str, Any]]:
    """The events of one streamed answer, or the whole answer as one event of a server that does not stream.
    `ConnectionLost` when it ends before it is complete. A parameter that the server refuses is left out, and
    the request sent again."""
    while True:
        sent = endpoint.parameters.adapt(body)
        with endpoint.request("POST", path, sent, stop) as answer:
            if answer.status != 200:
                refusal = endpoint.read_refusal(answer)
                if endpoint.parameters.learn(answer.status, refusal, sent, path):
                    continue
                if refusal.written:
                    yield _written(refusal)
                    return
                raise endpoint.problem_of(answer.status, refusal)
            yield from _events(endpoint, answer, gathers=bool(sent.get("tools")))
            return


def _events(endpoint: Endpoint, answer: HttpResponse, *, gathers: bool) -> Iterator[dict[str, Any]]:
    """`gathers`: the server may keep a call back until all of it is written."""
    answer.expect_within(endpoint.first_token_seconds)
    if answer.is_whole():
        whole = answer.json()
        if not isinstance(whole, dict) or not any(whole.get(name) for name in WHOLE_MEMBERS):
            raise no_api(endpoint, whole, "neither events nor a whole answer")
        yield whole
        return
    ended = finished = False
    quiet = True
    try:
        for data in answer.events():
            if not quiet:
                answer.expect_within(endpoint.stall_seconds * (_GATHERING if gathers else 1))
            if data == "[DONE]":
                ended = True
                continue
            event = decoded_event(data)
            if event.get("error") and (refusal := error_bodies.read(event)).written:
                event = _written(refusal)
            # Not every server says `[DONE]`.
            finished = finished or any(choice.get("finish_reason") for choice in choices(event))
            ended = ended or finished or event.get("type") in LAST_EVENTS
            yield event
            # The reader's own time is not the server's.
            before, quiet = quiet, is_quiet(event, quiet)
            if ended:
                answer.expect_within(_LAST_SECONDS)
            elif not (before and quiet):
                gathers = gathers and not _streams(event)
                stall = endpoint.stall_seconds * (_GATHERING if gathers else 1)
                answer.expect_within(endpoint.first_token_seconds if quiet else stall)
    except ConnectionLost:
        _raise_beside(endpoint, answer, ended, finished and not quiet)
        if not ended:
            raise
    _raise_beside(endpoint, answer, ended, finished and not quiet)
    if not ended:
        raise Garbled("the stream ended early")


def _raise_beside(endpoint: Endpoint, answer: HttpResponse, ended: bool, whole: bool) -> None:
    """Raise the error that ends a stream without being one of its events."""
    beside = None if whole else answer.beside_events()
    if beside and (not ended or isinstance(beside, dict)) and (refusal := error_bodies.read(beside)).said:
        raise endpoint.problem_of(status_of(*_named(beside)), refusal)


def no_api(endpoint: Endpoint, body: object, otherwise: str = "") -> NoBackend:
    """An answer with status 200 that is none of a model."""
    what = body.words if isinstance(body, OtherBody) else otherwise
    return NoBackend(f"the server answered with {what}", where=endpoint.address.url, hint=error_bodies.NO_API)


def decoded_event(data: str | bytes) -> dict[str, Any]:
    """The JSON object in `data`."""
    try:
        event = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise Unreadable("the server sent an event that is not JSON") from error
    if not isinstance(event, dict):
        raise Unreadable("the server sent an event that is not an object")
    return event


def choices(event: dict[str, Any]) -> list[dict[str, Any]]:
    """The choices of a completion's event."""
    found = event.get("choices")
    return [choice for choice in found if isinstance(choice, dict)] if isinstance(found, list) else []


def is_quiet(event: dict[str, Any], before: bool) -> bool:
    """Whether nothing need follow this event soon: the model reads its prompt, or thinks without telling."""
    kind = str(event.get("type", ""))
    if as_object(event.get("item")).get("type") == "reasoning":
        return True
    deltas = (as_object(choice.get("delta")) for choice in choices(event))
    says = any(value for delta in deltas for name, value in delta.items() if name != "role")
    return before and not says and (not kind.endswith("delta") or "reasoning" in kind)


def _streams(event: dict[str, Any]) -> bool:
    """Whether the model writes an edit in its text, or a call of which a part is here."""
    for choice in choices(event):
        delta = as_object(choice.get("delta"))
        if any(mark in str(delta.get("content") or "") for mark in _EDITS):
            return True
        for call in delta.get("tool_calls") or ():
            arguments = as_object(as_object(call).get("function")).get("arguments")
            if isinstance(arguments, str) and arguments and not arguments.rstrip().endswith("}"):
                return True
    return False


_STATUS = {
    "invalid_request_error": 400,
    "rate_limit_exceeded": 429,
    "rate_limit_error": 429,
    "overloaded_error": 529,
    "server_error": 500,
    "api_error": 500,
    "internal_error": 500,
    "no_backend": 503,
    "timeout_error": 504,
    "authentication_error": 401,
    "permission_error": 403,
    "not_found_error": 404,
}
"""Words for a status, where a stream that began well ends with an error."""


def status_of(*values: object) -> int:
    """The HTTP status that an error names in its body, as a number or a word: the first of them, or 400."""
    for value in values:
        if isinstance(value, str) and value in _STATUS:
            return _STATUS[value]
        number = int(value) if isinstance(value, (int, str)) and str(value).isdecimal() else 0
        if 400 <= number < 600:
            return number
    return 400


def raise_error(endpoint: Endpoint, event: dict[str, Any]) -> None:
    """Raise the error in an event: some servers answer with status 200 and then send one."""
    error = event.get("error")
    if error or event.get("object") == "error" or ("detail" in event and "choices" not in event):
        raise endpoint.problem(status_of(*_named(event)), event)


def _named(body: object) -> list[object]:
    """What may name the status of an error."""
    facts = as_object(as_object(body).get("error") or body)
    return [facts.get(name) for name in ("code", "status", "type")]


def _written(refusal: error_bodies.Refusal) -> dict[str, Any]:
    """The event of an answer that the server kept back, because it could not read a call in it."""
    return {"choices": [{"delta": {"content": refusal.written}, "finish_reason": "stop"}]}
