"""The WebSocket: turns, steering, cancelling, resuming, and everything a client can do wrong."""

import json

import pytest
from support.serving import Counting, Raw, Saying, serving, text_of, until

from spark_tui.backends.base import Splice
from spark_tui.errors import Misfit
from spark_tui.serve.limits import ServerLimits


def test_a_turn_is_the_documented_events_in_order_with_rising_numbers(client):
    events = client.turn(input="count", max_output_tokens=4)
    kinds = [event["type"] for event in events]
    assert kinds[:4] == [
        "response.created",
        "response.in_progress",
        "response.output_item.added",
        "response.content_part.added",
    ]
    assert set(kinds[4:-4]) == {"response.output_text.delta"}
    assert kinds[-4:] == [
        "response.output_text.done",
        "response.content_part.done",
        "response.output_item.done",
        "response.incomplete",
    ]
    assert [event["sequence_number"] for event in events] == list(range(len(events)))
    assert text_of(events) == "0 1 2 3 "
    final = events[-1]["response"]
    assert final["incomplete_details"] == {"reason": "max_output_tokens"}
    assert final["output"][0]["content"][0]["text"] == "0 1 2 3 "
    assert final["usage"]["output_tokens"] == 4
    assert final["usage"]["input_tokens_details"] == {"cached_tokens": 1}


def test_what_fails_while_a_prompt_is_counted_ends_neither_the_connection_nor_the_next_turn(
    live, client, monkeypatch
):
    async def fails(context, turn):
        raise RuntimeError("nobody thought of this")

    monkeypatch.setattr(type(live.context), "surely_fits", lambda context, turn: False)
    monkeypatch.setattr(type(live.context), "fits", fails)
    client.send(type="response.create", input="count", event_id="e1")
    (error,) = client.until("error")
    assert (error["status"], error["error"]["code"], error["event_id"]) == (500, "internal_error", "e1")
    monkeypatch.undo()
    assert text_of(client.turn(input="count", max_output_tokens=2)) == "0 1 "


def test_a_text_that_ends_by_itself_is_completed():
    with serving(Saying("done it")) as live:
        events = Raw(live).turn(input="say")
        assert events[-1]["type"] == "response.completed"
        assert text_of(events) == "done it"


def test_a_follow_up_knows_the_turn_before(live, client):
    first = client.turn(input="one", max_output_tokens=2)[-1]["response"]["id"]
    client.turn(input="two", previous_response_id=first, max_output_tokens=1)
    request = live.backend.requests[-1]
    assert request.instruction == "two"
    assert [(e.instruction, e.answer) for e in request.history] == [("one", "0 1 ")]


def test_a_cancel_stops_within_one_step_and_keeps_what_was_said(live, client):
    live.backend.hold(at=3)
    client.send(type="response.create", input="count", max_output_tokens=1000)
    until(lambda: live.backend.steps == 3)
    created = client.until("response.output_text.delta")[0]
    client.send(type="response.cancel", response_id=created["response"]["id"])
    ended = client.until("response.incomplete")[-1]["response"]
    assert ended["incomplete_details"] == {"reason": "interrupted"}
    live.backend.gate.set()
    assert live.backend.steps == 3
    assert ended["output"][0]["content"][0]["text"] == "0 1 2 "


def test_a_steer_counts_when_the_successor_is_created(live, client):
    live.backend.hold(at=3)
    client.send(type="response.create", input="count", max_output_tokens=50)
    until(lambda: live.backend.steps == 3)
    first = client.until("response.output_text.delta")[0]["response"]["id"]
    client.send(type="response.steer", previous_response_id=first, input="backwards")
    events = client.until("response.incomplete")
    assert "response.steer.accepted" in [event["type"] for event in events]
    assert events[-1]["response"]["incomplete_details"] == {"reason": "steered"}
    assert events[-1]["response"]["output"][0]["content"][0]["text"] == "0 1 2 "
    created = client.until("response.created")[-1]["response"]
    assert created["previous_response_id"] == first
    live.backend.gate.set()
    client.until("response.incomplete")
    request = live.backend.requests[-1]
    assert (request.instruction, request.steer) == ("count", "backwards")
    assert request.emitted == (1000, 1001, 1002)


def test_a_second_steer_makes_the_first_ones_talk_history(live, client):
    live.backend.hold(at=0)
    client.send(type="response.create", input="count", max_output_tokens=5)
    first = client.until("response.created")[-1]["response"]["id"]
    client.send(type="response.steer", previous_response_id=first, input="one")
    second = client.until("response.created")[-1]["response"]["id"]
    client.send(type="response.steer", previous_response_id=second, input="two")
    client.until("response.created")
    live.backend.gate.set()
    client.until("response.incomplete")
    request = live.backend.requests[-1]
    assert [(e.instruction, e.outcome) for e in request.history] == [("count", "steered")]
    assert (request.instruction, request.steer) == ("one", "two")


