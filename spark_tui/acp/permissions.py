"""A model's question to the person, asked by the editor: may it run this command?"""

from __future__ import annotations

import asyncio
import secrets
from concurrent.futures import TimeoutError as NotYet
from threading import Event as StopFlag
from typing import Any

from acp import RequestError, text_block, tool_content
from acp.schema import AllowedOutcome, PermissionOption, ToolCallUpdate

from spark_tui.acp.session_client import SessionClient
from spark_tui.tools.permission import Answer, PermissionRequest

_LOOK_SECONDS = 0.05
_ANSWERS: dict[str, Answer] = {"once": "once", "always": "always"}


class EditorQuestions:
    """Asks for the thread of a turn, over the connection of one session."""

    def __init__(self, client: SessionClient, loop: asyncio.AbstractEventLoop) -> None:
        self._client, self._loop = client, loop

    def __call__(self, request: PermissionRequest, stop: StopFlag) -> Answer:
        asking = asyncio.run_coroutine_threadsafe(self._ask(request), self._loop)
        while not stop.is_set():
            try:
                outcome = asking.result(_LOOK_SECONDS)
            except NotYet:
                continue
            except RequestError:
                return "no"  # it cannot ask
            if not isinstance(outcome, AllowedOutcome):
                return "no"
            return _ANSWERS.get(outcome.option_id, "no")
        asking.cancel()
        return "no"

    async def _ask(self, request: PermissionRequest) -> Any:
        about = ToolCallUpdate(
            tool_call_id=f"permission/{secrets.token_hex(4)}",
            title=request.title,
            kind="execute",
            content=[tool_content(text_block(request.text))],
        )
        options = [
            PermissionOption(option_id="once", name="Allow once", kind="allow_once"),
            PermissionOption(option_id="always", name=f"Allow {request.lasting}", kind="allow_always"),
            PermissionOption(option_id="no", name="Do not allow", kind="reject_once"),
        ]
        return await self._client.ask(about, options)
