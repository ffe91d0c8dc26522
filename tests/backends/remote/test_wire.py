"""The wire: requests survive it, frames and headers of any cut are read alike."""

import socket
import threading

import pytest
from hypothesis import given
from hypothesis import strategies as st

from spark_tui.backends import request_codec
from spark_tui.backends.base import Exchange, FilePart, Request, Splice
from spark_tui.backends.remote import http_client, websocket_client
from spark_tui.backends.remote.transport import Connection, ConnectionLost, StoppedWaiting
from spark_tui.errors import MalformedInput

TEXT = st.text(max_size=20)
FILES = st.lists(st.builds(FilePart, TEXT, TEXT, st.integers(1, 9), st.integers(0, 9)), max_size=3).map(tuple)
HISTORY = st.lists(st.builds(Exchange, TEXT, TEXT, TEXT), max_size=3).map(tuple)
REQUESTS = st.builds(
    Request,
    TEXT,
    files=FILES,
    history=HISTORY,
    rules=TEXT,
    emitted=st.lists(st.integers(0, 9), max_size=4).map(tuple),
    steer=TEXT,
    format=st.sampled_from(["auto", "lines"]),
    kind=st.sampled_from(["edit", "fill", "warm", "raw"]),
    max_tokens=st.integers(1, 99),
    prefix=TEXT,
    suffix=TEXT,
    temperature=st.floats(0, 2),
    seed=st.integers(-5, 5),
    spliced=st.lists(
        st.builds(Splice, st.lists(st.integers(0, 9), max_size=3).map(tuple), TEXT), max_size=2
    ).map(tuple),
    selection=st.tuples(st.integers(0, 9), st.integers(0, 9)),
    known=st.lists(
        st.tuples(st.integers(1, 9), st.integers(1, 9), st.lists(st.text(max_size=9), max_size=2).map(tuple)),
        max_size=2,
    ).map(tuple),
    cursor=st.integers(0, 9),
    stop_texts=st.lists(TEXT, max_size=2).map(tuple),
    prediction=TEXT,
)


@given(REQUESTS)
def test_a_request_survives_the_wire(request):
    assert request_codec.read(request_codec.write(request, {}), {}) == request


@given(REQUESTS, REQUESTS, TEXT, TEXT, st.booleans())
def test_a_request_told_by_its_base_is_the_same_request(base, other, answer, outcome, follows):
    """Whatever the client leaves out because the server knows it, the server puts back; else all is sent."""
    request = other
    if follows:
        history = (*base.history, Exchange(base.instruction, answer, outcome))
        request = Request(
            other.instruction, files=base.files, history=history, rules=base.rules, steer=other.steer
        )
    here, there = {}, {}
    for known in (here, there):
        known.update({request_codec.digest(part.text): part.text for part in base.files})
    wire = request_codec.write_after(request, base, answer, (7, 8), here)
    if follows:
        assert wire is not None
        assert "history" not in wire
    if wire is not None:
        assert request_codec.read(wire, there, base=base, answer=answer, ids=(7, 8)) == request


@given(REQUESTS, st.integers(0, 3))
def test_a_resume_is_told_by_a_number(base, count):
    ids = (4, 5, 6)
    emitted = (base.emitted + ids)[: len(base.emitted) + count]
    request = Request(
        base.instruction, files=base.files, history=base.history, rules=base.rules, emitted=emitted
    )
    known = {request_codec.digest(part.text): part.text for part in base.files}
    wire = request_codec.write_after(request, base, "said", ids, dict(known))
    if emitted:
        assert wire is not None and wire["resume"] == len(emitted)
        assert request_codec.read(wire, dict(known), base=base, answer="said", ids=ids) == request


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXT, lambda x: st.lists(x) | st.dictionaries(TEXT, x)
    )
)
def test_anything_else_is_an_error_with_words(value):
    wire = {"instruction": "x", "files": value, "history": value, "resume": value}
    more = ({"spliced": value}, {"spliced": [[value, "x"]]}, {"selection": value}, {"cursor": value})
    for given_value in (value, wire, {"emitted": value}, {"kind": value}, {"max_tokens": value}, *more):
        try:
            request_codec.read(given_value, {})
        except MalformedInput as error:
            assert error.what


def test_a_digest_that_does_not_fit_its_text_is_refused():
    with pytest.raises(MalformedInput, match="digest"):
        request_codec.read({"files": [["a", 1, 1, "0" * 32, "text"]]}, {})


