"""Runs the application under uvicorn.

uvicorn's protocols are extended by what a public address needs: a limit on open connections, a time limit on
request headers and bodies, a small send buffer so that a client that does not read is noticed, and a way for
the application to abort a connection.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import ssl
from collections.abc import Callable
from types import FrameType
from typing import Any, ClassVar, TypeVar, cast

import h11
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.utils import apply_mask

from spark_tui.serve.limits import ServerLimits

_Protocol = TypeVar("_Protocol", bound=asyncio.Protocol)
_SEND_BUFFER_BYTES = 64 << 10
_LOG = logging.getLogger("spark.serve")
_KEEPALIVE = {
    getattr(socket, name): value
    for name, value in (("TCP_KEEPIDLE", 60), ("TCP_KEEPINTVL", 15), ("TCP_KEEPCNT", 4))
    if hasattr(socket, name)
}
"""A client whose machine is gone is noticed within two minutes, where the system takes two hours."""
_MOST_PIECES = 10_000
_COLLECT_AFTER = 10_000
"""New objects that may be part of cycles, before the collector looks at them."""


class _Lasting(WebSocketsSansIOProtocol):
    """A WebSocket whose application writes several messages at once, and can cut it off."""

    limits: ClassVar[ServerLimits]
    on_text: Callable[[str], None] | None = None
    on_writable: Callable[[], None] | None = None
    on_shutdown: Callable[[], bool] | None = None
    """Whether the connection closes at once; else it is closed by whoever says no."""
    is_behind = False
    _held: bytes = b""
    """The beginning of a message whose end has not come."""
    _by_library = False
    """Something else than whole text messages came: the library reads this connection from there on."""
    _waits = _unread = False
    """Why nothing is read: the application is not ready for more, or the client does not read its replies."""
    _stall: asyncio.TimerHandle | None = None

    def data_received(self, data: bytes) -> None:
        """A client that is behind and gets replies to what it sends is not read until it has caught up:
        errors and pongs would pile up. What has no reply, like a cancel, is read."""
        before = self.transport.get_write_buffer_size()
        self._read(data)
        if self.is_behind and self.transport.get_write_buffer_size() > before:
            self._unread = True
            self.transport.pause_reading()

    def _read(self, data: bytes) -> None:
        """Whole text messages are taken here; they are all that spark's own client sends between its turns.
        The library's own way is a tenth of a short turn."""
        if self._by_library:
            super().data_received(data)
        elif self.on_text is None:
            # Until the application listens. What follows the handshake at once may be half a frame.
            self._by_library = self.handshake_initiated or not data.endswith(b"\r\n\r\n")
            super().data_received(data)
        else:
            self._take(self._held + data if self._held else data)

    def _take(self, data: bytes) -> None:
        self._held = b""
        while data:
            frame = _text_frame(data, self.config.ws_max_size)
            if frame is None or self.on_text is None or self.close_sent:
                self._by_library = True
                super().data_received(data)
                return
            text, size = frame
            if size > len(data):
                self._held = data
                return
            data = data[size:]
            self.on_text(text)

    def handle_connect(self, event: Any) -> None:
        super().handle_connect(event)
        scope: Any = getattr(self, "scope", None)
        if scope is not None:
            # The application's task has been made but has not run: it finds this.
            scope["extensions"]["spark.wire"] = {"wire": self}

    def send_receive_event_to_app(self) -> None:
        """A text message goes straight to whoever listens; everything else takes the framework's way."""
        if self.on_text is None or self.close_sent or self.curr_msg_data_type != "text":
            super().send_receive_event_to_app()
            return
        data = self.frames[0] if len(self.frames) == 1 else b"".join(self.frames)
        self.frames = []
        try:
            text = str(data, "utf-8")
        except UnicodeDecodeError:
            self.conn.fail(1007)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.transport.close()
            return
        self.on_text(text)

    def handle_cont(self, event: Any) -> None:
        """The library bounds the bytes of a message, and not its pieces, which may be empty."""
        if len(self.frames) < _MOST_PIECES:
            super().handle_cont(event)
        else:
            self.abort()

    def pause_reading(self) -> None:
        self._waits = True
        self.transport.pause_reading()

    def resume_reading(self) -> None:
        self._waits = False
        self._go_on()

    def _go_on(self) -> None:
        if not (self._waits or self._unread or self.transport.is_closing()):
            self.transport.resume_reading()

    def send_texts(self, texts: list[str]) -> None:
        """One frame each, all in one write: one system call, and one record where there is TLS."""
        if self.disconnected or self.close_sent or self.transport.is_closing():
            return
        parts: list[bytes] = []
        for text in texts:
            parts += _frame(text.encode())
        self.transport.write(b"".join(parts))

    def abort(self) -> None:
        self.transport.abort()

    def shutdown(self) -> None:
        """The server stops: what is being answered may be finished first."""
        if self.on_shutdown is None or self.on_shutdown():
            super().shutdown()

    def pause_writing(self) -> None:
        super().pause_writing()
        self.is_behind = True
        self._look_again(self.transport.get_write_buffer_size())

    def _look_again(self, left: int) -> None:
        # Twice: a turn that waits for the client is told first.
        self._stall = self.loop.call_later(2 * self.limits.stalled_seconds, self._stalled, left)

    def _stalled(self, before: int) -> None:
        """The client took too little for the whole bound: cut it off if it took nothing."""
        left = self.transport.get_write_buffer_size()
        if left < before:
            self._look_again(left)
        else:
            self.abort()

    def _cancel_stall(self) -> None:
        if self._stall is not None:
            self._stall.cancel()
            self._stall = None

    def connection_lost(self, exc: Exception | None) -> None:
        self._cancel_stall()
        super().connection_lost(exc)

    def resume_writing(self) -> None:
        super().resume_writing()
        self._cancel_stall()
        self.is_behind = self._unread = False
        self._go_on()
        if self.on_writable is not None:
            self.on_writable()


