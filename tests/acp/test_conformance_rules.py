"""The rules of the protocol's conformance kit, which is in no package registry, each as a test of our own.

A rule about something that spark does not announce is a test that it is not announced.
"""

import asyncio
import json
import sys
import tomllib
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from support.acp_client import Slow, joined
from support.acp_wire import Wire, check_schema

CART = "shop/cart.py"
STOP_REASONS = {"end_turn", "max_tokens", "max_turn_requests", "refusal", "cancelled"}
HISTORY = {"user_message_chunk", "agent_message_chunk", "agent_thought_chunk"}
SAY = [{"type": "text", "text": "talk"}]
RULES = Path(__file__).parents[1] / "cases" / "acp_rules.toml"
covered = set()


def rules(*names):
    """Marks the rules that a test shows."""
    covered.update(names)
    return lambda test: test


def link(path):
    return {"type": "resource_link", "name": path.name, "uri": path.as_uri()}


@pytest.fixture
def agent(scripted):
    """`async with agent() as wire`: one that has shaken hands."""

    @asynccontextmanager
    async def agent(*, slow=False, hello=True):
        async with joined(lambda: Slow(scripted()) if slow else scripted()) as (reader, writer, _):
            wire = Wire(reader, writer)
            if hello:
                await wire.result("initialize", protocolVersion=1, clientCapabilities={})
            yield wire
            check_schema(wire)

    return agent


async def opened(wire, repo):
    return (await wire.result("session/new", cwd=str(repo), mcpServers=[]))["sessionId"]


@rules("JSONRPC-001", "JSONRPC-002")
async def test_an_answer_has_the_id_of_its_request_and_either_a_result_or_an_error(agent, repo):
    async with agent() as wire:
        for message_id in (4242, "a string"):
            good = await wire.ask("session/list", message_id=message_id, cwd=str(repo))
            assert good["id"] == message_id
        bad = await wire.ask("session/new", cwd="relative", mcpServers=[])
        for answer in (item for item in wire.seen if "method" not in item):
            assert ("result" in answer) != ("error" in answer)
    assert type(bad["error"]["code"]) is int
    assert type(bad["error"]["message"]) is str


@rules("JSONRPC-003")
async def test_notifications_are_not_answered(agent, repo):
    async with agent() as wire:
        session_id = await opened(wire, repo)
        await wire.quiet()
        await wire.notify("session/cancel", sessionId=session_id)
        await wire.notify("session/cancel", sessionId="nobody")
        await wire.notify("_unknown/notification")
        await wire.notify("unknown/notification")
        assert await wire.quiet() == []


@rules("JSONRPC-004", "JSONRPC-005", "EXT-001", "ERROR-001")
async def test_an_unknown_method_is_an_error_of_one_line_and_the_connection_goes_on(agent, repo):
    async with agent() as wire:
        for method in ("no/such/method", "_no/such/extension"):
            assert (await wire.ask(method))["error"]["code"] == -32601
        await wire.ask("session/new", cwd="relative", mcpServers=[])
        await wire.ask("session/prompt", sessionId="x", prompt=SAY)
        for error in wire.errors():
            assert error["message"]
            assert "\n" not in error["message"]
        assert await opened(wire, repo)


@rules("INIT-001", "INIT-002", "INIT-004", "AUTH-001", "AUTH-002")
async def test_initialize_agrees_on_the_first_version_and_names_the_agent(agent):
    async with agent(hello=False) as wire:
        result = await wire.result("initialize", protocolVersion=1, clientCapabilities={})
    assert result["protocolVersion"] == 1
    assert result["agentInfo"]["name"] == "spark"
    assert result["agentInfo"]["version"]
    assert result["authMethods"] == []


@rules("INIT-003")
@pytest.mark.parametrize("version", [0, 2, 65535])
async def test_a_version_that_is_not_spoken_is_answered_with_one_that_is(agent, version):
    async with agent(hello=False) as wire:
        info = {"name": "later", "version": "0"}
        result = await wire.result("initialize", protocolVersion=version, clientInfo=info, info=info)
    assert result["protocolVersion"] == 1


