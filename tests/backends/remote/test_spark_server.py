"""The remote backend against spark's own server, and what it does when that goes wrong."""

import json
import threading
import time

import pytest
from support.serving import Counting, Live, Raw, make_certificate, serving, until

from spark_tui.backends.base import Backend, Exchange, FilePart, Request, Splice
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.errors import MalformedInput, Misfit, NoBackend, Refused
from spark_tui.events import Doubt, PrefillProgress, Token, Waited
from spark_tui.serve.limits import ServerLimits

FILE = FilePart("a.py", "x = 1\n" * 50, 1, 50)


@pytest.fixture
def live():
    with serving() as server:
        yield server


@pytest.fixture
def backend(live):
    remote = RemoteBackend(live.url, key="")
    yield remote
    remote.close()


def run(backend, stop=None, **request):
    request.setdefault("instruction", "count")
    request.setdefault("max_tokens", 5)
    return without_waits(backend.stream(Request(**request), stop or threading.Event()))


def without_waits(events):
    return [event for event in events if not isinstance(event, Waited)]


def tokens(events):
    return [event for event in events if isinstance(event, Token)]


def text(events):
    return "".join(token.text for token in tokens(events))


def sent_bytes(live, act):
    """What the act sent over the WebSocket, counted on the server."""
    sizes = []
    door = live.desk.asking
    original = door.lean

    def counting(body, key, known):
        sizes.append(len(json.dumps(body)))
        return original(body, key, known)

    door.lean = counting
    try:
        act()
    finally:
        door.lean = original
    return sum(sizes)


def test_it_is_a_backend_and_finds_out_what_it_speaks_to(live, backend):
    assert isinstance(backend, Backend)
    (model,) = backend.models()
    assert (model.name, model.window, model.format, model.owner) == (
        "counting",
        4096,
        "search_replace",
        "spark",
    )
    assert not backend.takes_splices
    assert backend.format_for(Request("x")) == "search_replace"
    assert backend.name == f"127.0.0.1:{live.port}/counting"
    assert backend.window == 4096


def test_the_events_are_those_of_the_backend_behind_the_server(live, backend):
    request = Request("count to five", max_tokens=5)
    far = without_waits(backend.stream(request, threading.Event()))
    near = list(Counting().stream(request, threading.Event()))
    assert far == near


def test_what_an_answer_waited_for_is_told_by_both_clocks(live, backend):
    class Slow:
        """The server's first token comes late: that is not the wire."""

        def __init__(self, inner):
            self.inner, self.taken = inner, 0.0

        def __call__(self, request, stop):
            begun = time.perf_counter()
            while time.perf_counter() - begun < 0.2:
                pass
            yield from self.inner(request, stop)

    live.backend.stream = Slow(live.backend.stream)
    begun = time.perf_counter()
    waits = [
        e for e in backend.stream(Request("count", max_tokens=5), threading.Event()) if isinstance(e, Waited)
    ]
    whole = time.perf_counter() - begun
    first, last = waits
    assert first.network > 0
    assert 0 < last.network <= whole - 0.2
    assert last.queue >= 0
    warm = Request("", files=(FILE,), kind="warm")
    assert not [e for e in backend.stream(warm, threading.Event()) if isinstance(e, Waited)]


def test_a_server_that_is_full_is_waited_for_and_that_is_queueing():
    with serving(limits=ServerLimits(active=1)) as live:
        backend = RemoteBackend(live.url, key="")
        live.backend.hold(at=1)
        taken, seen = threading.Event(), []

        def first():
            for event in backend.stream(Request("count", max_tokens=3), threading.Event()):
                taken.set() if isinstance(event, Token) else None

        def second():
            seen.extend(backend.stream(Request("count", max_tokens=3), threading.Event()))

        one = threading.Thread(target=first)
        one.start()
        assert taken.wait(60)
        two = threading.Thread(target=second)
        two.start()
        until(lambda: live.desk.hub.line.waiting)
        begun = time.perf_counter()
        while time.perf_counter() - begun < 0.1:
            pass
        live.backend.gate.set()
        one.join(60)
        two.join(60)
        assert [event for event in seen if isinstance(event, Waited)][-1].queue >= 0.1
        backend.close()


def test_the_whole_request_arrives(live, backend):
    request = Request(
        "do it",
        files=(FILE, FilePart("b.py", "y", 7, 90)),
        history=(Exchange("one", "1", "accepted"), Exchange("two", "2")),
        rules="be kind",
        emitted=(1, 2, 3),
        steer="other way",
        spliced=(Splice((4, 5), "first this"), Splice((), "then that")),
        selection=(2, 3),
        cursor=3,
        max_tokens=4,
        prefix="p",
        suffix="s",
        temperature=0.5,
        seed=9,
        stop_texts=("END",),
        prediction="x = 2\n",
    )
    list(backend.stream(request, threading.Event()))
    assert live.backend.requests[-1] == request


