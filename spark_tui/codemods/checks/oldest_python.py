"""The oldest Python that a project runs on."""

from __future__ import annotations

import re
from collections.abc import Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.pysource.repository import Repository

_ASKS = re.compile(r"(?:requires-python|python_requires)\W*>=\s*3\.(\d+)")


def oldest_python(repo: Repository) -> tuple[str, int] | None:
    """The file that says it, and the number behind `3.`."""
    for path in ("pyproject.toml", "setup.cfg", "setup.py"):
        if found := _ASKS.search(repo.index.text(path) or ""):
            return path, int(found[1])
    return None


def too_old(repo: Repository, minor: int, what: str) -> str:
    """Why something of Python 3.`minor` fails in the project; empty where it does not."""
    asked = oldest_python(repo)
    if asked is None or asked[1] >= minor:
        return ""
    return f"{asked[0]} asks for Python 3.{asked[1]}, where {what} fails"


def old_python_doubts(repo: Repository, path: str, line: int, minor: int, what: str) -> Iterator[Unfollowed]:
    if reason := too_old(repo, minor, what):
        yield Unfollowed(path, line, reason)
