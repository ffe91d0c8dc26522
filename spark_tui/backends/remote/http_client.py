"""HTTP by `httpx`: one kept connection, one streamed request at a time, and server-sent events.

A blocking read cannot be cancelled, so a thread beside each request shuts its socket down when the stop flag
is set. Redirects are not followed: a key must not go where it was not sent.
"""

from __future__ import annotations

import codecs
import itertools
import json
import math
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from threading import Event as StopFlag
from typing import Any

import httpx

from spark_tui.backends.remote import cancellable, other_bodies, transport
from spark_tui.backends.remote.sendable_text import json_of
from spark_tui.backends.remote.transport import (
    Address,
    ConnectionLost,
    Garbled,
    NoHttp,
    Stalled,
    StoppedWaiting,
    Unreadable,
)

_MAX_BODY_BYTES = 64 << 20
_STOP_POLL_SECONDS = 0.02
_FIELDS = (b":", b"data", b"event", b"id", b"retry")
"""The begin of a comment, and the fields of an event."""
_ERROR = b"error: "
"""What a llama.cpp server writes in place of `data:` before an error."""
_MOST_BESIDE = 1000
"""Lines."""
_HEADERS = {
    "User-Agent": "spark",
    "Accept": "application/json, text/event-stream",
    "Accept-Encoding": "identity",
}
_KEY_HEADERS = ("authorization", "x-api-key", "api-key")
_SOCKET_OPTIONS = ((socket.IPPROTO_TCP, socket.TCP_NODELAY, 1), (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1))


class HttpConnection:
    """One connection to a server, opened when it is first needed and kept between requests."""

    def __init__(
        self,
        address: Address,
        context: ssl.SSLContext,
        *,
        headers: Mapping[str, str],
        connect_seconds: float,
        head_seconds: float,
        silence_seconds: float,
    ) -> None:
        self._address = address
        self._head_seconds = head_seconds
        self._secret = any(name.lower() in _KEY_HEADERS for name in headers)
        self._socket: socket.socket | None = None
        self._shaking = False
        """Whether the last step begun was a TLS handshake."""
        self._client = httpx.Client(
            transport=httpx.HTTPTransport(
                verify=context,
                limits=httpx.Limits(max_connections=1, max_keepalive_connections=1, keepalive_expiry=None),
                trust_env=False,
                socket_options=_SOCKET_OPTIONS,
            ),
            headers={**_HEADERS, **headers},
            timeout=httpx.Timeout(silence_seconds, connect=connect_seconds, pool=connect_seconds),
            trust_env=False,
            follow_redirects=False,
        )

    def request(
        self,
        method: str,
        path: str,
        body: Any,
        stop: StopFlag | None,
        release: Callable[[HttpConnection], None],
        silence_seconds: float = 0.0,
    ) -> HttpResponse:
        """Send one request and read the head of its answer. `release` is called when the answer is closed.
        With `silence_seconds` it waits no longer than that."""
        url = self._address.url + path + (f"?{self._address.query}" if self._address.query else "")
        content = None if body is None else json_of(body).encode()
        headers = {} if body is None else {"Content-Type": "application/json"}
        waits = httpx.Timeout(silence_seconds) if silence_seconds else httpx.USE_CLIENT_DEFAULT
        watch = _StopWatch(stop, self._shut_down)
        head_seconds = silence_seconds or self._head_seconds

        def trace(name: str, info: Mapping[str, Any]) -> None:
            self._trace(name, info)
            if name.endswith("receive_response_headers.started"):
                # All of it, however often a line of it comes.
                watch.limit(head_seconds)

        request = self._client.build_request(
            method, url, content=content, headers=headers, timeout=waits, extensions={"trace": trace}
        )

        def send() -> HttpResponse:
            try:
                response = self._client.send(request, stream=True)
            except BaseException as error:
                watch.end()
                self.close()
                watch.check()
                if isinstance(error, httpx.HTTPError):
                    raise self._failure(error) from error
                raise
            return HttpResponse(response, watch, lambda: release(self))

        return cancellable.call(send, stop, HttpResponse.close)

    def close(self) -> None:
        self._client.close()

    def _trace(self, name: str, info: Mapping[str, Any]) -> None:
        """Called by httpx at each step: keeps the socket, and checks where a key is about to go."""
        if name.startswith("connection."):
            self._shaking = name == "connection.start_tls.started" or name == "connection.start_tls.failed"
        if name in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info["return_value"]
            self._socket = stream.get_extra_info("socket")
            if self._secret and not self._address.tls and self._socket is not None:
                try:
                    transport.refuse_public_network(self._socket, self._address)
                except BaseException:
                    stream.close()
                    raise

    def _failure(self, error: httpx.HTTPError) -> Exception:
        """What went wrong before an answer, in our words."""
        system = _system_error(error)
        if isinstance(error, (httpx.ConnectError, httpx.ConnectTimeout)):
            connect = error.request.extensions["timeout"]["connect"]
            cause = (
                TimeoutError() if isinstance(error, httpx.ConnectTimeout) else system or OSError(str(error))
            )
            return transport.connect_failure(cause, self._address, connect, shaking=self._shaking)
        if isinstance(system, ssl.SSLError):
            return transport.lost(system)
        if isinstance(error, httpx.WriteTimeout):
            return ConnectionLost("the server stopped reading")
        if isinstance(error, httpx.RemoteProtocolError):
            closed = _has_closed(error)
            return NoHttp(
                "the connection closed before an answer" if closed else "this is not an HTTP server"
            )
        if isinstance(error, httpx.ReadError):
            return NoHttp(_detail(error))
        return _common_failure(error)

    def _shut_down(self) -> None:
        if self._socket is not None:
            try:
                # Not the method of an SSL socket, which drops the state that the reading thread uses.
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                return


