"""Hunks that an edit keeps of the edits which it was joined with, each with its own marks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from spark_tui.edits.hunk import Hunk


@dataclass(frozen=True)
class KeptHunk:
    """A hunk that an earlier instruction made. Its marks are not those of the later edit."""

    hunk: Hunk
    asked: tuple[str, ...]
    """The instructions that made it, the last one last."""
    marked: tuple[str, ...] = ()

    def touches(self, other: Hunk) -> bool:
        here = self.hunk
        apart = here.old_end < other.old_start or other.old_end < here.old_start
        return here.path == other.path and not apart


def own_marks(
    hunks: Iterable[Hunk], asked: tuple[str, ...], marked: tuple[str, ...], kept: Sequence[KeptHunk]
) -> list[KeptHunk]:
    """The hunks of an edit as a later one keeps them: its own, and those that it kept itself."""
    known = {_key(item.hunk): item for item in kept}
    return [known.get(_key(hunk)) or KeptHunk(hunk, asked, marked) for hunk in hunks]


def still_kept(
    hunks: Iterable[Hunk], earlier: Sequence[KeptHunk], asked: tuple[str, ...], marked: tuple[str, ...]
) -> dict[int, KeptHunk]:
    """The hunks of a joined edit whose marks are not just those of the last instruction, by their numbers:
    hunks of earlier edits, and hunks in whose lines both changed something."""
    known = {_key(item.hunk): item for item in earlier}
    out: dict[int, KeptHunk] = {}
    for hunk in hunks:
        touched = [item for item in earlier if item.touches(hunk)]
        if (same := known.get(_key(hunk))) is not None:
            out[hunk.id] = replace(same, hunk=hunk)
        elif touched:
            marks = dict.fromkeys((*marked, *(mark for item in touched for mark in item.marked)))
            every = dict.fromkeys((*(text for item in touched for text in item.asked), *asked))
            out[hunk.id] = KeptHunk(hunk, tuple(every), tuple(marks))
    return out


def _key(hunk: Hunk) -> Hunk:
    return replace(hunk, id=0)


def to_json(kept: KeptHunk) -> dict[str, Any]:
    return {"hunk": asdict(kept.hunk), "asked": list(kept.asked), "marked": list(kept.marked)}


def from_json(row: dict[str, Any], marks: Mapping[str, str]) -> KeptHunk:
    """`marks` are the marks as they are known, with their kinds."""
    lines = {side: tuple(row["hunk"][side]) for side in ("old_lines", "new_lines")}
    marked = tuple(marks.get(mark, mark) for mark in row["marked"])
    asked = [row["asked"]] if isinstance(row["asked"], str) else row["asked"]  # earlier releases kept one
    return KeptHunk(Hunk(**{**row["hunk"], **lines}), tuple(asked), marked)
