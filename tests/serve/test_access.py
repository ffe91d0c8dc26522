"""Who may speak to the server."""

import json

import pytest
from support.http_client import ask
from support.serving import Raw, serving

from spark_tui.cli.commands.serve import read_tokens
from spark_tui.errors import ConfigError, Misfit, NoBackend, Refused
from spark_tui.serve import access
from spark_tui.serve.api_errors import ApiError, from_spark_error

TOKEN = "a-token-of-sufficient-length"
BEARER = {"Authorization": f"Bearer {TOKEN}"}


@pytest.mark.parametrize(
    ("host", "local"),
    [
        ("127.0.0.1", True),
        ("127.8.8.8", True),
        ("::1", True),
        ("[::1]", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("192.168.1.4", False),
        ("localhost.example.com", False),
        ("", False),
    ],
)
def test_only_addresses_of_this_machine_are_loopback(host, local):
    assert access.is_loopback(host) is local


@pytest.mark.parametrize(
    "headers",
    [
        {},
        {"Authorization": TOKEN},
        {"Authorization": "Bearer wrong"},
        {"Authorization": "Basic " + TOKEN},
        {"Authorization": f"Bearer {TOKEN}x"},
    ],
)
def test_without_the_token_nothing_is_answered(headers):
    with serving(tokens=[TOKEN]) as live:
        for method, path in (("POST", "/v1/responses"), ("GET", "/v1/models"), ("GET", "/metrics")):
            status, got, text = ask(live, method, path, {"input": "x"} if method == "POST" else None, headers)
            assert (status, got["www-authenticate"]) == (401, "Bearer")
            assert TOKEN not in text
        assert Raw(live, headers).status == 401
        assert live.backend.requests == []


def test_with_the_token_both_endpoints_answer():
    with serving(tokens=["another-token-of-that-size", TOKEN]) as live:
        assert ask(live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1}, BEARER)[0] == 200
        assert Raw(live, BEARER).status == 101


def test_responses_of_one_key_do_not_exist_for_another():
    other = {"Authorization": "Bearer another-token-of-that-size"}
    with serving(tokens=["another-token-of-that-size", TOKEN]) as live:
        _, _, text = ask(live, "POST", "/v1/responses", {"input": "x", "max_output_tokens": 1}, BEARER)
        path = f"/v1/responses/{json.loads(text)['id']}"
        assert ask(live, "GET", path, None, BEARER)[0] == 200
        assert ask(live, "GET", path, None, other)[0] == 404
        assert ask(live, "DELETE", path, None, other)[0] == 404


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", "http://127.0.0.1:1", "http://localhost.evil.example"]
)
def test_pages_of_other_origins_are_turned_away(origin):
    with serving() as live:
        assert Raw(live, {"Origin": origin}).status == 403
        status, _, text = ask(live, "POST", "/v1/responses", {"input": "x"}, {"Origin": origin})
        assert (status, json.loads(text)["error"]["code"]) == (403, "origin_refused")
        assert live.backend.requests == []


def test_a_page_of_a_named_origin_may_read_what_it_asks_for():
    page = {"Origin": "https://page.example"}
    asks = {**page, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "content-type"}
    with serving(origins=["https://page.example/"]) as live:
        status, headers, _ = ask(live, "OPTIONS", "/v1/responses", None, asks)
        assert (status, headers["access-control-allow-origin"]) == (200, "https://page.example")
        status, headers, _ = ask(live, "GET", "/v1/models", None, page)
        assert (status, headers["access-control-allow-origin"]) == (200, "https://page.example")
        status, headers, _ = ask(live, "GET", "/v1/models", None, {"Origin": "https://other.example"})
        assert status == 403 and "access-control-allow-origin" not in headers


def test_the_own_and_the_named_origins_are_let_in():
    with serving(origins=["https://page.example/"]) as live:
        assert Raw(live, {"Origin": f"http://127.0.0.1:{live.port}"}).status == 101
        assert Raw(live, {"Origin": "https://page.example"}).status == 101


def test_a_foreign_name_for_this_machine_is_turned_away():
    with serving() as live:
        status, _, text = ask(live, "GET", "/v1/models", None, {"Host": "rebound.example"})
        assert (status, json.loads(text)["error"]["code"]) == (403, "host_refused")
        assert ask(live, "GET", "/v1/models", None, {"Host": "localhost:80"})[0] == 200


def test_every_token_is_compared_in_constant_time(monkeypatch):
    compared = []

    def compare(one, other):
        compared.append(other)
        return one == other

    monkeypatch.setattr(access.hmac, "compare_digest", compare)
    gate = access.Access("0.0.0.0", ["first-token-of-good-size", "other-token-of-good-size"])
    for given in ("first-token-of-good-size", "nonsense"):
        compared.clear()
        try:
            gate.check({"authorization": f"Bearer {given}"}, "1.2.3.4")
        except ApiError as problem:
            assert given not in problem.message
        assert len(compared) == 2


def test_tokens_come_from_a_file_or_the_environment(tmp_path, monkeypatch):
    path = tmp_path / "tokens"
    path.write_text("# mine\n" + TOKEN + "\n\n")
    assert read_tokens(str(path)) == (TOKEN,)
    monkeypatch.setenv("SPARK_SERVE_TOKEN", "x" * 20)
    assert read_tokens(str(path)) == ("x" * 20, TOKEN)
    assert read_tokens(None) == ("x" * 20,)


@pytest.mark.parametrize("text", ["", "# only words\n", "short\n", "ünïcödé-but-long-enough\n"])
def test_a_token_that_could_be_guessed_is_refused(tmp_path, text):
    path = tmp_path / "tokens"
    path.write_text(text)
    with pytest.raises(ConfigError):
        read_tokens(str(path))


def test_an_address_that_others_reach_needs_a_token(capsys):
    import argparse

    from spark_tui.cli.commands import serve

    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    with pytest.raises(Refused, match="no token"):
        serve.run(parser.parse_args(["--host", "0.0.0.0", "--port", "0"]))
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (Misfit("it is long", hint="Lower --max-tokens."), "it is long"),
        (Misfit("it is long", hint="Show fewer files."), "it is long. Show fewer files."),
        # The key is the server's: its client has none to set.
        (NoBackend("no key", where="up:1", hint="Set SPARK_API_KEY."), "the model failed: no key"),
    ],
)
def test_a_client_is_told_only_what_it_can_do_itself(error, told):
    assert from_spark_error(error).message == told
