"""Tools, prompts and resources of an MCP server that the settings name.

The SDK runs on a loop in a thread of its own; the methods here block. A server that ends is started again
once, for the next call: a call is never made twice.
"""

from __future__ import annotations

import asyncio
import contextlib
import importlib.util
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from concurrent.futures import Future, wait
from contextlib import AsyncExitStack
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import Any, Self, TextIO, TypeVar

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.errors import NoBackend, TimeLimit, install_command
from spark_tui.tools.mcp_transport import SSE, probe, transport
from spark_tui.tools.permission import McpTool
from spark_tui.tools.registry import Stopped

T = TypeVar("T")
MOST_CHARACTERS = 100_000
"""Of what a tool puts out."""
MOST_LISTED = 1_000
MOST_RESTARTS = 1
_MOST_TOLD = 200
_MOST_KEPT = 65_536
"""Bytes: as much as a pipe holds."""
_LOOK_SECONDS = 0.05
_END_SECONDS = 5.0
"""More than the SDK takes to kill a server that ends neither with its input nor on request."""
_SILENT = logging.NullHandler()
"""The SDK logs what is no message of the protocol; without a handler that is printed on the terminal."""


@dataclass(frozen=True, slots=True)
class McpPrompt:
    """A prompt as the server describes it, with the names of its arguments."""

    name: str
    description: str
    arguments: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class McpResource:
    """A resource as the server describes it."""

    uri: str
    description: str


@dataclass(frozen=True, slots=True)
class McpOutput:
    """What a call put out. It is data for a model, never an instruction."""

    text: str
    failed: bool = False


