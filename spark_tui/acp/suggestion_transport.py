"""Messages of next-edit suggestions: the SDK has them, but does not route them to an agent."""

from __future__ import annotations

import asyncio
import contextlib
from typing import Any

from acp import RequestError
from pydantic import BaseModel

from spark_tui.acp.next_edits import NextEditSuggestions
from spark_tui.acp.protocol_errors import INTERNAL, protocol_error
from spark_tui.acp.transport import LineTransport
from spark_tui.errors import SparkError


class SuggestionTransport(LineTransport):
    """Answers the messages of next-edit suggestions, and gives the SDK the others."""

    def __init__(self, suggestions: NextEditSuggestions, *streams: Any) -> None:
        super().__init__(*streams)
        self._suggestions = suggestions
        self._tasks: set[asyncio.Task[None]] = set()

    async def receive(self) -> dict[str, Any] | None:
        while (message := await super().receive()) is not None:
            if not self._suggestions.takes(str(message.get("method"))):
                return message
            await self._take(message)
        return None

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await self._suggestions.close()
        await super().close()

    async def _take(self, message: dict[str, Any]) -> None:
        """Documents change in order; only what takes time is answered beside them."""
        try:
            answer = self._suggestions.answer(message["method"], message.get("params"))
        except Exception as error:
            await self._reply(message, error=_as_error(error))
            return
        if not asyncio.iscoroutine(answer):
            await self._reply(message, answer)
            return

        async def run() -> None:
            try:
                given, error = await answer, None
            except Exception as failed:
                given, error = None, _as_error(failed)
            with contextlib.suppress(ConnectionError):
                await self._reply(message, given, error)

        task = asyncio.ensure_future(run())
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _reply(
        self, message: dict[str, Any], answer: BaseModel | None = None, error: RequestError | None = None
    ) -> None:
        if "id" not in message:
            return  # a notification has no answer, not even an error
        reply: dict[str, Any] = {"jsonrpc": "2.0", "id": message["id"]}
        if error is not None:
            reply["error"] = {"code": error.code, "message": str(error)}
        else:
            reply["result"] = (
                answer.model_dump(by_alias=True, exclude_none=True, mode="json") if answer else {}
            )
        await self.send(reply)


def _as_error(error: Exception) -> RequestError:
    """Whatever goes wrong with one message, the others are answered."""
    if isinstance(error, RequestError):
        return error
    if isinstance(error, SparkError):
        return protocol_error(error)
    return RequestError(INTERNAL, f"{type(error).__name__}: {error}")
