"""Names that a module of the standard library does not have."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Collection, Iterator
from functools import lru_cache
from types import ModuleType

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.words import word_set

_LOOKED_INTO = word_set(
    "collections csv datetime functools itertools json logging math os pathlib random re shutil string"
    " subprocess sys time"
)
"""Common modules, which do nothing when they are imported."""

_Use = tuple[str, str]
"""A module and a name that is used of it."""


def library_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change uses a name of a library that is not there, in the Python that runs spark."""
    for path in paths:
        if not after.has(path):
            continue
        known = _uses(before, path).keys() if before.has(path) else set[_Use]()
        for (module, name), line in _uses(after, path).items():
            if (module, name) not in known and not _has(module, name):
                yield Finding(path, line, "names", f"{module} has no {name}", sure=False)


def _uses(repo: Repository, path: str) -> dict[_Use, int]:
    """The names of the common modules that a file uses, each with its first line."""
    scopes = repo.index.scopes(path)
    out: dict[_Use, int] = {}
    modules: dict[str, str] = {}
    for alias, statement in scopes.aliases.items():
        if isinstance(statement, ast.ImportFrom):
            if statement.module in _LOOKED_INTO and not statement.level and alias.name != "*":
                out.setdefault((statement.module, alias.name), statement.lineno)
        elif (module := alias.name if alias.asname else alias.name.split(".")[0]) in _LOOKED_INTO:
            modules[alias.asname or module] = module
    for use in scopes.attributes:
        base = use.node.value
        named = modules.get(base.id) if isinstance(base, ast.Name) else None
        occurrence = scopes.by_node.get(base) if named is not None else None
        if named is None or occurrence is None or not isinstance(use.node.ctx, ast.Load):
            continue
        if all(binding.node in scopes.aliases for binding in scopes.resolve(occurrence).bindings):
            out.setdefault((named, use.name), use.node.lineno)
    return out


@lru_cache(maxsize=32)
def _loaded(module: str) -> ModuleType:
    return importlib.import_module(module)


def _has(module: str, name: str) -> bool:
    return hasattr(_loaded(module), name)
