"""Jobs in tests: a small repository, recorded answers in the place of a model, and the commands as they are
called."""

import hashlib
import json
import time
from pathlib import Path

from support.git_command import git

from spark_tui.cli.main import main
from spark_tui.config import paths
from spark_tui.config.settings import Settings
from spark_tui.jobs import job as jobs
from spark_tui.jobs.job_diff import JobDiffBackend
from spark_tui.session.session import Session

STEP, LIMIT, NAME = "change STEP to 2", "change LIMIT to 99", "rename NAME in other"
"""Instructions for which `answers` has a recording."""


def commit_all(root, message="Start"):
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def recorded(folder, *answers):
    """The folder, made with answers to these instructions, in the format `lines`."""
    folder.mkdir()
    for number, (instruction, text) in enumerate(answers, 1):
        record(folder, number, instruction, text)
    return folder


def record(folder, number, instruction, text):
    """Add one answer."""
    head = {"spark_recording": 1, "name": str(number), "instruction": instruction, "format": "lines"}
    rows = [head, {"t": 0.0, "text": text}]
    (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def state_of(root):
    return paths.repository_state_dir(Path(root))


def folder_of(root, number=1):
    return jobs.jobs_dir(state_of(root)) / str(number)


def spark(root, *words):
    """The exit code of a command."""
    return main([words[0], *map(str, words[1:]), "-C", str(root)])


def until(true, seconds=60.0):
    """Wait for something that another process does."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it did not happen in time"
        time.sleep(0.02)


def footprint(root):
    """Everything of a repository that a job must not touch: files, index, head, refs, stash, config,
    worktrees."""
    seen = {}
    for path in sorted(Path(root).rglob("*")):
        inside = path.relative_to(root).as_posix()
        if path.is_file() and not inside.startswith((".git/objects/", ".git/logs/")):
            seen[inside] = hashlib.sha256(path.read_bytes()).hexdigest()
    return seen, git(root, "for-each-ref"), git(root, "worktree", "list"), git(root, "stash", "list")


def work(root, answers, *words):
    return spark(root, "work", "--replay", answers, *words)


def reviewed(root, number=1):
    """The session in which a job's hunks are reviewed, open."""
    job = jobs.read(folder_of(root, number))
    return Session(root, JobDiffBackend(), Settings(), state_of(root), session_id=job.session)


def patch_of(root, capfd, number=1):
    capfd.readouterr()
    assert spark(root, "jobs", "review", number) == 0
    return capfd.readouterr().out


def alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def hanging(root, answers):
    """A job that has done its first instruction and hangs in the check of the second."""
    check = "grep -q LIMIT.=.10 count.py || sleep 600"
    assert work(root, answers, STEP, LIMIT, "--check", check) == 0
    folder = folder_of(root)
    until(lambda: jobs.read(folder).done == 1 and (folder / "check.pid").exists())
    until(lambda: "LIMIT = 99" in (folder / "tree" / root.name / "count.py").read_text())
    return folder, jobs.read(folder)
