"""A server in a process of its own, for benches: `python -m spark_tui.bench.serve_worker '{"model": …}'`.

Comes in: one JSON object. Goes out: the port on stdout; it ends when stdin closes. Must not know: what is measured.

`metronome:SECONDS` is no model: it reads new prompt tokens and writes words at a fixed pace while sleeping, so that all
CPU time that its server spends is the server's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Backend, Request
from spark_tui.errors import ConfigError
from spark_tui.events import Event, PrefillProgress, Token

METRONOME = "metronome:"


class Metronome:
    """Writes `burst` words every `pace` seconds."""

    name = "metronome"
    window = 0

    def __init__(self, pace: float, burst: int = 1) -> None:
        self._pace = pace
        self._burst = burst
        self.cpu_seconds = 0.0

    def format_for(self, request: Request) -> str:  # noqa: ARG002
        return "search_replace"

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        yield PrefillProgress(100, 100, 90)
        if request.kind == "warm":
            return
        due = time.monotonic()
        for number in range(request.max_tokens):
            if number % self._burst == 0:
                due += self._pace
                began = time.thread_time()
                stopped = stop.wait(max(0.0, due - time.monotonic()))
                # Falling asleep and waking up is what an engine's pass would be, so it counts as one.
                self.cpu_seconds += time.thread_time() - began
                if stopped:
                    return
            yield Token(number, f"word{number % 10} ")

    def count_tokens(self, text: str) -> int:
        return len(text) // 4

    def close(self) -> None:
        """Nothing is held."""


def backend_of(model: str, *, burst: int = 1, alone: bool = False) -> Backend:
    """A metronome, a model folder, or random weights of a named size with the benches' tokenizer."""
    if model.startswith(METRONOME):
        return Metronome(float(model.removeprefix(METRONOME)), burst)
    from spark_tui.backends.local import LocalBackend
    from spark_tui.bench.traces import bench_tokenizer
    from spark_tui.engine import Engine
    from spark_tui.engine.sizes import random_weights, size
    from spark_tui.serve.shared_engine import SharedEngine

    if Path(model).expanduser().exists():
        local = LocalBackend.open(model)
    else:
        arch = size(model)
        local = LocalBackend(Engine(arch, random_weights(arch), bench_tokenizer()))
    return local if alone else SharedEngine(local)


def main() -> None:
    asked: dict[str, Any] = json.loads(sys.argv[1])
    from spark_tui.serve.app import make_app
    from spark_tui.serve.limits import Limits
    from spark_tui.serve.server import listen, make_server

    limits = Limits(**asked.get("limits", {}))
    backend = backend_of(asked["model"], burst=asked.get("burst", 1), alone=asked.get("alone", False))
    sock = listen("127.0.0.1", 0)
    app = make_app({"bench": backend}, limits=limits)
    server = make_server(
        app, limits, certificate=asked.get("certificate", ""), private_key=asked.get("private_key", "")
    )

    def until_parent_leaves() -> None:
        sys.stdin.read()
        server.should_exit = True

    threading.Thread(target=until_parent_leaves, daemon=True).start()
    print(sock.getsockname()[1], flush=True)
    if slow := asked.get("slow_seconds"):
        _slow_down(slow)
    asyncio.run(server.serve(sockets=[sock]))
    with contextlib.suppress(Exception):
        backend.close()


def _slow_down(seconds: float) -> None:
    """A deliberate fault: every lasting connection works so much longer on each message. The bars must notice."""
    from spark_tui.serve.responses_render import ResponsesRenderer

    if seconds <= 0:
        raise ConfigError("must be more than 0", where="slow_seconds")
    original = ResponsesRenderer.batch

    def slow(self: ResponsesRenderer, batch: Any) -> list[str]:
        if self.lean:
            until = time.thread_time() + seconds
            while time.thread_time() < until:
                pass
        return original(self, batch)

    ResponsesRenderer.batch = slow  # type: ignore[method-assign]


if __name__ == "__main__":
    main()
