"""Choose where checkpoints are kept."""

from __future__ import annotations

from pathlib import Path

from spark_tui.workspace.checkpoints import CheckpointStore
from spark_tui.workspace.file_checkpoints import FileCheckpoints
from spark_tui.workspace.git_checkpoints import GitCheckpoints
from spark_tui.workspace.repository import Repository


def open_store(repo: Repository | None, folder: Path) -> CheckpointStore:
    """The store in the repository where that is writable, else the one in the private folder."""
    return GitCheckpoints(repo) if repo is not None and repo.writable else FileCheckpoints(folder)