@rules("SESSION-001", "SESSION-002", "AUTH-005")
async def test_each_new_session_has_an_id_of_its_own_and_needs_no_authentication(agent, repo):
    async with agent() as wire:
        ids = [await opened(wire, repo) for _ in range(2)]
    assert all(ids)
    assert len(set(ids)) == 2


@rules(
    "PROMPT-001", "PROMPT-002", "SCHEMA-001", "SCHEMA-002", "CLIENTCAP-001", "CLIENTCAP-002", "CLIENTCAP-003"
)
async def test_a_prompt_ends_with_a_reason_and_asks_a_bare_client_for_nothing_but_permission(agent, repo):
    async with agent() as wire:
        session_id = await opened(wire, repo)
        edit = [{"type": "text", "text": "do it"}, link(repo / CART)]
        result = await wire.result("session/prompt", sessionId=session_id, prompt=edit)
        assert wire.updates()
        assert wire.updates() == wire.updates(session_id)
        assert wire.methods() <= {"session/update", "session/request_permission"}
    assert result["stopReason"] in STOP_REASONS


@rules("PROMPT-003", "PROMPTCAP-003", "META-001")
async def test_links_embedded_files_and_meta_are_taken(agent, repo):
    async with agent() as wire:
        session_id = await opened(wire, repo)
        cart = (repo / CART).as_uri()
        embedded = {"type": "resource", "resource": {"uri": cart, "text": "x = 1\n"}}
        meta = {"traceparent": "00-80e1afed08e019fc1110464cfa66635c-7a085853722dc6d2-01"}
        for block in (link(repo / CART), embedded):
            prompt = [*SAY, block]
            result = await wire.result("session/prompt", sessionId=session_id, prompt=prompt, _meta=meta)
            assert result["stopReason"] == "end_turn"


@rules("CANCEL-001", "CANCEL-002")
async def test_cancel_ends_the_prompt_as_cancelled_with_no_update_behind_it(agent, repo):
    async with agent(slow=True) as wire:
        session_id = await opened(wire, repo)
        edit = [{"type": "text", "text": "do it"}, link(repo / CART)]
        asked = await wire.send("session/prompt", sessionId=session_id, prompt=edit)
        await wire.until(lambda: any(update["sessionUpdate"] == "tool_call" for update in wire.updates()))
        await wire.notify("session/cancel", sessionId=session_id)
        assert (await wire.answer(asked))["result"]["stopReason"] == "cancelled"
        assert await wire.quiet() == []


@rules("LOAD-001", "LOAD-002", "LOAD-003", "RESUME-001", "RESUME-002")
async def test_load_tells_the_history_before_its_answer_and_resume_tells_none(agent, repo):
    async with agent() as wire:
        session_id = await opened(wire, repo)
        await wire.result("session/prompt", sessionId=session_id, prompt=SAY)
        await wire.result("session/close", sessionId=session_id)
        for method, more in (("session/load", {"mcpServers": []}), ("session/resume", {})):
            await wire.quiet()
            before = len(wire.updates())
            result = await wire.result(method, sessionId=session_id, cwd=str(repo), **more)
            told = [update["sessionUpdate"] for update in wire.updates()[before:]]
            assert isinstance(result, dict)
            assert HISTORY.isdisjoint(told) == (method == "session/resume")
            before = len(wire.updates())
            await wire.quiet()
            assert HISTORY.isdisjoint(update["sessionUpdate"] for update in wire.updates()[before:])
            await wire.result("session/close", sessionId=session_id)


@rules("LIST-001", "LIST-002")
async def test_a_list_of_sessions_is_never_null(agent, repo, tmp_path):
    other = tmp_path / "other"
    other.mkdir()
    async with agent() as wire:
        await opened(wire, repo)
        assert isinstance((await wire.result("session/list"))["sessions"], list)
        assert (await wire.result("session/list", cwd=str(other)))["sessions"] == []


@rules("CLOSE-001", "CLOSE-002")
async def test_close_ends_an_idle_session_and_cancels_a_running_prompt(agent, repo):
    async with agent(slow=True) as wire:
        idle, busy = await opened(wire, repo), await opened(wire, repo)
        assert await wire.result("session/close", sessionId=idle) == {}
        edit = [{"type": "text", "text": "do it"}, link(repo / CART)]
        asked = await wire.send("session/prompt", sessionId=busy, prompt=edit)
        await wire.until(lambda: wire.updates(busy)[-1:] and wire.updates(busy)[-1].get("toolCallId"))
        assert await wire.result("session/close", sessionId=busy) == {}
        assert (await wire.answer(asked))["result"]["stopReason"] == "cancelled"


