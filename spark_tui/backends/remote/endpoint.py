"""One server: its address, key, trust and time limits, its idle connections, and its errors in our words."""

from __future__ import annotations

import ssl
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from threading import Event as StopFlag
from typing import Any
from urllib.parse import urljoin

from spark_tui.backends.remote import api_keys, cancellable, error_bodies, retry_times, scheme_probe
from spark_tui.backends.remote.http_client import HttpConnection, HttpResponse, decoded
from spark_tui.backends.remote.parameter_memory import ParameterMemory
from spark_tui.backends.remote.transport import (
    ENDPOINT,
    Address,
    Connection,
    ConnectionLost,
    NoHttp,
    WrongScheme,
    tls_context,
)
from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused
from spark_tui.errors import MalformedInput, Misfit, NoBackend, NoFileShown, SparkError

_MAX_IDLE = 4
_SHORTEST_KEY = 8
"""A shorter text is looked for in no message: it is a word like any other."""


class ServerBusy(Exception):
    """The server says: later. `after` seconds, 0 where it did not say when; one that is `overloaded` will be
    so for a while."""

    def __init__(self, what: str, after: float = 0.0, hint: str = "", *, overloaded: bool = False) -> None:
        super().__init__(what)
        self.after = after
        self.hint = hint
        self.overloaded = overloaded


