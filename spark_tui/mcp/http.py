"""The server over streamable HTTP, for programs on this machine that know its token."""

from __future__ import annotations

import hmac
import logging
import os
import signal
import socket
from collections.abc import Awaitable, Callable, MutableMapping
from types import FrameType
from typing import Any

import uvicorn
from mcp.server.lowlevel.server import Server

from spark_tui.errors import SIGNALLED, NoPlace, Refused

PATH = "/mcp"
LOOPBACK = ("127.0.0.1", "::1", "localhost")
Message = MutableMapping[str, Any]
App = Callable[
    [Message, Callable[[], Awaitable[Message]], Callable[[Message], Awaitable[None]]], Awaitable[None]
]


class TokenRequired:
    """Answers 401 to a request without the token. Tokens are compared in constant time."""

    def __init__(self, app: App, token: str) -> None:
        self._app = app
        self._expected = f"Bearer {token}".encode()

    async def __call__(
        self,
        scope: Message,
        receive: Callable[[], Awaitable[Message]],
        send: Callable[[Message], Awaitable[None]],
    ) -> None:
        if scope["type"] == "http":
            sent = dict(scope["headers"]).get(b"authorization", b"")
            if not hmac.compare_digest(sent, self._expected):
                headers = [(b"www-authenticate", b"Bearer"), (b"content-type", b"text/plain")]
                await send({"type": "http.response.start", "status": 401, "headers": headers})
                await send({"type": "http.response.body", "body": b"send Authorization: Bearer TOKEN\n"})
                return
        await self._app(scope, receive, send)


def make_app(server: Server, token: str) -> App:
    """The server's application. The SDK refuses foreign Host and Origin headers."""
    return TokenRequired(server.streamable_http_app(streamable_http_path=PATH), token)


class _Server(uvicorn.Server):
    """Answers the running requests at a signal, then stops; the second signal stops at once."""

    stopped_by = 0

    def handle_exit(self, sig: int, _frame: FrameType | None) -> None:
        # The library would raise the signal again and so end the process by it.
        self.force_exit = self.should_exit
        self.should_exit, self.stopped_by = True, sig
        # A client's open event stream is cut off, which is no error of this server.
        logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)


def run(app: App, sock: socket.socket) -> int:
    """Serve until a signal comes. Returns the exit code."""
    server = _Server(uvicorn.Config(app, log_level="warning", ws="none"))
    if signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # as under nohup
        signal.signal(signal.SIGHUP, server.handle_exit)
    server.run(sockets=[sock])
    return SIGNALLED + server.stopped_by


def listen(host: str, port: int) -> socket.socket:
    """A listening socket on this machine. Raises Refused for any other address."""
    if host not in LOOPBACK:
        raise Refused(f"{host} is not an address of this machine alone", hint="Leave out --host.")
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except OSError as error:
        what = f"cannot listen: {os.strerror(error.errno or 0)}"
        hint = "Name another port with --port; 0 picks a free one."
        raise NoPlace(what, where=f"{host}:{port}", hint=hint) from error
