"""The messages from one session to its client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp import Client, RequestError, update_agent_message_text
from acp.schema import PermissionOption, ToolCallUpdate

from spark_tui.acp.protocol_errors import INTERNAL


@dataclass(frozen=True, slots=True)
class SessionClient:
    """The client, as one of its sessions sees it."""

    client: Client
    session_id: str

    async def send(self, update: Any) -> None:
        await self.client.session_update(session_id=self.session_id, update=update)

    async def say(self, text: str) -> None:
        await self.send(update_agent_message_text(text))

    async def ask(self, about: ToolCallUpdate, options: list[PermissionOption]) -> Any:
        """The outcome of a question to the person. Raises RequestError where the client cannot ask."""
        try:
            answer = await self.client.request_permission(
                session_id=self.session_id, tool_call=about, options=options
            )
        except ValueError as error:
            raise RequestError(INTERNAL, "its answer to session/request_permission is malformed") from error
        return answer.outcome
