"""Imports of a module turned into imports of the names that are used from it."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from spark_tui.codemods.checks.library_names import lacks
from spark_tui.codemods.imports.graph import order_doubts
from spark_tui.codemods.imports.lines import insert_import, remove_aliases
from spark_tui.codemods.places.named import need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits
from spark_tui.codemods.slots import FilePath, NewName, Text
from spark_tui.codemods.uses.by_string import attribute_by_string
from spark_tui.codemods.uses.own_names import own_names_line
from spark_tui.codemods.uses.through_modules import set_elsewhere
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


@codemod
class UseFromImport:
    """Import the names used from a module instead of the module; the uses follow."""

    path: FilePath = slot("the file")
    module: Text = slot("the module as it is imported: os.path")
    names: tuple[NewName, ...] = slot("only these names; empty for all that are used", default=())

    def plan(self, repo: Repository) -> Plan:
        source = need_source(repo, self.path)
        scopes = repo.index.scopes(self.path)
        statement, alias = _imported(source, self.module)
        uses, whole = _uses(source, scopes, alias)
        wanted = [use for use in uses if not self.names or use.attr in self.names]
        names = list(dict.fromkeys(use.attr for use in sorted(wanted, key=source.span)))
        if not names:
            raise Refusal(f"nothing is used from {self.module} in {self.path}")
        for name in names:
            if scopes.by_name.get(name) or hasattr(builtins, name):
                raise Refusal(f"{name} means something else in {self.path}")
            if not repo.infer.exported(self.module, name, self.path):
                raise Refusal(f"{self.module} has no {name} that can be imported")
        # A name is looked up when it is imported, an attribute when it is used.
        unsure = list(order_doubts(repo, self.path))
        reached = _reached(repo, self.module)
        unsure += _missing(scopes, statement, self.module, names)
        home = repo.index.modules.find(self.module, self.path)
        unsure += set_elsewhere(repo, home, [self.module, *reached], names)
        if whole and home is not None:
            reason = f"what gets the whole module may change {names[0]} in it"
            unsure.append(Unfollowed(source.path, statement.lineno, reason))
        if home is not None and (line := own_names_line(repo, home)):
            unsure.append(
                Unfollowed(home, line, f"the module looks at its own names and may change {names[0]}")
            )
        own_name = alias.asname or self.module.partition(".")[0]
        unsure += set_elsewhere(repo, None, repo.index.modules.names(self.path), [own_name])
        edits = [Edit(source.path, *source.span(use), use.attr) for use in wanted]
        shown = ", ".join(names)
        if len(wanted) == len(uses) and not whole:
            if len(statement.names) == 1:
                edits.append(Edit(source.path, *source.span(statement), f"from {self.module} import {shown}"))
                return plan_edits(repo, edits, unsure)
            edits += remove_aliases(source, {statement: [alias]})
        added = insert_import(repo, self.path, self.module, names[0], "")
        more = "".join(f", {item}" for item in names[1:])
        text = added.new.replace(names[0], names[0] + more, 1) if f"import {names[0]}" in added.new else ""
        edits.append(Edit(added.path, added.start, added.end, text or added.new + more))
        return plan_edits(repo, edits, unsure)


def _missing(scopes: Scopes, statement: ast.stmt, module: str, names: list[str]) -> Iterator[Unfollowed]:
    """Where a name may be missing in some Python, and is only asked for where it is there."""
    for name in names:
        if lacks(module, name):
            reason = f"{module} has no {name} here: an import of it fails even where nothing uses it"
            yield Unfollowed(scopes.source.path, statement.lineno, reason)
        for call in scopes.calls:
            if attribute_by_string(call, name):
                reason = f"{ast.unparse(call.func)}(…) asks whether there is a {name}"
                yield Unfollowed(scopes.source.path, call.lineno, reason)


def _reached(repo: Repository, module: str) -> Iterator[str]:
    """The full names under which the modules of the repository have a module that they import."""
    for path in repo.index.paths:
        found = [one for one in repo.index.imports(path) if one.module == module and not one.name]
        for shown in {name for one in found for name in (one.alias, module) if name}:
            yield from (f"{own}.{shown}" for own in repo.index.modules.names(path))


def _imported(source: Source, module: str) -> tuple[ast.Import, ast.alias]:
    """The statement that imports a module for the whole file."""
    for stmt in source.body:
        for alias in stmt.names if isinstance(stmt, ast.Import) else ():
            if alias.name == module:
                assert isinstance(stmt, ast.Import)
                return stmt, alias
    raise Refusal(f"{source.path} does not import {module} as a module")


def _uses(source: Source, scopes: Scopes, alias: ast.alias) -> tuple[list[ast.Attribute], bool]:
    """Where something is read from the module, and whether the module is used in another way."""
    parts = (alias.asname or alias.name).split(".")
    variable = scopes.variable(parts[0], scopes.module)
    uses: list[ast.Attribute] = []
    given: set[str] = set()
    """What the file itself sets or deletes in the module."""
    whole = False
    for occurrence in variable.occurrences if variable is not None else ():
        if occurrence.role is Role.IMPORT:
            whole = whole or getattr(occurrence.node, "name", "") != alias.name
            continue
        node: ast.AST | None = occurrence.node
        for part in parts[1:]:
            node = source.parents.get(node) if node is not None else None
            if not (isinstance(node, ast.Attribute) and node.attr == part):
                node = None
                break
        use = source.parents.get(node) if node is not None else None
        attribute = use if isinstance(use, ast.Attribute) else None
        read = attribute and isinstance(attribute.ctx, ast.Load) and attribute.value is node
        if attribute and read and source.span(attribute)[0] >= 0:
            uses.append(attribute)
        else:
            whole = True
            given |= {attribute.attr} if attribute else set()
    return [item for item in uses if item.attr not in given], whole
