"""Imports that a change makes necessary, or leaves without a use."""

from __future__ import annotations

import ast
import keyword
import sys
from collections import Counter

from spark_tui.codemods.families.names.imports import AddImport, RemoveUnusedImports
from spark_tui.codemods.imports.lines import remove_aliases
from spark_tui.codemods.plan import Edit, Refused
from spark_tui.codemods.slots import FilePath, NewName, Text
from spark_tui.next_edit.changes import Change
from spark_tui.next_edit.tokens import is_word
from spark_tui.pysource.names.imports import unused_imports
from spark_tui.pysource.names.undefined import KNOWN, undefined
from spark_tui.pysource.repository import Repository

_LEAST_FILES = 2
_LEAST_SHARE = 0.9
"""So many of the files that have a name must have it from one module."""


def missing_import(
    now: Repository, before: Repository, newest: Change
) -> tuple[str, tuple[Edit, ...]] | None:
    """The import of a name that a change uses and nothing defines, if the repository imports it from one
    place only."""
    came = {
        word for word in newest.came if is_word(word) and not keyword.iskeyword(word) and word not in KNOWN
    }
    # Cheap questions first: this is asked at every pause in typing.
    came = {word for word in came if next(newest.before.positions(word), None) is None}
    origins = {
        word: found for word in sorted(came) if (found := _origin(before, newest.path, word)) is not None
    }
    if not origins:
        return None
    known = {occurrence.name for occurrence in undefined(before.index.scopes(newest.path))}
    new = {occurrence.name for occurrence in undefined(now.index.scopes(newest.path))} - known
    for name in sorted(new & origins.keys()):
        module, imported = origins[name]
        if imported:
            module = _as_written(before, newest.path, module)
        plan = AddImport(FilePath(newest.path), Text(module), NewName(imported)).plan(now)
        if not isinstance(plan, Refused):
            words = f"from {module} import {imported}" if imported else f"import {module}"
            return words, plan.edits
    return None


def _as_written(repo: Repository, path: str, module: str) -> str:
    """A module as the imports of a file spell those beside it: `shop.cart`, or `.cart`."""
    for level in sorted({imported.level for imported in repo.index.summary(path).imports if imported.level}):
        package = repo.index.modules.absolute(path, "", level)
        if module.startswith(f"{package}."):
            return "." * level + module.removeprefix(f"{package}.")
    return module


def _origin(repo: Repository, path: str, name: str) -> tuple[str, str] | None:
    """Where the other files have a name from, as (module, name); of a module itself the name is empty."""
    counts: Counter[tuple[str, str]] = Counter()
    for other in repo.index.files_with(name):
        for item in repo.index.summary(other).imports:
            if item.alias != name or other == path:
                continue
            if item.name == name:
                counts[repo.index.imported_module(other, item), name] += 1
            elif not item.name and item.module == name:
                counts[name, ""] += 1
            else:
                counts["", ""] += 1
    if counts:
        (module, imported), count = counts.most_common(1)[0]
        usual = module and count >= max(_LEAST_SHARE * counts.total(), _LEAST_FILES)
        return (module, imported) if usual else None
    own = [
        other
        for other in repo.index.files_with(name)
        if other != path and any(symbol.qualname == name for symbol in repo.index.summary(other).symbols)
    ]
    if len(own) == 1:
        return repo.index.modules.name(own[0]), name
    return (name, "") if name in sys.stdlib_module_names and not own else None


def unneeded_import(
    now: Repository, before: Repository, newest: Change
) -> tuple[str, tuple[Edit, ...]] | None:
    """The imports that a change left without a use."""
    path, went = newest.path, set(newest.went)
    imported = went.intersection(item.alias for item in before.index.summary(path).imports)
    # One that stands anywhere but in its import is still used.
    if all(len(list(newest.after.positions(name))) > 1 for name in imported):
        return None
    used_before = {unused_import.name for unused_import in unused_imports(before.index.scopes(path))}
    scopes = now.index.scopes(path)
    lost = [
        unused_import
        for unused_import in unused_imports(scopes)
        if unused_import.name in went and unused_import.name not in used_before and not unused_import.doubt
    ]
    allowed = RemoveUnusedImports(FilePath(path)).plan(now) if lost else None
    if allowed is None or isinstance(allowed, Refused):
        return None
    kept = {unfollowed.line for unfollowed in allowed.unfollowed}
    lost = [unused_import for unused_import in lost if unused_import.alias.lineno not in kept]
    if not lost:
        return None
    gone: dict[ast.Import | ast.ImportFrom, list[ast.alias]] = {}
    for one in lost:
        gone.setdefault(one.statement, []).append(one.alias)
    edits = tuple(remove_aliases(scopes.source, gone))
    return f"remove the unused import of {', '.join(unused_import.name for unused_import in lost)}", edits
