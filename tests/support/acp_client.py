"""A scripted editor: a client of the SDK, joined to spark's agent in this process."""

import asyncio
import contextlib
import json
import socket

import acp
from acp.schema import AllowedOutcome, DeniedOutcome, RequestPermissionResponse

from spark_tui.acp.agent import SparkAgent, serve
from spark_tui.config.settings import Settings


class Editor:
    """Keeps what it is told. `buffers` are its open files; `answers` its decisions about files, by path."""

    def __init__(self, *, decision="allow"):
        self.updates, self.asked, self.written = [], [], []
        self.buffers = {}
        self.decision = decision
        self.on_update = None
        self.fails_to_write = ()

    async def session_update(self, session_id, update, **_):
        self.updates.append((session_id, update))
        if self.on_update is not None:
            await self.on_update(update)

    async def request_permission(self, session_id, tool_call, options, **_):
        self.asked.append(tool_call)
        decision = self.decision(tool_call) if callable(self.decision) else self.decision
        if asyncio.iscoroutine(decision):
            decision = await decision
        if decision == "cancelled":
            return RequestPermissionResponse(outcome=DeniedOutcome(outcome="cancelled"))
        return RequestPermissionResponse(outcome=AllowedOutcome(outcome="selected", option_id=decision))

    async def read_text_file(self, session_id, path, line=None, limit=None, **_):
        if path not in self.buffers:
            raise acp.RequestError.resource_not_found(path)
        return acp.schema.ReadTextFileResponse(content=self.buffers[path])

    async def write_text_file(self, session_id, path, content, **_):
        if path.endswith(self.fails_to_write or "\0"):
            raise acp.RequestError.internal_error({"details": "no"})
        self.written.append((path, content))
        self.buffers[path] = content
        with open(path, "w", newline="", encoding="utf-8") as file:  # noqa: PTH123
            file.write(content)

    def on_connect(self, conn):
        pass

    # -- what was told

    def plans(self):
        """Each plan as (instruction, status) pairs."""
        return [[(entry.content, entry.status) for entry in update.entries] for update in self.of("plan")]

    def of(self, kind):
        return [update for _, update in self.updates if update.session_update == kind]

    @property
    def said(self):
        return "".join(item.content.text for item in self.of("agent_message_chunk"))

    def calls(self):
        """The state of each tool call, by its title."""
        states, titles = {}, {}
        for _, update in self.updates:
            if update.session_update in ("tool_call", "tool_call_update"):
                titles.setdefault(update.tool_call_id, update.title)
                states[titles[update.tool_call_id]] = update.status or states.get(titles[update.tool_call_id])
        return states

    def diffs(self):
        found = [item for update in self.of("tool_call_update") for item in update.content or ()]
        return [(item.path, item.old_text, item.new_text) for item in found]


@contextlib.asynccontextmanager
async def joined(backend_of, *, open_backend=None, next_edits=False, **settings):
    """Streams of a client whose other end is spark's agent. Ends with the agent. `open_backend` gets the
    settings, where a test has several models."""
    here, there = socket.socketpair()
    mine = await asyncio.open_connection(sock=here)
    theirs = await asyncio.open_connection(sock=there)
    opens = open_backend or (lambda _: backend_of())
    agent = SparkAgent(lambda root: Settings(**settings), opens, next_edits=next_edits)
    serving = asyncio.ensure_future(serve(agent, *theirs))
    try:
        yield (*mine, serving)
    finally:
        mine[1].close()
        await asyncio.wait_for(serving, 20)


@contextlib.asynccontextmanager
async def editor_of(backend_of, editor, *, reads=True, writes=True, initialize=True, **settings):
    """The SDK's connection of an editor to spark's agent."""
    async with joined(backend_of, **settings) as (reader, writer, _):
        conn = acp.connect_to_agent(editor, writer, reader, use_unstable_protocol=True)
        fs = acp.schema.FileSystemCapabilities(read_text_file=reads, write_text_file=writes)
        if initialize:
            await conn.initialize(1, acp.schema.ClientCapabilities(fs=fs))
        yield conn
        await conn.close()


@contextlib.asynccontextmanager
async def session_of(backend_of, editor, repo, **more):
    """The same connection, with a new session in a repository."""
    async with editor_of(backend_of, editor, **more) as conn:
        yield conn, await conn.new_session(str(repo))


class RawClient:
    """Sends lines as they are, for what no SDK would send."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    async def send(self, line):
        data = line if isinstance(line, bytes) else json.dumps(line).encode()
        self.writer.write(data + b"\n")
        await self.writer.drain()

    async def ask(self, line):
        """The next message that is no notification."""
        await self.send(line)
        while True:
            message = json.loads(await asyncio.wait_for(self.reader.readline(), 20))
            if "method" not in message:
                return message


class Slow:
    """A backend that waits between tokens, so that a client can say something in between."""

    def __init__(self, backend, seconds=0.02):
        self._backend, self._seconds = backend, seconds

    def __getattr__(self, name):
        return getattr(self._backend, name)

    def stream(self, request, stop):
        for event in self._backend.stream(request, stop):
            stop.wait(self._seconds)
            yield event
