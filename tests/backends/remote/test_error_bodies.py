"""What servers say when they refuse, as a person reads it."""

import json

import pytest
from support.event_streams import token_text
from support.scripted_model import STALL, Answer, ScriptedModel
from test_openai import Scripted, chat, chunk, run, sse

from spark_tui.backends.remote import error_bodies, event_stream
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.errors import MalformedInput, Misfit, NoBackend, SparkError
from spark_tui.events import AnswerEnded

JSON = {"content-type": "application/json"}
LITELLM = "litellm.BadRequestError: OpenAIException - {'error': {'message': 'no such tool', 'code': None}}"


def refusing(status, body, headers=JSON):
    return status, headers, body if isinstance(body, bytes) else json.dumps(body).encode()


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({"error": {"message": "plain"}}, "plain"),
        ({"error": "plain"}, "plain"),
        ({"error": ["one", "two"]}, "one; two"),
        ({"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}, "Overloaded"),
        ({"detail": "Not Found"}, "Not Found"),
        (
            {"detail": [{"loc": ["body", "model"], "msg": "field required", "type": "value_error.missing"}]},
            "body.model: field required",
        ),
        ({"detail": {"error": "Authentication failed"}}, "Authentication failed"),
        ({"detail": {"error": {"message": "no budget left"}}}, "no budget left"),
        ({"object": "error", "message": "bad model", "type": "NotFoundError", "code": 404}, "bad model"),
        ({"object": "error", "message": {"detail": [{"loc": ["body"], "msg": "extra"}]}}, "body: extra"),
        ({"message": "no Route matched"}, "no Route matched"),
        ({"success": False, "errors": [{"code": 7003, "message": "no account"}]}, "no account"),
        ([{"error": {"code": 400, "message": "API key not valid"}}], "API key not valid"),
        ({"error": {"message": LITELLM}}, "litellm.BadRequestError: OpenAIException: no such tool"),
        ({"error": {"message": {"error": {"message": "inner"}}}}, "inner"),
        ({"error": {"message": '{"detail": "inner"}'}}, "inner"),
        ({"error": {"message": "the set {1, 2}"}}, "the set {1, 2}"),
        ({"error": {"message": "{" * 3000 + "}"}}, None),
        ({"error": {"code": 5}}, ""),
        ({}, ""),
        (None, ""),
        (5, ""),
        ([[[[[[[[["deep"]]]]]]]]], ""),
    ],
)
def test_the_words_are_found_in_every_shape(body, said):
    read = error_bodies.read(body)
    assert read.said == said if said is not None else len(read.said) <= 500


@pytest.mark.parametrize(
    ("words", "wait"),
    [
        ("Limit 3, Used 3, Requested 1. Please try again in 20s.", 20.0),
        ("Rate limit reached on tokens per day. Please try again in 1m26.4s. Need more?", 86.4),
        ("Please try again in 428ms.", 0.428),
        ("Quota exceeded. " * 40 + "\nPlease retry in 37.5s.", 37.5),
        ("Please retry after 26 seconds.", 26.0),
        ("Try again in 2 minutes", 120.0),
        ("Try again in 3 shops", 0.0),
        ("Try again later, in 1.5", 0.0),
    ],
)
def test_a_time_that_only_the_words_name_is_waited_for(words, wait):
    assert error_bodies.read({"error": {"message": words}}).retry_after == pytest.approx(wait)
    assert error_bodies.read({"error": {"message": words, "retry_after": 5}}).retry_after == 5


