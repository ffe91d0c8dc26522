"""`store: false`: the connection remembers the response, nobody else does, and nobody does after it."""

from support.http_client import ask
from support.serving import Raw, serving, until

from spark_tui.serve.limits import ServerLimits


def test_a_response_that_is_not_stored_is_followed_on_its_own_connection(live):
    client = Raw(live)
    first = client.turn(input="one", max_output_tokens=2, store=False)[-1]["response"]["id"]
    second = client.turn(input="two", previous_response_id=first, max_output_tokens=1, store=False)[-1]
    assert second["type"] == "response.incomplete"
    assert [(e.instruction, e.answer) for e in live.backend.requests[-1].history] == [("one", "0 1 ")]
    third = client.turn(input="three", previous_response_id=second["response"]["id"], max_output_tokens=1)[-1]
    assert third["type"] == "response.incomplete"
    assert len(live.backend.requests[-1].history) == 2


def test_a_response_that_is_not_stored_does_not_exist_for_others(live):
    client = Raw(live)
    made = client.turn(input="one", max_output_tokens=1, store=False)[-1]["response"]["id"]
    assert ask(live, "GET", f"/v1/responses/{made}")[0] == 404
    assert ask(live, "POST", "/v1/responses", {"input": "x", "previous_response_id": made})[0] == 404
    other = Raw(live).turn(input="two", previous_response_id=made)[-1]
    assert other["error"]["code"] == "response_not_found"


def test_a_response_that_is_not_stored_goes_with_its_connection(live):
    client = Raw(live)
    client.turn(input="one", max_output_tokens=1, store=False)
    live.backend.hold(at=0)
    client.send(type="response.create", input="two", store=False)
    client.until("response.created")
    assert len(live.context.registry.store) == 2
    client.close()
    until(lambda: len(live.context.registry.store) == 0)
    assert live.context.registry.store.bytes == 0


def test_a_response_that_is_not_stored_can_be_steered_and_stopped_and_what_follows_is_not_stored_either(live):
    client = Raw(live)
    live.backend.hold(at=1)
    client.send(type="response.create", input="count", max_output_tokens=50, store=False)
    first = client.until("response.output_text.delta")[0]["response"]["id"]
    client.send(type="response.steer", previous_response_id=first, input="backwards")
    client.until("response.incomplete")
    second = client.until("response.created")[-1]["response"]["id"]
    assert ask(live, "GET", f"/v1/responses/{second}")[0] == 404
    client.send(type="response.cancel", response_id=second)
    assert client.until("response.incomplete")[-1]["response"]["incomplete_details"] == {
        "reason": "interrupted"
    }
    client.close()
    until(lambda: len(live.context.registry.store) == 0)


def test_responses_that_are_not_stored_are_bounded_by_memory_too():
    with serving(limits=ServerLimits(store_bytes=30_000)) as live:
        client = Raw(live)
        for _ in range(20):
            client.turn(input="count", max_output_tokens=1, store=False)
        assert len(live.context.registry.store) < 10