def test_a_file_crosses_the_connection_once(live, backend):
    first = sent_bytes(live, lambda: run(backend, files=(FILE,)))
    second = sent_bytes(live, lambda: run(backend, instruction="other", files=(FILE,)))
    assert first > len(FILE.text)
    assert second < 200
    assert live.backend.requests[-1].files == (FILE,)


def test_a_follow_up_sends_its_instruction_alone(live, backend):
    said = text(run(backend, instruction="one", files=(FILE,), rules="r"))
    history = (Exchange("one", said, "accepted"),)
    size = sent_bytes(
        live, lambda: run(backend, instruction="two", files=(FILE,), rules="r", history=history)
    )
    request = live.backend.requests[-1]
    assert size < 220
    assert (request.instruction, request.history, request.files, request.rules) == (
        "two",
        history,
        (FILE,),
        "r",
    )


def test_a_history_that_is_told_differently_is_sent_in_whole(live, backend):
    run(backend, instruction="one")
    history = (Exchange("one", "what the person made of it", "edited"),)
    run(backend, instruction="two", history=history)
    assert live.backend.requests[-1].history == history


def test_a_set_stop_ends_the_turn_and_the_servers_work(live, backend):
    live.backend.hold(at=3)
    stop, got = threading.Event(), []
    for event in backend.stream(Request("count", max_tokens=100), stop):
        got.append(event)
        if len(tokens(got)) == 3:
            stop.set()
    assert text(got) == "0 1 2 "
    until(lambda: live.backend.running == 0)
    assert live.backend.steps == 3


def test_a_stop_while_nothing_comes_is_seen(live, backend):
    live.backend.hold(at=0)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    assert tokens(run(backend, stop)) == []
    until(lambda: live.backend.running == 0)


def test_a_stopped_turn_is_resumed_with_its_ids_and_the_next_one_is_not_disturbed(live, backend):
    live.backend.hold(at=4)
    stop, got = threading.Event(), []
    for event in backend.stream(Request("count", max_tokens=8, files=(FILE,)), stop):
        got += tokens([event])
        if len(got) == 4:
            stop.set()
    live.backend.gate.set()
    ids = tuple(token.id for token in got)
    size = sent_bytes(
        live, lambda: got.extend(tokens(run(backend, max_tokens=4, files=(FILE,), emitted=ids)))
    )
    assert text(got) == "0 1 2 3 4 5 6 7 "
    assert live.backend.requests[-1].emitted == ids
    assert size < 250
    assert text(run(backend, instruction="again", max_tokens=2)) == "0 1 "


def test_a_turn_left_in_the_middle_stops(live, backend):
    live.backend.hold(at=2)
    stream = backend.stream(Request("count", max_tokens=100), threading.Event())
    while not isinstance(next(stream), Token):
        pass
    stream.close()
    until(lambda: live.backend.running == 0)
    live.backend.gate.set()
    assert text(run(backend, max_tokens=1)) == "0 "


def test_two_turns_at_once_have_a_connection_each(live, backend):
    live.backend.hold(at=0)
    out = {}
    threads = [
        threading.Thread(target=lambda n=n: out.update({n: text(run(backend, instruction=str(n)))}))
        for n in range(3)
    ]
    for thread in threads:
        thread.start()
    until(lambda: live.backend.running == 3)
    live.backend.gate.set()
    for thread in threads:
        thread.join()
    assert set(out.values()) == {"0 1 2 3 4 "}


def test_one_connection_serves_many_turns(live, backend):
    for _ in range(20):
        run(backend, max_tokens=1)
    assert live.desk.metrics.value("spark_connections_total") == 1


def test_a_connection_that_breaks_in_the_middle_is_resumed_without_a_word_lost(live, backend):
    live.backend.hold(at=5)
    got, stop = [], threading.Event()
    for event in backend.stream(Request("count", max_tokens=12), stop):
        got += tokens([event])
        if len(got) == 5 and not live.backend.gate.is_set():
            for connection in list(live.server.server_state.connections):
                connection.transport.abort()
            live.backend.gate.set()
    assert text(got) == "".join(f"{n} " for n in range(12))
    assert [token.id for token in got] == [1000 + n for n in range(12)]


