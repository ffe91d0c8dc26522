"""Names that a changed file begins to import from a module of the repository that does not have them."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def new_imports(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where a change imports what is not there: a rename that leaves the definition as it was, say."""
    for path in paths:
        known = _imported(before, path)
        for (module, name), statement in _imported(after, path).items():
            where = after.index.modules.find(module, path)
            if where is None or (module, name) in known or _has(after, where, module, name, path):
                continue
            if not _is_tried(after.index.source(path), statement):
                reason = f"imports {name}, which {where} does not have"
                yield Finding(path, statement.lineno, "importers", reason)


def _imported(repo: Repository, path: str) -> dict[tuple[str, str], ast.ImportFrom]:
    """The imports of a file by their module and name."""
    modules = repo.index.modules
    return {
        (modules.absolute(path, statement.module, statement.level), alias.name): statement
        for alias, statement in repo.index.scopes(path).aliases.items()
        if isinstance(statement, ast.ImportFrom) and alias.name != "*"
    }


def _has(repo: Repository, where: str, module: str, name: str, importer: str) -> bool:
    if repo.index.source(where).tree is None or name.startswith("__"):
        return True  # what it offers is not known
    return "__getattr__" in repo.index.scopes(where).module.bound or bool(
        repo.infer.exported(module, name, importer)
    )


def _is_tried(source: Source, statement: ast.stmt) -> bool:
    """Whether an import may fail."""
    return any(isinstance(node, ast.Try) and statement in node.body for node in source.statements)
