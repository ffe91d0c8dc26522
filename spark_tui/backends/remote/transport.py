"""Server addresses, and the TCP or TLS connection under a WebSocket, whose every wait ends at a stop flag.

A blocking read cannot be cancelled from another thread, so each waits at most 20 ms before it checks the
flag; while bytes arrive this costs nothing.
"""

from __future__ import annotations

import ipaddress
import os
import re
import socket
import ssl
import time
from threading import Event as StopFlag
from typing import NamedTuple
from urllib.parse import urlsplit

from spark_tui.errors import ConfigError, NoBackend, Refused, without_query

ENDPOINT = re.compile(r"/(?:models|(?:chat/)?completions|responses|messages)/?$")
_STOP_POLL_SECONDS = 0.02
_RECEIVE_BYTES = 1 << 16
_UNSIGNED = (18, 19, 20, 21)
"""OpenSSL's codes for a certificate that no known authority has signed."""
_CERTIFICATE_WANTED = ("CERTIFICATE_REQUIRED", "PEER_DID_NOT_RETURN_A_CERTIFICATE")
"""Ends of OpenSSL's names for an alert that asks for the certificate of the client."""
_NO_TLS = ("WRONG_VERSION_NUMBER", "RECORD_LAYER_FAILURE", "UNKNOWN_PROTOCOL", "HTTP_REQUEST")
"""OpenSSL's names for an answer that is no TLS."""


class StoppedWaiting(Exception):
    """The stop flag was set while waiting."""


class ConnectionLost(Exception):
    """The connection broke, or the other side kept silent for too long. Its text says how."""

    hint = "Is the server running, and is the name or address right? `spark connect` lists known names."
    """What to do if no answer had begun."""
    may_pass = True
    """Whether the same request may be answered a moment later."""


class NotConnected(ConnectionLost):
    """No connection came about in time."""

    hint = "The address may be wrong, or a firewall, a VPN or a proxy in between keeps spark from it."
    may_pass = False


class NoHttp(ConnectionLost):
    """The server accepted the connection, and did not answer as its address says."""


class NoHandshake(NoHttp):
    """The server does not do the TLS handshake."""

    hint = (
        "If it speaks no https, its address begins with http://. Else a firewall or a proxy in between "
        "may hold the connection."
    )
    may_pass = False


class WrongScheme(NoHttp):
    """The server speaks TLS where its address says that it does not, or the other way round."""

    hint = "Change the address: --connect, or model.connect in your configuration."
    may_pass = False

    def __init__(self, address: Address) -> None:
        right = address._replace(tls=not address.tls, port=address.port)
        speaks = "http without TLS" if address.tls else "https"
        super().__init__(f"the server speaks {speaks}: its address is {right.url}")


class CertificateWanted(NoHttp):
    """The server lets nobody in who has no certificate."""

    hint = "spark has none to send. Use an address that takes a key, or a tunnel that holds your certificate."
    may_pass = False


class Garbled(ConnectionLost):
    """Not all came of what the server sent."""

    hint = "It may have another API: --api names it. Or a proxy cuts its answers off: its log may say more."


class Unreadable(Garbled):
    """What the server sent is not what its API says."""

    hint = "It may have another API: --api names it. Or a proxy in between changes what it sends."
    may_pass = False


class Stalled(ConnectionLost):
    """The server sent nothing for too long in the middle of an answer."""

    hint = (
        "It may be busy, or still reading a long prompt: its log says which. Show fewer files, "
        "or wait longer: model.first_token_seconds"
    )
    may_pass = False
    """It would only begin again."""


