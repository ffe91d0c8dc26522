"""Tools of other programs join the session's: asked about, bounded, stopped, and missed with a word."""

import os
import sys
import threading
import time

import pytest
from support.tool_streams import drained

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.tools.mcp_tools import McpTools, tool_name
from spark_tui.tools.overlay import Overlay
from spark_tui.tools.permission import McpConsent, Permissions
from spark_tui.tools.registry import Registry, Stopped, ToolContext
from spark_tui.workspace.files import Tree

pytest.importorskip("mcp")


@pytest.fixture
def servers(tmp_path, plain_mcp_server):
    made = []

    def servers(*names):
        tools = McpTools(McpConsent(tmp_path / "state"))
        made.append(tools)
        env = dict(os.environ)
        args = (plain_mcp_server,)
        tools.use({name: ServerConfig(name, sys.executable, args, env) for name in names})
        deadline = time.monotonic() + 60
        while len(tools.tools) < 3 * len(names) and time.monotonic() < deadline:
            time.sleep(0.05)
        return tools

    yield servers
    for tools in made:
        tools.close()


def call(tools, name, given, tmp_path, *, ask=lambda _request, _stop: "once", stop=None):
    context = ToolContext(Overlay(Tree(tmp_path)), stop or threading.Event(), {}, Permissions(ask))
    stream = Registry(tools.tools).call(name, given, context)
    pieces, outcome = drained(stream)
    return "".join(pieces), outcome


def test_a_tool_is_called_after_the_person_allowed_it_and_asked_about_once(servers, tmp_path):
    tools = servers("one")
    asked = []

    def ask(request, _stop):
        asked.append((request.title, request.text, request.lasting))
        return "always"

    text, outcome = call(tools, "mcp__one__double", {"number": 21}, tmp_path, ask=ask)
    assert (text, outcome.failed) == ("42", False)
    assert asked == [
        (
            "The model wants to call double of the MCP server one",
            '{"number": 21}',
            "for this tool in this repository",
        )
    ]
    again = servers("one")
    assert call(again, "mcp__one__double", {"number": 4}, tmp_path, ask=None)[0] == "8"
    assert len(asked) == 1


def test_values_that_a_model_wrote_as_text_are_sent_as_the_schema_wants_them(servers, tmp_path):
    asked = []

    def ask(request, _stop):
        asked.append(request.text)
        return "once"

    call(servers("one"), "mcp__one__double", {"number": "21"}, tmp_path, ask=ask)
    call(servers("one"), "mcp__one__double", {"number": "[21]"}, tmp_path, ask=ask)
    assert asked == ['{"number": 21}', '{"number": "[21]"}']


def test_what_is_not_allowed_is_not_called(servers, tmp_path):
    text, outcome = call(servers("one"), "mcp__one__double", {"number": 1}, tmp_path, ask=None)
    assert "not allowed" in text
    assert outcome.failed


def test_outputs_are_bounded_and_harmless(servers, tmp_path):
    text, _ = call(servers("one"), "mcp__one__loud", {}, tmp_path)
    assert text.startswith("\\x1b[2Jred\nline\n")
    assert len(text) < 30_000
    assert "more)" in text[-40:]


def test_wrong_arguments_are_the_servers_to_refuse(servers, tmp_path):
    assert call(servers("one"), "mcp__one__double", {"number": "no"}, tmp_path)[1].failed


def test_a_stop_does_not_wait_for_the_server(servers, tmp_path):
    tools = servers("one")
    stop = threading.Event()
    threading.Timer(0.3, stop.set).start()
    with pytest.raises(Stopped):
        call(tools, "mcp__one__wait", {}, tmp_path, stop=stop)