class _Server(uvicorn.Server):
    """Says what it waits for, where it does not stop at once."""

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        again = self.should_exit
        if sig in (signal.SIGTERM, signal.SIGHUP):
            # The library would let the signal end the process, once it has stopped, before it is closed.
            self.should_exit = True
        else:
            super().handle_exit(sig, frame)
        context = getattr(getattr(self.config.app, "state", None), "server_context", None)
        if context is not None and not again and (running := len(context.registry.running)):
            most = self.config.timeout_graceful_shutdown
            _LOG.warning("stopping: running turns (%d) may end, for %s s; Ctrl+C stops now", running, most)


def _text_frame(data: bytes, most_bytes: int) -> tuple[str, int] | None:
    """The text of the first frame and its size, past the end of `data` where more of it must come. None: not
    a whole text message of a client within the bound, or none that can be told yet."""
    if len(data) < 6 or data[0] != 0x81 or data[1] < 0x80:
        return None
    length, at = data[1] & 0x7F, 2
    if length == 127:
        return None
    if length == 126:
        length, at = int.from_bytes(data[2:4], "big"), 4
    size = at + 4 + length
    if length > most_bytes:
        return None
    if size > len(data):
        return "", size
    try:
        return str(apply_mask(data[at + 4 : size], data[at : at + 4]), "utf-8"), size
    except UnicodeDecodeError:
        return None


def _frame(data: bytes) -> tuple[bytes, bytes]:
    """One whole text message, as a server sends it. The library's own way is a tenth of a short turn."""
    size = len(data)
    if size < 126:
        return bytes((0x81, size)), data
    if size < 1 << 16:
        return b"\x81\x7e" + size.to_bytes(2, "big"), data
    return b"\x81\x7f" + size.to_bytes(8, "big"), data


class _Lingering:
    """A transport whose `close` may come later."""

    def __init__(self, transport: asyncio.Transport, close: Callable[[], None]) -> None:
        self._transport = transport
        self.close = close

    def __getattr__(self, name: str) -> Any:
        return getattr(self._transport, name)


