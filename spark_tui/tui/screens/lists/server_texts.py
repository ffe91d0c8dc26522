"""Adds prompts and resources of MCP servers to the `/` and `@` lists, as soon as the servers answer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import TYPE_CHECKING

from spark_tui.tui.screens.pickers.picker import ChoiceRow, Picker
from spark_tui.tui.screens.protocols import WorkbenchHost

if TYPE_CHECKING:
    from spark_tui.tools.mcp_texts import ServerText

_MARK = "◇"


async def add_resources(host: WorkbenchHost, picker: Picker) -> None:
    if _configured(host):
        _add(picker, "", await asyncio.to_thread(host.controller.session.tools.server_resources))


async def add_prompts(host: WorkbenchHost, picker: Picker, names: set[str]) -> None:
    """`names` gets the known names, so that a space after one completes it."""
    if _configured(host):
        found = await asyncio.to_thread(host.controller.session.tools.server_prompts)
        names.update(item.typed for item in found)
        _add(picker, "/", found)


def _configured(host: WorkbenchHost) -> bool:
    return not host.controller.opening and bool(host.controller.session.settings.mcp_servers)


def _add(picker: Picker, before: str, found: Sequence[ServerText]) -> None:
    choices = []
    for server_text in found:
        about = " · ".join(filter(None, (server_text.about, " ".join(server_text.arguments))))
        choices.append(
            ChoiceRow(before + server_text.typed, server_text.typed, about, by_label=True, mark=_MARK)
        )
    picker.add(choices, first=True)
