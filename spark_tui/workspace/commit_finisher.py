"""Finishes a commit whose process is killed before the user's index has the new files: with the old ones in
it, the next commit would take the new ones back.

A folder beside the index says what the index is to get; it is on the disk before the head moves. A shell in a
session of its own waits until spark has ended, then until git has, because hooks go on, and finishes. Where
that is killed too, the next start does. Of files of which nothing else is staged, those too that hooks added
to the commit, the index gets what the hooks made of them.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

from spark_tui.errors import Refused, SparkError
from spark_tui.workspace.disk import cannot_write, opened_folder, replace_file
from spark_tui.workspace.git import git, text, without_variables
from spark_tui.workspace.git_index import Blob, entries, flagged, replace_in_index, unlock
from spark_tui.workspace.repository import Repository, require_repository

COMMIT = 'echo $$ > "$SPARK_FOLDER/git"; exec "$@"'
"""Runs git and says which process it is."""

_WAIT = """
read -r ended && exit
pid=$(cat "$1/git")
shift
is_dead() { grep -q ') Z ' /proc/$1/stat || ps -o stat= -p $1 | grep -q '^Z'; }
while kill -0 $pid && ! is_dead $pid; do sleep 0.1; done
exec "$@"
"""
_FINISH = (
    "import json, pathlib, sys; sys.path[:] = json.loads(sys.argv[3]); "
    "from spark_tui.workspace.commit_finisher import finish; "
    "finish(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), tries=10)"
)
_ENDED = b"ended\n"
"""What the shell reads where there is nothing to finish."""
_PREFIX, _RECORD = "spark-commit-", "record.json"

Paths = Sequence[tuple[str, Blob | None]]
"""Paths, with what the user's index gets of each."""


class IndexNotUpdated(Refused):
    """The commit is made, and the index has the old files yet."""


@contextmanager
def commit_folder(repo: Repository) -> Iterator[Path]:
    """A folder for the files of one commit, which stays for the next start where the index was not updated.
    Raises NoPlace where the disk is full."""
    folder = None
    try:
        folder = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=repo.git_dir))
        yield folder
    except IndexNotUpdated:
        folder = None
        raise
    except OSError as error:
        where = str(repo.git_dir)
        raise cannot_write(error, "git commit failed", where, "Nothing was committed.") from error
    finally:
        if folder is not None:
            _forget(folder)


@contextmanager
def finished_if_killed(repo: Repository, folder: Path, files: Paths, claim: int) -> Iterator[None]:
    """Make sure of the index while a commit runs. The folder has the private index; the claim is the open
    git folder, locked, which others wait for until the shell has ended too."""
    _write_record(repo, folder, files)
    where = json.dumps([path for path in sys.path if path])
    finish = [sys.executable, "-P", "-c", _FINISH, str(repo.root), str(folder), where]
    shell = subprocess.Popen(
        [*without_variables({}), "sh", "-c", _WAIT, "sh", str(folder), *finish],
        stdin=subprocess.PIPE,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        pass_fds=(claim,),
        start_new_session=True,
    )
    try:
        yield
    except SparkError:
        shell.communicate(_ENDED)
        raise
    except BaseException:
        shell.communicate()  # interrupted: whether there is a commit is for the shell to see
        raise
    shell.communicate(_ENDED)


def _write_record(repo: Repository, folder: Path, files: Paths) -> None:
    was = entries(repo, [path for path, _ in files])
    record = {
        "head": repo.head,
        "tree": text(git(repo.root, "write-tree", extra=_private(folder))),
        "files": [[path, was.get(path), blob and (blob.mode, blob.key)] for path, blob in files],
    }
    replace_file(folder / _RECORD, json.dumps(record).encode())
    with opened_folder(folder) as inner, opened_folder(repo.git_dir) as outer:
        for fd in (inner, outer):
            with contextlib.suppress(OSError):  # some file systems cannot do this
                os.fsync(fd)


def _private(folder: Path) -> dict[str, str]:
    return {"GIT_INDEX_FILE": str(folder / "index")}


