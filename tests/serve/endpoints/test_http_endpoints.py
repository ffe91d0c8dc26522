"""The HTTP endpoints, asked with a plain client."""

import json

import pytest
from support.http_client import ask, asked, events
from support.serving import Counting, Raw, Saying, serving, until

from spark_tui.errors import NoBackend
from spark_tui.serve.limits import ServerLimits


def test_a_response_comes_whole(live):
    status, body = asked(live, "/v1/responses", input="count", max_output_tokens=3)
    assert status == 200
    assert body["object"] == "response"
    assert body["status"] == "incomplete"
    assert body["output"][0]["content"][0]["text"] == "0 1 2 "


def test_a_streamed_response_names_each_event_as_its_data_does(live):
    _, headers, text = ask(
        live, "POST", "/v1/responses", {"input": "count", "max_output_tokens": 3, "stream": True}
    )
    assert headers["content-type"].startswith("text/event-stream")
    seen = [(name, json.loads(data)) for name, data in events(text)]
    assert all(name == data["type"] for name, data in seen)
    assert [data["sequence_number"] for _, data in seen] == list(range(len(seen)))
    assert "".join(data["delta"] for name, data in seen if name == "response.output_text.delta") == "0 1 2 "


def test_a_response_can_be_read_followed_cancelled_and_deleted(live):
    _, body = asked(live, "/v1/responses", input="one", max_output_tokens=2)
    path = f"/v1/responses/{body['id']}"
    assert json.loads(ask(live, "GET", path)[2]) == body
    _, _, tail = ask(live, "GET", f"{path}?stream=true&starting_after=4")
    assert json.loads(events(tail)[0][1])["sequence_number"] == 5
    asked(live, "/v1/responses", input="two", previous_response_id=body["id"], max_output_tokens=1)
    assert live.backend.requests[-1].history[0].instruction == "one"
    assert json.loads(ask(live, "POST", f"{path}/cancel")[2])["status"] == "incomplete"
    assert json.loads(ask(live, "DELETE", path)[2])["deleted"] is True
    assert ask(live, "GET", path)[0] == 404


def test_a_background_response_is_polled_and_cancelled(live):
    live.backend.hold(at=2)
    _, body = asked(live, "/v1/responses", input="count", background=True)
    assert body["status"] == "in_progress"
    until(lambda: live.backend.steps == 2)
    until(lambda: json.loads(ask(live, "GET", f"/v1/responses/{body['id']}")[2])["output"] != [])
    _, _, text = ask(live, "POST", f"/v1/responses/{body['id']}/cancel")
    assert json.loads(text)["incomplete_details"] == {"reason": "interrupted"}
    assert live.backend.steps == 2


def test_store_false_is_forgotten(live):
    _, body = asked(live, "/v1/responses", input="count", max_output_tokens=1, store=False)
    assert ask(live, "GET", f"/v1/responses/{body['id']}")[0] == 404
    assert len(live.context.registry.store) == 0


def test_chat_completions_whole_and_streamed_say_the_same(live):
    body = {"messages": [{"role": "user", "content": "count"}], "max_tokens": 3}
    _, whole = asked(live, "/v1/chat/completions", **body)
    assert whole["choices"][0]["message"]["content"] == "0 1 2 "
    assert whole["choices"][0]["finish_reason"] == "length"
    assert whole["usage"]["completion_tokens"] == 3
    _, _, text = ask(
        live,
        "POST",
        "/v1/chat/completions",
        {**body, "stream": True, "stream_options": {"include_usage": True}},
    )
    seen = events(text)
    assert seen[-1] == (None, "[DONE]")
    chunks = [json.loads(data) for _, data in seen[:-1]]
    assert "".join(c["choices"][0]["delta"].get("content", "") for c in chunks if c["choices"]) == "0 1 2 "
    assert chunks[-1]["usage"]["total_tokens"] == whole["usage"]["total_tokens"]
    assert chunks[-2]["choices"][0]["finish_reason"] == "length"


