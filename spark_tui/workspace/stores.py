"""Choose where checkpoints are kept.

Comes in: the repository, if there is one, and a private folder. Goes out: a `Store`. Must not know: what is
kept.
"""

from __future__ import annotations

from pathlib import Path

from spark_tui.workspace.checkpoints import Store
from spark_tui.workspace.file_store import FileStore
from spark_tui.workspace.git_store import GitStore
from spark_tui.workspace.repo import Repo


def open_store(repo: Repo | None, folder: Path) -> Store:
    """In the repository where it can be written to, else in the private folder."""
    return GitStore(repo) if repo is not None and repo.writable else FileStore(folder)
