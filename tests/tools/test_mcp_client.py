"""Tools of other programs: called over stdin and stdout, with limits, and with one restart."""

import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.errors import NoBackend, TimeLimit
from spark_tui.tools.mcp_client import McpClient

pytest.importorskip("mcp")

SERVER = """
from mcp.server import MCPServer
server = MCPServer("test")

@server.tool()
def double(number: int) -> str:
    "Twice a number."
    return str(2 * number)

@server.tool()
def much() -> str:
    "Put out much."
    return "x" * 200_000

server.run()
"""
"""With the SDK, which takes a second to load."""
NOISY = "import sys\nprint('not JSON')\nprint('I log', file=sys.stderr)\n"
UNLIKE = """
import json, sys
for line in sys.stdin:
    print(json.dumps({"jsonrpc": "2.0", "id": json.loads(line).get("id"), "result": {}}), flush=True)
"""


@pytest.fixture
def connect(tmp_path, plain_mcp_server):
    opened = []

    def connect(text="", seconds=20.0):
        (tmp_path / "server.py").write_text(text or Path(plain_mcp_server).read_text())
        config = ServerConfig(
            "test", sys.executable, (str(tmp_path / "server.py"),), dict(os.environ), seconds=seconds
        )
        opened.append(McpClient(config))
        return opened[-1]

    yield connect
    for client in opened:
        client.close()


def test_tools_are_listed_and_called(connect):
    client = connect(SERVER)
    tools = {tool.name: tool for tool in client.list_tools()}
    assert tools["double"].description == "Twice a number."
    assert tools["double"].schema["required"] == ["number"]
    assert client.call("double", {"number": 21}).text == "42"
    assert client.call("double", {"number": "no"}).failed
    assert client.call("much", {}).text.endswith("[cut: 200000 characters in all]")


PARTS = """
import json, sys
RESULTS = {
    "embedded": {"content": [
        {"type": "text", "text": "found"},
        {"type": "resource", "resource": {"uri": "repo://a.py", "text": "x = 1"}},
        {"type": "resource", "resource": {"uri": "repo://a.bin", "blob": "AAAA"}},
        {"type": "resource_link", "uri": "file:///b.py", "name": "b.py"},
        {"type": "image", "data": "AAAA", "mimeType": "image/png"},
    ]},
    "structured": {"content": [], "structuredContent": {"temperature": 21}},
}
SCHEMA = {"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "object"}
for line in sys.stdin:
    print("I log on the wrong stream", flush=True)
    request = json.loads(line)
    if "id" not in request:
        continue
    params, method = request.get("params") or {}, request["method"]
    if method == "initialize":
        out = {"protocolVersion": "2024-11-05", "capabilities": {"tools": {"listChanged": True}},
               "serverInfo": {"name": "old", "version": "1"}}
    elif method == "tools/list":
        note = {"jsonrpc": "2.0", "method": "notifications/tools/list_changed"}
        print(json.dumps(note), flush=True)
        out = {"tools": [{"name": name, "inputSchema": SCHEMA} for name in RESULTS]}
    elif method == "tools/call":
        out = RESULTS[params["name"]]
    else:
        answer = {"error": {"code": -32601, "message": "no"}}
        print(json.dumps({"jsonrpc": "2.0", "id": request["id"], **answer}), flush=True)
        continue
    print(json.dumps({"jsonrpc": "2.0", "id": request["id"], "result": out}), flush=True)
"""
"""An old server that logs on its output, and tells of changes."""


def test_every_part_of_a_result_is_told_and_an_old_noisy_server_is_understood(connect):
    client = connect(PARTS)
    schemas = [tool.schema for tool in client.list_tools()]
    assert schemas == [{"type": "object", "properties": {}}] * 2
    told = ["found", "x = 1", "[binary: repo://a.bin]", "[resource_link: file:///b.py]", "[image/png]"]
    assert client.call("embedded", {}).text == "\n".join(told)
    assert client.call("structured", {}).text == '{"temperature": 21}'


def test_a_server_that_ended_is_started_again_once(connect):
    client = connect()
    with pytest.raises(NoBackend, match="started again for the next one"):
        client.call("end", {})
    assert client.call("double", {"number": 2}).text == "4"
    with pytest.raises(NoBackend, match="ended during the call; for good"):
        client.call("end", {})
    with pytest.raises(NoBackend, match="is not started again"):
        client.call("double", {"number": 2})


def test_a_slow_call_ends_at_its_limit(connect):
    client = connect(seconds=3.0)
    client.list_tools()
    with pytest.raises(TimeLimit, match="within 3 s"):
        client.call("wait", {})


DEAF = "import os, pathlib, time\npathlib.Path(__file__).with_name('pid').write_text(str(os.getpid()))\n"


