"""Names that may be used where it cannot be followed: in a module that looks at its own names, through
`globals()`, `vars()` or `sys.modules`, and in compiled code."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Collection, Iterator
from functools import lru_cache
from operator import itemgetter
from pathlib import PurePosixPath

from spark_tui.codemods.plan import Finding, Places
from spark_tui.codemods.uses.looked_up import held_names, is_own_dictionary
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue, InstanceValue, ModuleValue, Values
from spark_tui.pysource.names.scopes import Scope, ScopeKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk

_LOOKING = ("globals", "locals", "vars", "dir")
_LOOKING_AT = ("vars", "dir", "getmembers")
_LOOKED_FOR = ("vars(", "dir(", "getmembers(", ".__dict__")
"""One of these stands in what the next pattern finds, and is found faster."""
_LOOKS = re.compile(r"\b(?:vars|dir|getmembers)\(\w|\.__dict__\b")
_OF_OWN_NAME = re.compile(r"modules(?:[^\w#]|#[^\r\n]*[\r\n])*__name__")
_SOURCE_OF_COMPILED = ".pyx"
_COMPILED = (".so", ".pyd", _SOURCE_OF_COMPILED)


def own_names(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which names are new or gone where the module may do something with each of its names."""
    importing: frozenset[str] | None = None  # looked for in all files, so once at most
    for path in paths:
        if not after.has(path):
            continue
        if not before.has(path):
            name = after.index.modules.name(path)
            if name in sys.stdlib_module_names:
                reason = f"{name} hides the module of the standard library"
                yield Finding(path, 1, "own names", reason, sure=False)
            continue
        old, new = before.index.scopes(path).module.bound, after.index.scopes(path).module.bound
        changed = sorted(old ^ new)
        line = own_names_line(after, path) if changed else 0
        if line:
            reason = f"the module looks at its own names here; {changed[0]} is new or gone"
            yield Finding(path, line, "own names", reason, sure=False)
        for where, at, reason in _members_seen(before, after, path):
            yield Finding(where, at, "own names", reason, sure=False)
        shown = [name for name in changed if not name.startswith("_")]
        if not shown:
            continue
        if importing is None:
            importing = frozenset(after.index.files_with("import_module"))
        near = (after.index.importers(path) | importing) - {path}
        for where, at, reason in _seen_elsewhere(after, path, near, shown, new):
            yield Finding(where, at, "own names", reason, sure=False)


def _seen_elsewhere(
    after: Repository, path: str, near: Collection[str], changed: list[str], new: set[str]
) -> Places:
    """Where another file may meet a public name of a module that is new or gone, without naming it."""
    package = path.removesuffix("/__init__.py") if path.endswith("/__init__.py") else ""
    for name in changed:
        inner = f"{package}/{name}"
        for item in (f"{inner}.py", f"{inner}/__init__.py") if package and name in new else ():
            values = after.infer.name(path, name, after.index.scopes(path).module)
            if item in after.index.paths and ModuleValue(after.index.modules.name(item), item) not in values:
                yield path, 1, f"{name} is a module of the package too, which it hides"
    for where in sorted(near):
        for node in _looking(after, where, path):
            reason = f"{ast.unparse(node)} looks at the names of a module; {changed[0]} is new or gone"
            yield where, node.lineno, reason


def _members_seen(before: Repository, after: Repository, path: str) -> Places:
    """Where the members of a class are collected, of which some are new."""
    for name, _, added in lost_members(after, before, path):
        public = {text for text in added if not text.startswith("_")}
        found = after.classes.find(path, name) if public else []
        for where in sorted({path, *after.index.importers(path)}) if found else ():
            for asking, values in _asked(after, where):
                own = is_own_dictionary(asking, values)
                seen = sorted(held_names(after, found, public) if own else public)
                of = (value.of if isinstance(value, InstanceValue) else value for value in values)
                whole = isinstance(asking, ast.Attribute) and UNKNOWN in values
                meant = any(item in found for item in of)
                if seen and (meant or (whole and _is_held(after, found, seen[0]))):
                    yield where, asking.lineno, f"{ast.unparse(asking)} sees {seen[0]}, which is new"


def _is_held(repo: Repository, owners: list[ClassValue], name: str) -> bool:
    """Whether objects of a class hold a member themselves, in their dictionary."""
    nodes = (node for one in owners for node in repo.classes.own_members(one).get(name, ()))
    return any(isinstance(node, ast.Attribute) for node in nodes)


def _looking(repo: Repository, where: str, path: str) -> Iterator[ast.expr]:
    """Where a file looks at all names of a module."""
    names = repo.index.modules.names(path)
    for node, values in _asked(repo, where):
        known = any(isinstance(value, ModuleValue) and value.path == path for value in values)
        of = node.args[0] if isinstance(node, ast.Call) else None
        unknown = not known and UNKNOWN in values and isinstance(of, ast.Name)
        if known or (unknown and any(one.value in names for one in repo.index.source(where).strings)):
            yield node


