"""Choose where checkpoints are kept.

Comes in: the repository, if there is one, and a private folder. Goes out: a `CheckpointStore`. Must not know:
what is kept.
"""

from __future__ import annotations

from pathlib import Path

from spark_tui.workspace.checkpoints import CheckpointStore
from spark_tui.workspace.file_checkpoints import FileCheckpoints
from spark_tui.workspace.git_checkpoints import GitCheckpoints
from spark_tui.workspace.repository import Repository


def open_store(repo: Repository | None, folder: Path) -> CheckpointStore:
    """In the repository where it can be written to, else in the private folder."""
    return GitCheckpoints(repo) if repo is not None and repo.writable else FileCheckpoints(folder)
