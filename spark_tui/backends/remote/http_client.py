"""HTTP/1.1 of a client, as much as model servers need: one request, an answer that arrives in pieces, events
in it.

Comes in: a link and a request. Goes out: status, headers, and the body as it comes. Must not know: what is
asked. Redirects are not followed: a key must not go where it was not sent.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.remote.transport import Address, Connection, ConnectionLost

_MOST_HEAD_BYTES = 1 << 16
_MOST_BODY_BYTES = 64 << 20


@dataclass(slots=True)
class HttpResponse:
    """A response whose body is still to be read."""

    status: int
    headers: Mapping[str, str]
    link: Connection
    silence: float
    stop: StopFlag | None
    done: bool = field(default=False)

    def pieces(self) -> Iterator[bytes]:
        """The body as it arrives."""
        chunked = "chunked" in self.headers.get("transfer-encoding", "").lower()
        length = self.headers.get("content-length")
        if chunked:
            yield from self._chunks()
        elif length is not None:
            yield from self._counted(int(length) if length.isdigit() else 0)
        else:
            yield from self._until_closed()
        self.done = True
        if self.headers.get("connection", "").lower() == "close":
            self.link.close()

    def body(self) -> bytes:
        parts, size = [], 0
        for piece in self.pieces():
            size += len(piece)
            if size > _MOST_BODY_BYTES:
                raise ConnectionLost("the answer is too long")
            parts.append(piece)
        return b"".join(parts)

    def json(self) -> Any:
        """The decoded body; None where it is not JSON."""
        try:
            return json.loads(self.body())
        except (ValueError, RecursionError):
            return None

    def events(self) -> Iterator[str]:
        """The data of server-sent events."""
        held, data = bytearray(), list[bytes]()
        for piece in self.pieces():
            held += piece
            if len(held) > _MOST_BODY_BYTES:
                raise ConnectionLost("an event is too long")
            if b"\n" not in piece:
                continue
            *lines, rest = bytes(held).split(b"\n")
            held = bytearray(rest)
            for line in lines:
                line = line.rstrip(b"\r")
                if line.startswith(b"data:"):
                    data.append(line[5:].removeprefix(b" "))
                elif not line and data:
                    yield b"\n".join(data).decode("utf-8", "replace")
                    data = []

    def _more(self) -> bool:
        return self.link.fill(self.stop, time.monotonic() + self.silence)

    def _chunks(self) -> Iterator[bytes]:
        buffer = self.link.buffer
        while True:
            line = self._line()
            size_text = line.partition(b";")[0].strip()
            try:
                size = int(size_text, 16)
            except ValueError as error:
                raise ConnectionLost("the answer is not valid HTTP") from error
            if size == 0:
                while self._line():
                    pass
                return
            left = size
            while left:
                if not buffer and not self._more():
                    raise ConnectionLost("the connection closed mid-answer")
                piece = bytes(buffer[:left])
                del buffer[: len(piece)]
                left -= len(piece)
                yield piece
            if self._line():
                raise ConnectionLost("the answer is not valid HTTP")

    def _counted(self, left: int) -> Iterator[bytes]:
        buffer = self.link.buffer
        while left:
            if not buffer and not self._more():
                raise ConnectionLost("the connection closed mid-answer")
            piece = bytes(buffer[:left])
            del buffer[: len(piece)]
            left -= len(piece)
            yield piece

    def _until_closed(self) -> Iterator[bytes]:
        buffer = self.link.buffer
        while buffer or self._more():
            piece = bytes(buffer)
            buffer.clear()
            yield piece

    def _line(self) -> bytes:
        buffer = self.link.buffer
        while (at := buffer.find(b"\n")) < 0:
            if len(buffer) > _MOST_HEAD_BYTES or not self._more():
                raise ConnectionLost("the connection closed mid-answer")
        line = bytes(buffer[:at]).rstrip(b"\r")
        del buffer[: at + 1]
        return line


def send(
    link: Connection,
    address: Address,
    method: str,
    door: str,
    *,
    headers: Mapping[str, str],
    body: Any = None,
    stop: StopFlag | None = None,
    silence: float = 120.0,
) -> HttpResponse:
    """Send one request and read the head of its answer. `silence` bounds the wait for each piece."""
    data = b"" if body is None else json.dumps(body, separators=(",", ":")).encode()
    lines = [f"{method} {address.path}{door} HTTP/1.1", f"Host: {address.netloc}", "User-Agent: spark"]
    lines += [f"{name}: {value}" for name, value in headers.items()]
    if body is not None:
        lines += ["Content-Type: application/json", f"Content-Length: {len(data)}"]
    link.send("\r\n".join([*lines, "", ""]).encode("latin-1") + data)
    return head(link, stop, silence)


def head(link: Connection, stop: StopFlag | None, silence: float) -> HttpResponse:
    """Status and headers of the next answer; provisional answers are passed over."""
    deadline = time.monotonic() + silence
    while True:
        while (end := link.buffer.find(b"\r\n\r\n")) < 0:
            if len(link.buffer) > _MOST_HEAD_BYTES or not link.fill(stop, deadline):
                raise ConnectionLost("the connection closed before an answer")
        lines = bytes(link.buffer[:end]).decode("latin-1").split("\r\n")
        del link.buffer[: end + 4]
        words = lines[0].split(" ", 2)
        if len(words) < 2 or not words[0].startswith("HTTP/1.") or not words[1].isdigit():
            raise ConnectionLost("this is not an HTTP server")
        status = int(words[1])
        if status >= 200 or status == 101:
            break
    headers = {}
    for line in lines[1:]:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    return HttpResponse(status, headers, link, silence, stop)
