"""Files in git's index and in commits, as git stores them."""

from __future__ import annotations

import contextlib
import hashlib
import os
import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.errors import MalformedInput, Refused
from spark_tui.workspace.git import git, text
from spark_tui.workspace.repository import Repository

_FLAGS = {"--skip-worktree": (b"S", b"s"), "--assume-unchanged": (b"s", b"h")}
"""Flags of entries, with the letters that `ls-files -v` shows for them."""
_SUBMODULE = "160000"
_MOST_PATHS = 500


@dataclass(frozen=True, slots=True)
class Blob:
    """A file as git stores it, after filters and line-ending conversion."""

    key: str
    mode: str
    data: bytes


class Files:
    """Files of a commit or of the index, read together: a process for each would take its time."""

    def __init__(
        self, repo: Repository, listed: Mapping[str, tuple[str, str]], refused: Mapping[str, Refused]
    ):
        """`listed`: mode and key by path. `refused`: why a path is none that can be committed."""
        self._refused = refused
        kept = blobs(repo, {key for _, key in listed.values()})
        self._found = {path: Blob(key, mode, kept[key]) for path, (mode, key) in listed.items()}

    def get(self, path: str) -> Blob | None:
        if path in self._refused:
            raise self._refused[path]
        return self._found.get(path)

    def drop(self, paths: Collection[str]) -> None:
        """Take these for not there."""
        self._found = {path: found for path, found in self._found.items() if path not in paths}

    def empty(self) -> set[str]:
        """The files that have no bytes."""
        return {path for path, found in self._found.items() if not found.data}


def blobs(repo: Repository, keys: Collection[str]) -> dict[str, bytes]:
    """What is kept under these keys."""
    found: dict[str, bytes] = {}
    data = "".join(f"{key}\n" for key in keys).encode()
    out, at = (git(repo.root, "cat-file", "--batch", data=data) if keys else b""), 0
    while at < len(out):
        end = out.index(b"\n", at)
        key, kind, *size = out[at:end].decode().split(" ")
        if not size:
            raise MalformedInput(f"an object of the repository is {kind}", where=key)
        at = end + 1 + int(size[0]) + 1
        found[key] = out[end + 1 : at - 1]
    return found


def in_commit(repo: Repository, commit: str, paths: Sequence[str]) -> Files:
    """Those of the paths that a commit has; none where there is no commit."""
    listed, refused = {}, {}
    for words, path in _listed(repo, ("ls-tree", "-z", commit), paths) if commit else ():
        mode, kind, key = words.split(" ")
        if kind == "blob":
            listed[path] = mode, key
        else:
            refused[path] = Refused("the commit has no regular file here", where=path)
    return Files(repo, listed, refused)


def _listed(repo: Repository, asked: Sequence[str], paths: Sequence[str]) -> Iterator[tuple[str, str]]:
    """What git lists of these paths, each with the words before it. A command line takes so many."""
    for first in range(0, len(paths), _MOST_PATHS):
        out = git(repo.root, *asked, "--", *paths[first : first + _MOST_PATHS])
        for line in out.split(b"\0")[:-1]:
            words, name = line.split(b"\t", 1)
            yield words.decode(), name.decode("utf-8", "surrogateescape")


def stored(repo: Repository, data: bytes, mode: str) -> Blob:
    """Bytes put into the repository as they are."""
    return Blob(text(git(repo.root, "hash-object", "-w", "--no-filters", "--stdin", data=data)), mode, data)


def key_of(data: bytes, length: int) -> str:
    """The name that git gives to a file of these bytes, by its long or its short hash."""
    kind = hashlib.sha256 if length == hashlib.sha256().digest_size * 2 else hashlib.sha1
    return kind(b"blob %d\0" % len(data) + data).hexdigest()


def keeps_endings(repo: Repository, path: str) -> bool:
    """Whether a file that was committed with CRLF keeps it: git converts those only that are said to be
    text. `hash-object` does not know what was committed."""
    out = git(repo.root, "check-attr", "-z", "text", "crlf", "eol", "--", path)
    words = out.decode("utf-8", "surrogateescape").split("\0")[2::3]
    return words[0] == "auto" or set(words) == {"unspecified"}


def names_in(repo: Repository, commit: str, paths: Sequence[str]) -> set[str]:
    """Those of the paths that a commit has."""
    return set(entries(repo, paths, commit)) if commit else set()


def in_index(repo: Repository, paths: Sequence[str]) -> Files:
    """What is staged, without the files of `git add --intent-to-add`."""
    listed, refused = {}, {}
    for words, path in _listed(repo, ("ls-files", "-s", "-z"), paths):
        mode, key, stage = words.split(" ")
        if stage == "0":
            listed[path] = mode, key
        else:
            refused[path] = Refused("this file is unmerged", where=path, hint="Resolve it first.")
    found = Files(repo, {path: one for path, one in listed.items() if one[0] != _SUBMODULE}, refused)
    if found.empty():
        out = git(repo.root, "diff", "--name-only", "-z", "--diff-filter=A")
        found.drop({name.decode("utf-8", "surrogateescape") for name in out.split(b"\0")})
    return found


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
    found = {}
    for words, path in _listed(
        repo, ("ls-tree", "-z", commit) if commit else ("ls-files", "-s", "-z"), paths
    ):
        mode, *more = words.split(" ")
        key, rest = (more[1], []) if commit else (more[0], more[1:])
        found[path] = [mode, key, *(one for one in rest if one != "0")]
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
