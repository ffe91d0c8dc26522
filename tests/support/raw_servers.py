"""Servers below HTTP: deaf ones, full ones, and those that speak TLS or any bytes."""

import contextlib
import socket
import ssl
import threading


@contextlib.contextmanager
def raw_server(talk):
    """A listener that gives each connection to `talk(sock)`. Its port, and the connections so far."""
    listener, accepted = socket.create_server(("127.0.0.1", 0)), []

    def serve():
        with contextlib.suppress(OSError):
            while True:
                sock, _ = listener.accept()
                accepted.append(sock)
                threading.Thread(target=talk_and_close, args=(sock,), daemon=True).start()

    def talk_and_close(sock):
        with contextlib.suppress(OSError), sock:
            talk(sock)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield listener.getsockname()[1], accepted
    finally:
        listener.shutdown(socket.SHUT_RDWR)
        listener.close()
        for sock in accepted:
            sock.close()
        thread.join(10)


@contextlib.contextmanager
def deaf_server():
    """It accepts and never says a word. Its port, and the connections so far."""
    closing = threading.Event()
    with raw_server(lambda _: closing.wait(30)) as served:
        try:
            yield served
        finally:
            closing.set()


@contextlib.contextmanager
def full_listener():
    """The port of a server whose queue of connections is full: nothing more is accepted or refused."""
    with contextlib.ExitStack() as stack:
        listener = stack.enter_context(socket.socket())
        listener.bind(("127.0.0.1", 0))
        listener.listen(0)
        for _ in range(3):
            waiting = stack.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex(listener.getsockname())
        yield listener.getsockname()[1]


@contextlib.contextmanager
def secret_server(certificate, key, wants_certificate=False):
    """The port of a server that speaks TLS only, and may let in nobody without a certificate."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate, key)
    if wants_certificate:
        context.verify_mode = ssl.CERT_REQUIRED

    def talk(sock):
        with contextlib.suppress(ssl.SSLError), context.wrap_socket(sock, server_side=True) as secret:
            secret.recv(100)

    with raw_server(talk) as (port, _):
        yield port


def read_request(sock):
    """All bytes of one HTTP request."""
    head = b""
    while b"\r\n\r\n" not in head:
        head += sock.recv(65536) or b"\r\n\r\n"
    length = next(
        (int(line[15:]) for line in head.lower().split(b"\r\n") if line[:15] == b"content-length:"), 0
    )
    while len(head) < head.index(b"\r\n\r\n") + 4 + length:
        head += sock.recv(65536) or b"\0" * length
    return head
