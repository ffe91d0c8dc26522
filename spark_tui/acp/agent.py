"""The methods of the protocol, version 1."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from acp import PROTOCOL_VERSION, Client, RequestError, run_agent
from acp.schema import (
    AgentCapabilities,
    AuthenticateResponse,
    AvailableCommandsUpdate,
    ClientCapabilities,
    CloseSessionResponse,
    FileSystemCapabilities,
    Implementation,
    InitializeResponse,
    ListSessionsResponse,
    LoadSessionResponse,
    NewSessionResponse,
    PromptCapabilities,
    PromptResponse,
    ResumeSessionResponse,
    SessionCapabilities,
    SessionCloseCapabilities,
    SessionInfo,
    SessionListCapabilities,
    SessionMode,
    SessionModeState,
    SessionResumeCapabilities,
    SetSessionModeResponse,
)

from spark_tui import __version__
from spark_tui.acp.client_files import ClientFiles, ClientWriter
from spark_tui.acp.commands import available
from spark_tui.acp.conversation import MODES, Conversation
from spark_tui.acp.leg import in_thread
from spark_tui.acp.prompts import invalid, read_prompt
from spark_tui.acp.transport import LineTransport
from spark_tui.acp.updates import history
from spark_tui.backends.base import Backend
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.errors import NoPlace, Refused, SparkError, UsageError
from spark_tui.session.archive import turns_of
from spark_tui.session.session import Session
from spark_tui.session.session_index import SessionIndex
from spark_tui.session.session_opener import root_of
from spark_tui.workspace.repository import check_writable

STEERING = "_session/steering"
_PAGE = 50
_INVALID = (UsageError, Refused, NoPlace)
SettingsOf = Callable[[Path], Settings]
OpenBackend = Callable[[Settings], Backend]


class SparkAgent:
    """One client's agent. `settings_of` gives the settings of a tree, `open_backend` a model for them."""

    def __init__(self, settings_of: SettingsOf, open_backend: OpenBackend) -> None:
        self._settings_of, self._open_backend = settings_of, open_backend
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
        **more: Any,
    ) -> InitializeResponse:
        """A client of another version is answered with this one; it decides whether it goes on."""
        del protocol_version, client_info, more
        if client_capabilities is not None and client_capabilities.fs is not None:
            self._files = client_capabilities.fs
        self._initialized = True
        return InitializeResponse(
            protocol_version=PROTOCOL_VERSION,
            agent_capabilities=AgentCapabilities(
                load_session=True,
                prompt_capabilities=PromptCapabilities(embedded_context=True, image=False, audio=False),
                session_capabilities=SessionCapabilities(
                    list=SessionListCapabilities(),
                    close=SessionCloseCapabilities(),
                    resume=SessionResumeCapabilities(),
                ),
                field_meta={STEERING: {"params": {"sessionId": "string", "message": "string"}}},
            ),
            auth_methods=[],
            agent_info=Implementation(name="spark", title="spark", version=__version__),
        )

    async def authenticate(self, method_id: str, **more: Any) -> AuthenticateResponse:
        del more
        raise invalid(f"there is no such method: {method_id!r}; none is needed")

    # -- sessions

    async def new_session(self, cwd: str, **more: Any) -> NewSessionResponse:
        del more
        conversation = await self._open(cwd)
        self._announce(conversation)
        return NewSessionResponse(session_id=conversation.session.id, modes=_modes(conversation))

    async def load_session(self, cwd: str, session_id: str, **more: Any) -> LoadSessionResponse:
        """Open a stored session and show its history."""
        del more
        conversation = await self._reopen(cwd, session_id)
        past = await in_thread(lambda: _checked(lambda: turns_of(conversation.session.folder)))
        for update in history(past, conversation.session.root):
            await self._connected.session_update(session_id=session_id, update=update)
        self._announce(conversation)
        return LoadSessionResponse(modes=_modes(conversation))

    async def resume_session(self, session_id: str, cwd: str, **more: Any) -> ResumeSessionResponse:
        """Open a stored session without its history."""
        del more
        conversation = await self._reopen(cwd, session_id)
        self._announce(conversation)
        return ResumeSessionResponse(modes=_modes(conversation))

    async def list_sessions(
        self, cwd: str | None = None, cursor: str | None = None, **more: Any
    ) -> ListSessionsResponse:
        """The sessions of one repository, the newest first."""
        del more
        self._check_initialized()
        if cursor is not None and not cursor.isdecimal():
            raise invalid("this cursor is none of this list")
        folder = _folder(cwd) if cwd is not None else Path.cwd()

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

        rows = await in_thread(lambda: _checked(read))
        first = int(cursor or 0)
        after = str(first + _PAGE) if len(rows) > first + _PAGE else None
        return ListSessionsResponse(sessions=rows[first : first + _PAGE], next_cursor=after)

    async def close_session(self, session_id: str, **more: Any) -> CloseSessionResponse:
        del more
        conversation = self._conversation(session_id)
        del self._conversations[session_id]
        await conversation.close()
        return CloseSessionResponse()

    async def set_session_mode(self, session_id: str, mode_id: str, **more: Any) -> SetSessionModeResponse:
        del more
        conversation = self._conversation(session_id)
        if mode_id not in MODES:
            raise invalid(f"there is no mode {mode_id!r}; there are {', '.join(MODES)}")
        conversation.mode = mode_id
        return SetSessionModeResponse()

    # -- prompts

    async def prompt(self, session_id: str, prompt: list[Any], **more: Any) -> PromptResponse:
        del more
        conversation = self._conversation(session_id)
        root = conversation.session.root
        asked = await in_thread(lambda: _checked(lambda: read_prompt(prompt, root)))
        try:
            return await conversation.prompt(asked)
        except SparkError as error:
            raise _protocol_error(error) from error

    async def cancel(self, session_id: str, **more: Any) -> None:
        """A notification: there is nobody to tell about a session that is not open."""
        del more
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
            conversation.cancel()
        for conversation in list(self._conversations.values()):
            with contextlib.suppress(Exception):
                await conversation.close()
        self._conversations.clear()

    # -- inside

    async def _reopen(self, cwd: str, session_id: str) -> Conversation:
        known = self._conversations.get(session_id)
        if known is not None:
            if known.running:
                raise RequestError(-32600, "a prompt of this session is running")
            return known
        return await self._open(cwd, session_id)

    async def _open(self, cwd: str, session_id: str | None = None) -> Conversation:
        self._check_initialized()
        folder, loop = _folder(cwd), asyncio.get_running_loop()
        made: list[ClientFiles] = []

        def open_one() -> Session:
            root = root_of(folder)
            check_writable(root)
            state = paths.repository_state_dir(root)
            if session_id is not None:
                _check_stored(state, session_id)
            settings = self._settings_of(root)
            files = ClientFiles(
                self._connected,
                lambda: session.id,
                loop,
                root,
                reads=bool(self._files.read_text_file),
                writes=bool(self._files.write_text_file),
                most_bytes=settings.max_file_bytes,
            )
            made.append(files)
            backend = self._open_backend(settings)

            def make_writer(*words: Any, **more: Any) -> ClientWriter:
                writer = ClientWriter(*words, **more)
                writer.files = files
                return writer

            try:
                session = Session(
                    root, backend, settings, state, session_id=session_id or "", make_writer=make_writer
                )
            except BaseException:
                backend.close()
                raise
            return session

        session = await in_thread(lambda: _checked(open_one))
        conversation = Conversation(session, self._connected, made[0])
        self._conversations[session.id] = conversation
        return conversation

    def _conversation(self, session_id: str) -> Conversation:
        self._check_initialized()
        if session_id not in self._conversations:
            raise RequestError(-32002, f"no session {session_id!r} is open")
        return self._conversations[session_id]

    def _check_initialized(self) -> None:
        if not self._initialized:
            raise RequestError(-32600, "send initialize first")

    @property
    def _connected(self) -> Client:
        assert self._client is not None
        return self._client

    def _announce(self, conversation: Conversation) -> None:
        """Name the commands, after the answer that names the session."""

        async def send() -> None:
            update = AvailableCommandsUpdate(
                session_update="available_commands_update", available_commands=available()
            )
            with contextlib.suppress(ConnectionError):
                await self._connected.session_update(session_id=conversation.session.id, update=update)

        task = asyncio.ensure_future(send())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


