"""Asks the person before a model runs a command or calls another program's tool, and keeps which tools of MCP
servers were allowed in a repository."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Event as StopFlag
from typing import Any, Literal

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.workspace.disk import replace_file

Answer = Literal["once", "always", "no"]
_FILE = "mcp-tools.json"


@dataclass(frozen=True, slots=True)
class McpTool:
    """A tool as the server describes it."""

    name: str
    description: str
    schema: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class PermissionRequest:
    """What a model wants to do. `text` is shown whole: it is what would happen."""

    title: str
    text: str
    lasting: str = "in this session"
    """How long the answer `always` holds."""


Ask = Callable[[PermissionRequest, StopFlag], Answer]
"""The question of a front end to the person. It returns `no` once the flag is set."""


class Permissions:
    """The person's answers of one session. Without a front end that can ask, nothing is allowed."""

    def __init__(self, ask: Ask | None = None) -> None:
        self.ask = ask
        self._always: set[PermissionRequest] = set()

    def answer(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        if request in self._always:
            return "always"
        found = self.ask(request, stop) if self.ask is not None else "no"
        if found == "always":
            self._always.add(request)
        return found


class McpConsent:
    """The answers of one repository, in its private state folder. An answer holds for one server, started in
    one way, and one description of the tool: what changes is asked about again."""

    def __init__(self, state: Path) -> None:
        self._path = state / _FILE

    def allowed(self, server: ServerConfig, tool: McpTool) -> bool | None:
        """None: nobody was asked yet."""
        found = self._read().get(_key(server, tool))
        return found if isinstance(found, bool) else None

    def remember(self, server: ServerConfig, tool: McpTool, allowed: bool) -> None:
        answers = {**self._read(), _key(server, tool): allowed}
        replace_file(self._path, json.dumps(answers, indent=1, sort_keys=True).encode())

    def _read(self) -> dict[str, object]:
        """A file that is missing or damaged holds no answers: the person is asked again."""
        try:
            found = json.loads(self._path.read_text("utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}


def _key(server: ServerConfig, tool: McpTool) -> str:
    facts = [server.command, list(server.args), server.url, tool.description, dict(tool.schema)]
    digest = hashlib.sha256(json.dumps(facts, sort_keys=True).encode()).hexdigest()[:16]
    return f"{server.name}/{tool.name}/{digest}"
