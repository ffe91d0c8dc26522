"""Three `spark serve` processes behind nginx and HAProxy, with the configurations of `examples/proxy`."""

import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from collections import Counter
from pathlib import Path

import pytest
from support.engine_turns import at_once
from support.event_streams import token_ids, tokens_of
from support.interop_tools import reverse_proxy
from support.serving import until

from spark_tui.backends.base import FilePart, Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.remote.spark import SparkClient

pytestmark = pytest.mark.interop
CONFIGS = Path(__file__).parents[2] / "examples" / "proxy"
PROCESSES, LONG = 3, 400
WRITE_ON = Request("", kind="raw", prefix="def fib(n):\n", max_tokens=LONG)
NEXT = Request("", kind="raw", prefix="x", max_tokens=4)


class Process:
    """One `spark serve`, with the built-in model."""

    def __init__(self):
        self.port = 0
        self.start()

    def start(self):
        words = [sys.executable, "-m", "spark_tui", "serve", "--port", str(self.port)]
        self.process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
        first = self.process.stderr.readline()
        self.port = int(first.rsplit(":", 1)[1].split("/")[0])

    def metric(self, name):
        """The sum of a metric over its labels."""
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/metrics") as answer:
            rows = [line.split() for line in answer.read().decode().splitlines()]
        return sum(float(row[-1]) for row in rows if row[0].split("{")[0] == name)

    def end(self, how=signal.SIGTERM):
        """Its exit code, and what it said last."""
        self.process.send_signal(how)
        said = self.process.stderr.read()
        self.process.stderr.close()
        return self.process.wait(60), said


class Proxied:
    """The processes, and the proxy before them."""

    def __init__(self, name, folder, processes):
        program = reverse_proxy(name)
        self.processes = processes
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        self.url = f"http://127.0.0.1:{port}/v1"
        config = next(CONFIGS.glob(f"{name}.*"))
        text = config.read_text().replace(":8000", f":{port}")
        for number, one in enumerate(processes, 1):
            text = text.replace(f":800{number}", f":{one.port}")
        changed = folder / config.name
        changed.write_text(text)
        # As root nginx gives up its rights, and could not enter the folder.
        rights = "user root;" if os.geteuid() == 0 else ""
        words = {
            "nginx": ["-p", str(folder), "-c", str(changed), "-g", f"daemon off; {rights}"],
            "haproxy": ["-f", str(changed)],
        }[name]
        self.log = (folder / "log").open("w")
        self.proxy = subprocess.Popen([program, *words], stdout=self.log, stderr=self.log)
        until(self.answers)

    def answers(self):
        assert self.proxy.poll() is None, Path(self.log.name).read_text()
        with contextlib.suppress(OSError):
            return self.ask("GET", "/models")[0] == 200

    def ask(self, method, path, body=None, session=""):
        """Status and decoded body."""
        headers = {"content-type": "application/json", **({"x-session-id": session} if session else {})}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=60) as answer:
                return answer.status, json.loads(answer.read())
        except urllib.error.HTTPError as error:
            with error:
                return error.code, error.read().decode()

    def turns(self):
        return [process.metric("spark_turns_total") for process in self.processes]

    def running(self):
        """The process that answers just now."""
        (found,) = [process for process in self.processes if process.metric("spark_turns_running")]
        return found

    def close(self):
        self.proxy.terminate()
        self.proxy.wait(60)
        self.log.close()


@pytest.fixture(scope="module")
def processes():
    started = [Process() for _ in range(PROCESSES)]
    yield started
    for item in started:
        item.end()


@pytest.fixture(scope="module", params=["nginx", "haproxy"])
def proxied(request, processes, tmp_path_factory):
    one = Proxied(request.param, tmp_path_factory.mktemp("proxy"), processes)
    yield one
    one.close()


@pytest.fixture
def backend(proxied):
    remote = RemoteBackend(proxied.url, key="")
    yield remote
    remote.close()


@pytest.fixture(scope="module")
def whole(processes):
    """The ids of the long answer, without a proxy and without a fault."""
    direct = RemoteBackend(f"http://127.0.0.1:{processes[0].port}/v1", key="")
    ids = token_ids(direct.stream(WRITE_ON, threading.Event()))
    direct.close()
    assert len(ids) == LONG
    return ids


def broken_at(count, stream, fault):
    """All ids of an answer that meets a fault after so many tokens."""
    ids = []
    for event in stream:
        before = len(ids)
        ids += token_ids([event])
        if before < count <= len(ids):
            fault()
    return ids


def test_sessions_of_many_clients_at_once_stay_with_a_process(proxied):
    clients, turns = 8, 3
    before = proxied.turns()

    def client(number):
        remote = RemoteBackend(proxied.url, key="")
        try:
            file = FilePart(f"f{number}.py", f"x = {number}\n" * 20, 1, 20)
            for turn in range(turns):
                request = Request(f"turn {turn}", files=(file,), max_tokens=8)
                assert tokens_of(remote.stream(request, threading.Event()))
        finally:
            remote.close()

    at_once(client, range(clients))
    counts = [after - first for after, first in zip(proxied.turns(), before, strict=True)]
    assert sum(counts) == clients * turns
    assert all(count % turns == 0 for count in counts)


