"""Prompts and resources of other programs, in what a person types."""

import os
import sys

import pytest

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.errors import NoBackend, UsageError
from spark_tui.tools.mcp_client import McpClient
from spark_tui.tools.mcp_texts import ServerText, expanded, prompts_of, resources_of

pytest.importorskip("mcp")

SERVER = """
from mcp.server import MCPServer
server = MCPServer("test")

@server.prompt()
def review(path: str, focus: str = "errors") -> str:
    "Look through\\n a file."
    return f"Review {path} for {focus}."

@server.prompt()
def plain() -> str:
    return "Say hello."

@server.resource("notes://today")
def notes() -> str:
    return "buy milk\\x1b[2J\\n" + "more\\n" * 20_000

server.run()
"""


@pytest.fixture(scope="module")
def clients(tmp_path_factory):
    script = tmp_path_factory.mktemp("server") / "server.py"
    script.write_text(SERVER)
    client = McpClient(ServerConfig("notes", sys.executable, (str(script),), dict(os.environ)))
    yield {"notes": client}
    client.close()


@pytest.mark.parametrize(
    ("said", "text"),
    [
        ("/notes:plain", "Say hello."),
        ("/notes:review a.py", "Review a.py for errors."),
        ("/notes:review a.py dead code", "Review a.py for dead code."),
        ("/notes:review focus='slow code' path=b.py", "Review b.py for slow code."),
        ("/other:review a.py", "/other:review a.py"),
        ("look at notes:today", "look at notes:today"),
        ("mail me@notes:today", "mail me@notes:today"),
    ],
)
def test_a_prompt_stands_in_place_of_its_command(clients, said, text):
    assert expanded(said, clients) == text


def test_a_resource_is_put_below_bounded_and_harmless(clients):
    text = expanded("do what @notes:notes://today says", clients)
    head, _, rest = text.partition("\n\n")
    assert head == "do what @notes:notes://today says"
    assert rest.startswith("The resource notes://today of notes:\nbuy milk\\x1b[2J\nmore\n")
    assert len(text) < 30_000
    assert "more lines)" in text[-30:]


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ("/notes:nothing", "notes has no prompt nothing"),
        ("/notes:plain words", "the prompt has no argument for 'words'"),
    ],
)
def test_a_mistake_is_named(clients, said, message):
    with pytest.raises(UsageError, match=message):
        expanded(said, clients)


def test_a_resource_that_is_not_there_is_an_error(clients):
    with pytest.raises(NoBackend):
        expanded("read @notes:notes://tomorrow", clients)


def test_prompts_and_resources_are_listed_as_they_are_typed(clients):
    assert list(prompts_of(clients)) == [
        ServerText("notes:review", "Look through a file.", ("path", "focus")),
        ServerText("notes:plain", ""),
    ]
    assert [server_text.typed for server_text in resources_of(clients)] == ["notes:notes://today"]


def test_a_server_that_does_not_answer_has_none(clients, tmp_path):
    broken = McpClient(ServerConfig("broken", sys.executable, ("-c", "raise SystemExit(1)")))
    both = {"broken": broken, **clients}
    assert [server_text.typed for server_text in prompts_of(both)] == ["notes:review", "notes:plain"]
    assert [server_text.typed for server_text in resources_of(both)] == ["notes:notes://today"]
    broken.close()