@dataclass(slots=True)
class Endpoint:
    """One server. Thread-safe: each request has its own connection."""

    address: Address
    key: str = field(default="", repr=False)
    authority: str = ""
    connect_seconds: float = 10.0
    first_token_seconds: float = 600.0
    """The longest wait for the first event of an answer: a small machine reads a long prompt for minutes."""
    stall_seconds: float = 30.0
    """The longest wait for the next one."""
    key_header: str = "Authorization"
    more_headers: Mapping[str, str] = field(default_factory=dict)
    parameters: ParameterMemory = field(default_factory=ParameterMemory, repr=False)
    _scheme_settled: bool = field(default=False, repr=False)
    """Whether nothing more is to be found out of the scheme: the server has answered, or does not speak the
    other one either."""
    _context: ssl.SSLContext | None = field(default=None, repr=False)
    _idle: list[HttpConnection] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def headers(self) -> dict[str, str]:
        bearer = self.key_header == "Authorization"
        own = {self.key_header: f"Bearer {self.key}" if bearer else self.key} if self.key else {}
        return {**self.more_headers, **own}

    def connect(self, stop: StopFlag | None) -> Connection:
        """A new connection for a WebSocket; the caller closes it."""
        context = self._tls_context() if self.address.tls else None

        def connect() -> Connection:
            return Connection.open(self.address, context, timeout=self.connect_seconds, secret=bool(self.key))

        try:
            connection = cancellable.call(connect, stop, Connection.close)
        except NoHttp as error:
            raise self._explained(error, stop) from error
        return connection

    def request(
        self,
        method: str,
        path: str,
        body: Any = None,
        stop: StopFlag | None = None,
        silence_seconds: float = 0.0,
    ) -> HttpResponse:
        """Send one request over an idle or a new connection. The caller closes the answer."""
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or HttpConnection(
            self.address,
            self._tls_context(),
            headers=self.headers(),
            connect_seconds=self.connect_seconds,
            head_seconds=self.first_token_seconds,
            # Of one read anywhere in the answer: the shorter of both counts where it belongs.
            silence_seconds=max(self.first_token_seconds, self.stall_seconds),
        )
        try:
            answer = connection.request(method, path, body, stop, self._release, silence_seconds)
        except NoHttp as error:
            raise self._explained(error, stop) from error
        self._scheme_settled = True
        return answer

    def get(self, path: str, seconds: float, stop: StopFlag) -> tuple[int, Any]:
        """Status of a small question, which may take so long, and its decoded body, or its `Refusal`."""
        with self.request("GET", path, stop=stop, silence_seconds=seconds) as answer:
            answer.expect_within(seconds)
            return answer.status, answer.json() if answer.status == 200 else self.read_refusal(answer)

    def upgrade(self, connection: Connection, path: str, stop: StopFlag | None) -> ClientWebSocket:
        """A WebSocket over `connection`. `UpgradeRefused` where the server offers none or refuses; then, and
        on any other failure, the connection is closed."""
        return ClientWebSocket.open(
            connection, self.address, path, headers=self.headers(), stop=stop, timeout=self.connect_seconds
        )

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for connection in idle:
            connection.close()

    def _explained(self, error: NoHttp, stop: StopFlag | None) -> NoHttp:
        """The error, or `WrongScheme` where that is why the server has never answered."""
        if self._scheme_settled:
            return error
        other = cancellable.call(lambda: scheme_probe.speaks_other(self.address), stop, lambda _: None)
        self._scheme_settled = not other
        return WrongScheme(self.address) if other else error

    def _release(self, connection: HttpConnection) -> None:
        """Keep the connection for the next request."""
        with self._lock:
            if len(self._idle) < _MAX_IDLE:
                self._idle.append(connection)
                return
        connection.close()

    def _tls_context(self) -> ssl.SSLContext:
        if self._context is None:
            self._context = (
                tls_context(self.authority) if self.address.tls else ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
            )
        return self._context

    def read_refusal(self, answer: HttpResponse | UpgradeRefused) -> error_bodies.Refusal:
        """What an answer says that is not 200."""
        try:
            body = decoded(answer.body) if isinstance(answer, UpgradeRefused) else answer.json()
        except ConnectionLost:
            body = None
        after = retry_times.seconds(answer.headers)
        refusal, moved = error_bodies.read(body), answer.headers.get("location", "")
        return replace(
            refusal,
            retry_after=refusal.retry_after or after,
            moved_to=urljoin(self.address.url, moved).partition("?")[0] if moved else "",
        )

    def problem(self, status: int, body: Any) -> Exception:
        """An error in a decoded body."""
        return self.problem_of(status, error_bodies.read(body))

    def problem_of(self, status: int, refusal: error_bodies.Refusal) -> Exception:
        """The server's words, and what to do about them: `ServerBusy` where it is worth coming back. A key
        that it repeats is left out."""
        where = self.address.netloc
        page = f" and {refusal.page}" if refusal.page else ""
        message = refusal.said or f"the server answered with status {status}{page}"
        if len(self.key) >= _SHORTEST_KEY:
            message = message.replace(self.key, "(key)")
        hint = error_bodies.hint_for(status, refusal)
        if status == 402 or refusal.unpaid:
            return NoBackend(message, where=where, hint="Look at the account, or name another server or key.")
        if status in (408, 425, 429) or (status >= 500 and not (status == 500 and refusal.too_long)):
            overloaded = status in (429, 503, 529)
            return ServerBusy(message, refusal.retry_after, hint, overloaded=overloaded)
        if status in (401, 403):
            hint = api_keys.key_hint(self.address.host, sent=bool(self.key))
            return NoBackend(message, where=where, hint=f"{error_bodies.NO_API} {hint}" if page else hint)
        if 300 <= status < 400:
            moved_to = ENDPOINT.sub("", refusal.moved_to) or "another address"
            return NoBackend(
                f"the server redirects to {moved_to}; nothing is sent there",
                where=self.address.url,
                hint="If that is the right server, use its address. It may be a login.",
            )
        if refusal.code == "no_file_shown":
            return NoFileShown(message, where=where)
        if refusal.too_long or status == 413:
            return Misfit(message, where=where, hint="Show fewer or smaller files, or lower --max-tokens.")
        malformed = status in (400, 422) and not (refusal.no_model or page)
        kind: type[SparkError] = MalformedInput if malformed else NoBackend
        return kind(message, where=self.address.url if status in (404, 405) else where, hint=hint)
