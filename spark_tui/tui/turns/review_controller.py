"""Sends decisions about hunks and files to the session.

A decision is shown immediately, and reverted if the session refuses it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING

from spark_tui import events
from spark_tui.errors import SparkError
from spark_tui.tui.code.hunk_view import (
    OPEN,
    PENDING,
    REFUSED,
    WORDS,
    HunkView,
    LineSelection,
    new_side,
)
from spark_tui.tui.settings.model_switch import run_in_daemon
from spark_tui.tui.text.safe_text import one_line
from spark_tui.tui.turns.replay import bring_back, replay, show_parts, take_states
from spark_tui.tui.turns.session_access import FAILED, P, SessionAccess, one_line_error
from spark_tui.tui.turns.state import TurnState
from spark_tui.tui.turns.touched import Touched

if TYPE_CHECKING:
    from spark_tui.edits.review import Review
    from spark_tui.session.review.changes import Changes
    from spark_tui.session.review.decisions import Decisions


class ReviewController:
    """Decides about hunks, and writes, undoes and commits them."""

    def __init__(
        self,
        access: SessionAccess,
        turn_state: TurnState,
        on_change: Callable[[Touched], None],
        on_write: Callable[[Iterable[str]], None],
    ) -> None:
        """`on_write` gets the files that changed on disk."""
        self._access = access
        self._turn_state = turn_state
        self._on_change = on_change
        self._on_write = on_write
        self.can_commit = self.can_undo = self.can_redo = False
        """Whether something was written since the last commit, and what of the writes stands."""
        self.committing = False
        """Whether git makes a commit: its hooks may take minutes, and nothing ends before them."""

    @property
    def _decisions(self) -> Decisions:
        return self._access.session.decisions

    @property
    def _changes(self) -> Changes:
        return self._access.session.changes

    @property
    def _review(self) -> Review:
        return self._decisions.review

    def replay(self, past: Sequence[events.Event]) -> None:
        """Show a stored session in its last state, with what it had written and undone."""
        self._look_back()  # typing may have been saved in it without a turn
        if past:
            replay(self._turn_state, self._review, past)
            self._on_change(Touched(hunks=set(self._turn_state.hunks), transcript=True))

    def _look_back(self) -> None:
        changes = self._changes
        self.can_commit, self.can_undo = changes.uncommitted, changes.can_undo
        self.can_redo = changes.can_redo

    # Decisions

    async def decide(self, hunks: Sequence[HunkView], accept: bool) -> int:
        """Accept or reject what is open of these. A partial one is dropped with the rejected ones, and
        accepted by `keep` alone. Returns how many it was."""
        done = 0
        for hunk in hunks:
            if hunk.state not in OPEN or hunk.state == "streaming" or (accept and hunk.state == "partial"):
                continue
            refused: events.Decision = "dropped" if hunk.state == "partial" else "rejected"
            done += await self._decide(hunk, "accepted" if accept else refused)
        return done

    async def change(self, hunk: HunkView, accept: bool) -> bool:
        """Decide the other way about a hunk that is decided and not written."""
        return await self._decide(hunk, "accepted" if accept else "rejected")

    async def keep(self, hunk: HunkView) -> bool:
        """Accept a partial hunk in its current state, after the user was told what that does to the file."""
        return await self._decide(hunk, "kept") and await self._decide(hunk, "accepted")

    async def reopen(self, hunk: HunkView) -> bool:
        """Take the decision back; what is written already is taken out of its file."""
        if hunk.state != "written":
            return await self._decide(hunk, "open")
        return await self._wrote(self._changes.undo_hunk, hunk.id)

    async def edited(self, hunk: HunkView, text: str) -> bool:
        """Accept the hunk with the person's own new side."""
        return await self._decide(hunk, "edited", text)

    async def choose_lines(self, hunk: HunkView, choice: LineSelection) -> bool:
        """Accept the hunk without the lines that are left out."""
        lines = new_side(self._review.hunk(hunk.id), choice)
        return await self.edited(hunk, "".join(f"{line}\n" for line in lines))

    async def split(self, hunk: HunkView) -> tuple[int, ...]:
        """Into its smallest parts; a hunk that is small already stays."""
        ids = await self._access.ask(self._review.split, hunk.id)
        if not isinstance(ids, tuple) or len(ids) < 2:
            return ()
        show_parts(self._turn_state, self._review, hunk.id, ids)
        self._on_change(Touched(hunks=set(ids)))
        return ids

    async def _decide(self, hunk: HunkView, decision: events.Decision, text: str = "") -> bool:
        """Show the decision immediately, and revert it with a message if the session refuses it."""
        before, new = hunk.state, hunk.new
        self._turn_state.decide(hunk.id, decision, text)
        self._on_change(Touched(hunks={hunk.id}))
        others = await self._access.ask(self._decisions.decide, hunk.id, decision, text)
        if others is not FAILED:
            if isinstance(others, tuple) and others:
                await self._show_others(hunk, others)
            return True
        hunk.state, hunk.new = before, new
        self._on_change(Touched(hunks={hunk.id}))
        return False

    async def _show_others(self, hunk: HunkView, others: Sequence[events.Decided]) -> None:
        """Hunks of which only one is wanted, or which are back instead of this one."""
        bring_back(self._turn_state, self._review, (other.hunk_id for other in others))
        take_states(self._turn_state, self._review)
        await self.move_to_disk(self._turn_state.turn, hunk.path)
        for other in others:
            if (view := self._turn_state.hunks.get(other.hunk_id)) is not None:
                self._turn_state.add_line("note", f"hunk {view.label} is {self._why(view, other, hunk)}")
        self._on_change(Touched(hunks={other.hunk_id for other in others}, transcript=True))

    def _why(self, view: HunkView, other: events.Decided, hunk: HunkView) -> str:
        """What became of a hunk after the decision about another, and why."""
        if view.state not in REFUSED:
            return (
                f"{WORDS[view.state]} {f'instead of hunk {hunk.label}' if hunk.state in REFUSED else 'again'}"
            )
        by = other.text.split()[0] if other.decision == "rejected" and other.text else str(hunk.id)
        taker = self._turn_state.hunks.get(int(by), hunk)
        return f"{WORDS[view.state]}: hunk {taker.label} takes its lines"

    # Files

    async def write(self) -> HunkView | None:
        """Returns a hunk whose conflict kept its turn from being written, if one is known."""
        event = await self._access.ask(self._changes.write)
        taken = self._turn_state.taken() if event is FAILED else []
        # The turns before the refused one may have been written.
        self._show_outcome(self._changes.written_before if event is FAILED else event)
        await self.find_stale({hunk.path for hunk in taken})
        return next((hunk for hunk in taken if hunk.stale), None)

    async def save(self, texts: Mapping[str, Sequence[str]]) -> bool:
        """What the person typed into these files; False where it was refused."""
        return await self._wrote(self._access.session.manual_edits.save, texts)

    async def create(self, path: str) -> bool:
        """Make an empty file; False where it was refused."""
        return await self._wrote(self._access.session.manual_edits.create, path)

    async def undo(self) -> None:
        await self._wrote(self._changes.undo)

    async def redo(self) -> None:
        await self._wrote(self._changes.redo)

    async def _wrote(self, change: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Have the session change files, and show what came of it; False where it was refused."""
        event = await self._access.ask(change, *args, **kwargs)
        self._show_outcome(event)
        return event is not FAILED

    def _show_outcome(self, event: events.Applied | events.Undone | object) -> None:
        if isinstance(event, (events.Applied, events.Undone)):
            self._look_back()
            touched = self._turn_state.apply([event])
            take_states(self._turn_state, self._review)
            self._on_write(event.paths)
            self._on_change(touched)

    async def commit(self, message: str | None) -> None:
        words = await self._access.ask(self._changes.draft_message) if message is None else message
        if not isinstance(words, str):
            return
        says = self._access.say_soon()
        says("committing …")  # hooks may take minutes, and what changes files waits for them
        self.can_commit = False  # the same once more would be of what comes until then
        self.committing = True
        try:
            outcome = await self._access.ask(self._changes.commit, words, says)
        finally:
            self.can_commit, self.committing = self._changes.uncommitted, False
        if isinstance(outcome, str):
            says("")  # what was waited for is over
            self._turn_state.add_line("done", f"committed {outcome}: {words.partition(chr(10))[0]}")
            self._on_change(Touched(transcript=True))

    async def find_stale(self, paths: Collection[str]) -> list[HunkView]:
        """The hunks of these files that `write` would refuse, because the files changed on disk."""
        if not paths:
            return []
        found = await self._access.call(self._changes.in_conflict, paths)
        hunks = [hunk for hunk in self._turn_state.in_view() if hunk.path in paths]
        for hunk in hunks:
            hunk.stale = hunk.id in found
        return [hunk for hunk in hunks if hunk.stale]

    async def read_lines(self, path: str, reopened: int) -> object:
        """The file as the last turn read it, if it has hunks of that turn, and that is not reopened; else as
        it is on disk, where its hunks are moved to."""
        turn, hunks = self._turn_state.turn, self._turn_state.of_file(path)
        if turn != reopened and any(hunk.turn == turn for hunk in hunks):
            return await self._access.ask(self._changes.read_lines, path)
        found = await self._access.ask(self._access.session.tree.read_lines, path)
        if hunks:
            await self.move_to_disk(turn + 1, path)
        return found

    async def move_to_disk(self, before: int, path: str = "") -> None:
        """Move the hunks of the turns before this one, of one file or of all, to where their lines are on
        disk, which is what is shown of their files. Where those changed, nothing of what stands there is
        struck. One that streams is moved once."""
        in_view = self._turn_state.of_file(path) if path else self._turn_state.in_view()
        views = [hunk for hunk in in_view if hunk.turn < before and hunk.kind == "edit"]
        whole = [hunk for hunk in views if hunk.state != "streaming" and hunk.id in self._review.ids]
        streaming = [hunk for hunk in views if hunk.state == "streaming" and not hunk.moved]
        if not whole and not streaming:
            return
        found = await self._access.call(
            self._changes.places, [hunk.id for hunk in whole], [hunk.so_far for hunk in streaming]
        )
        for hunks, streams in ((whole, False), (streaming, True)):
            # One that closed meanwhile, or goes on, is moved the next time.
            for hunk in [one for one in hunks if one.id in found and (one.state == "streaming") == streams]:
                line, touched = found[hunk.id]
                removed = hunk.removed if streams else len(hunk.old)
                hunk.start, hunk.removed, hunk.moved = line, 0 if touched else removed, hunk.moved or streams
                hunk.stale = touched and hunk.state in PENDING

    async def refusal(self) -> str:
        """Why `write` would write nothing; empty if it would not refuse."""
        try:
            await self._access.call(self._changes.check_write)
        except SparkError as error:
            # Nobody has tried to.
            return one_line_error(error).replace(" — Nothing was written.", " —").removesuffix(" —")
        return ""

    async def broken(self) -> str:
        """What `write` would break as only a part of an answer is accepted; empty: nothing known."""
        found = await run_in_daemon(self._access.session.breaks_of_write)
        hunk = self._turn_state.hunks.get(found.hunk_id) if found else None
        label = hunk.label if hunk else ""
        return f"hunk {label} without the rest of its edit {one_line(found.reason)}" if found else ""

    async def patch(self, hunk_ids: Iterable[int] | None = None) -> str | None:
        found = await self._access.ask(self._decisions.patch, None if hunk_ids is None else list(hunk_ids))
        return found if isinstance(found, str) else None
