"""Hunks of an overlay as hunks of the files themselves, event by event.

A parser that reads an overlay gives hunks with the overlay's lines. Here they get the lines of the files, and
a hunk that changes what an earlier one wrote takes that one's place.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spark_tui import events
from spark_tui.edits.hunk import Hunk, apply_to_lines, overlaps
from spark_tui.edits.hunk_split import minimal
from spark_tui.errors import ExitCode
from spark_tui.events import Event
from spark_tui.tools.overlay import LIVE, WHY_FIXED, Overlay, PendingHunk

_GONE = (
    "the file {} that is there now is deleted or moved by an edit that is not written yet: its name cannot be"
    " taken in the same turn; use another name"
)
_CHANGED = "what is proposed for these lines changed meanwhile; read them again"
_RIVAL = "conflict: hunk {} makes something else of these lines"
CHANGES_YOURS = "changes lines that you rewrote"
ReadPending = Callable[[], Sequence[PendingHunk]]


class OverlayStream:
    """One stream of hunk events over one overlay. `now` gives the hunks as they stand when one closes: what
    the person decided meanwhile counts. `new_id` gives ids for further hunks."""

    def __init__(self, overlay: Overlay, now: ReadPending, new_id: Callable[[], int]) -> None:
        self._overlay = overlay
        self._now = now
        self._new_id = new_id
        self._held: dict[str, list[Hunk]] = {}
        """Closed hunks that change what earlier ones wrote: several may change the same one."""
        self._given_up: list[events.Decided] = []
        """Hunks for which later ones stand that are held."""
        self._made: dict[int, str] = {}
        """Of hunks that are offered, the ids of those that stand for them."""
        self._replaced: set[int] = set()
        self._refused: set[str] = set()
        """The ids of hunks that came to nothing."""
        self._doubts: dict[int, list[events.Doubt]] = {}
        """What was said of hunks, for those that take their place in the files."""

    def take(self, event: Event) -> Iterator[Event]:
        """The event, or what it means for the files."""
        if isinstance(event, events.HunkOpened):
            yield self._opened(event)
        elif isinstance(event, events.HunkClosed):
            yield from self._closed(Hunk.of(event))
        elif isinstance(event, events.Decided):
            yield from self._decided(event)
        else:
            if isinstance(event, events.Doubt):
                self._doubts.setdefault(event.hunk_id, []).append(event)
            yield event

    def flush(self) -> Iterator[Event]:
        """The hunks that waited for the end of the stream."""
        held, self._held = self._held, {}
        for path, hunks in held.items():
            for cluster in self._clusters(path, hunks) if hunks else ():
                yield from self._joined(path, cluster)
        given_up, self._given_up = self._given_up, []
        for event in given_up:
            by = [self._made[known] for known in map(int, event.text.split()) if known in self._made]
            if by:
                yield replace(event, text=" ".join(dict.fromkeys(" ".join(by).split())))

    def _decided(self, event: events.Decided) -> Iterator[Event]:
        """A hunk of this stream is given up, mostly for a later one that does what it did, too."""
        by = event.text.split()
        if by and self._refused.issuperset(by):
            return  # what it is given up for was not made
        every = [hunk for hunks in self._held.values() for hunk in hunks]
        for hunk in every:
            if hunk.id == event.hunk_id:
                self._held[hunk.path].remove(hunk)
                yield Hunk(hunk.id, self._overlay.base_path(hunk.path), hunk.old_start, (), ()).closed()
                return
        if any(str(hunk.id) in by for hunk in every):
            self._given_up.append(event)
        else:
            yield event

    def _opened(self, event: events.HunkOpened) -> Event:
        path = self._overlay.base_path(event.path)
        if event.kind == "add" and (old := self._deleted(path)) is not None:
            return replace(event, old_count=len(old), kind="edit")
        if event.kind != "edit" or self._overlay.whole(path) is not None:
            return replace(event, path=path) if event.kind == "edit" else event
        start = event.old_start - 1
        found = self._overlay.to_base(event.path, start, start + event.old_count, ())
        return replace(event, path=path, old_start=found.start + 1, old_count=found.end - found.start)

    def _closed(self, hunk: Hunk) -> Iterator[Event]:
        path = self._overlay.base_path(hunk.path)
        pending = self._overlay.pending(path)
        if hunk.kind == "add" and (old := self._deleted(path)) is not None:
            if hunk.partial:
                yield Hunk(hunk.id, path, 1, (), ()).closed()
            else:
                yield from self._offer(replace(hunk, kind="edit", old_lines=old), pending)
        elif hunk.kind == "move" and hunk.new_path != path and self._is_gone(hunk.new_path):
            yield self._failure(hunk, _GONE.format(hunk.new_path))
        elif hunk.kind == "add" and self._is_gone(path):
            yield self._failure(hunk, _GONE.format(path))
        elif not pending:
            yield from self._offer(hunk, ())
        elif hunk.kind == "move":
            yield from self._moved(hunk, path, pending)
        elif hunk.kind == "delete":
            added = self._overlay.whole(path) is not None
            old = () if added else tuple(self._overlay.tree.read_lines(path) or ())
            gone = Hunk(hunk.id, path, 1, (), ()) if added else replace(hunk, path=path, old_lines=old)
            yield from self._offer(gone, pending)
        elif hunk.kind != "edit":
            yield self._failure(hunk, "an earlier edit already adds, deletes or moves this file")
        elif not hunk.old_lines and not hunk.new_lines:
            yield replace(hunk, path=path).closed()
        elif hunk.partial:
            yield self._partial(hunk)
        elif self._touched(hunk):
            self._held.setdefault(hunk.path, []).append(hunk)
        else:
            yield from self._joined(hunk.path, [hunk])

    def _deleted(self, path: str) -> tuple[str, ...] | None:
        """The lines of a file that an earlier hunk deletes: to add it is to rewrite it."""
        if any(item.hunk.kind == "delete" for item in self._overlay.pending(path)):
            return tuple(self._overlay.tree.read_lines(path) or ())
        return None

    def _is_gone(self, path: str) -> bool:
        """Whether earlier hunks delete or move the file that has this name in the tree."""
        return any(item.hunk.kind in ("delete", "move") for item in self._overlay.pending(path))

    def _moved(self, hunk: Hunk, path: str, pending: Sequence[PendingHunk]) -> Iterator[Event]:
        """A move of a file that earlier hunks edit, move or add."""
        added = self._overlay.whole(path)
        if added is not None:
            yield from self._offer(replace(added.hunk, id=hunk.id, path=hunk.new_path), (added,))
            return
        moves = [item for item in pending if item.hunk.kind == "move"]
        back = hunk.new_path == path
        made = Hunk(hunk.id, path, 1, (), ()) if back else replace(hunk, path=path)
        yield from self._offer(made, moves)

    def _touched(self, hunk: Hunk) -> bool:
        start = hunk.old_start - 1
        if self._overlay.whole(hunk.path) is not None:
            return True
        return bool(self._overlay.to_base(hunk.path, start, start + len(hunk.old_lines), ()).merged)

    def _partial(self, hunk: Hunk) -> Event:
        """As far as it has come. Nothing gives way to it before it is whole."""
        path, start = self._overlay.base_path(hunk.path), hunk.old_start - 1
        found = self._overlay.to_base(hunk.path, start, start + len(hunk.old_lines), hunk.new_lines)
        if found.merged or self._overlay.whole(path) is not None:
            return Hunk(hunk.id, path, found.start + 1, (), ()).closed()
        return replace(hunk, path=path, old_start=found.start + 1).closed()

    def _clusters(self, path: str, hunks: Sequence[Hunk]) -> list[list[Hunk]]:
        """Hunks that change the same earlier ones, together."""
        if self._overlay.whole(path) is not None:
            return [list(hunks)]
        out: list[tuple[set[int], list[Hunk]]] = []
        for hunk in sorted(hunks, key=lambda item: (item.old_start, item.old_end)):
            start = hunk.old_start - 1
            merged = self._overlay.to_base(path, start, start + len(hunk.old_lines), ()).merged
            ids = {item.hunk.id for item in merged}
            if out and out[-1][0] & ids:
                out[-1][0].update(ids)
                out[-1][1].append(hunk)
            else:
                out.append((ids, [hunk]))
        return [cluster for _, cluster in out]

    def _joined(self, path: str, hunks: Sequence[Hunk]) -> Iterator[Event]:
        """One change of the file itself for these hunks; the first id stands for it."""
        first, base = hunks[0], self._overlay.base_path(path)
        doubts = [doubt for hunk in hunks for doubt in self._doubts.get(hunk.id, ())]
        lines = self._overlay.lines(path) or ()
        low, high = first.old_start - 1, hunks[-1].old_end - 1
        new = apply_to_lines(lines[:high], hunks)[low:]
        final = hunks[-1].final_newline
        added = self._overlay.whole(path)
        if added is not None:
            text = (*lines[:low], *new, *lines[high:])
            whole = replace(added.hunk, id=first.id, new_lines=text)
            if final is not None:
                whole = replace(whole, final_newline=final)
            yield from self._offer(whole, (added,), doubts)
        else:
            found = self._overlay.to_base(path, low, high, new)
            own = self._overlay.tree.read_lines(base) or ()
            made = replace(
                first,
                path=base,
                old_start=found.start + 1,
                old_lines=tuple(own[found.start : found.end]),
                new_lines=found.new,
                final_newline=final,
            )
            yield from self._offer(made, found.merged, doubts)
        for hunk in hunks[1:]:
            if first.id in self._made:
                self._made[hunk.id] = self._made[first.id]
            yield Hunk(hunk.id, base, hunk.old_start, (), ()).closed()

    def _offer(
        self, hunk: Hunk, merged: Sequence[PendingHunk], doubts: Sequence[events.Doubt] = ()
    ) -> Iterator[Event]:
        """The hunk in place of those that it takes in, unless the person decided otherwise about these
        lines. `doubts`: what was said of the hunks that it is made of."""
        why = self._conflict(hunk, merged)
        if why:
            yield self._failure(hunk, why)
            return
        self._replaced.update(hunk.hunk.id for hunk in merged)
        pieces = minimal(hunk, self._new_id) if merged else (hunk,)
        by = " ".join(str(piece.id) for piece in pieces)
        self._made.update(dict.fromkeys((hunk.id, *(piece.id for piece in pieces)), by))
        if not pieces:
            yield Hunk(hunk.id, hunk.path, hunk.old_start, (), ()).closed()
        for at, piece in enumerate(pieces):
            if at:
                yield events.HunkOpened(piece.id, piece.path, piece.old_start, len(piece.old_lines))
            # Before it closes: a killed process cannot leave a whole hunk without its doubt.
            said = {doubt.reason: doubt for doubt in doubts if doubt.hunk_id != piece.id}
            yield from (replace(doubt, hunk_id=piece.id) for doubt in said.values())
            yield piece.closed()
            if any(item.state == "edited" for item in merged):
                yield events.Doubt(piece.id, 0.0, CHANGES_YOURS)
            for other in self._overlay.unseen:
                if overlaps(piece, other):
                    yield events.Doubt(piece.id, 0.0, _RIVAL.format(other.id))
        # Only now: of a process that is killed in between, both are known.
        yield from (events.Decided(hunk.hunk.id, "rejected", by) for hunk in merged)

    def _conflict(self, hunk: Hunk, merged: Sequence[PendingHunk]) -> str:
        known = {hunk.hunk.id: hunk for hunk in merged}
        if any(item in self._replaced for item in known):
            return "an earlier edit of the same call changes these lines"
        now = {item.hunk.id: item for item in self._now()}
        for hunk_id, one in known.items():
            stands = now.get(hunk_id)
            if not one.earlier and (why := WHY_FIXED.get((stands or one).state)):
                return f"{why}; their text stays"
            if stands is None or stands.state not in LIVE or stands.hunk != one.hunk:
                return _CHANGED
        for one in now.values():
            other = one.hunk
            if one.state not in LIVE or other.id in known or other.id in self._made:
                continue
            if other not in self._overlay.unseen and overlaps(hunk, other):
                return _CHANGED
        return ""

    def _failure(self, hunk: Hunk, message: str) -> events.HunkFailed:
        self._refused.add(str(hunk.id))
        return events.HunkFailed(hunk.id, hunk.path, message, int(ExitCode.MISFIT), hunk.old_start)


def superseded(pending: Sequence[PendingHunk]) -> Iterator[events.Decided]:
    """The rejection of hunks that later ones took in, where nobody was told that any more."""
    live = [item for item in pending if item.state in LIVE]
    for at, one in enumerate(live):
        later = [
            item.hunk.id for item in live[at + 1 :] if not item.earlier and overlaps(one.hunk, item.hunk)
        ]
        if later:
            yield events.Decided(one.hunk.id, "rejected", " ".join(map(str, later)))
