"""How the names of a module are imported elsewhere."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.imports.lines import Wanted
from spark_tui.codemods.plan import Refusal
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


def imports_at_top(repo: Repository, source: Source) -> Iterator[Wanted]:
    """The imports at the top of a module, with absolute names."""
    for stmt in source.body:
        if isinstance(stmt, ast.Import):
            yield from ((name.name, "", name.asname or "") for name in stmt.names)
        elif isinstance(stmt, ast.ImportFrom):
            module = repo.index.modules.absolute(source.path, stmt.module, stmt.level)
            yield from ((module, name.name, name.asname or "") for name in stmt.names)


def import_of(repo: Repository, source: Source, name: str) -> Wanted:
    """How a name of a module is imported elsewhere: what it imports itself comes from where that is."""
    scopes = repo.index.scopes(source.path)
    variable = scopes.variable(name, scopes.module)
    bindings = variable.bindings if variable is not None else []
    if not all(one.role is Role.IMPORT for one in bindings):
        return repo.index.modules.name(source.path), name, ""
    found = [
        one for one in imports_at_top(repo, source) if (one[2] or one[1] or one[0].split(".")[0]) == name
    ]
    if len(found) != 1 or len(bindings) != 1:
        raise Refusal(f"{name} is imported under a condition or more than once")
    return found[0]