class Address(NamedTuple):
    """The address of a server: `path` is the base of its endpoints, mostly `/v1`, and `query` goes with each
    of them, as Azure's `api-version=…`. No message shows the query: it may hold a key."""

    tls: bool
    host: str
    port: int
    path: str
    query: str = ""

    @property
    def url(self) -> str:
        return f"{'https' if self.tls else 'http'}://{self.netloc}{self.path}"

    @property
    def netloc(self) -> str:
        """As a `Host` header says it."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return host if self.port == (443 if self.tls else 80) else f"{host}:{self.port}"


def parse_address(url: str) -> Address:
    """`http://host:8000/v1`, `https://host/v1`, or `host:8000`, which is taken for `http://host:8000/v1`. An
    endpoint behind it, as a provider's page shows it, is left out."""
    where = "the server's address"
    bare = "://" not in url
    try:
        parts = urlsplit("http://" + url if bare else url)
        port = parts.port
        host = parts.hostname or ""
        host.encode("idna")
    except ValueError as error:
        raise ConfigError(f"is not an address: {error}", where=where) from error
    tls = parts.scheme in ("https", "wss")
    known = parts.scheme in ("http", "https", "ws", "wss")
    if not known or not host or not url.isprintable() or " " in url:
        raise ConfigError("must look like http://host:8000/v1", where=where)
    if parts.username or parts.password:
        raise ConfigError("must not hold a password", where=where, hint="Set the key in SPARK_API_KEY.")
    if parts.fragment:
        raise ConfigError("must end with the path: nothing after the # is sent", where=where)
    if "*" in host:
        raise ConfigError(
            f"must have the name of your resource in place of *: {without_query(url)}", where=where
        )
    path = parts.path.rstrip("/") or "/v1"
    # Azure's models are at a path that is called like an endpoint.
    path = path if path == "/models" else ENDPOINT.sub("", path).rstrip("/")
    return Address(tls, host, port or (443 if tls else 80), path, parts.query)


def tls_context(authority: str = "") -> ssl.SSLContext:
    """The system's authorities, or the one of a PEM file. Making one takes milliseconds: keep it."""
    try:
        context = ssl.create_default_context(cafile=authority or None)
    except OSError as error:  # also what the file holds
        raise ConfigError(
            f"the certificates cannot be read: {error.strerror or error}",
            where=f"model.authority ({authority})",
            hint="Name a PEM file.",
        ) from error
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    return context


class Connection:
    """One connection. `buffer` holds bytes that were received and not taken yet."""

    def __init__(self, sock: socket.socket) -> None:
        sock.settimeout(_STOP_POLL_SECONDS)
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        self._sock = sock
        self.buffer = bytearray()
        self.closed = False

    @classmethod
    def open(
        cls, address: Address, context: ssl.SSLContext | None, *, timeout: float, secret: bool
    ) -> Connection:
        """Connect. A `secret` (a key will be sent) is not carried in the clear beyond private networks."""
        try:
            sock = socket.create_connection((address.host, address.port), timeout)
        except OSError as error:
            raise connect_failure(error, address, timeout) from error
        try:
            if address.tls:
                sock = (context or tls_context()).wrap_socket(sock, server_hostname=address.host)
            elif secret:
                refuse_public_network(sock, address)
            return cls(sock)
        except OSError as error:
            sock.close()
            raise connect_failure(error, address, timeout, shaking=True) from error
        except Refused:
            sock.close()
            raise

    def send(self, data: bytes, *, timeout: float = 30.0) -> None:
        deadline, view = time.monotonic() + timeout, memoryview(data)
        while view:
            try:
                view = view[self._sock.send(view) :]
            except TimeoutError as error:
                if time.monotonic() > deadline:
                    raise self._lost("the server stopped reading") from error
            except OSError as error:
                self.close()
                raise lost(error) from error

    def fill(self, stop: StopFlag | None, deadline: float) -> bool:
        """Wait for bytes and put them into the buffer. False when the other side has closed."""
        while True:
            try:
                data = self._sock.recv(_RECEIVE_BYTES)
            except (TimeoutError, ssl.SSLWantReadError) as error:
                if stop is not None and stop.is_set():
                    raise StoppedWaiting from None
                if time.monotonic() > deadline:
                    self.close()
                    raise Stalled("the server did not answer in time") from error
                continue
            except OSError as error:
                self.close()
                raise lost(error) from error
            if not data:
                self.close()
                return False
            self.buffer += data
            return True

    def alive(self) -> bool:
        """Whether the connection is still open, checked without waiting. Bytes that have arrived go into the
        buffer.
        """
        if self.closed:
            return False
        self._sock.settimeout(0.0)
        try:
            data = self._sock.recv(_RECEIVE_BYTES)
        except (BlockingIOError, ssl.SSLWantReadError):
            return True
        except OSError:
            data = b""
        finally:
            self._sock.settimeout(_STOP_POLL_SECONDS)
        if not data:
            self.close()
            return False
        self.buffer += data
        return True

    def close(self) -> None:
        self.closed = True
        self._sock.close()

    def _lost(self, how: str) -> ConnectionLost:
        self.close()
        return ConnectionLost(how)


