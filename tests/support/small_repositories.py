"""Folders with a few files in them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from support.git_command import git


def written(root: Path, files: Mapping[str, str]) -> Path:
    """The folder, made with these files in it."""
    root.mkdir(parents=True, exist_ok=True)
    for path, text in files.items():
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).write_text(text)
    return root


def uncommitted(root: Path, files: Mapping[str, str]) -> Path:
    """The same in a new repository without a commit."""
    git(written(root, files), "init", "-q")
    return root


def committed(root: Path, files: Mapping[str, str]) -> Path:
    """The same, committed on `main`."""
    git(written(root, files), "init", "-q", "-b", "main")
    git(root, "add", "-A")
    git(root, "commit", "-q", "-m", "Start")
    return root
