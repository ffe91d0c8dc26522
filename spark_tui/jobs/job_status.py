"""Jobs in words: their states, a line for the list, the details of one."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from itertools import product
from pathlib import Path
from typing import Any

from spark_tui.errors import MalformedInput, NothingToDo, SparkError
from spark_tui.jobs import job as jobs
from spark_tui.jobs.job import Job, JobTask
from spark_tui.session.storage.session_index import SessionIndex

OPEN = frozenset(("open", "partial", "accepted", "edited"))
"""States of hunks that are undecided, or decided and not written."""


@dataclass(frozen=True, slots=True)
class ListedJob:
    """A job and its state: `working`, `review`, `reviewed`, `delivered`, `nothing`, `stopped`, `failed`,
    `killed`."""

    folder: Path
    job: Job
    state: str
    open: int
    """How many hunks wait for review."""
    hunks: int
    untouched: bool = False
    """Whether its hunks came back and nobody has decided about any."""
    rivals: tuple[str, ...] = ()
    """Other jobs to review that change the same lines."""

    @property
    def words(self) -> str:
        if self.job.phase == "queued":
            return "waits for other jobs"
        if self.state == "working":
            return f"running {self.job.settled}/{len(self.job.tasks)}"
        phrases = {
            "nothing": "" if failures(self.job) else "nothing to review",
            "review": "ready for review",
            "delivered": "in the session that asked",
        }
        text = phrases.get(self.state, self.state)
        if self.state == "review" and self.open != self.hunks:
            text = f"in review, {self.open} left"
        *more, last = self.rivals or ("",)
        names = f"jobs {', '.join(more)} and {last}" if more else f"job {last}"
        conflict = f"conflicts with {names}" if last else ""
        return ", ".join(filter(None, [text, conflict, *failures(self.job)]))

    def is_for(self, session_id: str) -> bool:
        """Whether its hunks are to come back into this session."""
        return self.job.asked_by == session_id and self.state == "review" and self.untouched


def list_jobs(state: Path) -> list[ListedJob]:
    """All jobs of a repository, the newest first; those that cannot be read are left out."""
    found = jobs.folders(state)
    if not found:
        return []
    with SessionIndex(state) as store:
        store.refresh()
        rows = [row for folder in found if (row := _listed(folder, store)) is not None]
    return [replace(row, rivals=_rivals(row, rows)) for row in rows]


def _rivals(row: ListedJob, rows: Sequence[ListedJob]) -> tuple[str, ...]:
    if row.state != "review":
        return ()
    waiting = [other.job for other in reversed(rows) if other.state == "review" and other is not row]
    pairs = ((job, product(row.job.changes, job.changes)) for job in waiting)
    return tuple(job.id for job, changes in pairs if any(mine.touches(theirs) for mine, theirs in changes))


def find_job(state: Path, name: str) -> ListedJob:
    """By its number, or `last`. Raises MalformedInput, NothingToDo where there is none at all."""
    rows = list_jobs(state)
    if not rows:
        raise NothingToDo("no jobs in this repository", hint='Start one: spark work "…"')
    for row in rows:
        if name in (row.job.id, "last"):
            return row
    known = ", ".join(row.job.id for row in rows[:8])
    raise MalformedInput(f"no job {name!r} in this repository", hint=f"The jobs are: {known}.")


def _listed(folder: Path, store: SessionIndex) -> ListedJob | None:
    try:
        job = jobs.read(folder)
    except SparkError:
        return None
    states = store.hunk_states(job.session) if job.session else []
    left = sum(state in OPEN for state in states)
    if not job.over:
        state = "working"
    elif job.delivered:
        state = "delivered"
    elif left:
        state = "review"
    elif states:
        state = "reviewed"
    else:
        state = {"done": "nothing", "timeout": "stopped"}.get(job.phase, job.phase)
    untouched = bool(states) and set(states) == {"open"}
    return ListedJob(folder, job, state, left, len(states), untouched)


def failures(job: Job) -> list[str]:
    """The instructions that were tried and are not done: `1 unfinished`, `1 edit taken back`, `2 failed`."""
    unfinished = sum(task.unfinished for task in job.tasks)
    back = job.taken_back
    failed = sum(task.state == "failed" and not task.unfinished for task in job.tasks)
    parts = [f"{unfinished} unfinished"] if unfinished else []
    parts += [f"{back} edit{'s' if back > 1 else ''} taken back"] if back else []
    return [*parts, f"{failed} failed"] if failed and job.phase != "failed" else parts


def check_word(job: Job) -> str:
    """Whether the check passes with the edits that were kept, or failed with those that were not."""
    if not job.check:
        return "—"
    if job.taken_back and not job.done:
        return "fails"
    if job.passes is None:
        return "not run" if job.over else "…"
    return "passes" if job.passes else "fails"


def age(seconds: float) -> str:
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "min")):
        if seconds >= size:
            return f"{seconds / size:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


def task_line(task: JobTask) -> str:
    """One instruction and its outcome."""
    mark = {"done": "✓", "waiting": "·", "working": "◌"}.get(task.state, "◐" if task.unfinished else "✗")
    if task.state == "done":
        what = "1 hunk" if task.hunks == 1 else f"{task.hunks} hunks"
        what += f", {len(task.doubts)} doubtful" if task.doubts else ""
        what += f", {task.note}" if task.note else ""
    else:
        what = task.state if task.state in ("waiting", "working") else task.end_reason
    rounds = f", {task.rounds} round{'s' if task.rounds > 1 else ''}" if task.rounds else ""
    took = f", {task.seconds:.1f} s" if task.seconds else ""
    return f"{mark} {task.named}  ({what}{rounds}{took})"


def outcome(job: Job) -> str:
    """How it ended, and what to do next."""
    ends = {
        "done": "",
        "stopped": "The job was stopped. ",
        "timeout": "The job reached its time limit. ",
        "killed": "The job was killed. ",
        "failed": "The job failed. ",
    }
    sentence = f"job {job.id}: {job.done} of {len(job.tasks)} done. {ends.get(job.phase, '')}"
    sentence += "The check fails, as it did before. " if job.passes is False else ""
    if job.taken_back:
        one = job.taken_back == 1
        many = "1 edit was" if one else f"{job.taken_back} edits were"
        sentence += f"{many} taken back, because the check failed after {'it' if one else 'them'}. "
    sentence += f"To review: spark jobs review {job.id}" if job.session else "There is nothing to review."
    return sentence + (f"\n  {job.note}" if job.note else "")


def as_row(row: ListedJob, now: float) -> tuple[str, ...]:
    """Number, state, age, hunks, check, instruction."""
    doubtful = sum(len(task.doubts) for task in row.job.tasks)
    hunks = str(row.hunks) if row.hunks else "—"
    hunks += f" ({doubtful} ?)" if doubtful and row.hunks else ""
    return row.job.id, row.words, age(now - row.job.began), hunks, check_word(row.job), row.job.title


def as_dict(row: ListedJob) -> dict[str, Any]:
    """The same facts for scripts."""
    kept = asdict(row.job)
    names = ("id", "root", "phase", "check", "passes", "began", "ended", "rounds", "note", "session", "tasks")
    counts = {"hunks": row.hunks, "open": row.open, "taken_back": row.job.taken_back}
    return {"state": row.state, **counts, **{name: kept[name] for name in names}}


class JobSummary:
    """The status word of a repository's jobs. Cheap to ask often: only files that changed are read."""

    def __init__(self, state: Path, own: str) -> None:
        """`own`: the id of a session; a job that is reviewed in it is not counted."""
        self._state, self._own = state, own
        self._stamp: tuple[int, ...] = ()
        self._looked_at: list[Path] = []
        self._word = ""
        self.rows: list[ListedJob] = []
        """The jobs as they were when `word` looked last."""

    def word(self) -> str:
        """Empty where there is nothing to say."""
        folders = jobs.folders(self._state)
        same = [path.parent for path in self._looked_at[: len(folders)]] == folders
        if not same or modified_times(self._looked_at) != self._stamp:
            self.rows = rows = list_jobs(self._state) if folders else []
            own = (self._state / "sessions" / row.job.session for row in rows if row.job.session)
            sessions = [session / "journal.jsonl" for session in own]
            self._looked_at = [*(folder / "job.json" for folder in folders), *sessions]
            self._stamp = modified_times(self._looked_at)
            self._word = summary_words([row.state for row in rows if row.job.session != self._own])
        return self._word


def modified_times(paths: Sequence[Path]) -> tuple[int, ...]:
    """When each file was modified; 0 for a missing one."""
    found = []
    for path in paths:
        try:
            found.append(path.stat().st_mtime_ns)
        except OSError:
            found.append(0)
    return tuple(found)


def summary_words(states: Sequence[str]) -> str:
    """`1 job running, 2 jobs to review`"""
    working, waiting = states.count("working"), states.count("review")
    parts = [f"{working} job{'s' if working > 1 else ''} running"] if working else []
    if waiting:
        parts.append(f"{waiting} job{'s' if waiting > 1 else ''} to review")
    return ", ".join(parts)
