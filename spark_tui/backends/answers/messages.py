"""What was said inside the answer of an edit request."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.backends.base import Request


def answered_messages(request: Request) -> list[tuple[tuple[int, ...], str]]:
    """Each message after the instruction, and the ids before it."""
    last = [(request.emitted, request.steer)] if request.steer else []
    return [*((splice.ids, splice.message) for splice in request.spliced), *last]


def without_end(request: Request, eos_ids: tuple[int, ...]) -> Request:
    """The request with the end tokens of earlier pieces removed, so that the answer can continue."""

    def cut(ids: tuple[int, ...]) -> tuple[int, ...]:
        return ids[:-1] if ids and ids[-1] in eos_ids else ids

    spliced = tuple(replace(splice, ids=cut(splice.ids)) for splice in request.spliced)
    return replace(request, emitted=cut(request.emitted), spliced=spliced)
