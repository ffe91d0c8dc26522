"""Coroutines that run in the background and never delay keys."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from textual.dom import DOMNode


def start_work(
    node: DOMNode, function: Callable[[], Awaitable[None]], group: str, *, exclusive: bool = False
) -> None:
    """Run it in the background; it ends with the node. The coroutine is created only when it starts,
    because one cancelled before that would warn that it was never awaited."""

    async def work() -> None:
        await function()

    # Typed as what Textual's types take for one.
    begin: Callable[[], Awaitable[None]] = work
    node.run_worker(begin, group=group, exclusive=exclusive)
