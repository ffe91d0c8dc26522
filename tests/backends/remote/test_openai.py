"""The remote backend against servers that speak OpenAI's API: ours under another name, and faulty ones."""

import json
import socket
import threading

import pytest
from support.event_streams import token_ids, token_text
from support.queued_answers import Scripted, chunk, sse
from support.serving import serving, until

from spark_tui.backends import chat_messages
from spark_tui.backends.base import Exchange, FilePart, Request
from spark_tui.backends.remote import api_keys
from spark_tui.backends.remote import backend as remote
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.errors import ConfigError, MalformedInput, Misfit, NoBackend, Refused
from spark_tui.events import AnswerEnded, PrefillProgress, Token


def run(backend, stop=None, **request):
    request.setdefault("instruction", "count")
    request.setdefault("max_tokens", 5)
    return list(backend.stream(Request(**request), stop or threading.Event()))


def chat(server, **options):
    return RemoteBackend(
        server.url, options.pop("model", "m"), key=options.pop("key", ""), api="chat", **options
    )


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_our_own_server_through_the_endpoints_that_others_have(api):
    with serving() as live:
        backend = RemoteBackend(live.url, "counting", key="", api=api)
        events = run(
            backend, instruction="count it", rules="be brief", history=(Exchange("a", "b", "accepted"),)
        )
        # A short answer is no error: the responses endpoint never asks for fewer than 16 tokens.
        assert token_text(events).startswith("0 1 2 3 4 ")
        assert isinstance(events[-2], PrefillProgress)
        assert isinstance(events[-1], AnswerEnded) and events[-1].reason == "length"
        request = live.backend.requests[-1]
        assert "be brief" in request.rules and "SEARCH" in request.rules
        assert [(e.instruction, e.answer) for e in request.history] == [("a", "b")]
        assert request.instruction.endswith("count it")
        assert "accepted" in request.instruction
        backend.close()


@pytest.mark.parametrize("api", ["chat", "responses"])
def test_a_stop_leaves_the_server_idle(api):
    with serving() as live:
        live.backend.hold(at=2)
        backend, stop = RemoteBackend(live.url, "counting", key="", api=api), threading.Event()
        for event in backend.stream(Request("count", max_tokens=50), stop):
            if (isinstance(event, Token) and event.text.startswith("1")) or live.backend.steps == 2:
                stop.set()
        until(lambda: live.backend.running == 0)
        assert live.backend.steps == 2
        backend.close()


def test_the_responses_endpoint_keeps_its_websocket_between_turns():
    with serving() as live:
        backend = RemoteBackend(live.url, "counting", key="", api="responses")
        for _ in range(3):
            run(backend, max_tokens=16)
        until(lambda: live.context.metrics.value("spark_connections_total") == 1)
        backend.close()


def test_fill_and_raw_have_an_endpoint_of_their_own():
    with serving() as live:
        backend = RemoteBackend(live.url, "counting", key="", api="chat")
        assert token_text(run(backend, kind="fill", prefix="def f(", suffix="):", max_tokens=2)) == "0 1 "
        request = live.backend.requests[-1]
        assert (request.kind, request.prefix, request.suffix) == ("fill", "def f(", "):")
        assert token_text(run(backend, kind="raw", prefix="once", max_tokens=1)) == "0 "
        assert run(backend, kind="warm") == []
        backend.close()


def test_a_resume_shows_the_model_its_own_words():
    with Scripted(sse(chunk("one "), chunk("two ")), sse(chunk("three"))) as server:
        backend = chat(server)
        ids = tuple(token_ids(run(backend)))
        assert token_text(run(backend, emitted=ids, steer="in French")) == "three"
        messages = server.asked[-1][2]["messages"]
        assert messages[-2] == {"role": "assistant", "content": "one two"}
        assert messages[-1]["content"].startswith("in French")
        with pytest.raises(NoBackend, match="no longer available"):
            run(backend, emitted=(10**9,))
        backend.close()