class McpClient:
    """The connection to one server. It begins with the first use; `ends` counts how often it ended by
    itself. Safe to use from several threads."""

    def __init__(self, config: ServerConfig) -> None:
        if importlib.util.find_spec("mcp") is None:
            what = "servers of tools need a package that is not installed (mcp)"
            raise NoBackend(what, hint=install_command("mcp"))
        self._config = config
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._client: Any = None
        self._running: Future[Any] | None = None
        self._ending: asyncio.Event | None = None
        self._life: asyncio.Task[str] | None = None
        self.ends = 0
        self.tools_changed = False
        """Whether the server said so since they were listed."""

    def list_tools(self) -> list[McpTool]:
        """Raises NoBackend where the server cannot be reached, TimeLimit where it does not answer."""
        return self._asked(self._list)

    def call(self, name: str, arguments: Mapping[str, Any], stop: StopFlag | None = None) -> McpOutput:
        """Call a tool, once. What the tool reports as failed is an output. Raises Stopped for one that is
        stopped: it is cancelled, too."""
        return self._asked(lambda: self._call(name, dict(arguments)), stop)

    def prompts(self) -> dict[str, McpPrompt]:
        """The server's prompts by name."""
        return self._asked(self._prompts)

    def resources(self) -> list[McpResource]:
        return self._asked(self._resources)

    def prompt(self, name: str, arguments: Mapping[str, str]) -> str:
        return self._asked(lambda: self._prompt(name, dict(arguments)))

    def resource(self, uri: str) -> str:
        return self._asked(lambda: self._resource(uri))

    def close(self) -> None:
        """End what is asked now, the server, and the thread. The client may be used again."""
        while not self._lock.acquire(timeout=_LOOK_SECONDS):
            if (running := self._running) is not None:
                running.cancel()
        try:
            self._end()
            if self._loop is not None and self._thread is not None:
                self._loop.call_soon_threadsafe(self._loop.stop)
                self._thread.join(5)
                self._loop.close()
            self._loop = self._thread = None
        finally:
            self._lock.release()

    # -- inside

    async def _list(self) -> list[McpTool]:
        self.tools_changed = False
        found = await self._pages(lambda cursor: self._client.list_tools(cursor=cursor), "tools")
        return [McpTool(item.name, item.description or "", _plain(item.input_schema)) for item in found]

    async def _pages(self, ask: Callable[[str | None], Coroutine[Any, Any, Any]], name: str) -> list[Any]:
        """All pages of a list; nothing where the server has no such list."""
        from mcp.shared.exceptions import MCPError
        from mcp_types import METHOD_NOT_FOUND

        out: list[Any] = []
        cursor = None
        while True:
            try:
                page = await ask(cursor)
            except MCPError as error:
                if error.error.code == METHOD_NOT_FOUND:
                    return out
                raise
            out += getattr(page, name)
            cursor = page.next_cursor
            if not cursor or len(out) > MOST_LISTED:
                return out

    async def _call(self, name: str, arguments: dict[str, Any]) -> McpOutput:
        answer = await self._client.call_tool(name, arguments)
        text = "\n".join(map(_text_of, answer.content))
        if not text and answer.structured_content is not None:
            text = json.dumps(answer.structured_content, ensure_ascii=False)
        if len(text) > MOST_CHARACTERS:
            text = text[:MOST_CHARACTERS] + f"\n[cut: {len(text)} characters in all]"
        return McpOutput(text, bool(answer.is_error))

    async def _prompts(self) -> dict[str, McpPrompt]:
        found = await self._pages(lambda cursor: self._client.list_prompts(cursor=cursor), "prompts")
        return {
            item.name: McpPrompt(
                item.name, item.description or "", tuple(argument.name for argument in item.arguments or ())
            )
            for item in found
        }

    async def _resources(self) -> list[McpResource]:
        found = await self._pages(lambda cursor: self._client.list_resources(cursor=cursor), "resources")
        return [McpResource(str(item.uri), item.description or item.name) for item in found]

    async def _prompt(self, name: str, arguments: dict[str, str]) -> str:
        messages = (await self._client.get_prompt(name, arguments or None)).messages
        return "\n\n".join(_text_of(message.content) for message in messages)

    async def _resource(self, uri: str) -> str:
        parts = (await self._client.read_resource(uri)).contents
        return "\n".join(map(_text_of, parts))

    def _asked(self, ask: Callable[[], Coroutine[Any, Any, T]], stop: StopFlag | None = None) -> T:
        where = f"mcp.servers.{self._config.name}"
        with self._held(stop):
            if self.ends > MOST_RESTARTS and self._config.command:
                raise NoBackend(f"the server ended {self.ends} times and is not started again", where=where)
            try:
                self._begin(stop)
                return self._run(ask(), stop)
            except Stopped:
                raise
            except (TimeLimit, NoBackend):
                self._end()
                raise
            except Exception as error:
                if isinstance(error, ValueError):
                    raise NoBackend(_MALFORMED, where=where) from error
                if not _is_gone(error):
                    raise NoBackend(f"the server refused: {error}", where=where) from error
                last = self._end()
                self.ends += 1
                goes_on = self.ends <= MOST_RESTARTS or self._config.url
                again = "it is started again for the next one" if goes_on else "for good"
                what = _with_last(f"the server ended during the call; {again}", last)
                raise NoBackend(what, where=where) from error

    @contextlib.contextmanager
    def _held(self, stop: StopFlag | None) -> Iterator[None]:
        while not self._lock.acquire(timeout=_LOOK_SECONDS):
            if stop is not None and stop.is_set():
                raise Stopped
        try:
            yield
        finally:
            self._lock.release()

    def _begin(self, stop: StopFlag | None) -> None:
        if self._loop is None:
            self._loop = asyncio.new_event_loop()
            self._thread = threading.Thread(target=self._loop.run_forever, name="mcp-client", daemon=True)
            self._thread.start()
        if self._client is None:
            self._run(self._connect(), stop)

    async def _connect(self) -> None:
        """The SDK's connection is entered and left in one task, which lives as long as the connection."""
        self._ending = asyncio.Event()
        ready: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        life = self._life = asyncio.ensure_future(self._live(ready, self._ending))
        try:
            self._client = await ready
        except BaseException:
            life.cancel()  # `_life` may be forgotten by now
            raise

    async def _live(self, ready: asyncio.Future[Any], ending: asyncio.Event) -> str:
        """Returns the last line that the server wrote about itself."""
        logging.getLogger("mcp").addHandler(_SILENT)
        found = ""
        # The terminal is not the server's.
        with _LastOutput() as errors:
            try:
                try:
                    await self._hold(ready, ending, errors.file)
                except Exception:
                    found = "" if ready.done() else await probe(self._config)
                    if found != SSE:
                        raise
                    await self._hold(ready, ending, errors.file, SSE)
            except Exception as error:
                if not ready.done():
                    status = f" ({found})" if found else ""
                    what = f"cannot start the server: {_reason(error, errors.last_line())}{status}"
                    where = f"mcp.servers.{self._config.name}"
                    hint = "" if self._config.command else "Is its url right, and does it need `headers`?"
                    ready.set_exception(NoBackend(what, where=where, hint=hint))
            return errors.last_line()

    async def _hold(
        self, ready: asyncio.Future[Any], ending: asyncio.Event, errors: TextIO, kind: str = ""
    ) -> None:
        """Connect, and keep the connection until it is to end."""
        from mcp import Client

        async with AsyncExitStack() as stack:
            reached = await transport(self._config, stack, errors, kind)
            client = await stack.enter_async_context(Client(reached, message_handler=self._hear))
            if not ready.done():
                ready.set_result(client)
            await ending.wait()

    async def _hear(self, message: object) -> None:
        from mcp_types import ToolListChangedNotification

        self.tools_changed = self.tools_changed or isinstance(message, ToolListChangedNotification)

    def _end(self) -> str:
        """End the connection. Returns the last line that the server wrote."""
        loop, life, ending = self._loop, self._life, self._ending
        self._client = self._life = self._ending = None
        if loop is None or life is None or ending is None:
            return ""

        async def end() -> str:
            ending.set()
            done, _ = await asyncio.wait({life}, timeout=_END_SECONDS)
            life.cancel()
            return life.result() if done and not life.cancelled() else ""

        return asyncio.run_coroutine_threadsafe(end(), loop).result(_END_SECONDS + 2)

    def _run(self, work: Coroutine[Any, Any, T], stop: StopFlag | None = None) -> T:
        assert self._loop is not None
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        self._running = future
        until = time.monotonic() + self._config.seconds
        while not wait([future], _LOOK_SECONDS).done:
            if stop is not None and stop.is_set():
                future.cancel()
                raise Stopped
            if time.monotonic() > until:
                future.cancel()
                what = f"the server did not answer within {self._config.seconds:g} s"
                raise TimeLimit(what, where=f"mcp.servers.{self._config.name}")
        return future.result()


