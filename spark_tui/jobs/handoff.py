"""Ends a job: its hunks become an ordinary session of the person's repository, with nothing written.

Where a process is killed in the middle, all of it can be done again from the beginning.
"""

from __future__ import annotations

import os
import shutil
import stat
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from spark_tui.backends.base import Backend
from spark_tui.config.settings import Settings
from spark_tui.errors import Misfit, SparkError
from spark_tui.events import Failed, HunkFailed
from spark_tui.jobs import job as jobs
from spark_tui.jobs.check_history import kill_leftover_check
from spark_tui.jobs.job import Job, ReplacedLines
from spark_tui.jobs.job_diff import DiffPiece, JobDiffBackend, as_answer, pieces
from spark_tui.session.session import Session, new_id
from spark_tui.session.storage.turn_storage import SessionFacts, write_facts
from spark_tui.workspace import worktrees
from spark_tui.workspace.files import FileText, is_binary
from spark_tui.workspace.git import git, text
from spark_tui.workspace.git_checkpoints import open_store
from spark_tui.workspace.repository import find_repository

_AS_THEY_ARE = "* -text -eol -filter -diff -ident -working-tree-encoding\n"


@dataclass(frozen=True, slots=True)
class FileDifference:
    """One file in two snapshots. A missing side has the mode 0."""

    path: str
    old_mode: int
    new_mode: int
    old: str
    new: str


class Snapshots:
    def __init__(self, folder: Path, tree: Path) -> None:
        self._folder, self._tree = folder, tree

    def begin(self, paths: Sequence[str], exclude: Path) -> str:
        """Take the first snapshot, of these paths. `exclude`: the file `info/exclude` of the person's
        repository."""
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
        """Take a snapshot of everything that git does not ignore."""
        self._git("add", "--all")
        return text(self._git("write-tree"))

    def restore(self, snapshot: str) -> None:
        """Restore the tree to a snapshot. New files that git ignores stay."""
        self._git("read-tree", "--reset", "-u", snapshot)
        self._git("checkout-index", "--force", "--all", "--quiet")
        self._git("clean", "-ffdq")

    def differences(self, old: str, new: str) -> list[FileDifference]:
        """The files that differ between two snapshots. Works without the tree."""
        own = ("--git-dir", str(self._folder))
        flags = ("-r", "-z", "--raw", "--no-renames", "--full-index")
        fields = git(self._folder, *own, "diff-tree", *flags, old, new).split(b"\0")
        found = []
        for head, path in zip(fields[0::2], fields[1::2], strict=False):
            old_mode, new_mode, *keys, _ = head.decode().removeprefix(":").split(" ")
            modes = int(old_mode, 8), int(new_mode, 8)
            found.append(FileDifference(os.fsdecode(path), *modes, *keys))
        return found

    def blob(self, key: str) -> bytes:
        return git(self._folder, "--git-dir", str(self._folder), "cat-file", "blob", key)

    def _git(self, *words: str, data: bytes = b"") -> bytes:
        own = ("--git-dir", str(self._folder), "--work-tree", str(self._tree))
        plain = ("-c", "core.bare=false", "-c", "core.autocrlf=false", "-c", "core.safecrlf=false")
        return git(self._tree, *own, *plain, *words, data=data)


_ENDS = {"waiting": "not begun", "working": "stopped"}
"""States of instructions that the end of the job changes."""
_NAME_CHARS = 60


def snapshots_of(folder: Path, job: Job) -> Snapshots:
    return Snapshots(folder / "snapshots", Path(job.tree))


def check_pid_file(folder: Path) -> Path:
    """Names the process group of the running check."""
    return folder / "check.pid"


def hand_over(folder: Path, job: Job, phase: str) -> None:
    """End a job: its hunks become a session, and its worktree is removed. The caller holds the claim."""
    kill_leftover_check(check_pid_file(folder))
    if not job.over:
        for task in job.tasks:
            task.state = _ENDS.get(task.state, task.state)
        if job.kept and job.kept != job.start:
            _create_session(folder, job)
        job.phase, job.ended = phase, time.time()
        jobs.write(folder, job)
    if _clean_up(folder, job):
        job.tree = ""
        jobs.write(folder, job)


