"""Opens the sessions of a client: the tree around its folder, the model, and the files as its editor has
them."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from acp import Client, RequestError
from acp.schema import FileSystemCapabilities, McpServerHttp, McpServerStdio

from spark_tui.acp.client_files import ClientFiles, ClientWriter
from spark_tui.acp.protocol_errors import NOT_FOUND, invalid
from spark_tui.acp.session_options import SessionOptions, with_stored_model
from spark_tui.backends.base import Backend
from spark_tui.config import paths
from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.config.settings import Settings
from spark_tui.errors import SparkError
from spark_tui.session.session import Session
from spark_tui.session.session_opener import root_of, undamaged
from spark_tui.session.storage.session_index import SessionIndex
from spark_tui.workspace.repository import check_writable

SettingsOf = Callable[[Path], Settings]
OpenBackend = Callable[[Settings], Backend]
_NOT_IN_A_NAME = re.compile(r"[^A-Za-z0-9_-]+")
_LONGEST_NAME = 30


@dataclass(frozen=True)
class OpenedSession:
    """A session with what its client has to do with it. `id`: what the client calls it, which is not its own
    where it is a copy of a damaged one."""

    id: str
    session: Session
    files: ClientFiles
    options: SessionOptions


class SessionOpener:
    """`settings_of` gives the settings of a tree, `open_backend` a model for them."""

    def __init__(self, settings_of: SettingsOf, open_backend: OpenBackend) -> None:
        self._settings_of, self._open_backend = settings_of, open_backend

    def open(
        self,
        client: Client,
        loop: asyncio.AbstractEventLoop,
        fs: FileSystemCapabilities,
        folder: Path,
        session_id: str | None = None,
        servers: Iterable[Any] | None = None,
    ) -> OpenedSession:
        """A new session, or a stored one; `servers` are those of the client, besides those of the settings.
        Blocks. Raises SparkError and the protocol's errors."""
        root = root_of(folder)
        check_writable(root)
        state = paths.repository_state_dir(root)
        if session_id is not None:
            _check_stored(state, session_id)
        own_id, lost = undamaged(state, session_id) if session_id else ("", "")
        settings = self._settings_of(root)
        if given := _configured(servers or ()):
            settings = replace(settings, mcp_servers={**settings.mcp_servers, **given})
        files = ClientFiles(
            client,
            lambda: session_id or session.id,
            loop,
            root,
            reads=bool(fs.read_text_file),
            writes=bool(fs.write_text_file),
            most_bytes=settings.max_file_bytes,
        )

        def make_writer(*words: Any, **more: Any) -> ClientWriter:
            writer = ClientWriter(*words, **more)
            writer.files = files
            return writer

        chosen = with_stored_model(settings, state / "sessions" / own_id) if own_id else settings
        try:
            backend = self._open_backend(chosen)
            settings = chosen
        except SparkError:
            if chosen == settings:
                raise
            backend = self._open_backend(settings)  # the one that was chosen is gone
        try:
            session = Session(root, backend, settings, state, session_id=own_id, make_writer=make_writer)
        except BaseException:
            backend.close()
            raise
        session.lost = lost
        return OpenedSession(
            session_id or session.id, session, files, SessionOptions(session, self._open_backend)
        )


def folder_of(cwd: str) -> Path:
    """The folder that a client names. Raises the protocol's error for one that cannot be worked in."""
    path = Path(cwd)
    if "\0" in cwd or not path.is_absolute():
        raise invalid("cwd must be an absolute path", cwd.replace("\0", ""))
    with suppress(OSError):  # a name that is too long
        if path.is_dir():
            return path
    raise invalid("no such folder", cwd)


def _check_stored(state: Path, session_id: str) -> None:
    with SessionIndex(state) as store:
        store.refresh()
        if session_id not in {row.id for row in store.sessions()}:
            raise RequestError(NOT_FOUND, f"no session {session_id!r} in this repository")


def _configured(servers: Iterable[Any]) -> dict[str, ServerConfig]:
    """MCP servers of a client, as those of the settings."""
    out = {}
    for server in servers:
        name = _NOT_IN_A_NAME.sub("-", server.name).strip("-")[:_LONGEST_NAME] or "server"
        if isinstance(server, McpServerStdio):
            environ = {pair.name: pair.value for pair in server.env}
            out[name] = ServerConfig(name, server.command, tuple(server.args), environ)
        elif isinstance(server, McpServerHttp):
            headers = {pair.name: pair.value for pair in server.headers}
            out[name] = ServerConfig(name, url=server.url, headers=headers)
        else:
            raise invalid("spark reaches MCP servers by a command or over streamable HTTP", server.name)
    return out
