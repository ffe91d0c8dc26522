"""Decisions about hunks, as a state machine.

Hunks may be decided while later ones still stream. `Review` also tells the model what was decided.

    partial --keep--> open        partial --drop--> dropped        partial --add(whole)--> open  (resumed)
    open <--> accepted | rejected | edited        accepted | edited --applied--> applied <--> undone

A partial hunk that was kept is partial again when it is reopened.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from spark_tui.edits import hunk as hunks
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_split import split
from spark_tui.errors import UsageError

State = Literal["partial", "open", "accepted", "rejected", "edited", "dropped", "applied", "undone"]

FIRST_OWN_ID = 1_000_001
"""Hunks that a review makes count from here; a stream's own ids stay far below."""
_FINAL = ("applied", "undone", "dropped")
"""What is not decided again."""
_ACCEPTED, _UNDONE, _EDITED = "accepted", ", then undone", "changed by the user"
_KEPT = re.compile(rf"(?:^|: )(?:{_ACCEPTED}(?!{_UNDONE})|{_EDITED})", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ReviewedHunk:
    """A hunk, what was decided, and what it was before the user changed it (None: it is as it came)."""

    hunk: Hunk
    state: State
    original: Hunk | None = None


@dataclass(frozen=True, slots=True)
class Replaced:
    """What a hunk was before later ones took in its lines, and which those were."""

    state: State
    by: tuple[int, ...]
    by_person: bool = False
    """Whether the person rejected it, too."""


class Review:
    """The decisions of one session. A decision is taken back by `reopen`."""

    def __init__(self) -> None:
        self._entries: dict[int, ReviewedHunk] = {}
        self._of_path: dict[str, dict[int, None]] = {}
        """The hunks that came for a file, also those that are split since."""
        self._next_id = FIRST_OWN_ID
        self._parents: dict[int, int] = {}
        self._parts: dict[int, tuple[int, ...]] = {}
        self.replaced: dict[int, Replaced] = {}
        """The hunks that gave way to later ones, also where they are back since; the last one is last."""

    @property
    def ids(self) -> tuple[int, ...]:
        """In the order of their coming."""
        return tuple(self._entries)

    def ids_in(self, states: Collection[str], path: str = "") -> list[int]:
        """The hunks in these states: of all files, or of one."""
        known = self._of_path.get(path, ()) if path else self._entries
        found = ((one, self._entries[one]) for one in known if one in self._entries)
        # The id of a part that was taken back may be given to one of another file.
        return [one for one, entry in found if entry.state in states and path in ("", entry.hunk.path)]

    def hunk(self, hunk_id: int) -> Hunk:
        return self._entry(hunk_id).hunk

    def state(self, hunk_id: int) -> State:
        return self._entry(hunk_id).state

    def is_final(self, hunk_id: int) -> bool:
        """Whether nothing is decided about a hunk any more; of an unknown one there is nothing yet."""
        return hunk_id in self._entries and self._entries[hunk_id].state in _FINAL

    def original(self, hunk_id: int) -> Hunk:
        """The hunk as the model gave it."""
        entry = self._entry(hunk_id)
        return entry.original or entry.hunk

    def source(self, hunk_id: int) -> int:
        """The id under which the hunk came, where it was split since."""
        while hunk_id in self._parents:
            hunk_id = self._parents[hunk_id]
        return hunk_id

    def standing(self, source_id: int) -> Iterator[int]:
        """The ids that now represent a hunk: its own, or those of its parts."""
        if source_id in self._entries:
            yield source_id
        for part in self._parts.get(source_id, ()):
            yield from self.standing(part)

    def accepted(self) -> tuple[Hunk, ...]:
        """What is to be applied now: accepted or edited, and not applied yet."""
        return self._in("accepted", "edited")

    def undecided(self) -> tuple[Hunk, ...]:
        return self._in("open", "partial")

    def _in(self, *states: State) -> tuple[Hunk, ...]:
        return tuple(entry.hunk for entry in self._entries.values() if entry.state in states)

    def _entry(self, hunk_id: int) -> ReviewedHunk:
        try:
            return self._entries[hunk_id]
        except KeyError:
            raise UsageError(f"no hunk {hunk_id}") from None

    def add(self, hunk: Hunk) -> None:
        """A hunk closed. A partial one that was resumed is replaced by its whole self, if still undecided."""
        known = self._entries.get(hunk.id)
        if known is not None and known.state != "partial":
            raise UsageError(f"hunk {hunk.id} already exists")
        if hunk.changes_nothing and not hunk.partial:
            self._entries.pop(hunk.id, None)
            return
        self._entries[hunk.id] = ReviewedHunk(hunk, "partial" if hunk.partial else "open")
        self._of_path.setdefault(hunk.path, {})[hunk.id] = None

    def extend(self, arrived: Iterable[Hunk]) -> None:
        for hunk in arrived:
            self.add(hunk)

    def accept(self, hunk_id: int) -> None:
        self._decide(hunk_id, "accepted")

    def reject(self, hunk_id: int) -> None:
        self._decide(hunk_id, "rejected")
        if hunk_id in self.replaced:
            self.replaced[hunk_id] = replace(self.replaced[hunk_id], by_person=True)

    def replace(self, hunk_id: int, by: Iterable[int]) -> None:
        """Reject a hunk because later ones took in its lines. What it was stays known where others took the
        place of those."""
        state = self._changeable(hunk_id).state
        was = self.replaced.pop(hunk_id, None)
        if state == "rejected" and was is not None and not was.by_person:
            state = was.state
        self._decide(hunk_id, "rejected")
        self.replaced[hunk_id] = Replaced(state, tuple(by))

    def reopen(self, hunk_id: int) -> None:
        """Take a decision back; an edited hunk is again as the model gave it, a kept one is partial again."""
        entry = self._changeable(hunk_id)
        given = entry.original or entry.hunk
        self._entries[hunk_id] = ReviewedHunk(given, "partial" if given.partial else "open")

    def edit(self, hunk_id: int, text: str) -> None:
        """Put the user's own text in place of the new side. It counts as accepted."""
        entry = self._changeable(hunk_id)
        lines = tuple(text.removesuffix("\n").split("\n")) if text else ()
        changed = hunks.edited(entry.hunk, lines)
        self._entries[hunk_id] = ReviewedHunk(changed, "edited", entry.original or entry.hunk)

    def split(self, hunk_id: int) -> tuple[int, ...]:
        """Divide a hunk into smaller ones, all open. A hunk that is small already keeps its id and state."""
        entry, was = self._changeable(hunk_id), self.replaced.get(hunk_id)
        if was is not None and entry.state == "rejected" and not was.by_person:
            raise UsageError(f"hunk {hunk_id} was replaced by a later one", hint="Accept it first.")
        parts = split(entry.hunk, self._new_id)
        if len(parts) == 1:
            return (hunk_id,)
        if was is not None:
            del self.replaced[hunk_id]
            self.replaced.update({part.id: was for part in parts})
        self._parents.update({part.id: hunk_id for part in parts})
        self._parts[hunk_id] = (*self._parts.get(hunk_id, ()), *(part.id for part in parts))
        self._of_path.setdefault(entry.hunk.path, {}).update(dict.fromkeys(part.id for part in parts))
        entries = list(self._entries.items())
        at = [known for known, _ in entries].index(hunk_id)
        entries[at : at + 1] = [(part.id, ReviewedHunk(part, "open")) for part in parts]
        self._entries = dict(entries)
        return tuple(part.id for part in parts)

    def keep(self, hunk_id: int) -> None:
        """Close a partial hunk in its current state; it can then be accepted or rejected. One that was kept
        and rejected is open as it was kept."""
        entry = self._entry(hunk_id) if self.was_kept(hunk_id) else self._partial(hunk_id)
        given = entry.original or entry.hunk
        self._entries[hunk_id] = ReviewedHunk(replace(entry.hunk, partial=False), "open", given)

    def was_kept(self, hunk_id: int) -> bool:
        """Whether a hunk is rejected that was partial and kept."""
        entry = self._entry(hunk_id)
        return entry.state == "rejected" and entry.original is not None and entry.original.partial

    def drop(self, hunk_id: int) -> None:
        """Throw a partial hunk away."""
        self._entries[hunk_id] = replace(self._partial(hunk_id), state="dropped")

    @contextlib.contextmanager
    def unless_it_fails(self) -> Iterator[None]:
        """What is decided inside is taken back where something is raised there."""
        before = (
            dict(self._entries),
            dict(self.replaced),
            dict(self._parents),
            dict(self._parts),
            self._next_id,
        )
        try:
            yield
        except BaseException:
            self._entries, self.replaced, self._parents, self._parts, self._next_id = before
            raise

    def mark_applied(self, ids: Iterable[int]) -> None:
        """The hunks are in the files now."""
        self._mark(ids, ("accepted", "edited", "undone"), "applied")

    def mark_undone(self, ids: Iterable[int]) -> None:
        self._mark(ids, ("applied",), "undone")

    def _mark(self, ids: Iterable[int], allowed: tuple[State, ...], state: State) -> None:
        changed = {hunk_id: self._entry(hunk_id) for hunk_id in ids}
        for hunk_id, entry in changed.items():
            if entry.state not in allowed:
                raise UsageError(f"hunk {hunk_id} is {entry.state} and cannot be {state}")
        for hunk_id, entry in changed.items():
            self._entries[hunk_id] = replace(entry, state=state)

    def summary(self, ids: Iterable[int] | None = None) -> str:
        """The outcome of the hunks, for the model's next turn: of all, or of these and of what they were
        split into.

        Only edited text is quoted: the rest the model wrote itself.
        """
        entries = dict(self._entries)
        if ids is not None:
            chosen = set(ids)
            entries = {known: one for known, one in entries.items() if chosen & {known, self.source(known)}}
        gone = {known for known, replaced in self.replaced.items() if not replaced.by_person}
        return "\n".join(line for known, entry in entries.items() for line in _words(entry, known in gone))

    def _new_id(self) -> int:
        self._next_id += 1
        return self._next_id - 1

    def _changeable(self, hunk_id: int) -> ReviewedHunk:
        entry = self._entry(hunk_id)
        if entry.state == "partial":
            raise UsageError(f"hunk {hunk_id} is partial", hint="Resume it, keep it as it is, or drop it.")
        if entry.state in _FINAL:
            raise UsageError(f"hunk {hunk_id} is already {entry.state}")
        return entry

    def _partial(self, hunk_id: int) -> ReviewedHunk:
        entry = self._entry(hunk_id)
        if entry.state != "partial":
            raise UsageError(f"hunk {hunk_id} is {entry.state}, not partial")
        return entry

    def _decide(self, hunk_id: int, state: State) -> None:
        entry = self._changeable(hunk_id)
        if entry.state == "edited" and state == "accepted":
            return
        if entry.state != state:
            self._entries[hunk_id] = replace(entry, state=state)


def is_kept(outcome: str) -> bool:
    """Whether the files show an edit whose hunks have this outcome, as `Review.summary` words it. Undecided,
    undone and rejected hunks they do not show. Servers are sent the words."""
    return _KEPT.search(outcome) is not None


def _words(entry: ReviewedHunk, replaced: bool) -> list[str]:
    hunk = entry.hunk
    where = f"{hunk.path}:{hunk.old_start}" if hunk.kind == "edit" else f"{hunk.kind} {hunk.path}"
    if hunk.kind == "move":
        where += f" to {hunk.new_path}"
    if entry.state == "edited":
        return [f"{where}: {_EDITED} to", *(f"+{line}" for line in hunk.new_lines)]
    words: dict[State, str] = {
        "accepted": _ACCEPTED,
        "applied": _ACCEPTED,
        "rejected": "replaced by a later edit" if replaced else "rejected",
        "dropped": "rejected",
        "undone": f"{_ACCEPTED}{_UNDONE}",
        "open": "not decided",
        "partial": "not finished",
    }
    if entry.original is not None and entry.state in ("accepted", "applied"):
        return [f"{where}: {_ACCEPTED} in part, as", *(f"+{line}" for line in hunk.new_lines)]
    return [f"{where}: {words[entry.state]}"]
