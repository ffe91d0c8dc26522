"""Turns over the lasting connection to spark's own server.

Comes in: requests. Goes out: the engine's own events: token ids, what was drafted, how far the prompt was
read. Must not know: sessions, doors.

What the server has is not sent again: a file's text crosses a connection once, a follow-up is its instruction
alone. A connection that breaks in the middle of an answer is opened again, and the answer goes on behind the
last event that was seen; no token is asked for twice.
"""

from __future__ import annotations

import json
import random
import threading
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass, field, replace
from json.encoder import encode_basestring_ascii as quote
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends import request_codec
from spark_tui.backends.base import Request
from spark_tui.backends.remote import websocket_client
from spark_tui.backends.remote.endpoint import Endpoint
from spark_tui.backends.remote.transport import ConnectionLost, StoppedWaiting
from spark_tui.events import Doubt, Event, PrefillProgress, Token, Waited

DOOR = "/responses"
_RECONNECTS = 3
_FRESH_SECONDS = 2.0
_RESEND = ("unknown_text", "response_not_found", "response_in_progress")
_UNKNOWN: dict[str, dict[str, Any]] = {
    "known": {"known": ()},
    "wanted": {"wanted": ()},
    "programs": {"programs": True},
}
"""Members that a server of an earlier time does not know, and what it is told in their place: that nothing is
known, so that its model makes the edit, window by window; that it may do as it does for everybody."""
_ENDS = ("response.completed", "response.incomplete", "response.failed")
_CANCEL = "cancel"
_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":")).encode


@dataclass(slots=True)
class _Last:
    """The newest response: what a next request may be told as following."""

    response_id: str
    request: Request
    text: str
    ids: tuple[int, ...]


@dataclass(slots=True)
class _Talk:
    """One connection. `known` are texts that the server has through it."""

    socket: websocket_client.ClientWebSocket
    known: dict[str, str] = field(default_factory=dict)
    left: set[str] = field(default_factory=set)
    """Responses that were cancelled here and have not ended: what still comes of them is nobody's."""
    used: float = 0.0


@dataclass(slots=True)
class _Heard:
    """What has come of one response."""

    response_id: str = ""
    sequence: int = -1
    text: list[str] = field(default_factory=list)
    ids: list[int] = field(default_factory=list)
    asked: float = field(default_factory=time.perf_counter)
    first_seconds: float = 0.0
    """From asking to the first token."""

    def waited(self, queue: float, first: float) -> Waited:
        """The server's own clock says how long it queued and when its first token was out; the rest was the
        wire."""
        network = self.first_seconds - first if self.first_seconds else 0.0
        return Waited(queue=float(queue), network=max(0.0, network))


