"""The client's side of a WebSocket (RFC 6455): the upgrade, text messages out, text messages in.

Comes in: a link. Goes out: messages. Must not know: what they mean.

Control frames are answered while reading. Nothing is read between turns, so a server should keep idle
connections without asking after them; TCP's own keep-alive notices a dead one.
"""

from __future__ import annotations

import base64
import hashlib
import os
import time
from collections.abc import Mapping
from threading import Event as StopFlag

from spark_tui.backends.remote import http_client
from spark_tui.backends.remote.transport import Address, Connection, ConnectionLost

_MAGIC = b"258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
_TEXT, _BINARY, _CLOSE, _PING, _PONG = 1, 2, 8, 9, 10
_MOST_MESSAGE_BYTES = 64 << 20


def upgrade(
    link: Connection,
    address: Address,
    door: str,
    *,
    headers: Mapping[str, str],
    stop: StopFlag | None,
    silence: float = 30.0,
) -> http_client.HttpResponse:
    """Ask for a WebSocket. Status 101 says that there is one now; any other status is the server's own
    answer."""
    key = base64.b64encode(os.urandom(16))
    asked = {
        "Connection": "Upgrade",
        "Upgrade": "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": key.decode(),
        **headers,
    }
    answer = http_client.send(link, address, "GET", door, headers=asked, stop=stop, silence=silence)
    if answer.status == 101:
        wanted = base64.b64encode(hashlib.sha1(key + _MAGIC, usedforsecurity=False).digest()).decode()
        if answer.headers.get("sec-websocket-accept") != wanted:
            link.close()
            raise ConnectionLost("the server's WebSocket handshake is invalid")
    return answer


class ClientWebSocket:
    """An upgraded link."""

    def __init__(self, link: Connection) -> None:
        self.link = link
        self._parts = bytearray()
        self._in_message = False

    def send(self, text: str) -> None:
        self.link.send(frame(_TEXT, text.encode()))

    def receive(self, stop: StopFlag | None, silence: float) -> bytes:
        """The next message. `ConnectionLost` when the server closes or keeps silent."""
        deadline = time.monotonic() + silence
        while True:
            found = self._take() if self.link.buffer else None
            if found is None:
                if not self.link.fill(stop, deadline):
                    raise ConnectionLost("the server closed the connection")
                continue
            final, opcode, data = found
            if opcode == _PING:
                self.link.send(frame(_PONG, bytes(data)))
            elif opcode == _CLOSE:
                self.link.close()
                raise ConnectionLost("the server closed the connection")
            elif opcode in (_TEXT, _BINARY) and final and not self._in_message:
                return data
            elif opcode in (0, _TEXT, _BINARY):
                self._parts += data
                self._in_message = not final
                if len(self._parts) > _MOST_MESSAGE_BYTES:
                    self.link.close()
                    raise ConnectionLost("a message is too long")
                if final:
                    whole = bytes(self._parts)
                    self._parts.clear()
                    return whole

    def close(self) -> None:
        """Say goodbye where that is possible, and close."""
        if not self.link.closed:
            try:
                self.link.send(frame(_CLOSE, b"\x03\xe8"), timeout=0.1)
            except ConnectionLost:
                return
            self.link.close()

    def _take(self) -> tuple[bool, int, bytes] | None:
        """The first frame of the buffer, or None while it is not all there."""
        buffer = self.link.buffer
        if len(buffer) < 2:
            return None
        first, second = buffer[0], buffer[1]
        length, at = second & 0x7F, 2
        if length >= 126:
            width = 2 if length == 126 else 8
            if len(buffer) < 2 + width:
                return None
            length, at = int.from_bytes(buffer[2 : 2 + width], "big"), 2 + width
        if second & 0x80 or length > _MOST_MESSAGE_BYTES:
            self.link.close()
            raise ConnectionLost("the server sent an invalid frame")
        if len(buffer) < at + length:
            return None
        data = bytes(buffer[at : at + length])
        del buffer[: at + length]
        return bool(first & 0x80), first & 0x0F, data


def frame(opcode: int, data: bytes) -> bytes:
    """One masked frame, as every frame of a client must be."""
    size = len(data)
    if size < 126:
        head = bytes((0x80 | opcode, 0x80 | size))
    elif size < 1 << 16:
        head = bytes((0x80 | opcode, 0x80 | 126)) + size.to_bytes(2, "big")
    else:
        head = bytes((0x80 | opcode, 0x80 | 127)) + size.to_bytes(8, "big")
    mask = os.urandom(4)
    return head + mask + masked(data, mask)


def masked(data: bytes, mask: bytes) -> bytes:
    """Masked or, the second time, unmasked. One exclusive-or of two long numbers is a hundred times as fast
    as one of each byte."""
    size = len(data)
    pattern = int.from_bytes((mask * (size // 4 + 1))[:size], "big")
    return (int.from_bytes(data, "big") ^ pattern).to_bytes(size, "big")
