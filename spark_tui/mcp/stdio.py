"""The server on stdin and stdout. The SDK drops lines that are not messages; here each gets an answer."""

from __future__ import annotations

import os
from typing import Any

import anyio
from mcp.server.lowlevel.server import Server
from mcp.server.stdio import stdio_server
from mcp.shared.message import SessionMessage
from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
)
from pydantic import ValidationError

from spark_tui.errors import SIGNALLED
from spark_tui.mcp.server import make_server
from spark_tui.mcp.tools import Tools
from spark_tui.session.stop_signals import stopped_by

_CANCELLED = "notifications/cancelled"
_LAST_SECONDS = 60.0
"""How long requests are worked on once no more will come."""


def run_stdio(tools: Tools) -> None:
    """Serve one client until it goes. A signal ends the process here: the thread that waits for a line can
    only be left, and Python would wait for it."""

    def leave(number: int) -> bool:
        tools.finish_writing()
        os._exit(SIGNALLED + number)

    with stopped_by(leave):
        anyio.run(_serve, make_server(tools))


async def _serve(server: Server) -> None:
    async with stdio_server() as (reading, writing), writing, anyio.create_task_group() as tasks:
        send, receive = anyio.create_memory_object_stream[Any](0)
        answer, answers = anyio.create_memory_object_stream[Any](0)
        unanswered = _Unanswered()
        tasks.start_soon(_pass_on, reading, send, writing, unanswered)
        tasks.start_soon(_pass_back, answers, writing, unanswered)
        await server.run(receive, answer, server.create_initialization_options())
        tasks.cancel_scope.cancel()


class _Unanswered:
    """The requests that wait for their answers. The SDK gives them up where the client says that no more will
    come; a script that pipes its requests in wants to read the answers."""

    def __init__(self) -> None:
        self._ids: set[int | str] = set()
        self._none = anyio.Event()

    def came(self, message: object) -> None:
        if isinstance(message, JSONRPCRequest):
            self._ids.add(message.id)
        elif isinstance(message, JSONRPCNotification) and message.method == _CANCELLED:
            self._over((message.params or {}).get("requestId"))

    def went(self, message: object) -> None:
        if isinstance(message, JSONRPCResponse | JSONRPCError):
            self._over(message.id)

    def _over(self, request: int | str | None) -> None:
        self._ids -= {request}
        if not self._ids:
            self._none.set()

    async def wait(self) -> None:
        """Until all are answered, for some seconds at most."""
        if self._ids:
            self._none = anyio.Event()
            with anyio.move_on_after(_LAST_SECONDS):
                await self._none.wait()


async def _pass_on(reading: Any, send: Any, writing: Any, unanswered: _Unanswered) -> None:
    async with send:
        async for item in reading:
            if isinstance(item, Exception):
                await writing.send(SessionMessage(_refusal(item)))
            else:
                unanswered.came(item.message)
                await send.send(item)
        await unanswered.wait()


async def _pass_back(answers: Any, writing: Any, unanswered: _Unanswered) -> None:
    async with answers:
        async for item in answers:
            await writing.send(item)
            unanswered.went(item.message)


def _refusal(error: Exception) -> JSONRPCError:
    is_json = isinstance(error, ValidationError) and error.errors()[0]["type"] != "json_invalid"
    code, what = (
        (INVALID_REQUEST, "this is not a message") if is_json else (PARSE_ERROR, "this line is not JSON")
    )
    return JSONRPCError(jsonrpc="2.0", id=None, error=ErrorData(code=code, message=what))
