"""What the person decides, carried to the session: hunks, then files.

Comes in: hunks and decisions. Goes out: calls of the session, shown at once and taken back where it refuses.
Must not know: widgets, turns.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import ParamSpec, TypeVar

from spark_tui import events
from spark_tui.errors import SparkError
from spark_tui.tui import line_selection
from spark_tui.tui.hunk_view import OPEN, HunkState, HunkView
from spark_tui.tui.serial_executor import SerialExecutor
from spark_tui.tui.session_protocol import SessionProtocol
from spark_tui.tui.turn_state import TouchedFile, TurnState

P = ParamSpec("P")
T = TypeVar("T")
FAILED = object()
"""What a call that ended in an error gives; the error has been said."""
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


class Decisions:
    """The part of the conductor that decides and writes."""

    def __init__(
        self,
        on_change: Callable[[TouchedFile], None],
        say: Callable[[str, bool], None],
        clock: Callable[[], float],
    ) -> None:
        self.board = TurnState(clock)
        self._session: SessionProtocol | None = None
        self._on_change = on_change
        self._say = say
        self._desk = SerialExecutor()
        self._undone = 0
        self._wrote = 0
        self.can_commit = False
        """Whether something was written since the last commit."""

    @property
    def opening(self) -> bool:
        return self._session is None

    @property
    def session(self) -> SessionProtocol:
        if self._session is None:
            raise RuntimeError("the session is still opening")
        return self._session

    async def ask(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T | object:
        """Call the session off the loop; an error becomes a sentence at the rim."""
        try:
            return await self._desk.call(function, *args, **kwargs)
        except SparkError as error:
            self._say(in_a_line(error), True)
            return FAILED

    @property
    def can_undo(self) -> bool:
        return self._wrote > 0

    @property
    def can_redo(self) -> bool:
        return self._undone > 0

    # Decisions

    async def decide(self, hunks: Sequence[HunkView], accept: bool) -> int:
        """Accept or reject what is open of these. A partial one is dropped with the rejected ones, and
        accepted by `keep` alone. Returns how many it was."""
        done = 0
        for hunk in hunks:
            if hunk.state not in OPEN or hunk.state == "streaming" or (accept and hunk.state == "partial"):
                continue
            word: events.Decision = (
                "accepted" if accept else "dropped" if hunk.state == "partial" else "rejected"
            )
            done += await self._decide(hunk, word)
        return done

    async def keep(self, hunk: HunkView) -> bool:
        """Accept a partial hunk as it stands. The person has been told what it does to the file."""
        return await self._decide(hunk, "kept") and await self._decide(hunk, "accepted")

    async def reopen(self, hunk: HunkView) -> bool:
        return await self._decide(hunk, "open")

    async def edited(self, hunk: HunkView, text: str) -> bool:
        """The person's own new side, which stands whatever the model wrote."""
        return await self._decide(hunk, "edited", text)

    async def choose_lines(self, hunk: HunkView, choice: line_selection.LineSelection) -> bool:
        """Accept the hunk without the lines that are left out."""
        whole = self.session.review.hunk(hunk.id)
        lines = line_selection.new_side(whole, choice)
        return await self.edited(hunk, "".join(f"{line}\n" for line in lines))

    async def split(self, hunk: HunkView) -> tuple[int, ...]:
        """Into its smallest parts; a hunk that is small already stays."""
        ids = await self.ask(self.session.review.split, hunk.id)
        if not isinstance(ids, tuple) or len(ids) < 2:
            return ()
        self._show_parts(hunk.id, ids)
        self._on_change(TouchedFile(hunks=set(ids)))
        return ids

    def _show_parts(self, whole_id: int, part_ids: Iterable[int]) -> None:
        """In the place of the whole."""
        for part_id in part_ids:
            part = self.session.review.hunk(part_id)
            self.board.see(part_id, whole_id, part.old_start, part.old_lines, part.new_lines)
        del self.board.hunks[whole_id]

    async def _decide(self, hunk: HunkView, decision: events.Decision, text: str = "") -> bool:
        """Shown at once, and taken back with a sentence when the session refuses it."""
        before, new, given = hunk.state, list(hunk.new), hunk.given
        self.board.decide(hunk.id, decision, text)
        self._on_change(TouchedFile(hunks={hunk.id}))
        if await self.ask(self.session.decide, hunk.id, decision, text) is not FAILED:
            return True
        hunk.state, hunk.new, hunk.given = before, new, given
        self._on_change(TouchedFile(hunks={hunk.id}))
        return False

    # Files

    async def write(self) -> None:
        self._took(await self.ask(self.session.write))

    async def save(self, texts: Mapping[str, Sequence[str]]) -> bool:
        """What the person typed into these files; False where it was refused."""
        event = await self.ask(self.session.save, texts)
        self._took(event)
        return event is not FAILED

    async def undo(self) -> None:
        self._took(await self.ask(self.session.undo))

    async def redo(self) -> None:
        self._took(await self.ask(self.session.redo))

    def _took(self, event: events.Applied | events.Undone | object) -> None:
        if isinstance(event, (events.Applied, events.Undone)):
            back = isinstance(event, events.Undone) and not event.redo
            self._wrote += -1 if back else 1
            self.can_commit = self.session.uncommitted
            self._undone = 0 if isinstance(event, events.Applied) else self._undone + (1 if back else -1)
            touched = self.board.apply([event])
            self._agree()
            self._wrote_to(event.paths)
            self._on_change(touched)

    def _wrote_to(self, paths: Iterable[str]) -> None:
        """These files are others on the disk now."""

    def _agree(self) -> None:
        """What was written or undone is what the review says, whatever the events named."""
        for hunk_id in self.session.review.ids:
            state = _STATES.get(self.session.review.state(hunk_id))
            if state and hunk_id in self.board.hunks:
                self.board.hunks[hunk_id].state = state

    async def commit(self, message: str | None) -> None:
        words = await self.ask(self.session.draft_message) if message is None else message
        said = await self.ask(self.session.commit, words) if isinstance(words, str) else FAILED
        if isinstance(said, str):
            self.can_commit = self.session.uncommitted
            self.board.say("done", f"committed {said[:12]}: {str(words).partition(chr(10))[0]}")
            self._on_change(TouchedFile(said=True))

    async def patch(self, hunk_ids: Iterable[int] | None = None) -> str | None:
        found = await self.ask(self.session.patch, None if hunk_ids is None else list(hunk_ids))
        return found if isinstance(found, str) else None


def in_a_line(error: SparkError) -> str:
    """For the rim."""
    where = f"{error.where}: " if error.where else ""
    return f"{where}{error.what}" + (f" — {error.hint}" if error.hint else "")
