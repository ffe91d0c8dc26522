"""The methods of the protocol, version 1: the only one that the SDK has. A client of another version is
answered with this one."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, Client, RequestError, run_agent
from acp.schema import (
    AgentCapabilities,
    AuthenticateResponse,
    ClientCapabilities,
    CloseSessionResponse,
    FileSystemCapabilities,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    McpCapabilities,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionResumeCapabilities,
    SetSessionConfigOptionResponse,
    SetSessionModeResponse,
)

from spark_tui import __version__
from spark_tui.acp.commands import command_update
from spark_tui.acp.conversation import Conversation
from spark_tui.acp.leg import in_thread
from spark_tui.acp.next_edits import CAPABILITIES, NextEditSuggestions
from spark_tui.acp.opening import OpenBackend, SessionOpener, SettingsOf, folder_of
from spark_tui.acp.prompts import read_prompt
from spark_tui.acp.protocol_errors import INVALID_REQUEST, NOT_FOUND, checked, invalid, protocol_error
from spark_tui.acp.suggestion_transport import SuggestionTransport
from spark_tui.acp.transport import LineTransport
from spark_tui.acp.updates import history
from spark_tui.config import paths
from spark_tui.errors import SparkError
from spark_tui.session.session_opener import root_of
from spark_tui.session.storage.archive import turns_of
from spark_tui.session.storage.session_index import SessionIndex

STEERING = "_session/steering"
_PAGE = 50


class SparkAgent:
    """One client's agent. `settings_of` gives the settings of a tree, `open_backend` a model for them. With
    `next_edits` it suggests next edits, which the protocol has as a draft."""

    def __init__(
        self, settings_of: SettingsOf, open_backend: OpenBackend, *, next_edits: bool = False
    ) -> None:
        self._opener = SessionOpener(settings_of, open_backend)
        self.suggestions = NextEditSuggestions(settings_of) if next_edits else None
        self._client: Client | None = None
        self._files = FileSystemCapabilities()
        self._initialized = False
        self._conversations: dict[str, Conversation] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def on_connect(self, conn: Client) -> None:
        self._client = conn

    async def initialize(
        self,
        protocol_version: int,
        client_capabilities: ClientCapabilities | None = None,
        client_info: Implementation | None = None,
        **_: Any,
    ) -> InitializeResponse:
        """A client of another version is answered with this one; it decides whether it goes on."""
        del protocol_version, client_info
        if client_capabilities is not None and client_capabilities.fs is not None:
            self._files = client_capabilities.fs
        self._initialized = True
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                mcp_capabilities=McpCapabilities(http=True, sse=False),
                prompt_capabilities=PromptCapabilities(embedded_context=True, image=False, audio=False),
                session_capabilities=SessionCapabilities(
                    list=SessionListCapabilities(),
                    close=SessionCloseCapabilities(),
                    resume=SessionResumeCapabilities(),
                ),
                nes=CAPABILITIES if self.suggestions is not None else None,
                field_meta={STEERING: {"params": {"sessionId": "string", "message": "string"}}},
            ),
            auth_methods=[],
            agent_info=Implementation(name="spark", title="spark", version=__version__),
        )

    async def authenticate(self, method_id: str, **_: Any) -> AuthenticateResponse:
        raise invalid(f"there is no such method: {method_id!r}; none is needed")

    # -- sessions

    async def new_session(self, cwd: str, mcp_servers: Any = None, **_: Any) -> NewSessionResponse:
        conversation = await self._open(cwd, servers=mcp_servers)
        return NewSessionResponse(session_id=conversation.session.id, **conversation.options.for_client())

    async def load_session(
        self, cwd: str, session_id: str, mcp_servers: Any = None, **_: Any
    ) -> LoadSessionResponse:
        """Open a stored session and show its history."""
        conversation = await self._open(cwd, session_id, mcp_servers)
        past = await in_thread(lambda: checked(lambda: turns_of(conversation.session.folder)))
        for update in history(past, conversation.session.root):
            await conversation.client.send(update)
        return LoadSessionResponse(**conversation.options.for_client())

    async def resume_session(
        self, session_id: str, cwd: str, mcp_servers: Any = None, **_: Any
    ) -> ResumeSessionResponse:
        """Open a stored session without its history."""
        conversation = await self._open(cwd, session_id, mcp_servers)
        return ResumeSessionResponse(**conversation.options.for_client())

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **_: Any
    ) -> ListSessionsResponse:
        """The sessions of one repository, the newest first."""
        self._check_initialized()
        if cursor is not None and not cursor.isdecimal():
            raise invalid("this cursor does not belong to this list")
        folder = folder_of(cwd) if cwd is not None else Path.cwd()

        def read() -> list[SessionInfo]:
            root = root_of(folder)
            with SessionIndex(paths.repository_state_dir(root)) as store:
                store.refresh()
                return [
                    SessionInfo(
                        session_id=row.id,
                        cwd=str(root),
                        title=(row.name or row.prompt)[:200] or None,
                        updated_at=datetime.fromtimestamp(row.changed, UTC).isoformat(),
                    )
                    for row in store.sessions()
                ]

        rows = await in_thread(lambda: checked(read))
        first = int(cursor or 0)
        after = str(first + _PAGE) if len(rows) > first + _PAGE else None
        return ListSessionsResponse(sessions=rows[first : first + _PAGE], next_cursor=after)

    async def close_session(self, session_id: str, **_: Any) -> CloseSessionResponse:
        conversation = self._conversation(session_id)
        del self._conversations[session_id]
        await conversation.close()
        return CloseSessionResponse()

    async def set_session_mode(self, session_id: str, mode_id: str, **_: Any) -> SetSessionModeResponse:
        conversation = self._conversation(session_id)
        conversation.options.set("mode", mode_id)
        self._later(conversation.client.send(conversation.options.update()))
        return SetSessionModeResponse()

    async def set_config_option(
        self, config_id: str, session_id: str, value: str | bool, **_: Any
    ) -> SetSessionConfigOptionResponse:
        """Another model is open when this returns; where it cannot be opened, the one before stays."""
        conversation = self._conversation(session_id)
        if config_id != "mode":
            conversation.check_idle()
        options = conversation.options
        await in_thread(lambda: checked(lambda: options.set(config_id, value)))
        if config_id == "mode":
            self._later(conversation.client.send(options.mode_updates()[0]))
        return SetSessionConfigOptionResponse(config_options=list(options.all()))

    # -- prompts

    async def prompt(self, session_id: str, prompt: list[Any], **_: Any) -> PromptResponse:
        conversation = self._conversation(session_id)
        session = conversation.session
        root, most_bytes = session.root, session.settings.max_file_bytes
        try:
            return await conversation.prompt(lambda: read_prompt(prompt, root, most_bytes))
        except SparkError as error:
            raise protocol_error(error) from error

    async def cancel(self, session_id: str, **_: Any) -> None:
        """A notification: there is nobody to tell about a session that is not open."""
        if session_id in self._conversations:
            self._conversations[session_id].cancel()

    async def ext_method(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        if f"_{method}" != STEERING:
            raise RequestError.method_not_found(f"_{method}")
        message, session_id = params.get("message"), params.get("sessionId")
        if not isinstance(session_id, str) or not isinstance(message, str) or not message.strip():
            raise invalid("steering needs a sessionId and a message")
        if "\0" in message:
            raise invalid("the message has a NUL character")
        self._conversation(session_id).steer(message)
        return {"accepted": True}

    async def ext_notification(self, method: str, params: dict[str, Any]) -> None:
        """None is known; unknown ones are passed over, as the protocol says."""
        del method, params

    async def close(self) -> None:
        """End all sessions: what runs is stopped, and whole hunks are kept for a resume."""
        for conversation in self._conversations.values():
            conversation.leave()
        for conversation in list(self._conversations.values()):
            with contextlib.suppress(Exception):
                await conversation.close()
        self._conversations.clear()

    # -- inside

    async def _open(self, cwd: str, session_id: str | None = None, servers: Any = None) -> Conversation:
        """A new session, a stored one, or one that this client has open."""
        self._check_initialized()
        known = self._conversations.get(session_id or "")
        if known is not None:
            known.check_idle()
            self._later(self._announce(known))
            return known
        folder, loop, client = folder_of(cwd), asyncio.get_running_loop(), self._client
        assert client is not None  # the SDK connects it before it hands on a message
        opened = await in_thread(
            lambda: checked(lambda: self._opener.open(client, loop, self._files, folder, session_id, servers))
        )
        conversation = Conversation(opened, client)
        self._conversations[opened.id] = conversation
        self._later(self._announce(conversation))
        return conversation

    def _conversation(self, session_id: str) -> Conversation:
        self._check_initialized()
        if session_id not in self._conversations:
            raise RequestError(NOT_FOUND, f"no session {session_id!r} is open")
        return self._conversations[session_id]

    def _check_initialized(self) -> None:
        if not self._initialized:
            raise RequestError(INVALID_REQUEST, "send initialize first")

    async def _announce(self, conversation: Conversation) -> None:
        """Name the commands, after the answer that names the session; then what known servers add to them and
        to the models."""
        client, tools = conversation.client, conversation.session.tools
        if conversation.session.lost:
            await client.say(f"{conversation.session.lost}\n")
        await client.send(command_update())
        if prompts := await in_thread(tools.server_prompts):
            await client.send(command_update(prompts))
        if await in_thread(conversation.options.find_models):
            await client.send(conversation.options.update())
        await in_thread(tools.wait_for_late_servers)
        if len(late := await in_thread(tools.server_prompts)) > len(prompts):
            await client.send(command_update(late))

    def _later(self, work: Coroutine[Any, Any, None]) -> None:
        async def run() -> None:
            with contextlib.suppress(ConnectionError):
                await work

        task = asyncio.ensure_future(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def serve(agent: SparkAgent, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one client until it goes; then its sessions end."""
    served: Any = agent  # the SDK's own type asks for every method, also for those that no capability names
    suggestions = agent.suggestions
    transport = (
        SuggestionTransport(suggestions, reader, writer) if suggestions else LineTransport(reader, writer)
    )
    try:
        await run_agent(served, transport, use_unstable_protocol=True)
    finally:
        await agent.close()
    task = asyncio.current_task()
    if task and task.cancelling():
        raise asyncio.CancelledError  # by a signal: the SDK takes it for the client's end
