"""Imports: remove unused ones, add one, sort them."""

from __future__ import annotations

import ast
import builtins
import sys
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from keyword import iskeyword

from spark_tui.codemods.imports.graph import effect_order, find_circles, order_doubts
from spark_tui.codemods.imports.lines import insert_import, remove_aliases, remove_imports, sort_imports
from spark_tui.codemods.imports.unused import effects_of, needed_elsewhere
from spark_tui.codemods.places.named import need_source
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import lost_comments
from spark_tui.codemods.slots import FilePath, NewName, Text
from spark_tui.codemods.uses.through_modules import set_elsewhere
from spark_tui.pysource.names.imports import ImportNode, hoisted, unused_imports
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import Imported


def _files(repo: Repository, path: str) -> list[str]:
    """The file that is named, or all that parse."""
    if not path:
        return [item for item in repo.index.paths if repo.index.summary(item).parses]
    return [need_source(repo, path).path]


@codemod
class RemoveUnusedImports:
    """Remove the imports that are used neither in their file nor by another file that imports them from
    there."""

    path: FilePath = slot("the file; empty for all", default=FilePath(""))

    def plan(self, repo: Repository) -> Plan:
        files = _files(repo, self.path)
        edits: list[Edit] = []
        left: list[Unfollowed] = []
        for path in files:
            scopes = repo.index.scopes(path)
            gone: dict[ImportNode, list[ast.alias]] = defaultdict(list)
            for unused in unused_imports(scopes):
                reason = unused.doubt or needed_elsewhere(repo, path, unused.name)
                if reason:
                    reason = f"import of {unused.name} kept: {reason}"
                    left.append(Unfollowed(path, unused.alias.lineno, reason))
                    continue
                gone[unused.statement].append(unused.alias)
                left += effects_of(repo, path, unused)
            edits += remove_aliases(scopes.source, gone)
        if not edits:
            raise Refusal("no import is unused" + (f" ({left[0].reason})" if left else ""), why="nothing")
        return Plan(tuple(edits), tuple(dict.fromkeys(left)))


@codemod
class AddImport:
    """Import a module, or a name from a module, in a file."""

    path: FilePath = slot("the file")
    module: Text = slot("the module: shop.cart, or .cart")
    name: NewName = slot("the name to import from it; empty for the module itself", default=NewName(""))
    alias: NewName = slot("the name that is bound in the file", default=NewName(""))
    hoist: bool = slot("whether the same import in functions goes", default=False)

    def plan(self, repo: Repository) -> Plan:
        need_source(repo, self.path)
        parts = [part for part in self.module.lstrip(".").split(".") if part]
        names = filter(None, (*parts, self.name, self.alias))
        wrong = [name for name in names if not name.isidentifier() or iskeyword(name)]
        if wrong or not (parts or self.module.strip(".") == "") or not self.module:
            raise Refusal(f"{(wrong or [self.module])[0]!r} cannot be imported")
        if self.module.startswith(".") and not self.name:
            raise Refusal("a relative import needs a name")
        bound = self.alias or self.name or parts[0]
        scopes = repo.index.scopes(self.path)
        inner = hoisted(scopes, self.module, self.name, self.alias) if self.hoist else {}
        if bound in scopes.module.bound:
            same = any(self._is(one, bound) for one in repo.index.imports(self.path))
            raise Refusal(f"{bound} exists already in {self.path}", why="nothing" if same else "unfit")
        used = [item for item in scopes.by_name.get(bound, ()) if scopes.resolve(item).scope is None]
        edit = insert_import(repo, self.path, self.module, self.name, self.alias)
        source = scopes.source
        lines = [source.line_number(max(item.span[0], 0)) for item in used if hasattr(builtins, bound)]
        hidden = [Unfollowed(self.path, line, f"{bound} now means the import") for line in lines]
        if self.alias and self.alias in KNOWN and not hidden:
            hidden = [Unfollowed(self.path, 1, f"{self.alias} hides the builtin")]
        gone = [*remove_imports(source, inner)]
        hidden += _told_by_comments(source, gone)
        plan = Plan((edit, *gone))
        after = repo.with_changes(plan.texts(repo))
        hidden += _not_there(after, self.path, self.module, self.name)
        hidden += find_circles(repo, after, self.path)
        if inner and not self.module.startswith(".") and not _is_imported(repo, parts[0]):
            hidden.append(
                Unfollowed(self.path, 1, f"{parts[0]} may not be installed where {self.path} is used")
            )
        if inner and self.name:
            module = repo.index.modules.absolute(self.path, self.module.lstrip("."), _dots(self.module))
            home = repo.index.modules.find(module, self.path)
            hidden += set_elsewhere(repo, home, [module], [self.name])
        return replace(plan, unfollowed=tuple(hidden))

    def _is(self, one: Imported, bound: str) -> bool:
        """Whether an import at the top of the file is this one."""
        dots = _dots(self.module)
        module = (one.level, one.module) == (dots, self.module[dots:])
        return not one.late and module and (one.alias, one.name) == (bound, self.name)


def _dots(module: str) -> int:
    """How many dots a relative module begins with."""
    return len(module) - len(module.lstrip("."))


def _told_by_comments(source: Source, gone: Sequence[Edit]) -> Iterator[Unfollowed]:
    """A doubt where a comment on the line of an import or above it may say why it is imported there."""
    for edit in gone:
        line = source.line_number(edit.start)
        if source.lines[line - 2].lstrip().startswith("#") or lost_comments(source, edit):
            yield Unfollowed(source.path, line, "a comment may say why it is imported there")


def _is_imported(repo: Repository, package: str) -> bool:
    """Whether a package is part of Python or of the repository, or is imported at the top of some file."""
    if package in sys.stdlib_module_names or repo.index.modules.is_package(package):
        return True
    return bool(repo.index.modules.find(package, "")) or any(
        not one.late and not one.level and one.module.partition(".")[0] == package
        for path in repo.index.files_with(package)
        for one in repo.index.imports(path)
    )


def _not_there(repo: Repository, path: str, module: str, name: str) -> Iterator[Unfollowed]:
    """A doubt where a module of the repository, or a name in one, is imported and does not exist."""
    dots = len(module) - len(module.lstrip("."))
    full = repo.index.modules.absolute(path, module[dots:] or None, dots)
    there = repo.index.modules.find(full, path) or repo.index.modules.is_package(full)
    if not there and repo.index.modules.is_package(full.split(".")[0]):
        yield Unfollowed(path, 1, f"there is no module {full}")
    elif there and name and not repo.infer.exported(full, name, path):
        yield Unfollowed(path, 1, f"{full} has no {name}")


@codemod
class SortImports:
    """Sort the imports of a file into groups: future, standard, installed, local."""

    path: FilePath = slot("the file; empty for all", default=FilePath(""))
    groups: bool = slot("no: only sort the lines that are together", default=True)

    def plan(self, repo: Repository) -> Plan:
        files = _files(repo, self.path)
        edits = [edit for path in files for edit in sort_imports(repo, path, self.groups)]
        if not edits:
            raise Refusal("the imports are sorted", why="nothing")
        plan = Plan(tuple(edits))
        after = repo.with_changes(plan.texts(repo))
        doubts: list[Unfollowed] = []
        for path in plan.paths:
            doubts += order_doubts(repo, path)
            if effect_order(repo, path) != effect_order(after, path):
                doubts.append(Unfollowed(path, 1, "these imports do something, in another order now"))
        return replace(plan, unfollowed=tuple(doubts))
