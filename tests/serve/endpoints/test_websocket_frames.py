"""Messages and frames that no client should send: an error event or a closed connection, never a crash."""

import json

import pytest
from support.serving import Raw, client_frame, serving, text_of

from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.serve.limits import ServerLimits


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