def test_a_resume_in_another_process_shows_the_model_its_own_words_too():
    with Scripted(sse(chunk("one "), chunk("two "))) as server:
        before = chat(server)
        came = [event for event in run(before) if isinstance(event, Token)]
        before.close()
    with Scripted(sse(chunk("three"))) as server:
        backend = chat(server)
        backend.recall(came)
        rest = run(backend, emitted=tuple(token.id for token in came))
        assert 'one two"' in json.dumps(server.asked[-1][2]["messages"])
        assert not {token.id for token in came} & {event.id for event in rest if isinstance(event, Token)}
        backend.close()


def test_which_api_a_server_speaks_is_read_from_its_models():
    models = json.dumps({"data": [{"id": "qwen", "owned_by": "vllm", "max_model_len": 32768}]}).encode()
    with Scripted((200, {}, models), sse(chunk("hi"))) as server:
        backend = RemoteBackend(server.url, key="")
        assert token_text(run(backend)) == "hi"
        assert [path for path, _, _ in server.asked] == ["/v1/models", "/v1/chat/completions"]
        assert (backend.model, backend.window) == ("qwen", 32768)
        backend.close()


def test_a_stop_ends_the_wait_for_a_servers_models(monkeypatch):
    monkeypatch.setattr(remote, "_LIST_SECONDS", 3600.0)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        backend = RemoteBackend(f"http://127.0.0.1:{silent.getsockname()[1]}", key="")
        stop = threading.Event()
        backend.stop_with(stop)
        threading.Timer(0.1, stop.set).start()
        assert backend.format_for(Request("x")) == "auto"
        assert run(backend, stop) == []