def test_a_backend_that_takes_several_messages_in_an_answer_gets_them_where_they_came(live, client):
    live.backend.takes_splices = True
    live.backend.hold(at=2)
    client.send(type="response.create", input="count", max_output_tokens=9)
    first = client.until("response.output_text.delta")[0]["response"]["id"]
    until(lambda: live.backend.steps == 2)
    client.send(type="response.steer", previous_response_id=first, input="one")
    second = client.until("response.incomplete", "response.created")
    second = client.until("response.created")[-1]["response"]["id"]
    live.backend.hold_at = 5
    until(lambda: live.backend.steps == 5)
    client.send(type="response.steer", previous_response_id=second, input="two")
    client.until("response.created")
    live.backend.gate.set()
    client.until("response.incomplete")
    request = live.backend.requests[-1]
    assert (request.instruction, request.history, request.steer) == ("count", (), "two")
    assert request.spliced == (Splice((1000, 1001), "one"),)
    assert request.emitted == (1002, 1003, 1004)


@pytest.mark.parametrize("splices", [True, False])
def test_a_steered_turn_that_is_resumed_keeps_its_message_before_what_it_led_to(live, client, splices):
    live.backend.takes_splices = splices
    live.backend.hold(at=1)
    client.send(type="response.create", input="count", max_output_tokens=9)
    first = client.until("response.output_text.delta")[0]["response"]["id"]
    until(lambda: live.backend.steps == 1)
    client.send(type="response.steer", previous_response_id=first, input="one")
    second = client.until("response.created")[-1]["response"]["id"]
    live.backend.hold_at = 3
    until(lambda: live.backend.steps == 3)
    client.close()
    until(lambda: not live.context.registry.running)
    live.backend.gate.set()
    again = Raw(live)
    again.send(type="response.resume", response_id=second)
    assert len(text_of(again.until("response.incomplete")).split()) == 9
    request = live.backend.requests[-1]
    if splices:
        assert (request.spliced, request.steer) == ((Splice((1000,), "one"),), "")
        assert (request.instruction, request.emitted) == ("count", (1001, 1002))
    else:
        assert [(e.instruction, e.answer) for e in request.history] == [("count", "0 ")]
        assert (request.instruction, request.emitted, request.steer) == ("one", (1001, 1002), "")


def test_a_steer_that_comes_too_late_gives_its_text_back(client):
    ended = client.turn(input="count", max_output_tokens=1)[-1]["response"]["id"]
    client.send(type="response.steer", previous_response_id=ended, input="please turn around")
    failed = client.until("response.steer.failed")[-1]
    assert failed["input"] == "please turn around"
    assert failed["error"]["code"] == "not_streaming"
    client.send(type="response.steer", previous_response_id="resp_none", input="hello")
    assert client.next()["error"]["code"] == "response_not_found"


def test_a_dropped_connection_stops_the_turn_and_resumes_it_without_a_seam(live, client):
    live.backend.hold(at=5)
    client.send(type="response.create", input="count", max_output_tokens=30)
    until(lambda: live.backend.steps == 5)
    seen = client.until("response.output_text.delta")
    response_id = seen[0]["response"]["id"]
    client.close()
    until(lambda: live.backend.running == 0)
    live.backend.gate.set()
    again = Raw(live)
    again.send(type="response.resume", response_id=response_id, starting_after=seen[-1]["sequence_number"])
    rest = again.until("response.incomplete")
    assert text_of(seen) + text_of(rest) == "".join(f"{n} " for n in range(30))
    numbers = [event["sequence_number"] for event in seen + rest]
    assert numbers == list(range(len(numbers)))
    assert live.backend.steps == 30
    assert live.backend.requests[-1].emitted == (1000, 1001, 1002, 1003, 1004)


def test_a_finished_response_can_be_read_again_from_any_number(live, client):
    events = client.turn(input="count", max_output_tokens=3)
    client.send(type="response.resume", response_id=events[0]["response"]["id"], starting_after=2)
    assert client.until("response.incomplete") == events[3:]


def test_a_background_turn_goes_on_without_its_client(live, client):
    client.send(type="response.create", input="count", max_output_tokens=40, background=True)
    response_id = client.until("response.created")[-1]["response"]["id"]
    client.close()
    until(lambda: live.backend.steps == 40)
    again = Raw(live)
    again.send(type="response.resume", response_id=response_id)
    assert text_of(again.until("response.incomplete")).split() == [str(n) for n in range(40)]


def test_warming_reads_the_prompt_and_says_nothing(live, client):
    events = client.turn(input="a.py\n```\nx = 1\n```\n", generate=False)
    assert events[-1]["type"] == "response.completed"
    assert text_of(events) == ""
    request = live.backend.requests[-1]
    assert request.kind == "warm"
    assert request.files[0].path == "a.py"
    client.turn(input="go", previous_response_id=events[-1]["response"]["id"], max_output_tokens=1)
    assert live.backend.requests[-1].files[0].text == "x = 1\n"
    assert live.backend.requests[-1].history == ()