class HttpResponse:
    """An answer whose body is still to be read. Close it, read or not."""

    def __init__(self, response: httpx.Response, watch: _StopWatch, release: Callable[[], None]) -> None:
        self.status = response.status_code
        self.headers: Mapping[str, str] = response.headers
        self._response = response
        self._rest = self._read()
        self._begun = b""
        self._beside: list[bytes] = []
        self._watch = watch
        self._release = release

    def __enter__(self) -> HttpResponse:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def expect_within(self, seconds: float) -> None:
        """Give up where nothing that counts arrives so soon: comments that keep a stream open do not."""
        self._watch.limit(seconds)

    def is_whole(self) -> bool:
        """Whether the body is one value and no events, whatever its type says. Waits for its beginning."""
        begun = b""
        while codecs.BOM_UTF8.startswith(begun) and (piece := next(self._rest, b"")):
            self._begun += piece
            begun = self._begun.removeprefix(codecs.BOM_UTF8).lstrip()
        return not any(begun.startswith(name[: len(begun)]) for name in (*_FIELDS, _ERROR + b"{"))

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        return itertools.chain([self._begun] if self._begun else [], self._rest)

    def _read(self) -> Iterator[bytes]:
        try:
            yield from self._response.iter_bytes()
        except httpx.HTTPError as error:
            self._watch.check()
            raise _failure_mid_answer(error) from error
        # A body without a length looks complete when its connection is shut down.
        self._watch.check()

    def json(self) -> Any:
        """The body as `decoded` gives it."""
        body = bytearray()
        for piece in self.pieces():
            body += piece
            if len(body) > _MAX_BODY_BYTES:
                raise Unreadable("the answer has no end")
        return decoded(bytes(body))

    def events(self) -> Iterator[str]:
        """The data of server-sent events."""
        return sse_data(self.pieces(), self._beside)

    def beside_events(self) -> Any:
        """What stood between the events and is none, decoded: some servers end a stream with a bare error."""
        lines = [line.removeprefix(_ERROR) for line in self._beside]
        return decoded(b"\n".join(lines)) if lines else None

    def close(self) -> None:
        """Return the connection. One whose answer was not read to its end is not used again."""
        self._watch.end()
        self._response.close()
        self._release()


def decoded(body: bytes) -> Any:
    """The JSON value in `body`; a page or a text as `OtherBody`, and None for nothing."""
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        return other_bodies.read(body)


def _may_be_field(line: bytes) -> bool:
    """Whether it is a field of an event, or was cut off in the name of one."""
    return line.startswith(_FIELDS) or any(name.startswith(line) for name in _FIELDS)


