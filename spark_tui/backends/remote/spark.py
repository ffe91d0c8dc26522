"""Turns over a persistent WebSocket to spark's own server, with the engine's own events.

What the server has is not sent again: a file's text crosses a connection once, and a follow-up is its
instruction alone. A connection that breaks mid-answer is reopened, and the answer continues after the last
event that was received, in another process of the server too; no token is requested twice.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from json.encoder import encode_basestring_ascii as quote
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends import request_codec
from spark_tui.backends.base import Request
from spark_tui.backends.remote import event_stream
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.transport import ConnectionLost, Stalled, StoppedWaiting, Unreadable
from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused
from spark_tui.errors import NoBackend
from spark_tui.events import AnswerEnded, Doubt, Event, PrefillProgress, Token, Waited

PATH = "/responses"
_RECONNECTS = 3
_FRESH_SECONDS = 2.0
_RESEND = ("unknown_text", "response_not_found", "response_in_progress")
_ENDS = ("response.completed", "response.incomplete", "response.failed")
_CANCEL = "cancel"
_CUT_OFF = "max_output_tokens"
_BEHIND = "It asks another server, or its model fails. Its log says more; or use another one: --connect URL"
_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":")).encode


class _UnknownResponse(Exception):
    """The server does not know the response that was to continue: it is another process, or was restarted."""


class _OtherProtocol(Unreadable):
    """An event that cannot be read: it would come again on another connection."""


@dataclass(slots=True)
class _LastResponse:
    """The newest response, which the next request may name as its predecessor."""

    response_id: str
    request: Request
    text: str
    ids: tuple[int, ...]


@dataclass(slots=True)
class _SparkConnection:
    """One connection. `known` holds the texts that the server has received through it, by digest."""

    websocket: ClientWebSocket
    known: dict[str, str] = field(default_factory=dict)
    cancelled: set[str] = field(default_factory=set)
    """Responses that were cancelled here and have not ended; their remaining events are dropped."""
    used_at: float = 0.0


@dataclass(slots=True)
class _Received:
    """What has arrived of one response."""

    response_id: str = ""
    sequence: int = -1
    text: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    asked: float = field(default_factory=time.perf_counter)
    first_seconds: float = 0.0
    """From the request to the first token."""
    goes_on: bool = False
    """It goes on with the answer of a server that is gone."""
    measured: bool = False
    """The answer had begun before: what this response waits for is no time before it."""
    reconnects: int = 0
    """Since the last event."""
    restarts: int = 0
    """Servers that were gone one after the other, and none of them had written anything."""

    def waited(self, queue: float, first: float) -> Waited:
        """The server says how long it queued and when its first token was out; the rest was the network."""
        network = self.first_seconds - first if self.first_seconds else 0.0
        return Waited(queue=float(queue), network=max(0.0, network))

    def as_last(self, request: Request) -> _LastResponse:
        return _LastResponse(self.response_id, request, "".join(self.text), tuple(self.ids))


class SparkClient:
    """Speaks to one model of one spark server. Each concurrent turn has a connection; idle ones are kept."""

    def __init__(self, endpoint: Endpoint, model: str) -> None:
        self._endpoint = endpoint
        self._head = f'{{"type":"response.create","model":{quote(model)},'
        self._idle: list[_SparkConnection] = []
        self._last: _LastResponse | None = None
        self._lock = threading.Lock()

    def stream(self, request: Request, stop: StopFlag) -> Generator[Event, None, None]:
        received = _Received()
        connection = self._take(stop)
        try:
            self._ask(connection, request, with_base=True)
            while True:
                try:
                    yield from self._events(connection, request, received, stop)
                    break
                except (Stalled, _OtherProtocol):
                    raise
                except _UnknownResponse:
                    request, received = _rest(request, received)
                    connection.websocket.close()
                    connection = self._reopened(request, received, stop)
                except ConnectionLost:
                    if not (received.response_id or received.goes_on):
                        raise
                    connection = self._reopened(request, received, stop)
        except (StoppedWaiting, GeneratorExit):
            self._cancel(connection, received)
            raise
        finally:
            if received.response_id:
                self._last = received.as_last(request)
            self._give(connection)

    def warm_up(self) -> None:
        """Open a connection in advance, so that the first turn need not wait for it."""
        self._give(self._take(None))

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.websocket.close()

    def _take(self, stop: StopFlag | None) -> _SparkConnection:
        while True:
            with self._lock:
                connection = self._idle.pop() if self._idle else None
            if connection is None:
                return self._connect(stop)
            # One that was in use a moment ago is not checked; if it broke since, the turn is retried.
            if time.monotonic() - connection.used_at < _FRESH_SECONDS or connection.websocket.alive():
                return connection

    def _give(self, connection: _SparkConnection) -> None:
        connection.used_at = time.monotonic()
        with self._lock:
            if not connection.websocket.closed and len(self._idle) < 4:
                self._idle.append(connection)
                return
        connection.websocket.close()

    def _connect(self, stop: StopFlag | None) -> _SparkConnection:
        try:
            return _SparkConnection(self._endpoint.upgrade(self._endpoint.connect(stop), PATH, stop))
        except UpgradeRefused as refused:
            refusal = self._endpoint.read_refusal(refused)
            raise self._endpoint.problem_of(refused.status, refusal) from refused

    def _ask(self, connection: _SparkConnection, request: Request, *, with_base: bool) -> None:
        last, body, head = self._last, None, self._head
        if with_base and last is not None:
            body = request_codec.write_after(request, last.request, last.text, last.ids, connection.known)
            if body is not None:
                head += f'"previous_response_id":{quote(last.response_id)},'
        if body is None:
            body = request_codec.write(request, connection.known)
        members = ",".join([f'"{name}":{_json(value)}' for name, value in body.items()])
        connection.websocket.send(f'{head}"spark":{{{members}}}}}')

    def _events(
        self, connection: _SparkConnection, request: Request, received: _Received, stop: StopFlag
    ) -> Iterator[Event]:
        resent = False
        timed = request.kind in ("edit", "raw") and not received.measured
        while True:
            if stop.is_set():
                raise StoppedWaiting
            try:
                # It may queue and read for long; once it writes it does not pause.
                limit = self._endpoint.stall_seconds if received.ids else self._endpoint.first_token_seconds
                event, _ = _decode(connection.websocket.receive(stop, limit).decode())
                kind = event["type"]
                if kind == "error":
                    facts = event["error"]
                    if event.get("event_id") == _CANCEL:
                        # It had ended before the cancel arrived.
                        continue
                    if facts.get("code") in _RESEND and not received.response_id and not resent:
                        resent = True
                        connection.known.clear()
                        self._ask(connection, request, with_base=False)
                        continue
                    if facts.get("code") == "response_not_found" and received.response_id:
                        raise _UnknownResponse
                    raise self._endpoint.problem(int(event.get("status") or 500), facts)
                name = event.get("response_id") or event["response"]["id"]
                if name in connection.cancelled:
                    if kind in _ENDS:
                        connection.cancelled.remove(name)
                    continue
                if not received.response_id:
                    received.response_id = name
                    if kind not in _ENDS and timed:
                        # All that a stopped turn knows of the network: one round trip.
                        yield Waited(network=time.perf_counter() - received.asked)
                if name != received.response_id:
                    continue
                if kind == "spark.prefill":
                    yield PrefillProgress(event["done"], event["total"], event["reused"])
                elif kind == "spark.doubt":
                    yield _doubt(event)
                yield from _read_tokens(event, received)
                if kind == "response.failed":
                    facts = event["response"].get("error") or {}
                    problem = self._endpoint.problem(event_stream.status_of(facts.get("code")), facts)
                    if facts.get("code") == "no_backend" and not received.ids:
                        # The server has asked its own one again and again.
                        raise NoBackend(str(problem), where=self._endpoint.address.netloc, hint=_BEHIND)
                    raise problem
                if kind in _ENDS:
                    why = (event["response"].get("incomplete_details") or {}).get("reason")
                    if why == _CUT_OFF and len(received.ids) < request.max_tokens:
                        # At a limit of the server, which nobody here can count.
                        yield AnswerEnded("length")
                    if timed:
                        yield received.waited(*event["response"]["waited"])
                    return
            except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
                connection.websocket.close()
                raise _OtherProtocol("the server does not speak spark's protocol") from error

    def _reopened(self, request: Request, received: _Received, stop: StopFlag) -> _SparkConnection:
        """A new connection on which the response continues, or is asked for if none of it came."""
        while received.reconnects < _RECONNECTS:
            received.reconnects += 1
            if stop.wait(random.uniform(0.0, 0.025 * 4**received.reconnects)):
                raise StoppedWaiting
            try:
                connection = self._connect(stop)
                if received.response_id:
                    resume = {"response_id": received.response_id, "starting_after": received.sequence}
                    connection.websocket.send(_encode({"type": "response.resume", **resume}))
                else:
                    self._ask(connection, request, with_base=False)
            except ConnectionLost:
                continue
            return connection
        raise ConnectionLost("the connection was lost and could not be reopened")

    def _cancel(self, connection: _SparkConnection, received: _Received) -> None:
        """Tell the server to stop, without waiting; the next turn drops what still arrives."""
        if connection.websocket.closed:
            return
        if not received.response_id:
            # Its id is not known yet: only closing the connection stops it.
            connection.websocket.close()
            return
        try:
            event = {"type": "response.cancel", "response_id": received.response_id, "event_id": _CANCEL}
            connection.websocket.send(_encode(event))
            connection.cancelled.add(received.response_id)
        except ConnectionLost:
            connection.websocket.close()


def _json(value: Any) -> str:
    """JSON of a value. Most are a text, a number or a flag, for which an encoder object costs too much."""
    kind = type(value)
    if kind is str:
        return quote(value)
    return str(value) if kind is int else "true" if value is True else _encode(value)


def _read_tokens(event: dict[str, Any], received: _Received) -> list[Event]:
    """The progress and tokens in one event, which are also added to `received`."""
    received.sequence, received.reconnects = event["sequence_number"], 0
    out: list[Event] = []
    if "prefill" in event:
        out.append(PrefillProgress(*event["prefill"]))
    if "tokens" not in event:
        return out
    text, at = event["delta"], 0
    received.first_seconds = received.first_seconds or time.perf_counter() - received.asked
    for number, length, drafted, *sure in event["tokens"]:
        piece = text[at : at + length]
        at += length
        received.ids.append(number)
        received.text.append(piece)
        out.append(Token(number, piece, bool(drafted), float(sure[0]) if sure else 0.0))
    return out


def _rest(request: Request, received: _Received) -> tuple[Request, _Received]:
    """What is still to be asked for, and a record of it. Where that needs more than the tokens that came, the
    session has to ask."""
    rest = request.after(tuple(received.ids))
    if received.ids and (request.steer or not rest.max_tokens):
        raise ConnectionLost("the server that wrote the answer is gone")
    restarts = 0 if received.ids else received.restarts + 1
    if restarts > _RECONNECTS:
        raise ConnectionLost(f"the server was gone {restarts} times before it wrote anything")
    measured = received.measured or bool(received.ids)
    return rest, _Received(asked=received.asked, goes_on=True, measured=measured, restarts=restarts)


def _doubt(event: dict[str, Any]) -> Doubt:
    place = event.get("path", ""), event.get("line", 0)
    return Doubt(event["hunk_id"], event["confidence"], event["reason"], *place)