def test_a_server_that_gave_no_models_in_time_is_not_asked_again_at_once(monkeypatch):
    monkeypatch.setattr(remote, "_LIST_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        backend = RemoteBackend(f"http://127.0.0.1:{silent.getsockname()[1]}", key="")
        for _ in range(2):
            with pytest.raises(NoBackend, match="listed no models") as caught:
                backend.format_for(Request("x"))
            assert "--model NAME" in caught.value.hint
        silent.accept()[0].close()
        silent.settimeout(0.1)
        with pytest.raises(TimeoutError):
            silent.accept()


@pytest.mark.parametrize(
    ("model", "form"),
    [
        ("gpt-5-codex", "apply_patch"),
        ("openai/gpt-4.1", "apply_patch"),
        ("o3-mini", "apply_patch"),
        ("Qwen/Qwen2.5-Coder-7B", "search_replace"),
        ("llama3:8b", "search_replace"),
        ("olmo-2", "search_replace"),
        ("my-own", "udiff"),
    ],
)
def test_the_edit_format_follows_the_model_and_what_was_set(model, form):
    backend = RemoteBackend("host:1", model, key="", api="chat", formats={"my-*": "udiff"})
    assert backend.format_for(Request("x")) == form
    assert backend.format_for(Request("x", format="whole")) == "whole"


def test_roles_alternate_and_files_stand_first():
    request = Request(
        "do it",
        files=(FilePart("a.py", "x = 1\n", 1, 1), FilePart("b.md", "```\ncode\n```", 5, 40)),
        history=(Exchange("one", "1", "rejected"), Exchange("two", "2")),
        rules="r",
    )
    said = chat_messages.opening(request, "apply_patch")
    assert [m["role"] for m in said] == ["system", "user", "assistant", "user", "assistant", "user"]
    assert "*** Begin Patch" in said[0]["content"] and said[0]["content"].endswith("r")
    assert said[1]["content"].startswith(
        "a.py\n```\nx = 1\n```\n\nb.md (lines 5 to 6 of 40)\n````\n```\ncode\n```\n````"
    )
    assert said[1]["content"].endswith("one")
    assert "rejected" in said[3]["content"]
    assert said[-1]["content"] == "do it"


def test_the_second_request_uses_the_same_connection():
    _, headers, body = sse(chunk("a"))
    pieces = [body[at : at + 7] for at in range(0, len(body), 7)]
    data = b"".join(f"{len(piece):x}\r\n".encode() + piece + b"\r\n" for piece in pieces) + b"0\r\n\r\n"
    answer = (200, {**headers, "transfer-encoding": "chunked"}, data)
    with Scripted(answer, answer, sse(chunk("b"))) as server:
        backend = chat(server)
        assert [token_text(run(backend)) for _ in range(3)] == ["a", "a", "b"]
        assert len(set(server.ports)) == 1
        backend.close()


@pytest.mark.parametrize(
    ("status", "body", "kind", "match"),
    [
        (400, {"error": {"message": "bad thing"}}, MalformedInput, "bad thing"),
        (400, {"error": {"message": "x", "code": "context_length_exceeded"}}, Misfit, "x"),
        (400, {"error": {"message": "maximum context length is 8"}}, Misfit, "maximum"),
        (400, {"error": "plain words"}, MalformedInput, "plain words"),
        (401, {"error": {"message": "no key"}}, NoBackend, "no key"),
        (404, {"error": {"message": "no such model"}}, NoBackend, "no such model"),
        (301, {}, NoBackend, "redirects"),
        (429, {"error": {"message": "broke", "code": "insufficient_quota"}}, NoBackend, "broke"),
        (200, {}, NoBackend, "neither events nor a whole answer"),
        (418, None, NoBackend, "418"),
    ],
)
def test_what_a_server_refuses_is_an_error_of_its_kind_and_not_tried_again(status, body, kind, match):
    data = b"\xff<html>" if body is None else json.dumps(body).encode()
    with Scripted((status, {"content-type": "application/json"}, data)) as server:
        backend = chat(server, key="k")
        with pytest.raises(kind, match=match):
            run(backend)
        assert len(server.asked) == 1
        backend.close()


def test_a_busy_server_is_asked_again_after_what_it_says_and_a_random_while(monkeypatch):
    monkeypatch.setattr("spark_tui.backends.remote.retries._OVERLOADED_SECONDS", 0.0)
    pauses = []
    busy = (429, {"retry-after": "0"}, b'{"error": {"message": "later"}}')
    with Scripted(busy, (503, {}, b""), sse(chunk("now"))) as server:
        backend = chat(server, retries=RetryLimits(jitter=lambda: pauses.append(1) or 0.0))
        assert token_text(run(backend)) == "now"
        assert len(server.asked) == 3
        assert len(pauses) == 2
        backend.close()


def test_nothing_is_asked_twice_after_the_first_token():
    with Scripted(sse(chunk("half"), "{", done=False), sse(chunk("never"))) as server:
        backend, got = chat(server), []
        with pytest.raises(NoBackend, match="the answer broke off"):
            for event in backend.stream(Request("x"), threading.Event()):
                got.append(event)
        assert token_text(got) == "half"
        assert len(server.asked) == 1
        backend.close()


def test_an_answer_without_an_end_has_broken_off():
    with Scripted(sse(chunk("half"), done=False)) as server:
        backend = chat(server)
        with pytest.raises(NoBackend, match="the answer broke off"):
            run(backend)
        backend.close()
    finished = {"choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}]}
    with Scripted(sse(chunk("whole"), finished, done=False)) as server:
        backend = chat(server)
        assert token_text(run(backend)) == "whole"
        backend.close()
    status, headers, body = sse(chunk("whole"), finished, done=False)
    with Scripted((status, headers, body.removesuffix(b"\n"))) as server:
        backend = chat(server)
        assert token_text(run(backend)) == "whole"
        backend.close()


@pytest.mark.parametrize(
    ("headers", "body", "asked"),
    [
        ({"transfer-encoding": "chunked"}, b"zz\r\nnope", 1),
        ({"content-length": "1000", "x-no-length": "1"}, b"data: {}", 2),
        ({}, b"data: not json\n\n", 1),
        ({}, b"data: [1, 2]\n\n", 1),
    ],
)
def test_a_garbled_answer_is_an_error_and_one_that_was_cut_off_is_asked_for_again(headers, body, asked):
    answer = 200, {"content-type": "text/event-stream", **headers}, body
    with Scripted(*[answer] * 2) as server:
        backend = chat(server, retries=RetryLimits(2, jitter=lambda: 0.0))
        with pytest.raises(NoBackend):
            run(backend)
        assert len(server.asked) == asked
        backend.close()


def test_an_error_in_the_stream_is_an_error():
    with Scripted(sse({"error": {"message": "ran out", "code": 400}})) as server:
        backend = chat(server)
        with pytest.raises(MalformedInput, match="ran out"):
            run(backend)
        backend.close()


def test_control_characters_in_server_messages_are_escaped():
    with Scripted(
        (400, {}, json.dumps({"error": {"message": "\x1b[31mred\nline" + "x" * 9999}}).encode())
    ) as server:
        backend = chat(server)
        with pytest.raises(MalformedInput) as caught:
            run(backend)
        assert "\x1b" not in caught.value.what and len(caught.value.what) <= 500
        backend.close()


def test_the_key_goes_along_and_nowhere_else():
    with Scripted(sse(chunk("x"))) as server:
        backend = chat(server, key="sk-very-secret")
        run(backend)
        assert server.asked[0][1]["Authorization"] == "Bearer sk-very-secret"
        assert "secret" not in repr(backend._endpoint) + backend.name
        backend.close()


def test_keys_are_found_for_their_own_host_only(monkeypatch):
    monkeypatch.setattr(api_keys, "from_keyring", lambda host: f"ring of {host}")
    monkeypatch.delenv("SPARK_API_KEY", raising=False)
    monkeypatch.setenv("OPENAI_API_KEY", "theirs")
    assert api_keys.find_key("api.openai.com") == "theirs"
    assert api_keys.find_key("evil.example") == "ring of evil.example"
    monkeypatch.setenv("SPARK_API_KEY", " own ")
    assert api_keys.find_key("evil.example") == "own"
    assert "OPENAI_API_KEY" in api_keys.key_hint("api.openai.com")


@pytest.mark.parametrize("key", ["sk-secret\nsecret", "sk-sécret"])
def test_a_key_that_cannot_be_sent_is_an_error_without_it(monkeypatch, key):
    monkeypatch.setenv("SPARK_API_KEY", key)
    with pytest.raises(ConfigError) as caught:
        RemoteBackend("http://host/v1")
    assert "SPARK_API_KEY" in str(caught.value) and "cret" not in str(caught.value)


@pytest.mark.parametrize(
    "url",
    [
        *("ftp://x", "http://", "http://u:p@host", "http://host:notaport", "", "http://[::1", "http://a..b"),
        *("http://a b", "http://host/v1\x01", "http://*.host/v1", "http://host/v1#x"),
    ],
)
def test_addresses_that_cannot_be_are_errors(url):
    with pytest.raises(ConfigError):
        RemoteBackend(url, key="")


@pytest.mark.parametrize(
    ("url", "name"),
    [
        ("localhost:8000", "localhost:8000/m"),
        ("http://localhost:8000/v1/", "localhost:8000/m"),
        ("https://api.example.com", "api.example.com/m"),
        ("http://[::1]:9/v1", "[::1]:9/m"),
    ],
)
def test_addresses_are_read_generously(url, name):
    assert RemoteBackend(url, "m", key="").name == name


def test_a_key_does_not_cross_public_networks_in_the_clear(monkeypatch):
    from spark_tui.backends.remote import transport

    with serving() as live:
        monkeypatch.setattr(transport, "_is_private", lambda _sock: False)
        backend = RemoteBackend(live.url, "counting", key="secret", api="chat")
        with pytest.raises(Refused, match="unencrypted"):
            run(backend)
        assert live.backend.requests == []
