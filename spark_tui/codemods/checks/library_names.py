"""Names that a module of the standard library does not have, and encodings that Python does not."""

from __future__ import annotations

import ast
import codecs
import importlib
import re
from collections.abc import Collection, Iterator
from functools import lru_cache
from types import ModuleType

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_LOOKED_INTO = word_set(
    "collections csv datetime functools itertools json logging math os pathlib random re shutil string"
    " subprocess sys time"
)
"""Common modules, which do nothing when they are imported."""
_ENCODING = re.compile(r"\bencoding\s*=\s*[\"']([^\"'\n]*)[\"']")


def library_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change uses a name of a library that is not there, in the Python that runs spark."""
    for path in paths:
        known = _uses(before.index.scopes(path))
        for (module, name), line in _uses(after.index.scopes(path)).items():
            if (module, name) not in known and not hasattr(_loaded(module), name):
                yield Finding(path, line, "names", f"{module} has no {name}", False, f"{module}.{name}")
        encodings = _encodings(before.index.source(path))
        for name, line in _encodings(after.index.source(path)).items():
            if name not in encodings and not _is_encoding(name):
                yield Finding(path, line, "values", f"there is no encoding {name!r}")


def _encodings(source: Source) -> dict[str, int]:
    """What is given as an encoding, with its first line."""
    out: dict[str, int] = {}
    for found in _ENCODING.finditer(source.text) if "encoding" in source.text else ():
        out.setdefault(found[1], source.line_number(found.start()))
    return out


def _is_encoding(name: str) -> bool:
    try:
        codecs.lookup(name)
    except LookupError:
        return False
    return True


@lru_cache(maxsize=4)
def _uses(scopes: Scopes) -> dict[tuple[str, str], int]:
    """The common modules and their names that a file uses, with the first line of each."""
    out: dict[tuple[str, str], int] = {}
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
