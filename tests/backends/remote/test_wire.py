"""HTTP answers and WebSocket messages are read alike however their bytes were cut; wrong ones are errors."""

import contextlib
import socket
import ssl
import threading

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from websockets.frames import Frame, Opcode
from websockets.utils import accept_key

from spark_tui.backends.remote.http_client import HttpConnection
from spark_tui.backends.remote.transport import Address, Connection, ConnectionLost, Garbled, StoppedWaiting
from spark_tui.backends.remote.websocket_client import ClientWebSocket, UpgradeRefused

ADDRESS = Address(False, "127.0.0.1", 1, "/v1")


@contextlib.contextmanager
def talking_to(reply):
    """A listener that reads one request head, passes it to `reply(sock, head)` and then closes."""
    listener = socket.create_server(("127.0.0.1", 0))

    def serve():
        sock, _ = listener.accept()
        with sock:
            head = b""
            while b"\r\n\r\n" not in head and (data := sock.recv(4096)):
                head += data
            with contextlib.suppress(OSError):
                reply(sock, head)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield listener.getsockname()[1]
    finally:
        thread.join(10)
        listener.close()


@contextlib.contextmanager
def opened(after_handshake=b"", cut=10_000, hold=None):
    """A WebSocket, and what its server received after the handshake."""
    received = bytearray()

    def reply(sock, head):
        key = next(line[19:] for line in head.decode().split("\r\n") if line.startswith("Sec-WebSocket-Key"))
        accept = accept_key(key)
        data = (
            "HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
            f"Sec-WebSocket-Accept: {accept}\r\n\r\n"
        ).encode() + after_handshake
        for at in range(0, len(data), cut):
            sock.sendall(data[at : at + cut])
        if hold is not None:
            hold.wait(10)
            return
        sock.settimeout(5)
        while data := sock.recv(4096):
            received.extend(data)

    with talking_to(reply) as port:
        connection = Connection(socket.create_connection(("127.0.0.1", port), 5))
        websocket = ClientWebSocket.open(connection, ADDRESS, "/responses", headers={}, stop=None)
        try:
            yield websocket, received
        finally:
            websocket.close()
            if hold is not None:
                hold.set()


def server_frame(opcode, data, *, final=True):
    return Frame(Opcode(opcode), data, final).serialize(mask=False)


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 10_000])
def test_messages_are_the_same_however_the_bytes_were_cut(cut):
    data = (
        server_frame(1, b"hello")
        + server_frame(1, b"y" * 70_000)
        + server_frame(9, b"are you there")
        + server_frame(1, b"x" * 300)
        + server_frame(1, b"in ", final=False)
        + server_frame(10, b"")
        + server_frame(0, b"two")
        + server_frame(8, b"\x03\xe8")
    )
    with opened(data, cut) as (websocket, received):
        got = [websocket.receive(None, 10) for _ in range(4)]
        assert got == [b"hello", b"y" * 70_000, b"x" * 300, b"in two"]
        with pytest.raises(ConnectionLost, match="closed"):
            websocket.receive(None, 10)
    assert received[0] == 0x8A
    assert b"\x88" in received


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x81\x85maskedframe", id="masked"),
        pytest.param(b"\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff", id="too long, binary"),
        pytest.param(b"\x81\x7f\x00\x00\x00\x00\x7f\xff\xff\xff", id="too long, text"),
        pytest.param(b"\x80\x01x", id="a continuation of nothing"),
    ],
)
def test_frames_that_no_server_may_send_close_the_connection(data):
    with opened(data) as (websocket, _):
        with pytest.raises(ConnectionLost, match="invalid frame"):
            websocket.receive(None, 10)
        assert websocket.closed


def test_a_server_that_closes_is_quoted():
    closing = server_frame(8, b"\x03\xf0bad key")
    with opened(closing) as (websocket, _), pytest.raises(Garbled, match="closed the connection: bad key"):
        websocket.receive(None, 10)


def test_fragments_without_end_are_bounded(monkeypatch):
    from spark_tui.backends.remote import websocket_client

    monkeypatch.setattr(websocket_client, "_MAX_MESSAGE_BYTES", 1000)
    data = server_frame(1, b"x" * 400, final=False) + server_frame(0, b"x" * 400, final=False) * 3
    with opened(data) as (websocket, _), pytest.raises(ConnectionLost, match="invalid frame"):
        websocket.receive(None, 10)


def test_a_stop_ends_the_wait_for_a_message():
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    with opened(hold=threading.Event()) as (websocket, _), pytest.raises(StoppedWaiting):
        websocket.receive(stop, 60)


def test_a_server_that_does_not_answer_times_out():
    with (
        opened(hold=threading.Event()) as (websocket, _),
        pytest.raises(ConnectionLost, match=r"no data for 0\.05 s"),
    ):
        websocket.receive(None, 0.05)


@pytest.mark.parametrize(
    ("answer", "kind", "match"),
    [
        (b"HTTP/1.1 401 No\r\nContent-Length: 2\r\n\r\n{}", UpgradeRefused, "401"),
        (b"HTTP/1.1 200 OK\r\n\r\nwhole", UpgradeRefused, "200"),
        (
            b"HTTP/1.1 101 S\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            b"Sec-WebSocket-Accept: wrong\r\n\r\n",
            ConnectionLost,
            "handshake",
        ),
        (b"SSH-2.0-server\r\n\r\n", ConnectionLost, "not an HTTP server"),
        (b"x" * 70_000, ConnectionLost, "not an HTTP server"),
        (b"", ConnectionLost, "before an answer"),
    ],
)
def test_an_upgrade_that_is_not_granted_says_how(answer, kind, match):
    with talking_to(lambda sock, _head: sock.sendall(answer)) as port:
        connection = Connection(socket.create_connection(("127.0.0.1", port), 5))
        with pytest.raises(kind, match=match):
            ClientWebSocket.open(connection, ADDRESS, "/responses", headers={}, stop=None)
        assert connection.closed


