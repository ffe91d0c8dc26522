"""The files that an instruction names, in the repository or not."""

from __future__ import annotations

import re

from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.context.areas import paths_named, unknown_files
from spark_tui.pysource.repository import Repository

_PATH = re.compile(r"(?<![\w./\\-])[\w./\\-]+\.(?:py|pyi|toml|cfg|ini|ya?ml|json|txt|md|rst)(?!\w)")


def paths_in(text: str) -> list[str]:
    """The paths of files that a text has."""
    return _PATH.findall(text)


def named_files(ask: ContextRequest, repo: Repository) -> tuple[str, ...]:
    """The files of the repository that the person names."""
    mentioned = [mention.path for mention in find_mentions(ask.instruction) if not mention.is_glob]
    found = [p for word in paths_in(without_files(ask.instruction)) for p, _ in paths_named(repo, word)]
    every = dict.fromkeys((*mentioned, *ask.files, *found))
    return tuple(file for file in every if repo.index.text(file) is not None)


def new_file(instruction: str, repo: Repository) -> str:
    """The first file that is named and does not exist."""
    unknown = unknown_files(repo, without_files(instruction))
    return next((path for path in unknown if repo.index.text(path.removeprefix("./")) is None), "")
