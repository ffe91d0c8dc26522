"""How to reach one server: its address, key, trust and patience, and the links that lie idle between turns.

Comes in: an address and a key. Goes out: answers of single requests, links, and errors in spark's words.
Must not know: what is asked of a model.
"""

from __future__ import annotations

import ssl
import threading
from dataclasses import dataclass, field, replace
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.remote import api_keys, error_bodies, http_client
from spark_tui.backends.remote.transport import Address, Connection, ConnectionLost, tls_context
from spark_tui.errors import MalformedInput, Misfit, NoBackend, NoFileShown, Refused, SparkError

_MOST_IDLE = 4


class ServerBusy(Exception):
    """The server says: later. `after` seconds, 0 where it did not say when."""

    def __init__(self, what: str, after: float = 0.0, hint: str = "") -> None:
        super().__init__(what)
        self.after = after
        self.hint = hint


@dataclass(slots=True)
class Endpoint:
    """One server. Thread-safe: each turn has a link of its own."""

    address: Address
    key: str = field(default="", repr=False)
    authority: str = ""
    connect_seconds: float = 10.0
    silence_seconds: float = 120.0
    _context: ssl.SSLContext | None = field(default=None, repr=False)
    _idle: list[Connection] = field(default_factory=list, repr=False)
    _lock: threading.Lock = field(default_factory=threading.Lock, repr=False)

    def headers(self) -> dict[str, str]:
        return {"Authorization": f"Bearer {self.key}"} if self.key else {}

    def open(self) -> Connection:
        if self.address.tls and self._context is None:
            self._context = tls_context(self.authority)
        return Connection.open(
            self.address, self._context, timeout=self.connect_seconds, secret=bool(self.key)
        )

    def take(self) -> Connection:
        """An idle link that still stands, else a new one."""
        while True:
            with self._lock:
                link = self._idle.pop() if self._idle else None
            if link is None:
                return self.open()
            if link.alive() and not link.buffer:
                return link
            link.close()

    def give(self, link: Connection) -> None:
        """Keep the link for the next request, if it is at the end of an answer."""
        with self._lock:
            if not link.closed and not link.buffer and len(self._idle) < _MOST_IDLE:
                self._idle.append(link)
                return
        link.close()

    def ask(
        self, method: str, door: str, body: Any = None, stop: StopFlag | None = None
    ) -> http_client.HttpResponse:
        """One request; the caller reads the body and gives the link back."""
        link = self.take()
        try:
            return http_client.send(
                link,
                self.address,
                method,
                door,
                headers={"Accept": "application/json, text/event-stream", **self.headers()},
                body=body,
                stop=stop,
                silence=self.silence_seconds,
            )
        except BaseException:
            link.close()
            raise

    def get(self, door: str, stop: StopFlag | None = None) -> tuple[int, Any]:
        """Status and decoded body of a small question."""
        answer = self.ask("GET", door, stop=stop)
        try:
            return answer.status, answer.json()
        finally:
            self.give(answer.link) if answer.done else answer.link.close()

    def close(self) -> None:
        with self._lock:
            idle, self._idle = self._idle, []
        for link in idle:
            link.close()

    def refusal(self, answer: http_client.HttpResponse) -> Exception:
        """An answer that is not 200 as an error: `ServerBusy` where it is worth coming back."""
        after = answer.headers.get("retry-after", "")
        try:
            body = answer.json()
        except ConnectionLost:
            body = None
        return self.problem(answer.status, body, float(after[:9]) if after.isdecimal() else 0.0)

    def problem(self, status: int, body: Any, after: float = 0.0) -> Exception:
        """The server's words, and what to do about them. `after` is when its header says to come back."""
        where = self.address.netloc
        refusal = error_bodies.read(body)
        refusal = replace(refusal, retry_after=refusal.retry_after or after)
        code, said = refusal.code, refusal.said or f"the server answered with status {status}"
        if status in (408, 425, 429) or status >= 500:
            # A spent quota does not come back within minutes.
            if code in ("insufficient_quota", "billing_hard_limit_reached"):
                return NoBackend(
                    said, where=where, hint="Look at the account, or name another server or key."
                )
            return ServerBusy(said, refusal.retry_after, error_bodies.hint_for(status, refusal))
        if status in (401, 403):
            return Refused(said, where=where, hint=api_keys.key_hint(self.address.host))
        if status == 404:
            return NoBackend(said, where=where, hint=error_bodies.hint_for(status, refusal))
        if 300 <= status < 400:
            return NoBackend(
                "the server redirects to another address; the key is not sent there",
                where=where,
                hint="Use the final address.",
            )
        if code == "no_file_shown":
            return NoFileShown(said, where=where)
        if refusal.too_long or status == 413:
            return Misfit(said, where=where, hint="Show fewer or smaller files.")
        kind: type[SparkError] = MalformedInput if status in (400, 422) else NoBackend
        return kind(said, where=where)
