"""Names of modules that get another value while a program or a test runs: who imports such a name, or moves
away from it, keeps the old value."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Unfollowed
from spark_tui.codemods.uses.by_string import by_name, full_name
from spark_tui.pysource.names.type_hints import last_name, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition

_READING = frozenset(("getattr", "hasattr"))
_OF_FILE = frozenset(("__file__", "__name__", "__package__", "__spec__", "__path__"))


def set_elsewhere(
    repo: Repository, home: str | None, modules: Collection[str], names: Collection[str]
) -> Iterator[Unfollowed]:
    """Where names of a module are set again: `module.name = …`, `setattr`, a patch that names them, `global`
    in its file `home`. `modules` are its full names, and those under which others reach it."""
    ends = {one.rpartition(".")[2] for one in modules}
    for name in sorted(names):
        full = [f"{module}.{name}" for module in modules]
        for path in sorted(repo.index.files_with(name)):
            scopes = repo.index.scopes(path)
            lines = [one.lineno for one in scopes.source.strings if full_name(str(one.value), full)]
            for call in scopes.calls:
                found = by_name(call, name)
                sets = found is not None and found[2] and last_name(call.func) not in _READING
                if found is not None and sets and last_name(found[0]) in ends:
                    lines.append(call.lineno)
            for use in scopes.attributes_by_name.get(name, ()):
                if not isinstance(use.node.ctx, ast.Load) and last_name(use.node.value) in ends:
                    lines.append(use.node.lineno)
            if path == home and any(
                one.scope.redirected.get(name) == "global" and one.role.binds for one in scopes.by_name[name]
            ):
                lines.append(
                    next(one.node.lineno for one in scopes.by_name[name] if hasattr(one.node, "lineno"))
                )
            for line in lines[:1]:
                yield Unfollowed(
                    path, line, f"{name} gets another value here, which an import does not follow"
                )


def moved_away(repo: Repository, old: str, node: Definition) -> Iterator[Unfollowed]:
    """What a definition uses of its module and would find changed in another one."""
    used = names_within(node)
    for name in sorted(used & _OF_FILE):
        yield Unfollowed(old, node.lineno, f"{node.name} uses {name}, which is another one there")
    bound = set(repo.index.scopes(old).module.bound) - {node.name}
    yield from set_elsewhere(repo, old, repo.index.modules.names(old), used & bound)