def connect_failure(error: OSError, address: Address, seconds: float, *, shaking: bool = False) -> Exception:
    """What went wrong in a connect, or in the TLS handshake after it, in our words."""
    failure = _connect_failure(error, address, seconds, shaking=shaking)
    if isinstance(failure, ConnectionLost) and (name := _unused_proxy(address)):
        failure.hint += f" The proxy of {name} is not used: spark connects to the server itself."
    return failure


def _unused_proxy(address: Address) -> str:
    """The variable that names a proxy for this address; empty where there is none."""
    from urllib.request import getproxies_environment, proxy_bypass  # slow, and seldom needed

    found, scheme = getproxies_environment(), "https" if address.tls else "http"
    name = next((f"{one}_proxy" for one in (scheme, "all") if found.get(one)), "")
    if not name or proxy_bypass(address.host):
        return ""
    # The small letters count where both are set.
    return name if os.environ.get(name) else next(one for one in os.environ if one.lower() == name)


def _connect_failure(error: OSError, address: Address, seconds: float, *, shaking: bool) -> Exception:
    if isinstance(error, ssl.SSLCertVerificationError):
        # Another authority helps where nobody known has signed it.
        unsigned = error.verify_code in _UNSIGNED
        hint = "Name the PEM file of its authority in model.authority." if unsigned else ""
        what = f"the server's certificate is not trusted: {error.verify_message}"
        return NoBackend(what, where=address.netloc, hint=hint)
    if isinstance(error, TimeoutError):
        if shaking:
            return NoHandshake(f"the server did not answer the TLS handshake in {seconds:.3g} s")
        return NotConnected(f"cannot connect: no answer in {seconds:.3g} s")
    if isinstance(error, ssl.SSLError):
        if error.reason in _NO_TLS:
            return NoHandshake("the server does not speak TLS")
        return tls_failure(error, "the TLS handshake failed")
    detail = error.strerror or error
    return (
        NoHttp(f"the handshake failed: {detail}") if shaking else ConnectionLost(f"cannot connect: {detail}")
    )


def tls_failure(error: ssl.SSLError, what: str) -> NoHttp:
    """What the server refused, or broke, of an encrypted connection: with TLS 1.3 it says so after the
    handshake."""
    reason = error.reason or str(error)
    if reason.endswith(_CERTIFICATE_WANTED):
        return CertificateWanted("the server asks for a client certificate")
    return NoHttp(f"{what}: {reason.lower().replace('_', ' ')}")


def lost(error: OSError) -> ConnectionLost:
    """How an open connection ended, in our words."""
    if isinstance(error, ssl.SSLError):
        return tls_failure(error, "the encrypted connection ended")
    return ConnectionLost(error.strerror or str(error))


def refuse_public_network(sock: socket.socket, address: Address) -> None:
    """Refuse to send a key in the clear where the other side is not on a private network."""
    if not _is_private(sock):
        raise Refused("the key would be sent unencrypted", where=address.netloc, hint="Use https://.")


def _is_private(sock: socket.socket) -> bool:
    peer = ipaddress.ip_address(str(sock.getpeername()[0]).partition("%")[0])
    return peer.is_private or peer.is_loopback or peer.is_link_local
