"""Places that reach a name through its module: where it gets another value while a program or a test runs,
and what they become when a definition moves."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.uses.by_string import attribute_by_string, match_full_name
from spark_tui.codemods.uses.references import find_attribute_uses
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.values import ModuleValue
from spark_tui.pysource.names.scope_records import AttributeUse
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import last_name, names_within
from spark_tui.pysource.repository import Repository


def through_module(
    repo: Repository, target: Target, node: ast.stmt
) -> Iterator[tuple[str, AttributeUse, Edit | None]]:
    """The uses of `module.name` in other files, with the edit to the bare name that the file can import
    instead; None where the file calls something else by that name, or where the place is not known."""
    for path, use in find_attribute_uses(repo, target, node):
        if path == target.path:
            continue
        start, end = repo.index.source(path).span(use.node)
        values = repo.infer.values(path, use.node.value, use.scope)
        plain = start >= 0 and isinstance(use.node.ctx, ast.Load) and len(values) == 1
        edit = Edit(path, start, end, target.name) if plain and _is_free(repo, path, target) else None
        yield path, use, edit


def _is_free(repo: Repository, path: str, target: Target) -> bool:
    """Whether a file has the name for nothing but the definition itself, as it is imported or moves there."""
    scopes = repo.index.scopes(path)
    if scopes.module.star_import:
        return False
    for variable in scopes.variables:
        if variable.name != target.name:
            continue
        aliases = [binding.node for binding in variable.bindings if isinstance(binding.node, ast.alias)]
        if variable.scope is not scopes.module or len(aliases) != len(variable.bindings):
            return False
        for alias in aliases:
            statement = scopes.aliases[alias]
            module = statement.module if isinstance(statement, ast.ImportFrom) else None
            level = statement.level if isinstance(statement, ast.ImportFrom) else 0
            found = repo.index.modules.find(repo.index.modules.absolute(path, module, level), path)
            if found != target.path or alias.name != target.name:
                return False
    return True


def named_in_strings(
    repo: Repository, target: Target, module: str, *, follow: bool
) -> Iterator[tuple[Unfollowed, Edit | None]]:
    """Strings that name the definition in full, as a patch in a test has them, and names given as strings
    beside its module. With `follow` the full ones get the new module."""
    full = [f"{name}.{target.name}" for name in repo.index.modules.names(target.path)]
    for path in sorted(repo.index.files_with(target.name)):
        scopes = repo.index.scopes(path)
        for node in scopes.source.strings:
            old = match_full_name(str(node.value), full)
            if old is None:
                continue
            body = scopes.source.literal_body(node)
            edit = None
            if follow and body is not None:
                edit = Edit(path, body[0], body[0] + len(old), f"{module}.{target.name}")
            yield (
                Unfollowed(path, node.lineno, f"a string names {old}: what it should reach is not known"),
                edit,
            )
        for call in scopes.calls:
            pair = attribute_by_string(call, target.name)
            values = repo.infer.values(path, pair[0], scopes.scope_at[call]) if pair else ()
            if any(isinstance(value, ModuleValue) and value.path == target.path for value in values):
                yield (
                    Unfollowed(path, call.lineno, f"reaches {target.name} of the old module by its name"),
                    None,
                )


def qualified(
    repo: Repository, path: str, imports: Iterator[tuple[str, str, str]], module: str
) -> str | None:
    """What a file calls a module that it imports at its top; None where it does not, or for other things
    too."""
    scopes = repo.index.scopes(path)
    for name, what, alias in imports:
        if (f"{name}.{what}" if what else name) != module:
            continue
        shown = alias or what or name
        variable = scopes.variable(shown.split(".")[0], scopes.module)
        bindings = variable.bindings if variable is not None else []
        if (
            bindings
            and all(binding.role is Role.IMPORT for binding in bindings)
            and ("." in shown or len(bindings) == 1)
        ):
            return shown
    return None


_READING = frozenset(("getattr", "hasattr"))
_OF_FILE = frozenset(("__file__", "__name__", "__package__", "__spec__", "__path__"))


def set_elsewhere(
    repo: Repository, home: str | None, modules: Collection[str], names: Collection[str]
) -> Iterator[Unfollowed]:
    """Where names of a module are set again: `module.name = …`, `setattr`, a patch that names them, `global`
    in its file `home`. `modules` are its full names, and those under which others reach it."""
    ends = {module.rpartition(".")[2] for module in modules}
    for name in sorted(names):
        full = [f"{module}.{name}" for module in modules]
        for path in sorted(repo.index.files_with(name)):
            scopes = repo.index.scopes(path)
            lines = [
                string.lineno for string in scopes.source.strings if match_full_name(str(string.value), full)
            ]
            for call in scopes.calls:
                found = attribute_by_string(call, name)
                sets = found is not None and found[2] and last_name(call.func) not in _READING
                if found is not None and sets and last_name(found[0]) in ends:
                    lines.append(call.lineno)
            for use in scopes.attributes_by_name.get(name, ()):
                if not isinstance(use.node.ctx, ast.Load) and last_name(use.node.value) in ends:
                    lines.append(use.node.lineno)
            if path == home and any(
                item.scope.redirected.get(name) == "global" and item.role.binds
                for item in scopes.by_name[name]
            ):
                lines.append(
                    next(item.node.lineno for item in scopes.by_name[name] if hasattr(item.node, "lineno"))
                )
            for line in lines[:1]:
                yield Unfollowed(
                    path, line, f"{name} gets another value here, which an import does not follow"
                )


def moved_away(repo: Repository, old: str, node: ast.stmt, name: str) -> Iterator[Unfollowed]:
    """What a definition uses of its module and would find changed in another one."""
    used = names_within(node) - {name}
    for item in sorted(used & _OF_FILE):
        yield Unfollowed(old, node.lineno, f"{name} uses {item}, which is another one there")
    bound = set(repo.index.scopes(old).module.bound) - {name}
    yield from set_elsewhere(repo, old, repo.index.modules.names(old), used & bound)
