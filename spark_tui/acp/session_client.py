"""The messages from one session to its client."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from acp import Client, update_agent_message_text
from acp.schema import PermissionOption, ToolCallUpdate


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
        answer = await self.client.request_permission(
            session_id=self.session_id, tool_call=about, options=options
        )
        return answer.outcome
