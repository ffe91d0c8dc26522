"""Long answers, many sessions, and clients that are slow or go away."""

import asyncio
import json
import os
import signal
import subprocess
import sys
import threading

import acp
import pytest
from support.acp_client import Editor, RawClient, Slow, editor_of, joined, session_of
from support.fakes import FakeBackend
from support.hearing_process import spark_that_hears

from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import install_command
from spark_tui.session.session import Session

CART = "shop/cart.py"


def hello(number, method, **params):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params}


async def bytes_of(repo, tokens):
    """How many bytes a client receives for an answer of so many words."""
    words = [f"word{number} " for number in range(tokens)]
    async with joined(lambda: FakeBackend(words), max_tokens=2 * tokens) as (reader, writer, _):
        client = RawClient(reader, writer)
        await client.ask(hello(1, "initialize", protocolVersion=1))
        made = await client.ask(hello(2, "session/new", cwd=str(repo), mcpServers=[]))
        await client.send(
            hello(
                3,
                "session/prompt",
                sessionId=made["result"]["sessionId"],
                prompt=[{"type": "text", "text": f"talk about @{CART}"}],
            )
        )
        size, said = 0, []
        while True:
            line = await reader.readline()
            size += len(line)
            message = json.loads(line)
            if "method" not in message:
                assert message["result"]["stopReason"] == "end_turn"
                break
            if message["params"]["update"]["sessionUpdate"] == "agent_message_chunk":
                said.append(message["params"]["update"]["content"]["text"])
    assert "".join(said).split() == "".join(words).split()
    return size


@pytest.mark.parametrize("tokens", [20_000, pytest.param(100_000, marks=pytest.mark.slow)])
async def test_the_bytes_of_a_stream_grow_with_its_length(repo, tokens):
    assert await bytes_of(repo, tokens) < 250 * tokens


async def test_fifty_sessions_run_side_by_side(repo, editor, scripted):
    editor.decision = "reject"
    async with editor_of(lambda: Slow(scripted(), 0.002), editor) as conn:
        opened = await asyncio.gather(*(conn.new_session(str(repo)) for _ in range(50)))
        link = acp.resource_link_block("cart", (repo / CART).as_uri())
        prompts = (conn.prompt(item.session_id, [acp.text_block("do it"), link]) for item in opened)
        done = await asyncio.gather(*prompts)
    assert {item.stop_reason for item in done} == {"end_turn"}
    assert len({item.session_id for item in opened}) == 50
    assert len(editor.asked) == 50
    for one in opened:
        mine = [update for session_id, update in editor.updates if session_id == one.session_id]
        said = "".join(item.content.text for item in mine if item.session_update == "agent_message_chunk")
        assert said == "Well then.\n"


async def test_a_client_that_vanishes_ends_the_turn_which_another_one_resumes(repo, scripted):
    before = set(threading.enumerate())
    async with joined(lambda: Slow(scripted())) as (reader, writer, serving):
        client = RawClient(reader, writer)
        await client.ask(hello(1, "initialize", protocolVersion=1))
        made = await client.ask(hello(2, "session/new", cwd=str(repo), mcpServers=[]))
        session_id = made["result"]["sessionId"]
        prompt = [{"type": "text", "text": "do it"}, link_to(repo)]
        await client.send(hello(3, "session/prompt", sessionId=session_id, prompt=prompt))
        while b"tool_call" not in await reader.readline():
            pass
        writer.transport.abort()
        await asyncio.wait_for(serving, 10)
    left = [item for item in set(threading.enumerate()) - before if item.name == "acp-turn"]
    for one in left:  # it may be on its last line
        one.join(60)
    assert not [item for item in left if item.is_alive()]
    state = paths.repository_state_dir(repo)
    session = Session(repo, scripted(), Settings(), state, session_id=session_id)
    assert session.turns.can_resume
    list(session.turns.resume(stop=threading.Event()))
    assert len(session.decisions.unwritten()) == 2
    session.close()
    assert "SHIPPING = 490" in (repo / CART).read_text()


def link_to(repo):
    return {"type": "resource_link", "name": "cart", "uri": (repo / CART).as_uri()}


async def test_a_slow_client_gets_everything_in_order(repo, scripted):
    class Sleepy(Editor):
        async def session_update(self, session_id, update, **more):
            await super().session_update(session_id, update, **more)
            await asyncio.sleep(0.005)

    editor = Sleepy()
    async with session_of(scripted, editor, repo) as (conn, opened):
        link = acp.resource_link_block("cart", (repo / CART).as_uri())
        await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
    assert editor.said == "Well then.\n"
    assert editor.calls() == {f"Edit {CART}": "completed"}


async def test_an_editor_that_does_not_answer_is_not_waited_for_forever(repo, editor, scripted, monkeypatch):
    monkeypatch.setattr("spark_tui.acp.client_files.SECONDS", 0.2)

    async def never(session_id, path, content, **_):
        await asyncio.sleep(30)

    editor.write_text_file = never
    async with session_of(scripted, editor, repo) as (conn, opened):
        link = acp.resource_link_block("cart", (repo / CART).as_uri())
        await asyncio.wait_for(conn.prompt(opened.session_id, [acp.text_block("do it"), link]), 20)
    assert "did not answer" in editor.said
    assert "SHIPPING = 490" in (repo / CART).read_text()


async def test_the_command_speaks_on_stdin_and_stdout(repo, editor):
    recordings = str(paths.recordings_dir())
    words = [sys.executable, "-m", "spark_tui", "acp", "--replay", recordings, "--pace", "unlimited"]
    # On a busy machine it takes its time to end; the SDK kills what takes longer than this.
    patience = {"shutdown_timeout": 60.0}
    async with acp.spawn_agent_process(
        editor, *words, env=dict(os.environ), cwd=repo, transport_kwargs=patience, use_unstable_protocol=True
    ) as (conn, process):
        hello = await conn.initialize(1)
        assert hello.agent_info.name == "spark"
        opened = await conn.new_session(str(repo))
        await conn.prompt(opened.session_id, [acp.text_block("/rename Cart.add put")])
    assert process.returncode == 0
    assert "def put(self" in (repo / CART).read_text()


@pytest.mark.parametrize(("number", "code"), [("SIGINT", 130), ("SIGTERM", 143), ("SIGHUP", 129)])
def test_a_signal_ends_the_command_while_its_input_stays_open(repo, number, code):
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with subprocess.Popen(spark_that_hears("acp"), cwd=repo, **pipes) as process:
        process.stdin.write(b"not JSON\n")
        process.stdin.flush()
        assert b"error" in process.stdout.readline()
        process.send_signal(signal.Signals[number])
        assert process.wait(60) == code
        assert process.stderr.read() == b""


def test_without_the_package_the_command_that_installs_it_is_named(capsys, monkeypatch):
    from spark_tui.cli.main import main

    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["acp"]) == 6
    assert install_command("acp") in capsys.readouterr().err


@pytest.mark.parametrize("module", ["spark_tui.cli.commands.acp", "spark_tui.cli.commands.mcp"])
def test_the_help_of_the_commands_needs_no_extra(module):
    import subprocess

    probe = f"import sys, {module}\nprint(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", probe], capture_output=True, text=True, check=True)
    assert not {"acp", "mcp", "pydantic", "starlette"} & set(done.stdout.split())
