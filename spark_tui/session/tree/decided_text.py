"""What files become when hunks are written. Joins `edits` and `workspace`, which do not know each other."""

from __future__ import annotations

from collections.abc import Sequence

from spark_tui.edits.hunk import Hunk
from spark_tui.edits.hunk_builder import created, rewrite
from spark_tui.edits.merge import Conflict, merge
from spark_tui.errors import Misfit, Refused
from spark_tui.workspace.apply import WantedFile
from spark_tui.workspace.files import LINK_MODE, FileText, Tree


def wanted_files(hunks: Sequence[Hunk], tree: Tree) -> list[WantedFile]:
    """What the files of these hunks become, in the order of their first hunks."""
    by_path: dict[str, list[Hunk]] = {}
    for hunk in hunks:
        by_path.setdefault(hunk.path, []).append(hunk)
    return [want for path, group in by_path.items() for want in _of_file(path, group, tree)]


def merge_changed_file(base: bytes, disk: bytes, target: bytes) -> tuple[bytes | None, Sequence[Conflict]]:
    """The merge that `workspace.apply.plan` uses where a file changed since it was read."""
    result = merge(base, disk, target)
    return result.data, result.conflicts


def _of_file(path: str, hunks: list[Hunk], tree: Tree) -> list[WantedFile]:
    whole = {hunk.kind: hunk for hunk in hunks if hunk.kind != "edit"}
    if ("delete" in whole or "move" in whole) and (link := tree.link(path)) is not None:
        return _of_link(path, link, hunks, tree)
    before = tree.file(path)
    if "add" in whole:
        added = whole["add"]
        base = None if before is None else before.data
        return [WantedFile(path, base, created(added, tree.newline_for(path)), _mode(added.mode))]
    if before is None:
        raise Misfit("no such file", where=path, hint="It may have been moved.")
    if "delete" in whole:
        return [WantedFile(path, before.data, None)]
    target = rewrite(before, hunks)
    mode = next((found for hunk in hunks if (found := _mode(hunk.mode)) is not None), None)
    if "move" not in whole:
        return [WantedFile(path, before.data, target, mode)]
    goal = whole["move"].new_path
    return [
        WantedFile(path, before.data, None),
        _moved(goal, target, before.mode if mode is None else mode, tree),
    ]


def _moved(goal: str, target: bytes, mode: int, tree: Tree) -> WantedFile:
    """A file or link under its new name. A link of that name is replaced; its target stays."""
    there = tree.entry(goal)
    return WantedFile(goal, None if there is None else there.data, target, mode, itself=True)


def _of_link(path: str, link: FileText, hunks: list[Hunk], tree: Tree) -> list[WantedFile]:
    """A link that is deleted, replaced by a new file or moved: the file that it points to is not touched."""
    whole = {hunk.kind: hunk for hunk in hunks if hunk.kind != "edit"}
    if "add" in whole:
        mode = _mode(whole["add"].mode)
        return [
            WantedFile(
                path,
                link.data,
                created(whole["add"], tree.newline_for(path)),
                0o644 if mode is None else mode,
                itself=True,
            )
        ]
    gone = WantedFile(path, link.data, None, itself=True)
    if "delete" in whole:
        return [gone]
    if any(hunk.kind == "edit" for hunk in hunks):
        raise Refused(
            "a symbolic link cannot be moved and edited at once",
            where=path,
            hint="Move the link, and edit the file that it points to under that file's own name.",
        )
    return [gone, _moved(whole["move"].new_path, link.data, LINK_MODE, tree)]


def file_of(tree: Tree, path: str) -> tuple[FileText, int]:
    """The file and mode of a path, as `edits.patch.build` needs them."""
    file = tree.file(path)
    if file is None:
        raise Misfit("no such file", where=path)
    return file, file.mode


def _mode(text: str) -> int | None:
    """The permission bits of a git file mode."""
    return int(text, 8) & 0o777 if text else None