class SparkClient:
    """Speaks to one model of one spark server. Each concurrent turn has a connection; idle ones are kept."""

    def __init__(self, dial: Endpoint, model: str) -> None:
        self._dial = dial
        self._head = f'{{"type":"response.create","model":{quote(model)},'
        self._idle: list[_Talk] = []
        self._last: _Last | None = None
        self._lock = threading.Lock()

    def stream(self, request: Request, stop: StopFlag) -> Generator[Event, None, None]:
        heard = _Heard()
        talk = self._take(stop)
        try:
            self._ask(talk, request, with_base=True)
            while True:
                try:
                    yield from self._hear(talk, request, heard, stop)
                    break
                except ConnectionLost:
                    if not heard.response_id:
                        raise
                    talk = self._again(heard, stop)
        except (StoppedWaiting, GeneratorExit):
            self._cancel(talk, heard)
            raise
        finally:
            if heard.response_id:
                self._last = _Last(heard.response_id, request, "".join(heard.text), tuple(heard.ids))
            self._give(talk)

    def warm_up(self) -> None:
        """Open a connection before it is needed, so that the first turn finds one."""
        self._give(self._take(None))

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for talk in idle:
            talk.socket.close()

    def _take(self, stop: StopFlag | None) -> _Talk:
        while True:
            with self._lock:
                talk = self._idle.pop() if self._idle else None
            if talk is None:
                return self._connect(stop)
            # One that was in use a moment ago is not asked; if it broke since, the turn is tried again.
            if time.monotonic() - talk.used < _FRESH_SECONDS or talk.socket.link.alive():
                return talk

    def _give(self, talk: _Talk) -> None:
        talk.used = time.monotonic()
        with self._lock:
            if not talk.socket.link.closed and len(self._idle) < 4:
                self._idle.append(talk)
                return
        talk.socket.close()

    def _connect(self, stop: StopFlag | None) -> _Talk:
        link = self._dial.open()
        try:
            answer = websocket_client.upgrade(
                link,
                self._dial.address,
                DOOR,
                headers=self._dial.headers(),
                stop=stop,
                silence=self._dial.connect_seconds,
            )
            if answer.status != 101:
                raise self._dial.refusal(answer)
        except BaseException:
            link.close()
            raise
        return _Talk(websocket_client.ClientWebSocket(link))

    def _ask(self, talk: _Talk, request: Request, *, with_base: bool) -> None:
        last, body, head = self._last, None, self._head
        if with_base and last is not None:
            body = request_codec.write_after(request, last.request, last.text, last.ids, talk.known)
            if body is not None:
                head += f'"previous_response_id":{quote(last.response_id)},'
        if body is None:
            body = request_codec.write(request, talk.known)
        members = ",".join([f'"{name}":{_json(value)}' for name, value in body.items()])
        talk.socket.send(f'{head}"spark":{{{members}}}}}')

    def _hear(self, talk: _Talk, request: Request, heard: _Heard, stop: StopFlag) -> Iterator[Event]:
        resent = False
        while True:
            if stop.is_set():
                raise StoppedWaiting
            try:
                event, _ = _decode(talk.socket.receive(stop, self._dial.silence_seconds).decode())
                kind = event["type"]
                if kind == "error":
                    facts = event["error"]
                    if event.get("event_id") == _CANCEL:
                        # It had ended before it was told.
                        continue
                    if facts.get("code") in _RESEND and not heard.response_id and not resent:
                        resent = True
                        talk.known.clear()
                        self._ask(talk, request, with_base=False)
                        continue
                    plainer = None if heard.response_id else _without(request, str(facts.get("message", "")))
                    if plainer is not None:
                        request = plainer
                        self._ask(talk, request, with_base=False)
                        continue
                    raise self._dial.problem(int(event.get("status") or 500), facts)
                name = event.get("response_id") or event["response"]["id"]
                if name in talk.left:
                    if kind in _ENDS:
                        talk.left.remove(name)
                    continue
                if not heard.response_id:
                    heard.response_id = name
                    if kind not in _ENDS and request.kind in ("edit", "raw"):
                        # A turn that is stopped knows no more of the wire than this: the way there and back.
                        yield Waited(network=time.perf_counter() - heard.asked)
                if name != heard.response_id:
                    continue
                if kind == "spark.prefill":
                    yield _progress(event)
                elif kind == "spark.doubt":
                    yield _doubt(event)
                yield from _written(event, heard)
                if kind == "response.failed":
                    facts = event["response"].get("error") or {}
                    raise self._dial.problem(400 if facts.get("code") != "internal_error" else 500, facts)
                if kind in _ENDS:
                    if request.kind in ("edit", "raw"):
                        yield heard.waited(*event["response"]["waited"])
                    return
            except (ValueError, KeyError, TypeError, AttributeError) as error:
                talk.socket.close()
                raise ConnectionLost("the server does not speak spark's protocol") from error

    def _again(self, heard: _Heard, stop: StopFlag) -> _Talk:
        """A new connection on which the response goes on."""
        for attempt in range(_RECONNECTS):
            if stop.wait(random.uniform(0.0, 0.1 * 4**attempt)):
                raise StoppedWaiting
            try:
                talk = self._connect(stop)
            except ConnectionLost:
                continue
            resume = {
                "type": "response.resume",
                "response_id": heard.response_id,
                "starting_after": heard.sequence,
            }
            talk.socket.send(json.dumps(resume))
            return talk
        raise ConnectionLost("the connection was lost and could not be reopened")

    def _cancel(self, talk: _Talk, heard: _Heard) -> None:
        """Say stop and do not wait for the answer: what still arrives is passed over by the next turn."""
        if talk.socket.link.closed:
            return
        if not heard.response_id:
            # Its id is not known yet: leaving is what stops it.
            talk.socket.close()
            return
        try:
            event = {"type": "response.cancel", "response_id": heard.response_id, "event_id": _CANCEL}
            talk.socket.send(_encode(event))
            talk.left.add(heard.response_id)
        except ConnectionLost:
            talk.socket.close()


def _json(value: Any) -> str:
    """Mostly a text, a number or a flag. A whole encoder is made for each value that it is asked about."""
    kind = type(value)
    if kind is str:
        return quote(value)
    return str(value) if kind is int else "true" if value is True else _encode(value)


def _written(event: dict[str, Any], heard: _Heard) -> list[Event]:
    """What was read and written since the message before."""
    heard.sequence = event["sequence_number"]
    out: list[Event] = []
    if "prefill" in event:
        out.append(PrefillProgress(*event["prefill"]))
    if "tokens" not in event:
        return out
    text, at = event["delta"], 0
    heard.first_seconds = heard.first_seconds or time.perf_counter() - heard.asked
    for number, length, drafted, *sure in event["tokens"]:
        piece = text[at : at + length]
        at += length
        heard.ids.append(number)
        heard.text.append(piece)
        out.append(Token(number, piece, bool(drafted), float(sure[0]) if sure else 0.0))
    return out


def _progress(event: dict[str, Any]) -> PrefillProgress:
    return PrefillProgress(event["done"], event["total"], event["reused"])


def _without(request: Request, message: str) -> Request | None:
    """The request without the member that a server says it does not know; None where that is not what it
    says."""
    for name, instead in _UNKNOWN.items():
        plainer = replace(request, **instead)
        if f"unknown member '{name}'" in message and plainer != request:
            return plainer
    return None


def _doubt(event: dict[str, Any]) -> Doubt:
    return Doubt(event["hunk_id"], event["confidence"], event["reason"])
