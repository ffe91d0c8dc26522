"""Several server processes behind one proxy: a session stays with the process that knows its turns."""

import contextlib
import json
import urllib.error
import urllib.request

import pytest
from support.engine_turns import at_once, run
from support.sticky_proxy import StickyProxy

from spark_tui.backends.base import FilePart
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.bench.measuring.processes import child
from spark_tui.events import Token

SESSIONS, TURNS = 10, 3


@pytest.fixture(scope="module")
def processes():
    with contextlib.ExitStack() as stack:
        words = json.dumps({"model": "metronome:0.001", "burst": 4})
        started = [stack.enter_context(child("spark_tui.bench.server.serve_worker", words)) for _ in range(2)]
        yield [int(item.said[0]) for item in started]


def turns_of(processes):
    """How many turns each process has answered."""
    return [_turns_of(port) for port in processes]


def _turns_of(port):
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("spark_model_turns_total{"))


def follow_up(proxy, session, previous=None):
    body = {"input": "go on", "max_output_tokens": 4}
    if previous:
        body["previous_response_id"] = previous
    data, headers = json.dumps(body).encode(), {"content-type": "application/json", "x-session-id": session}
    request = urllib.request.Request(f"{proxy.url}/responses", data, headers)
    with urllib.request.urlopen(request) as answer:
        return json.loads(answer.read())


def test_sessions_of_sparks_own_client_stay_with_their_process(processes):
    proxy, before = StickyProxy(processes), turns_of(processes)

    def session(number):
        backend = RemoteBackend(proxy.url, key="")
        try:
            file = FilePart(f"f{number}.py", f"x = {number}\n", 1, 1)
            for turn in range(TURNS):
                events = run(backend, instruction=f"turn {turn}", files=(file,), max_tokens=8)
                assert sum(isinstance(event, Token) for event in events) == 8
        finally:
            backend.close()

    at_once(session, range(SESSIONS))
    proxy.close()
    counts = [after - first for after, first in zip(turns_of(processes), before, strict=True)]
    assert sum(counts) == SESSIONS * TURNS
    assert all(count % TURNS == 0 for count in counts)  # no session was divided


def test_a_follow_up_finds_its_response_through_the_proxy_and_not_in_another_process(processes):
    proxy, before = StickyProxy(processes), turns_of(processes)
    sessions = [next(f"s{n}" for n in range(99) if proxy.place_of(f"s{n}") == place) for place in (0, 1)]
    for session in sessions:
        first = follow_up(proxy, session)
        second = follow_up(proxy, session, first["id"])
        assert second["previous_response_id"] == first["id"]
    elsewhere = next(item for item in sessions if item != session)
    with pytest.raises(urllib.error.HTTPError) as refused:
        follow_up(proxy, elsewhere, first["id"])
    with refused.value as answer:
        assert answer.code == 404
    proxy.close()
    assert turns_of(processes) == [count + 2 for count in before]