def test_a_conversation_becomes_rules_history_and_instruction(live):
    messages = [
        {"role": "system", "content": "be brief"},
        {"role": "user", "content": "one"},
        {"role": "assistant", "content": "1"},
        {"role": "user", "content": [{"type": "text", "text": "two"}]},
    ]
    asked(live, "/v1/chat/completions", messages=messages, max_tokens=1, seed=4, temperature=0.5, stop=["x"])
    request = live.backend.requests[-1]
    assert (request.rules, request.instruction) == ("be brief", "two")
    assert [(e.instruction, e.answer) for e in request.history] == [("one", "1")]
    assert (request.seed, request.temperature, request.stop_texts) == (4, 0.5, ("x",))


def test_what_a_client_says_of_itself_is_no_message_of_the_person(live):
    context = "<environment_context>\n  <cwd>/home</cwd>\n</environment_context>"
    messages = [{"role": "user", "content": said} for said in (context, "one", "two")]
    asked(live, "/v1/chat/completions", messages=messages, max_tokens=1)
    request = live.backend.requests[-1]
    assert (request.rules, request.instruction) == (context, "two")
    assert [e.instruction for e in request.history] == ["one"]
    asked(live, "/v1/chat/completions", messages=messages[:1], max_tokens=1)
    assert live.backend.requests[-1].instruction == context


def test_completions_go_on_or_fill_the_middle(live):
    _, body = asked(live, "/v1/completions", prompt="def f(", max_tokens=2, echo=True)
    assert body["choices"][0]["text"] == "def f(0 1 "
    assert (live.backend.requests[-1].kind, live.backend.requests[-1].prefix) == ("raw", "def f(")
    _, _, text = ask(
        live, "POST", "/v1/completions", {"prompt": "a", "suffix": "z", "max_tokens": 2, "stream": True}
    )
    chunks = [json.loads(data) for _, data in events(text)[:-1]]
    assert "".join(chunk["choices"][0]["text"] for chunk in chunks) == "0 1 "
    request = live.backend.requests[-1]
    assert (request.kind, request.prefix, request.suffix) == ("fill", "a", "z")


def test_a_prediction_reaches_the_backend(live):
    prediction = {"type": "content", "content": [{"type": "text", "text": "x = 1\n"}]}
    asked(
        live,
        "/v1/chat/completions",
        messages=[{"role": "user", "content": "c"}],
        max_tokens=1,
        prediction=prediction,
    )
    assert live.backend.requests[-1].prediction == "x = 1\n"


def test_a_stop_text_ends_the_text_and_the_work():
    with serving() as live:
        _, body = asked(live, "/v1/completions", prompt="x", max_tokens=8000, stop="4 ")
        assert body["choices"][0] == {
            "index": 0,
            "logprobs": None,
            "finish_reason": "stop",
            "text": "0 1 2 3 ",
        }
        assert live.backend.steps < 8000


def test_the_models_are_listed_with_window_and_format(live):
    _, _, text = ask(live, "GET", "/v1/models")
    (model,) = json.loads(text)["data"]
    assert (model["id"], model["context_window"], model["edit_format"]) == (
        "counting",
        4096,
        "search_replace",
    )
    assert json.loads(ask(live, "GET", "/v1/models/counting")[2]) == model
    assert ask(live, "GET", "/v1/models/..%2F..%2Fetc%2Fpasswd")[0] == 404


def test_several_models_and_other_names_for_them():
    two = {"one": Counting("one"), "two": Saying("hello")}
    with serving(two, aliases={"gpt-like": "two"}) as live:
        assert asked(live, "/v1/responses", input="x", model="gpt-like")[1]["model"] == "gpt-like"
        assert two["two"].requests and not two["one"].requests


def test_health_and_metrics_count_what_happened(live):
    assert json.loads(ask(live, "GET", "/healthz")[2]) == {"status": "ok"}
    asked(live, "/v1/responses", input="count", max_output_tokens=3)
    asked(live, "/v1/responses", input=7)
    _, _, text = ask(live, "GET", "/metrics")
    assert "spark_tokens_total 3" in text
    assert 'spark_turns_total{outcome="max_output_tokens"} 1' in text
    assert 'spark_problems_total{code="invalid_type"} 1' in text
    assert "spark_first_token_seconds_count 1" in text


