"""Names that a changed file gives to those who import all of its names, where they mean something else."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Finding
from spark_tui.codemods.uses.hidden import offering
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository


def star_imports(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says where `from … import *` brings a new name over another one."""
    for path in paths:
        new = _offered(after, path) - _offered(before, path) if before.has(path) and after.has(path) else ()
        for home in offering(after, path) if new else ():
            stars = (one for one in after.index.importers(home) if _takes_all(after, one))
            for importer in sorted(stars):
                known = after.index.scopes(importer)
                for name in sorted(new):
                    old, now = _last(before, importer, name), _last(after, importer, name)
                    meant = old or (name in KNOWN and name in known.by_name)
                    if meant and now is not None and now[1] == home != (old and old[1]):
                        reason = f"import * brings {name}, which the file has already"
                        yield Finding(importer, now[0], "star imports", reason, sure=False)


def _takes_all(repo: Repository, path: str) -> bool:
    """Whether a file imports all names of some module: told by its imports, before its names are resolved."""
    return any(one.name == "*" for one in repo.index.imports(path))


def _offered(repo: Repository, path: str) -> set[str]:
    """The names that a module gives to those who import all of them, but for those that it gets so itself."""
    scopes = repo.index.scopes(path)
    exports, bound = scopes.exports, scopes.module.bound
    return {name for name in bound if (name in exports if exports is not None else not name.startswith("_"))}


def _last(repo: Repository, path: str, name: str) -> tuple[int, str] | None:
    """Where a module gets a name last: the line and the file, its own where it binds the name itself."""
    scopes, found = repo.index.scopes(path), list[tuple[int, str]]()
    variable = scopes.variable(name, scopes.module) if name in scopes.module.bound else None
    for binding in variable.bindings if variable is not None else ():
        found.append((scopes.source.line_number(max(binding.span[0], 0)), path))
    for one in repo.index.imports(path):
        home = (
            repo.index.modules.find(repo.index.imported_module(path, one), path) if one.name == "*" else None
        )
        if home is not None and home != path and _gives(repo, home, name, {path}):
            found.append((one.line, home))
    return max(found, default=None)


def _gives(repo: Repository, path: str, name: str, seen: set[str]) -> bool:
    """Whether a module offers a name, its own or one that it gets by importing all names of another one."""
    if name in _offered(repo, path):
        return True
    if path in seen or name in repo.index.scopes(path).module.bound:
        return False
    stars = (repo.index.imported_module(path, one) for one in repo.index.imports(path) if one.name == "*")
    homes = (repo.index.modules.find(module, path) for module in stars)
    return any(home is not None and _gives(repo, home, name, {*seen, path}) for home in homes)