def _plain(schema: Mapping[str, Any]) -> dict[str, Any]:
    """The schema with the members without which some model servers refuse it, and without its dialect."""
    rest = {name: value for name, value in schema.items() if name != "$schema"}
    return {"type": "object", "properties": {}, **rest}


def _text_of(part: Any) -> str:
    """The text of a part of a result, also in a resource that it has; else what it is."""
    if isinstance(text := getattr(part, "text", None), str):
        return text
    if (resource := getattr(part, "resource", None)) is not None:
        return _text_of(resource)
    kind = getattr(part, "mime_type", None) or getattr(part, "type", "binary")
    where = getattr(part, "uri", "")
    return f"[{kind}{f': {where}' if where else ''}]"


class _LastOutput:
    """A file for what a server writes, of which the end is kept. It belongs to the running loop."""

    def __init__(self) -> None:
        self._kept, self._loop = b"", asyncio.get_running_loop()
        self._reading, writing = os.pipe()
        os.set_blocking(self._reading, False)
        self.file = os.fdopen(writing, "w")

    def __enter__(self) -> Self:
        self._loop.add_reader(self._reading, self._read)
        return self

    def __exit__(self, *_: object) -> None:
        self._loop.remove_reader(self._reading)
        os.close(self._reading)
        self.file.close()

    def _read(self) -> None:
        with contextlib.suppress(BlockingIOError):
            self._kept = (self._kept + os.read(self._reading, _MOST_KEPT))[-_MOST_KEPT:]

    def last_line(self) -> str:
        self._read()
        lines = self._kept.decode("utf-8", "replace").split("\n")
        return next((line.strip() for line in reversed(lines) if line.strip()), "")


_CLOSED = ("Connection closed", "Session terminated")
"""What the SDK says where it did, and where a server that was started again does not know the session."""
_MALFORMED = "the server's answer is not one of the protocol"
"""In place of a ValueError of the SDK, whose words are those of a program."""


def _reason(error: Exception, last: str) -> str:
    """Why a server did not start, with the last line that it wrote about it."""
    while isinstance(error, ExceptionGroup):
        error = error.exceptions[0]
    what = _MALFORMED if isinstance(error, ValueError) else str(error)
    if isinstance(error, OSError) and error.strerror and error.filename:
        what = f"{error.filename}: {error.strerror}"
    return _with_last(what, last)


def _with_last(what: str, last: str) -> str:
    return f"{what}; it wrote: {last[:_MOST_TOLD]}" if last else what


def _is_gone(error: Exception) -> bool:
    """Whether the connection ended, rather than the call was refused."""
    from mcp.shared.exceptions import MCPError
    from mcp_types import CONNECTION_CLOSED, INVALID_REQUEST

    if isinstance(error, MCPError):
        # Servers use the codes for errors of their own, too.
        return error.error.code in (CONNECTION_CLOSED, INVALID_REQUEST) and error.error.message in _CLOSED
    names = {type(item).__name__ for item in (error, error.__cause__, error.__context__) if item}
    return isinstance(error, OSError) or bool(names & {"ClosedResourceError", "BrokenResourceError"})