async def serve(agent: SparkAgent, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    """Serve one client until it goes; then its sessions end."""
    served: Any = agent  # the SDK's own type asks for every method, also for those that no capability names
    try:
        await run_agent(served, LineTransport(reader, writer), use_unstable_protocol=True)
    finally:
        await agent.close()


def _modes(conversation: Conversation) -> SessionModeState:
    modes = [SessionMode(id=name, name=name.capitalize(), description=about) for name, about in MODES.items()]
    return SessionModeState(current_mode_id=conversation.mode, available_modes=modes)


def _folder(cwd: str) -> Path:
    path = Path(cwd)
    if "\0" in cwd or not path.is_absolute():
        raise invalid("cwd must be an absolute path", cwd.replace("\0", ""))
    if not path.is_dir():
        raise invalid("no such folder", cwd)
    return path


def _check_stored(state: Path, session_id: str) -> None:
    with SessionIndex(state) as store:
        store.refresh()
        if session_id not in {row.id for row in store.sessions()}:
            raise RequestError(-32002, f"no session {session_id!r} in this repository")


def _checked(work: Callable[[], Any]) -> Any:
    """Run something whose refusals are errors of the protocol."""
    try:
        return work()
    except SparkError as error:
        raise _protocol_error(error) from error


def _protocol_error(error: SparkError) -> RequestError:
    return RequestError(-32602 if isinstance(error, _INVALID) else -32603, str(error), error.as_dict())
