"""The client's side of a WebSocket. `websockets` does the handshake and the protocol, without its own I/O.

Whole text messages, which is all that model servers send in ordinary operation, are taken from the buffer
here: the library's parser takes four to five times as long for each, and the round-trip bar of
`spark bench pipeline` has no room for it (decision 0018). The first frame of any other kind hands the
connection to the library for good.
"""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Mapping
from threading import Event as StopFlag

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidMessage, InvalidState, InvalidStatus, PayloadTooBig, ProtocolError
from websockets.frames import Frame, Opcode
from websockets.protocol import State
from websockets.uri import WebSocketURI

from spark_tui.backends.remote.transport import (
    Address,
    Connection,
    ConnectionLost,
    Garbled,
    NoHttp,
    Stalled,
    Unreadable,
)

_MAX_HEAD_BYTES = 1 << 16
_MAX_MESSAGE_BYTES = 64 << 20
_WHOLE_TEXT = 0x81
"""First byte of an unfragmented text message."""


class UpgradeRefused(Exception):
    """The server answered the handshake with another status than 101."""

    def __init__(self, status: int, headers: Mapping[str, str], body: bytes) -> None:
        super().__init__(f"the server answered with status {status}")
        self.status = status
        self.headers = headers
        self.body = body


class ClientWebSocket:
    """An open WebSocket: text messages out, messages in. Pings are answered while reading."""

    def __init__(self, connection: Connection, protocol: ClientProtocol) -> None:
        self.connection = connection
        self._protocol = protocol
        self._messages: deque[bytes] = deque()
        self._fragments = bytearray()
        self._library_reads = False

    @classmethod
    def open(
        cls,
        connection: Connection,
        address: Address,
        path: str,
        *,
        headers: Mapping[str, str],
        stop: StopFlag | None,
        timeout: float = 30.0,
    ) -> ClientWebSocket:
        """Upgrade the connection. `UpgradeRefused` holds the answer of a server that does not want to."""
        place = address.path + path
        uri = WebSocketURI(address.tls, address.host, address.port, place, address.query, None, None)
        protocol = ClientProtocol(uri, max_size=_MAX_MESSAGE_BYTES)
        request = protocol.connect()
        request.headers["User-Agent"] = "spark"
        request.headers.update(headers)
        protocol.send_request(request)
        socket = cls(connection, protocol)
        try:
            socket._flush()
            socket._handshake(stop, time.monotonic() + timeout)
        except BaseException:
            connection.close()
            raise
        return socket

    @property
    def closed(self) -> bool:
        return self.connection.closed

    def alive(self) -> bool:
        """Whether the connection is still open, checked without waiting."""
        return self.connection.alive()

    @property
    def drained(self) -> bool:
        """Whether nothing that was received is still unread."""
        return not self.connection.buffer and not self._messages

    def send(self, text: str) -> None:
        try:
            self._protocol.send_text(text.encode())
        except InvalidState as error:
            raise ConnectionLost("the server closed the connection") from error
        self._flush()

    def receive(self, stop: StopFlag | None, timeout: float) -> bytes:
        """The next message. `ConnectionLost` when the server closes or sends none in time."""
        deadline = time.monotonic() + timeout
        while True:
            if self._messages:
                return self._messages.popleft()
            if self.connection.buffer:
                data = None if self._library_reads else self._whole_text()
                if data is not None:
                    return data
                if self._library_reads:
                    self._feed_library()
                    continue
            try:
                open_still = not self.closed and self.connection.fill(stop, deadline)
            except Stalled as error:
                raise Stalled(f"no data for {timeout:.3g} s") from error
            if not open_still:
                raise ConnectionLost("the server closed the connection")

    def close(self) -> None:
        """Send a close frame where that is possible at once, and close."""
        if not self.closed:
            with contextlib.suppress(ConnectionLost, InvalidState):
                self._protocol.send_close(1000)
                self._flush(timeout=0.1)
            self.connection.close()

    def _handshake(self, stop: StopFlag | None, deadline: float) -> None:
        protocol, buffer = self._protocol, self.connection.buffer
        while (end := buffer.find(b"\r\n\r\n")) < 0:
            if len(buffer) > _MAX_HEAD_BYTES:
                raise NoHttp("this is not an HTTP server")
            if not self.connection.fill(stop, deadline):
                raise NoHttp("the connection closed before an answer")
        # What follows the head of a granted upgrade is frames, and stays in the buffer.
        protocol.receive_data(bytes(buffer[: end + 4]))
        del buffer[: end + 4]
        while protocol.state is State.CONNECTING and protocol.handshake_exc is None:
            if buffer:
                # It may be all of a refusal, and its server may keep the connection open.
                protocol.receive_data(bytes(buffer))
                buffer.clear()
            elif not self.connection.fill(stop, deadline):
                protocol.receive_eof()
        error = protocol.handshake_exc
        if isinstance(error, InvalidStatus):
            response = error.response
            names = {name.lower(): value for name, value in response.headers.raw_items()}
            raise UpgradeRefused(response.status_code, names, bytes(response.body))
        if isinstance(error, InvalidMessage):
            raise NoHttp("this is not an HTTP server") from error
        if error is not None:
            raise ConnectionLost("the server's WebSocket handshake is invalid") from error
        protocol.events_received()

    def _whole_text(self) -> bytes | None:
        """The first message of the buffer; None while it is not all there, or when it is of another kind."""
        buffer = self.connection.buffer
        if buffer[0] != _WHOLE_TEXT:
            self._library_reads = True
            return None
        if len(buffer) < 2:
            return None
        length, at = buffer[1], 2
        if length > 127:
            self._library_reads = True  # A masked frame, which no server may send.
            return None
        if length >= 126:
            width = 2 if length == 126 else 8
            if len(buffer) < 2 + width:
                return None
            length, at = int.from_bytes(buffer[2 : 2 + width], "big"), 2 + width
            if length > _MAX_MESSAGE_BYTES:
                self._library_reads = True
                return None
        if len(buffer) < at + length:
            return None
        data = bytes(buffer[at : at + length])
        del buffer[: at + length]
        return data

    def _feed_library(self) -> None:
        """Let the library read what is in the buffer, answer pings and closes, and join fragments."""
        protocol, buffer = self._protocol, self.connection.buffer
        protocol.receive_data(bytes(buffer))
        buffer.clear()
        for frame in protocol.events_received():
            if isinstance(frame, Frame) and frame.opcode in (Opcode.TEXT, Opcode.BINARY, Opcode.CONT):
                self._fragments += frame.data
                if frame.fin:
                    self._messages.append(bytes(self._fragments))
                    self._fragments.clear()
        with contextlib.suppress(ConnectionLost):
            self._flush(timeout=0.1)
        if protocol.state is not State.OPEN:
            self.connection.close()
            if not self._messages:
                wrong = isinstance(protocol.parser_exc, (ProtocolError, PayloadTooBig))
                how = "the server sent an invalid frame" if wrong else "the server closed the connection"
                if (said := protocol.close_rcvd) is not None:
                    how += f": {said.reason or said}"
                raise (Unreadable if wrong else Garbled)(how) from protocol.parser_exc

    def _flush(self, timeout: float = 30.0) -> None:
        data = b"".join(self._protocol.data_to_send())
        if data:
            self.connection.send(data, timeout=timeout)
