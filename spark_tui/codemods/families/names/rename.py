"""Rename a symbol: the model of how an operation is written."""

from __future__ import annotations

import keyword

from spark_tui.codemods.plan import Plan, Refusal, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.renaming.edits import Renaming, mentions, named_texts
from spark_tui.codemods.renaming.member import rename_member
from spark_tui.codemods.renaming.module_level import rename_module_level
from spark_tui.codemods.renaming.parameter import rename_parameter
from spark_tui.codemods.renaming.shown_names import in_f_strings, named_in_settings, of_local
from spark_tui.codemods.slots import NewName, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, find
from spark_tui.pysource.names.scopes import ScopeKind
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function


@codemod
class Rename:
    """Rename a symbol everywhere it is used, in the whole repository."""

    target: Symbol = slot("what to rename: Cart.add, checkout.total, shop/cart.py::Cart")
    new: NewName = slot("the new name, without dots")

    def plan(self, repo: Repository) -> Plan:
        found = need(find(repo, self.target))
        _check_name(found, self.new)
        renaming = Renaming(repo, found.name, self.new)
        _rename(renaming, found)
        if isinstance(found.node, Function) and "fixture" in decorator_names(found.node):
            renaming.unsure(found.path, found.line, "tests take a fixture by the names of their parameters")
        paths = sorted({one.path for one in renaming.edits.values()})
        reads = [
            path
            for path in paths
            if not repo.index.scopes(path).attributes_by_name.keys().isdisjoint(("__name__", "__qualname__"))
        ]
        for path in paths:
            mentions(renaming, path)
            in_f_strings(renaming, path)
        if isinstance(found.node, Definition) and reads:
            for path in sorted({*paths, *repo.index.files_with(found.name)}):
                named_texts(renaming, path, whole=path not in reads)
            named_in_settings(renaming)
        return renaming.done()


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
        raise Refusal(f"{new} is a builtin, which would be hidden")


def _rename(renaming: Renaming, target: Target) -> None:
    if target.owner is None and target.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER):
        of_local(renaming, target)
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