class _BoundedProtocol(H11Protocol):
    """HTTP on one connection, within the limits of the server: of the class, as uvicorn makes the
    instances."""

    limits: ClassVar[ServerLimits]
    _timer: asyncio.TimerHandle | None = None
    _answered = False
    """The last answer is out; what still comes of its request is thrown away."""
    _drain_timer: asyncio.TimerHandle | None = None
    """There while the rest of a body arrives that was answered before its end."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        if len(self.connections) > self.limits.connections:
            transport.abort()
            return
        raw = transport.get_extra_info("socket")
        if raw is not None:
            raw.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in _KEEPALIVE.items():
                raw.setsockopt(socket.IPPROTO_TCP, option, value)
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _SEND_BUFFER_BYTES)
        self._timer = self.loop.call_later(self.limits.header_seconds, transport.abort)

    def handle_events(self) -> None:
        super().handle_events()
        scope: Any = getattr(self, "scope", None)
        if self.conn.their_state is not h11.IDLE or self.transport.get_protocol() is not self:
            self._stop_timer()
        elif self._timer is None and self.conn.trailing_data[0]:
            # The beginning of another request: uvicorn has stopped to count the idle time.
            self._timer = self.loop.call_later(self.limits.header_seconds, self.transport.abort)
        if scope is not None:
            scope.setdefault("extensions", {})["spark.abort"] = {"call": self.transport.abort}
        if self.cycle is not None and self.cycle.transport is self.transport:
            self.cycle.transport = cast("asyncio.Transport", _Lingering(self.transport, self._close))

        if self._drain_timer is not None and self.conn.their_state is not h11.SEND_BODY:
            self._drain_timer.cancel()
            self._drain_timer = None

    def data_received(self, data: bytes) -> None:
        if not self._answered:
            super().data_received(data)

    def _close(self) -> None:
        """To close before the body is here would reset the connection, and the answer might be lost."""
        if self.conn.their_state is not h11.SEND_BODY:
            self.transport.close()
            return
        self._answered = True
        if self.transport.can_write_eof():
            self.transport.write_eof()

    def on_response_complete(self) -> None:
        """A refusal does not wait for the body. The client may send the rest, so that it comes to read
        the answer, but not for ever."""
        super().on_response_complete()
        if self.conn.their_state is h11.SEND_BODY:
            self._drain_timer = self.loop.call_later(self.limits.body_seconds, self.transport.abort)

    def send_400_response(self, msg: str) -> None:
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        else:
            # An answer is out, or on its way: there is no place for another.
            self.transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_timer()
        if self._drain_timer is not None:
            self._drain_timer.cancel()
        super().connection_lost(exc)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _within(protocol: type[_Protocol], limits: ServerLimits) -> type[_Protocol]:
    """A protocol class with these limits."""
    return type(protocol.__name__, (protocol,), {"limits": limits})


def listen(host: str, port: int) -> socket.socket:
    """A bound socket, so that a busy port is an error before anything is loaded. Port 0 takes a free one."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    sock = socket.socket(family, socket.SOCK_STREAM)
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        sock.bind((host.strip("[]"), port))
        sock.listen(512)
    except OSError:
        sock.close()
        raise
    sock.setblocking(False)
    return sock


def freeze_garbage_collector() -> None:
    """What is loaded now stays for as long as the server runs, so the collector need not look at it again;
    and turns leave no cycles, so it may look at them more rarely. Of a short turn that is a twentieth."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(_COLLECT_AFTER, 20, 50)


def make_server(
    app: ASGIApp, limits: ServerLimits, *, certificate: str = "", private_key: str = ""
) -> uvicorn.Server:
    """A server that is started with `serve(sockets=[…])` and stopped with `should_exit`."""
    config = uvicorn.Config(
        app,
        http=_within(_BoundedProtocol, limits),
        ws=_within(_Lasting, limits),
        ws_max_size=limits.message_bytes,
        ws_per_message_deflate=False,
        # Idle clients do not read between turns, so they are not asked; TCP notices the dead ones.
        ws_ping_interval=None,
        timeout_keep_alive=75,
        timeout_graceful_shutdown=limits.drain_seconds,
        log_config=None,
        log_level="critical",
        access_log=False,
        # Nobody may say by a header where it comes from.
        proxy_headers=False,
        server_header=False,
        ssl_certfile=certificate or None,
        ssl_keyfile=private_key or None,
        h11_max_incomplete_event_size=64 << 10,
    )
    config.load()
    if config.ssl is not None:
        config.ssl.minimum_version = ssl.TLSVersion.TLSv1_2
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    return _Server(config)
