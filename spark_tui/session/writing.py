"""From decided hunks to what each file shall become.

Comes in: hunks of one turn and the tree as that turn read it. Goes out: `Wanted`s for `workspace.apply`, and a merge
for it. Must not know: the disk, decisions. It joins two rooms that know nothing of each other: edits and workspace.
"""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.merge import Conflict, merge
from spark_tui.edits.rewrite import created, rewrite
from spark_tui.errors import Misfit
from spark_tui.workspace.apply import Wanted
from spark_tui.workspace.files import FileText, Tree


def wanted(hunks: Sequence[Hunk], tree: Tree) -> list[Wanted]:
    """What the files of these hunks shall become, in the order of their first hunk."""
    by_path: dict[str, list[Hunk]] = {}
    for hunk in hunks:
        by_path.setdefault(hunk.path, []).append(hunk)
    return [want for path, group in by_path.items() for want in _of_file(path, group, tree)]


def merged(base: bytes, disk: bytes, target: bytes) -> tuple[bytes | None, Sequence[Conflict]]:
    """What `workspace.apply.plan` asks where a file changed since it was read."""
    result = merge(base, disk, target)
    return result.data, result.conflicts


def _of_file(path: str, hunks: list[Hunk], tree: Tree) -> list[Wanted]:
    whole = {hunk.kind: hunk for hunk in hunks if hunk.kind != "edit"}
    before = tree.file(path)
    if "add" in whole:
        added = whole["add"]
        base = None if before is None else before.data
        return [Wanted(path, base, created(added), _mode(added.mode))]
    if before is None:
        raise Misfit("no such file", where=path, hint="It may have been moved.")
    if "delete" in whole:
        return [Wanted(path, before.data, None)]
    target = rewrite(before, hunks)
    mode = next((found for hunk in hunks if (found := _mode(hunk.mode)) is not None), None)
    if "move" not in whole:
        return [Wanted(path, before.data, target, mode)]
    goal = whole["move"].new_path
    there = tree.file(goal)
    return [
        Wanted(path, before.data, None),
        Wanted(goal, None if there is None else there.data, target, before.mode if mode is None else mode),
    ]


def file_of(tree: Tree, path: str) -> tuple[FileText, int]:
    """What `edits.patch.build` asks for a path."""
    file = tree.file(path)
    if file is None:
        raise Misfit("no such file", where=path)
    return file, file.mode


def _mode(text: str) -> int | None:
    """Git's mode of a file as permission bits."""
    return int(text, 8) & 0o777 if text else None
