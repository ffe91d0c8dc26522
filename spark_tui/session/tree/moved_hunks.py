"""Hunks of one reading of the files, as hunks of a later one: others of them may be written by then."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from dataclasses import replace

from spark_tui.edits.hunk import Hunk, overlaps
from spark_tui.edits.places.sequential_edits import shifted
from spark_tui.edits.rebase import Rebase
from spark_tui.errors import SparkError
from spark_tui.session.tree.decided_text import wanted_files
from spark_tui.session.tree.tree_reader import same_file
from spark_tui.workspace.apply import ChangedMeanwhile, ConflictedFile
from spark_tui.workspace.files import FileText, Tree

UNWRITTEN = ("open", "accepted", "edited")
States = Sequence[tuple[Hunk, str]]
"""The hunks of a turn, each with its state."""


def beside_written(
    standing: Sequence[Hunk], hunks: Sequence[Hunk], tree: Tree
) -> tuple[Sequence[Hunk], Tree]:
    """Hunks and tree as they are with the standing hunks in the files. Raises ConflictedFile for one of the
    same lines."""
    for hunk in hunks:
        if any(overlaps(hunk, one) for one in standing):
            raise ConflictedFile(
                [ChangedMeanwhile(hunk.path, ())],
                what="another hunk of these lines is written already",
                hint="Nothing was written. Undo that one, or reject this one.",
            )
    return _beside(standing, hunks, tree)


def _beside(standing: Sequence[Hunk], hunks: Sequence[Hunk], tree: Tree) -> tuple[Sequence[Hunk], Tree]:
    if not standing:
        return hunks, tree
    known: dict[str, FileText | None] = {}
    for want in wanted_files(standing, tree):  # someone else may have changed them
        before = tree.file(want.path)
        mode = want.mode if want.mode is not None else (0o644 if before is None else before.mode)
        known[want.path] = None if want.target is None else FileText(want.path, want.target, mode)
    hunks = [shifted(hunk, standing) for hunk in hunks]
    known.update({hunk.path: tree.file(hunk.path) for hunk in hunks if hunk.path not in known})
    return hunks, Tree(tree.root, most_bytes=tree.most_bytes, known=known)


def placed(
    hunks: Sequence[Hunk], tree: Tree, standing: Sequence[Hunk], now: Tree
) -> Iterator[tuple[Hunk, bool]]:
    """Each hunk under the name and at the line that it has in `now`, and whether that changed its lines."""
    taken = {hunk.id for hunk in hunks if any(overlaps(hunk, one) for one in standing)}
    hunks, tree = _beside(standing, hunks, tree)
    rebases = dict[str, Rebase]()
    for hunk in hunks:
        if hunk.path not in rebases:
            read, there = tree.read_lines(hunk.path) or (), now.read_lines(hunk.path) or ()
            rebases[hunk.path] = Rebase(read, there)
        line, touched = rebases[hunk.path].place(hunk.old_start - 1, len(hunk.old_lines))
        if hunk.kind != "edit":
            line, touched = hunk.old_start - 1, not same_file(tree, now, hunk.path)
        yield replace(hunk, old_start=line + 1), touched or hunk.id in taken


def waiting(
    hunks: States, tree: Tree, now: Tree, meant: Collection[str] = UNWRITTEN
) -> Iterator[tuple[Hunk, str]]:
    """The hunks of `tree` in the states that are `meant`, as hunks of `now`; those are left out whose lines
    changed since."""
    states = {hunk.id: state for hunk, state in hunks}
    standing = [hunk for hunk, state in hunks if state == "applied"]
    by_path: dict[str, list[Hunk]] = {}
    for hunk, state in hunks:
        if state in meant:
            by_path.setdefault(hunk.path, []).append(hunk)
    for path, group in by_path.items():
        if same_file(tree, now, path):
            yield from ((hunk, states[hunk.id]) for hunk in group)
            continue
        with suppress(SparkError):
            found = list(placed(group, tree, standing, now))
            yield from ((hunk, states[hunk.id]) for hunk, touched in found if not touched)
