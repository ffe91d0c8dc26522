"""A plan from the new texts of files; places that were not followed keep the lines of the old ones."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import accumulate

from spark_tui.codemods.plan import Edit, Plan, Unfollowed
from spark_tui.edits.diff import diff
from spark_tui.pysource.repository import Repository


def from_texts(
    texts: Mapping[str, str | None], repo: Repository, unfollowed: Sequence[Unfollowed] = ()
) -> Plan:
    """The plan that gives files these texts, with edits of the lines that change; None removes a file."""
    kept = {path: text for path, text in texts.items() if text is not None}
    old = {path: repo.index.text(path) for path in kept}
    edits = [
        edit
        for path, before in old.items()
        if before is not None
        for edit in _edits_of_lines(path, before, kept[path])
    ]
    created = {path: text for path, text in kept.items() if old[path] is None}
    removed = tuple(path for path, text in texts.items() if text is None)
    return Plan(tuple(edits), tuple(dict.fromkeys(unfollowed)), created=created, removed=removed)


def _edits_of_lines(path: str, before: str, after: str) -> Iterator[Edit]:
    old, new = before.splitlines(keepends=True), after.splitlines(keepends=True)
    starts = list(accumulate(map(len, old), initial=0))
    for a0, a1, b0, b1 in diff(old, new):
        yield Edit(path, starts[a0], starts[a1], "".join(new[b0:b1]))


def as_before(unfollowed: Unfollowed, before: Repository, now: Repository) -> Unfollowed:
    """The place in the lines of the file as it is on the disk."""
    old, new = before.index.text(unfollowed.path), now.index.text(unfollowed.path)
    if old is None or new is None or old == new:
        return unfollowed
    matcher = difflib.SequenceMatcher(None, old.split("\n"), new.split("\n"), autojunk=False)
    for tag, a0, a1, b0, b1 in matcher.get_opcodes():
        if b0 <= unfollowed.line - 1 < b1:
            at = a0 + (unfollowed.line - 1 - b0 if tag == "equal" else 0)
            return replace(unfollowed, line=min(at, max(a1 - 1, 0)) + 1)
    return unfollowed
