"""How the SDK reaches an MCP server: a command, streamable HTTP, or the older server-sent events."""

from __future__ import annotations

import contextlib
from contextlib import AsyncExitStack
from typing import Any, TextIO

from spark_tui.config.mcp_servers import ServerConfig

_PROBE_SECONDS = 3.0
_QUIET_SECONDS = 30 * 86_400.0
"""So long nothing may come over server-sent events: they are open while nothing is asked."""
_FIRST_EVENT = b"event: endpoint"
SSE = "sse"


async def transport(config: ServerConfig, stack: AsyncExitStack, errors: TextIO, kind: str = "") -> Any:
    """What must be closed after it goes onto the stack."""
    if config.command:
        from mcp import StdioServerParameters, stdio_client

        words = StdioServerParameters(
            command=config.command, args=list(config.args), env=dict(config.env) or None
        )
        return stdio_client(words, errlog=errors)
    if kind == SSE:
        from mcp.client.sse import sse_client

        return sse_client(config.url, dict(config.headers), sse_read_timeout=_QUIET_SECONDS)
    if not config.headers:
        return config.url
    from mcp.client.streamable_http import streamable_http_client
    from mcp.shared._httpx_utils import create_mcp_http_client

    http = await stack.enter_async_context(create_mcp_http_client(headers=dict(config.headers)))
    return streamable_http_client(config.url, http_client=http)


async def probe(config: ServerConfig) -> str:
    """What an address is that speaks no streamable HTTP: `sse`, or the status with which it refuses; else
    empty."""
    from mcp.shared._httpx_utils import create_mcp_http_client

    if not config.url:
        return ""
    head = {"Accept": "text/event-stream"}
    with contextlib.suppress(Exception):
        async with (
            create_mcp_http_client(headers=dict(config.headers)) as http,
            http.stream("GET", config.url, headers=head, timeout=_PROBE_SECONDS) as answer,
        ):
            if answer.status_code != 200:
                return str(answer.status_code)
            async for piece in answer.aiter_bytes():
                return SSE if piece.lstrip().startswith(_FIRST_EVENT) else ""
    return ""
