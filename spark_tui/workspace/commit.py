"""Commit exactly some changes of a dirty tree, as the user's git would.

Hooks, signing and identity are the user's own. Nothing else that is dirty or staged goes in, and it is still
dirty or staged afterwards. Never a push.
"""

from __future__ import annotations

import contextlib
import fcntl
import re
import shlex
import time
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from textwrap import TextWrapper

from spark_tui.errors import NothingToDo, Refused, SparkError, TreeChanged, UsageError
from spark_tui.workspace.apply import ChangedMeanwhile, ConflictedFile, Merge
from spark_tui.workspace.commit_finisher import (
    COMMIT,
    IndexNotUpdated,
    commit_folder,
    finish_killed,
    finished_if_killed,
    from_hooks,
    is_made,
)
from spark_tui.workspace.disk import opened_folder
from spark_tui.workspace.git import GitFailed, git, git_processes, text
from spark_tui.workspace.git_index import (
    Blob,
    Files,
    blobs,
    copy_index,
    flagged,
    in_commit,
    in_index,
    index_lock,
    keeps_endings,
    key_of,
    put,
    replace_in_index,
    stored,
)
from spark_tui.workspace.repository import Repository, require_repository

_SUBJECT_LENGTH = 72
_ABOUT = re.compile(r"\s*about hunk \S+ \(\S+\): ", re.IGNORECASE)
"""The prefix that the workbench puts before a comment on a hunk."""
_LINK = "120000"
_MODES = ("100644", "100755")
_TRIES, _PAUSE_SECONDS = 200, 0.05
"""How long to wait for another commit: ten seconds, because hooks may take a while."""
_SAID_AFTER = 4
"""Tries: most who hold the index have let it go before anyone could read that they do."""

Says = Callable[[str], None] | None


@dataclass(frozen=True, slots=True)
class CommitPiece:
    """One file of a commit, as it is in the working tree; None where it does not exist. Several pieces of one
    path are consecutive steps, without what the user changed in between."""

    path: str
    before: bytes | None
    after: bytes | None
    was_executable: bool = False
    executable: bool = False
    was_link: bool = False
    is_link: bool = False
    """Before or after, the path is a symbolic link; its bytes are where it points."""


@dataclass(frozen=True, slots=True)
class _Entry:
    """What a path becomes: in the commit, and in the user's index."""

    path: str
    committed: Blob | None
    head: Blob | None
    staged: Blob | None


def draft_message(requests: Sequence[str], paths: Sequence[str]) -> str:
    """A first message from what was asked for: the first sentence of each request as a subject, without names
    of files that are in the commit; below it the whole requests where it had to be cut, and several files."""
    first = "; ".join(filter(None, (_first_sentence(request, paths) for request in requests)))
    parts = [(first[:1].upper() + first[1:]) or "Edit " + ", ".join(sorted(paths)[:3])]
    if len(parts[0]) > _SUBJECT_LENGTH:
        parts[0] = parts[0][: _SUBJECT_LENGTH - 1].rsplit(" ", 1)[0] + "…"
        parts += [_wrapped(request) for request in requests]
    if len(set(paths)) > 1:
        parts.append("\n".join(f"- {path}" for path in sorted(set(paths))))
    return "\n\n".join(parts) + "\n"


def _wrapped(request: str) -> str:
    wrapper = TextWrapper(_SUBJECT_LENGTH, break_long_words=False, break_on_hyphens=False)
    return "\n".join(map(wrapper.fill, request.strip().splitlines()))


def _first_sentence(request: str, named: Collection[str]) -> str:
    """Without mentions of these files, and without the hunk that it was said about."""
    words = _ABOUT.sub("", request)
    for path in map(re.escape, named):
        words = re.sub(rf'(?:\bin\s+)?@("?){path}\1[,:]?(?!\S)', "", words)
    words = " ".join(words.split())
    first = next((part for part in words.replace("! ", ". ").replace("? ", ". ").split(". ") if part), "")
    return first.rstrip(".!?")


def commit(
    repo: Repository, pieces: Sequence[CommitPiece], message: str, merge: Merge, says: Says = None
) -> str:
    """Make the commit and return its id. `says` is told what is waited for.

    Raises NothingToDo where the head has all of it, ConflictedFile where a hunk is next to lines that are
    uncommitted or staged differently, Refused in the middle of a merge or while another git has the index,
    TreeChanged where a commit came in between, Refused with git's words, for example if a hook refuses.
    Whatever is raised, nothing is committed, but for IndexNotUpdated.
    """
    finish_killed(repo)
    with _alone(repo, says) as claim:
        # The head of now, not of before the wait: a commit that is made for an older one would take the newer
        # one back.
        return _commit(require_repository(repo.root), pieces, message, merge, says, claim)


