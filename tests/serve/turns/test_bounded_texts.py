"""Texts of clients that the server holds: in kept responses, and in messages that wait."""

import pytest
from support.http_client import asked
from support.serving import Counting, Raw, serving

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
