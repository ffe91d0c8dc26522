"""The server on stdin and stdout. The SDK drops lines that are not messages; here each gets an answer."""

from __future__ import annotations

import os
from typing import Any

import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import INVALID_REQUEST, PARSE_ERROR, ErrorData, JSONRPCError
from pydantic import ValidationError

from spark_tui.errors import SIGNALLED
from spark_tui.mcp.server import make_server
from spark_tui.mcp.tools import Tools
from spark_tui.session.stop_signals import stopped_by


def run_stdio(tools: Tools) -> None:
    """Serve one client until it goes. A signal ends the process here: the thread that waits for a line can
    only be left, and Python would wait for it."""

    def leave(number: int) -> bool:
        tools.finish_writing()
        os._exit(SIGNALLED + number)

    with stopped_by(leave):
        anyio.run(_serve, make_server(tools))


async def _serve(server: Server) -> None:
    async with stdio_server() as (reading, writing), anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[Any](0)
        tasks.start_soon(_pass_on, reading, send, writing)
        await server.run(receive, writing, server.create_initialization_options())
        tasks.cancel_scope.cancel()


async def _pass_on(reading: Any, send: Any, writing: Any) -> None:
    async with send:
        async for item in reading:
            if isinstance(item, Exception):
                await writing.send(SessionMessage(_refusal(item)))
            else:
                await send.send(item)


def _refusal(error: Exception) -> JSONRPCError:
    is_json = isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid"
    code, what = (
        (INVALID_REQUEST, "this is not a message") if is_json else (PARSE_ERROR, "this line is not JSON")
    )
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=what))
