"""The messages of an edit request: the instruction, and what was said inside its answer."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.backends.base import Request


def messages(request: Request) -> tuple[str, ...]:
    """The instruction and the messages after it."""
    return (
        request.instruction,
        *(splice.message for splice in request.spliced),
        *filter(None, [request.steer]),
    )


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