def test_a_server_that_never_answers_is_ended_while_it_is_asked(connect, tmp_path):
    client = connect(DEAF + "time.sleep(600)\n", seconds=60.0)
    ended = []

    def ask():
        with pytest.raises(NoBackend):
            client.list_tools()
        ended.append(True)

    asking = threading.Thread(target=ask)
    asking.start()
    wait_for(lambda: (tmp_path / "pid").is_file() and (tmp_path / "pid").read_text())
    client.close()
    asking.join(60)
    assert ended
    with pytest.raises(ProcessLookupError):
        os.kill(int((tmp_path / "pid").read_text()), 0)


def test_an_answer_that_the_protocol_does_not_know_is_told_in_a_line(connect, monkeypatch):
    async def malformed():
        raise ValueError("1 validation error\nfor ListToolsResult")

    client = connect()
    monkeypatch.setattr(client, "_list", malformed)
    with pytest.raises(NoBackend, match=r"answer is not one of the protocol$"):
        client.list_tools()


def test_a_greeting_that_the_protocol_does_not_know_is_told_in_a_line(connect):
    with pytest.raises(NoBackend, match=r"cannot start the server: .* not one of the protocol$"):
        connect(UNLIKE).list_tools()


def wait_for(holds):
    until = time.monotonic() + 60
    while not holds() and time.monotonic() < until:
        time.sleep(0.02)


@pytest.fixture
def served(repo):
    """Address and token of spark's own server over HTTP."""
    words = [sys.executable, "-m", "spark_tui", "mcp", "--http", "--port", "0"]
    with subprocess.Popen(words, cwd=repo, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = process.stderr.readline().split()[1]
            yield address, process.stderr.readline().split()[-1]
        finally:
            process.terminate()
            process.stderr.read()


def test_a_server_over_http_is_reached_with_the_headers_of_the_settings(served):
    address, token = served
    config = ServerConfig("far", url=address, headers={"Authorization": f"Bearer {token}"})
    client = McpClient(config)
    assert "patch_check" in [tool.name for tool in client.list_tools()]
    assert client.call("diagnostics", {}).text == "no problems found"
    client.close()
    stranger = McpClient(ServerConfig("far", url=address))
    with pytest.raises(NoBackend, match=r"mcp\.servers\.far") as refused:
        stranger.list_tools()
    assert "`headers`" in refused.value.hint
    stranger.close()


def test_a_server_that_does_not_start_is_named(connect):
    with pytest.raises(NoBackend):
        connect("raise SystemExit(1)").list_tools()


def test_what_a_server_logs_is_not_on_the_terminal(tmp_path, plain_mcp_server):
    (tmp_path / "server.py").write_text(NOISY + Path(plain_mcp_server).read_text())
    # In a process of its own: the tests have another standard error.
    program = (
        "import os, sys\nfrom spark_tui.config.mcp_servers import ServerConfig\n"
        "from spark_tui.tools.mcp_client import McpClient\n"
        "client = McpClient(ServerConfig('test', sys.executable, ('server.py',), dict(os.environ)))\n"
        "print(client.list_tools()[0].name)\nclient.close()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True, check=True
    )
    assert (done.stdout, done.stderr) == ("double\n", "")


def _file_bytes():
    """Of the temporary files that have no name any more."""
    links = [link for link in Path("/proc/self/fd").glob("*") if "(deleted)" in os.path.realpath(link)]
    return sum(link.stat().st_size for link in links)


def test_what_a_server_logs_fills_no_disk(connect):
    before = _file_bytes()
    assert connect().call("log", {}).text == "done"
    assert _file_bytes() < before + 300_000


def test_a_server_that_ends_in_a_call_says_why_in_its_own_words(connect, plain_mcp_server):
    text = Path(plain_mcp_server).read_text().replace("os._exit(1)", 'sys.exit("out of memory")')
    with pytest.raises(NoBackend, match="for the next one; it wrote: out of memory"):
        connect(text).call("end", {})


def test_a_server_that_ends_at_once_says_why_in_its_own_words(connect):
    with pytest.raises(
        NoBackend, match="cannot start the server: Connection closed; it wrote: I log"
    ) as caught:
        connect(NOISY).list_tools()
    assert "TaskGroup" not in str(caught.value)


def test_an_error_of_a_server_with_the_code_of_a_closed_connection_is_its_refusal(connect, plain_mcp_server):
    error = '{"error": {"code": -32000, "message": "no database"}}'
    called = "if result is None else " + error + " if request['method'] == 'tools/call' else"
    client = connect(Path(plain_mcp_server).read_text().replace("if result is None else", called))
    with pytest.raises(NoBackend, match="the server refused: no database"):
        client.call("double", {"number": 2})
    assert client.list_tools() and not client.ends
