"""Texts of clients that the server holds: in kept responses, and in messages that wait."""

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
