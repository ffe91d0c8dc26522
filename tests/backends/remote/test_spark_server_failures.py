"""The remote backend when spark's own server breaks, is busy, or refuses."""

import threading
from types import SimpleNamespace

import pytest
from support.event_streams import token_text, tokens_of
from support.remote_turns import FILE, run
from support.serving import Counting, Live, Raw, make_certificate, serving, until

from spark_tui.backends.base import Exchange, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.retries import RetryLimits
from spark_tui.backends.remote.spark import SparkClient, _UnknownResponse
from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.errors import ConfigError, MalformedInput, Misfit, NoBackend
from spark_tui.events import PrefillProgress, Waited
from spark_tui.serve.limits import ServerLimits


def test_a_connection_that_breaks_in_the_middle_is_resumed_without_a_word_lost(live, backend):
    live.backend.hold(at=5)
    got, stop = [], threading.Event()
    for event in backend.stream(Request("count", max_tokens=12), stop):
        got += tokens_of([event])
        if len(got) == 5 and not live.backend.gate.is_set():
            for connection in list(live.server.server_state.connections):
                connection.transport.abort()
            live.backend.gate.set()
    assert token_text(got) == "".join(f"{n} " for n in range(12))
    assert [token.id for token in got] == [1000 + n for n in range(12)]


def test_a_server_killed_in_the_middle_leaves_the_text_and_offers_to_resume():
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="", retries=RetryLimits(2))
    live.backend.hold(at=3)
    got = []
    with pytest.raises(NoBackend, match="the answer broke off") as caught:
        for event in backend.stream(Request("count", max_tokens=10), threading.Event()):
            got += tokens_of([event])
            if len(got) == 3 and live.thread.is_alive():
                for connection in list(live.server.server_state.connections):
                    connection.transport.abort()
                live.stop()
    assert token_text(got) == "0 1 2 "
    assert "resume" in caught.value.hint.lower()
    with serving(port=live.port):
        ids = tuple(token.id for token in got)
        assert token_text(run(backend, max_tokens=2, emitted=ids)) == "3 4 "
    backend.close()


@pytest.mark.parametrize("steer", ["", "backwards"])
def test_an_answer_goes_on_in_a_server_that_does_not_know_it(steer):
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="")
    live.backend.hold(at=5)
    got = []
    request = Request("count", files=(FILE,), steer=steer, max_tokens=9)
    stream = backend.stream(request, threading.Event())
    while len(got) < 5:
        got += tokens_of([next(stream)])
    live.stop(rude=True)
    with serving(port=live.port) as again:
        if steer:  # what came has to stand after the message, which the session sees to
            with pytest.raises(NoBackend, match="the answer broke off") as caught:
                list(stream)
            assert "spark exec --resume last" in caught.value.hint
        else:
            got += tokens_of(list(stream))
            assert [token.id for token in got] == [1000 + n for n in range(9)]
            (rest,) = again.backend.requests
            assert rest == request.after(tuple(1000 + n for n in range(5)))
            history = (Exchange("count", token_text(got)),)
            run(backend, instruction="two", files=(FILE,), history=history)
            assert again.backend.requests[-1].history == history
    backend.close()


@pytest.fixture
def restarted():
    """What an answer gave before its server was restarted, and its stream."""
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="", retries=RetryLimits(1))
    live.backend.hold(at=5)
    got = []
    stream = backend.stream(Request("count", files=(FILE,), max_tokens=9), threading.Event())
    while len(tokens_of(got)) < 5:
        got.append(next(stream))
    live.stop(rude=True)
    with serving(port=live.port):
        yield got, stream
    backend.close()


def test_what_came_before_a_restart_is_no_time_of_the_network(restarted):
    got, stream = restarted
    assert any(isinstance(event, Waited) for event in got)
    assert not any(isinstance(event, Waited) for event in stream)


def test_a_restarted_server_that_breaks_once_more_is_asked_again(restarted, monkeypatch):
    got, stream = restarted
    ask, broken = SparkClient._ask, []

    def breaks_once(self, connection, *request, **how):
        if not broken:
            broken.append(connection)
            connection.websocket.connection.close()
        ask(self, connection, *request, **how)

    monkeypatch.setattr(SparkClient, "_ask", breaks_once)
    assert [token.id for token in tokens_of([*got, *stream])] == [1000 + n for n in range(9)]
    assert broken


def test_a_server_that_each_request_brings_down_is_not_asked_forever(monkeypatch):
    asked = []

    def no_connection(self, stop):
        return SimpleNamespace(websocket=SimpleNamespace(closed=True, close=int, send=len), used_at=0.0)

    def gone_after_its_first_event(self, connection, request, received, stop):
        if received.response_id:
            raise _UnknownResponse
        received.response_id = "r"
        yield PrefillProgress(1, 2, 0)
        raise ConnectionLost("gone")

    monkeypatch.setattr(SparkClient, "_connect", no_connection)
    monkeypatch.setattr(SparkClient, "_ask", lambda self, *request, **how: asked.append(request))
    monkeypatch.setattr(SparkClient, "_events", gone_after_its_first_event)
    with pytest.raises(ConnectionLost, match="before it wrote anything"):
        for _ in SparkClient(None, "m").stream(Request("count"), threading.Event()):
            assert len(asked) < 20