def test_large_counters_are_written_in_full(live):
    live.context.metrics.add("spark_model_tokens_total", 1_234_567, model="counting")
    assert 'spark_model_tokens_total{model="counting"} 1234567\n' in ask(live, "GET", "/metrics")[2]


@pytest.mark.parametrize(
    ("path", "body", "status", "code"),
    [
        ("/v1/responses", b"", 400, "invalid_json"),
        ("/v1/responses", b"{", 400, "invalid_json"),
        ("/v1/responses", b"\xff\xfe", 400, "invalid_json"),
        ("/v1/responses", b"[" * 200_000, 400, "invalid_json"),
        ("/v1/responses", b"[]", 400, "invalid_type"),
        ("/v1/chat/completions", b"{}", 400, "invalid_type"),
        ("/v1/chat/completions", b'{"messages": [{"role": "user"}]}', 400, "missing_instruction"),
        (
            "/v1/chat/completions",
            b'{"messages": [{"role": "user", "content": "x"}], "n": 2}',
            400,
            "unsupported_value",
        ),
        (
            "/v1/chat/completions",
            b'{"messages": [{"role": "user", "content": "x"}], "stop": 3}',
            400,
            "invalid_type",
        ),
        (
            "/v1/chat/completions",
            b'{"messages": [{"role": "user", "content": "x"}], "response_format": {"type": "json_object"}}',
            400,
            "unsupported_value",
        ),
        (
            "/v1/responses",
            b'{"input": "x", "text": {"format": {"type": "json_schema", "schema": {}}}}',
            400,
            "unsupported_value",
        ),
        ("/v1/chat/completions", b'{"messages": [], "model": "/etc"}', 404, "model_not_found"),
        ("/v1/responses", b'{"input": "x", "tools": [5]}', 400, "invalid_type"),
        ("/v1/responses", b'{"input": "x", "tools": {}}', 400, "invalid_type"),
        ("/v1/responses", b'{"input": "x", "metadata": "z"}', 400, "invalid_type"),
        ("/v1/responses", b'{"input": "x", "metadata": {"a": 5}}', 400, "invalid_type"),
        ("/v1/responses", b'{"input": "x", "stream_options": {"spark_split": 1}}', 400, "invalid_type"),
        (
            "/v1/responses",
            b'{"input": "x", "tool_choice": ' + b"[" * 500 + b"]" * 500 + b"}",
            400,
            "invalid_json",
        ),
        (
            "/v1/chat/completions",
            b'{"messages": [{"role": "user", "content": "x"}], "n": [1]}',
            400,
            "invalid_type",
        ),
        ("/v1/completions", b'{"prompt": "a", "prediction": {"content": [5]}}', 400, "invalid_type"),
        ("/v1/completions", b'{"prompt": ["a", "b"]}', 400, "invalid_type"),
        ("/v1/completions", b'{"prompt": "a", "prediction": 3}', 400, "invalid_type"),
        ("/v1/embeddings", b"{}", 404, "unknown_path"),
        ("/etc/passwd", b"{}", 404, "unknown_path"),
        ("/v1/../../etc/passwd", b"{}", 404, "unknown_path"),
        ("/v1/models", b"{}", 405, "method_not_allowed"),
    ],
)
def test_bad_requests_are_answered_in_the_known_shape(live, path, body, status, code):
    got, headers, text = ask(live, "POST", path, body)
    assert got == status
    error = json.loads(text)["error"]
    assert set(error) >= {"message", "type", "param", "code"}
    assert error["code"] == code
    assert headers["content-type"] == "application/json"


def test_another_method_is_told_which_ones_there_are(live):
    status, headers, text = ask(live, "POST", "/v1/models", b"{}")
    assert status == 405 and "GET" in headers["allow"]
    assert "GET" in json.loads(text)["error"]["message"].partition(": use ")[2]


