"""Rename a symbol, or everything of one name: all symbols, and the members of objects whose variable is
called like a class."""

from __future__ import annotations

import ast
import keyword

from spark_tui.codemods.joined import as_before, from_texts
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.cross_references import rename_cross_references
from spark_tui.codemods.renaming.edits import Renaming, note_mentions, note_named_texts
from spark_tui.codemods.renaming.member import CLASS_UNKNOWN, rename_member
from spark_tui.codemods.renaming.module_level import rename_module_level
from spark_tui.codemods.renaming.parameter import rename_parameter
from spark_tui.codemods.renaming.shown_names import (
    note_f_strings,
    note_kept_by_name,
    note_kept_name,
    note_local_lookups,
    note_named_after,
    note_settings,
)
from spark_tui.codemods.slots import NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol, list_targets
from spark_tui.pysource.inference.values import UNKNOWN, ClassValue
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import decorator_names, last_name
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function


@codemod
class Rename:
    """Rename a symbol everywhere it is used, in the whole repository."""

    target: Symbol = slot("what to rename: Cart.add, checkout.total, shop/cart.py::Cart")
    new: NewName = slot("the new name, without dots")

    def plan(self, repo: Repository) -> Plan:
        found = need(find_symbol(repo, self.target))
        _check_name(found, self.new)
        renaming = Renaming(repo, found.name, self.new)
        renaming.of_class = isinstance(found.node, ast.ClassDef) or _imports_class(repo, found)
        _rename(renaming, found)
        if isinstance(found.node, Function) and "fixture" in decorator_names(found.node):
            renaming.unsure(found.path, found.line, "tests take a fixture by the names of their parameters")
        if renaming.full_names:
            rename_cross_references(renaming)
        if isinstance(found.node, ast.ClassDef):
            note_named_after(renaming)
        note_kept_name(renaming, found)
        paths = sorted({edit.path for edit in renaming.edits.values()})
        for path in paths:
            note_mentions(renaming, path, found)
            note_f_strings(renaming, path)
        if isinstance(found.node, Definition):
            note_kept_by_name(renaming, found)
            of_names = {"__name__", "__qualname__"}
            near = sorted({*paths, *repo.index.files_with(found.name)})
            reads = [path for path in near if of_names & repo.index.scopes(path).attributes_by_name.keys()]
            among = set(reads) & set(paths)
            for path in near if among else reads:
                note_named_texts(renaming, path, whole=path not in among)
            if among:
                note_settings(renaming)
        return renaming.done()


def _imports_class(repo: Repository, found: Target) -> bool:
    """Whether the symbol is a name under which a file imports a class."""
    if found.kind is not SymbolKind.IMPORT:
        return False
    values = repo.infer.name(found.path, found.name, repo.index.scopes(found.path).module)
    return any(isinstance(value, ClassValue) for value in values)


def _check_name(target: Target, new: str) -> None:
    if not new.isidentifier():
        raise Refusal(f"{new!r} is not a valid name", why="name")
    if keyword.iskeyword(new):
        raise Refusal(f"{new} is a keyword of Python", why="name")
    if new == target.name:
        raise Refusal(f"{target.qualname} is already called {new}", why="nothing")
    if target.is_special:
        raise Refusal(f"{target.name} is a special name of its module")
    if target.owner is None and new in KNOWN:
        raise Refusal(f"{new} is a builtin, which would be hidden", why="name")


def _rename(renaming: Renaming, target: Target) -> None:
    if target.owner is None and target.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER):
        note_local_lookups(renaming, target)
    if target.owner is not None:
        rename_member(renaming, target)
    elif target.kind is SymbolKind.PARAMETER:
        rename_parameter(renaming, target)
    elif target.variable is not None and target.variable.scope is not None:
        if target.variable.scope.kind is ScopeKind.MODULE:
            rename_module_level(renaming, target)
            return
        renaming.no_clash(target.path, target.variable)
        renaming.variable(target.path, target.variable)


@codemod
class RenameAll:
    """Rename every class, function, member, parameter and variable of one name, in the whole repository."""

    old: NewName = slot("the current name, without dots")
    new: NewName = slot("the new name, without dots")

    def plan(self, repo: Repository) -> Plan:
        if self.old == self.new:
            raise Refusal("nothing would change", why="nothing")
        texts: dict[str, str | None] = {}
        left: list[Unfollowed] = []
        owners: set[str] = set()
        now, seen = repo, set[tuple[str, str, int]]()
        while (target := _next(now, self.old, seen)) is not None:
            seen.add((target.path, target.qualname, target.line))
            if target.owner is not None:
                owners.add(target.owner.node.name.lower())
            plan = need(Rename(Symbol(target.qualname, target.path, target.line), self.new).plan(now))
            told = [doubt for doubt in plan.unfollowed if doubt.of != "of unknown class"]
            left += [as_before(doubt, repo, now) for doubt in told]
            texts |= plan.texts(now)
            now = repo.with_changes(texts)
        if not seen:
            raise Refusal(f"nothing is called {self.old}", why="unknown")
        if owners:
            edits, doubts = _members(now, self.old, self.new, owners)
            left += [as_before(doubt, repo, now) for doubt in doubts]
            texts |= Plan(tuple(sorted(edits))).texts(now)
        return from_texts(texts, repo, left)


def _next(repo: Repository, name: str, seen: set[tuple[str, str, int]]) -> Target | None:
    """A symbol that still has the name. What is imported from elsewhere keeps it."""
    for path in repo.index.files_with(name):
        for target in list_targets(repo, path, name):
            if target.kind is not SymbolKind.IMPORT and (path, target.qualname, target.line) not in seen:
                return target
    return None


def _members(repo: Repository, old: str, new: str, owners: set[str]) -> tuple[list[Edit], list[Unfollowed]]:
    """The members of objects of unknown class: renamed where the variable is called like a class that had
    the name (`cart.owner`), named otherwise."""
    edits, doubts = [], []
    for path in sorted(repo.index.files_with_member(old)):
        for attribute in repo.index.scopes(path).attributes:
            receiver = attribute.node.value
            if attribute.name != old or UNKNOWN not in repo.infer.values(path, receiver, attribute.scope):
                continue
            reason = f"{ast.unparse(attribute.node)}: {CLASS_UNKNOWN}"
            if last_name(receiver).replace("_", "").lower() in owners:
                edits.append(Edit(path, *attribute.span, new))
                reason += "; renamed because of the variable's name"
            doubts.append(Unfollowed(path, attribute.node.lineno, reason))
    return edits, doubts