def test_a_server_killed_in_the_middle_leaves_the_text_and_offers_to_resume():
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="", attempts=2)
    live.backend.hold(at=3)
    got = []
    with pytest.raises(NoBackend, match="connection lost") as caught:
        for event in backend.stream(Request("count", max_tokens=10), threading.Event()):
            got += tokens([event])
            if len(got) == 3 and live.thread.is_alive():
                for connection in list(live.server.server_state.connections):
                    connection.transport.abort()
                live.stop()
    assert text(got) == "0 1 2 "
    assert "resume" in caught.value.hint.lower()
    with serving(port=live.port):
        ids = tuple(token.id for token in got)
        assert text(run(backend, max_tokens=2, emitted=ids)) == "3 4 "
    backend.close()


def test_a_server_that_came_back_between_turns_is_found_again():
    live = Live(Counting())
    backend = RemoteBackend(live.url, key="")
    said = text(run(backend, instruction="one", files=(FILE,)))
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
        backend = RemoteBackend(live.url, key="", attempts=3, jitter=lambda: pauses.append(1) or 0.0)
        done = []
        thread = threading.Thread(target=lambda: done.append(text(run(backend, max_tokens=2))))
        thread.start()
        until(lambda: pauses)
        live.backend.gate.set()
        thread.join()
        assert done == ["0 1 "]
        backend.close()


def test_a_server_that_stays_busy_is_an_error_in_the_end():
    with serving(limits=ServerLimits(realtime_per_minute=1)) as live:
        backend = RemoteBackend(live.url, key="", attempts=1)
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
            with pytest.raises(Refused, match="needs a token") as caught:
                run(refused)
            refused.close()
            assert "SPARK_API_KEY" in caught.value.hint
        good = RemoteBackend(live.url, key="a-token-of-sufficient-length")
        assert text(run(good, max_tokens=1)) == "0 "
        assert "a-token" not in repr(good._dial) + good.name
        good.close()


def test_an_unknown_model_is_an_error_and_another_can_be_chosen():
    with serving({"one": Counting("one"), "two": Counting("two")}) as live:
        backend = RemoteBackend(live.url, "three", key="", api="spark")
        with pytest.raises(NoBackend, match="no model 'three'"):
            run(backend)
        assert [model.name for model in backend.models()] == ["one", "two"]
        backend.use("two")
        run(backend, max_tokens=1)
        assert live.backend["two"].requests
        backend.close()


def test_nobody_there_is_an_error_with_the_address():
    live = Live(Counting())
    live.stop()
    backend = RemoteBackend(live.url, key="", attempts=2, jitter=lambda: 0.0)
    with pytest.raises(NoBackend, match="cannot connect") as caught:
        run(backend)
    assert str(live.port) in caught.value.where


def test_warming_opens_the_connection_and_reads_the_files(live, backend):
    backend.warm_up()
    until(lambda: live.desk.metrics.value("spark_connections_total") == 1)
    events = run(backend, kind="warm", files=(FILE,), instruction="")
    assert [type(event) for event in events] == [PrefillProgress]
    assert live.backend.requests[-1].kind == "warm"
    assert live.desk.metrics.value("spark_connections_total") == 1


def test_doubts_arrive_in_their_place():
    class Doubting(Counting):
        def stream(self, request, stop):
            yield Token(1, "a")
            yield Doubt(1, 0.25, "unsure")
            yield Token(2, "b")

    with serving(Doubting()) as live:
        backend = RemoteBackend(live.url, key="")
        assert run(backend) == [Token(1, "a"), Doubt(1, 0.25, "unsure"), Token(2, "b")]
        backend.close()


@pytest.mark.parametrize("piece", ["ä", "𝔘", "\u2028", "\x00", '"\\', "\ud800", "\u202e", "a\u200db"])
def test_any_text_comes_through_unchanged(piece):
    class Odd(Counting):
        def stream(self, request, stop):
            for number in range(3):
                yield Token(number, piece * number)

    with serving(Odd()) as live:
        backend = RemoteBackend(live.url, key="")
        assert [token.text for token in tokens(run(backend))] == ["", piece, piece * 2]
        backend.close()


def test_tls_is_checked(tmp_path):
    certificate, key = make_certificate(tmp_path)
    with serving(certificate=certificate, private_key=key) as live:
        trusting = RemoteBackend(live.url, key="", authority=certificate)
        assert text(run(trusting, max_tokens=2)) == "0 1 "
        trusting.close()
        with pytest.raises(NoBackend, match="not trusted"):
            run(RemoteBackend(live.url, key=""))


def test_a_server_says_whether_its_model_takes_several_messages_in_an_answer():
    counting = Counting()
    counting.takes_splices = True
    with serving(counting) as live:
        remote = RemoteBackend(live.url, key="")
        assert not remote.takes_splices
        remote.warm_up()
        assert remote.takes_splices
        remote.close()
