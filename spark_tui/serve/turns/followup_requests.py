"""Builds requests that continue another: after the text written so far, or after a steer."""

from __future__ import annotations

from dataclasses import replace

from spark_tui.backends.base import Exchange, Request, Splice


def texts_of(request: Request) -> list[str]:
    """What the model is shown, in no order."""
    texts = [request.instruction, request.steer, request.rules, request.prefix, request.suffix]
    texts += [part.text for part in request.files]
    texts += [splice.message for splice in request.spliced]
    for exchange in request.history:
        texts += (exchange.instruction, exchange.answer, exchange.outcome)
    return texts


def shown_chars(request: Request) -> int:
    """Length of all those texts."""
    return sum(map(len, texts_of(request)))


def with_own_steer(request: Request, *, splices: bool, text: str) -> Request:
    """The same request with its own steer after it, so that what was written since can stand after that.
    `text` is what was written before the steer, for a model that takes no splices."""
    if not request.steer:
        return request
    if splices:
        splice = Splice(request.emitted, request.steer)
        return replace(request, spliced=(*request.spliced, splice), emitted=(), steer="")
    exchange = Exchange(request.instruction, text, "steered")
    return replace(
        request, history=(*request.history, exchange), instruction=request.steer, emitted=(), steer=""
    )
