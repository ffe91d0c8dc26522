"""Messages and frames that no client should send: an error event or a closed connection, never a crash."""

import contextlib
import json
import socket
import time

import pytest
from support.serving import Raw, client_frame, serving, text_of, until

from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.serve.limits import ServerLimits

PROBLEMS = "spark_problems_total"


def unsent_bytes(live):
    """What the server holds for clients that do not read."""
    return sum(item.transport.get_write_buffer_size() for item in live.server.server_state.connections)


@pytest.mark.parametrize("text", ["", "{", "null", "[]", '"x"', "\x00", "[" * 100_000, '{"type": 1e999}'])
def test_text_that_is_no_event_is_an_error_event(client, text):
    client.socket.send(text)
    assert client.next()["type"] == "error"
    assert text_of(client.turn(input="still there?", max_output_tokens=1)) == "0 "


def test_a_binary_message_is_an_error_event(client):
    client.connection.send(client_frame(2, b"\xff\xfe"))
    assert client.next()["error"]["code"] == "binary_message"


@pytest.mark.parametrize(
    "data",
    [
        pytest.param(b"\x81\x05hello", id="not masked"),
        pytest.param(b"\x83\x80\x00\x00\x00\x00", id="a reserved opcode"),
        pytest.param(b"\xc1\x80\x00\x00\x00\x00", id="a reserved bit"),
        pytest.param(b"\x80\x85\x00\x00\x00\x00hello", id="a continuation of nothing"),
        pytest.param(b"\x89\xfe\x00\x80\x00\x00\x00\x00" + b"x" * 128, id="a ping that is too long"),
        pytest.param(b"\x81\xff\x7f\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00", id="eight exabytes"),
        pytest.param(client_frame(1, b"\xff\xff"), id="text that is not UTF-8"),
    ],
)
def test_a_wrong_frame_closes_its_connection_and_no_other(live, client, data):
    other = Raw(live)
    client.connection.send(data)
    with pytest.raises(ConnectionLost):
        client.next()
    assert text_of(other.turn(input="fine", max_output_tokens=1)) == "0 "


def test_a_message_past_the_bound_closes_its_connection():
    with serving(limits=ServerLimits(message_bytes=10_000)) as live:
        client = Raw(live)
        client.send(type="response.create", input="x" * 20_000)
        with pytest.raises(ConnectionLost):
            client.next()
        assert text_of(Raw(live).turn(input="x" * 2_000, max_output_tokens=1)) == "0 "


def test_a_message_in_fragments_is_one_message(client):
    text = json.dumps({"type": "response.create", "input": "count", "max_output_tokens": 1}).encode()
    client.connection.send(client_frame(1, text[:20], final=False))
    client.connection.send(client_frame(9, b"ping in between"))
    client.connection.send(client_frame(0, text[20:]))
    assert text_of(client.until("response.incomplete")) == "0 "


def flood(client, frame, count):
    """Send without reading, until the server takes no more. How many frames were sent whole."""
    sock = client.connection._sock
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 65536)
    sock.settimeout(1.0)
    sent = 0
    with contextlib.suppress(TimeoutError, ConnectionError):
        while sent < count:
            sock.sendall(frame * 1000)
            sent += 1000
    return sent


@pytest.mark.parametrize("frame", [client_frame(1, b"x"), client_frame(9, b"p" * 100)], ids=["text", "ping"])
def test_replies_that_a_client_does_not_read_do_not_pile_up(live, client, frame):
    flood(client, frame, 400_000)
    before, most = -1, 0
    while most < 16 << 20 and before != (before := live.context.metrics.value(PROBLEMS, code="invalid_json")):
        time.sleep(0.2)
        most = max(most, unsent_bytes(live))
    assert most < 16 << 20
    assert text_of(Raw(live).turn(input="fine", max_output_tokens=1)) == "0 "


def test_a_client_that_never_reads_its_replies_is_cut_off():
    with serving(limits=ServerLimits(stalled_seconds=0.2)) as live:
        flood(Raw(live), client_frame(1, b"x"), 400_000)
        until(lambda: not live.server.server_state.connections)


def test_a_client_that_reads_its_replies_at_last_is_served_again(live, client):
    sent = flood(client, client_frame(1, b"x"), 8_000)
    client.connection._sock.settimeout(60)
    assert {client.next()["type"] for _ in range(sent)} == {"error"}


def test_a_message_of_endless_empty_pieces_closes_its_connection(live, client):
    client.connection.send(client_frame(1, b"", final=False))
    with pytest.raises(ConnectionLost):
        for _ in range(20):
            client.connection.send(client_frame(0, b"", final=False) * 1000)
        client.next()
    assert text_of(Raw(live).turn(input="fine", max_output_tokens=1)) == "0 "


@pytest.mark.skipif(not hasattr(socket, "TCP_KEEPIDLE"), reason="this system has no such options")
def test_a_client_whose_machine_is_gone_is_asked_for_within_a_minute(live, client):
    (connection,) = live.server.server_state.connections
    sock = connection.transport.get_extra_info("socket")
    assert sock.getsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE)
    assert sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_KEEPIDLE) <= 60