@pytest.mark.parametrize(
    ("status", "body", "kind", "says"),
    [
        (400, {"detail": "unknown field"}, MalformedInput, "unknown field"),
        (422, {"detail": [{"loc": ["body", "n"], "msg": "too big"}]}, MalformedInput, "body.n: too big"),
        (400, {"message": "the request exceeds the available context size"}, Misfit, "smaller files"),
        (413, {"detail": "too large"}, Misfit, "smaller files"),
        (400, {"object": "error", "message": "Input length (9 tokens) exceeds it."}, Misfit, "smaller"),
        (422, {"error": "`inputs` tokens + `max_new_tokens` must be <= 4096"}, Misfit, "--max-tokens"),
        (400, [{"error": {"message": "The input token count (9) exceeds 8."}}], Misfit, "smaller files"),
        (400, {"error": {"message": "Your request exceeded model token limit: 8"}}, Misfit, "smaller files"),
        (400, {"message": "too many tokens: total number cannot exceed 8"}, Misfit, "smaller files"),
        (400, {"code": "x", "error": "This model's maximum prompt length is 8"}, Misfit, "smaller files"),
        (500, {"error": {"message": "Context size has been exceeded."}}, Misfit, "smaller files"),
        (500, {"error": {"message": "context shift is disabled", "code": 500}}, Misfit, "smaller files"),
        (400, {"message": "Input is too long for requested model."}, Misfit, "smaller files"),
        (400, {"error": {"message": "Please reduce the length of the messages."}}, Misfit, "smaller files"),
        (400, {"error": {"code": "1261", "message": "Prompt exceeds max length"}}, Misfit, "smaller files"),
        (
            400,
            {"message": "The decoder prompt (length 9) is longer than the maximum model length of 8."},
            Misfit,
            "smaller",
        ),
        (
            422,
            {"error": "Input validation error: `inputs` must have less than 8 tokens. Given: 9"},
            Misfit,
            "smaller",
        ),
        (400, {"message": "Range of input length should be [1, 8]"}, Misfit, "smaller files"),
        (400, {"error": {"message": "max_tokens exceeds the limit of 8"}}, MalformedInput, "--api"),
        (400, {"error": {"message": "prompt and `max_tokens` exceed context limit: 9"}}, Misfit, "smaller"),
        (400, {"error": {"message": "Your credit balance is too low"}}, NoBackend, "account"),
        (402, {"error": {"message": "Insufficient Balance"}}, NoBackend, "account"),
        (400, {"error": {"message": "bad request"}}, MalformedInput, "--api"),
        (405, {"detail": "Method Not Allowed"}, NoBackend, "--api"),
        (400, {"error": {"message": "show one", "code": "no_file_shown"}}, Misfit, "show one"),
        (401, {"detail": "Invalid token"}, NoBackend, "Invalid token"),
        (404, {"detail": "Not Found"}, NoBackend, "/v1"),
        (404, {"error": {"message": "GET /x/models does not exist here."}}, NoBackend, "end in /v1"),
        (
            404,
            {"type": "error", "error": {"type": "not_found_error", "message": "model: x"}},
            NoBackend,
            "which",
        ),
        (404, {"error": {"message": "model 'x' not found"}}, NoBackend, "which models"),
        (400, {"object": "error", "message": "Invalid model: m", "code": "1500"}, NoBackend, "which models"),
        (400, {"error": {"message": "m is not a valid model ID", "code": 400}}, NoBackend, "which models"),
        (400, {"error": {"message": "Model Not Exist"}}, NoBackend, "which models"),
        (422, {"error": {"message": "cannot", "param": "model"}}, NoBackend, "which models"),
        (400, {"error": {"message": "the model has no field x"}}, MalformedInput, "--api"),
    ],
)
def test_a_refusal_in_another_shape_is_an_error_of_its_kind(status, body, kind, says):
    with Scripted(refusing(status, body)) as server:
        backend = chat(server, key="k")
        with pytest.raises(kind) as caught:
            run(backend)
        assert says in str(caught.value)
        backend.close()


