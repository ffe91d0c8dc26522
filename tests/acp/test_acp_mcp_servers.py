"""MCP servers that an editor names with a session: their tools, prompts and resources."""

import asyncio
import os
import sys

import acp
import pytest
from acp.schema import (
    EnvVariable,
    FileSystemCapabilities,
    HttpHeader,
    HttpMcpServer,
    McpServerStdio,
    SseMcpServer,
)
from support.acp_client import editor_of
from support.tool_backend import Call, ToolBackend

from spark_tui.acp.opening import SessionOpener
from spark_tui.acp.session_options import SessionOptions
from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.config.settings import Settings
from spark_tui.session.model.session_tools import SessionTools
from spark_tui.tools.mcp_tools import McpTools

pytest.importorskip("mcp")

SERVER = """
import os
from mcp.server import MCPServer
server = MCPServer("test")

@server.tool()
def double(number: int) -> str:
    "Twice a number."
    return str(2 * number) + os.environ.get("UNIT", "")

@server.prompt()
def greet(name: str) -> str:
    "Greet somebody."
    return f"Say hello to {name}."

@server.prompt()
def put() -> str:
    "Rename what adds."
    return "rename Cart.add to put"

@server.resource("notes://today")
def notes() -> str:
    return "buy milk"

server.run()
"""


WAIT = "spark_tui.tools.mcp_tools.START_SECONDS"


@pytest.fixture
def notes(tmp_path, monkeypatch):
    monkeypatch.setattr(WAIT, 60.0)
    (tmp_path / "server.py").write_text(SERVER)
    environ = [EnvVariable(name=name, value=value) for name, value in os.environ.items()]
    environ.append(EnvVariable(name="UNIT", value=" kg"))
    return McpServerStdio(
        name="my notes", command=sys.executable, args=[str(tmp_path / "server.py")], env=environ
    )


@pytest.mark.parametrize(("decision", "answer"), [("once", "42 kg"), ("no", "not allowed")])
async def test_a_tool_is_asked_about_and_called(repo, editor, notes, decision, answer):
    editor.decision = decision
    backend = ToolBackend([Call("mcp__my-notes__double", number=21)], "Done.")
    async with editor_of(lambda: backend, editor) as conn:
        opened = await conn.new_session(str(repo), mcp_servers=[notes])
        await conn.prompt(opened.session_id, [acp.text_block("double it")])
    assert "double of the MCP server my-notes" in editor.asked[0].title
    (begun,) = editor.of("tool_call")
    (ended,) = [item for item in editor.of("tool_call_update") if item.tool_call_id == begun.tool_call_id]
    assert answer in ended.content[0].content.text


@pytest.mark.parametrize("wait", [60.0, 0.0])
async def test_prompts_are_commands_and_resources_are_mentioned(repo, editor, notes, monkeypatch, wait):
    """However late the server is."""
    monkeypatch.setattr(WAIT, wait)
    backend = ToolBackend("Hello.")
    async with editor_of(lambda: backend, editor) as conn:
        opened = await conn.new_session(str(repo), mcp_servers=[notes])
        while len(editor.of("available_commands_update")) < 2:
            await asyncio.sleep(0.02)
        commands = {
            command.name: command for command in editor.of("available_commands_update")[-1].available_commands
        }
        assert commands["my-notes:greet"].description == "Greet somebody."
        assert commands["my-notes:greet"].input.root.hint == "name"
        text = "/my-notes:greet mia"
        await conn.prompt(opened.session_id, [acp.text_block(text)])
        await conn.prompt(opened.session_id, [acp.text_block("do what @my-notes:notes://today says")])
    asked = [request.instruction for request in backend.requests]
    assert asked[0] == "Say hello to mia."
    assert "buy milk" in asked[-1]


async def test_a_server_that_answers_while_models_are_looked_for_is_named_too(
    repo, editor, notes, monkeypatch
):
    monkeypatch.setattr(WAIT, 0.0)
    monkeypatch.setattr(
        SessionOptions, "find_models", lambda options: options._session.tools.wait_for_late_servers()
    )
    async with editor_of(lambda: ToolBackend("Hello."), editor) as conn:
        await conn.new_session(str(repo), mcp_servers=[notes])
        async with asyncio.timeout(30):
            while len(editor.of("available_commands_update")) < 2:
                await asyncio.sleep(0.02)


async def test_a_session_that_is_closed_while_a_server_starts_starts_none_again(
    repo, editor, notes, monkeypatch
):
    monkeypatch.setattr(WAIT, 0.0)
    seen = []

    def watch(owner, name, before=(), behind=()):
        real = getattr(owner, name)

        def watched(*given):
            seen.extend(before)
            found = real(*given)
            seen.extend(behind)
            return found

        monkeypatch.setattr(owner, name, watched)

    watch(McpTools, "_start", before=["start"])
    watch(SessionTools, "wait_for_late_servers", before=["wait"])
    watch(SessionTools, "server_prompts", behind=["named"])
    async with editor_of(lambda: ToolBackend("Hello."), editor) as conn:
        opened = await conn.new_session(str(repo), mcp_servers=[notes])
        while "wait" not in seen:
            await asyncio.sleep(0.02)
        await conn.close_session(opened.session_id)
        while seen.count("named") < 2:
            await asyncio.sleep(0.02)
    assert seen.count("start") == 1


async def test_a_prompt_is_read_by_the_built_in_reader_too(repo, editor, notes, scripted):
    backend = scripted()
    backend.small_window = (320, 300)
    async with editor_of(lambda: backend, editor) as conn:
        opened = await conn.new_session(str(repo), mcp_servers=[notes])
        await conn.prompt(opened.session_id, [acp.text_block("/my-notes:put")])
    assert "def put(self" in (repo / "shop/cart.py").read_text()


async def test_a_server_over_http_is_reached_with_its_headers(repo, editor, scripted):
    far = HttpMcpServer(
        name="far",
        type="http",
        url="http://127.0.0.1:1/mcp",
        headers=[HttpHeader(name="Authorization", value="Bearer x")],
    )
    opener = SessionOpener(lambda _root: Settings(), lambda _settings: scripted())
    opened = opener.open(None, None, FileSystemCapabilities(), repo, servers=[far])
    assert opened.session.settings.mcp_servers == {
        "far": ServerConfig("far", url="http://127.0.0.1:1/mcp", headers={"Authorization": "Bearer x"})
    }
    opened.session.close()
    async with editor_of(scripted, editor) as conn:
        said = await conn.initialize(acp.PROTOCOL_VERSION)
    assert said.agent_capabilities.mcp_capabilities.http


async def test_a_server_of_another_kind_is_refused(repo, editor, scripted):
    sse = SseMcpServer(name="far", type="sse", url="http://127.0.0.1:1/mcp", headers=[])
    async with editor_of(scripted, editor) as conn:
        with pytest.raises(acp.RequestError, match="far: spark reaches MCP servers by a command or over"):
            await conn.new_session(str(repo), mcp_servers=[sse])
