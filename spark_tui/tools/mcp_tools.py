"""The tools of the MCP servers in the settings, as tools of a session.

All servers are started together, with the first turn that offers tools; one that is late joins a later turn.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass

from spark_tui.config.mcp_servers import ServerConfig
from spark_tui.errors import SparkError
from spark_tui.tools.bounded_text import count_of, joined, shown_line
from spark_tui.tools.mcp_client import McpClient
from spark_tui.tools.permission import McpConsent, McpTool, PermissionRequest
from spark_tui.tools.registry import Tool, ToolContext, ToolOutcome

START_SECONDS = 5.0
_MOST_TOOLS = 100
_MOST_DESCRIPTION = 1_000
_MOST_NAME = 64


@dataclass
class _Server:
    """One server: its connection, and what came of asking it for its tools."""

    config: ServerConfig
    client: McpClient | None = None
    tools: tuple[Tool, ...] = ()
    started: bool = False
    """Whether it was waited for: once."""
    listed: bool = False
    problem: str = ""
    told: bool = False
    """Whether the person knows of the problem."""
    late: bool = False
    """Whether the turn that started it goes on without it, which is told once too."""
    start: threading.Thread | None = None


class McpTools:
    """The servers of one session."""

    def __init__(self, consent: McpConsent) -> None:
        self._consent = consent
        self._servers: dict[str, _Server] = {}

    def use(self, configs: Mapping[str, ServerConfig]) -> None:
        """Start what is new, end what is gone or has changed, and list tools anew that a server changed."""
        for name, server in list(self._servers.items()):
            if configs.get(name) != server.config:
                self._end(self._servers.pop(name))
        waiting: list[_Server] = []
        for name, config in configs.items():
            server = self._servers.setdefault(name, _Server(config))
            changed = server.listed and server.client is not None and server.client.tools_changed
            if changed or not server.started:
                server.started = True
                server.start = threading.Thread(
                    target=self._start, args=(server,), name="mcp-start", daemon=True
                )
                server.start.start()
                waiting.append(server)
        until = time.monotonic() + START_SECONDS
        for server in waiting:
            if server.start is not None:
                server.start.join(max(until - time.monotonic(), 0.0))
            server.late = not (server.listed or server.problem)

    def wait_for_late(self) -> None:
        """Wait until all have answered or failed."""
        for server in list(self._servers.values()):
            if server.start is not None and server.start.is_alive():
                server.start.join()

    @property
    def tools(self) -> tuple[Tool, ...]:
        return tuple(tool for server in self._servers.values() for tool in server.tools)

    @property
    def clients(self) -> Mapping[str, McpClient]:
        """The servers that answered."""
        return {name: one.client for name, one in self._servers.items() if one.listed and one.client}

    def problems(self) -> tuple[str, ...]:
        """What went wrong and was not told yet."""
        found = [server for server in self._servers.values() if server.problem and not server.told]
        for item in found:
            item.told = True
        late = [server for server in self._servers.values() if server.late and not server.told]
        for item in late:
            item.late = False
        return (
            *(server.problem for server in found),
            *(
                f"{server.config.name} is still starting: its tools are missing until then."
                for server in late
            ),
        )

    def close(self) -> None:
        for server in self._servers.values():
            self._end(server)
        self._servers.clear()

    def _start(self, server: _Server) -> None:
        try:
            client = server.client = server.client or McpClient(server.config)
            found = client.list_tools()
        except SparkError as error:
            hint = f" {error.hint}" if error.hint else ""
            server.problem = f"The tools of {server.config.name} are missing: {error.what}.{hint}"
            return
        if len(found) > _MOST_TOOLS:
            server.problem = f"{server.config.name} has {len(found)} tools; the first {_MOST_TOOLS} are used."
        server.tools = tuple(self._tool(server.config, client, tool) for tool in found[:_MOST_TOOLS])
        server.listed = True

    def _tool(self, config: ServerConfig, client: McpClient, tool: McpTool) -> Tool:
        def call(context: ToolContext, arguments: Mapping[str, object]) -> ToolOutcome:
            words = json.dumps(arguments, ensure_ascii=False)
            summary = shown_line(words)[:60]
            if not self._allowed(config, tool, words, context):
                text = "the call was not allowed by the person; go on without it"
                return ToolOutcome(text, f"{summary}: not allowed", failed=True)
            output = client.call(tool.name, arguments, context.stop)
            lines = output.text.splitlines()
            text, count = joined(map(shown_line, lines))
            if count < len(lines):
                text += f"\n(cut: {count_of(len(lines) - count, 'line')} more)"
            return ToolOutcome(text, summary, failed=output.failed)

        description = " ".join(tool.description.split())[:_MOST_DESCRIPTION]
        return Tool(tool_name(config.name, tool.name), description, dict(tool.schema), call, foreign=True)

    def _allowed(self, config: ServerConfig, tool: McpTool, arguments: str, context: ToolContext) -> bool:
        if self._consent.allowed(config, tool):
            return True
        title = f"The model wants to call {tool.name} of the MCP server {config.name}"
        request = PermissionRequest(title, arguments, "for this tool in this repository")
        answer = context.permissions.answer(request, context.stop)
        context.look()
        if answer == "always":
            self._consent.remember(config, tool, True)
        return answer != "no"

    @staticmethod
    def _end(server: _Server) -> None:
        if server.client is not None:
            # A server may take its time to end: only the end of this process waits, so that none is left.
            threading.Thread(target=server.client.close, name="mcp-end", daemon=False).start()


def tool_name(server: str, tool: str) -> str:
    """The name that a model calls: protocols allow letters, digits, - and _."""
    return re.sub(r"[^A-Za-z0-9_-]", "_", f"mcp__{server}__{tool}")[:_MOST_NAME]
