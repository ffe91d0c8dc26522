"""Jobs in tests: a small repository, recorded answers in the place of a model, and the doors as they are
called."""

import hashlib
import json
import time
from pathlib import Path

from support.git_command import git

from spark_tui.cli.main import main
from spark_tui.config import paths
from spark_tui.jobs import job as jobs


def commit_all(root, message="Start"):
    git(root, "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", message)


def record(folder, number, instruction, text):
    """An answer to this instruction, in the format `lines`."""
    head = {"spark_recording": 1, "name": str(number), "instruction": instruction, "format": "lines"}
    rows = [head, {"t": 0.0, "text": text}]
    (folder / f"{number}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))


def state_of(root):
    return paths.repository_state_dir(Path(root))


def folder_of(root, number=1):
    return jobs.jobs_dir(state_of(root)) / str(number)


def spark(root, *words):
    """The exit code of a door."""
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
