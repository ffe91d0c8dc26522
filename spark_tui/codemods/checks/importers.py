"""Imports and uses in other files of what a changed or deleted file no longer has."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.hidden import offering
from spark_tui.pysource.repository import Repository


def importers(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Imports and module attributes that named something that is gone."""
    for path in paths:
        if after.index.text(path) is None:
            yield from _lost_module(before, after, path, paths)
            continue
        if after.index.source(path).tree is None:
            continue  # what it offers is not known, and the check that it parses says so
        gone = before.index.scopes(path).module.bound - after.index.scopes(path).module.bound
        for home in offering(before, path) if gone else ():
            for importer in sorted(before.index.importers(home) | {home}):
                text = after.index.text(importer)
                if text is not None and any(name in text for name in gone):
                    yield from _broken_imports(after, importer, home, gone)


def _lost_module(
    before: Repository, after: Repository, path: str, changed: Collection[str]
) -> Iterator[Finding]:
    """Imports of a file that is gone, or of something in it; a file that is new or moved has others."""
    for importer in sorted({*before.index.importers(path), *changed}):
        if after.index.text(importer) is None:
            continue
        for imported in after.index.imports(importer):
            module = after.index.imported_module(importer, imported)
            names = [module, f"{module}.{imported.name}"] if imported.name else [module]
            lost = [name for name in names if before.index.modules.find(name, importer) == path]
            left = any(after.index.modules.find(name, importer) for name in (*lost, names[-1]))
            if lost and not left and (imported.name or not after.index.modules.is_package(module)):
                yield Finding(importer, imported.line, "importers", f"imports {lost[0]}, but {path} is gone")


def _broken_imports(after: Repository, importer: str, path: str, gone: set[str]) -> Iterator[Finding]:
    index = after.index
    name_of = index.modules.name(path)
    modules = {*index.modules.names(path), name_of}
    scopes = index.scopes(importer)
    for alias, statement in scopes.aliases.items():
        if alias.name not in gone or not isinstance(statement, ast.ImportFrom):
            continue
        module = index.modules.absolute(importer, statement.module, statement.level)
        from_here = index.modules.find(module, importer) == path or module in modules
        if from_here and not after.infer.exported(module, alias.name, importer):
            reason = f"imports {alias.name}, which {path} no longer has"
            yield Finding(importer, statement.lineno, "importers", reason)
    for variable in scopes.variables if scopes.module.star_import else ():
        through_star = variable.scope is None and variable.name in gone and bool(variable.loads)
        if through_star and not after.infer.star(importer, variable.name):
            line = scopes.source.line_number(max(variable.loads[0].span[0], 0))
            yield Finding(importer, line, "importers", f"uses {variable.name}, which {path} no longer has")
    for use in scopes.attributes:
        if use.name in gone:
            values = after.infer.values(importer, use.node.value, use.scope)
            hit = any(getattr(value, "path", None) == path and hasattr(value, "name") for value in values)
            if hit and not after.infer.exported(name_of, use.name, importer):
                reason = f"uses {ast.unparse(use.node)}, which {path} no longer has"
                yield Finding(importer, use.node.lineno, "importers", reason)
