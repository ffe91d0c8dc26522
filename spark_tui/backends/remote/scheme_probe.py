"""Whether a server that did not answer as its address says speaks TLS after all, or does not."""

from __future__ import annotations

import contextlib
import socket
import ssl

from spark_tui.backends.remote.transport import Address

_SECONDS = 2.0


def speaks_other(address: Address) -> bool:
    """Asks at the same port, without a key, with TLS where the address has none and without where it has."""
    try:
        with socket.create_connection((address.host, address.port), _SECONDS) as sock:
            return _speaks_http(sock, address) if address.tls else _speaks_tls(sock, address)
    except OSError:
        return False


def _speaks_http(sock: socket.socket, address: Address) -> bool:
    head = f"GET {address.path}/models HTTP/1.1\r\nHost: {address.netloc}\r\nConnection: close\r\n\r\n"
    sock.sendall(head.encode())
    said = sock.recv(12)
    return said.startswith(b"HTTP/") and not said.endswith(b" 400")  # servers of https complain so


def _speaks_tls(sock: socket.socket, address: Address) -> bool:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    # Nothing is sent: whose certificate it is does not matter here.
    context.check_hostname, context.verify_mode = False, ssl.CERT_NONE
    with contextlib.closing(context.wrap_socket(sock, server_hostname=address.host)):
        return True
