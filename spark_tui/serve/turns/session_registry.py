"""The life of a turn: admitted, queued, run in a worker thread, stopped, steered, resumed.

The backend interleaves running turns (one engine thread, several rows a pass); the registry limits how many
run, and says who is next. A stopped turn frees its place as soon as its worker has returned.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from spark_tui import events
from spark_tui.backends.base import Backend, Request
from spark_tui.serve.api_errors import ApiError, from_exception, invalid
from spark_tui.serve.batching.push_backend import PushBackend
from spark_tui.serve.limits import RateLimiter, ServerLimits
from spark_tui.serve.metrics import Metrics
from spark_tui.serve.rendering.output_formats import has_edit
from spark_tui.serve.rendering.renderer import TurnCost, TurnOutcome
from spark_tui.serve.turns.canary import Canary
from spark_tui.serve.turns.followup_requests import shown_chars
from spark_tui.serve.turns.store import TurnStore
from spark_tui.serve.turns.turn import ServedTurn
from spark_tui.serve.turns.wait_queue import WaitQueue

_ASK_HERE_CHARS = 16_384
"""Shorter prompts become ids on the loop: handing them to a thread takes longer."""
_LOG = logging.getLogger("spark.serve")


class _Sink:
    """A turn as such a backend sees it. Called on the backend's thread."""

    def __init__(self, registry: SessionRegistry, turn: ServedTurn) -> None:
        self._registry = registry
        self._turn = turn
        self.put = turn.put
        self.ready = turn.has_room
        self.background = turn.background

    def end(
        self, error: Exception | None, engine_seconds: float, first_seconds: float, *last: events.Event
    ) -> None:
        self._turn.take(last)
        if error is None and not self._turn.stop.is_set():
            self._turn.put_end()
        self._registry.report(
            self._turn, from_exception(error) if error else None, engine_seconds, first_seconds
        )


