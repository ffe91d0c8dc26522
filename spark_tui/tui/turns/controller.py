"""Between the screen and the session: starts, stops and steers turns, switches models, and keeps the turn
state. Calls that may touch the disk never run on the event loop."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from threading import Event as StopFlag
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.config.settings import Settings
from spark_tui.errors import NoPlace, SparkError
from spark_tui.tui.settings.model_switch import ModelLoading
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.turns.review_controller import ReviewController
from spark_tui.tui.turns.runner import TurnRunner
from spark_tui.tui.turns.session_access import P, SessionAccess, T, one_line_error
from spark_tui.tui.turns.state import TurnState
from spark_tui.tui.turns.touched import Touched
from spark_tui.tui.turns.transcript_lines import Speaker, TranscriptLine
from spark_tui.tui.turns.unsaved_files import UnsavedFiles

if TYPE_CHECKING:
    from spark_tui.backends.base import Backend
    from spark_tui.backends.paced import PacedBackend
    from spark_tui.context.shown_context import ContextRequest
    from spark_tui.session.review.messages import Message
    from spark_tui.session.session import Session

QUIT_SECONDS = 0.8
Leg = Callable[[StopFlag], Iterator[events.Event]]


class TurnController:
    """One session, one turn at a time. `review` decides and writes."""

    def __init__(
        self,
        on_change: Callable[[Touched], None],
        say: Callable[[str, bool], None],
        give_back: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.turn_state = TurnState(clock)
        self._on_change = on_change
        self._say = say
        self._access = SessionAccess(say)
        self.opened = self._access.opened
        self.review = ReviewController(self._access, self.turn_state, on_change, self._wrote_to)
        self.in_view = ""
        self.cursor = 0
        """The line in view with the keys, 1-based."""
        self.selection: tuple[int, int] | None = None
        self.branch, self.dirty = "", False
        self.branch_from = 0
        """The hunk after which the next message continues; 0: after all."""
        self._give_back = give_back
        self.on_start: Callable[[], None] = lambda: None
        """Called before something is asked of the model."""
        self._runner = TurnRunner(self._take, self._ended)
        self._early: list[str] = []
        """What was sent before the session was open."""
        self._steers: list[str] = []
        """Messages to send as soon as the model has stopped."""
        self.reopened = 0
        """The last turn of a stored session: its files are shown as they are now, not as it read them."""
        self._files: dict[str, Sequence[str]] = {}
        self.unsaved_files = UnsavedFiles(self._access, self.turn_state, self._files)
        self.loading: ModelLoading | None = None
        """The model that is being opened to be switched to."""
        self._between: list[Callable[[], None]] = []
        """What waits for the turn to end."""
        self._sending = 0
        """The queued message that a turn has begun with, and that can no longer be taken back."""
        self._asked: TranscriptLine | None = None
        """What was sent last, until its turn shows it."""

    # Opening

    @property
    def opening(self) -> bool:
        return self._access.opening

    @property
    def session(self) -> Session:
        return self._access.session

    async def open(
        self, opener: Callable[[], Session], past: Callable[[], Iterable[events.Event]] = tuple
    ) -> Session:
        """Open the session off the event loop, while the screen is shown; then send the prompts that were
        sent so far. Raises the SparkError of opening."""
        session = await self._access.open(opener)
        self.review.replay(list(await self._access.call(past)))
        self.reopened = self.turn_state.turn
        await self.review.move_to_disk(self.reopened + 1)
        early, self._early = self._early, []
        for text in early:
            self.enqueue(text)
        for note in getattr(session.backend, "notes", ()):
            self.turn_state.add_line("note", note)
        self._on_change(Touched(transcript=True))
        return session

    # Turns

    def submit(self, text: str) -> None:
        """Start a turn, or steer one that runs or was stopped."""
        if self._runner.running:
            self._steers.append(text)
            self._runner.stop()
            self.turn_state.phase = "steering"
            self._on_change(Touched())
        elif self.branch_from:
            hunk_id, self.branch_from = self.branch_from, 0
            self._start(lambda stop: self.session.turns.branch_at(hunk_id, text, stop=stop), text)
        elif not self.opening and self.turn_state.is_about_the_turn(text):
            self._start(lambda stop: self.session.turns.steer(text, stop=stop), text, "steer")
        else:
            self.enqueue(text)

    def enqueue(self, text: str) -> None:
        """After what runs and what waits already."""
        if self.opening:
            self._early.append(text)
        elif self._runner.running:
            self.session.outbox.queue(text)
        else:
            request = self._request(text)
            self._start(lambda stop: self.session.turns.start(request, stop=stop), text)
        self._on_change(Touched())

    def withdraw(self) -> bool:
        """Take what was queued last back into the prompt; whether something still waited."""
        if self._early:
            text = self._early.pop()
        else:
            queued = (item.id for item in self.session.outbox.waiting if item.way == "queue")
            waiting = [item for item in queued if item != self._sending]
            if not waiting:
                return False
            text = self.session.outbox.withdraw(waiting[-1])
        self._give_back(text)
        self._on_change(Touched())
        return True

    def _request(self, text: str) -> ContextRequest:
        from spark_tui.context.shown_context import ContextRequest

        return ContextRequest(text, self.in_view, (), self.selection, self.cursor)

    def warm(self, draft: str) -> None:
        """Let this draft be read ahead."""
        if not self.opening and not self.running and draft.strip():
            self.session.draft(self._request(draft))

    def stop(self) -> bool:
        """Whether something ran. Messages that wait come back to the prompt: nothing begins after a stop, and
        the turn can be resumed."""
        if not self._runner.running:
            return False
        self._runner.stop()
        self.turn_state.phase = "stopping"
        steers, self._steers = self._steers, []
        # Each is put before the text in the prompt.
        while self.withdraw():
            pass
        for text in reversed(steers):
            self._give_back(text)
        self._on_change(Touched())
        return True

    def resume(self) -> None:
        self._start(lambda stop: self.session.turns.resume(stop=stop))

    def retry(self) -> None:
        """Run the last turn again."""
        self._start(lambda stop: self.session.turns.retry(stop=stop))

    def choose(self, number: int) -> None:
        """Take one of the last turn's choices, from 1."""
        self._start(lambda stop: self.session.turns.choose(number, stop=stop))

    def show_turn(self, leg: Leg, ended: Callable[[], None]) -> None:
        """Run a turn that no model makes, then call `ended`."""
        self._between.append(ended)
        self._start(leg)

    @property
    def waiting(self) -> int:
        """How many messages wait to be sent."""
        outbox = () if self.opening else self.session.outbox.waiting
        queued = sum(message.way == "queue" and message.id != self._sending for message in outbox)
        return len(self._early) + len(self._steers) + queued

    @property
    def running(self) -> bool:
        return self._runner.running

    @property
    def lines(self) -> list[TranscriptLine]:
        """The transcript, with what was sent and has not begun: reading may take a while."""
        lines = self.turn_state.lines
        return lines if self._asked is None else [*lines, self._asked]

    def _start(self, leg: Leg, asked: str = "", speaker: Speaker = "you") -> None:
        self._asked = TranscriptLine(speaker, asked) if asked else None
        self.turn_state.begin()
        self.on_start()
        self._runner.start(leg)
        self._on_change(Touched(transcript=True))

    def _take(self, batch: list[events.Event]) -> None:
        self._asked = None
        if (held_back := self._held_back) is not None:
            self.turn_state.metrics.own_rate = held_back.own_rate
        if any(isinstance(event, events.TurnStarted) for event in batch):
            # Not after a steer: its hunks refer to the files as the turn read them.
            self._files.clear()
        self._on_change(self.turn_state.apply(batch))

    def _ended(self, error: BaseException | None) -> None:
        asked, self._asked = self._asked, None
        if error is not None and asked:
            self.turn_state.lines.append(asked)
            if isinstance(error, NoPlace):
                self._give_back(asked.text)
        elif isinstance(error, NoPlace):
            # The turn ends where its journal ends; with room it goes on.
            failed = events.Failed(error.what, error.where, error.hint, int(error.exit_code))
            self._on_change(self.turn_state.apply([failed]))
            error = None
        if error is not None:
            known = isinstance(error, SparkError)
            self.turn_state.refuse(str(error) if known else f"{type(error).__name__}: {error}")
        self.turn_state.phase = "idle"
        if self._steers:
            # Those that a later one stopped before they counted are said with it.
            text = "\n".join([*self.session.outbox.take_returned(), *self._steers])
            self._steers = []
            self._start(lambda stop: self.session.turns.steer(text, stop=stop), text, "steer")
            return
        self.hand_back()
        between, self._between = self._between, []
        for function in between:
            function()
        self._on_change(Touched(transcript=True, ended=True))
        message = self.session.outbox.next_queued()
        self._sending = message.id if message is not None else 0
        if message is not None:
            self._start(lambda stop: self._queued(message, stop), message.text)

    def _queued(self, message: Message, stop: StopFlag) -> Iterator[events.Event]:
        """A turn of its own; the message counts once the turn has begun, and else comes back."""
        outbox, begun = self.session.outbox, False
        try:
            for event in self.session.turns.start(self._request(message.text), stop=stop):
                if not begun:
                    outbox.commit(message.id)
                    begun = True
                yield event
        finally:
            if not begun:
                outbox.give_back(message.id)

    def hand_back(self) -> None:
        """Put messages that were not delivered back into the prompt."""
        for text in reversed(self.session.outbox.take_returned()):
            self._give_back(text)

    # The model

    @property
    def settings(self) -> Settings | None:
        """Those in force; None while the session is still opening."""
        return None if self.opening else self.session.settings

    async def switch(self, loading: ModelLoading) -> Backend | None:
        """Switch to this model once it is open and no turn runs; the session stays. On failure, show a
        message and keep the previous model. Returns the new model if it was used."""
        if self.loading is not None:
            self.loading.give_up()
        self.loading = loading
        try:
            backend = await loading.backend()
        except SparkError as error:
            self._say(f"still using {self.session.backend.name}: {one_line_error(error)}", True)
            return None
        finally:
            if self.loading is loading:
                self.loading = None
            self._on_change(Touched())
        if backend is None:
            return None
        if self.running:
            self._say(f"{backend.name} answers after this turn", False)
            ended = asyncio.Event()
            self._between.append(ended.set)
            self._between.append(lambda: self._take_over(backend, loading.settings))
            await ended.wait()
        else:
            self._take_over(backend, loading.settings)
        return backend

    def drop_pacing(self) -> None:
        """Let the text appear as fast as the model writes it, where only the tour held it back."""
        if (held_back := self._held_back) is not None and not self.running:
            self.session.use(held_back.inner)
            self._on_change(Touched())

    @property
    def _held_back(self) -> PacedBackend | None:
        from spark_tui.backends.paced import PacedBackend

        backend = self.session.backend
        return backend if isinstance(backend, PacedBackend) and not backend.label else None

    def _take_over(self, backend: Backend, settings: Settings) -> None:
        before = self.session.use(backend)
        self.session.adopt(settings)
        self._access.load_reader()
        # Takes a moment.
        threading.Thread(target=before.close, name="spark-closing", daemon=True).start()
        self.turn_state.ending.change_model(self.session.turns.can_resume)
        self.turn_state.add_line("note", f"{backend.name} answers from now on")
        self._on_change(Touched(transcript=True))

    # Looking

    async def lines_of(self, path: str, *, wanted: bool = False) -> Sequence[str]:
        """The file as its hunks name its lines; empty for a new or unreadable file. On request, a missing
        file is reported."""
        if path not in self._files:
            found = await self.review.read_lines(path, self.reopened)
            if not isinstance(found, Sequence):
                if wanted and found is None and not self.turn_state.of_file(path):
                    self._say(f"{one_line(path)}: no such file", True)
                return ()
            self._files[path] = found
        return self._files[path]

    def _wrote_to(self, paths: Iterable[str]) -> None:
        """A file whose written hunks are all in view is shown as it was read, with them, and one that is
        typed into as long as hunks name lines of it; any other is read again."""
        for path in paths:
            hunks = self.turn_state.of_file(path)
            typed = hunks and path in self.unsaved_files.drafts
            if not typed and not any(hunk.state in ("written", "undone") for hunk in hunks):
                self.forget(path)

    def forget(self, path: str) -> None:
        """The file is read again when it is shown next."""
        self._files.pop(path, None)

    async def refresh_git_state(self) -> None:
        """Branch and dirty mark, where they can be had."""
        try:
            self.branch = await self._access.call(self.session.tree.branch)
            self.dirty = await self._access.call(self.session.tree.dirty)
        except SparkError:
            self.branch, self.dirty = "", False
        self._on_change(Touched())

    async def run_in_order(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Run a function that touches the disk, after the calls that are queued."""
        return await self._access.call(function, *args, **kwargs)

    def close(self) -> None:
        """Stop and end the threads."""
        self._runner.close(QUIT_SECONDS)
        self._access.close()
