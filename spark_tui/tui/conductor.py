"""Between the screen and the session: starts and stops turns, carries decisions, keeps the board.

Comes in: what the person wants. Goes out: calls to the session (never on the event loop where they may touch the
disk), `on_change` after every change of the board, and sentences for the rim. Must not know: widgets, keys.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import ParamSpec, TypeVar

from spark_tui import events
from spark_tui.errors import SparkError
from spark_tui.tui import by_line
from spark_tui.tui.board import Board, Touched
from spark_tui.tui.desk import Desk
from spark_tui.tui.hunks import OPEN, Hunk, HunkState
from spark_tui.tui.seat import Seat
from spark_tui.tui.turn_runner import TurnRunner

P = ParamSpec("P")
T = TypeVar("T")
QUIT_SECONDS = 0.8
_STATES: dict[str, HunkState] = {
    "open": "closed",
    "partial": "partial",
    "accepted": "accepted",
    "edited": "edited",
    "rejected": "rejected",
    "dropped": "dropped",
    "applied": "written",
    "undone": "undone",
}
"""The words of the review for the states of a hunk, and ours."""


class Conductor:
    """One person, one session, one turn at a time."""

    def __init__(
        self,
        on_change: Callable[[Touched], None],
        say: Callable[[str, bool], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._session: Seat | None = None
        self.board = Board(clock)
        self.queue: list[str] = []
        self.in_view = ""
        self.branch, self.dirty = "", False
        self._on_change = on_change
        self._say = say
        self._desk = Desk()
        self._runner = TurnRunner(self._take, self._ended)
        self._files: dict[str, Sequence[str]] = {}
        self._undone = 0
        self._wrote = 0

    # Opening

    async def open(self, opener: Callable[[], Seat]) -> Seat:
        """Open the session away from the loop: a model takes its time, and the screen is there already.

        What was sent meanwhile waited, and is said now. Raises the SparkError that opening ended in.
        """
        self._session = await self._desk.call(opener)
        self._on_change(Touched())
        if self.queue:
            self._start(self.queue.pop(0))
        return self._session

    @property
    def opening(self) -> bool:
        return self._session is None

    @property
    def session(self) -> Seat:
        if self._session is None:
            raise RuntimeError("the session is still opening")
        return self._session

    # Turns

    def submit(self, text: str) -> None:
        """Start a turn; while one runs, stop it and say this next."""
        if self._runner.running:
            self.queue.insert(0, text)
            self.stop()
        else:
            self.enqueue(text)

    def enqueue(self, text: str) -> None:
        """After what runs and what waits already."""
        if self._runner.running or self.opening:
            self.queue.append(text)
            self._on_change(Touched())
        else:
            self._start(text)

    def stop(self) -> bool:
        """Whether there was something to stop."""
        if not self._runner.running:
            return False
        self._runner.stop()
        self.board.phase = "stopping"
        self._on_change(Touched())
        return True

    def _start(self, text: str) -> None:
        in_view = self.in_view
        for path in self.board.paths():
            if any(hunk.state == "written" for hunk in self.board.of_file(path)):
                self.board.settle_file(path)
        self._files.clear()
        self.board.phase = "reading"
        self._runner.start(lambda stop: self.session.turn(text, in_view=in_view, stop=stop))
        self._on_change(Touched())

    def _take(self, batch: list[events.Event]) -> None:
        stopping = self.board.phase == "stopping"
        touched = self.board.apply(batch)
        if stopping and self.board.busy:
            self.board.phase = "stopping"
        self._on_change(touched)

    def _ended(self, error: BaseException | None) -> None:
        if error is not None:
            what = str(error) if isinstance(error, SparkError) else f"{type(error).__name__}: {error}"
            self.board.say("error", what)
        if self.board.busy or error is not None:
            self.board.phase = "idle"
        self._on_change(Touched(said=True, ended=True))
        if self.queue:
            self._start(self.queue.pop(0))

    @property
    def running(self) -> bool:
        return self._runner.running

    # Decisions

    async def decide(self, hunks: Sequence[Hunk], accept: bool) -> int:
        """Accept or reject what is open of these; a partial one is kept or dropped. Returns how many it was."""
        done = 0
        for hunk in hunks:
            if hunk.state not in OPEN or hunk.state == "streaming":
                continue
            if hunk.state == "partial" and not await self._decide(hunk, "kept" if accept else "dropped"):
                continue
            if hunk.state != "dropped" and not await self._decide(hunk, "accepted" if accept else "rejected"):
                continue
            done += 1
        return done

    async def reopen(self, hunk: Hunk) -> bool:
        return await self._decide(hunk, "open")

    async def edited(self, hunk: Hunk, text: str) -> bool:
        """The person's own new side, which stands whatever the model wrote."""
        return await self._decide(hunk, "edited", text)

    async def choose_lines(self, hunk: Hunk, choice: by_line.LineChoice) -> bool:
        """Accept the hunk without the lines that are left out."""
        whole = self.session.review.hunk(hunk.id)
        lines = by_line.new_side(whole, choice)
        return await self.edited(hunk, "".join(f"{line}\n" for line in lines))

    async def split(self, hunk: Hunk) -> tuple[int, ...]:
        """Into its smallest parts; a hunk that is small already stays."""
        ids = await self.ask(self.session.review.split, hunk.id)
        if not isinstance(ids, tuple) or len(ids) < 2:
            return ()
        for part_id in ids:
            part = self.session.review.hunk(part_id)
            self.board.see(part_id, hunk.id, part.old_start, part.old_lines, part.new_lines)
        del self.board.hunks[hunk.id]
        self._on_change(Touched(hunks=set(ids)))
        return ids

    async def _decide(self, hunk: Hunk, decision: events.Decision, text: str = "") -> bool:
        """Shown at once, and taken back with a sentence when the session refuses it."""
        before, new = hunk.state, list(hunk.new)
        self.board.decide(hunk.id, decision, text)
        self._on_change(Touched(hunks={hunk.id}))
        if await self.ask(self.session.decide, hunk.id, decision, text) is not _FAILED:
            return True
        hunk.state, hunk.new = before, new
        self._on_change(Touched(hunks={hunk.id}))
        return False

    # Files

    async def write(self) -> None:
        self._took(await self.ask(self.session.write))

    async def undo(self) -> None:
        self._took(await self.ask(self.session.undo))

    async def redo(self) -> None:
        self._took(await self.ask(self.session.redo))

    def _took(self, event: events.Applied | events.Undone | object) -> None:
        if isinstance(event, (events.Applied, events.Undone)):
            back = isinstance(event, events.Undone) and not event.redo
            self._wrote += -1 if back else 1
            self._undone = 0 if isinstance(event, events.Applied) else self._undone + (1 if back else -1)
            touched = self.board.apply([event])
            self._agree()
            self._on_change(touched)

    def _agree(self) -> None:
        """What was written or undone is what the review says, whatever the events named."""
        for hunk_id in self.session.review.ids:
            state = _STATES.get(self.session.review.state(hunk_id))
            if state and hunk_id in self.board.hunks:
                self.board.hunks[hunk_id].state = state

    async def commit(self, message: str | None) -> None:
        said = await self.ask(self.session.commit, message)
        if isinstance(said, str):
            self.board.say("done", f"committed {said}")
            self._on_change(Touched(said=True))

    async def patch(self, hunk_ids: Iterable[int] | None = None) -> str | None:
        found = await self.ask(self.session.patch, None if hunk_ids is None else list(hunk_ids))
        return found if isinstance(found, str) else None

    async def lines_of(self, path: str) -> Sequence[str]:
        """The file as the session read it; empty for one that is still to be made."""
        if path not in self._files:
            found = await self.ask(self.session.read_lines, path)
            self._files[path] = found if found is not _FAILED and found is not None else ()  # type: ignore[assignment]
        return self._files[path]

    async def look_at_tree(self) -> None:
        """Branch and dirty mark; kept quiet about when they cannot be had."""
        try:
            self.branch = await self._desk.call(self.session.branch)
            self.dirty = await self._desk.call(self.session.dirty)
        except SparkError:
            self.branch, self.dirty = "", False
        self._on_change(Touched())

    async def files(self) -> Sequence[str]:
        found = () if self.opening else await self.ask(self.session.files)
        return list(found) if isinstance(found, (list, tuple)) else []

    async def away(self, function: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        """Something of ours that touches the disk, behind what the session is still to do."""
        await self._desk.call(function, *args, **kwargs)

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | object:
        """Call the session off the loop; an error becomes a sentence at the rim."""
        try:
            return await self._desk.call(function, *args, **kwargs)
        except SparkError as error:
            where = f"{error.where}: " if error.where else ""
            self._say(f"{where}{error.what}" + (f" — {error.hint}" if error.hint else ""), True)
            return _FAILED

    @property
    def can_undo(self) -> bool:
        return self._wrote > 0

    @property
    def can_redo(self) -> bool:
        return self._undone > 0

    def close(self) -> bool:
        """Stop and give back the threads; True when none is left behind."""
        gone = self._runner.close(QUIT_SECONDS)
        self._desk.close()
        if self._session is not None:
            self._session.close()
        return gone


_FAILED = object()