def finish_killed(repo: Repository) -> None:
    """Finish the commits here whose processes were killed. One that goes on is left alone."""
    if not (found := sorted(repo.git_dir.glob(f"{_PREFIX}*"))):
        return
    with opened_folder(repo.git_dir) as fd:
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return
        for folder in found:
            if not _goes_on(folder):
                with contextlib.suppress(SparkError, OSError):  # the next start tries again
                    finish(repo.root, folder)


def _goes_on(folder: Path) -> bool:
    """Whether git still runs: the hooks of a commit outlive spark."""
    try:
        pid = int((folder / "git").read_text())
        os.kill(pid, 0)
        state = Path(f"/proc/{pid}/stat").read_text()
    except (ValueError, ProcessLookupError, FileNotFoundError):
        return False
    except OSError:
        return True
    return "(git) " in state and ") Z " not in state


def finish(root: Path, folder: Path, tries: int = 1) -> None:
    """Update the index if the commit of this folder is the head, and forget the folder. It stays where
    another git holds the index."""
    repo = require_repository(root)
    try:
        record = json.loads((folder / _RECORD).read_bytes())
        head, tree, files = (record[name] for name in ("head", "tree", "files"))
    except (OSError, ValueError, KeyError, TypeError):
        _forget(folder)  # the head had not moved
        return
    (folder / "index.lock").unlink(missing_ok=True)
    unlock(repo, folder)
    old = replace(repo, head=head)
    made = is_made(old, _private(folder), tree)
    for left in reversed(range(tries)):
        if not made or replace_in_index(repo, folder, *_wanted(old, repo.head, files)):
            _forget(folder)
            return
        if left:
            time.sleep(1)


def _wanted(repo: Repository, made: str, files: Sequence[Sequence[object]]) -> tuple[Paths, dict[str, bytes]]:
    """What the index gets. What was staged in a file since the commit began stays."""
    paths = [str(path) for path, *_ in files]
    old, new = (entries(repo, paths, commit) if commit else {} for commit in (repo.head, made))
    now = entries(repo, paths)
    found: list[tuple[str, Blob | None]] = []
    for path, (_, was, staged) in zip(paths, files, strict=True):
        if now.get(path) == old.get(path):
            found.append((path, _blob(new.get(path))))
        elif now.get(path) == was:
            found.append((path, _blob(staged)))
    found += from_hooks(repo, made, set(paths))
    return found, flagged(repo, found, {})


def _blob(entry: object) -> Blob | None:
    return Blob(str(entry[1]), str(entry[0]), b"") if isinstance(entry, list) else None


def is_made(repo: Repository, index: Mapping[str, str], known: str = "") -> bool:
    """Whether git made the commit of a private index before it was stopped, as a signal in the hook behind it
    does. `known` is a tree that it may have too: after a crash the private index may be lost."""
    if text(git(repo.root, "rev-parse", "--verify", "-q", "HEAD", fine=(0, 1))) == repo.head:
        return False
    tree, *parents = text(git(repo.root, "rev-parse", "HEAD^{tree}", "HEAD^@")).split("\n")
    if parents != ([repo.head] if repo.head else []):
        return False
    return tree == known or tree == text(git(repo.root, "write-tree", extra=index))


def from_hooks(repo: Repository, made: str, known: Collection[str]) -> Iterator[tuple[str, Blob | None]]:
    """Other files that a hook added to the commit, without those of which something else is staged: with the
    old version in the index the next commit would take them back."""
    out = git(repo.root, "diff-tree", "-r", "-z", "--root", "--no-renames", "--no-commit-id", made)
    fields = out.split(b"\0")
    for change, name in zip(fields[0::2], fields[1::2], strict=False):
        old_mode, mode, old_key, key, _ = change.decode().removeprefix(":").split(" ")
        path = name.decode("utf-8", "surrogateescape")
        if path in known:
            continue
        if entries(repo, [path]).get(path) == ([old_mode, old_key] if int(old_mode) else None):
            yield path, Blob(key, mode, b"") if int(mode) else None


def _forget(folder: Path) -> None:
    """The record first: without it the rest means nothing."""
    (folder / _RECORD).unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