@rules("MODES-001", "MODES-002", "CONFIG-001", "CONFIG-002", "CONFIG-003")
async def test_modes_and_options_have_values_that_are_offered_and_a_change_names_them_all(agent, repo):
    async with agent() as wire:
        made = await wire.result("session/new", cwd=str(repo), mcpServers=[])
        session_id, modes, options = made["sessionId"], made["modes"], made["configOptions"]
        assert modes["currentModeId"] in [item["id"] for item in modes["availableModes"]]
        for one in options:
            assert one["type"] == "select"
            assert one["currentValue"] in [item["value"] for item in one["options"]]
        (other, *_) = [item["id"] for item in modes["availableModes"] if item["id"] != modes["currentModeId"]]
        await wire.result("session/set_mode", sessionId=session_id, modeId=other)
        for one in options:
            value = one["options"][-1]["value"]
            what = {"sessionId": session_id, "configId": one["id"], "value": value}
            after = (await wire.result("session/set_config_option", **what))["configOptions"]
            assert [item["id"] for item in after] == [option["id"] for option in options]
            assert {item["id"]: item["currentValue"] for item in after}[one["id"]] == value
        await wire.quiet()
        for update in wire.updates():
            assert update["sessionUpdate"] != "current_mode_update" or "currentModeId" in update


@rules("DELETE-001", "DELETE-002", "ADDDIRS-001", "PROMPTCAP-001", "PROMPTCAP-002", "AUTH-003", "AUTH-004")
async def test_what_is_not_offered_is_not_announced(agent):
    async with agent(hello=False) as wire:
        result = await wire.result("initialize", protocolVersion=1, clientCapabilities={})
    able = result["agentCapabilities"]
    assert set(able["sessionCapabilities"]) == {"list", "close", "resume"}
    assert not able["promptCapabilities"]["image"]
    assert not able["promptCapabilities"]["audio"]
    assert not any(able.get("auth", {}).values())
    assert able["mcpCapabilities"] == {"http": True, "sse": False}


@rules("INFO-PARSE-001", "INFO-INVALIDREQ-001", "INFO-UNKNOWNSESSION-001")
async def test_lines_that_are_no_messages_are_answered_and_the_connection_goes_on(agent, repo):
    async with agent() as wire:
        for line, code in ((b"not JSON", -32700), (b'{"foo": "bar"}', -32600)):
            wire.writer.write(line + b"\n")
            await wire.read()
            assert wire.seen[-1]["id"] is None
            assert wire.seen[-1]["error"]["code"] == code
        unknown = await wire.ask("session/prompt", sessionId="nobody", prompt=SAY)
        assert unknown["error"]["code"] == -32002
        assert await opened(wire, repo)


@rules("TRANSPORT-001", "TRANSPORT-002", "SHUTDOWN-001", "STDERR-001")
async def test_the_program_writes_only_messages_and_ends_when_its_input_does(repo):
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        "-m",
        "spark_tui",
        "acp",
        cwd=repo,
        stdin=pipe,
        stdout=pipe,
        stderr=pipe,
        limit=1 << 22,
    )
    wire = Wire(process.stdout, process.stdin)
    await wire.result("initialize", protocolVersion=1, clientCapabilities={})
    session_id = await opened(wire, repo)
    rename = [{"type": "text", "text": "/rename Cart.add größer"}]
    await wire.result("session/prompt", sessionId=session_id, prompt=rename)
    process.stdin.close()
    rest, errors = await asyncio.wait_for(process.communicate(), 30)
    for line in (*wire.lines, *rest.splitlines()):
        assert json.loads(line.decode("utf-8"))["jsonrpc"] == "2.0"
    check_schema(wire)
    assert process.returncode == 0
    assert errors == b""


def test_every_published_rule_has_a_test():
    assert covered == set(tomllib.loads(RULES.read_text()))
