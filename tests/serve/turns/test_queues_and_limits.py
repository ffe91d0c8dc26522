"""Queues, limits, slow and vanishing clients: what a crowd may do to one server."""

import contextlib
import http.client
import json
import socket
import threading
import time
from pathlib import Path

import pytest
from support.http_client import ask, asked
from support.serving import WAIT_SECONDS, Counting, Raw, serving, text_of, until

from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.serve.limits import RateLimiter, ServerLimits


def open_files():
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def test_turns_are_queued_with_a_position_and_the_next_gets_retry_after():
    with serving(limits=ServerLimits(active=1, queued=2)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        for name in ("one", "two", "three", "four"):
            client.send(type="response.create", input=name, max_output_tokens=1)
        events = client.until("error")
        error = events[-1]
        assert (error["status"], error["error"]["code"], error["error"]["position"]) == (429, "queue_full", 3)
        assert error["error"]["retry_after"] >= 1
        status, headers, _ = ask(live, "POST", "/v1/responses", {"input": "x"})
        assert (status, int(headers["retry-after"]) >= 1) == (429, True)
        live.backend.gate.set()
        events += [event for _ in range(3) for event in client.until("response.incomplete")]
        places = {}
        for event in events:
            if event["type"] == "response.queued":
                places.setdefault(event["response"]["id"], []).append(event["position"])
        assert sorted(places.values()) == [[1], [2, 1]]
        assert [request.instruction for request in live.backend.requests] == ["one", "two", "three"]
        assert live.backend.most_running == 1


def test_keys_take_turns_in_the_line_and_background_work_comes_last():
    one, two = {"Authorization": "Bearer " + "1" * 16}, {"Authorization": "Bearer " + "2" * 16}
    with serving(limits=ServerLimits(active=1), tokens=["1" * 16, "2" * 16]) as live:
        live.backend.hold(at=0)
        first, second = Raw(live, one), Raw(live, two)
        first.send(type="response.create", input="runs", max_output_tokens=1)
        until(lambda: live.backend.running == 1)
        first.send(type="response.create", input="background", max_output_tokens=1, background=True)
        for name in ("a", "b", "c"):
            first.send(type="response.create", input=name, max_output_tokens=1)
        until(lambda: live.context.registry.queue.waiting == 4)
        second.send(type="response.create", input="z", max_output_tokens=1)
        until(lambda: live.context.registry.queue.waiting == 5)
        live.backend.gate.set()
        until(lambda: len(live.backend.requests) == 6)
        assert [r.instruction for r in live.backend.requests] == ["runs", "a", "z", "b", "c", "background"]


def test_background_turns_leave_a_place_to_those_that_somebody_waits_for():
    with serving(limits=ServerLimits(active=4)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        for number in range(5):
            client.send(type="response.create", input=f"b{number}", max_output_tokens=1, background=True)
        until(lambda: live.context.registry.queue.waiting == 2)
        person = Raw(live)
        person.send(type="response.create", input="now", max_output_tokens=1)
        running = person.until("response.created")[-1]["response"]["id"]
        until(lambda: live.backend.running == 4)
        assert sorted(request.instruction for request in live.backend.requests) == ["b0", "b1", "b2", "now"]
        client.send(type="response.create", input="next", max_output_tokens=1)
        until(lambda: live.context.registry.queue.waiting == 3)
        person.send(type="response.cancel", response_id=running)  # one place is free, and no more
        until(lambda: len(live.backend.requests) == 5)
        assert live.backend.requests[4].instruction == "next"
        live.backend.gate.set()
        until(lambda: len(live.backend.requests) == 7)


def test_a_waiting_turn_can_be_cancelled_and_its_place_is_free():
    with serving(limits=ServerLimits(active=1, queued=1)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        client.send(type="response.create", input="runs", max_output_tokens=1)
        client.send(type="response.create", input="waits", max_output_tokens=1)
        waiting = client.until("response.queued")[-1]["response"]["id"]
        client.send(type="response.cancel", response_id=waiting)
        assert client.until("response.incomplete")[-1]["response"]["id"] == waiting
        client.send(type="response.create", input="next", max_output_tokens=1)
        assert client.until("response.queued")[-1]["position"] == 1
        live.backend.gate.set()
        client.until("response.incomplete")
        client.until("response.incomplete")
        assert [r.instruction for r in live.backend.requests] == ["runs", "next"]


def test_a_steer_of_a_waiting_turn_is_pending_until_it_starts():
    with serving(limits=ServerLimits(active=1)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        client.send(type="response.create", input="runs", max_output_tokens=1)
        client.send(type="response.create", input="waits", max_output_tokens=1)
        waiting = client.until("response.queued")[-1]["response"]["id"]
        client.send(type="response.steer", previous_response_id=waiting, input="differently")
        client.until("response.steer.pending")
        live.backend.gate.set()
        until(lambda: len(live.backend.requests) == 2)
        request = live.backend.requests[1]
        assert (request.instruction, request.steer, request.emitted) == ("waits", "differently", ())


def test_a_key_has_a_rate_apart_for_background_work():
    with serving(limits=ServerLimits(realtime_per_minute=2, background_per_minute=1)) as live:
        statuses = [asked(live, "/v1/responses", input="x", max_output_tokens=1)[0] for _ in range(3)]
        assert statuses == [200, 200, 429]
        later = [
            asked(live, "/v1/responses", input="x", max_output_tokens=1, background=True)[0] for _ in range(2)
        ]
        assert later == [200, 429]


def test_rates_fill_up_evenly_and_forget_old_keys():
    now = [0.0]
    rates = RateLimiter(60, clock=lambda: now[0], keys=2)
    assert [rates.take("a") for _ in range(60)] == [0.0] * 60
    assert rates.take("a") == pytest.approx(1.0)
    now[0] = 0.5
    assert rates.take("a") == pytest.approx(0.5)
    now[0] = 1.0
    assert rates.take("a") == 0.0
    for key in "bcd":
        rates.take(key)
    assert len(rates._buckets) == 2


@pytest.mark.parametrize("stream", [True, False])
def test_an_http_client_that_vanishes_stops_the_turn_within_one_step(stream):
    with serving() as live:
        live.backend.hold(at=2)
        connection = http.client.HTTPConnection("127.0.0.1", live.port)
        connection.request("POST", "/v1/responses", json.dumps({"input": "x", "stream": stream}))
        until(lambda: live.backend.steps == 2)
        connection.close()
        until(lambda: live.backend.running == 0)
        assert live.backend.steps == 2
        until(lambda: not live.context.registry.running)


def test_a_client_that_does_not_read_is_paused_and_then_dropped():
    limits = ServerLimits(backlog_bytes=20_000, stalled_seconds=0.5, output_tokens=10_000_000)
    with serving(limits=limits) as live:
        client = Raw(live)
        client.connection._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.send(type="response.create", input="count", max_output_tokens=10_000_000)
        until(lambda: live.context.metrics.value("spark_turns_total", outcome="stalled") == 1)
        assert live.backend.running == 0
        (turn,) = live.context.registry.store._turns.values()
        assert turn._backlog.pauses >= 1
        assert live.backend.steps < 2_000_000
        client.connection._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1 << 22)
        with contextlib.suppress(ConnectionLost):
            while client.connection.fill(None, time.monotonic() + WAIT_SECONDS):
                pass
        assert text_of(Raw(live).turn(input="and I?", max_output_tokens=1)) == "0 "


def test_a_reader_of_events_that_stops_reading_is_dropped_too():
    limits = ServerLimits(backlog_bytes=20_000, stalled_seconds=0.5, output_tokens=10_000_000)
    with serving(limits=limits) as live, socket.socket() as sock:
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        sock.settimeout(WAIT_SECONDS)
        sock.connect(("127.0.0.1", live.port))
        body = json.dumps({"input": "count", "stream": True, "max_output_tokens": 10_000_000}).encode()
        head = f"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Length: {len(body)}\r\n\r\n"
        sock.sendall(head.encode() + body)
        until(lambda: live.context.metrics.value("spark_turns_total", outcome="stalled") == 1)
        assert live.backend.running == 0
        assert live.backend.steps < 2_000_000
        with contextlib.suppress(ConnectionResetError):
            while sock.recv(65536):
                pass
        until(lambda: not live.server.server_state.connections)


def test_a_slow_reader_gets_everything():
    with serving(limits=ServerLimits(backlog_bytes=5_000, output_tokens=30_000)) as live:
        client = Raw(live)
        client.send(type="response.create", input="count", max_output_tokens=30_000)
        assert text_of(client.until("response.incomplete")).split() == [str(n) for n in range(30_000)]


def test_the_backlog_of_a_paused_turn_is_bounded():
    with serving(limits=ServerLimits(backlog_bytes=10_000, output_tokens=10_000_000)) as live:
        client = Raw(live)
        client.connection._sock.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.send(type="response.create", input="count", max_output_tokens=10_000_000)
        until(lambda: any(turn._backlog.pauses for turn in live.context.registry.running))
        (turn,) = live.context.registry.running
        seen = []

        def stuck():
            seen.append(live.backend.steps)
            return not turn.has_room() and len(seen) > 50 and seen[-50] == seen[-1]

        until(stuck)
        steps = live.backend.steps
        assert turn._backlog.unread_bytes < 2_000_000
        client.close()
        until(lambda: not live.context.registry.running)
        assert live.backend.steps <= steps + 1


def test_connections_past_the_bound_are_closed_and_places_come_free():
    with serving(limits=ServerLimits(connections=4)) as live:
        clients = [Raw(live) for _ in range(4)]
        with pytest.raises((ConnectionLost, OSError)):
            Raw(live)
        clients[0].close()
        until(lambda: len(live.server.server_state.connections) == 3)
        assert text_of(Raw(live).turn(input="x", max_output_tokens=1)) == "0 "


@pytest.mark.parametrize("before", [b"", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"])
def test_a_connection_that_says_nothing_is_closed(before):
    with serving(limits=ServerLimits(header_seconds=0.2)) as live:
        with socket.create_connection(("127.0.0.1", live.port), WAIT_SECONDS) as sock:
            sock.sendall(before)
            got = b""
            while before and b'"ok"}' not in got:
                got += sock.recv(1000)
            sock.sendall(b"POST /v1/responses HTTP/1.1\r\nHost: loc")
            with contextlib.suppress(ConnectionResetError):
                assert sock.recv(100) == b""
        until(lambda: not live.server.server_state.connections)


def test_a_body_that_never_ends_is_closed():
    limits = ServerLimits(body_seconds=0.2)
    with (
        serving(limits=limits) as live,
        socket.create_connection(("127.0.0.1", live.port), WAIT_SECONDS) as sock,
    ):
        sock.sendall(b"POST /v1/responses HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
        assert b" 408 " in sock.recv(100)


@pytest.mark.parametrize("attempts", [500, pytest.param(10_000, marks=pytest.mark.slow)])
def test_many_connections_leave_nothing_behind(attempts):
    with serving(limits=ServerLimits(connections=64, header_seconds=5)) as live:
        before = open_files()
        held = []
        for number in range(attempts):
            try:
                sock = socket.create_connection(("127.0.0.1", live.port), WAIT_SECONDS)
            except OSError:
                continue
            if number % 3 == 0:
                sock.close()
            else:
                held.append(sock)
            while len(held) > 200:
                held.pop(0).close()
        for sock in held:
            sock.close()
        until(lambda: not live.server.server_state.connections)
        until(lambda: open_files() <= before)
        assert text_of(Raw(live).turn(input="still fine", max_output_tokens=2)) == "0 1 "


def test_stopping_the_server_ends_the_turns_that_run():
    with serving(limits=ServerLimits(drain_seconds=1)) as live:
        live.backend.hold(at=1)
        client = Raw(live)
        client.send(type="response.create", input="count")
        until(lambda: live.backend.steps == 1)
        live.stop()
        assert live.backend.running == 0
        assert live.backend.steps == 1
        client.close()


def test_what_is_kept_is_bounded_by_memory():
    limits = ServerLimits(store_bytes=200_000)
    with serving(limits=limits) as live:
        client = Raw(live)
        ids = [client.turn(input="count", max_output_tokens=20)[0]["response"]["id"] for _ in range(60)]
        store = live.context.registry.store
        until(lambda: store.bytes <= limits.store_bytes)
        assert 0 < len(store) < 60
        client.send(type="response.resume", response_id=ids[0])
        assert client.next()["error"]["code"] == "response_not_found"
        client.send(type="response.resume", response_id=ids[-1])
        assert client.next()["type"] == "response.created"


def test_kept_responses_grow_old():
    with serving(limits=ServerLimits(keep_seconds=0.0)) as live:
        client = Raw(live)
        for _ in range(5):
            client.turn(input="count", max_output_tokens=1)
        until(lambda: len(live.context.registry.store) <= 1)


@pytest.mark.parametrize("turns", [300, pytest.param(100_000, marks=pytest.mark.slow)])
def test_many_turns_leave_memory_and_descriptors_flat(turns):
    """Eight tokens a turn over one connection; the first tenth fills the bounded stores."""
    with serving(limits=ServerLimits(store_bytes=1_000_000)) as live:
        client = Raw(live)
        spark = {"instruction": "count", "max_tokens": 8}

        def run(count):
            for _ in range(count):
                client.send(type="response.create", spark=spark)
                client.until("response.incomplete")

        run(max(turns // 10, 150))
        live.backend.requests.clear()
        descriptors, memory, threads = open_files(), resident(), threading.active_count()
        for _ in range(10):
            run(turns // 10)
            live.backend.requests.clear()
        assert open_files() <= descriptors
        assert threading.active_count() <= threads + live.context.registry.limits.active
        assert resident() - memory < 24 << 20
        assert live.context.registry.running == set()


def test_backends_error_leaves_the_server_usable():
    with serving(Counting(error=OSError("gone"), error_at=1)) as live:
        for _ in range(20):
            assert Raw(live).turn(input="x")[-1]["type"] == "response.failed"
        assert live.context.registry.running == set()