def test_a_refusal_is_read_though_its_server_keeps_the_connection():
    read = threading.Event()

    def refuse(sock, _head):
        sock.sendall(b"HTTP/1.1 404 No\r\nContent-Length: 2\r\n\r\n{}")
        read.wait(10)

    with talking_to(refuse) as port:
        connection = Connection(socket.create_connection(("127.0.0.1", port), 5))
        try:
            with pytest.raises(UpgradeRefused, match="404"):
                ClientWebSocket.open(connection, ADDRESS, "/responses", headers={}, stop=None, timeout=5)
        finally:
            read.set()


def http_connection(port, silence=10.0):
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    address = Address(False, "127.0.0.1", port, "/v1")
    return HttpConnection(
        address, context, headers={}, connect_seconds=5, head_seconds=silence, silence_seconds=silence
    )


def events_of(port, stop=None):
    connection = http_connection(port)
    try:
        with connection.request("GET", "/x", None, stop, lambda _: None) as answer:
            return list(answer.events())
    finally:
        connection.close()


@pytest.mark.parametrize("cut", [1, 5, 1000])
def test_server_sent_events_are_the_same_however_they_were_cut(cut):
    body = "event: x\r\ndata: one\r\n\r\n: comment\n\ndata:two\ndata: three\n\ndata: ä👍\n\n".encode()
    data = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    data += f"{len(body):x}".encode() + b";ext=1\r\n" + body + b"\r\n0\r\nTrailer: x\r\n\r\n"

    def reply(sock, _head):
        for at in range(0, len(data), cut):
            sock.sendall(data[at : at + cut])

    with talking_to(reply) as port:
        assert events_of(port) == ["one", "two\nthree", "ä👍"]


@pytest.mark.parametrize("cut", [1, 2, 1000])
@pytest.mark.parametrize("end", ["\n", "\r", "\r\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
def test_every_end_of_line_and_a_byte_order_mark_are_read(mark, end, cut):
    body = f"{mark}data: one{end}{end}data: two{end}data: three{end}{end}".encode()

    def reply(sock, _head):
        sock.sendall(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
        for at in range(0, len(body), cut):
            piece = body[at : at + cut]
            sock.sendall(b"%x\r\n%s\r\n" % (len(piece), piece))
        sock.sendall(b"0\r\n\r\n")

    with talking_to(reply) as port, contextlib.closing(http_connection(port)) as connection:
        answer = connection.request("GET", "/x", None, None, lambda _: None)
        assert not answer.is_whole()
        assert list(answer.events()) == ["one", "two\nthree"]
        answer.close()


@settings(deadline=None, max_examples=50)
@given(st.binary(max_size=200))
def test_random_bytes_are_lost_and_never_a_crash(data):
    head = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n"
    with (
        talking_to(lambda sock, _head: sock.sendall(head + data)) as port,
        contextlib.suppress(ConnectionLost),
    ):
        events_of(port)


@pytest.mark.parametrize(
    ("answer", "match"),
    [
        (b"SSH-2.0-server\r\n\r\n", "not an HTTP server"),
        (b"HTTP/1.1 200 OK\r\nX: " + b"x" * 200_000, "not an HTTP server"),
        (b"", "before an answer"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf", "mid-answer"),
        (b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", "not valid HTTP"),
    ],
)
def test_an_answer_that_is_no_http_says_how(answer, match):
    with (
        talking_to(lambda sock, _head: sock.sendall(answer)) as port,
        pytest.raises(ConnectionLost, match=match),
    ):
        events_of(port)


def test_a_silent_server_is_given_up_in_time():
    done = threading.Event()
    with talking_to(lambda _sock, _head: done.wait(10)) as port:
        connection = http_connection(port, silence=0.05)
        with pytest.raises(ConnectionLost, match="sent nothing for"):
            connection.request("GET", "/x", None, None, lambda _: None)
        done.set()


def test_a_stop_before_the_connection_is_made_ends_the_request():
    stop, done = threading.Event(), threading.Event()
    stop.set()
    with talking_to(lambda _sock, _head: done.wait(10)) as port:
        try:
            with pytest.raises(StoppedWaiting):
                events_of(port, stop)
        finally:
            done.set()


@pytest.mark.parametrize(
    "answer",
    [
        pytest.param(b"", id="before the head"),
        pytest.param(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\ndata: x\n\n", id="in the body"),
        pytest.param(b"HTTP/1.1 200 OK\r\n\r\ndata: x\n\n", id="in a body without length"),
    ],
)
def test_a_stop_ends_every_wait_of_a_request_long_before_its_server_does(answer):
    stop, done, ended_by_us = threading.Event(), threading.Event(), []

    def reply(sock, _head):
        sock.sendall(answer)
        ended_by_us.append(done.wait(60))

    with talking_to(reply) as port:
        timer = threading.Timer(0.1, stop.set)
        timer.start()
        with pytest.raises(StoppedWaiting):
            events_of(port, stop)
        done.set()
        timer.join()
    assert ended_by_us == [True]
