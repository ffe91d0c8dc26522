"""The modules of a repository that a trial needs: some files, and all that they import."""

from __future__ import annotations

from collections.abc import Iterable

from spark_tui.pysource.repository import Repository
from spark_tui.trials.trial import Module

_MOST_FILES, _MOST_CHARACTERS = 120, 1_500_000


def modules_for(repo: Repository, paths: Iterable[str]) -> dict[str, Module] | None:
    """The texts by the dotted names of their modules; None where they are too many."""
    index, found = repo.index, dict[str, None]()
    waiting = [*paths]
    while waiting:
        path = waiting.pop()
        if path in found or path not in index.modules.paths:
            continue
        found[path] = None
        if len(found) > _MOST_FILES:
            return None
        waiting += [*index.needed(path), *_around(repo, path)]
    texts = {path: index.text(path) or "" for path in found}
    if sum(map(len, texts.values())) > _MOST_CHARACTERS:
        return None
    return {
        name: Module(text, path, path.endswith("__init__.py"))
        for path, text in texts.items()
        for name in index.modules.names(path)
    }


def _around(repo: Repository, path: str) -> list[str]:
    """The files that Python or pytest runs before a file: those of its packages, and `conftest.py`."""
    parts = path.split("/")[:-1]
    folders = ["/".join(parts[:count]) for count in range(len(parts) + 1)]
    names = [f"{folder}/{name}".lstrip("/") for folder in folders for name in ("__init__.py", "conftest.py")]
    return [
        name
        for name in names
        if name in repo.index.modules.paths and (not name.endswith("conftest.py") or "test" in path)
    ]