@pytest.mark.parametrize(
    "data",
    [b'{"type": "x", "response_id": "r", "sequence_number": 0, "tokens": 5}', b"[" * 99_999],
    ids=["malformed", "nested"],
)
def test_an_event_that_cannot_be_read_ends_the_answer(monkeypatch, data):
    opened = []

    def connection(self, stop):
        opened.append(stop)
        assert len(opened) < 9, "it was opened again and again"
        socket = SimpleNamespace(closed=False, close=int, send=len, receive=lambda *_: data)
        return SimpleNamespace(websocket=socket, known={}, cancelled=set(), used_at=0.0)

    monkeypatch.setattr(SparkClient, "_connect", connection)
    endpoint = SimpleNamespace(first_token_seconds=1, stall_seconds=1)
    with pytest.raises(ConnectionLost, match="does not speak"):
        list(SparkClient(endpoint, "m").stream(Request("count"), threading.Event()))
    assert len(opened) == 1


def test_a_server_that_came_back_between_turns_is_found_again():
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="")
    said = token_text(run(backend, instruction="one", files=(FILE,)))
    live.stop()
    with serving(port=live.port) as again:
        run(backend, instruction="two", files=(FILE,), history=(Exchange("one", said),))
        request = again.backend.requests[-1]
        assert (request.files, request.history) == ((FILE,), (Exchange("one", said),))
    backend.close()


def test_a_busy_server_is_asked_again_before_the_first_token():
    with serving(limits=ServerLimits(active=1, queued=0)) as live:
        live.backend.hold(at=0)
        other = Raw(live)
        other.send(type="response.create", input="x", max_output_tokens=1)
        until(lambda: live.backend.running == 1)
        pauses = []
        backend = RemoteBackend(
            live.url, key="", retries=RetryLimits(3, jitter=lambda: pauses.append(1) or 0.0)
        )
        done = []
        thread = threading.Thread(target=lambda: done.append(token_text(run(backend, max_tokens=2))))
        thread.start()
        until(lambda: pauses)
        live.backend.gate.set()
        thread.join()
        assert done == ["0 1 "]
        backend.close()


def test_a_server_that_stays_busy_is_an_error_in_the_end():
    with serving(limits=ServerLimits(realtime_per_minute=1)) as live:
        backend = RemoteBackend(live.url, key="", retries=RetryLimits(1))
        run(backend, max_tokens=1)
        with pytest.raises(NoBackend, match="Too many turns"):
            run(backend, max_tokens=1)
        backend.close()


def test_errors_of_the_server_are_errors_of_the_same_kind():
    with serving(Counting(error=Misfit("does not fit"), error_at=0)) as live:
        backend = RemoteBackend(live.url, key="")
        with pytest.raises(Misfit, match="does not fit"):
            run(backend)
        with pytest.raises(Misfit, match="4096"):
            run(backend, instruction="w " * 5000)
        with pytest.raises(MalformedInput):
            run(backend, max_tokens=0)
        backend.close()


def test_a_missing_or_wrong_key_says_what_to_set():
    with serving(tokens=["a-token-of-sufficient-length"]) as live:
        for key in ("", "wrong"):
            refused = RemoteBackend(live.url, "counting", key=key, api="spark")
            with pytest.raises(NoBackend, match="needs a token") as caught:
                run(refused)
            refused.close()
            assert "SPARK_API_KEY" in caught.value.hint
        good = RemoteBackend(live.url, key="a-token-of-sufficient-length")
        assert token_text(run(good, max_tokens=1)) == "0 "
        assert "a-token" not in repr(good._endpoint) + good.name
        good.close()


def test_an_unknown_model_is_an_error_and_the_servers_models_can_be_listed():
    with serving({"one": Counting("one"), "two": Counting("two")}) as live:
        backend = RemoteBackend(live.url, "three", key="", api="spark")
        with pytest.raises(NoBackend, match="no model 'three'"):
            run(backend)
        assert [model.name for model in backend.models()] == ["one", "two"]
        backend.close()


def test_no_server_at_the_address_is_an_error_that_names_it():
    live = Live(Counting())
    live.stop()
    backend = RemoteBackend(live.url, key="", retries=RetryLimits(2, jitter=lambda: 0.0))
    with pytest.raises(NoBackend, match="cannot connect") as caught:
        run(backend)
    assert str(live.port) in caught.value.where


def test_tls_is_checked(tmp_path):
    certificate, key = make_certificate(tmp_path)
    with serving(certificate=certificate, private_key=key) as live:
        trusting = RemoteBackend(live.url, key="", authority=certificate)
        assert token_text(run(trusting, max_tokens=2)) == "0 1 "
        trusting.close()
        with pytest.raises(NoBackend, match="not trusted") as caught:
            run(RemoteBackend(live.url, key=""))
        assert "model.authority" in caught.value.hint
        with pytest.raises(ConfigError, match="certificates cannot be read"):
            run(RemoteBackend(live.url, key="", authority=key))


def test_a_spark_server_that_stalls_in_the_middle_ends_the_answer_with_what_came():
    with serving() as live:
        live.backend.hold(at=3)
        backend, seen = RemoteBackend(live.url, "counting", key="", stall_seconds=1.0), []
        with pytest.raises(NoBackend, match=r"no data for 1 s"):
            for event in backend.stream(Request("count", max_tokens=9), threading.Event()):
                seen.append(event)
        assert token_text(seen) == "0 1 2 "
        live.backend.gate.set()
        backend.close()
