"""Next edits are suggested to an editor that knows the draft of the protocol for them."""

from __future__ import annotations

import subprocess
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from acp.schema import AgentCapabilities, SuggestNesResponse
from support.acp_client import RawClient, joined

from spark_tui.acp import next_edits
from spark_tui.config import paths
from spark_tui.session.next_edit.offer_log import OfferLog

CART = "def total(qty, price):\n    name = '\U0001f600'; cost = qty * price\n    return qty + cost\n"
TYPED = CART.replace("def total(qty,", "def total(count,")
WANTED = TYPED.replace("= qty *", "= count *").replace("return qty", "return count")
HELLO = {"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {"protocolVersion": 1}}


class Window:
    """An editor with one file open."""

    def __init__(self, client: RawClient, root: Path) -> None:
        self.client, self.root, self.number, self.session = client, root, 0, ""
        self.uri = (root / "cart.py").as_uri()

    async def ask(self, method: str, **params: Any) -> dict[str, Any]:
        self.number += 1
        message = {"jsonrpc": "2.0", "id": self.number, "method": method}
        answer: dict[str, Any] = await self.client.ask(
            {**message, "params": {"sessionId": self.session, **params}}
        )
        assert answer["id"] == self.number
        return answer

    async def tell(self, method: str, **params: Any) -> None:
        await self.client.send(
            {"jsonrpc": "2.0", "method": method, "params": {"sessionId": self.session, **params}}
        )

    async def types(self, version: int, *changes: dict[str, Any]) -> None:
        await self.tell("document/didChange", uri=self.uri, version=version, contentChanges=list(changes))

    async def suggested(self, version: int) -> list[dict[str, Any]]:
        place = {"line": 0, "character": 15}
        answer = await self.ask(
            "nes/suggest", uri=self.uri, version=version, position=place, triggerKind="automatic"
        )
        SuggestNesResponse.model_validate(answer["result"])
        found: list[dict[str, Any]] = answer["result"]["suggestions"]
        return found


@asynccontextmanager
async def window(backend: Any, root: Path) -> AsyncIterator[Window]:
    async with joined(backend, next_edits=True) as (reader, writer, _):
        made = Window(RawClient(reader, writer), root)
        told = (await made.client.ask(HELLO))["result"]["agentCapabilities"]
        assert AgentCapabilities.model_validate(told).nes is not None
        made.session = (await made.ask("nes/start", workspaceUri=root.as_uri()))["result"]["sessionId"]
        await made.tell("document/didOpen", uri=made.uri, languageId="python", version=1, text=CART)
        yield made


@pytest.fixture
def root(tmp_path: Path) -> Path:
    found = tmp_path / "a shop"
    found.mkdir()
    (found / "cart.py").write_text(CART, encoding="utf-8")
    return found


def edited(text: str, edits: list[dict[str, Any]]) -> str:
    """The text after edits whose columns count in UTF-16, from the last to the first."""
    lines = text.splitlines(keepends=True)
    for edit in sorted(edits, key=lambda item: -item["range"]["start"]["line"]):
        start, end = edit["range"]["start"], edit["range"]["end"]
        assert start["line"] == end["line"]
        line = lines[start["line"]].encode("utf-16-le")
        head, tail = line[: 2 * start["character"]], line[2 * end["character"] :]
        lines[start["line"]] = (head + edit["newText"].encode("utf-16-le") + tail).decode("utf-16-le")
    return "".join(lines)


def offers(root: Path) -> dict[str, int]:
    return OfferLog(paths.repository_state_dir(root.resolve())).counts()


@pytest.mark.parametrize("whole", [True, False])
async def test_the_other_places_of_a_rename_are_suggested(scripted: Any, root: Path, whole: bool) -> None:
    ends = {"start": {"line": 0, "character": 10}, "end": {"line": 0, "character": 13}}
    change = {"text": TYPED} if whole else {"range": ends, "text": "count"}
    async with window(scripted, root) as one:
        assert await one.suggested(1) == []
        await one.types(2, change)
        (found,) = await one.suggested(2)
        assert (found["kind"], found["uri"]) == ("edit", one.uri)
        assert edited(TYPED, found["edits"]) == WANTED
        assert await one.suggested(1) == []  # of another text than the one that is known
        await one.tell("nes/accept", id=found["id"])
        assert (await one.ask("nes/close"))["result"] == {}
        assert offers(root)["taken"] == 1 <= offers(root)["shown"]


async def test_what_is_turned_down_is_not_suggested_again(scripted: Any, root: Path) -> None:
    async with window(scripted, root) as one:
        await one.types(2, {"text": TYPED})
        (found,) = await one.suggested(2)
        await one.tell("nes/reject", id=found["id"], reason="rejected")
        await one.types(3, {"text": TYPED})
        assert await one.suggested(3) == []
        assert offers(root)["dismissed"] == 1


async def test_only_the_newest_suggestions_can_be_answered(
    scripted: Any, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(next_edits, "_KEPT_OFFERS", 2)
    async with window(scripted, root) as one:
        names = []
        for version in (2, 3, 4):
            await one.types(version, {"text": TYPED})
            names += [found["id"] for found in await one.suggested(version)]
        assert len(names) == 3
        for name in names:
            await one.tell("nes/accept", id=name)
        await one.ask("nes/close")
        assert offers(root)["taken"] == 2


async def test_what_is_wrong_is_answered_and_the_next_message_is_heard(scripted: Any, root: Path) -> None:
    async with window(scripted, root) as one:
        assert (await one.ask("nes/suggest"))["error"]["code"] == -32602
        assert (await one.ask("nes/start", workspaceUri="https://example.org"))["error"]["code"] == -32602
        bare = root / "bare.git"
        subprocess.run(["git", "init", "-q", "--bare", bare], check=True)
        assert (await one.ask("nes/start", workspaceUri=bare.as_uri()))["error"]["code"] == -32602
        for uri in ("file:///etc/hosts", "file:///a%00.py", "file://[bad"):
            await one.tell("document/didOpen", uri=uri, languageId="x", version=1, text="")
        await one.tell("document/didChange", uri="nowhere:", version=1, contentChanges=[{"text": ""}])
        await one.tell("nes/accept", id="none")
        one.session, kept = "other", one.session
        assert (await one.ask("nes/close"))["error"]["code"] == -32002
        await one.tell("document/didClose", uri=one.uri)
        one.session = kept
        await one.types(2, {"text": TYPED})
        assert len(await one.suggested(2)) == 1


async def test_without_the_flag_nothing_is_told_of_it(scripted: Any, root: Path) -> None:
    async with joined(scripted) as (reader, writer, _):
        client = RawClient(reader, writer)
        assert "nes" not in (await client.ask(HELLO))["result"]["agentCapabilities"]
        start = {"jsonrpc": "2.0", "id": 1, "method": "nes/start", "params": {"workspaceUri": root.as_uri()}}
        assert (await client.ask(start))["error"]["code"] == -32601
