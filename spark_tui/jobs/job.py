"""A job as it is kept: what it was asked, how far it is, what became of each instruction.

Comes in: a repository's state folder. Goes out: `Job`s, read from and written to `jobs/<id>/job.json`; the
claim that tells whether a living process works on one. Must not know: git, models, doors.
"""

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
from spark_tui.session.journal import cannot_keep
from spark_tui.session.turn_storage import write_whole

SETTLED = ("done", "nothing", "check fails", "failed")
"""What can have become of an instruction; before: `waiting`, `working`; after a stop: `stopped`, `not
begun`."""


@dataclass(slots=True)
class DoubtfulHunk:
    """A hunk that the model was unsure of: its file and the lines that it wrote, or took out."""

    path: str
    lines: tuple[str, ...]
    confidence: float
    reason: str


@dataclass(slots=True)
class JobTask:
    """One instruction, and what became of it."""

    text: str
    files: tuple[str, ...] = ()
    state: str = "waiting"
    note: str = ""
    hunks: int = 0
    rounds: int = 0
    """How often the model was told why its edit does not hold."""
    seconds: float = 0.0
    doubts: list[DoubtfulHunk] = field(default_factory=list)

    @property
    def named(self) -> str:
        return f"{', '.join(self.files)}: {self.text}" if self.files else self.text


@dataclass(slots=True)
class Job:
    """What `job.json` holds. `phase` is `starting`, `working`, or how the work ended: `done`, `stopped`,
    `timeout`, `failed`, `killed`."""

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
    """The snapshot of what the person saw."""
    kept: str = ""
    """The snapshot behind the last instruction whose edits stand."""
    passes: bool | None = None
    """What the check said last of what stands; None: it was not asked."""
    session: str = ""
    """The session in which the hunks are reviewed."""

    @property
    def over(self) -> bool:
        return self.phase not in ("starting", "working")

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
        tasks = [
            JobTask(
                **{**task, "files": tuple(task["files"]), "doubts": [_doubt(one) for one in task["doubts"]]}
            )
            for task in row.pop("tasks")
        ]
        return Job(tasks=tasks, **row)
    except (OSError, ValueError, TypeError, KeyError, AttributeError) as error:
        raise MalformedInput(
            f"the job cannot be read: {error}", where=str(where), hint="Remove its folder."
        ) from error


def _doubt(row: dict[str, Any]) -> DoubtfulHunk:
    return DoubtfulHunk(**{**row, "lines": tuple(row["lines"])})


def write(folder: Path, job: Job) -> None:
    write_whole(folder / "job.json", json.dumps(asdict(job), indent=1).encode())


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
    """One process at a time begins a job, or looks for those that nobody works on."""
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
    """The claim on a job as an open file, or None while another process has it. The kernel frees that of a
    dead process, so no process id has to be believed, also after the machine was started again."""
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
