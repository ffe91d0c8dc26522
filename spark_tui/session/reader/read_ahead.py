"""Reads what a person types while it is typed, so that Enter finds the answer ready."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from threading import Event as StopFlag
from typing import TYPE_CHECKING, TypeAlias

from spark_tui.context.shown_context import ContextRequest
from spark_tui.session.draft_thread import DraftThread

if TYPE_CHECKING:
    from spark_tui.session.reader.read_instruction import ReadInstruction, ReadWay

Kept: TypeAlias = "tuple[ContextRequest, object, ReadInstruction]"
"""A draft, the state on which it was read, and what came of it."""


@dataclass(frozen=True)
class Preview:
    """What Enter would come to: the titles of one edit or of several to choose from, their files, and the
    hunks of one. `asks_model`: no edit is sure enough."""

    instruction: str
    titles: tuple[str, ...] = ()
    hunks: int = 0
    paths: tuple[str, ...] = ()
    doubted: bool = False
    asks_model: bool = False


class ReadAhead:
    """`read` gives the answer to a draft, or None where that has to wait for Enter. `on_read` is told each
    time, on the thread that reads; of no edit where what was read does not `count`, as a model is asked."""

    def __init__(
        self,
        read: Callable[[ContextRequest, StopFlag], Kept | None],
        counts: Callable[[ReadInstruction], bool],
    ) -> None:
        self._read, self._counts = read, counts
        self._kept: Kept | None = None
        self.on_read: Callable[[Preview], None] = lambda _: None
        self.drafts = DraftThread(self._work, "spark-read-ahead")

    def draft(self, ask: ContextRequest) -> None:
        """What would be asked if Enter were pressed now. Other words than those before end their reading."""
        self.begin(ask)
        self.drafts.draft(ask)

    def begin(self, ask: ContextRequest) -> None:
        """Enter was pressed: only the reading of the same words goes on."""
        self.drafts.drop(but=ask.instruction)

    def kept(self, ask: ContextRequest, state: Callable[[], object]) -> ReadInstruction | None:
        """What came of the draft that was read last, if it is this one and was read in the same state."""
        kept = self._kept  # another thread may keep the next one at any moment
        return kept[2] if kept is not None and kept[0] == ask and kept[1] == state() else None

    def _work(self, ask: ContextRequest, stop: StopFlag) -> None:
        found = None
        try:
            self._kept = found = self._read(ask, stop)
        finally:
            if not stop.is_set():
                shows = found is not None and self._counts(found[2])
                self.on_read(preview_of(ask, found[2]) if found and shows else Preview(ask.instruction))


def preview_of(ask: ContextRequest, found: ReadInstruction) -> Preview:
    if found.ending not in ("stop", "choices") or not found.ways:
        return Preview(ask.instruction, asks_model=found.ending == "write")
    titles = tuple(way.title for way in found.ways)
    if found.ending == "choices":
        return Preview(ask.instruction, titles, 0, _paths(found.ways))
    planned = found.ways[0].planned
    return Preview(
        ask.instruction, titles[:1], len(planned.hunks), _paths(found.ways[:1]), bool(planned.doubts)
    )


def _paths(ways: Iterable[ReadWay]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(hunk.path for way in ways for hunk in way.planned.hunks))