def test_a_socket_at_another_path_is_not_found(live):
    assert Raw(live, path="/v1/respond").status == 404


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b'{"input": "\xff"}', "not UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"input": "x", "seed": ' + b"1" * 5000 + b"}", "a number is too long"),
    ],
)
def test_what_is_no_json_is_told_why(live, body, why):
    status, _, text = ask(live, "POST", "/v1/responses", body)
    assert status == 400 and why in json.loads(text)["error"]["message"]


def test_an_unknown_earlier_response_names_its_member(live):
    status, body = asked(live, "/v1/responses", input="x", previous_response_id="resp_none")
    assert (status, body["error"]["param"]) == (404, "previous_response_id")


def test_a_failing_backend_is_a_status_and_not_a_broken_stream():
    with serving(Counting(error=RuntimeError("boom"), error_at=0)) as live:
        assert asked(live, "/v1/responses", input="x")[0] == 500
        _, _, text = ask(
            live,
            "POST",
            "/v1/chat/completions",
            {"messages": [{"role": "user", "content": "x"}], "stream": True},
        )
        assert json.loads(events(text)[-2][1])["error"]["code"] == "internal_error"


def test_a_model_that_fails_is_told_to_the_log_in_one_line(caplog):
    error = NoBackend("no\nkey", where="far:80", hint="Set one.")
    with serving(Counting(error=error)) as live:
        assert asked(live, "/v1/responses", input="x")[0] == 503
    said = [record.getMessage() for record in caplog.records if record.name == "spark.serve"]
    assert said == ["the model failed: far:80: no key. Set one."]


def test_a_body_past_the_bound_and_a_prompt_past_the_window_are_refused():
    with serving(limits=ServerLimits(message_bytes=50_000)) as live:
        assert asked(live, "/v1/responses", input="x" * 60_000)[0] == 413
        status, body = asked(live, "/v1/responses", input="w " * 5_000)
        assert (status, body["error"]["code"]) == (400, "context_length_exceeded")
        assert "5000 tokens" in body["error"]["message"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/responses", {"input": "w" * 300_000}),
        ("/v1/responses", {"spark": {"instruction": "", "rules": "w" * 300_000}}),
        ("/v1/completions", {"prompt": "w" * 300_000}),
    ],
)
def test_a_prompt_that_no_window_holds_is_refused_without_counting(live, monkeypatch, path, body):
    monkeypatch.setattr(live.backend, "count_tokens", None)
    status, body = asked(live, path, **body)
    assert (status, body["error"]["code"]) == (400, "context_length_exceeded")
    assert body["error"]["message"] == "The prompt has 300000 characters; this model takes 4096 tokens."


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/responses", {"input": "w " * 5_000}),
        ("/v1/responses", {"spark": {"instruction": "w " * 5_000}}),
        ("/v1/chat/completions", {"messages": [{"role": "user", "content": "w " * 5_000}]}),
        ("/v1/completions", {"prompt": "w " * 4_000, "suffix": "w " * 1_000}),
    ],
)
def test_a_prompt_past_the_window_reports_both_counts_in_every_api(live, path, body):
    status, answer = asked(live, path, **body)
    assert (status, answer["error"]["code"]) == (400, "context_length_exceeded")
    assert (answer["error"]["prompt_tokens"], answer["error"]["window"]) == (5_000, 4096)
    assert live.backend.requests == []


def test_ignored_members_are_named_in_a_header(live):
    _, headers, _ = ask(live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1, "sparkle": 1})
    assert headers["x-spark-ignored"] == "sparkle"


@pytest.mark.parametrize("name", ["a\r\nset-cookie: x=1", "a\0b", " lead", "ü", "x" * 100_000], ids=range(5))
def test_a_member_whose_name_no_header_can_hold_is_named_in_the_response(live, name):
    status, headers, text = ask(
        live, "POST", "/v1/responses", {"input": "count", "max_output_tokens": 3, name: 1}
    )
    assert status == 200 and headers["x-spark-ignored"] and "set-cookie" not in headers
    (named,) = json.loads(text)["spark_ignored"]
    assert named
    assert name.startswith(named)