class SessionRegistry:
    """All turns of one server."""

    def __init__(self, backends: dict[str, Backend], limits: ServerLimits, metrics: Metrics) -> None:
        self.backends = backends
        self.limits = limits
        self.metrics = metrics
        self.store = TurnStore(limits)
        self.loop = asyncio.get_running_loop()
        self.running: set[ServedTurn] = set()
        self.spent = TurnCost()
        """Of all turns that have ended."""
        self.queue = WaitQueue()
        self.canary: Canary | None = None
        self._rates = (RateLimiter(limits.realtime_per_minute), RateLimiter(limits.background_per_minute))
        self._workers = ThreadPoolExecutor(limits.active, "spark-turn")
        self._pushing = {
            name: backend for name, backend in backends.items() if isinstance(backend, PushBackend)
        }
        self._turn_seconds = 1.0
        """A turn's usual length: what a client past the bound is told to wait."""
        self._closed = False
        self.make_successor: Callable[[ServedTurn, Request], ServedTurn] | None = None
        """Set by the endpoints: makes the turn that follows a steered one, in the same API."""

    def count(self, turn: ServedTurn) -> None:
        """Take the turn from its key's rate, once; past it, a `ApiError` says when to come back."""
        if not turn.counted and (wait := self._rates[turn.background].take(turn.key)):
            self.metrics.add("spark_refused_total", reason="rate_limit")
            said = "Too many turns per minute for this key."
            raise ApiError(429, "rate_limit_exceeded", said, retry_after=wait)
        turn.counted = True

    def submit(self, turn: ServedTurn) -> None:
        """Start the turn or let it wait; past the bound, or past its key's rate, a `ApiError` says when to
        come back."""
        if self._closed:
            raise ApiError(503, "shutting_down", "The server is shutting down.", retry_after=5.0)
        starts = self._has_place(background=turn.background)
        if not starts and self.queue.waiting >= self.limits.queued:
            wait = max(1.0, self._turn_seconds * (self.queue.waiting + 1) / self.limits.active)
            self.metrics.add("spark_refused_total", reason="queue_full")
            raise ApiError(
                429,
                "queue_full",
                f"The queue is full: {self.queue.waiting} turns are waiting.",
                retry_after=wait,
                position=self.queue.waiting + 1,
            )
        self.count(turn)
        if turn.state == "suspended":
            turn.revive()
        self.store.put(turn)
        turn.submitted = time.monotonic()
        turn.open(now=not starts)
        if starts:
            self._start(turn)
        else:
            self.queue.push(turn)
            turn.say_position(next(at for at, other in enumerate(self.queue.in_order(), 1) if other is turn))

    def _has_place(self, *, background: bool = False) -> bool:
        """Background turns leave one of four places to turns that a client waits for."""
        if len(self.running) >= self.limits.active:
            return False
        most = self.limits.active - self.limits.active // 4
        return not background or sum(turn.background for turn in self.running) < most

    def _start(self, turn: ServedTurn) -> None:
        turn.state = "running"
        turn.spent.queue_seconds += time.monotonic() - turn.submitted
        self.running.add(turn)
        if turn.steers or (turn.begun and turn.request.max_tokens < 1):
            # Steered while it waited, so the model is not asked before; or resumed after its last token.
            self._ended(turn, None, 0.0, 0.0)
        else:
            pushing = turn.asks_model and turn.model in self._pushing
            if pushing and shown_chars(turn.request) <= _ASK_HERE_CHARS:
                self._push(turn)
            else:
                self._workers.submit(self._push if pushing else self._work, turn)

    def _push(self, turn: ServedTurn) -> None:
        """Hand the turn over to a backend that pushes. A long prompt takes it a while, so not on the loop's
        thread."""
        self._pushing[turn.model].submit(turn.request, turn.stop, _Sink(self, turn))

    def _work(self, turn: ServedTurn) -> None:
        """On a worker's thread: pull the backend's events until they end or the turn is to stop."""
        problem: ApiError | None = None
        engine = first = 0.0
        try:
            asked = self.backends[turn.model].stream(turn.request, turn.stop) if turn.asks_model else ()
            stream = iter(asked)
            try:
                while not turn.stop.is_set():
                    began = time.perf_counter()
                    event = next(stream, None)
                    engine += time.perf_counter() - began
                    if event is None:
                        break
                    if isinstance(event, events.Token) and event.text:
                        first = first or engine
                    turn.put(event)
                    turn.wait_for_room()
            finally:
                if hasattr(stream, "close"):
                    stream.close()
            if not turn.stop.is_set():
                turn.put_end()
        except Exception as error:
            problem = from_exception(error)
        self.report(turn, problem, engine, first)

    def report(self, turn: ServedTurn, problem: ApiError | None, engine: float, first: float) -> None:
        """On any thread: the backend is done with the turn."""
        try:
            self.loop.call_soon_threadsafe(self._ended, turn, problem, engine, first)
        except RuntimeError:
            _LOG.debug("a turn ended after the server")

    def _ended(self, turn: ServedTurn, problem: ApiError | None, engine: float, first: float) -> None:
        self.running.discard(turn)
        turn.settle()
        spent = turn.spent
        spent.engine_seconds += engine
        spent.engine_first_seconds = spent.engine_first_seconds or first
        ended = self.spent
        ended.output += spent.output
        ended.engine_seconds += engine
        ended.engine_first_seconds += first
        if problem is None and turn.stop_reason in ("vanished", "stalled"):
            turn.suspend()
            self._count(turn, turn.stop_reason)
        else:
            self._close(turn, problem)
        self.store.settle(turn)
        if self.queue.waiting:
            self._start_waiting()

    def _start_waiting(self) -> None:
        while self._has_place() and (waiting := self.queue.pop(self._has_place(background=True))) is not None:
            self._start(waiting)
            for position, other in enumerate(self.queue.in_order(), 1):
                other.say_position(position)

    def _close(self, turn: ServedTurn, problem: ApiError | None) -> None:
        spent = turn.spent
        if problem is not None:
            outcome = TurnOutcome("failed", problem=problem, spent=spent)
        elif turn.steers:
            outcome = TurnOutcome("incomplete", "steered", spent=spent)
        elif turn.stop_reason == "interrupted":
            outcome = TurnOutcome("incomplete", "interrupted", spent=spent)
        elif turn.cut_short:
            outcome = TurnOutcome("completed", spent=spent)
        elif turn.ran_out or (
            len(turn.ids) - turn.begun >= turn.request.max_tokens and turn.request.kind != "warm"
        ):
            outcome = TurnOutcome("incomplete", "max_output_tokens", spent=spent)
        else:
            outcome = TurnOutcome("completed", spent=spent)
        seconds = time.monotonic() - turn.submitted
        self._turn_seconds += 0.2 * (seconds - self._turn_seconds)
        self._count(turn, outcome.reason or outcome.status)
        if spent.output:
            self.metrics.observe("spark_first_token_seconds", spent.first_seconds)
        if turn.steers and problem is None:
            self._succeed(turn)
        turn.finish(outcome)

    def _count(self, turn: ServedTurn, outcome: str) -> None:
        """A turn ended so. One that no model was asked for says nothing about a model."""
        self.metrics.add("spark_turns_total", outcome=outcome)
        if not turn.asks_model or turn.request.kind == "warm":
            return
        spent = turn.spent
        self.metrics.add("spark_model_turns_total", model=turn.model, outcome=outcome)
        self.metrics.add("spark_model_tokens_total", spent.output, model=turn.model)
        self.metrics.add("spark_model_first_token_seconds_total", spent.first_seconds, model=turn.model)
        if self.canary is not None:
            self._note(self.canary, turn, outcome)

    def _note(self, canary: Canary, turn: ServedTurn, outcome: str) -> None:
        """Tell the canary, which is compared by the edits that were asked of a model."""
        asked, edited = turn.asked, None
        whole = outcome in ("completed", "max_output_tokens") and not asked.emitted
        if whole and asked.kind == "edit" and asked.files and not (asked.known or turn.said_before):
            form = asked.format
            if form == "auto":
                form = self.backends[turn.model].format_for(asked)
            edited = has_edit(form, asked.files, "".join(turn.text))
            self.metrics.add("spark_model_edits_total", model=turn.model, offered=str(edited).lower())
        canary.note(turn.model, outcome, turn.spent.first_seconds, edited)

    # Stop, steer, resume

    def stop(self, turn: ServedTurn) -> None:
        """The client says stop: what was written stays, and the turn ends as interrupted."""
        if turn.state == "queued" and self.queue.remove(turn):
            turn.stop_reason = "interrupted"
            turn.open()
            self._close(turn, None)
            self.store.settle(turn)
        elif turn.state == "running":
            turn.halt("interrupted")

    def vanished(self, turn: ServedTurn) -> None:
        """A reader is gone. If that was the last, a turn stops that is not in the background, and can be
        resumed for a while."""
        if turn.background or turn.readers:
            return
        if turn.state == "queued" and self.queue.remove(turn):
            turn.suspend()
            self.store.settle(turn)
        elif turn.state == "running":
            turn.halt("vanished")

    def steer(self, turn: ServedTurn, text: str) -> str:
        """`accepted` or `pending`; a steer that cannot be taken raises, and the caller gives the text
        back."""
        while turn.successor is not None:
            turn = turn.successor
        if turn.state not in ("running", "queued") or turn.stop_reason not in ("", "steered"):
            raise ApiError(409, "not_streaming", "This response has ended; send the text as a new turn.")
        if sum(map(len, turn.steers)) + len(text) > self.limits.message_bytes:
            raise ApiError(413, "steers_too_large", "Too much text waits for this response already.")
        turn.steers.append(text)
        if turn.state == "queued" or len(turn.steers) > 1:
            return "pending"
        turn.halt("steered")
        return "accepted"

    def _succeed(self, turn: ServedTurn) -> None:
        """Continue after the text so far, with the message spliced in. The successor takes its turn's place
        at once."""
        if self.make_successor is None or self._closed:
            return
        successor = self.make_successor(turn, turn.steered())
        successor.said_before = "".join(turn.text)
        turn.successor = successor
        self.store.put(successor)
        successor.open()
        self._start(successor)

    async def resume(self, turn: ServedTurn, after: int) -> None:
        """For a reader of what follows event `after`: a suspended turn goes on; others need nothing."""
        await turn.stopped()
        if after >= len(turn.log):
            raise invalid(f"`starting_after` is past the last event ({len(turn.log) - 1})", "starting_after")
        if turn.state == "suspended":
            self.submit(turn)

    async def close(self) -> None:
        """Stop all turns and wait for their workers."""
        self._closed = True
        cut_off = [*self.queue.in_order(), *self.running]
        if cut_off:
            _LOG.warning("turns that were cut off: %d", len(cut_off))
        for turn in cut_off:
            self.queue.remove(turn)
            turn.halt("interrupted")
        await asyncio.to_thread(self._workers.shutdown)
