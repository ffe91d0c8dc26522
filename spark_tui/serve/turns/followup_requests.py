"""Builds requests that continue another: after the text written so far, or after a steer."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.backends.base import Exchange, Request, Splice


def texts_of(request: Request) -> list[str]:
    """What the model is shown, in no order."""
    texts = [request.instruction, request.steer, request.rules, request.prefix, request.suffix]
    texts += [part.text for part in request.files]
    texts += [splice.message for splice in request.spliced]
    for said in request.history:
        texts += (said.instruction, said.answer, said.outcome)
    return texts


def shown_chars(request: Request) -> int:
    """Length of all those texts."""
    return sum(map(len, texts_of(request)))


def with_own_steer(request: Request, *, splices: bool, said: str) -> Request:
    """The same request with its own steer after it, so that what was written since can stand after that.
    `said` is what was written before the steer, for a model that takes no splices."""
    if not request.steer:
        return request
    if splices:
        splice = Splice(request.emitted, request.steer)
        return replace(request, spliced=(*request.spliced, splice), emitted=(), steer="")
    exchange = Exchange(request.instruction, said, "steered")
    return replace(
        request, history=(*request.history, exchange), instruction=request.steer, emitted=(), steer=""
    )
