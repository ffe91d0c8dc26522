"""Servers of tools at an address: streamable HTTP with sessions, and the older server-sent events."""

import contextlib
import json
import queue
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.errors import NoBackend
from spark_tui.tools.mcp_client import MOST_RESTARTS, McpClient

NUMBER = {"type": "object", "properties": {"number": {"type": "integer"}}}


def outcome(request):
    method, given = request["method"], request.get("params") or {}
    if method == "initialize":
        who = {"name": "test", "version": "1"}
        version = given["protocolVersion"]
        return {"result": {"protocolVersion": version, "capabilities": {"tools": {}}, "serverInfo": who}}
    if method == "tools/list":
        return {"result": {"tools": [{"name": "double", "inputSchema": NUMBER}]}}
    if method == "tools/call":
        text = str(2 * given["arguments"]["number"])
        return {"result": {"content": [{"type": "text", "text": text}]}}
    return {"error": {"code": -32601, "message": "Method not found"}}


class Server:
    """At `/mcp` it speaks streamable HTTP and knows its session, at `/sse` the older way."""

    def __init__(self):
        self.session, self.seen, self.out, self.ending = 1, [], queue.Queue(), threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            def log_message(self, *args):
                pass

            def do_POST(self):
                request = json.loads(self.rfile.read(int(self.headers["content-length"])))
                owner.seen.append((self.path, self.headers.get("x-key", "")))
                answer = {"jsonrpc": "2.0", "id": request.get("id"), **outcome(request)}
                if self.path == "/messages?session_id=1":
                    if "id" in request:
                        owner.out.put(answer)
                    return self.say(202)
                begins = request["method"] == "initialize"
                unknown = "id" in request and "result" not in answer
                if self.path != "/mcp" or unknown:
                    return self.say(401 if self.path == "/locked" else 405)
                if not begins and self.headers.get("mcp-session-id") != str(owner.session):
                    return self.say(404)
                return self.say(200, answer) if "id" in request else self.say(202)

            def do_GET(self):
                if self.path != "/sse":
                    return self.say(401 if self.path == "/locked" else 405)
                self.send_response(200)
                self.send_header("content-type", "text/event-stream")
                self.end_headers()
                with contextlib.suppress(OSError):
                    self.wfile.write(b"event: endpoint\ndata: /messages?session_id=1\n\n")
                    while not owner.ending.is_set():
                        with contextlib.suppress(queue.Empty):
                            said = json.dumps(owner.out.get(timeout=0.02))
                            self.wfile.write(f"event: message\ndata: {said}\n\n".encode())
                        self.wfile.write(b": \n")

            def do_DELETE(self):
                self.say(200)

            def say(self, status, body=None):
                data = json.dumps(body).encode() if body else b""
                self.send_response(status)
                self.send_header("content-type", "application/json")
                self.send_header("content-length", str(len(data)))
                self.send_header("mcp-session-id", str(owner.session))
                self.end_headers()
                self.wfile.write(data)

        self.http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.http.daemon_threads = True


@pytest.fixture
def reach():
    """A server, and how to connect to one of its paths."""
    server, clients = Server(), []
    thread = threading.Thread(target=server.http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()

    def reach(path, **headers):
        url = f"http://127.0.0.1:{server.http.server_address[1]}{path}"
        clients.append(McpClient(ServerConfig("test", url=url, seconds=20, headers=headers)))
        return server, clients[-1]

    yield reach
    for client in clients:
        client.close()
    server.ending.set()
    server.http.shutdown()
    thread.join()
    server.http.server_close()


@pytest.mark.parametrize("path", ["/mcp", "/sse"])
def test_both_ways_of_http_are_spoken_with_the_headers_of_the_settings(reach, path):
    server, client = reach(path, **{"x-key": "secret"})
    assert [tool.name for tool in client.list_tools()] == ["double"]
    assert client.call("double", {"number": 4}).text == "8"
    assert {key for _, key in server.seen} == {"secret"}


def test_a_session_that_the_server_forgot_is_begun_again_however_often(reach):
    server, client = reach("/mcp")
    for number in range(MOST_RESTARTS + 3):
        assert client.call("double", {"number": number}).text == str(2 * number)
        server.session += 1
        with pytest.raises(NoBackend, match="started again for the next"):
            client.call("double", {"number": number})


def test_the_status_of_a_server_that_refuses_is_named(reach):
    _, client = reach("/locked")
    with pytest.raises(NoBackend, match=r"\(401\)"):
        client.list_tools()
