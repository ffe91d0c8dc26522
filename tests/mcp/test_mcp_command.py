"""`spark mcp` from outside: over stdin and stdout, and over HTTP with a token."""

import json
import os
import re
import signal
import socket
import subprocess
import sys

import pytest
from support.hearing_process import spark_that_hears

from spark_tui.cli.main import main
from spark_tui.errors import install_command

httpx = pytest.importorskip("httpx")


async def test_a_program_speaks_with_it_on_stdin_and_stdout(repo):
    mcp = pytest.importorskip("mcp")
    command = mcp.StdioServerParameters(
        command=sys.executable, args=["-m", "spark_tui", "mcp", "--write"], cwd=repo, env=dict(os.environ)
    )
    async with mcp.Client(mcp.stdio_client(command)) as client:
        planned = await client.call_tool("refactor_rename", {"target": "Cart.add", "new": "put"})
        await client.call_tool("patch_apply", {"plan": planned.structured_content["plan"]})
    assert "def put(self" in (repo / "shop/cart.py").read_text()


def test_requests_that_are_piped_in_are_all_answered(repo):
    pytest.importorskip("mcp")
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
    rename = {"name": "refactor_rename", "arguments": {"target": "Cart.add", "new": "put"}}
    asked = [
        {"id": 1, "method": "initialize", "params": hello},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": rename},
        {"id": 3, "method": "tools/call", "params": rename},
        {"method": "notifications/cancelled", "params": {"requestId": 3}},
    ]
    lines = "".join(json.dumps({"jsonrpc": "2.0", **one}) + "\n" for one in asked)
    words = [sys.executable, "-m", "spark_tui", "mcp"]
    ended = subprocess.run(
        words, check=True, cwd=repo, input=lines, capture_output=True, text=True, timeout=50
    )
    found = {one["id"]: one for one in map(json.loads, ended.stdout.splitlines())}
    assert "plan" in found[2]["result"]["structuredContent"]


SIGNALS = pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])


@SIGNALS
def test_a_signal_ends_it_while_its_input_stays_open(repo, number, code):
    pytest.importorskip("mcp")
    words = spark_that_hears("mcp")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(words, cwd=repo, **pipes) as process:
        process.stdin.write(b"not JSON\n")
        process.stdin.flush()
        assert b"error" in process.stdout.readline()
        process.send_signal(signal.Signals[number])
        assert process.wait(60) == code
        assert process.stderr.read() == b""


@pytest.fixture
def served(repo):
    """Address and token of a server over HTTP, and its process."""
    pytest.importorskip("mcp")
    words = spark_that_hears("mcp", "--http", "--port", "0")
    with subprocess.Popen(words, cwd=repo, stderr=subprocess.PIPE, text=True) as process:
        try:
            address = re.search(r"http://\S+", process.stderr.readline()).group()
            token = process.stderr.readline().rpartition(" ")[2].strip()
            yield address, token, process
        finally:
            process.terminate()
            process.stderr.read()


async def test_a_program_speaks_with_it_over_http(served):
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    address, token, _ = served
    async with (
        httpx.AsyncClient(headers={"Authorization": f"Bearer {token}"}) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        assert "diagnostics" in {tool.name for tool in (await client.list_tools()).tools}


def test_over_http_a_token_and_a_local_host_name_are_needed(served):
    address, token, _ = served
    hello = {"jsonrpc": "2.0", "id": 1, "method": "ping"}
    right = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    assert httpx.post(address, json=hello).status_code == 401
    assert httpx.post(address, json=hello, headers={"Authorization": "Bearer x"}).status_code == 401
    assert httpx.post(address, json=hello, headers={**right, "Host": "evil.example"}).status_code == 421
    assert httpx.post(address, json=hello, headers={**right, "Origin": "http://evil"}).status_code == 403


def _hello(name):
    client = {"name": name, "version": "1"}
    about = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}


@SIGNALS
def test_a_signal_lets_a_request_over_http_end_and_then_ends_the_server(served, number, code):
    address, token, process = served
    url, body = httpx.URL(address), json.dumps(_hello("late")).encode()
    head = [
        f"POST {url.path} HTTP/1.1",
        f"Host: {url.host}:{url.port}",
        f"Authorization: Bearer {token}",
        "Accept: application/json, text/event-stream",
        "Content-Type: application/json",
        f"Content-Length: {len(body)}",
        "Expect: 100-continue",
    ]
    with socket.create_connection((url.host, url.port), 20) as client:
        client.sendall("\r\n".join([*head, "", ""]).encode())
        with client.makefile("rb") as answer:
            assert b"100" in answer.readline()  # the server waits for the body
            process.send_signal(signal.Signals[number])
            client.sendall(body)
            assert b"200" in answer.read()
    assert process.wait(60) == code
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection((url.host, url.port), 20)


def test_an_open_event_stream_keeps_no_server_and_is_no_error_of_it(served):
    address, token, process = served
    accept = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    with httpx.Client(headers=accept, timeout=60) as client:
        session = client.post(address, json=_hello("stream")).headers["mcp-session-id"]
        with client.stream("GET", address, headers={"mcp-session-id": session}) as stream:
            assert stream.status_code == 200
            process.terminate()
            assert process.wait(60) == 143
    assert process.stderr.read() == ""


def test_it_listens_on_this_machine_only(repo, capsys):
    pytest.importorskip("mcp")
    assert main(["mcp", "--http", "--host", "0.0.0.0", "-C", str(repo)]) == 5
    assert "not an address of this machine alone" in capsys.readouterr().err


def test_a_token_file_and_a_port_that_make_no_sense_are_refused(repo, tmp_path, capsys):
    pytest.importorskip("mcp")
    (tmp_path / "token").write_bytes(b"\xff\xfe")
    serve = ["mcp", "--http", "-C", str(repo)]
    assert main([*serve, "--port", "0", "--token-file", str(tmp_path / "token")]) == 2
    assert "one token" in capsys.readouterr().err
    assert main([*serve, "--port", "99999"]) == 2


def test_without_the_packages_the_command_that_installs_them_is_named(repo, capsys, monkeypatch):
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["mcp", "-C", str(repo)]) == 6
    assert install_command("mcp") in capsys.readouterr().err
