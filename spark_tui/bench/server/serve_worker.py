"""A server in a process of its own: `python -m spark_tui.bench.server.serve_worker '{"model": …}'`.

`metronome:SECONDS` is no model: it writes words at a fixed pace and sleeps in between, so that all CPU
time that its server spends is the server's own.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import sys
import threading
import time
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from threading import Event as StopFlag
from typing import Any

from spark_tui.backends.base import Backend, Request, WithoutModel
from spark_tui.engine.tokenizer import Tokenizer
from spark_tui.events import Event, PrefillProgress, Token
from spark_tui.serve.batching.push_backend import EventSink, pull_events

METRONOME = "metronome:"


@dataclass(slots=True)
class _Beat:
    """A turn of the metronome, and what of it was written."""

    request: Request
    stop: StopFlag
    sink: EventSink
    due: float
    written: int = 0


class Metronome(WithoutModel):
    """Writes `burst` words every `pace` seconds, for all turns on one thread that pushes them, as the engine
    does."""

    name = "metronome"
    window = 0

    def __init__(self, pace: float, burst: int = 1) -> None:
        self._pace = pace
        self._burst = burst
        self._changed = threading.Condition()
        self._arrived: deque[_Beat] = deque()
        self._closed = False
        self._thread: threading.Thread | None = None
        self.cpu_seconds = 0.0
        """What its thread spends on waiting: what an engine's passes would be, so it counts as them."""

    def format_for(self, request: Request) -> str:  # noqa: ARG002
        return "search_replace"

    def submit(self, request: Request, stop: StopFlag, sink: EventSink) -> None:
        with self._changed:
            self._arrived.append(_Beat(request, stop, sink, time.monotonic()))
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="metronome", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """The contract of a backend, which its server never takes."""
        return pull_events(self.submit, request, stop)

    def _serve(self) -> None:
        beats: list[_Beat] = []
        while True:
            began = time.thread_time()
            with self._changed:
                while not self._arrived and not self._closed:
                    wait = min((beat.due for beat in beats), default=None)
                    if wait is None:
                        self._changed.wait()
                    elif (left := wait - time.monotonic()) > 0:
                        self._changed.wait(left)
                    else:
                        break
                came = [*self._arrived]
                self._arrived.clear()
                if self._closed:
                    return
            self.cpu_seconds += time.thread_time() - began
            for beat in came:
                beat.due += self._pace
                if beat.request.kind == "warm":
                    beat.sink.end(None, 0.0, 0.0, PrefillProgress(100, 100, 90))
                else:
                    beat.sink.put(PrefillProgress(100, 100, 90))
                    beats.append(beat)
            now = time.monotonic()
            beats = [beat for beat in beats if beat.due > now or self._write(beat)]

    def _write(self, beat: _Beat) -> bool:
        """Its next words; False where they were the last."""
        if beat.stop.is_set():
            beat.sink.end(None, 0.0, 0.0)
            return False
        last = min(beat.written + self._burst, beat.request.max_tokens)
        words = [Token(number, f"word{number % 10} ") for number in range(beat.written, last)]
        beat.written, beat.due = last, beat.due + self._pace
        if last == beat.request.max_tokens:
            beat.sink.end(None, 0.0, 0.0, *words)
            return False
        beat.sink.put(*words)
        return True

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()


def backend_of(model: str, *, burst: int = 1, alone: bool = False) -> Backend:
    """A metronome, a model folder, or random weights of a named size with the benches' tokenizer."""
    if model.startswith(METRONOME):
        return Metronome(float(model.removeprefix(METRONOME)), burst)
    from spark_tui.backends.local.backend import LocalBackend
    from spark_tui.bench.generation.edit_traces import bench_tokenizer
    from spark_tui.engine import Engine
    from spark_tui.engine.model_sizes import random_weights, size
    from spark_tui.serve.batching.batch_engine import BatchEngine

    if Path(model).expanduser().exists():
        local = LocalBackend.open(model)
    else:
        # Random weights would end an answer at any word; here each is as long as it was asked to be, and all
        # text.
        arch, tokenizer = replace(size(model), eos_ids=()), bench_tokenizer()
        weights = random_weights(arch)
        weights["embed.tok"][_without_text(tokenizer, arch.vocab_size)] = 0
        local = LocalBackend(Engine(arch, weights, tokenizer))
    return local if alone else BatchEngine(local)


def _without_text(tokenizer: Tokenizer, vocab_size: int) -> list[int]:
    """Ids that nothing can be shown of: past the vocabulary, marks, parts of a character."""

    def shows(token: int) -> bool:
        try:
            return token <= tokenizer.highest_id and bool(tokenizer.bytes_of(token).decode())
        except UnicodeDecodeError:
            return False

    return [token for token in range(vocab_size) if not shows(token) or token in tokenizer.special_ids]


def main() -> None:
    asked: dict[str, Any] = json.loads(sys.argv[1])
    from spark_tui.serve.app import make_app
    from spark_tui.serve.limits import ServerLimits
    from spark_tui.serve.server import freeze_garbage_collector, listen, make_server

    limits = ServerLimits(**asked.get("limits", {}))
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
    freeze_garbage_collector()
    print(sock.getsockname()[1], flush=True)
    asyncio.run(server.serve(sockets=[sock]))
    with contextlib.suppress(Exception):
        backend.close()


if __name__ == "__main__":
    main()
