"""Collects the edits of a rename, what could not be followed, and why it must not be done."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable
from itertools import takewhile

from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, UnfollowedKind
from spark_tui.codemods.uses.symbols import Target
from spark_tui.pysource.names import places
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope, ScopeKind, Scopes, Variable
from spark_tui.pysource.names.type_hints import own_name
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Span


class Renaming:
    """A rename in the making."""

    def __init__(self, repo: Repository, old: str, new: str) -> None:
        self.repo = repo
        self.old = old
        self.new = new
        self.edits: dict[tuple[str, int, int], Edit] = {}
        self.unfollowed: set[Unfollowed] = set()
        self.full_names: set[str] = set()
        """What is renamed, with its module and class."""
        self.of_class = False
        """Whether that is a class: the full names of others begin with its."""

    def rename(self, path: str, span: Span | None, line: int = 0) -> None:
        """The old name stands at a place and becomes the new one; None where the place is not known."""
        if span is None or span[0] < 0 or (self.repo.index.text(path) or "")[slice(*span)] != self.old:
            self.unsure(path, line, "the name is in a string or f-string that cannot be edited exactly")
        else:
            self.put(path, span, self.new)

    def put(self, path: str, span: Span, text: str) -> None:
        self.edits[path, span[0], span[1]] = Edit(path, span[0], span[1], text)

    def unsure(self, path: str, line: int, reason: str, of: UnfollowedKind = "other") -> None:
        self.unfollowed.add(Unfollowed(path, line, reason, of))

    def done(self) -> Plan:
        source = self.repo.index.source
        edited = {(edit.path, source(edit.path).line_number(edit.start)) for edit in self.edits.values()}
        told = {one for one in self.unfollowed if one.of == "in comment" and (one.path, one.line) in edited}
        return Plan(tuple(sorted(self.edits.values())), tuple(sorted(self.unfollowed - told)))

    # -- variables of one file

    def variable(self, path: str, variable: Variable) -> None:
        """Rename all places of a variable in its file. Imports of it bind the new name with `as`."""
        scopes = self.repo.index.scopes(path)
        for occurrence in variable.occurrences:
            if occurrence.role is Role.IMPORT and isinstance(occurrence.node, ast.alias):
                self.alias(path, occurrence.node, scopes.aliases[occurrence.node])
            else:
                self.rename(path, occurrence.span, getattr(occurrence.node, "lineno", 0))
            name = own_name(getattr(scopes.source.parents.get(occurrence.node), "value", None))
            if occurrence.role is Role.ASSIGN and name is not None and name.value == self.old:
                self.rename(path, scopes.source.literal_body(name), name.lineno)

    def alias(self, path: str, node: ast.alias, statement: ast.Import | ast.ImportFrom) -> None:
        """Let an import bind the new name; what is imported stays the same."""
        source = self.repo.index.source(path)
        aliases = self.repo.index.scopes(path).aliases
        imported, alias = places.alias_names(source, node)
        if isinstance(statement, ast.ImportFrom) and statement.module == "__future__":
            raise Refusal("an import from __future__ is a switch and cannot be renamed")
        elif node.asname is None and "." in node.name:
            raise Refusal(f"import {node.name} binds {self.old}: give it an alias first")
        elif alias is None:
            self.put(path, (imported[1], imported[1]), f" as {self.new}")
        elif node.name == self.new and not _exports_by_alias(node, statement, aliases):
            self.put(path, (imported[1], alias[1]), "")
        else:
            self.rename(path, alias, node.lineno)

    def unsure_at(self, places: Iterable[tuple[str, int, str]]) -> None:
        for path, line, reason in places:
            self.unsure(path, line, reason)

    def no_clash(self, path: str, variable: Variable) -> None:
        """Refuse where a variable cannot have the new name in its file."""
        if clash := self.clash(path, variable):
            raise Refusal(clash, why="taken")

    def clash(self, path: str, variable: Variable) -> str:
        """Why a variable cannot have the new name in its file; empty where it can."""
        scopes = self.repo.index.scopes(path)
        scope = variable.scope or scopes.module
        where = scope_words(scope)
        if self.new in scope.bound or self.new in scope.redirected:
            return f"{self.new} exists already in {where} of {path}"
        for occurrence in variable.occurrences:
            # The scopes in which the name is looked up first where it is used.
            between = takewhile(lambda item: item is not scope, occurrence.scope.chain())
            taking = (item for item in between if self.new in item.bound or self.new in item.redirected)
            if not all(_is_early(scopes, occurrence, self.new, item) for item in taking):
                line = scopes.source.line_number(occurrence.span[0])
                return f"{self.new} is another name where {self.old} is used ({path}:{line})"
        return explain_capture(scopes, scope, self.new)


def explain_capture(scopes: Scopes, scope: Scope, new: str) -> str:
    """Why a new name in a scope would take the uses of another one over; empty where it takes none."""
    for item in scopes.by_name.get(new, ()):
        found = scopes.resolve(item).scope
        outer = found is None or found in scope.outwards()
        if outer and item.role is not Role.EXPORT and scope in item.scope.chain():
            what = "the builtin" if found is None and new in KNOWN else "the name"
            where = f"{scope_words(scope)} of {scopes.source.path}"
            return f"{where} uses {what} {new}, which would be captured"
    return ""


def check_local_name(scopes: Scopes, node: ast.AST, name: str) -> None:
    """Refuse a name that a statement would bind and that is none, hides a builtin, or captures another."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Refusal(f"{name!r} is not a valid name")
    if name in KNOWN:
        raise Refusal(f"{name} is a builtin, which would be hidden")
    scope = scopes.of_function(node)
    new = name not in scope.bound and scope is not scopes.module
    if new and (reason := explain_capture(scopes, scope, name)):
        raise Refusal(reason)