def check(repo: Repository, pieces: Sequence[CommitPiece], merge: Merge) -> None:
    """Raise what `commit` would raise before it begins. Nothing is committed."""
    _entries(repo, pieces, merge)


@contextlib.contextmanager
def _alone(repo: Repository, says: Says) -> Iterator[int]:
    """Allow one commit at a time in this working tree, and none while another git holds the index. Gives the
    locked folder."""
    with opened_folder(repo.git_dir) as fd:
        if not _wait(lambda: _lock(fd) and not index_lock(repo).exists(), repo, says):
            what = f"{_in_the_way(repo)}; nothing was committed"
            hint = "Try again when it has ended. If it crashed, remove index.lock in that folder."
            raise Refused(what, where=str(repo.git_dir), hint=hint)
        yield fd


def _lock(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return True  # a file system without locks
    return True


def _wait(free: Callable[[], bool], repo: Repository, says: Says) -> bool:
    for tried in range(_TRIES):
        if free():
            return True
        if tried == _SAID_AFTER and says is not None:
            says(f"waiting up to {_TRIES * _PAUSE_SECONDS:.0f} s: {_in_the_way(repo)}")
        time.sleep(_PAUSE_SECONDS)
    return False


def _in_the_way(repo: Repository) -> str:
    """Who uses the index, as far as it can be seen."""
    if not index_lock(repo).exists():
        return "another spark commits here"
    if running := git_processes(repo.root):
        return f"the index is locked by {running[0]}"
    return "the index is locked by another program (index.lock)"


def _commit(
    repo: Repository, pieces: Sequence[CommitPiece], message: str, merge: Merge, says: Says, claim: int
) -> str:
    if not message.strip():
        raise UsageError("a commit needs a message")
    entries = _entries(repo, pieces, merge)
    with commit_folder(repo) as folder:
        index = {"GIT_INDEX_FILE": str(folder / "index"), "SPARK_FOLDER": str(folder)}
        copy_index(repo, folder / "index")
        files = [(entry.path, entry.committed) for entry in entries]
        put(repo, files, flagged(repo, files, index), index)
        words = folder / "message"
        words.write_text(message, "utf-8", "surrogateescape")
        staged = [(entry.path, entry.staged) for entry in entries]
        with finished_if_killed(repo, folder, staged, claim):
            try:
                git(repo.root, "commit", "--quiet", "-F", str(words), hooks=True, extra=index, script=COMMIT)
            except GitFailed as error:
                if "cannot lock ref 'HEAD'" in error.stderr and "File exists" not in error.stderr:
                    raise _came_first(repo) from error
                if not is_made(repo, index):
                    what = "git commit failed; nothing was committed"
                    raise Refused(what, where=error.where, hint=error.hint) from error
            made = _own(repo, text(git(repo.root, "write-tree", extra=index)))
            _take_over(repo, folder, entries, made, merge, says)
    return made


def _entries(repo: Repository, pieces: Sequence[CommitPiece], merge: Merge) -> list[_Entry]:
    if repo.underway:
        what = f"a {repo.underway} is in progress"
        raise Refused(what, where=str(repo.root), hint="Finish or abort it first.")
    by_path: dict[str, list[CommitPiece]] = {}
    for piece in pieces:
        by_path.setdefault(piece.path, []).append(piece)
    heads, index = in_commit(repo, repo.head, [*by_path]), in_index(repo, [*by_path])
    entries = [_entry(repo, path, heads.get(path), index, steps, merge) for path, steps in by_path.items()]
    entries = [entry for entry in entries if _differs(entry.committed, entry.head)]
    if not entries:
        raise NothingToDo("the last commit already has these changes")
    return entries


def _own(repo: Repository, tree: str) -> str:
    """The commit that was made if its parent is the expected head; else it is undone."""
    made, its_tree, *parents = text(git(repo.root, "rev-parse", "HEAD", "HEAD^{tree}", "HEAD^@")).split("\n")
    if its_tree == tree and parents != ([repo.head] if repo.head else []):
        # Git took a newer head for its parent, and the files of the older one: what came in between would be
        # undone.
        git(repo.root, "update-ref", "-m", "spark: another commit came first", "HEAD", parents[0], made)
        raise _came_first(repo)
    return made


def _came_first(repo: Repository) -> TreeChanged:
    what = "another commit was made meanwhile"
    return TreeChanged(what, where=str(repo.root), hint="Nothing is lost: commit again.")


def _take_over(
    repo: Repository, folder: Path, entries: Sequence[_Entry], made: str, merge: Merge, says: Says
) -> None:
    """The user's index still has the old head's files: it gets the new ones, also where something else is
    staged. Both are read again, because hooks may have changed the commit, and the user what is staged."""
    files: list[tuple[str, Blob | None]] = []
    paths = [entry.path for entry in entries]
    commit, index = in_commit(repo, made, paths), in_index(repo, paths)
    for entry in entries:
        with contextlib.suppress(TreeChanged, Refused):  # what was staged beside it meanwhile stays
            now = commit.get(entry.path)
            files.append((entry.path, _staged(repo, entry.path, index, entry.head, now, merge)))
    files += from_hooks(repo, made, {entry.path for entry in entries})
    flags = flagged(repo, files, {})
    try:
        taken = _wait(lambda: replace_in_index(repo, folder, files, flags), repo, says)
        why = "" if taken else _in_the_way(repo)
    except OSError as error:
        why = error.strerror or str(error)
    except SparkError as error:
        why = error.what
    if why:
        names = shlex.join(entry.path for entry in entries)
        raise IndexNotUpdated(
            f"committed as {made[:12]}, but {why}: the index was not updated",
            where=str(repo.git_dir),
            hint="spark does it when it starts next. By hand: git reset -q -- " + names,
        )
    git(repo.root, "update-index", "-q", "--refresh", fine=(0, 1))


def _entry(
    repo: Repository, path: str, head: Blob | None, index: Files, steps: Sequence[CommitPiece], merge: Merge
) -> _Entry:
    """Make the steps on the head's version, and the same on what is staged."""
    committed = head
    for piece in steps:
        if committed is not None and (committed.mode == _LINK) != piece.was_link:
            what = "the commit has a symbolic link here, or the working tree has one instead"
            raise Refused(what, where=path)
        modes = (piece.was_link, piece.was_executable), (piece.is_link, piece.executable)
        old, new = (_LINK if link else _MODES[executable] for link, executable in modes)
        before = _clean(repo, path, piece.before, old, head)
        after = _clean(repo, path, piece.after, new, head)
        committed = _on(repo, path, committed, before, after, merge)
    return _Entry(path, committed, head, _staged(repo, path, index, head, committed, merge))


def _staged(
    repo: Repository, path: str, index: Files, head: Blob | None, committed: Blob | None, merge: Merge
) -> Blob | None:
    """What the user's index gets."""
    staged = index.get(path)
    return committed if not _differs(staged, head) else _on(repo, path, staged, head, committed, merge)


def _on(
    repo: Repository, path: str, ground: Blob | None, before: Blob | None, after: Blob | None, merge: Merge
) -> Blob | None:
    """The step from before to after, made on another version of the file."""
    if not _differs(ground, before):
        return after
    if not _differs(ground, after):
        return ground
    if ground is None and before is not None:
        what = "this file is not committed yet, so a part of it cannot be committed"
        raise Refused(what, where=path, hint="Commit the file first.")
    if ground is None or before is None or (after is None and ground.data != before.data):
        raise _uncommitted(ChangedMeanwhile(path, ()))
    if after is None:
        return None
    # A mode that only the user changed is not of this commit.
    mode = after.mode if after.mode != before.mode else ground.mode
    if ground.data == before.data:
        return Blob(after.key, mode, after.data)
    merged, clashes = merge(before.data, ground.data, after.data)
    if merged is None:
        raise _uncommitted(ChangedMeanwhile(path, tuple(clashes)))
    return stored(repo, merged, mode)


def _uncommitted(meanwhile: ChangedMeanwhile) -> ConflictedFile:
    what = "a hunk is next to lines that are uncommitted or staged differently"
    hint = "Nothing was committed and the file is unchanged. Commit those lines first."
    return ConflictedFile([meanwhile], what=what, hint=hint)


def _differs(one: Blob | None, other: Blob | None) -> bool:
    return (one and (one.key, one.mode)) != (other and (other.key, other.mode))


def _clean(repo: Repository, path: str, data: bytes | None, mode: str, head: Blob | None) -> Blob | None:
    """Bytes of the working tree as git would store them: its filters and line endings apply."""
    if data is None:
        return None
    # A link's bytes are a path: filters and line endings are not for them.
    how = "--no-filters" if mode == _LINK else f"--path={path}"
    key = text(git(repo.root, "hash-object", "-w", "--stdin", how, data=data))
    found = Blob(key, mode, data if key == key_of(data, len(key)) else blobs(repo, [key])[key])
    if head is None or b"\r\n" not in head.data or found.data != data.replace(b"\r\n", b"\n"):
        return found
    return stored(repo, data, mode) if keeps_endings(repo, path) else found