def _create_session(folder: Path, job: Job) -> None:
    state = folder.parent.parent
    if job.session:
        # A process was killed at this point.
        shutil.rmtree(state / "sessions" / job.session, ignore_errors=True)
    job.session = new_id()
    jobs.write(folder, job)
    known, versions, answer = _differences(folder, job)
    backend: Backend = JobDiffBackend(as_answer([DiffPiece(summary(job)), *answer]))
    session = Session(Path(job.root), backend, Settings(), state, session_id=job.session)
    try:
        # Instructions that brought nothing are in the answer, and not in the message of a commit.
        asked = "\n".join(task.text for task in job.tasks if task.hunks)
        for event in session.delivered.run(asked, backend, known):
            if isinstance(event, HunkFailed):
                job.note = f"{event.path}: cannot be placed: {event.message}"
            elif isinstance(event, Failed):
                raise Misfit(event.what, where=event.where, hint=event.hint)
        job.changes = [
            ReplacedLines(hunk.path, versions[hunk.path], hunk.old_start, hunk.old_end)
            for hunk in session.decisions.offered()
        ]
        name = f"job {job.id}: {job.title}"
        write_facts(
            session.folder, SessionFacts(name if len(name) <= _NAME_CHARS else f"{name[: _NAME_CHARS - 1]}…")
        )
    finally:
        session.close()


def _differences(
    folder: Path, job: Job
) -> tuple[dict[str, FileText | None], dict[str, str], list[DiffPiece]]:
    """The files that differ, as they were when the job began, the keys of these versions, and their
    differences."""
    snapshots = snapshots_of(folder, job)
    doubts = [doubt for task in job.tasks for doubt in task.doubts]
    known: dict[str, FileText | None] = {}
    versions: dict[str, str] = {}
    answer: list[DiffPiece] = []
    for difference in snapshots.differences(job.start, job.kept):
        old, new = _file(snapshots, difference, old=True), _file(snapshots, difference, old=False)
        there = [file for file in (old, new) if file is not None]
        if not there or any(is_binary(file.data) for file in there):
            job.note = f"{difference.path}: is not text and was left unchanged"
            continue
        known[difference.path], versions[difference.path] = old, difference.old
        answer += pieces(old, new, doubts)
    return known, versions, answer


def _file(snapshots: Snapshots, difference: FileDifference, *, old: bool) -> FileText | None:
    mode, key = (difference.old_mode, difference.old) if old else (difference.new_mode, difference.new)
    return FileText(difference.path, snapshots.blob(key), stat.S_IMODE(mode)) if stat.S_ISREG(mode) else None


def summary(job: Job) -> str:
    """The text above the hunks."""
    check = "" if job.passes is None else f"; `{job.check}` {'passes' if job.passes else 'fails'}"
    lines = [f"{job.done} of {len(job.tasks)} done{check}."]
    lines += [
        f"• not {'finished' if task.unfinished else 'done'}: {task.named} ({task.end_reason})"
        for task in job.tasks
        if task.state != "done"
    ]
    return "".join(f"{' '.join(line.split())}\n" for line in lines).replace("```", "'''") + "\n"


def _clean_up(folder: Path, job: Job) -> bool:
    """Remove the worktree, the snapshots, and the checkpoints of what was written there. Returns whether
    nothing is left."""
    root = Path(job.root)
    own = folder / "state"
    if root.is_dir():
        store = open_store(find_repository(root), own / "checkpoints")
        for session in (own / "sessions").glob("*"):
            store.remove(store.list(session.name, everywhere=True))
    removed = not job.tree or worktrees.remove(root, Path(job.tree))
    for left in (folder / "tree", folder / "snapshots", own):
        shutil.rmtree(left, ignore_errors=True)
    return removed


def end_orphans(state: Path) -> list[str]:
    """End the jobs that no process works on; their hunks come back for review. Returns a line for each."""
    if not jobs.jobs_dir(state).is_dir():
        return []
    outcomes = [_end_orphan(folder) for folder in jobs.folders(state) if not _is_ended(folder)]
    return [words for words in outcomes if words]


def _is_ended(folder: Path) -> bool:
    try:
        job = jobs.read(folder)
    except SparkError:
        return False
    return job.over and not job.tree


def _end_orphan(folder: Path) -> str:
    with jobs.exclusive(folder.parent.parent):
        claim = jobs.take_claim(folder)
    if claim is None:
        return ""
    try:
        if not (folder / "job.json").exists():
            # The process was killed before it had written the job.
            shutil.rmtree(folder, ignore_errors=True)
            return ""
        job = jobs.read(folder)
        was_over = job.over
        hand_over(folder, job, "killed")
        if was_over:
            return ""
        came = "what it had done is ready for review" if job.session else "it had done nothing"
        killed = f"job {job.id} was killed after {job.settled} of {len(job.tasks)}"
        left = f"git keeps an entry of its worktree until {job.root} can be written"
        return f"{killed}; {came}, {left if job.tree else 'its worktree is removed'}"
    except SparkError as error:
        return f"job {folder.name} cannot be ended: {error}"
    finally:
        os.close(claim)
