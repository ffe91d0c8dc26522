"""Who may use the server: tokens, origins and host names. Tokens are compared in constant time, not shown."""

from __future__ import annotations

import hashlib
import hmac
import ipaddress
from collections.abc import Iterable, Mapping
from urllib.parse import urlsplit

from spark_tui.serve.api_errors import ApiError


def is_loopback(host: str) -> bool:
    """Whether the address is only reached from this machine. A name other than localhost is not taken for
    one."""
    if host.lower() in ("localhost", "localhost."):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


class Access:
    """The checks that every request and every WebSocket passes before anything of it is read."""

    def __init__(self, host: str, tokens: Iterable[str] = (), origins: Iterable[str] = ()) -> None:
        self._tokens = tuple(token.encode() for token in tokens)
        self.origins = frozenset(origin.rstrip("/").lower() for origin in origins)
        """The origins of the web pages that may use it."""
        self._local = is_loopback(host)

    def check(self, headers: Mapping[str, str], peer: str) -> str:
        """The client's key. With tokens it is a digest of the token, else the address that it comes from."""
        self._check_host(headers)
        self._check_origin(headers)
        if not self._tokens:
            return f"peer:{peer}"
        # Anthropic's clients send the token in a header of their own.
        sent_as = headers.get("authorization") or f"Bearer {headers.get('x-api-key', '')}"
        scheme, _, given = sent_as.partition(" ")
        # Every token is compared, so that the time says nothing about which one was near.
        sent, found = given.strip().encode(), b""
        for token in self._tokens:
            if hmac.compare_digest(sent, token):
                found = token
        if scheme.lower() != "bearer" or not found:
            raise ApiError(
                401, "invalid_api_key", "This server needs a token: send `Authorization: Bearer TOKEN`."
            )
        return "token:" + hashlib.sha256(found).hexdigest()[:16]

    def _check_host(self, headers: Mapping[str, str]) -> None:
        """A page of another site that points its own name at this machine must not reach a server without
        tokens."""
        if self._local and not self._tokens and not is_loopback(_host_name(headers.get("host", "localhost"))):
            raise ApiError(403, "host_refused", "This server accepts only local host names.")

    def _check_origin(self, headers: Mapping[str, str]) -> None:
        """Browsers name the page that asks; other clients send no origin."""
        origin = headers.get("origin", "").rstrip("/").lower()
        if not origin or origin in self.origins or "*" in self.origins:
            return
        if origin.partition("://")[2] != headers.get("host", "").lower():
            raise ApiError(403, "origin_refused", "Web pages of this origin are not allowed (see --origin).")


def _host_name(host: str) -> str:
    """The name without its port; empty where the header is no host at all."""
    try:
        return urlsplit("//" + host).hostname or ""
    except ValueError:
        return ""