@pytest.mark.parametrize(
    ("answer", "says"),
    [
        (refusing(429, {"error": {"message": "slow down"}}, {**JSON, "retry-after": "7"}), "in 7 s"),
        (refusing(429, {"detail": "slow down"}), "later"),
        (refusing(500, {"detail": "it broke"}), "it broke"),
        (refusing(502, b"<html>bad gateway</html>"), "answered with status 502"),
        (refusing(503, {"error": {"message": "Loading model"}}), "loading"),
    ],
)
def test_a_server_that_answers_is_not_asked_whether_its_address_is_right(answer, says):
    with Scripted(answer) as server:
        backend = chat(server, retries=RetryLimits(1))
        with pytest.raises(NoBackend) as caught:
            run(backend)
        assert says in str(caught.value)
        assert "address" not in str(caught.value)
        backend.close()


@pytest.mark.parametrize(
    ("status", "headers", "pauses"),
    [
        (503, JSON, [2, 4, 8, 16]),
        (429, {**JSON, "retry-after": "7"}, [7.2, 7.4, 7.8, 8.6]),
        (500, JSON, [0.2, 0.4, 0.8, 1.6]),
    ],
)
def test_a_server_that_is_overloaded_and_does_not_say_until_when_is_given_time(status, headers, pauses):
    with Scripted(refusing(status, {}, headers)) as server:
        backend = chat(server)
        endpoint = backend._endpoint
        with endpoint.request("GET", "/models") as answer:
            busy = endpoint.problem_of(status, endpoint.read_refusal(answer))
        backend.close()
    limits = RetryLimits(jitter=lambda: 1.0)
    assert [limits.pause(attempt, busy) for attempt in range(4)] == pytest.approx(pauses)
    assert RetryLimits(longest_seconds=10.0, jitter=lambda: 1.0).pause(3, busy) <= 10.0
    assert (RetryLimits(jitter=lambda: 0.0).pause(3, busy) == 8) == (status == 503)


def test_a_server_that_does_not_answer_is_asked_for_its_address():
    with Scripted() as server:
        url = server.url
    backend = RemoteBackend(url, "m", key="", retries=RetryLimits(1))
    with pytest.raises(NoBackend, match="address"):
        run(backend)


@pytest.mark.parametrize(
    "listing",
    [
        refusing(404, {"detail": "Not Found"}),
        refusing(404, b"404 page not found", {}),
        refusing(405, {}),
        refusing(403, {"error": {"message": "You have insufficient permissions"}}),
        refusing(500, {"detail": "Internal Server Error"}),
        refusing(200, b"<html>"),
        refusing(200, {"data": 5}),
        refusing(200, {"data": [5, {"id": "x", "fills_from": 10**400, "context_window": "big"}]}),
    ],
)
def test_a_model_that_was_named_needs_no_list_of_models(listing):
    with Scripted(listing, sse(chunk("hello")), sse(chunk("again"))) as server:
        backend = RemoteBackend(server.url, "named", key="")
        backend.warm_up()
        assert [token_text(run(backend)), token_text(run(backend))] == ["hello", "again"]
        assert [path for path, *_ in server.asked] == ["/v1/models", *["/v1/chat/completions"] * 2]
        assert server.asked[1][2]["model"] == "named"
        backend.close()


def test_without_a_name_the_missing_list_is_said():
    with Scripted(refusing(404, {"detail": "Not Found"})) as server:
        backend = RemoteBackend(server.url, key="")
        with pytest.raises(NoBackend, match="Not Found"):
            run(backend)
        backend.close()


def test_a_key_that_is_not_taken_is_said_at_once():
    with Scripted(refusing(401, {"detail": "bad key"})) as server:
        backend = RemoteBackend(server.url, "named", key="k")
        with pytest.raises(NoBackend, match="bad key"):
            backend.warm_up()
        backend.close()


def test_a_list_of_models_may_stand_bare():
    with Scripted(refusing(200, [{"id": "one", "context_length": 7}])) as server:
        backend = RemoteBackend(server.url, key="")
        assert [(model.name, model.window) for model in backend.models()] == [("one", 7)]
        backend.close()


