"""Places that reach a name through its module: where it gets another value while a program or a test runs,
and what they become when a definition moves."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator

from spark_tui.codemods.plan import Edit, Unfollowed
from spark_tui.codemods.uses.by_string import attribute_by_string, match_full_name
from spark_tui.codemods.uses.looked_up import computed_lookups
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
            found = repo.index.modules.imported(path, scopes.aliases[alias])
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
                sign = str(node.value)[len(old) - len(target.name) - 1]
                edit = Edit(path, body[0], body[0] + len(old), f"{module}{sign}{target.name}")
            reason = f"a string names {old}: what it should reach is not known"
            yield Unfollowed(path, node.lineno, reason), edit
        for call in scopes.calls:
            pair = attribute_by_string(call, target.name)
            values = repo.infer.values(path, pair[0], scopes.scope_at[call]) if pair else ()
            if any(isinstance(value, ModuleValue) and value.path == target.path for value in values):
                reason = f"reaches {target.name} of the old module by its name"
                yield Unfollowed(path, call.lineno, reason), None


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
        roles = [binding.role for binding in variable.bindings] if variable is not None else []
        if set(roles) == {Role.IMPORT} and ("." in shown or len(roles) == 1):
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
    for path in sorted(repo.index.importers(home)) if home is not None else ():
        for node, values in computed_lookups(repo, path, ("setattr", "delattr")):
            if any(isinstance(value, ModuleValue) and value.path == home for value in values):
                reason = f"{ast.unparse(node)} may change what the module has"
                yield Unfollowed(path, node.lineno, reason)
    for name in sorted(names):
        full = [f"{module}.{name}" for module in modules]
        for path in sorted(repo.index.files_with(name)):
            scopes = repo.index.scopes(path)
            strings = scopes.source.strings
            texts = ((string.lineno, str(string.value)) for string in strings)
            lines = [line for line, text in texts if ":" not in text and match_full_name(text, full)]
            for call in scopes.calls:
                found = attribute_by_string(call, name)
                sets = found is not None and found[2] and last_name(call.func) not in _READING
                if found is not None and sets and last_name(found[0]) in ends:
                    lines.append(call.lineno)
            for use in scopes.attributes_by_name.get(name, ()):
                if not isinstance(use.node.ctx, ast.Load) and last_name(use.node.value) in ends:
                    lines.append(use.node.lineno)
            own = scopes.by_name[name] if path == home else []
            if any(item.scope.redirected.get(name) == "global" and item.role.binds for item in own):
                lines.append(next(item.node.lineno for item in own if hasattr(item.node, "lineno")))
            if lines:
                reason = f"{name} gets another value here, which an import does not follow"
                yield Unfollowed(path, lines[0], reason)


def moved_away(repo: Repository, old: str, node: ast.stmt, name: str) -> Iterator[Unfollowed]:
    """What a definition uses of its module and would find changed in another one."""
    used = names_within(node) - {name}
    for item in sorted(used & _OF_FILE):
        yield Unfollowed(old, node.lineno, f"{name} uses {item}, which is another one there")
    bound = repo.index.scopes(old).module.bound
    yield from set_elsewhere(repo, old, repo.index.modules.names(old), used & bound)