def test_a_follow_up_over_http_finds_its_response_with_and_without_a_session(proxied):
    before, found = proxied.turns(), Counter()
    file = "a.py\n```python\ndef f(x):\n    return x\n```\n"
    for session in ("", *(f"s{number}" for number in range(12))):
        _, first = proxied.ask("POST", "/responses", {"input": file + "rename f to g"}, session)
        body = {"input": "rename x to y", "previous_response_id": first["id"]}
        found[proxied.ask("POST", "/responses", body, session)[0]] += 1
    assert found == {200: 13}
    assert sum(after > first for after, first in zip(proxied.turns(), before, strict=True)) > 1


def test_a_body_of_megabytes_passes_and_a_server_without_tokens_hears_a_local_host_name(proxied):
    assert proxied.ask("POST", "/responses", {"input": "x " * 1_500_000})[0] == 200
    request = urllib.request.Request(proxied.url + "/models", headers={"host": "spark.example"})
    with urllib.request.urlopen(request) as answer:
        assert answer.status == 200


def test_a_session_that_reconnects_in_the_middle_comes_to_the_same_process(
    proxied, backend, whole, monkeypatch
):
    opened, connect = [], SparkClient._connect

    def noted(client, stop):
        opened.append(connect(client, stop))
        return opened[-1]

    monkeypatch.setattr(SparkClient, "_connect", noted)
    before = [process.metric("spark_problems_total") for process in proxied.processes]
    stream = backend.stream(WRITE_ON, threading.Event())
    assert broken_at(12, stream, lambda: [item.websocket.connection.close() for item in opened]) == whole
    assert len(opened) == 2
    # Elsewhere the response would be unknown, which is a problem that is counted.
    assert [process.metric("spark_problems_total") for process in proxied.processes] == before


def test_an_answer_whose_process_is_killed_goes_on_in_another_token_for_token(proxied, backend, whole):
    killed = []

    def kill():
        killed.append(proxied.running())
        killed[0].end(signal.SIGKILL)

    try:
        assert broken_at(12, backend.stream(WRITE_ON, threading.Event()), kill) == whole
        assert token_ids(backend.stream(NEXT, threading.Event()))
    finally:
        killed[0].start()


def test_a_process_that_is_stopped_finishes_its_answers_and_the_next_go_elsewhere(proxied, backend, whole):
    stopping = []

    def stop():
        stopping.append(proxied.running())
        ended = threading.Thread(target=lambda: stopping.append(stopping[0].end()))
        stopping.append(ended)
        ended.start()

    before = dict(zip(proxied.processes, proxied.turns(), strict=True))
    try:
        assert broken_at(12, backend.stream(WRITE_ON, threading.Event()), stop) == whole
        stopping[1].join(60)
        _, said = stopping[2]
        assert "running turns (1)" in said
        del before[stopping[0]]
        others = lambda: sum(item.metric("spark_turns_total") for item in before)  # noqa: E731
        assert others() == sum(before.values())
        assert token_ids(backend.stream(NEXT, threading.Event()))
        assert others() == sum(before.values()) + 1
    finally:
        stopping[0].start()


def test_a_whole_answer_over_http_is_asked_again_where_its_process_is_killed(proxied):
    body = {"prompt": "def fib(n):\n", "max_tokens": LONG, "model": "spark-6m", "user": "x" * 50_000}
    answers = []
    asking = threading.Thread(target=lambda: answers.append(proxied.ask("POST", "/completions", body)))
    asking.start()
    until(lambda: any(process.metric("spark_turns_running") for process in proxied.processes))
    killed = proxied.running()
    killed.end(signal.SIGKILL)
    asking.join(60)
    killed.start()
    ((status, answer),) = answers
    assert (status, answer["usage"]["completion_tokens"]) == (200, LONG)


def test_an_event_stream_over_http_is_finished_by_a_process_that_is_stopped(proxied):
    body = {"prompt": "def fib(n):\n", "max_tokens": LONG, "stream": True, "model": "spark-6m"}
    request = urllib.request.Request(
        proxied.url + "/completions", json.dumps(body).encode(), {"content-type": "application/json"}
    )
    with urllib.request.urlopen(request, timeout=60) as answer:
        lines = [answer.readline() for _ in range(8)]
        stopped = proxied.running()
        ended = threading.Thread(target=stopped.end)
        ended.start()
        lines += answer.readlines()
    ended.join(60)
    stopped.start()
    assert lines[-2].strip() == b"data: [DONE]"
    assert sum(b'"text"' in line for line in lines) > 12
