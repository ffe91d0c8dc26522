"""What no good client sends to `spark mcp`: each is an error of the protocol, and nothing is written."""

import json
import subprocess
import sys

import pytest
from support.git_command import git

pytest.importorskip("mcp")

CLIENT = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "c", "version": "0"}}
OUT = "--- a/../out.py\n+++ b/../out.py\n@@ -0,0 +1 @@\n+x = 1\n"


def call(method, message_id=7, **params):
    return json.dumps({"jsonrpc": "2.0", "id": message_id, "method": method, "params": params}).encode()


def tool(name, **arguments):
    return call("tools/call", name=name, arguments=arguments)


@pytest.fixture(scope="module")
def shop(tmp_path_factory):
    root = tmp_path_factory.mktemp("shop")
    (root / "cart.py").write_text("def add():\n    return 1\n")
    git(root, "init", "-q")
    git(root, "add", "-A")
    git(root, "-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "Start")
    return root


class Server:
    def __init__(self, root):
        words = [sys.executable, "-m", "spark_tui", "mcp", "--write"]
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(words, cwd=root, stdin=pipe, stdout=pipe, stderr=pipe)

    def ask(self, line):
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()
        return json.loads(self.process.stdout.readline())

    def close(self):
        self.process.stdin.close()
        self.process.wait(60)
        self.process.stdout.close()
        self.process.stderr.close()


@pytest.fixture(scope="module")
def begun(shop):
    """One server for all lines: none of them ends it."""
    server = Server(shop)
    yield server
    assert "serverInfo" in server.ask(call("initialize", 1, **CLIENT))["result"]
    server.close()
    assert server.process.returncode == 0


@pytest.fixture(scope="module")
def ready(shop):
    """One that has been greeted."""
    server = Server(shop)
    server.ask(call("initialize", 1, **CLIENT))
    server.process.stdin.write(b'{"jsonrpc": "2.0", "method": "notifications/initialized"}\n')
    yield server
    server.close()
    assert server.process.returncode == 0


NO_MESSAGES = {
    "not JSON": (b"not JSON", -32700),
    "cut off": (b"{", -32700),
    "not UTF-8": (b"\xff\xfe", -32700),
    "NUL bytes": (b"\0\0", -32700),
    "deep": (b"[" * 100_000, -32700),
    "a list": (b"[]", -32600),
    "another object": (b'{"foo": 1}', -32600),
    "params that are a number": (b'{"jsonrpc": "2.0", "id": 3, "method": "tools/list", "params": 7}', -32600),
    "another version": (b'{"jsonrpc": "1.0", "id": 3, "method": "tools/list"}', -32600),
    "an unknown method": (call("nothing/such"), -32601),
    "a call before initialize": (tool("patch_apply"), -32602),
    "a resource before initialize": (call("resources/read", uri="spark://plans/1"), -32602),
}
BAD_CALLS = {
    "an unknown method": (call("nothing/such"), -32601),
    "no tool": (call("tools/call"), -32602),
    "an unknown tool": (tool("nothing_such"), -32602),
    "arguments that are a list": (call("tools/call", name="patch_check", arguments=[1]), -32602),
    "an unknown plan": (call("resources/read", uri="spark://plans/99"), -32602),
    "a file as a resource": (call("resources/read", uri="file:///etc/passwd"), -32602),
    "NUL in a path": (tool("diagnostics", paths=["a\0b"]), 0),
    "an absolute path outside": (tool("diagnostics", paths=["/etc/passwd"]), 0),
    "a patch of a file outside": (tool("patch_apply", patch=OUT), 0),
    "a patch of an absolute path": (tool("patch_apply", patch=OUT.replace("a/../", "/etc/")), 0),
    "a huge patch": (tool("patch_apply", patch="x" * 10_000_001), 0),
    "NUL in a patch": (tool("patch_apply", patch=OUT.replace("../out", "a\0b")), 0),
}


@pytest.mark.parametrize("name", NO_MESSAGES)
def test_a_bad_line_or_one_before_initialize_is_an_error(begun, shop, name):
    line, code = NO_MESSAGES[name]
    assert begun.ask(line)["error"]["code"] == code
    assert git(shop, "status", "--porcelain") == ""


@pytest.mark.parametrize("name", BAD_CALLS)
def test_a_bad_call_is_an_error_and_writes_nothing(shop, ready, name):
    line, code = BAD_CALLS[name]
    answer = ready.ask(line)
    if code:
        assert answer["error"]["code"] == code
    else:
        assert answer["result"]["isError"]
    assert git(shop, "status", "--porcelain") == ""
    assert not (shop.parent / "out.py").exists()


def test_a_file_that_git_ignores_is_refused_with_a_command_that_there_is(shop, ready):
    (shop / ".git" / "info" / "exclude").write_text("kept.py\n")
    patch = "--- /dev/null\n+++ b/kept.py\n@@ -0,0 +1 @@\n+x = 1\n"
    answer = ready.ask(tool("patch_apply", patch=patch))
    assert "spark patch --ignored" in answer["result"]["content"][0]["text"]
