"""A job as it is stored in `jobs/<id>/job.json`, and the claim that tells whether a process works on it."""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput
from spark_tui.session.storage.journal import cannot_keep
from spark_tui.session.storage.turn_storage import write_atomically

SETTLED = ("done", "nothing", "check fails", "failed")
"""The final states of an instruction. Before: `waiting`, `working`; after a stop: `stopped`, `not begun`."""


@dataclass(slots=True)
class DoubtfulHunk:
    """A hunk that the model was unsure of: its file and the lines that it wrote, or took out."""

    path: str
    lines: tuple[str, ...]
    confidence: float
    reason: str


@dataclass(frozen=True, slots=True)
class ReplacedLines:
    """Lines `first..last-1` of a file that a hunk replaces. `version` tells one content of the file from
    another."""

    path: str
    version: str
    first: int
    last: int

    def touches(self, other: ReplacedLines) -> bool:
        """Whether a merge could not tell the two changes apart."""
        same = (self.path, self.version) == (other.path, other.version)
        return same and self.first <= other.last and other.first <= self.last


@dataclass(slots=True)
class JobTask:
    """One instruction, and its outcome."""

    text: str
    files: tuple[str, ...] = ()
    """The files that are named; the edit is in them."""
    in_view: str = ""
    """The file that was open; what is meant may be in another."""
    state: str = "waiting"
    note: str = ""
    hunks: int = 0
    rounds: int = 0
    """How often the model was told why its edit failed."""
    seconds: float = 0.0
    doubts: list[DoubtfulHunk] = field(default_factory=list)

    @property
    def unfinished(self) -> bool:
        """Whether it ended early, and its hunks that were whole are kept."""
        return self.state in ("stopped", "failed") and self.hunks > 0

    @property
    def end_reason(self) -> str:
        """Why it is not done."""
        reason = "nothing changed" if self.state == "nothing" else self.state
        reason += f": {self.note}" if self.note else ""
        kept = "1 hunk" if self.hunks == 1 else f"{self.hunks} hunks"
        return f"{reason}; {kept} kept" if self.unfinished else reason

    @property
    def named(self) -> str:
        return f"{', '.join(self.files)}: {self.text}" if self.files else self.text


@dataclass(slots=True)
class Job:
    """What `job.json` holds. `phase` is `starting`, `queued`, `working`, or how the work ended: `done`,
    `stopped`, `timeout`, `failed`, `killed`."""

    id: str
    root: str
    """The person's working tree."""
    within: str
    """The folder in it where the job was asked for: the check runs there."""
    tasks: list[JobTask]
    check: str = ""
    check_seconds: float = 600.0
    rounds: int = 3
    time_limit: float = 0.0
    flags: dict[str, Any] = field(default_factory=dict)
    """Settings of the command line."""
    began: float = 0.0
    ended: float = 0.0
    pid: int = 0
    phase: str = "starting"
    note: str = ""
    exit_code: int = 0
    tree: str = ""
    """The worktree; empty once it is removed."""
    start: str = ""
    """The snapshot of the tree as the person had it."""
    kept: str = ""
    """The snapshot after the last instruction whose edits were kept."""
    passes: bool | None = None
    """Whether the check passes with the edits that were kept; None: it did not run with all of them."""
    session: str = ""
    """The session in which the hunks are reviewed."""
    changes: list[ReplacedLines] = field(default_factory=list)
    asked_by: str = ""
    """The session whose `/delegate` started it: its hunks come back there."""
    delivered: bool = False
    """Whether they did."""

    @property
    def over(self) -> bool:
        return self.phase not in ("starting", "queued", "working")

    @property
    def settled(self) -> int:
        return sum(task.state in SETTLED for task in self.tasks)

    @property
    def done(self) -> int:
        return sum(task.state == "done" for task in self.tasks)

    @property
    def taken_back(self) -> int:
        """Instructions whose edits were made, failed the check, and were taken back."""
        return sum(task.state == "check fails" for task in self.tasks)

    @property
    def title(self) -> str:
        many = f"{len(self.tasks)} instructions: " if len(self.tasks) > 1 else ""
        return f"{many}{self.tasks[0].named}"


def jobs_dir(state: Path) -> Path:
    return state / "jobs"


def folders(state: Path) -> list[Path]:
    """Folders of the jobs of a repository, the newest first."""
    found = [path for path in jobs_dir(state).glob("[0-9]*") if path.name.isdigit()]
    return sorted(found, key=lambda path: int(path.name), reverse=True)


def read(folder: Path) -> Job:
    """Raises MalformedInput for one that cannot be read."""
    where = folder / "job.json"
    try:
        row = json.loads(where.read_bytes())
        tasks = [_task(**item) for item in row.pop("tasks")]
        changes = [ReplacedLines(**item) for item in row.pop("changes", ())]
        return Job(tasks=tasks, changes=changes, **row)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        what = f"the job cannot be read: {error}"
        raise MalformedInput(what, where=str(where), hint="Remove its folder.") from error


def _task(*, files: list[str], doubts: list[dict[str, Any]], **rest: Any) -> JobTask:
    doubtful = [DoubtfulHunk(**{**row, "lines": tuple(row["lines"])}) for row in doubts]
    return JobTask(files=tuple(files), doubts=doubtful, **rest)


def write(folder: Path, job: Job) -> None:
    write_atomically(folder / "job.json", json.dumps(asdict(job), indent=1).encode())


def new_folder(state: Path) -> tuple[Path, int]:
    """A folder for the next job, and its claim as an open file."""
    with exclusive(state):
        newest = folders(state)[:1]
        folder = jobs_dir(state) / str(int(newest[0].name) + 1 if newest else 1)
        try:
            folder.mkdir(mode=0o700)
        except OSError as error:
            raise cannot_keep(error, folder) from error
        claim = take_claim(folder)
        assert claim is not None  # nobody else knows of it yet
        return folder, claim


@contextlib.contextmanager
def exclusive(state: Path) -> Iterator[None]:
    """Held by the one process that starts a job, or looks for orphans."""
    try:
        jobs_dir(state).mkdir(parents=True, exist_ok=True)
        fd = os.open(jobs_dir(state) / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise cannot_keep(error, jobs_dir(state)) from error
    try:
        fcntl.flock(fd, fcntl.LOCK_EX)
        yield
    finally:
        os.close(fd)


def take_claim(folder: Path) -> int | None:
    """The claim on a job as an open file, or None while another process has it. The kernel frees the claim of
    a dead process, so no process id has to be trusted, even after a reboot."""
    fd = os.open(folder / "claim", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        return None
    return fd


def is_claimed(folder: Path) -> bool:
    """Whether a living process works on it."""
    try:
        fd = os.open(folder / "claim", os.O_RDWR | os.O_CLOEXEC)
    except OSError:
        return False
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(fd)
    return False