def _exports_by_alias(
    node: ast.alias, statement: ast.Import | ast.ImportFrom, aliases: Iterable[ast.alias]
) -> bool:
    """Whether most of what is imported beside a name, or else in its file, is marked as exported by `name as
    name`."""
    others = [name for name in statement.names if name is not node]
    others = others or [alias for alias in aliases if alias is not node]
    return sum(other.name == other.asname for other in others) > sum(other.asname is None for other in others)


def _is_early(scopes: Scopes, occurrence: Occurrence, name: str, scope: Scope) -> bool:
    """Whether a class binds a name only after a use in its body, as `class A: x = x` does: the use means the
    outer one."""
    if not scope.is_class or occurrence.scope is not scope or name in scope.redirected:
        return False
    variable = scopes.variable(name, scope)
    return variable is not None and all(occurrence.order < binding.order for binding in variable.bindings)


def scope_words(scope: Scope) -> str:
    name = getattr(scope.node, "name", "")
    if scope.kind is ScopeKind.MODULE:
        return "the module"
    return f"{scope.kind.value} {name}".strip()


def note_named_texts(renaming: Renaming, path: str, *, whole: bool) -> None:
    """Name the strings of a file that have the old name of a definition as a part, or are it as a whole,
    where `__name__` of something is read."""
    scopes = renaming.repo.index.scopes(path)
    part = re.compile(rf"(?<![^\W_]){re.escape(renaming.old)}(?![^\W_])")
    done = [(edit.start, edit.end) for edit in renaming.edits.values() if edit.path == path]
    for string in scopes.source.strings:
        if renaming.old not in str(string.value):
            continue
        low, high = scopes.source.span(string)
        followed = any(low <= start and end <= high for start, end in done)
        alone = isinstance(scopes.source.parents.get(string), ast.Expr)
        found = string.value == renaming.old if whole else part.search(str(string.value))
        if found and not followed and not alone:
            renaming.unsure(path, string.lineno, "a string has the name, and __name__ of something is read")


def note_mentions(renaming: Renaming, path: str, target: Target) -> None:
    """Name the comments of a file that mention the old name; of a local name those of its
    function."""
    source = renaming.repo.index.source(path)
    word = rf"(?<!\w){re.escape(renaming.old)}(?!\w)"
    if not re.search(rf"#.*{word}", source.text):
        return
    pattern = re.compile(word)
    scope = target.variable.scope if target.variable is not None and path == target.path else None
    within = scope.node if scope is not None and scope.kind is ScopeKind.FUNCTION else None
    low, high = source.span(within) if within is not None else (0, len(source.text))
    for comment in source.comments:
        if low <= comment.span[0] < high and pattern.search(comment.text):
            line = source.line_number(comment.span[0])
            renaming.unsure(path, line, "a comment mentions the name", "in comment")