def test_a_server_that_does_not_start_is_told_of_once(tmp_path):
    tools = McpTools(McpConsent(tmp_path))
    tools.use({"gone": ServerConfig("gone", "/no/such/program")})
    deadline = time.monotonic() + 60
    while not (found := tools.problems()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert found[0] == (
        "The tools of gone are missing: cannot start the server: /no/such/program: No such file or directory."
    )
    assert (tools.tools, tools.problems()) == ((), ())
    tools.close()


def test_a_server_that_is_late_is_waited_for_and_started_once(tmp_path, monkeypatch):
    monkeypatch.setattr("spark_tui.tools.mcp_tools.START_SECONDS", 0.3)
    tools = McpTools(McpConsent(tmp_path))
    config = ServerConfig("late", sys.executable, ("-c", "import time; time.sleep(600)"))
    for _ in range(2):
        tools.use({"late": config})
        assert [thread.name for thread in threading.enumerate()].count("mcp-start") == 1
    assert tools.problems() == ("late is still starting: its tools are missing until then.",)
    assert tools.problems() == ()
    closing = threading.Thread(target=tools.close, daemon=True)
    closing.start()
    closing.join(60)
    for thread in threading.enumerate():
        if thread.name == "mcp-end":
            assert not thread.daemon  # else a server is left when the process ends
            thread.join(60)
    assert "mcp-client" not in [thread.name for thread in threading.enumerate()]


@pytest.mark.parametrize(
    ("tool", "name"),
    [("read", "mcp__s__read"), ("a.b/c", "mcp__s__a_b_c"), ("x" * 90, "mcp__s__" + "x" * 56)],
)
def test_names_fit_the_protocols(tool, name):
    assert tool_name("s", tool) == name


GROWING = """
import json, sys
names = ["grow"]
for line in sys.stdin:
    request = json.loads(line)
    method = request["method"]
    if "id" not in request:
        continue
    if method == "initialize":
        out = {"protocolVersion": "2025-06-18", "capabilities": {"tools": {"listChanged": True}},
               "serverInfo": {"name": "growing", "version": "1"}}
    elif method == "tools/list":
        out = {"tools": [{"name": name, "inputSchema": {"type": "object"}} for name in names]}
    elif method == "tools/call":
        names.append("more")
        note = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        print(json.dumps(note), flush=True)
        out = {"content": [{"type": "text", "text": "grown"}]}
    else:
        out = {}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": out}), flush=True)
"""


def test_tools_that_a_server_gets_join_the_next_turn(tmp_path):
    (tmp_path / "growing.py").write_text(GROWING)
    config = ServerConfig("g", sys.executable, (str(tmp_path / "growing.py"),), dict(os.environ))
    tools = McpTools(McpConsent(tmp_path / "state"))
    try:
        tools.use({"g": config})
        assert [tool.name for tool in tools.tools] == ["mcp__g__grow"]
        tools.use({"g": config})
        assert call(tools, "mcp__g__grow", {}, tmp_path)[0] == "grown"
        deadline = time.monotonic() + 60
        while len(tools.tools) < 2 and time.monotonic() < deadline:
            tools.use({"g": config})
        assert [tool.name for tool in tools.tools] == ["mcp__g__grow", "mcp__g__more"]
    finally:
        tools.close()


HEARING = """
import json, sys

heard = []
tools = [{"name": name, "inputSchema": {"type": "object"}} for name in ("never", "heard")]
for line in sys.stdin:
    request = json.loads(line)
    method, given = request["method"], request.get("params") or {}
    heard.append(method)
    if "id" not in request or given.get("name") == "never":
        continue
    if method == "initialize":
        out = {"protocolVersion": given["protocolVersion"], "serverInfo": {"name": "h", "version": "1"},
               "capabilities": {"tools": {}}}
    elif method == "tools/call":
        out = {"content": [{"type": "text", "text": " ".join(heard)}]}
    else:
        out = {"tools": tools}
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": out}), flush=True)
"""


def test_a_stopped_call_is_cancelled_and_the_next_one_does_not_wait_for_it(tmp_path):
    (tmp_path / "hearing.py").write_text(HEARING)
    config = ServerConfig("h", sys.executable, (str(tmp_path / "hearing.py"),), dict(os.environ), seconds=10)
    tools = McpTools(McpConsent(tmp_path / "state"))
    stop = threading.Event()
    try:
        tools.use({"h": config})
        threading.Timer(0.3, stop.set).start()
        with pytest.raises(Stopped):
            call(tools, "mcp__h__never", {}, tmp_path, stop=stop)
        heard, _ = call(tools, "mcp__h__heard", {}, tmp_path)
        assert heard.split()[-2:] == ["notifications/cancelled", "tools/call"]
    finally:
        tools.close()
