"""`spark bench tools` on a small scale: it measures what it says, with real sockets, jobs and processes."""

import threading

import pytest

from spark_tui.backends.base import Request
from spark_tui.backends.remote.backend import RemoteBackend
from spark_tui.backends.tool_calls import ToolSpec
from spark_tui.bench import tools
from spark_tui.bench.measuring.reporting import Report
from spark_tui.bench.sessions import work_modes
from spark_tui.bench.sessions.scripted_server import ScriptedCall, ScriptedServer, scripted_server
from spark_tui.errors import NoBackend
from spark_tui.events import Token, ToolArguments, ToolCallStarted

READ = ToolSpec("read_file", "Reads.", {"type": "object", "properties": {"path": {"type": "string"}}})


def bars(report):
    return {bar.name: bar.value for bar in report.bars}


def test_the_scripted_server_says_its_script_and_counts_the_prompt():
    parts = ["I look. ", ScriptedCall("read_file", {"path": "a.py"})]
    with scripted_server(ScriptedServer(lambda _: parts, window=4096)) as server:
        backend = RemoteBackend(server.url, "scripted", key="", api="chat")
        events = list(backend.stream(Request("x" * 400, tools=(READ,)), threading.Event()))
        assert backend.models()[0].window == 4096
        backend.close()
    assert "".join(event.text for event in events if isinstance(event, Token)) == "I look. "
    assert [event.name for event in events if isinstance(event, ToolCallStarted)] == ["read_file"]
    assert "".join(event.text for event in events if isinstance(event, ToolArguments)) == '{"path": "a.py"}'
    assert server.prompt_tokens[0] > 100
    assert server.written_tokens == 7


def test_a_job_takes_longer_than_a_turn_for_the_same_edit(tmp_path):
    report = Report("tools")
    work_modes.measure(report, tmp_path, 1)
    assert bars(report)["real-time ÷ thorough, times faster"] > 2
    turn, job = report.rows
    assert job["median, s"] > turn["median, s"] > 0
    assert job["tokens each"] > turn["tokens each"] > 20


def test_broken_streams_end_and_keep_their_hunk(tmp_path):
    report = Report("tools")
    tools.broken_streams(report, tmp_path, quick=True)
    assert bars(report)["broken streams that keep what came"] == 4
    assert bars(report)["a broken stream ends by itself, s"] < 30


def test_a_session_of_turns_is_measured_in_a_process_of_its_own(tmp_path):
    report = Report("tools")
    tools.many_turns(report, tmp_path, 3)
    (row,) = report.rows
    assert 500 < row["largest prompt, tokens"] < 32_768
    assert 20 < row["MB now"] <= row["MB at most"]
    assert "value_0_0: int = 0\n" in (tmp_path / "long" / "repository" / "m0.py").read_text()


def test_a_session_that_breaks_off_is_an_error(tmp_path, monkeypatch):
    monkeypatch.setattr(tools.long_session, "answer", lambda turn, step: 1 / 0)
    with pytest.raises(NoBackend):
        tools.many_turns(Report("tools"), tmp_path, 2)
