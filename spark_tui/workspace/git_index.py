"""Files in git's index and in commits, as git stores them."""

from __future__ import annotations

import contextlib
import os
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import Refused
from spark_tui.workspace.git import git, text
from spark_tui.workspace.repository import Repository

_FLAGS = {"--skip-worktree": (b"S", b"s"), "--assume-unchanged": (b"s", b"h")}
"""Flags of entries, with the letters that `ls-files -v` shows for them."""


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as git stores it, after filters and line-ending conversion."""

    key: str
    mode: str
    data: bytes


def blob(repo: Repository, key: str, mode: str) -> Blob:
    return Blob(key, mode, git(repo.root, "cat-file", "blob", key))


def stored(repo: Repository, data: bytes, mode: str) -> Blob:
    """Bytes put into the repository as they are."""
    return Blob(text(git(repo.root, "hash-object", "-w", "--no-filters", "--stdin", data=data)), mode, data)


def keeps_endings(repo: Repository, path: str) -> bool:
    """Whether a file that was committed with CRLF keeps it: git converts those only that are said to be
    text. `hash-object` does not know what was committed."""
    out = git(repo.root, "check-attr", "-z", "text", "crlf", "eol", "--", path)
    words = out.decode("utf-8", "surrogateescape").split("\0")[2::3]
    return words[0] == "auto" or set(words) == {"unspecified"}


def in_commit(repo: Repository, commit: str, path: str) -> Blob | None:
    """A file of a commit; None also where there is no commit."""
    if not commit:
        return None
    out = git(repo.root, "ls-tree", "-z", commit, "--", path).rstrip(b"\0")
    if not out:
        return None
    mode, kind, key = out.split(b"\t", 1)[0].decode().split(" ")
    if kind != "blob":
        raise Refused("the commit has no regular file here", where=path)
    return blob(repo, key, mode)


def names_in(repo: Repository, commit: str, paths: Sequence[str]) -> set[str]:
    """Those of the paths that a commit has."""
    if not commit or not paths:
        return set()
    out = git(repo.root, "ls-tree", "-z", "--name-only", commit, "--", *paths)
    return {name.decode("utf-8", "surrogateescape") for name in out.split(b"\0")}


def in_index(repo: Repository, path: str) -> Blob | None:
    """What is staged; None also for a file of `git add --intent-to-add`."""
    out = git(repo.root, "ls-files", "-s", "-z", "--", path).rstrip(b"\0")
    if not out:
        return None
    mode, key, stage = out.split(b"\0")[0].split(b"\t", 1)[0].decode().split(" ")
    if stage != "0":
        raise Refused("this file is unmerged", where=path, hint="Resolve it first.")
    found = blob(repo, key, mode)
    if found.data or not git(repo.root, "diff", "--name-only", "--diff-filter=A", "--", path):
        return found
    return None


def copy_index(repo: Repository, index: Path) -> None:
    """The user's index with the files of the head: hooks find its flags and sparse files as they are. Its
    time tells git which files may have changed in the moment of its last look."""
    with contextlib.suppress(FileNotFoundError):
        shutil.copy2(repo.git_dir / "index", index)
    what = ("--reset", repo.head) if repo.head else ("--empty",)
    git(repo.root, "read-tree", *what, extra={"GIT_INDEX_FILE": str(index)})


def entries(repo: Repository, paths: Sequence[str], commit: str = "") -> dict[str, list[str]]:
    """Mode and key of those of the paths that the user's index has, or a commit. What is unmerged has a third
    field."""
    if not paths:
        return {}
    asked = ("ls-tree", "-z", commit) if commit else ("ls-files", "-s", "-z")
    out = git(repo.root, *asked, "--", *paths)
    found = {}
    for line in out.split(b"\0")[:-1]:
        words, name = line.split(b"\t", 1)
        mode, *more = words.decode().split(" ")
        key, rest = (more[1], []) if commit else (more[0], more[1:])
        found[name.decode("utf-8", "surrogateescape")] = [mode, key, *(one for one in rest if one != "0")]
    return found


def replace_in_index(
    repo: Repository, folder: Path, files: Sequence[tuple[str, Blob | None]], flags: Mapping[str, bytes]
) -> bool:
    """Put files into the user's index in one step, under git's own lock. Returns False while another git has
    it. The lock is a second name of a file in the folder, by which `unlock` knows it after a kill."""
    mark, new = folder / "mark", folder / "new"
    mark.touch()
    try:
        os.link(mark, index_lock(repo))
    except FileExistsError:
        return False
    except OSError:  # a file system without hard links
        try:
            index_lock(repo).touch(exist_ok=False)
        except FileExistsError:
            return False
    try:
        with contextlib.suppress(FileNotFoundError):
            shutil.copy2(repo.git_dir / "index", new)
        put(repo, files, flags, {"GIT_INDEX_FILE": str(new)})
        new.replace(repo.git_dir / "index")
    finally:
        index_lock(repo).unlink(missing_ok=True)
    return True


def index_lock(repo: Repository) -> Path:
    """There while a git writes the index."""
    return repo.git_dir / "index.lock"


def unlock(repo: Repository, folder: Path) -> None:
    """Let the index go, if a process of this folder held it when it was killed."""
    with contextlib.suppress(FileNotFoundError):
        if index_lock(repo).samefile(folder / "mark"):
            index_lock(repo).unlink()


def put(
    repo: Repository,
    files: Sequence[tuple[str, Blob | None]],
    flags: Mapping[str, bytes],
    index: Mapping[str, str],
) -> None:
    """Put files with the flags that their entries had into a private index."""
    git(repo.root, "update-index", "-z", "--index-info", data=index_info(repo, files), extra=index)
    for flag, names in flags.items():
        if names:
            git(repo.root, "update-index", flag, "-z", "--stdin", data=names, extra=index)


def flagged(
    repo: Repository, files: Sequence[tuple[str, Blob | None]], index: Mapping[str, str]
) -> dict[str, bytes]:
    """For each flag the files that have it and stay, in the form that `update-index -z --stdin` reads."""
    stay = {_name(path) for path, blob in files if blob is not None}
    entries = git(repo.root, "ls-files", "-v", "-z", extra=index).split(b"\0")
    shown = [line for line in entries if line[2:] in stay]
    return {
        flag: b"".join(line[2:] + b"\0" for line in shown if line[:1] in letters)
        for flag, letters in _FLAGS.items()
    }


def index_info(repo: Repository, files: Sequence[tuple[str, Blob | None]]) -> bytes:
    """Files in the form that `update-index --index-info` reads."""
    lines = []
    for path, blob in files:
        name = _name(path)
        if blob is None:
            lines.append(b"0 %s\t%s\0" % (b"0" * len(repo.head or "0" * 40), name))
        else:
            lines.append(b"%s %s\t%s\0" % (blob.mode.encode(), blob.key.encode(), name))
    return b"".join(lines)


def _name(path: str) -> bytes:
    return path.encode("utf-8", "surrogateescape")
