"""Checkpoints as commits under `refs/spark/<session>/<number>`.

Each is two commits: the touched files before the change, and on top of it the files after. The user's index,
branches, stash, hooks and config are never touched: trees are made in a private index, and bytes are stored
without filters.
"""

from __future__ import annotations

import contextlib
import shutil
import stat
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from spark_tui.errors import MalformedInput, Refused
from spark_tui.workspace.checkpoints import (
    ChangedContents,
    ChangedFile,
    Checkpoint,
    CheckpointNote,
    CheckpointStore,
    Side,
    from_json,
    in_order,
    next_number,
    safe_session,
    to_json,
)
from spark_tui.workspace.file_checkpoints import FileCheckpoints
from spark_tui.workspace.git import GitFailed, git, text
from spark_tui.workspace.git_index import blobs
from spark_tui.workspace.repository import Repository

_IDENTITY = {
    "GIT_AUTHOR_NAME": "spark",
    "GIT_AUTHOR_EMAIL": "spark@localhost",
    "GIT_COMMITTER_NAME": "spark",
    "GIT_COMMITTER_EMAIL": "spark@localhost",
}
_TRIES = 20


class GitCheckpoints:
    """A `CheckpointStore` inside a repository."""

    def __init__(self, repo: Repository, scratch: Path) -> None:
        """`scratch`: a folder for files that are in the making, of one process at a time."""
        self.repo, self._scratch_folder = repo, scratch
        self._worktree = "" if repo.git_dir.samefile(repo.common_dir) else repo.git_dir.name

    def save(self, session: str, note: CheckpointNote, sides: ChangedContents) -> Checkpoint:
        session, note = safe_session(session), replace(note, worktree=self._worktree)
        with self._scratch() as folder:
            files = sides.files(self._store(folder, sides.contents).__getitem__)
            old = self._commit(folder, "before", files, note.folder, f"before: {_subject(note)}", "")
            message = f"{_subject(note)}\n\n{to_json(note, files)}\n"
            new = self._commit(folder, "after", files, note.folder, message, old)
        return Checkpoint(session, self._number(session, new), note, files)

    @contextlib.contextmanager
    def _scratch(self) -> Iterator[Path]:
        """An empty folder, without what a killed process left in it."""
        shutil.rmtree(self._scratch_folder, ignore_errors=True)
        self._scratch_folder.mkdir(mode=0o700, parents=True)
        try:
            yield self._scratch_folder
        finally:
            shutil.rmtree(self._scratch_folder, ignore_errors=True)

    def _store(self, folder: Path, contents: Sequence[bytes]) -> dict[bytes, str]:
        """Write the blobs in one process. Returns their object ids by content."""
        distinct = {data: folder / f"blob-{number}" for number, data in enumerate(dict.fromkeys(contents))}
        if not distinct:
            return {}
        for data, name in distinct.items():
            name.write_bytes(data)
        listing = "".join(f"{name}\n" for name in distinct.values()).encode()
        try:
            out = git(self.repo.root, "hash-object", "-w", "--no-filters", "--stdin-paths", data=listing)
        except GitFailed as error:
            what = "the checkpoint cannot be written"
            raise Refused(what, where=str(self.repo.git_dir), hint=error.hint) from error
        return dict(zip(distinct, text(out).split("\n"), strict=True))

    def _commit(
        self, folder: Path, side: Side, files: Sequence[ChangedFile], prefix: str, message: str, parent: str
    ) -> str:
        index = {"GIT_INDEX_FILE": str(folder / f"index-{side}")}
        lines = []
        for file in files:
            key, mode = file.key(side), file.mode(side)
            if key:
                kind = b"120000" if stat.S_ISLNK(mode) else b"100755" if mode & 0o111 else b"100644"
                name = (prefix + file.path).encode("utf-8", "surrogateescape")
                lines.append(b"%s %s\t%s\0" % (kind, key.encode(), name))
            if side == "after" and file.base:
                # Keep the base from being collected: nothing else names it.
                lines.append(b"100644 %s\t.spark-base/%s\0" % (file.base.encode(), file.base.encode()))
        git(self.repo.root, "update-index", "-z", "--index-info", data=b"".join(lines), extra=index)
        tree = text(git(self.repo.root, "write-tree", extra=index))
        parents = ("-p", parent) if parent else ()
        data = message.encode("utf-8", "surrogateescape")
        return text(git(self.repo.root, "commit-tree", tree, *parents, "-F", "-", data=data, extra=_IDENTITY))

    def _number(self, session: str, commit: str) -> int:
        """Name the commit by the session's next number. No ref is overwritten."""
        for tried in range(_TRIES):
            # A git that was killed may have left a lock on the first.
            number = next_number(self._numbers(session)) + tried // 2
            try:
                git(self.repo.root, "update-ref", f"refs/spark/{session}/{number}", commit, "0" * len(commit))
                return number
            except GitFailed as error:
                failure = error
        raise Refused("the checkpoint cannot be named", where=str(self.repo.git_dir), hint=failure.hint)

    def _numbers(self, session: str) -> list[int]:
        names = text(git(self.repo.root, "for-each-ref", "--format=%(refname)", f"refs/spark/{session}/"))
        last = [name.rsplit("/", 1)[-1] for name in names.split("\n")]
        return [int(number) for number in last if number.isdigit()]

    def list(self, session: str = "", *, everywhere: bool = False) -> list[Checkpoint]:
        where = f"refs/spark/{safe_session(session)}/" if session else "refs/spark/"
        out = git(self.repo.root, "for-each-ref", "--format=%(refname)%00%(contents:body)%00%00", where)
        found = []
        for record in out.split(b"\0\0\n"):
            name, _, body = record.partition(b"\0")
            parts = text(name).split("/")
            if len(parts) == 4 and parts[3].isdigit() and body.lstrip().startswith(b'{"spark"'):
                # A record that cannot be read does not hide the others.
                with contextlib.suppress(MalformedInput):
                    found.append(from_json(parts[2], int(parts[3]), text(body)))
        here = (None, self._worktree)
        return in_order(item for item in found if everywhere or item.note.worktree in here)

    def blobs(self, keys: Collection[str]) -> dict[str, bytes]:
        return blobs(self.repo, keys)

    def sizes(self, keys: Sequence[str]) -> dict[str, int]:
        if not keys:
            return {}
        data = "\n".join(keys).encode() + b"\n"
        out = text(git(self.repo.root, "cat-file", "--batch-check=%(objectname) %(objectsize)", data=data))
        pairs = (line.split(" ") for line in out.split("\n"))
        return {pair[0]: int(pair[1]) for pair in pairs if len(pair) == 2 and pair[1].isdigit()}

    def remove(self, checkpoints: Sequence[Checkpoint]) -> None:
        data = b"".join(b"delete refs/spark/%s\0\0" % checkpoint.id.encode() for checkpoint in checkpoints)
        if data:
            git(self.repo.root, "update-ref", "--stdin", "-z", data=data)


def _subject(note: CheckpointNote) -> str:
    words = " ".join(note.label.split())[:100]
    return f"spark {note.kind}: {words}" if words else f"spark {note.kind}"


def open_store(repo: Repository | None, folder: Path) -> CheckpointStore:
    """The store in the repository where that is writable, else the one in the private folder."""
    if repo is None or not repo.writable:
        return FileCheckpoints(folder)
    return GitCheckpoints(repo, folder / "scratch")
