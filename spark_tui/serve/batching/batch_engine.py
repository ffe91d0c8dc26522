"""One engine for many turns at once: every pass takes rows of all that run.

Requests come from any thread; their events are pushed into a sink for each request on the engine's thread.

A pass holds the next token (and draft) of every turn that writes, and a chunk of the prompts that are read:
the first of them, and after its end the next. While others write, a chunk is only as long as two of their
passes, so that no turn stalls because of a long prompt. While anybody waits, turns in the background take
part in every fourth pass.

An answer of the built-in family is looked over when it is whole.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from threading import Event as StopFlag

from spark_tui.backends.base import Request
from spark_tui.backends.local.backend import LocalBackend, attempt_limit, is_complete, sampler_for
from spark_tui.backends.local.engine_thread import PRIORITY
from spark_tui.backends.local.prompt_format import draft_source
from spark_tui.engine.generate import CHUNK_BOUNDS, Loop
from spark_tui.engine.kernels.attention import PAGE
from spark_tui.errors import Misfit, NoBackend
from spark_tui.events import Event, PrefillProgress, Token
from spark_tui.serve.batching.push_backend import EventSink, pull_events
from spark_tui.serve.batching.sequence import EngineSequence
from spark_tui.serve.batching.warm_caches import WarmCaches
from spark_tui.shapes import Step

_BACKGROUND_EVERY = 4
"""While real-time turns run, those in the background take part in one of this many passes."""


class FairScheduler(Loop):
    """The engine's loop, with a bound on a prompt's chunk."""

    allowance = 0
    """Rows; 0 leaves it to the loop."""

    @property
    def chunk(self) -> int:
        own = super().chunk
        return min(own, self.allowance) if self.allowance else own

    def rows_in(self, seconds: float) -> int:
        """How many rows a pass of this duration may have, within the loop's bounds."""
        return max(CHUNK_BOUNDS[0], int(seconds * self._rows_per_second))


