"""One turn in flight, between a worker thread that produces events and a client that reads messages.

Tokens are handed over in batches: the first of a batch wakes the event loop, and all that arrive until the
loop looks travel together. A turn whose reader is slow is paused in its worker.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable
from dataclasses import replace
from typing import Literal

from spark_tui import events
from spark_tui.backends.base import Request
from spark_tui.engine.text.detokenizer import StopTexts
from spark_tui.serve.limits import ServerLimits
from spark_tui.serve.rendering.output_formats import OutputFormat, OutputText
from spark_tui.serve.rendering.renderer import Renderer, TokenBatch, TurnCost, TurnOutcome
from spark_tui.serve.turns import followup_requests
from spark_tui.serve.turns.backlog import Backlog

State = Literal["queued", "running", "suspended", "over"]
StopReason = Literal["", "interrupted", "vanished", "stalled", "steered", "stop_text"]
_OVERHEAD_BYTES = 6_000  # of a kept turn, besides its log and its request (measured with tracemalloc)

_NOTHING = TokenBatch()
_MOST_INBOX = 512  # events that a fast backend may be ahead of the loop


class ServedTurn:
    """Public attributes are read and written on the loop's thread, except where a method says `worker`."""

    def __init__(
        self,
        turn_id: str,
        key: str,
        model: str,
        request: Request,
        renderer: Renderer,
        answer: OutputFormat | None,
        *,
        limits: ServerLimits,
        loop: asyncio.AbstractEventLoop,
        background: bool,
    ) -> None:
        self.id, self.key, self.model = turn_id, key, model
        self.request = request
        """What the model is asked: after a resume, with what it wrote before."""
        self.asked = request
        """What the client asked."""
        self.renderer = renderer
        self.lean: bool = getattr(renderer, "lean", False)
        """Whether its reader is spark's own client."""
        self.background = background
        self.state: State = "queued"
        self.outcome: TurnOutcome | None = None
        self.spent = TurnCost()
        self.ids: list[int] = []
        self.text: list[str] = []
        self.steers: list[str] = []
        self.successor: ServedTurn | None = None
        self.stop = threading.Event()
        self.stop_reason: StopReason = ""
        self.submitted = time.monotonic()
        self.touched = self.submitted
        self.readers: list[Callable[[], None]] = []
        """Who is sent its messages: each as what cuts its connection off."""
        self.log: list[str] = []
        self.listeners: list[Callable[[], None]] = []
        """Called whenever something was logged or the state changed."""
        self.said_before = ""
        """Of a steered turn's successor: what was said until the steer."""
        self.begun = 0
        """Of `ids`, those that stood before the present run: a resumed turn counts its tokens from here."""
        self.ran_out = False
        """The model's own server says that its answer reached a limit of tokens."""
        self.asks_model = True
        self.counted = False
        """Whether it was taken from the rate of its key."""
        self.takes_splices = False
        """Whether its backend may be told several messages inside one answer."""
        self.kept = True
        """Whether its id can be named once it has ended."""
        self.holder: object | None = None
        """The connection that may name it although it is not kept."""
        self._opened = False
        self._stop_texts = StopTexts(request.stop_texts if answer is not None else ())
        self._limits = limits
        self._loop = loop
        self.answer = answer
        self._inbox: deque[
            events.Token | events.PrefillProgress | events.Doubt | events.AnswerEnded | OutputText
        ] = deque()
        """Filled on the worker's thread, emptied on the loop's."""
        self._scheduled = False
        self._joins = limits.join_seconds > 0 and not getattr(renderer, "split", False)
        """Else every look of the loop is a message, as plain servers do it."""
        self._visible = False
        """Some text was sent. Tokens before it say nothing yet, so nothing is held after them."""
        self._join_timer: asyncio.TimerHandle | None = None
        self._prefill: events.PrefillProgress | None = None
        """The prompt was read, and nothing was said since."""
        self._last = _NOTHING
        self._backlog = Backlog(limits, loop)
        self._waiters: list[asyncio.Future[None]] = []

    # On the worker's thread

    def put(self, *came: events.Event) -> None:
        """Worker: take events of the backend, and have the loop look at them."""
        if self.take(came) and not self._scheduled:
            self._scheduled = True
            self._loop.call_soon_threadsafe(self._look)

    def take(self, came: Iterable[events.Event]) -> bool:
        """Worker: take events; True where they are worth a look now."""
        urgent = False
        for event in came:
            if isinstance(event, events.Token):
                self._inbox.append(event)
                if self.answer is not None and event.text:
                    self._inbox.extend(self.answer.feed(event.text))
            elif isinstance(event, (events.PrefillProgress, events.Doubt, events.AnswerEnded)):
                self._inbox.append(event)
                if isinstance(event, events.PrefillProgress) and event.done >= event.total:
                    # The first token comes with the next pass: they travel together.
                    continue
            else:
                continue
            urgent = True
        return urgent

    def put_end(self) -> None:
        """Worker: the text is complete; what the answer held back is certain now."""
        if self.request.kind != "warm" and self.answer is not None:
            self._inbox.extend(self.answer.finish())

    def has_room(self) -> bool:
        """Any thread: whether the reader, and the loop itself, are near enough for more."""
        return self._backlog.room is None and len(self._inbox) < _MOST_INBOX

    def wait_for_room(self) -> None:
        """Worker: while there is no room, wait. A set stop ends the wait."""
        while not self.has_room() and not self.stop.is_set():
            room = self._backlog.room
            if room is None:
                time.sleep(0.001)
            else:
                room.wait(0.05)

    # On the loop's thread

    def open(self, *, now: bool = True) -> None:
        """Say that the response exists. For spark's own client, without `now`, the next message says so."""
        if not self._opened and (now or not self.lean):
            self._append(self.renderer.opening())

    def open_late(self) -> None:
        """The same, for a turn that may have ended meanwhile."""
        if self.state != "suspended":
            self.open()

    def say_position(self, position: int) -> None:
        self._append(self.renderer.queued(position))

    def _look(self) -> None:
        """Take the events so far, and look again after a delay too short to see: tokens that come
        meanwhile share one message, and the worker need not wake the loop for each."""
        batch = self._drain()
        self._append_batch(batch)
        self._visible = self._visible or any(token.text for token in batch.tokens)
        if self._joins and self._visible:
            self._join_timer = self._loop.call_later(self._limits.join_seconds, self._again)
        else:
            self._rest()

    def _again(self) -> None:
        if self._inbox:
            self._look()
        else:
            self._rest()

    def _rest(self) -> None:
        """Let the worker wake the loop again."""
        self._scheduled = False
        if self._inbox and not self._scheduled:
            # It came before the flag was cleared, so its worker has not called.
            self._scheduled = True
            self._loop.call_soon(self._look)

    def _drain(self) -> TokenBatch:
        """Take what has come. What nothing stands after comes back, all else is logged."""
        tokens: list[events.Token] = []
        outputs: list[OutputText] = []
        spent, inbox = self.spent, self._inbox
        while inbox:
            item = inbox.popleft()
            if isinstance(item, events.Token):
                tokens.append(item)
                if not spent.output:
                    spent.first_seconds = time.monotonic() - self.submitted
                spent.output += 1
                spent.drafted += item.drafted
                self.ids.append(item.id)
                self.text.append(item.text)
            elif isinstance(item, OutputText):
                outputs.append(item if item.to == "call" else self._cut(item))
            elif isinstance(item, events.Doubt):
                # It speaks of the hunk that the next token closes: the text up to there goes first.
                self._append_batch(self._batch(tokens, outputs))
                tokens, outputs = [], []
                self._append(self.renderer.doubt(item))
            elif isinstance(item, events.AnswerEnded):
                self.ran_out = item.reason == "length"
            else:
                spent.prompt = max(spent.prompt, item.total)
                spent.reused = item.reused
                if item.done >= item.total:
                    self._prefill = item
                else:
                    self._append(self.renderer.prefill(item))
        return self._batch(tokens, outputs)

    def _batch(self, tokens: list[events.Token], outputs: list[OutputText]) -> TokenBatch:
        batch = TokenBatch(tuple(tokens), tuple(outputs), self._prefill)
        self._prefill = None
        return batch

    def _append_batch(self, batch: TokenBatch) -> None:
        if batch.tokens or batch.said:
            self._append(self.renderer.batch(batch))
        else:
            self._prefill = batch.prefill

    def _cut(self, output: OutputText) -> OutputText:
        text = self._stop_texts.feed(output.text)
        if self._stop_texts.hit and not self.stop_reason:
            self.halt("stop_text")
        return OutputText(output.to, text)

    def halt(self, reason: StopReason) -> None:
        """Ask the worker to stop within one step. The first reason counts."""
        self.stop_reason = self.stop_reason or reason
        self.stop.set()
        self._backlog.resume()

    def settle(self) -> None:
        """The worker is done: take what is left in the inbox, and what stop texts held back."""
        if self._join_timer is not None:
            self._join_timer.cancel()
            self._join_timer = None
        self._scheduled = False
        self._last = self._drain()
        if rest := self._stop_texts.finish():
            self._last = self._last._replace(said=(*self._last.said, OutputText("message", rest)))
        self._backlog.cancel_stall()

    def finish(self, outcome: TurnOutcome) -> None:
        self.outcome, self.state, self.touched = outcome, "over", time.monotonic()
        self._append(self.renderer.closing(outcome, self._last))

    def suspend(self) -> None:
        """The client is gone: nothing is logged, so that a resumed log continues as if there had been no
        pause."""
        self.state, self.touched = "suspended", time.monotonic()
        self._append_batch(self._last)
        self._last = _NOTHING
        self._wake()

    @property
    def cut_short(self) -> bool:
        """A stop text was found. The backend may have written on before it was told."""
        return self._stop_texts.hit

    def behind(self) -> Request:
        """The request for what comes after all that was emitted."""
        had = tuple(self.ids[self.begun :])
        return (self._steer_folded() if had else self.request).after(had)

    def steered(self) -> Request:
        """The request that follows on the messages which steered it: they count after what stands."""
        folded, had = self._steer_folded(), tuple(self.ids[self.begun :])
        return replace(folded, emitted=folded.emitted + had, steer="\n\n".join(self.steers))

    def _steer_folded(self) -> Request:
        """The same request with its own steer after it, so that later text can follow that."""
        return followup_requests.with_own_steer(
            self.request, splices=self.takes_splices, text=self.said_before
        )

    def revive(self) -> None:
        """A client came back for it: go on after what was emitted."""
        self.request, self.begun, self.state = self.behind(), len(self.ids), "queued"
        self.stop, self.stop_reason = threading.Event(), ""
        self._backlog.resume()

    def _append(self, messages: list[str]) -> None:
        if not messages:
            return
        self._opened = True
        self.log += messages
        backlog = self._backlog
        backlog.logged_bytes += sum(map(len, messages))
        if backlog.full and not self.background and self.state == "running":
            backlog.pause(self._stalled)
        self._wake()

    def _stalled(self) -> None:
        """No reader took anything for the whole bound."""
        self._backlog.cancel_stall()
        self.halt("stalled")
        for cut_off in tuple(self.readers):
            cut_off()

    def _wake(self) -> None:
        if self._waiters:
            waiters, self._waiters = self._waiters, []
            for waiter in waiters:
                if not waiter.done():
                    waiter.set_result(None)
        for listener in tuple(self.listeners):
            listener()

    async def read(self, after: int = 0) -> AsyncIterator[list[str]]:
        """Messages from number `after` on, in lists of all there are. Asking for more marks them read."""
        at = after
        self.was_read(at)
        while True:
            if at < len(self.log):
                ready = self.log[at:]
                yield ready
                at += len(ready)
                self.was_read(at)
            elif self.state in ("over", "suspended"):
                return
            else:
                await self.change()

    def was_read(self, upto: int) -> None:
        """The reader has taken the messages before this number."""
        self._backlog.was_read(self.log, upto)

    async def change(self) -> None:
        """Until something was appended or the state changed."""
        waiter: asyncio.Future[None] = self._loop.create_future()
        self._waiters.append(waiter)
        await waiter

    async def stopped(self) -> None:
        """Until a turn that was asked to stop has stopped: a matter of one step."""
        while self.state == "running" and self.stop_reason:
            await self.change()

    async def ended(self) -> TurnOutcome | None:
        """Until the turn is over (its outcome) or suspended (None), without reading it."""
        while self.state not in ("over", "suspended"):
            self.was_read(len(self.log))
            await self.change()
        return self.outcome

    @property
    def bytes(self) -> int:
        """About what keeping it costs. Texts that several turns share are counted for each of them."""
        shown = followup_requests.shown_chars(self.request)
        return _OVERHEAD_BYTES + self._backlog.logged_bytes + 80 * len(self.ids) + shown
