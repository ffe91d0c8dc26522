"""The files that an instruction names, in the repository or not."""

from __future__ import annotations

import posixpath
from collections.abc import Sequence

from spark_tui.context.mentions import find_mentions, paths_in, without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.context.areas import explain_missing_file, paths_named, unknown_files
from spark_tui.pysource.repository import Repository


def named_files(ask: ContextRequest, repo: Repository) -> tuple[str, ...]:
    """The files of the repository that the person names, also those that it does not list."""
    mentioned = [mention.path for mention in find_mentions(ask.instruction) if not mention.is_glob]
    words = map(posixpath.normpath, paths_in(without_files(ask.instruction)))
    found = [
        path
        for word in words
        for path, _ in ([(word, 1.0)] if is_unlisted(repo, word) else paths_named(repo, word))
    ]
    every = dict.fromkeys((*mentioned, *ask.files, *found))
    return tuple(file for file in every if repo.index.text(file) is not None)


def is_unlisted(repo: Repository, path: str) -> bool:
    """Whether a file is there that the repository does not list."""
    return path not in repo.index.all_paths and repo.index.text(path) is not None


def why_unlisted(named: Sequence[str], repo: Repository) -> str:
    """Why nothing is found in these files, where the repository lists none of them; else empty."""
    if not all(is_unlisted(repo, path) for path in named):
        return ""
    return " ".join(f"{explain_missing_file(repo, path)}." for path in named)


def new_file(instruction: str, repo: Repository) -> str:
    """The first file that is named and does not exist."""
    unknown = unknown_files(repo, without_files(instruction))
    return next((path for path in unknown if repo.index.text(path.removeprefix("./")) is None), "")