def _asked(repo: Repository, where: str) -> Iterator[tuple[ast.expr, Values]]:
    """Where a file asks something for all of its names, and what that may be."""
    if not _looks(repo.index.text(where) or ""):
        return
    scopes = repo.index.scopes(where)
    calls = (item for name in _LOOKING_AT for item in scopes.calls_by_name.get(name, ()))
    in_order = sorted(calls, key=itemgetter(0))
    asked: list[tuple[ast.expr, ast.expr]] = [(one, one.args[0]) for _, one in in_order if one.args]
    asked += [(item.node, item.node.value) for item in scopes.attributes_by_name.get("__dict__", ())]
    for node, of in asked:
        yield node, repo.infer.values(where, of, scopes.scope_at[node])


def asked_in_order(repo: Repository, path: str, node: ast.ClassDef | ast.Module) -> Places:
    """Where the names of a class or module are asked for in the order in which they are set."""
    if isinstance(node, ast.Module) and (line := own_names_line(repo, path)):
        yield path, line, "the module looks at its own names here"
    for where in sorted({path, *repo.index.importers(path)}):
        for asking, values in _asked(repo, where):
            if isinstance(asking, ast.Call) and last_name(asking.func) != "vars":
                continue  # these sort the names
            of_class = any(isinstance(one, ClassValue) and one.node is node for one in values)
            of_module = any(isinstance(one, ModuleValue) and one.path == path for one in values)
            if of_class or (of_module and isinstance(node, ast.Module)):
                yield where, asking.lineno, f"{ast.unparse(asking)} has the names in their order"


@lru_cache(maxsize=1024)
def _looks(text: str) -> bool:
    return any(item in text for item in _LOOKED_FOR) and _LOOKS.search(text) is not None


def compiled_users(before: Repository, after: Repository, paths: Collection[str]) -> Iterator[Finding]:
    """Says which modules and names are gone where compiled code of the same package may import them."""
    compiled = [item for item in before.index.all_paths if item.endswith(_COMPILED)]
    for path in paths if compiled else ():
        if not before.has(path):
            continue
        gone = {PurePosixPath(path).stem}
        if after.index.text(path) is not None:
            gone = before.index.scopes(path).module.bound - after.index.scopes(path).module.bound
        near = (item for item in compiled if item.split("/")[0] == path.split("/")[0])
        found = ((item, name) for item in near for name in sorted(gone) if _may_use(before, item, name))
        if (one := next(found, None)) is not None:
            lost = one[1] if after.index.text(path) is not None else path
            yield Finding(path, 1, "own names", f"{one[0]}, which is compiled, may use {lost}", sure=False)


def _may_use(repo: Repository, compiled: str, name: str) -> bool:
    """Whether compiled code may use a name: where its source is there, the name stands in it."""
    text = repo.index.text(compiled) if compiled.endswith(_SOURCE_OF_COMPILED) else None
    return text is None or re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def own_names_line(repo: Repository, path: str) -> int:
    """The line in which a module looks at its own names; 0 where it does not."""
    scopes = repo.index.scopes(path)
    for node, scope in scopes.scope_at.items():
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
            continue
        if node.func.id == "globals" or (node.func.id in _LOOKING and _is_of_module(scope)):
            return node.lineno
    return _own_module(scopes.source)


def _is_of_module(scope: Scope | None) -> bool:
    while scope is not None and scope.kind is ScopeKind.COMPREHENSION:
        scope = scope.outer
    return scope is not None and scope.kind is ScopeKind.MODULE


def _own_module(source: Source) -> int:
    if "modules" not in source.text or not _OF_OWN_NAME.search(source.text):
        return 0
    for node in walk(source.tree):
        if isinstance(node, ast.Subscript) and ast.unparse(node) == "sys.modules[__name__]":
            return node.lineno
    return 0


def lost_members(
    before: Repository, after: Repository, path: str
) -> Iterator[tuple[str, ast.ClassDef, set[str]]]:
    """The classes of a file with the members that they no longer have, as the classes are now."""
    if path not in after.index.modules.paths:
        return
    old, new = before.index.source(path), after.index.source(path)
    for name, nodes in old.classes.items():
        now = new.classes[name][-1] if name in new.classes else None
        if now is None or old.segment(nodes[-1]) == new.segment(now):
            continue
        had = {member for node in nodes for member in before.classes.own_members(ClassValue(path, node))}
        lost = had - set(after.classes.own_members(ClassValue(path, now)))
        if lost:
            yield name, now, lost
