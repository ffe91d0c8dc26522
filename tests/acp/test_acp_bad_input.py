"""What no good client sends: each is an error of the protocol, nothing is written, and the agent goes on."""

import asyncio
import json
import os
import sys
from argparse import Namespace
from pathlib import Path

import acp
import pytest
from support.acp_client import Editor, RawClient, Slow, editor_of, joined, session_of
from support.git_command import git
from support.scripted_backend import Scripted

from spark_tui.acp.prompts import read_prompt
from spark_tui.acp.transport import LineTransport
from spark_tui.cli.commands import acp as command
from spark_tui.errors import NoPlace

CART = "shop/cart.py"
HELLO = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"protocolVersion": 1}}


def call(method, **params):
    return {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (b"{", -32700),
        (b"\xff\xfe", -32700),
        (b"[" * 100_000, -32700),
        (b"[]", -32600),
        (b'"text"', -32600),
        (b"null", -32600),
        ({"jsonrpc": "1.0", "id": 1, "method": "initialize"}, -32600),
        ({"id": 1, "method": "initialize"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": 7}, -32600),
        ({"jsonrpc": "2.0", "id": [1], "method": "initialize"}, -32600),
        ({"jsonrpc": "2.0", "id": True, "method": "initialize"}, -32600),
        ({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": [1]}, -32600),
        (call("nothing/of/this"), -32601),
        (call("_nothing"), -32601),
        (call("session/delete", sessionId="x"), -32601),
        (call("initialize"), -32602),
        (call("session/new", cwd="/", mcpServers=[]), -32600),
        (call("session/prompt", sessionId="x", prompt=[]), -32600),
        (call("session/list"), -32600),
        (call("initialize", protocolVersion=1, clientInfo={"name": "\ud83d", "version": ""}), -32600),
    ],
)
async def test_a_bad_message_is_answered_with_an_error_and_the_next_one_is_heard(scripted, line, code):
    async with joined(scripted) as (reader, writer, _):
        client = RawClient(reader, writer)
        assert (await client.ask(line))["error"]["code"] == code
        assert (await client.ask(HELLO))["result"]["protocolVersion"] == 1


async def test_answers_that_nobody_waits_for_are_passed_over(scripted):
    async with joined(scripted) as (reader, writer, _):
        client = RawClient(reader, writer)
        for line in (
            {"jsonrpc": "2.0", "id": 99, "result": {}},
            {"jsonrpc": "2.0", "id": [9], "result": {}},
            {"jsonrpc": "2.0", "id": 1, "error": "no object"},
            {"jsonrpc": "2.0", "id": 99, "result": {}, "error": None},
            {"jsonrpc": "2.0", "method": "session/cancel", "params": {"sessionId": "nobody"}},
            {"jsonrpc": "2.0", "method": "_some/notification", "params": {}},
        ):
            await client.send(line)
        assert "result" in await client.ask(HELLO)


async def test_a_line_without_end_is_refused(scripted, monkeypatch):
    monkeypatch.setattr("spark_tui.acp.agent.LineTransport", small_transport)
    async with joined(scripted) as (reader, writer, _):
        client = RawClient(reader, writer)
        answer = await client.ask(json.dumps({**HELLO, "more": "x" * 300_000}).encode())
        assert answer["error"]["code"] == -32600
        assert "result" in await client.ask(HELLO)


def small_transport(reader, writer):
    from spark_tui.acp.transport import LineTransport

    return LineTransport(reader, writer, most_bytes=100_000)


async def test_a_client_of_another_version_is_told_which_one_is_spoken(scripted):
    async with joined(scripted) as (reader, writer, _):
        newer = {**HELLO, "params": {"protocolVersion": 2}}
        result = (await RawClient(reader, writer).ask(newer))["result"]
    assert result["protocolVersion"] == 1
    assert result["authMethods"] == []
    assert "_session/steering" in result["agentCapabilities"]["_meta"]


async def test_keys_of_meta_replace_no_argument(repo, tmp_path, scripted):
    async with joined(scripted) as (reader, writer, _):
        client = RawClient(reader, writer)
        await client.ask(HELLO)
        answer = await client.ask(
            call("session/new", cwd="relative", mcpServers=[], _meta={"cwd": str(repo)})
        )
    assert answer["error"]["code"] == -32602


@pytest.mark.parametrize("cwd", ["relative", "", "/nothing/is/here", "/\0", "/" + "a" * 300])
async def test_a_session_needs_a_folder(editor, scripted, cwd):
    async with editor_of(scripted, editor) as conn:
        for ask in (conn.new_session(cwd), conn.load_session(cwd, "x"), conn.list_sessions(cwd=cwd)):
            with pytest.raises(acp.RequestError) as raised:
                await ask
            assert raised.value.code == -32602


@pytest.mark.parametrize("session_id", ["nothing", "", "../../etc", "last", "\0"])
async def test_a_session_that_does_not_exist_is_not_opened(repo, editor, scripted, session_id):
    async with editor_of(scripted, editor) as conn:
        await conn.new_session(str(repo))
        for ask in (
            conn.load_session(str(repo), session_id),
            conn.prompt(session_id, [acp.text_block("do it")]),
            conn.close_session(session_id),
            conn.set_session_mode(session_id, "ask"),
            conn.ext_method("session/steering", {"sessionId": session_id, "message": "no"}),
        ):
            with pytest.raises(acp.RequestError) as raised:
                await ask
            assert raised.value.code == -32002


def blocks(root):
    outside = root.parent / "outside.py"
    outside.write_text("secret = 1\n")
    (root / ".env").write_text("KEY=1\n")
    (root / "link.py").symlink_to(outside)
    (root / "bin.dat").write_bytes(b"\0\0")
    say, link = acp.text_block("do it"), acp.resource_link_block
    embedded = lambda uri, text: acp.resource_block(acp.embedded_text_resource(uri, text))  # noqa: E731
    return {
        "nothing": [],
        "no text": [link("cart", (root / CART).as_uri())],
        "NUL": [acp.text_block("do \0 it")],
        "NUL in a path": [say, link("x", "file:///a%00b")],
        "too much": [acp.text_block("x" * 1_000_001)],
        "image": [say, acp.image_block("AAAA", "image/png")],
        "outside": [say, link("x", outside.as_uri())],
        "a secret, embedded": [say, embedded((root / ".env").as_uri(), "x = 1\n")],
        "a secret outside, embedded": [say, embedded((root.parent / ".env").as_uri(), "x = 1\n")],
        "outside by dots": [say, link("x", f"file://{root}/../outside.py")],
        "outside by a link": [say, link("x", (root / "link.py").as_uri())],
        "outside, mentioned": [acp.text_block(f"look at @{outside} and do it")],
        "a secret": [say, link("x", (root / ".env").as_uri())],
        "no such file": [say, link("x", (root / "none.py").as_uri())],
        "no address": [say, link("x", "file://[")],
        "a long name": [say, link("x", f"{root.as_uri()}/{'a' * 300}")],
        "another machine": [say, link("x", "file://elsewhere/x.py")],
        "a secret of an editor": [say, link("x", f"zed:///agent/file?path={root}/.env")],
        "bytes": [say, acp.resource_block(acp.embedded_blob_resource((root / CART).as_uri(), "AAAA"))],
        "a buffer with NUL": [say, embedded((root / CART).as_uri(), "a\0b")],
    }


async def test_a_prompt_that_cannot_be_taken_is_refused_and_nothing_is_read_or_written(
    repo, editor, scripted
):
    asked = blocks(repo)
    git(repo, "add", "-A")
    git(repo, "commit", "-qm", "More files")
    backend = scripted()
    async with session_of(lambda: backend, editor, repo) as (conn, opened):
        for name, prompt in asked.items():
            editor.updates.clear()
            try:
                await conn.prompt(opened.session_id, prompt)
            except acp.RequestError as error:
                assert error.code == -32602, name
            else:
                assert name == "a buffer with NUL"
                assert "binary" in editor.said
    assert backend.requests == []
    assert editor.written == []
    assert git(repo, "status", "--porcelain") == ""


def test_a_mention_that_is_too_long_for_a_name_is_no_file(tmp_path):
    assert read_prompt([acp.text_block(f"look at @{'a' * 300}")], tmp_path, 1000).mentioned == []


async def test_a_huge_buffer_is_refused(repo, editor, scripted):
    editor.buffers[str(repo / CART)] = "x = 1\n" * 20_000
    async with session_of(scripted, editor, repo, max_file_bytes=100_000) as (conn, opened):
        link = acp.resource_link_block("cart", (repo / CART).as_uri())
        await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
    assert "the limit is 100000" in editor.said
    assert editor.written == []


async def test_a_huge_file_is_refused(repo, editor, scripted):
    huge = repo / "shop/huge.py"
    huge.write_text("x = 1\n" * 20_000)
    embedded = acp.resource_block(acp.embedded_text_resource((repo / CART).as_uri(), huge.read_text()))
    backend = scripted()
    async with session_of(lambda: backend, editor, repo, max_file_bytes=100_000) as (conn, opened):
        for prompt in (
            [acp.text_block("do it"), acp.resource_link_block("huge", huge.as_uri())],
            [acp.text_block("do it"), embedded],
            [acp.text_block("look at @shop/huge.py and do it")],
        ):
            with pytest.raises(acp.RequestError, match="has more than 100000") as raised:
                await conn.prompt(opened.session_id, prompt)
            assert raised.value.code == -32602
    assert backend.requests == []
    assert editor.written == []


async def test_a_second_prompt_while_one_runs_is_refused_and_the_first_goes_on(repo, editor, scripted):
    link = acp.resource_link_block("cart", (repo / CART).as_uri())
    async with session_of(lambda: Slow(scripted()), editor, repo) as (conn, opened):
        first = asyncio.ensure_future(conn.prompt(opened.session_id, [acp.text_block("do it"), link]))
        while not editor.of("agent_message_chunk"):
            await asyncio.sleep(0.01)
        with pytest.raises(acp.RequestError, match="a prompt is running"):
            await conn.prompt(opened.session_id, [acp.text_block("both")])
        with pytest.raises(acp.RequestError, match="is running"):
            await conn.load_session(str(repo), opened.session_id)
        assert (await first).stop_reason == "end_turn"
    assert "SHIPPING = 500" in (repo / CART).read_text()


async def test_steering_needs_a_message_and_a_turn(repo, editor, scripted):
    async with session_of(scripted, editor, repo) as (conn, opened):
        for message, code in ((7, -32602), ("", -32602), ("a\0b", -32602), ("no, other", -32600)):
            with pytest.raises(acp.RequestError) as raised:
                await conn.ext_method(
                    "session/steering", {"sessionId": opened.session_id, "message": message}
                )
            assert raised.value.code == code
        with pytest.raises(acp.RequestError, match="mode cannot be 'yolo'"):
            await conn.set_session_mode(opened.session_id, "yolo")
        with pytest.raises(acp.RequestError, match="no such method"):
            await conn.authenticate("login")


@pytest.mark.parametrize("answer", [None, {}, {"outcome": "allow"}])
async def test_a_client_that_can_ask_nobody_gets_the_edit_and_nothing_is_written(repo, scripted, answer):
    class Bare(Editor):
        async def request_permission(self, **_):
            if answer is None:
                raise acp.RequestError.method_not_found("session/request_permission")
            return answer

    editor = Bare()
    link = acp.resource_link_block("cart", (repo / CART).as_uri())
    async with session_of(scripted, editor, repo, reads=False, writes=False) as (conn, opened):
        done = await conn.prompt(opened.session_id, [acp.text_block("do it"), link])
    assert done.stop_reason == "cancelled"
    assert "the client cannot ask" in editor.said
    assert editor.diffs()
    assert git(repo, "status", "--porcelain") == ""


async def test_a_model_that_fails_is_an_error_of_the_protocol_with_its_words(repo, editor):
    from spark_tui.errors import NoBackend

    failing = Scripted({"do it": "*** shop/cart.py\n"})
    failing.error = NoBackend("the server is gone", where="host/m", hint="To go on: spark exec --resume last")
    link = acp.resource_link_block("cart", (repo / CART).as_uri())
    async with session_of(lambda: failing, editor, repo) as (conn, opened):
        with pytest.raises(acp.RequestError, match=r"host/m: the server is gone — To go on: /resume$"):
            await conn.prompt(opened.session_id, [acp.text_block("do it"), link])


def test_a_file_as_stdin_is_refused_and_not_waited_for(monkeypatch):
    with Path(os.devnull).open() as nothing:
        monkeypatch.setattr(sys, "stdin", nothing)
        with pytest.raises(NoPlace, match="have to be pipes"):
            command.run(Namespace())


async def test_a_client_that_reads_no_more_is_not_listened_to_any_more():
    reading, writing = os.pipe()
    loop, reader = asyncio.get_running_loop(), asyncio.StreamReader()
    pipe, protocol = await loop.connect_write_pipe(
        asyncio.streams.FlowControlMixin, os.fdopen(writing, "wb", buffering=0)
    )
    transport = LineTransport(reader, asyncio.StreamWriter(pipe, protocol, None, loop))
    await transport.send({"n": 1})
    waiting = asyncio.ensure_future(transport.receive())
    os.close(reading)
    for n in range(1000):
        await transport.send({"n": n})
        await asyncio.sleep(0.001)
        if waiting.done():
            break
    assert waiting.done() and waiting.result() is None
    await transport.close()
