"""One response, read over more than one connection: as after a reconnect whose old link is not gone yet."""

import http.client

import pytest
from support.serving import Raw, text_of, until

LEAVERS = ("websocket", "events")


def _reader(live, kind, response_id):
    """Another reader of the response, with something of it read; given is what makes it leave."""
    if kind == "websocket":
        other = Raw(live)
        other.send(type="response.resume", response_id=response_id)
        other.until("response.output_text.delta")
        return other.close
    connection = http.client.HTTPConnection("127.0.0.1", live.port)
    connection.request("GET", f"/v1/responses/{response_id}?stream=true")
    # The answer holds the socket, so it goes too.
    answer = connection.getresponse()
    answer.readline()
    return lambda: (answer.close(), connection.close())


def _begun(live, client):
    live.backend.hold(at=3)
    client.send(type="response.create", input="count", max_output_tokens=6)
    until(lambda: live.backend.steps == 3)
    return client.until("response.output_text.delta")


@pytest.mark.parametrize("kind", LEAVERS)
def test_a_reader_that_leaves_takes_nothing_from_one_that_stays(live, client, kind):
    seen = _begun(live, client)
    turn = next(iter(live.context.registry.running))
    leave = _reader(live, kind, turn.id)
    assert len(turn.readers) == 2
    leave()
    until(lambda: len(turn.readers) == 1)
    assert not turn.stop.is_set()
    live.backend.gate.set()
    assert text_of(seen + client.until("response.incomplete")) == "0 1 2 3 4 5 "


@pytest.mark.parametrize("kind", LEAVERS)
def test_the_last_reader_that_leaves_stops_the_turn(live, client, kind):
    _begun(live, client)
    turn = next(iter(live.context.registry.running))
    leave = _reader(live, kind, turn.id)
    client.close()
    until(lambda: len(turn.readers) == 1)
    leave()
    until(lambda: turn.state == "suspended")
    assert turn.readers == [] and live.backend.steps == 3