@pytest.fixture
def pair():
    near, far = socket.socketpair(socket.AF_UNIX)

    class Near(Connection):
        def __init__(self, sock):
            sock.settimeout(0.02)
            self._sock, self.buffer, self.closed = sock, bytearray(), False

    link = Near(near)
    yield link, far
    link.close()
    far.close()


def server_frame(opcode, data, *, final=True):
    head = bytes([(0x80 if final else 0) | opcode])
    if len(data) < 126:
        return head + bytes([len(data)]) + data
    if len(data) < 1 << 16:
        return head + b"\x7e" + len(data).to_bytes(2, "big") + data
    return head + b"\x7f" + len(data).to_bytes(8, "big") + data


@pytest.mark.parametrize("cut", [1, 2, 3, 7, 10_000])
def test_messages_are_the_same_however_the_bytes_were_cut(pair, cut):
    link, far = pair
    data = (
        server_frame(1, b"hello")
        + server_frame(9, b"are you there")
        + server_frame(1, b"x" * 300)
        + server_frame(1, b"in ", final=False)
        + server_frame(10, b"")
        + server_frame(0, b"two", final=True)
        + server_frame(1, b"y" * 70_000)
        + server_frame(8, b"\x03\xe8")
    )

    def send():
        for at in range(0, len(data), cut):
            far.sendall(data[at : at + cut])

    thread = threading.Thread(target=send)
    thread.start()
    ws = websocket_client.ClientWebSocket(link)
    got = [ws.receive(None, 10) for _ in range(4)]
    assert got == [b"hello", b"x" * 300, b"in two", b"y" * 70_000]
    with pytest.raises(ConnectionLost):
        ws.receive(None, 10)
    thread.join()
    assert far.recv(100)[0] == 0x8A


@pytest.mark.parametrize("size", [0, 1, 3, 4, 125, 126, 65_535, 65_536])
def test_a_frame_unmasks_to_its_data(size):
    data = bytes(n % 251 for n in range(size))
    made = websocket_client.frame(1, data)
    skip = 2 if size < 126 else 4 if size < 1 << 16 else 10
    mask, body = made[skip : skip + 4], made[skip + 4 :]
    assert bytes(b ^ mask[i % 4] for i, b in enumerate(body)) == data


@pytest.mark.parametrize("data", [b"\x81\x85maskedframe", b"\x82\x7f\xff\xff\xff\xff\xff\xff\xff\xff"])
def test_frames_that_no_server_may_send_close_the_link(pair, data):
    link, far = pair
    far.sendall(data)
    with pytest.raises(ConnectionLost):
        websocket_client.ClientWebSocket(link).receive(None, 10)
    assert link.closed


def test_a_stop_ends_every_wait(pair):
    stop = threading.Event()
    threading.Timer(0.05, stop.set).start()
    with pytest.raises(StoppedWaiting):
        websocket_client.ClientWebSocket(pair[0]).receive(stop, 60)


def test_silence_has_a_bound(pair):
    with pytest.raises(ConnectionLost, match="in time"):
        websocket_client.ClientWebSocket(pair[0]).receive(None, 0.05)


@pytest.mark.parametrize("cut", [1, 5, 1000])
def test_server_sent_events_are_the_same_however_they_were_cut(pair, cut):
    link, far = pair
    body = "event: x\r\ndata: one\r\n\r\n: comment\n\ndata:two\ndata: three\n\ndata: ä👍\n\n".encode()
    size = f"{len(body):x}".encode()
    data = b"HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    data += size + b";ext=1\r\n" + body + b"\r\n0\r\nTrailer: x\r\n\r\n"
    thread = threading.Thread(
        target=lambda: [far.sendall(data[at : at + cut]) for at in range(0, len(data), cut)]
    )
    thread.start()
    answer = http_client.head(link, None, 10)
    assert answer.status == 200
    assert list(answer.events()) == ["one", "two\nthree", "ä👍"]
    assert answer.done
    assert not link.buffer
    thread.join()


@given(st.binary(max_size=200))
def test_random_bytes_are_lost_and_never_a_crash(data):
    near, far = socket.socketpair(socket.AF_UNIX)
    link = Connection.__new__(Connection)
    near.settimeout(0.02)
    link._sock, link.buffer, link.closed = near, bytearray(), False
    far.sendall(b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n" + data)
    far.close()
    try:
        list(http_client.head(link, None, 5).events())
    except ConnectionLost:
        pass
    finally:
        link.close()
