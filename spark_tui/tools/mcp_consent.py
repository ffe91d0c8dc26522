"""Which tools of MCP servers a person allowed in a repository. Asked once for each tool, and remembered."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.tools.mcp_client import McpTool
from spark_tui.workspace.disk import replace_file

_FILE = "mcp-tools.json"


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
