"""The files that an instruction names, in the repository or not."""

from __future__ import annotations

import re

from spark_tui.context.mentions import find_mentions, without_files
from spark_tui.context.shown_context import ContextRequest
from spark_tui.intent.context.areas import is_file_named, paths_named
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


def unknown_files(instruction: str, repo: Repository, shown: str = "") -> tuple[str, ...]:
    """The files that are named and not in the repository. One that the call mentions may be a new file,
    or a text; a whole path is one of an error message."""
    found = paths_in(without_files(instruction))
    paths = dict.fromkeys(text for text in found if text.endswith(".py") and not text.startswith("/"))
    return tuple(item for item in paths if item not in shown and not is_file_named(repo, item))


def new_file(instruction: str, repo: Repository) -> str:
    """The first file that is named and does not exist."""
    new = (
        path for path in unknown_files(instruction, repo) if repo.index.text(path.removeprefix("./")) is None
    )
    return next(new, "")
