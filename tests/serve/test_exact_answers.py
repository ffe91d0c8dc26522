"""The reader answers for the built-in model, whoever asks; what it has no edit for is the model's."""

import json
import socket
import threading

import pytest
from support.http_client import asked
from support.serving import WAIT_SECONDS, Raw, Saying, serving, text_of, until

from spark_tui.serve.endpoints import server_context
from spark_tui.serve.limits import ServerLimits

FILE = "a.py\n```\ndef greet(name):\n    print(name)\n    return name\n```\n"


class BuiltIn(Saying):
    """A model with a small window, as the built-in one has."""

    small_window = (320, 300)


@pytest.fixture
def live():
    with serving(BuiltIn("*** a.py\n@@ 2,3\n+    say(name)\n", format="lines")) as live:
        yield live


def said(live, text, path="/v1/chat/completions"):
    if path == "/v1/responses":
        return asked(live, path, input=text)[1]["output"][0]["content"][0]["text"]
    return asked(live, path, messages=[{"role": "user", "content": text}])[1]["choices"][0]["message"][
        "content"
    ]


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/responses"])
def test_an_exact_edit_needs_no_model(live, path):
    text = said(live, FILE + "rename greet to say_hello", path)
    assert "+" not in text
    assert "def say_hello(name):" in text
    assert live.backend.requests == []


def test_why_nothing_is_to_be_done_is_said(live):
    text = said(live, "a.py\n```\nimport os\n\nx = os.sep\n```\nremove the unused imports")
    assert text == "There is nothing to do: no import is unused.\n"
    assert live.backend.requests == []


def test_why_the_reader_has_no_edit_is_said_where_the_model_has_none():
    with serving(BuiltIn("*** a.py\n@@ no-edit\n", format="lines")) as live:
        text = said(live, FILE + "rename frobnicate to put")
    assert text == "This cannot be done exactly: there is nothing called frobnicate.\n"
    assert len(live.backend.requests) == 1


def test_the_mark_of_an_edit_is_said(live):
    text = said(live, FILE + "add a docstring to greet")
    assert '"""Greet."""' in text
    assert text.endswith("Check this edit: the text was made from the name.\n")


def test_edits_that_may_be_meant_are_listed(live):
    classes = "".join(f"class {name}:\n    def load(self):\n        return 1\n\n\n" for name in "AB")
    text = said(live, f"a.py\n```\n{classes}```\nrename load to read")
    assert text.startswith("Several edits may be meant. Say which: ") and "SEARCH" not in text
    assert live.backend.requests == []


def test_what_has_to_be_written_is_the_models(live):
    text = said(live, FILE + "write a parser for the config grammar with a tokenizer")
    assert "say(name)" in text
    assert len(live.backend.requests) == 1


def test_other_models_answer_themselves():
    with serving(Saying("*** a.py\n@@ 2,3\n+    say(name)\n", format="lines")) as live:
        assert "say(name)" in said(live, FILE + "rename greet to say_hello")


def test_what_takes_too_long_to_find_is_given_up_in_words():
    model = BuiltIn("*** a.py\n@@ 2,3\n+    say(name)\n", format="lines")
    with serving(model, limits=ServerLimits(reading_seconds=0.0)) as live:
        status, body = asked(live, "/v1/responses", input=FILE + "rename greet to say_hello")
    assert (status, body["error"]["code"]) == (422, "reading_too_slow")
    assert "within 0 seconds" in body["error"]["message"]
    assert live.backend.requests == []


def test_an_exact_edit_over_a_websocket_needs_no_model(live):
    client = Raw(live)
    seen = client.turn(input=FILE + "rename greet to say_hello")
    assert "def say_hello(name):" in text_of(seen)
    assert live.backend.requests == []


def test_what_is_too_long_to_be_read_is_the_models(live, monkeypatch):
    monkeypatch.setattr(server_context, "MOST_CHARACTERS", 100)
    assert "say_hello" in said(live, FILE + "rename greet to say_hello")
    assert "say(name)" in said(live, FILE + "rename greet to say_hello" + ", please" * 10)


class EndlessReading:
    """A reading that goes on until its server gives it up."""

    def __init__(self, monkeypatch):
        self.begun, self.given_up = threading.Semaphore(0), threading.Semaphore(0)
        self.count = 0
        monkeypatch.setattr(server_context, "answer", self._answer)

    def _answer(self, instruction, reader, situation, roles):
        self.count += 1
        self.begun.release()
        try:
            while True:
                situation.repo.index.work()
        finally:
            self.given_up.release()


@pytest.fixture
def endless(monkeypatch):
    return EndlessReading(monkeypatch)


def posted(live):
    """A connection that has sent its request, and reads no answer."""
    body = json.dumps({"input": FILE + "rename greet to say_hello"}).encode()
    sock = socket.create_connection(("127.0.0.1", live.port), WAIT_SECONDS)
    head = f"POST /v1/responses HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    sock.sendall(head.encode() + body)
    return sock


def test_a_client_that_leaves_is_not_read_further(live, endless):
    with posted(live):
        assert endless.begun.acquire(timeout=WAIT_SECONDS)
    assert endless.given_up.acquire(timeout=WAIT_SECONDS / 4)


def test_a_websocket_that_leaves_is_not_read_further(live, endless):
    client = Raw(live)
    client.send(type="response.create", input=FILE + "rename greet to say_hello")
    assert endless.begun.acquire(timeout=WAIT_SECONDS)
    client.close()
    assert endless.given_up.acquire(timeout=WAIT_SECONDS / 4)


def test_a_client_that_leaves_the_line_is_never_read(live, endless):
    at_once = [posted(live) for _ in range(server_context._AT_ONCE)]
    for _ in at_once:
        assert endless.begun.acquire(timeout=WAIT_SECONDS)
    late = posted(live)
    exact = live.context.exact
    until(lambda: exact.waiting == len(at_once) + 1)
    for sock in (late, *at_once):
        sock.close()
    until(lambda: not exact.waiting)
    assert endless.count == len(at_once)


def test_a_request_past_the_bound_of_readings_is_told_to_come_back(endless):
    with serving(BuiltIn("x", format="lines"), limits=ServerLimits(active=1, queued=0)) as live:
        with posted(live):
            assert endless.begun.acquire(timeout=WAIT_SECONDS)
            status, body = asked(live, "/v1/responses", input=FILE + "rename greet to say_hello")
        assert (status, body["error"]["code"]) == (429, "queue_full")


def test_a_server_that_ends_gives_up_what_it_reads(endless):
    with serving(BuiltIn("x", format="lines"), limits=ServerLimits(drain_seconds=0)) as live:
        with posted(live):
            assert endless.begun.acquire(timeout=WAIT_SECONDS)
            live.stop()
        assert endless.given_up.acquire(timeout=WAIT_SECONDS / 4)


@pytest.mark.parametrize("said", ["rename greet to say_hello", "rename frobnicate to put"])
def test_what_is_read_counts_once_against_the_rate_of_its_key(said, monkeypatch):
    read = []
    known = server_context.answer
    monkeypatch.setattr(server_context, "answer", lambda *given: read.append(given) or known(*given))
    with serving(BuiltIn("x", format="lines"), limits=ServerLimits(realtime_per_minute=2)) as live:
        statuses = [asked(live, "/v1/responses", input=FILE + said)[0] for _ in range(4)]
    assert statuses == [200, 200, 429, 429]
    assert len(read) == 2
