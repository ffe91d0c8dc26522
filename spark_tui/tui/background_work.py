"""Coroutines in the background, which never delay keys, and the results of other threads."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from contextvars import Context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textual.dom import DOMNode


def start_work(
    node: DOMNode, function: Callable[[], Awaitable[None]], group: str, *, exclusive: bool = False
) -> None:
    """Run it in the background; it ends with the node, or where the screen is taken down around it."""
    from textual.dom import NoScreen

    async def work() -> None:
        try:
            await function()
        except NoScreen:
            if node.is_attached and node.app.is_running:
                raise

    started: Callable[[], Awaitable[None]] = work
    node.run_worker(started, group=group, exclusive=exclusive)


def call_on_loop(
    loop: asyncio.AbstractEventLoop,
    function: Callable[..., object],
    *args: object,
    context: Context | None = None,
) -> None:
    """Call it there, from any thread. A loop that is closed has nobody to tell any more."""
    with contextlib.suppress(RuntimeError):
        loop.call_soon_threadsafe(function, *args, context=context)
