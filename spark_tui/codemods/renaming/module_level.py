"""Rename a name of a module where it is defined, imported, re-exported, exported and reached through the
module."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.renaming.edits import Renaming
from spark_tui.codemods.uses.by_string import attribute_by_string, match_full_name
from spark_tui.codemods.uses.callsites import HARMLESS
from spark_tui.codemods.uses.class_doubts import pickle_doubts
from spark_tui.codemods.uses.references import unknown_attributes
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.inference.values import FOREIGN, UNKNOWN, ModuleValue
from spark_tui.pysource.names import places
from spark_tui.pysource.names.scopes import Occurrence, Role, Variable
from spark_tui.pysource.names.type_hints import called
from spark_tui.pysource.source import Definition

_VERBS = frozenset(("get", "post", "put", "patch", "delete", "head", "options", "websocket"))
"""Decorators that go by the address of a request, not by the name of what answers it."""


def rename_module_level(renaming: Renaming, target: Target) -> None:
    """Rename a function, class, variable or import of a module in the whole repository."""
    assert target.variable is not None
    renaming.no_clash(target.path, target.variable)
    renaming.variable(target.path, target.variable)
    _registered(renaming, target)
    if _is_submodule(renaming, target.path):
        return
    known = {target.path}
    known |= _in_twin(renaming, target.path, known)
    todo = sorted(known)
    # A file that imports the name without an alias exports it again under the same name: follow until nothing
    # is new.
    while todo:
        defined_in = todo.pop()
        for path in sorted(_possible_importers(renaming, defined_in)):
            if _follow(renaming, path, known, defined_in) and path not in known:
                new = {path} | _in_twin(renaming, path, known)
                known |= new
                todo += sorted(new)
    index = renaming.repo.index
    if isinstance(target.node, ast.ClassDef):
        renaming.unfollowed.update(pickle_doubts(renaming.repo, target.path, target.node))
        _private_members(renaming, known)
    full_names = {f"{module}.{renaming.old}" for item in known for module in index.modules.names(item)}
    renaming.full_names |= full_names
    renaming.unfollowed.update(unknown_attributes(renaming.repo, renaming.old))
    for path in sorted(index.files_with(renaming.old)):
        _through_modules(renaming, path, known, full_names)
    if renaming.new.startswith("_") and not renaming.old.startswith("_"):
        for path in sorted(known):
            if renaming.old in (index.summary(path).exports or ()):
                renaming.unsure(path, 1, f"__all__ offers {renaming.new}, which is private")
    _entry_points(renaming, {module for item in known for module in index.modules.names(item)})


def _is_submodule(renaming: Renaming, path: str) -> bool:
    """Whether the name is only that of a module in a package that imports it: elsewhere it stays that."""
    index, infer = renaming.repo.index, renaming.repo.infer
    inner = index.modules.find(f"{index.modules.name(path)}.{renaming.old}", path)
    if inner is None or renaming.old in (index.summary(path).exports or ()):
        return False
    values = infer.name(path, renaming.old, index.scopes(path).module)
    return all(isinstance(value, ModuleValue) and value.path == inner for value in values)


def _private_members(renaming: Renaming, known: set[str]) -> None:
    """Name the places that reach a private member of a class from outside, under its longer name."""
    start = f"_{renaming.old.lstrip('_')}__"
    index = renaming.repo.index
    for path in sorted({*known, *(one for item in known for one in index.importers(item))}):
        scopes = index.scopes(path) if start in (index.text(path) or "") else None
        for name, uses in scopes.attributes_by_name.items() if scopes is not None else ():
            for use in uses if name.startswith(start) and not name.endswith("__") else ():
                reason = f"{name} is a private member of {renaming.old}, named after the class"
                renaming.unsure(path, use.node.lineno, reason)
        for string in scopes.source.strings if scopes is not None else ():
            if str(string.value).startswith(start):
                renaming.unsure(path, string.lineno, f"a text names a private member of {renaming.old}")


def _entry_points(renaming: Renaming, modules: set[str]) -> None:
    """Rename it where settings name it as an object of its module: `shop.cli:main`."""
    shown = "|".join(re.escape(module) for module in sorted(modules))
    pattern = re.compile(rf"(?<![\w.])(?:{shown}):(?P<name>{re.escape(renaming.old)})(?!\w)")
    for path in renaming.repo.index.all_paths if modules else ():
        text = renaming.repo.index.text(path) or "" if path.endswith((".toml", ".cfg", ".ini")) else ""
        for found in pattern.finditer(text) if f":{renaming.old}" in text else ():
            renaming.rename(path, found.span("name"), text.count("\n", 0, found.start()) + 1)


def _registered(renaming: Renaming, target: Target) -> None:
    """Name the decorators from elsewhere that may keep what they decorate by its name: commands, routes."""
    if not isinstance(target.node, Definition):
        return
    module = renaming.repo.index.scopes(target.path).module
    for decorator in target.node.decorator_list:
        maker = called(decorator)
        if not isinstance(maker, ast.Attribute) or maker.attr in HARMLESS | _VERBS:
            continue
        shown = ast.unparse(maker)
        values = renaming.repo.infer.values(target.path, maker, module)
        known = shown.startswith(("pytest.", "unittest.", "typing."))
        if not known and {UNKNOWN, FOREIGN}.intersection(values):
            renaming.unsure(target.path, decorator.lineno, f"@{shown} may register it under its name")


def _in_twin(renaming: Renaming, path: str, known: set[str]) -> set[str]:
    """Rename the same name in the stub of a module, or in the module of a stub: that file. What it imports
    from a file that is known to change is followed like other imports."""
    index = renaming.repo.index
    twin = index.modules.twin(path)
    if twin is None or twin in known or index.text(twin) is None:
        return set()
    scopes = index.scopes(twin)
    variable = scopes.variable(renaming.old, scopes.module) if renaming.old in scopes.module.bound else None
    if variable is None:
        return set()
    renaming.no_clash(twin, variable)
    if not any(
        binding.role is Role.IMPORT and _imports_it(renaming, twin, binding, known)
        for binding in variable.bindings
    ):
        renaming.variable(twin, variable)
    return {twin}


def _possible_importers(renaming: Renaming, path: str) -> set[str]:
    out = set()
    for importer in renaming.repo.index.importers(path):
        known = renaming.repo.index.summary(importer)
        if renaming.old in known.words or any(imported.name == "*" for imported in known.imports):
            out.add(importer)
    return out


def _follow(renaming: Renaming, path: str, known: set[str], origin: str) -> bool:
    """Rename the imports of the name in a file. Says whether the file offers the name again."""
    scopes = renaming.repo.index.scopes(path)
    again = False
    for one in scopes.imported.get(renaming.old, ()):
        if _imports_it(renaming, path, one, known):
            again |= _imported(renaming, path, scopes.resolve(one), one, known)
    by_star = scopes.module.star_import and renaming.old not in scopes.module.bound
    if by_star and _star_of(renaming, path, origin) and not _is_submodule(renaming, path):
        if renaming.new in scopes.module.bound:
            raise Refusal(f"{renaming.new} exists already in {path}, which imports * from {origin}")
        for variable in scopes.variables:
            if variable.scope is None and variable.name == renaming.old:
                for one in variable.occurrences:
                    renaming.rename(path, one.span, getattr(one.node, "lineno", 0))
        again = True
    return again


def _imports_it(renaming: Renaming, path: str, occurrence: Occurrence, known: set[str]) -> bool:
    node = occurrence.node
    assert isinstance(node, ast.alias)
    index = renaming.repo.index
    found = index.modules.imported(path, index.scopes(path).aliases[node])
    # What a package imports from itself is one of its modules, which keeps its name.
    return node.name == renaming.old and found in known and found != path


def _star_of(renaming: Renaming, path: str, origin: str) -> bool:
    index = renaming.repo.index
    exports = index.summary(origin).exports
    offered = renaming.old in exports if exports is not None else not renaming.old.startswith("_")
    stars = (one for one in index.summary(path).imports if one.name == "*")
    modules = (index.imported_module(path, star) for star in stars)
    return offered and any(index.modules.find(module, path) == origin for module in modules)


def _imported(
    renaming: Renaming, path: str, variable: Variable, occurrence: Occurrence, known: set[str]
) -> bool:
    """Rename one `from m import old`, and what it binds. Says whether it binds the name again in the
    module."""
    node = occurrence.node
    assert isinstance(node, ast.alias)
    line = node.lineno
    scopes = renaming.repo.index.scopes(path)
    if node.asname is not None:
        renaming.rename(path, places.alias_names(scopes.source, node)[0], line)
        if node.asname != renaming.old:
            return False
    clash = renaming.clash(path, variable)
    if clash:
        # The name cannot change in this file: import it under the old one.
        if node.asname is None:
            renaming.put(path, occurrence.span, f"{renaming.new} as {renaming.old}")
        renaming.unsure(path, line, f"imported as {renaming.old}: {clash}")
        return False
    for item in variable.occurrences:
        if isinstance(item.node, ast.alias) and not _imports_it(renaming, path, item, known):
            renaming.alias(path, item.node, scopes.aliases[item.node])
        else:
            renaming.rename(path, item.span, getattr(item.node, "lineno", 0))
    return variable.scope is scopes.module


def _through_modules(renaming: Renaming, path: str, known: set[str], full_names: set[str]) -> None:
    """Rename `module.old` and strings that name it in full."""
    repo = renaming.repo
    scopes = repo.index.scopes(path)
    if scopes.source.tree is None:
        return  # the check of hidden uses names it
    for use in scopes.attributes_by_name.get(renaming.old, ()):
        values = repo.infer.values(path, use.node.value, use.scope)
        if any(isinstance(value, ModuleValue) and value.path in known for value in values):
            renaming.rename(path, use.span, use.node.lineno)
    for node in scopes.source.strings:
        if renaming.old in str(node.value):
            rename_in_string(renaming, path, node, full_names)
    for call in scopes.calls:
        _by_name(renaming, path, call, known)


def rename_in_string(renaming: Renaming, path: str, node: ast.Constant, full_names: set[str]) -> None:
    """A string that is the full name, as `mock.patch("shop.cart.total")` has it."""
    name = match_full_name(str(node.value), full_names)
    if name is None:
        return
    body = renaming.repo.index.source(path).literal_body(node)
    if body is None:
        renaming.unsure(path, node.lineno, "a string names it")
    else:
        end = body[0] + len(name)
        renaming.rename(path, (end - len(renaming.old), end), node.lineno)


def _by_name(renaming: Renaming, path: str, call: ast.Call, known: set[str]) -> None:
    found = attribute_by_string(call, renaming.old)
    if found is None:
        return
    repo, (owner, name, sure) = renaming.repo, found
    scopes = repo.index.scopes(path)
    values = repo.infer.values(path, owner, scopes.scope_at.get(call, scopes.module))
    if any(isinstance(value, ModuleValue) and value.path in known for value in values):
        if sure:
            renaming.rename(path, scopes.source.literal_body(name), call.lineno)
        else:
            renaming.unsure(path, call.lineno, f"the string {renaming.old!r} may mean it")
