"""Resuming a response: twice at once, past its end, where there is no place, after its last token."""

import json

import pytest
from support.http_client import ask
from support.serving import Counting, Raw, serving, text_of, until

from spark_tui.serve.limits import ServerLimits


class Lingering(Counting):
    """Counts, and ends only when it is told to stop."""

    def stream(self, request, stop):
        yield from super().stream(request, stop)
        stop.wait()


def suspended(live, client, tokens=30):
    """A response whose client left after five tokens: its id, and the number of the last event it got."""
    live.backend.hold(at=5)
    client.send(type="response.create", input="count", max_output_tokens=tokens)
    until(lambda: live.backend.steps == 5)
    seen = client.until("response.output_text.delta")
    client.close()
    until(lambda: live.backend.running == 0 and not live.context.registry.running)
    return seen[0]["response"]["id"], seen[-1]["sequence_number"], text_of(seen)


def test_a_resume_for_which_there_is_no_place_can_be_asked_for_again():
    with serving(limits=ServerLimits(active=1, queued=0)) as live:
        response_id, after, begun = suspended(live, Raw(live))
        other = Raw(live)
        other.send(type="response.create", input="occupies the place", max_output_tokens=6)
        until(lambda: live.backend.running == 1)
        client = Raw(live)
        client.send(type="response.resume", response_id=response_id, starting_after=after)
        assert client.next()["error"]["code"] == "queue_full"
        live.backend.gate.set()
        other.until("response.incomplete")
        client.send(type="response.resume", response_id=response_id, starting_after=after)
        rest = client.until("response.incomplete")
        assert begun + text_of(rest) == "".join(f"{n} " for n in range(30))


def test_two_resumes_at_once_read_the_same_events(live, client):
    response_id, after, begun = suspended(live, client)
    both = [Raw(live), Raw(live)]
    for reader in both:
        reader.send(type="response.resume", response_id=response_id, starting_after=after)
    live.backend.gate.set()
    first, second = (reader.until("response.incomplete") for reader in both)
    assert first == second
    assert begun + text_of(first) == "".join(f"{n} " for n in range(30))
    assert len(live.backend.requests) == 2


@pytest.mark.parametrize("past", [1, 10**9])
def test_a_resume_past_the_last_event_is_refused_and_not_waited_for(live, client, past):
    response_id, after, _ = suspended(live, client)
    again, last = Raw(live), len(live.context.registry.store._turns[response_id].log) - 1
    again.send(type="response.resume", response_id=response_id, starting_after=last + past)
    error = again.next()
    assert (error["status"], error["error"]["param"]) == (400, "starting_after")
    url = f"/v1/responses/{response_id}?stream=true&starting_after={last + past}"
    status, _, text = ask(live, "GET", url)
    assert (status, json.loads(text)["error"]["param"]) == (400, "starting_after")
    live.backend.gate.set()
    again.send(type="response.resume", response_id=response_id, starting_after=after)
    assert again.until("response.incomplete")


def test_a_client_that_left_after_the_last_token_is_told_the_end_without_the_model():
    with serving(Lingering()) as live:
        client = Raw(live)
        client.send(type="response.create", input="count", max_output_tokens=3)
        until(lambda: live.backend.steps == 3)
        seen = client.until("response.output_text.delta")
        client.close()
        until(lambda: not live.context.registry.running)
        again = Raw(live)
        again.send(type="response.resume", response_id=seen[0]["response"]["id"], starting_after=-1)
        ended = again.until("response.incomplete", "response.failed")
        assert ended[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
        assert text_of(ended) == "0 1 2 "
        assert len(live.backend.requests) == 1
