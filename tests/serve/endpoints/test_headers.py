"""Headers that lie, and bodies that do not come."""

import json
import socket

import pytest
from support.http_client import ask, asked
from support.serving import WAIT_SECONDS, Counting, serving

from spark_tui.serve.limits import ServerLimits


def send_head(live, *lines, body=b""):
    """A connection on which this head, and perhaps a part of a body, was sent."""
    link = socket.create_connection(("127.0.0.1", live.port), timeout=WAIT_SECONDS)
    link.sendall("\r\n".join([*lines, "", ""]).encode() + body)
    return link


def status_of(link):
    return int(link.recv(65536).split(b" ", 2)[1])


@pytest.mark.parametrize("path", ["/v1/responses", "/v1/chat/completions", "/v1/completions"])
def test_a_length_past_the_bound_is_refused_before_the_body_comes(path):
    with serving(limits=ServerLimits(body_seconds=WAIT_SECONDS)) as live:
        head = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Length: 99999999999")
        with send_head(live, *head) as link:
            assert status_of(link) == 413
        with send_head(live, *head, "Expect: 100-continue") as link:
            assert status_of(link) == 413


def test_a_compressed_body_is_refused_with_what_to_do():
    head = ("POST /v1/responses HTTP/1.1", "Host: localhost", "Connection: close")
    with (
        serving() as live,
        send_head(live, *head, "Content-Encoding: gzip", "Content-Length: 2", body=b"{}") as link,
        link.makefile("rb") as answer,
    ):
        status, *_, body = answer.read().decode().splitlines()
    assert " 415 " in status
    assert "unsupported_encoding" in body
    assert "as it is" in body


def test_a_client_that_sends_too_much_reads_why_and_may_ask_again():
    with serving(limits=ServerLimits(message_bytes=50_000)) as live:
        status, body = asked(live, "/v1/responses", input="x" * 9_000_000)
        assert (status, body["error"]["code"]) == (413, "body_too_large")
        assert asked(live, "/v1/responses", input="count", max_output_tokens=1)[0] == 200


def test_a_client_that_asks_before_it_sends_is_told_to():
    head = ("POST /v1/responses HTTP/1.1", "Host: localhost", "Expect: 100-continue", "Content-Length: 2")
    with serving() as live, send_head(live, *head) as link:
        assert status_of(link) == 100
        link.sendall(b"{}")
        assert status_of(link) == 400


@pytest.mark.parametrize(("path", "status"), [("/v1/responses", 413), ("/nowhere", 404)])
@pytest.mark.parametrize("version", ["1.1", "1.0"])
def test_a_client_that_closes_after_each_answer_reads_why_too(path, status, version):
    """As Python's urllib does. What it still sends would reset a connection that is closed at once."""
    with serving(limits=ServerLimits(message_bytes=50_000, body_seconds=WAIT_SECONDS)) as live:
        head = (f"POST {path} HTTP/{version}", "Host: localhost", "Connection: close")
        with send_head(live, *head, "Content-Length: 9000000", body=b"x" * 60_000) as link:
            for _ in range(8_940):
                link.sendall(b"x" * 1000)
            got = b"".join(iter(lambda: link.recv(65536), b""))
            assert int(got.split(b" ", 2)[1]) == status
            assert got.endswith(b"}")


@pytest.mark.parametrize("path", ["/v1/responses", "/nowhere"])
def test_the_rest_of_a_refused_body_is_not_waited_for_for_ever(path):
    head = (f"POST {path} HTTP/1.1", "Host: localhost", "Content-Length: 5000")
    limits = ServerLimits(message_bytes=1000, body_seconds=0.05)
    with serving(limits=limits) as live, send_head(live, *head, body=b"{") as link:
        while link.recv(65536):  # it would time out
            pass


def test_after_the_rest_of_a_refused_body_comes_the_next_request():
    head = ("POST / HTTP/1.1", "Host: localhost", "Content-Length: 5000")
    with serving() as live, send_head(live, *head, body=b"{") as link:
        assert status_of(link) == 404
        link.sendall(b"x" * 4999 + b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
        got = b""
        while b'"ok"' not in got:
            part = link.recv(65536)
            assert part
            got += part


@pytest.mark.parametrize(
    ("name", "value", "status"),
    [
        ("Host", "[::1", 403),
        ("Host", "[", 403),
        ("Host", "", 403),
        ("Origin", "http://[", 403),
        ("Origin", "null", 403),
        ("Content-Length", "-1", 400),
        ("Content-Length", "9" * 5000, 400),
        ("Content-Length", "ten", 400),
        ("Authorization", "\xff\xfe", 200),
    ],
)
def test_a_header_of_nonsense_is_refused_in_words_and_never_a_failure(name, value, status):
    with serving() as live:
        lines = {"Host": "localhost", "Content-Length": "2", name: value}
        head = ["POST /v1/responses HTTP/1.1", *(f"{key}: {text}" for key, text in lines.items())]
        link = socket.create_connection(("127.0.0.1", live.port), timeout=WAIT_SECONDS)
        with link:
            link.sendall("\r\n".join([*head, "", "{}"]).encode("latin-1"))
            # An empty body names no input: where the header is taken, that is what is refused.
            assert status_of(link) == (400 if status == 200 else status)
        assert ask(live, "GET", "/healthz")[0] == 200


@pytest.mark.parametrize(("after", "status"), [("-1", 200), ("-2", 400), ("x", 400), ("9" * 5000, 400)])
def test_a_place_in_the_events_that_cannot_be_is_refused(after, status):
    with serving() as live:
        _, body = asked(live, "/v1/responses", input="count", max_output_tokens=1)
        got, _, text = ask(live, "GET", f"/v1/responses/{body['id']}?stream=true&starting_after={after}")
        assert got == status
        assert status == 200 or json.loads(text)["error"]["param"] == "starting_after"


@pytest.mark.parametrize("stream", [False, True])
def test_a_model_may_have_a_name_that_no_header_can_hold(stream):
    with serving({"модель": Counting()}) as live:
        body = json.dumps({"model": "модель", "prompt": "x", "max_tokens": 1, "stream": stream})
        status, headers, _ = ask(live, "POST", "/v1/completions", body)
        assert (status, headers["x-spark-model"]) == (200, "??????")