class BatchEngine:
    """A backend whose turns share passes. Owns the local backend and closes it."""

    takes_splices = True

    def __init__(self, local: LocalBackend) -> None:
        self._local = local
        self._engine = local.engine
        self.name = local.name
        self.window = local.window
        self._loop = FairScheduler(local.engine.model)
        local.engine.loop.threads.close()
        local.engine.loop = self._loop
        self._changed = threading.Condition()
        self._arrived: deque[EngineSequence] = deque()
        self._sequences: list[EngineSequence] = []
        self._to_check: deque[EngineSequence] = deque()
        """Have a complete answer since the last pass, which is to be checked."""
        self._warm = WarmCaches(local.engine)
        self._pass_seconds = 0.001
        self._passes_without = 0
        """Since turns in the background took part."""
        self._thread: threading.Thread | None = None
        self._closed = False

    @property
    def fills_from(self) -> float | None:
        return self._local.fills_from

    @property
    def small_window(self) -> tuple[int, int] | None:
        return self._local.small_window

    def format_for(self, request: Request) -> str:
        return self._local.format_for(request)

    def count_tokens(self, text: str) -> int:
        return self._local.count_tokens(text)

    def prompt_tokens(self, request: Request) -> int:
        return self._local.prompt_tokens(request)

    def submit(self, request: Request, stop: StopFlag, sink: EventSink) -> None:
        """Take a turn. Its prompt is made here, on the caller's thread; errors go to the sink like everything
        else."""
        began = time.perf_counter()
        try:
            self.format_for(request)
            if is_complete(request, self._engine.arch.eos_ids):
                sink.end(None, 0.0, 0.0)
                return
            asked = self._local.ask(request)
            space = self._engine.arch.window_tokens - len(asked.ids)
            most = min(request.max_tokens, space - len(asked.behind))
            room = min(attempt_limit(request, asked, most), space)
            if most <= 0 and request.kind != "warm":
                raise Misfit(
                    f"the prompt of {len(asked.ids)} tokens does not fit the window of {self.window}",
                    hint="Show fewer or smaller files.",
                )
            pages = -(-(len(asked.ids) + max(room, 0)) // PAGE) + 2
            if pages > self._engine.pool.n_pages:
                raise Misfit(
                    f"the cache holds {self._engine.pool.n_pages * PAGE} tokens", hint="Lower max_tokens."
                )
        except Exception as error:
            # Whatever it is, it belongs to the asker; this thread may be the one that serves all connections.
            sink.end(error, 0.0, 0.0)
            return
        sequence = EngineSequence(request, asked, stop, sink, began, pages, room, most)
        with self._changed:
            if self._closed:
                sink.end(NoBackend("the engine was closed"), 0.0, 0.0)
                return
            self._arrived.append(sequence)
            if self._thread is None:
                self._thread = threading.Thread(target=self._serve, name="spark-shared-engine", daemon=True)
                self._thread.start()
            self._changed.notify()

    def stream(self, request: Request, stop: StopFlag) -> Iterator[Event]:
        """The contract of a backend, for one turn."""
        return pull_events(self.submit, request, stop)

    def close(self) -> None:
        with self._changed:
            self._closed = True
            self._changed.notify()
            thread = self._thread
        if thread is not None:
            thread.join()
        self._local.close()

    # On the engine's thread

    def _serve(self) -> None:
        while True:
            with self._changed:
                while not self._arrived and not self._sequences and not self._closed:
                    self._changed.wait()
                if self._closed:
                    break
            self._leave()
            self._admit()
            chosen = self._choose()
            if chosen:
                self._pass(chosen)
                while self._to_check:
                    self._settle(self._to_check.popleft())
            elif self._sequences or self._arrived:
                # Every client is behind: look again soon.
                with self._changed:
                    self._changed.wait(0.005)
        for sequence in [*self._sequences, *self._arrived]:
            self._end(sequence, None)
        self._warm.close()

    def _admit(self) -> None:
        """Admit waiting turns while every admitted one has room to finish."""
        while waiting := list(self._arrived):  # a copy: others arrive meanwhile
            sequence = next((item for item in waiting if not item.sink.background), waiting[0])
            if self._taken_pages() + sequence.pages > self._engine.pool.n_pages:
                return
            self._arrived.remove(sequence)
            try:
                self._start(sequence)
            except Exception as error:
                self._end(sequence, error)
            else:
                self._sequences.append(sequence)

    def _start(self, sequence: EngineSequence) -> None:
        sequence.cache = self._warm.take(sequence.asked.ids)
        self._warm.shrink(self._engine.pool.n_pages - sequence.pages - self._taken_pages())
        self._begin(sequence)

    def _begin(self, sequence: EngineSequence) -> None:
        asked, engine = sequence.asked, self._engine
        assert sequence.cache is not None
        warm = sequence.request.kind == "warm"
        sequence.generation = engine.generation(
            asked.ids,
            1 if warm else sequence.room,
            cache=sequence.cache,
            draft_source=draft_source(asked),
            sampler=sampler_for(sequence.request, asked),
            constraint=asked.constraint,
            ends=() if warm else None,
            # Doubts of the built-in family and the likelihood of a fill are made of them; they cost a tenth
            # of a small model's pass.
            logprobs=engine.arch.family == "spark" or sequence.request.kind == "fill",
        )
        reused = sequence.generation.counts.reused
        sequence.generation.on_prefill = lambda done, total: sequence.progress.append(
            PrefillProgress(done, total, reused)
        )

    def _taken_pages(self) -> int:
        return sum(other.pages for other in self._sequences)

    def _leave(self) -> None:
        """End the turns that were stopped."""
        for turns in (self._sequences, self._arrived):
            for sequence in [sequence for sequence in list(turns) if sequence.stop.is_set()]:
                turns.remove(sequence)
                self._end(sequence, None)

    def _choose(self) -> list[EngineSequence]:
        """All that decode, and those that prefill: the most urgent first, then the oldest, up to one
        chunk."""
        ready = self._without_background([sequence for sequence in self._sequences if sequence.sink.ready()])
        writing = [sequence for sequence in ready if not sequence.reading]
        reading = [sequence for sequence in ready if sequence.reading]
        if any(sequence.request.kind != "warm" for sequence in ready):
            # Reading ahead is for when there is nothing else to do.
            reading = [sequence for sequence in reading if sequence.request.kind != "warm"]
        if not reading:
            return writing
        self._loop.allowance = self._loop.rows_in(2 * self._pass_seconds) if writing else 0
        reading.sort(key=lambda sequence: PRIORITY[sequence.request.kind])
        rows, readers = self._loop.chunk, 0
        for sequence in reading:
            rows -= sequence.unread
            readers += 1
            if rows < CHUNK_BOUNDS[0]:
                break
        return [*writing, *reading[:readers]]

    def _without_background(self, ready: list[EngineSequence]) -> list[EngineSequence]:
        urgent = [sequence for sequence in ready if not sequence.sink.background]
        if not urgent or len(urgent) == len(ready):
            return ready
        self._passes_without += 1
        if self._passes_without < _BACKGROUND_EVERY:
            return urgent
        self._passes_without = 0
        return ready

    def _settle(self, sequence: EngineSequence) -> None:
        """Check a complete answer and offer the outcome."""
        try:
            came = sequence.read(sequence.look_over())
            if sequence.otherwise:
                self._go_on(sequence)
                self._sequences.append(sequence)
                return
        except Exception as error:
            self._end(sequence, error, broken=True)
            return
        sequence.first_seconds = time.perf_counter() - sequence.began
        self._end(sequence, None, *came)

    def _go_on(self, sequence: EngineSequence) -> None:
        """Another answer is chosen now than the one that was begun: what was begun stands, and is gone on
        with."""
        sequence.go_on()
        self._begin(sequence)

    def _pass(self, chosen: list[EngineSequence]) -> None:
        generations = [sequence.generation for sequence in chosen if sequence.generation is not None]
        steps: list[Step] = []
        try:
            self._loop.step(generations, steps.append)
        except Exception as error:
            for sequence in chosen:
                self._sequences.remove(sequence)
                self._end(sequence, error, broken=True)
            return
        for step in steps:
            if step.kind == "decode":
                self._pass_seconds += 0.1 * (step.seconds - self._pass_seconds)
            if self._local.on_step is not None:
                self._local.on_step(step)
        seconds = sum(step.seconds for step in steps)
        for sequence in chosen:
            sequence.seconds += seconds
            try:
                self._hand_out(sequence)
            except Exception as error:
                # One turn fails, or its text cannot be made; the thread serves the others.
                self._sequences.remove(sequence)
                self._end(sequence, error, broken=True)

    def _hand_out(self, sequence: EngineSequence) -> None:
        generation = sequence.generation
        assert generation is not None
        if generation.error is not None:
            raise generation.error
        came: list[Event] = [*sequence.progress]
        sequence.progress.clear()
        warm = sequence.request.kind == "warm"
        if sequence.whole():
            self._sequences.remove(sequence)
            self._to_check.append(sequence)
            sequence.sink.put(*came)
            return
        tokens = sequence.offered()
        if not warm:
            came += sequence.read(tokens, last=bool(generation.reason))
        if sequence.otherwise:
            self._go_on(sequence)
            sequence.sink.put(*came)
            return
        if not sequence.first_seconds and any(isinstance(event, Token) and event.text for event in came):
            sequence.first_seconds = time.perf_counter() - sequence.began
        if generation.reason or sequence.served or (warm and not generation.reading):
            self._sequences.remove(sequence)
            self._end(sequence, None, *came)
        elif came:
            sequence.sink.put(*came)

    def _end(
        self, sequence: EngineSequence, error: Exception | None, *last: Event, broken: bool = False
    ) -> None:
        if sequence.cache is not None:
            if broken:
                sequence.cache.close()
            else:
                self._warm.keep(sequence.cache)
        if sequence.generation is not None:
            # It refers to its sequence: without this the whole turn would wait for the garbage collector.
            sequence.generation.on_prefill = None
        try:
            sequence.sink.end(error, sequence.seconds, sequence.first_seconds, *last)
        except Exception as failed:
            # Its last text cannot be made. That ends this turn; the thread serves the others.
            sequence.sink.end(failed, sequence.seconds, sequence.first_seconds)
