"""A server that is told to stop finishes what it answers, within its bound, and begins nothing else."""

import os
import re
import signal
import subprocess
import time
from types import SimpleNamespace

import pytest
from support.hearing_process import spark_that_hears
from support.http_client import ask
from support.model_folder import write_model
from support.serving import Raw, serving, text_of, until

from spark_tui.backends.remote.transport import ConnectionLost
from spark_tui.serve.limits import ServerLimits

WHOLE = "".join(f"{number} " for number in range(8))


@pytest.fixture
def held():
    """A server with a turn that waits after its third token, and the client of the turn."""
    with serving(limits=ServerLimits(drain_seconds=30)) as live:
        client = Raw(live)
        live.backend.hold(at=3)
        client.send(type="response.create", input="count", max_output_tokens=8)
        until(lambda: live.backend.steps == 3)
        yield live, client


def test_an_open_answer_is_finished_and_the_connection_closed_behind_it(held):
    live, client = held
    idle = Raw(live)
    live.server.should_exit = True
    with pytest.raises(ConnectionLost):
        idle.next()
    assert live.thread.is_alive()
    live.backend.gate.set()
    events = client.until("response.incomplete")
    assert text_of(events) == WHOLE
    assert events[-1]["response"]["incomplete_details"] == {"reason": "max_output_tokens"}
    with pytest.raises(ConnectionLost):
        client.next()
    until(lambda: not live.thread.is_alive())


def test_nothing_else_begins_on_the_connection_meanwhile(held):
    live, client = held
    gone = Raw(live)
    live.server.should_exit = True
    with pytest.raises(ConnectionLost):
        gone.next()
    client.send(type="response.create", input="count", max_output_tokens=1)
    refused = client.until("error")[-1]
    assert (refused["status"], refused["error"]["code"]) == (503, "shutting_down")
    live.backend.gate.set()
    assert text_of(client.until("response.incomplete"))
    assert len(live.backend.requests) == 1


def test_an_answer_that_takes_longer_than_the_bound_is_cut_and_not_called_ended(caplog):
    with serving(limits=ServerLimits(drain_seconds=1)) as live:
        client = Raw(live)
        live.backend.hold(at=3)
        client.send(type="response.create", input="count", max_output_tokens=8)
        until(lambda: live.backend.steps == 3)
        began = time.monotonic()
        live.server.should_exit = True
        seen = []
        with pytest.raises(ConnectionLost):
            while True:
                seen.append(client.next()["type"])
        assert time.monotonic() - began >= 1
        assert "response.incomplete" not in seen
        until(lambda: not live.thread.is_alive() and live.backend.running == 0)
    assert "turns that were cut off: 1" in caplog.messages


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 0), (signal.SIGHUP, 0), (signal.SIGINT, 130)])
def test_a_server_that_is_told_to_stop_ends_with_a_code_of_its_own(tmp_path, number, code):
    words = ["serve", "--model", str(write_model(tmp_path / "toy")), "--port", "0", "-C", str(tmp_path)]
    command = spark_that_hears(*words)
    environment = {**os.environ, "XDG_CONFIG_HOME": str(tmp_path)}
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=environment) as process:
        port = re.search(r":(\d+)/v1", process.stderr.readline())
        assert ask(SimpleNamespace(port=int(port[1])), "GET", "/healthz")[0] == 200
        process.send_signal(number)
        assert process.wait(60) == code
