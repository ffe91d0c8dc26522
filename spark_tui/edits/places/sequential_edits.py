"""A file as it reads after the earlier hunks of the same answer, and the way back to the file's own lines."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import count

from spark_tui.edits.diff import diff
from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_split import minimal
from spark_tui.edits.places.locate import LineFinder, LineMatch, NoMatch, Taken

Change = tuple[int, int, tuple[str, ...]]
"""The file's own `lines[0:1]` (0-based) become these."""


@dataclass(frozen=True, slots=True)
class EditedFile:
    """`lines` after the hunks. `origins[k]` is the file's own line for `lines[k]`, or -1 if a hunk wrote
    it; `behind[k]` is the file's own line before which an insertion after `lines[k]` goes."""

    lines: tuple[str, ...]
    origins: tuple[int, ...]
    behind: tuple[int, ...]

    def find(self, quoted: Sequence[str]) -> LineMatch | NoMatch:
        return LineFinder(self.lines).find(quoted)

    def own(self, start: int, count: int) -> list[int]:
        """The file's own lines among `lines[start : start + count]`."""
        return [at for at in self.origins[start : start + count] if at >= 0]

    def builds_on(self, place: LineMatch) -> bool:
        """Whether a hunk changed something in the lines of this place."""
        own = self.origins[place.start : place.start + place.count]
        return -1 in own or own[-1] - own[0] != len(own) - 1

    def here(self, start: int) -> int:
        """The file's own line before which an insertion before `lines[start]` goes."""
        return self.behind[start - 1] if start else 0

    def there(self, line: int) -> int:
        """The index in `lines` of the file's own line, or of what remains of the file after it."""
        return next((k for k, at in enumerate(self.origins) if at >= line), len(self.lines))

    def taken(self, ranges: Taken) -> list[tuple[int, int]]:
        """These ranges of the file's own lines, as far as they are here."""
        gone = {at for low, high in ranges for at in range(low, high)}
        return [(k, k + 1) for k, at in enumerate(self.origins) if at in gone] if gone else []

    def changes(self, place: LineMatch, new: Sequence[str]) -> list[Change] | None:
        """The change of the file's own lines that replacing the found lines by `new` means. None if it
        changes lines that an earlier hunk wrote, or if only that hunk's order could place it."""
        out: list[Change] = []
        for a0, a1, b0, b1 in diff(self.lines[place.start : place.start + place.count], new):
            low, high = place.start + a0, place.start + a1
            own = self.origins[low:high]
            if own:
                if -1 in own or own[-1] - own[0] != len(own) - 1:
                    return None
                out.append((own[0], own[-1] + 1, tuple(new[b0:b1])))
                continue
            if low < len(self.lines) and self.origins[low] < 0:
                return None
            at = self.here(low)
            out.append((at, at, tuple(new[b0:b1])))
        return out


def after_hunks(lines: Sequence[str], hunks: Sequence[Hunk]) -> EditedFile:
    out: list[str] = []
    origins: list[int] = []
    behind: list[int] = []
    at = 0
    for hunk in sorted(hunks, key=lambda item: (item.old_start, item.old_end, item.id)):
        start, end = hunk.old_start - 1, hunk.old_end - 1
        out += [*lines[at:start], *hunk.new_lines]
        origins += [*range(at, start), *([-1] * len(hunk.new_lines))]
        behind += [*range(at + 1, start + 1), *([end] * len(hunk.new_lines))]
        at = end
    out += lines[at:]
    origins += range(at, len(lines))
    behind += range(at + 1, len(lines) + 1)
    return EditedFile(tuple(out), tuple(origins), tuple(behind))


def in_place_of(
    lines: Sequence[str], hunks: Sequence[Hunk], place: LineMatch, new: Sequence[str]
) -> tuple[Change, list[Hunk]] | None:
    """The one change that does what replacing the found lines of the text after the hunks by `new` means and
    what those of the hunks did on whose lines that builds, which it takes the place of. None if that is not
    exact."""
    after = after_hunks(lines, hunks).lines
    spans: list[tuple[int, int, Hunk]] = []
    gained = 0
    for hunk in sorted(hunks, key=lambda item: (item.old_start, item.old_end, item.id)):
        low = hunk.old_start - 1 + gained
        spans.append((low, low + len(hunk.new_lines), hunk))
        gained += len(hunk.new_lines) - len(hunk.old_lines)
    changed = diff(after[place.start : place.start + place.count], new)
    if not changed:
        return None
    first, last = place.start + changed[0][0], place.start + changed[-1][1]
    taken: list[Hunk] = []
    while True:
        more = [one for one in spans if one[2] not in taken and _is_in(one[0], one[1], first, last)]
        if not more:
            break
        taken += [hunk for _, _, hunk in more]
        first, last = min(first, *(one[0] for one in more)), max(last, *(one[1] for one in more))
    wanted = (*after[: place.start], *new, *after[place.start + place.count :])
    behind = len(after) - last
    before = sum(len(h.new_lines) - len(h.old_lines) for low, _, h in spans if h not in taken and low < first)
    start = first - before
    grown = sum(len(hunk.new_lines) - len(hunk.old_lines) for hunk in taken)
    change = (start, last - before - grown, wanted[first : len(wanted) - behind])
    rest = [hunk for hunk in hunks if hunk not in taken]
    ids = count(max(hunk.id for hunk in hunks) + 1)
    merged = Hunk(next(ids), "", start + 1, tuple(lines[start : change[1]]), change[2])
    # As it is kept: what stays of its lines is cut off, so that it may stand where another hunk inserts.
    kept = minimal(merged, ids.__next__)
    exact = taken and all(hunk.final_newline is None for hunk in taken)
    return (change, taken) if exact and after_hunks(lines, [*rest, *kept]).lines == wanted else None


def _is_in(low: int, high: int, first: int, last: int) -> bool:
    """Whether what a hunk wrote or took away is changed, or has something put in front of it."""
    if low == high:
        return first < low < last
    return low < last and first < high if first < last else low <= first < high


def separate_hunks(before: int, afterwards: int) -> NoMatch:
    """Lines that are read in two ways; both are lines of the file itself (0-based)."""
    message = (
        "the quoted lines match one place before the earlier edits of the answer and another one after them"
    )
    return NoMatch(message, candidates=(before + 1, afterwards + 1), several=True)


def shifted(hunk: Hunk, standing: Sequence[Hunk]) -> Hunk:
    """The hunk where these others of the same reading of the file are made already: its line, and the file's
    name."""
    mine = [item for item in standing if item.path == hunk.path]
    goal = next((item.new_path for item in mine if item.kind == "move"), hunk.path)
    if hunk.kind != "edit":
        return replace(hunk, path=goal)
    key = (hunk.old_start, hunk.old_end, hunk.id)
    above = [item for item in mine if item.kind == "edit" and (item.old_start, item.old_end, item.id) < key]
    gained = sum(len(item.new_lines) - len(item.old_lines) for item in above)
    return replace(hunk, path=goal, old_start=hunk.old_start + gained)