def test_several_turns_share_a_connection(live, client):
    live.backend.hold(at=0)
    for name in "abc":
        client.send(type="response.create", input=name, max_output_tokens=2)
    until(lambda: live.backend.running == 3)
    live.backend.gate.set()
    ended = [client.until("response.incomplete")[-1]["response"]["id"] for _ in range(3)]
    assert len(set(ended)) == 3


def test_a_connection_has_a_bound_on_open_turns():
    with serving(limits=ServerLimits(turns_per_connection=2)) as live:
        live.backend.hold(at=0)
        client = Raw(live)
        for _ in range(3):
            client.send(type="response.create", input="x")
        error = client.until("error")[-1]
        assert (error["status"], error["error"]["code"]) == (429, "too_many_turns")
        live.backend.gate.set()


def test_the_error_of_a_backend_is_the_failure_of_the_response():
    with serving(Counting(error=Misfit("too long", hint="Show less."), error_at=2)) as live:
        events = Raw(live).turn(input="count")
        assert events[-1]["type"] == "response.failed"
        assert events[-1]["response"]["error"] == {
            "code": "context_length_exceeded",
            "message": "too long. Show less.",
        }
        assert text_of(events) == "0 1 "


def test_a_bug_in_a_backend_is_an_error_without_its_secrets():
    with serving(Counting(error=RuntimeError("/home/someone/secret"), error_at=0)) as live:
        error = Raw(live).turn(input="count")[-1]["response"]["error"]
        assert error["code"] == "internal_error"
        assert "secret" not in json.dumps(error)
        assert live.context.registry.running == set()


@pytest.mark.parametrize(
    ("event", "code"),
    [
        ({"type": "nonsense"}, "unknown_event"),
        ({}, "unknown_event"),
        ({"type": ["response.create"]}, "unknown_event"),
        ({"type": "response.create"}, "invalid_type"),
        ({"type": "response.create", "input": 7}, "invalid_type"),
        ({"type": "response.create", "input": []}, "missing_instruction"),
        ({"type": "response.create", "input": [3]}, "invalid_type"),
        ({"type": "response.create", "input": [{"role": "wizard", "content": "x"}]}, "invalid_value"),
        (
            {"type": "response.create", "input": [{"role": "user", "content": [{"type": "i"}]}]},
            "unsupported_content",
        ),
        ({"type": "response.create", "input": "x", "max_output_tokens": 0}, "invalid_value"),
        ({"type": "response.create", "input": "x", "max_output_tokens": "many"}, "invalid_type"),
        ({"type": "response.create", "input": "x", "temperature": 9}, "invalid_value"),
        ({"type": "response.create", "input": "x", "temperature": float("nan")}, "invalid_value"),
        ({"type": "response.create", "input": "x", "stream": "yes"}, "invalid_type"),
        ({"type": "response.create", "input": "x", "model": "../../etc/passwd"}, "model_not_found"),
        ({"type": "response.create", "input": "x", "model": {"a": 1}}, "invalid_type"),
        (
            {"type": "response.create", "input": "x", "previous_response_id": "resp_gone"},
            "response_not_found",
        ),
        ({"type": "response.create", "spark": []}, "invalid_value"),
        ({"type": "response.create", "spark": {"files": [["a.py", 1, 1, "0" * 32]]}}, "unknown_text"),
        ({"type": "response.create", "spark": {"instruction": "x", "max_tokens": -1}}, "invalid_value"),
        ({"type": "response.cancel"}, "invalid_type"),
        ({"type": "response.cancel", "response_id": "resp_other"}, "response_not_found"),
        ({"type": "response.resume", "response_id": "resp_other"}, "response_not_found"),
    ],
)
def test_what_cannot_be_done_is_an_error_event_and_the_connection_continues(client, event, code):
    client.send(**event, event_id="mine")
    error = client.next()
    assert error["type"] == "error"
    assert error["event_id"] == "mine"
    assert error["error"]["code"] == code
    assert 400 <= error["status"] < 500
    assert text_of(client.turn(input="still there?", max_output_tokens=1)) == "0 "


def test_unknown_members_are_named_and_do_no_harm(client):
    events = client.turn(input="count", max_output_tokens=1, brand_new_option=True)
    assert events[0]["response"]["spark_ignored"] == ["brand_new_option"]


def test_a_prompt_past_the_window_is_refused_with_counts(client):
    error = client.turn(input="word " * 5000)[-1]
    assert error["status"] == 400
    assert error["error"]["code"] == "context_length_exceeded"
    assert (error["error"]["prompt_tokens"], error["error"]["window"]) == (5000, 4096)
