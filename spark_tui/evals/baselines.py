"""Baselines for comparison: an untrained model of the same shape, and a backend that never edits."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Event as StopFlag

from spark_tui.backends.base import Backend, Request, WithoutModel
from spark_tui.events import Event, Token

UNTRAINED_CASES = 60
"""An untrained model writes until it is cut off, which takes long and says little."""
UNTRAINED_TOKENS = 96


class NeverEdits(WithoutModel):
    """Says of everything that nothing is to do."""

    name = "unchanged"
    window = 0

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:  # noqa: ARG002
        path = request.files[0].path if request.files else "file"
        yield Token(0, "" if request.kind == "fill" else f"*** {path}\n@@ no-edit\n")


def untrained(backend: Backend) -> Backend | None:
    """The same shape and tokenizer with weights of chance; None where the backend's model is not on this
    machine."""
    from spark_tui.backends.local.backend import LocalBackend
    from spark_tui.engine import Engine
    from spark_tui.engine.model_sizes import random_weights

    if not isinstance(backend, LocalBackend):
        return None
    arch, tokenizer = backend.engine.arch, backend.engine.tokenizer
    return LocalBackend(Engine(arch, random_weights(arch), tokenizer), {}, name="untrained")
