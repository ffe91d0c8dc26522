"""Snapshots of a job's worktree: taken behind each edit that stands, brought back where one does not.

Comes in: a tree, and a private folder. Goes out: names of snapshots, what differs between two, the bytes of a
file. Must not know: jobs, sessions. They lie in a git folder beside the worktree, not in the person's
repository, and hold bytes as they are: no filter, no line-ending rule and no hook has a say.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.workspace.git import git, text

_AS_THEY_ARE = "* -text -eol -filter -diff -ident -working-tree-encoding\n"


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file in two snapshots. A side that is not there has the mode 0."""

    path: str
    old_mode: int
    new_mode: int
    old: str
    new: str


class Snapshots:
    """Those of one worktree."""

    def __init__(self, folder: Path, tree: Path) -> None:
        self._folder, self._tree = folder, tree

    def begin(self, paths: Sequence[str], exclude: Path) -> str:
        """The first snapshot, of these paths. `exclude`: the person's own list of what git ignores there."""
        git(self._tree, "init", "--quiet", "--bare", "--template=", str(self._folder))
        info = self._folder / "info"
        info.mkdir(exist_ok=True)
        (info / "attributes").write_text(_AS_THEY_ARE)
        if exclude.is_file():
            shutil.copyfile(exclude, info / "exclude")
        data = b"".join(os.fsencode(path) + b"\0" for path in paths)
        self._git("update-index", "--add", "-z", "--stdin", data=data)
        return text(self._git("write-tree"))

    def take(self) -> str:
        """What git would not ignore, as it is now."""
        self._git("add", "--all")
        return text(self._git("write-tree"))

    def restore(self, snapshot: str) -> None:
        """The tree as it was; what came since and is ignored stays."""
        self._git("read-tree", "--reset", "-u", snapshot)
        self._git("checkout-index", "--force", "--all", "--quiet")
        self._git("clean", "-ffdq")

    def differences(self, old: str, new: str) -> list[FileDifference]:
        """Works also where the tree is gone."""
        own = ("--git-dir", str(self._folder))
        out = git(
            self._folder, *own, "diff-tree", "-r", "-z", "--raw", "--no-renames", "--full-index", old, new
        )
        fields = out.split(b"\0")
        found = []
        for head, path in zip(fields[0::2], fields[1::2], strict=False):
            old_mode, new_mode, old_key, new_key, _ = head.decode().removeprefix(":").split(" ")
            found.append(
                FileDifference(os.fsdecode(path), int(old_mode, 8), int(new_mode, 8), old_key, new_key)
            )
        return found

    def blob(self, key: str) -> bytes:
        return git(self._folder, "--git-dir", str(self._folder), "cat-file", "blob", key)

    def _git(self, *words: str, data: bytes = b"") -> bytes:
        own = ("--git-dir", str(self._folder), "--work-tree", str(self._tree))
        plain = ("-c", "core.bare=false", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false")
        return git(self._tree, *own, *plain, *words, data=data)
