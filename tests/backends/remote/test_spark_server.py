"""The remote backend against spark's own server: what crosses the connection, and what comes back."""

import json
import threading
import time

import pytest
from support.event_streams import token_text, tokens_of
from support.remote_turns import FILE, run, without_waits
from support.serving import Counting, serving, until

from spark_tui.backends.base import Backend, Exchange, FilePart, Request, Splice
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.events import Doubt, PrefillProgress, Token, Waited
from spark_tui.serve.limits import ServerLimits


def sent_bytes(live, act):
    """What the act sent over the WebSocket, counted on the server."""
    sizes = []
    parser = live.context.parser
    original = parser.lean

    def counting(body, key, known):
        sizes.append(len(json.dumps(body)))
        return original(body, key, known)

    parser.lean = counting
    try:
        act()
    finally:
        parser.lean = original
    return sum(sizes)


def test_it_is_a_backend_and_detects_the_api_of_the_server(live, backend):
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


def test_waiting_time_is_reported_by_server_and_client(live, backend):
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
        until(lambda: live.context.registry.queue.waiting)
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
    said = token_text(run(backend, instruction="one", files=(FILE,), rules="r"))
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


def test_a_changed_history_is_sent_in_full(live, backend):
    run(backend, instruction="one")
    history = (Exchange("one", "what the person made of it", "edited"),)
    run(backend, instruction="two", history=history)
    assert live.backend.requests[-1].history == history


def test_a_set_stop_ends_the_turn_and_the_servers_work(live, backend):
    live.backend.hold(at=3)
    stop, got = threading.Event(), []
    for event in backend.stream(Request("count", max_tokens=100), stop):
        got.append(event)
        if len(tokens_of(got)) == 3:
            stop.set()
    assert token_text(got) == "0 1 2 "
    until(lambda: live.backend.running == 0)
    assert live.backend.steps == 3


def test_a_stop_while_nothing_comes_is_seen(live, backend):
    live.backend.hold(at=0)
    stop = threading.Event()
    threading.Timer(0.1, stop.set).start()
    assert tokens_of(run(backend, stop)) == []
    until(lambda: live.backend.running == 0)


def test_a_stopped_turn_is_resumed_with_its_ids_and_the_next_one_is_not_disturbed(live, backend):
    live.backend.hold(at=4)
    stop, got = threading.Event(), []
    for event in backend.stream(Request("count", max_tokens=8, files=(FILE,)), stop):
        got += tokens_of([event])
        if len(got) == 4:
            stop.set()
    live.backend.gate.set()
    ids = tuple(token.id for token in got)
    size = sent_bytes(
        live, lambda: got.extend(tokens_of(run(backend, max_tokens=4, files=(FILE,), emitted=ids)))
    )
    assert token_text(got) == "0 1 2 3 4 5 6 7 "
    assert live.backend.requests[-1].emitted == ids
    assert size < 250
    assert token_text(run(backend, instruction="again", max_tokens=2)) == "0 1 "


def test_a_turn_left_in_the_middle_stops(live, backend):
    live.backend.hold(at=2)
    stream = backend.stream(Request("count", max_tokens=100), threading.Event())
    while not isinstance(next(stream), Token):
        pass
    stream.close()
    until(lambda: live.backend.running == 0)
    live.backend.gate.set()
    assert token_text(run(backend, max_tokens=1)) == "0 "


def test_two_turns_at_once_have_a_connection_each(live, backend):
    live.backend.hold(at=0)
    out = {}
    threads = [
        threading.Thread(target=lambda n=n: out.update({n: token_text(run(backend, instruction=str(n)))}))
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
    assert live.context.metrics.value("spark_connections_total") == 1


def test_warming_opens_the_connection_and_reads_the_files(live, backend):
    backend.warm_up()
    until(lambda: live.context.metrics.value("spark_connections_total") == 1)
    events = run(backend, kind="warm", files=(FILE,), instruction="")
    assert [type(event) for event in events] == [PrefillProgress]
    assert live.backend.requests[-1].kind == "warm"
    assert live.context.metrics.value("spark_connections_total") == 1


def test_doubts_arrive_in_their_place():
    class Doubting(Counting):
        def stream(self, request, stop):
            yield Token(1, "a")
            yield Doubt(1, 0.25, "unsure")
            yield place
            yield Token(2, "b")

    place = Doubt(1, 0.0, "breaks b.py:3: imports f, which a.py no longer has", "b.py", 3)
    with serving(Doubting()) as live:
        backend = RemoteBackend(live.url, key="")
        assert run(backend) == [Token(1, "a"), Doubt(1, 0.25, "unsure"), place, Token(2, "b")]
        backend.close()


@pytest.mark.parametrize("piece", ["ä", "𝔘", "\u2028", "\x00", '"\\', "\ud800", "\u202e", "a\u200db"])
def test_any_text_comes_through_unchanged(piece):
    class Odd(Counting):
        def stream(self, request, stop):
            for number in range(3):
                yield Token(number, piece * number)

    with serving(Odd()) as live:
        backend = RemoteBackend(live.url, key="")
        assert [token.text for token in tokens_of(run(backend))] == ["", piece, piece * 2]
        backend.close()


def test_a_server_says_whether_its_model_takes_several_messages_in_an_answer():
    counting = Counting()
    counting.takes_splices = True
    with serving(counting) as live:
        remote = RemoteBackend(live.url, key="")
        assert not remote.takes_splices
        remote.warm_up()
        assert remote.takes_splices
        remote.close()