def sse_data(pieces: Iterator[bytes], beside: list[bytes] | None = None) -> Iterator[str]:
    """The `data` of each server-sent event, however the bytes were cut. Size is bounded. A line ends with a
    line feed, a carriage return, or both; a byte-order mark may stand before the first. Lines that are of no
    event go `beside`."""
    held, data, size = bytearray(), list[bytes](), 0
    ended_by_return = False
    for piece in pieces:
        if ended_by_return:
            piece = piece.removeprefix(b"\n")
        ended_by_return = piece.endswith(b"\r")
        held += piece
        if len(held) + size > _MAX_BODY_BYTES:
            raise Unreadable("the server sent an event without an end")
        if b"\n" not in piece and b"\r" not in piece:
            continue
        *lines, rest = bytes(held).replace(b"\r\n", b"\n").replace(b"\r", b"\n").split(b"\n")
        held = bytearray(rest)
        for line in lines:
            line = line.removeprefix(codecs.BOM_UTF8)
            if line.startswith(b"data:"):
                data.append(line[5:].removeprefix(b" "))
                size += len(line)
            elif not line and data:
                yield b"\n".join(data).decode("utf-8", "replace")
                data, size = [], 0
            elif line and beside is not None and len(beside) < _MOST_BESIDE and not line.startswith(_FIELDS):
                beside.append(line)
    if held and beside is not None and not _may_be_field(bytes(held)):
        beside.append(bytes(held))
        held.clear()
    if data and not held:
        # Not every server ends its last event with an empty line.
        yield b"\n".join(data).decode("utf-8", "replace")


class _StopWatch:
    """Calls `shut_down` when the flag is set, or a limit passes, until the request has ended."""

    def __init__(self, stop: StopFlag | None, shut_down: Callable[[], None]) -> None:
        self.stopped = False
        self._passed = False
        self._shut_down = shut_down
        self._ended = False
        self._limit = 0.0
        self._deadline = math.inf
        self._lock = threading.Lock()
        if stop is not None:
            threading.Thread(target=self._watch, args=(stop,), daemon=True, name="spark-stop").start()

    def end(self) -> None:
        with self._lock:
            self._ended = True

    def limit(self, seconds: float) -> None:
        """From now on the request may take so long."""
        self._limit, self._deadline = seconds, time.monotonic() + seconds

    def check(self) -> None:
        """Raise what ended the request before it was done."""
        if self.stopped:
            raise StoppedWaiting from None
        if self._passed:
            raise Stalled(f"no data for {self._limit:.3g} s") from None

    def _watch(self, stop: StopFlag) -> None:
        while not stop.wait(_STOP_POLL_SECONDS):
            if self._ended:
                return
            if time.monotonic() > self._deadline:
                break
        self._passed = not stop.is_set()
        self.stopped = not self._passed
        while not self._ended:
            with self._lock:
                if not self._ended:
                    # Again and again: a connection may be made only now.
                    self._shut_down()
            time.sleep(_STOP_POLL_SECONDS)


def _failure_mid_answer(error: httpx.HTTPError) -> Exception:
    if isinstance(error, httpx.RemoteProtocolError):
        closed = _has_closed(error)
        return (
            Garbled("the connection closed mid-answer")
            if closed
            else Unreadable("the answer is not valid HTTP")
        )
    if isinstance(error, httpx.DecodingError):
        return Unreadable("the answer cannot be decompressed")
    return _common_failure(error)


def _common_failure(error: httpx.HTTPError) -> Exception:
    if isinstance(error, httpx.ReadTimeout):
        limit = error.request.extensions["timeout"]["read"]
        return Stalled(f"the server sent nothing for {limit:.3g} s")
    system = _system_error(error)
    return ConnectionLost(str(error)) if system is None else transport.lost(system)


def _has_closed(error: httpx.RemoteProtocolError) -> bool:
    return "without sending" in str(error) or "peer closed" in str(error)


def _detail(error: httpx.HTTPError) -> str:
    system = _system_error(error)
    return (system.strerror if system is not None else None) or str(error)


def _system_error(error: BaseException) -> OSError | None:
    """The error of the system, or of TLS, behind one of httpx."""
    found: BaseException | None = error
    while found is not None and not isinstance(found, OSError):
        found = found.__cause__ or found.__context__
    return found
