"""What changed between two texts of a file, as token edits (each as short as its brackets balance), and where
places of the text before are after it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from spark_tui.codemods.plan import Edit
from spark_tui.next_edit.tokens import NEWLINE, Tokens, balanced, tokens_of
from spark_tui.shared_ends import same_at_end, same_at_start

_MOST_TOKENS_COMPARED = 4_000
MOST_CHANGES = 120

Run = tuple[int, int, int, int]
"""Tokens `old from, old to, new from, new to`."""


@dataclass(frozen=True, eq=False)
class Change:
    """One edit of a file: the tokens `old` of the text before became the tokens `new` of the text after.
    `runs` are the tokens in it that differ; what is between them stayed."""

    path: str
    before: Tokens
    after: Tokens
    runs: tuple[Run, ...]

    @property
    def old(self) -> tuple[int, int]:
        return self.runs[0][0], self.runs[-1][1]

    @property
    def new(self) -> tuple[int, int]:
        return self.runs[0][2], self.runs[-1][3]

    @property
    def old_texts(self) -> list[str]:
        return self.before.texts[self.old[0] : self.old[1]]

    @property
    def new_texts(self) -> list[str]:
        return self.after.texts[self.new[0] : self.new[1]]

    @property
    def went(self) -> list[str]:
        """The tokens that are gone."""
        return [word for a, b, _, _ in self.runs for word in self.before.texts[a:b]]

    @property
    def came(self) -> list[str]:
        """The tokens that are new."""
        return [word for _, _, c, d in self.runs for word in self.after.texts[c:d]]

    @property
    def shape(self) -> tuple[tuple[tuple[str, ...], tuple[str, ...]], ...]:
        """What went and what came, run by run."""
        return tuple(
            (tuple(self.before.texts[a:b]), tuple(self.after.texts[c:d])) for a, b, c, d in self.runs
        )

    @property
    def span_before(self) -> tuple[int, int]:
        """Characters of the text before; for an insertion an empty span."""
        return self.before.span(*self.old)

    @property
    def span_after(self) -> tuple[int, int]:
        return self.after.span(*self.new)


def changes(path: str, before: str, after: str) -> list[Change] | None:
    """The edits between two texts in the order of the text; None where too much changed to be edits by
    hand."""
    if before == after:
        return []
    old = tokens_of(before)
    new = tokens_of(after, old)
    out: list[Change] = []
    for group in _grouped(old, new):
        out.append(Change(path, old, new, tuple(group)))
        if len(out) > MOST_CHANGES:
            return None
    return out


def _grouped(old: Tokens, new: Tokens) -> Iterator[list[Run]]:
    """Runs in one logical line belong together until their brackets balance."""
    group: list[Run] = []
    for run in _runs(old.texts, new.texts):
        if group and NEWLINE in old.texts[group[-1][1] : run[0]]:
            yield group
            group = []
        group.append(run)
        went = [word for a, b, _, _ in group for word in old.texts[a:b]]
        came = [word for _, _, c, d in group for word in new.texts[c:d]]
        if balanced(went) and balanced(came):
            yield group
            group = []
    if group:
        yield group


def _runs(old: Sequence[str], new: Sequence[str]) -> Iterator[Run]:
    head, tail = _same_ends(old, new)
    a, b, c, d = head, len(old) - tail, head, len(new) - tail
    old_lines, new_lines = _lines(old, a, b), _lines(new, c, d)
    matcher = SequenceMatcher(
        None, [tuple(old[x:y]) for x, y in old_lines], [tuple(new[x:y]) for x, y in new_lines], autojunk=False
    )
    for tag, p, q, r, s in matcher.get_opcodes():
        if tag == "equal":
            continue
        low, high = (old_lines[p][0] if p < len(old_lines) else b), (old_lines[q - 1][1] if q > p else 0)
        start, end = (new_lines[r][0] if r < len(new_lines) else d), (new_lines[s - 1][1] if s > r else 0)
        high, end = max(low, high), max(start, end)
        if tag != "replace" or (high - low) + (end - start) > _MOST_TOKENS_COMPARED:
            yield low, high, start, end
            continue
        inner = SequenceMatcher(None, old[low:high], new[start:end], autojunk=False)
        for kind, e, f, g, h in inner.get_opcodes():
            if kind != "equal":
                yield low + e, low + f, start + g, start + h


def _same_ends(old: Sequence[str], new: Sequence[str]) -> tuple[int, int]:
    """How many tokens are the same at both ends, to the bounds of lines."""
    head = same_at_start(old, new)
    while head and old[head - 1] != NEWLINE:
        head -= 1
    tail = same_at_end(old, new, head)
    while tail and old[len(old) - tail - 1] != NEWLINE:
        tail -= 1
    return head, tail


def _lines(words: Sequence[str], low: int, high: int) -> list[tuple[int, int]]:
    out, start = [], low
    for at in range(low, high):
        if words[at] == NEWLINE:
            out.append((start, at + 1))
            start = at + 1
    return [*out, (start, high)] if start < high else out


class Shift:
    """Moves offsets of a file over the changes that were made in it."""

    def __init__(self, changes: Sequence[Change]) -> None:
        self._spans = sorted((change.span_before, change.span_after) for change in changes)
        self._starts = [before[0] for before, _ in self._spans]

    def moved(self, edit: Edit) -> Edit | None:
        """The edit in the text after; None where it meets a change."""
        at = bisect_right(self._starts, edit.end)
        shift = 0
        for before, after in self._spans[:at]:
            if before[1] <= edit.start and before != (edit.start, edit.end):
                shift = after[1] - before[1]
            elif before[0] < edit.end or before == (edit.start, edit.end):
                return None
        return Edit(edit.path, edit.start + shift, edit.end + shift, edit.new)
