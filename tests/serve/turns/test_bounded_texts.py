"""Texts of clients that the server holds: in kept responses, and in messages that wait."""

import threading

import pytest
from support.http_client import asked
from support.serving import Counting, Raw, serving, until

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.request_codec import digest
from spark_tui.events import Token
from spark_tui.serve.limits import ServerLimits


def test_a_long_instruction_counts_in_what_is_kept():
    limits = ServerLimits(store_bytes=200_000)
    with serving(Counting(format="lines"), limits=limits) as live:
        for _ in range(10):
            asked(live, "/v1/responses", input="x" * 100_000)
        assert len(live.context.registry.store) <= 2


def test_messages_that_wait_for_a_response_are_bounded():
    with serving(limits=ServerLimits(active=1, message_bytes=100_000)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        client.send(type="response.create", input="runs")
        client.send(type="response.create", input="waits")
        waiting = client.until("response.queued")[-1]["response"]["id"]
        for _ in range(3):
            client.send(type="response.steer", previous_response_id=waiting, input="x" * 40_000)
        assert client.until("response.steer.failed")[-1]["error"]["code"] == "steers_too_large"
        live.backend.gate.set()


@pytest.mark.parametrize("stops", [["x"] * 65, ["x" * 4097]])
def test_stop_texts_are_bounded(live, stops):
    messages = [{"role": "user", "content": "count"}]
    for path, body in (
        ("/v1/completions", {"prompt": "count", "stop": stops}),
        ("/v1/chat/completions", {"messages": messages, "stop": stops}),
        ("/v1/messages", {"messages": messages, "max_tokens": 1, "stop_sequences": stops}),
        ("/v1/responses", {"spark": {"instruction": "count", "stop_texts": stops}}),
    ):
        status, answer = asked(live, path, **body)
        assert (status, answer["error"]["param"]) == (400, "stop")


def _row(name, text=None, size=100_000):
    whole = name * size
    return ["a.py", 1, 1, digest(whole), *([whole] if text else [])]


def _asked_about(client, *rows):
    ends = client.turn(spark={"instruction": "count", "files": rows})[-1]
    return ends["error"]["code"] if ends["type"] == "error" else "answered"


def test_what_connections_have_sent_is_bounded_over_all_of_them():
    with serving(Counting(format="lines"), limits=ServerLimits(known_bytes=350_000)) as live:
        clients = [Raw(live) for _ in range(8)]
        known = live.context.known_texts
        for client, name in zip(clients, "abcdefgh", strict=True):
            assert _asked_about(client, _row(name, "sent")) == "answered"
            assert known.bytes < 350_000
        assert _asked_about(clients[5], _row("f")) == "answered"
        assert _asked_about(clients[0], _row("a")) == "unknown_text"  # and the least recently used go first
        assert _asked_about(clients[0], _row("a", "sent"), _row("a")) == "answered"
        assert _asked_about(clients[5], _row("f")) == "answered"
        assert _asked_about(clients[6], _row("g")) == "unknown_text"
        assert _asked_about(clients[7], _row("f")) == "unknown_text"  # what another has sent is not known
        assert _asked_about(clients[1], _row("é", "sent", 900_000)) == "context_length_exceeded"
        assert 900_000 <= known.bytes < 1_000_000
        for client in clients:
            client.close()
        until(lambda: not known.bytes)


def test_a_client_of_spark_sends_again_what_has_gone():
    with serving(Counting(format="lines"), limits=ServerLimits(known_bytes=1000)) as live:
        backends = [RemoteBackend(live.url, key="") for _ in range(2)]
        for turn in range(3):
            for n, backend in enumerate(backends):
                file = FilePart(f"{n}.py", f"x = {n}\n" * 200, 1, 200)
                events = list(backend.stream(Request(f"go {turn}", files=(file,)), threading.Event()))
                assert any(isinstance(event, Token) for event in events)
        for backend in backends:
            backend.close()