@pytest.mark.parametrize(
    "event",
    [
        {"choices": 5},
        {"choices": [5]},
        {"choices": [{"delta": "x"}]},
        {"choices": [{"delta": {"content": 5}}]},
        {"usage": {"prompt_tokens": "x", "prompt_tokens_details": 5}},
        {"error": None},
    ],
)
def test_an_event_of_another_shape_is_passed_over(event):
    with Scripted(sse(event, chunk("text"))) as server:
        backend = chat(server)
        assert token_text(run(backend)) == "text"
        backend.close()


@pytest.mark.parametrize(
    "event",
    [
        {"error": {"message": "ran out", "code": "400"}},
        {"error": "ran out"},
        {"error": {"message": "ran out", "code": [5]}},
        {"object": "error", "message": "ran out", "code": 400},
        {"detail": "ran out"},
    ],
)
def test_an_error_in_the_stream_is_read_in_every_shape(event):
    with Scripted(sse(event)) as server:
        backend = chat(server)
        with pytest.raises(SparkError, match="ran out"):
            run(backend)
        backend.close()


@pytest.mark.parametrize("reason", ["abort", "error", "insufficient_system_resource"])
def test_an_answer_that_the_server_gave_up_has_broken_off(reason):
    with ScriptedModel(Answer("half", reason=reason)) as server:
        backend = chat(server)
        with pytest.raises(NoBackend, match=f"broke off: the server ended it .{reason}"):
            run(backend)
        backend.close()


@pytest.mark.parametrize(
    ("api", "reason"),
    [
        ("chat", "length"),
        ("chat", "max_tokens"),
        ("chat", "model_length"),
        ("messages", "model_context_window_exceeded"),
    ],
)
def test_the_token_limit_has_several_names(api, reason):
    with ScriptedModel(Answer("half", reason=reason)) as server:
        backend = RemoteBackend(server.url, "m", key="", api=api)
        assert [event.reason for event in run(backend) if isinstance(event, AnswerEnded)] == ["length"]
        backend.close()


def test_a_silent_server_is_asked_once():
    with ScriptedModel(Answer(STALL)) as server:
        backend = chat(server)
        backend._endpoint.first_token_seconds = 0.2
        with pytest.raises(NoBackend, match="still reading a long prompt"):
            run(backend)
        assert len(server.bodies) == 1
        backend.close()


QUIET = [
    {"type": "response.created", "response": {"id": "r"}},
    {"type": "response.output_item.added", "output_index": 0, "item": {"type": "reasoning", "id": "t"}},
    {"type": "response.reasoning_summary_text.delta", "delta": "hm"},
    {"choices": [{"index": 0, "delta": {"role": "assistant", "content": ""}}]},
    {"type": "message_start", "message": {"id": "m"}},
]
LOUD = [
    {"type": "response.output_text.delta", "delta": "x"},
    {"type": "content_block_delta", "delta": {"type": "text_delta", "text": "x"}},
    {"choices": [{"index": 0, "delta": {"content": "x"}}]},
]


def test_a_model_that_thinks_without_telling_is_waited_for_as_before_its_first_token():
    assert all(event_stream.is_quiet(event, True) for event in QUIET)
    assert not any(event_stream.is_quiet(event, True) for event in LOUD)
    assert event_stream.is_quiet(QUIET[1], False) and not event_stream.is_quiet(QUIET[2], False)


@pytest.mark.parametrize("kind", ["application/json", "text/plain", ""])
def test_events_are_read_whatever_their_type_says(kind):
    _, _, body = sse(chunk("one "), chunk("two"))
    headers = {"content-type": kind} if kind else {}
    with Scripted((200, headers, b": hello\n\n" + body)) as server:
        backend = chat(server)
        assert token_text(run(backend)) == "one two"
        backend.close()


def test_an_error_in_place_of_events_is_read_whatever_its_type_says():
    headers = {"content-type": "text/event-stream"}
    with Scripted((200, headers, b'{"error": "the runner has died"}\n')) as server:
        backend = chat(server)
        with pytest.raises(MalformedInput, match="the runner has died"):
            run(backend)
        backend.close()
