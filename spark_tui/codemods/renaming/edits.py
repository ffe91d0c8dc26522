"""Collects the edits of a rename, what could not be followed, and why it must not be done."""

from __future__ import annotations

import ast
import keyword
import re
from collections.abc import Iterable
from itertools import takewhile

from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.pysource.names import places
from spark_tui.pysource.names.scopes import Occurrence, Role, Scope, ScopeKind, Scopes, Variable
from spark_tui.pysource.names.type_hints import own_name
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository

IN_COMMENT = "a comment mentions the name"


class Renaming:
    """A rename in the making."""

    def __init__(self, repo: Repository, old: str, new: str) -> None:
        self.repo = repo
        self.old = old
        self.new = new
        self.edits: dict[tuple[str, int, int], Edit] = {}
        self.unfollowed: set[Unfollowed] = set()

    def rename(self, path: str, span: tuple[int, int], line: int = 0) -> None:
        """The old name stands at a place and becomes the new one."""
        if span[0] < 0 or (self.repo.index.text(path) or "")[span[0] : span[1]] != self.old:
            self.unsure(path, line, "the name is in a string or f-string that cannot be edited exactly")
        else:
            self.put(path, span, self.new)

    def put(self, path: str, span: tuple[int, int], text: str) -> None:
        self.edits[path, span[0], span[1]] = Edit(path, span[0], span[1], text)

    def unsure(self, path: str, line: int, reason: str) -> None:
        self.unfollowed.add(Unfollowed(path, line, reason))

    def done(self) -> Plan:
        source = self.repo.index.source
        edited = {(one.path, source(one.path).line_number(one.start)) for one in self.edits.values()}
        left = {
            one for one in self.unfollowed if one.reason != IN_COMMENT or (one.path, one.line) not in edited
        }
        return Plan(tuple(sorted(self.edits.values())), tuple(sorted(left)))

    # -- variables of one file

    def variable(self, path: str, variable: Variable) -> None:
        """Rename all places of a variable in its file. Imports of it bind the new name with `as`."""
        scopes = self.repo.index.scopes(path)
        for one in variable.occurrences:
            if one.role is Role.IMPORT and isinstance(one.node, ast.alias):
                self.alias(path, one.node, scopes.aliases[one.node])
            else:
                self.rename(path, one.span, getattr(one.node, "lineno", 0))
            said = own_name(getattr(scopes.source.parents.get(one.node), "value", None))
            if one.role is Role.ASSIGN and said is not None and said.value == self.old:
                self.rename(path, scopes.source.literal_body(said) or (-1, -1), said.lineno)

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

    def no_clash(self, path: str, variable: Variable) -> None:
        """Refuse where a variable cannot have the new name in its file."""
        if clash := self.clash(path, variable):
            raise Refusal(clash)

    def clash(self, path: str, variable: Variable) -> str:
        """Why a variable cannot have the new name in its file; empty where it can."""
        scopes = self.repo.index.scopes(path)
        scope = variable.scope or scopes.module
        where = scope_words(scope)
        if self.new in scope.bound or self.new in scope.redirected:
            return f"{self.new} exists already in {where} of {path}"
        for one in variable.occurrences:
            between = [
                each for each in _between(one.scope, scope) if not _is_early(scopes, one, self.new, each)
            ]
            if any(self.new in each.bound or self.new in each.redirected for each in between):
                line = scopes.source.line_number(one.span[0])
                return f"{self.new} is another name where {self.old} is used ({path}:{line})"
        return captured(scopes, scope, self.new)


def captured(scopes: Scopes, scope: Scope, new: str) -> str:
    """Why a new name in a scope would take the uses of another one over; empty where it takes none."""
    for one in scopes.by_name.get(new, ()):
        found = scopes.resolve(one).scope
        if (
            one.role is not Role.EXPORT
            and scope in one.scope.chain()
            and (found is None or found in scope.outwards())
        ):
            what = "the builtin" if found is None and new in KNOWN else "the name"
            where = f"{scope_words(scope)} of {scopes.source.path}"
            return f"{where} uses {what} {new}, which would be captured"
    return ""


def local_name(scopes: Scopes, node: ast.AST, name: str) -> None:
    """Refuse a name that a statement would bind and that is none, hides a builtin, or captures another."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Refusal(f"{name!r} is not a valid name")
    if name in KNOWN:
        raise Refusal(f"{name} is a builtin, which would be hidden")
    scope = scopes.of_function(node)
    if name not in scope.bound and scope is not scopes.module and (reason := captured(scopes, scope, name)):
        raise Refusal(reason)


def _exports_by_alias(
    node: ast.alias, statement: ast.Import | ast.ImportFrom, aliases: Iterable[ast.alias]
) -> bool:
    """Whether most of what is imported beside a name, or else in its file, is marked as exported by `name as
    name`."""
    others = [one for one in statement.names if one is not node] or [
        one for one in aliases if one is not node
    ]
    return sum(one.name == one.asname for one in others) > sum(one.asname is None for one in others)


def _between(inner: Scope, outer: Scope) -> list[Scope]:
    """The scopes in which a name of `outer` is looked up first when it is used in `inner`."""
    return list(takewhile(lambda one: one is not outer, inner.chain()))


def _is_early(scopes: Scopes, one: Occurrence, name: str, scope: Scope) -> bool:
    """Whether a class binds a name only after a use in its body, as `class A: x = x` does: the use means the
    outer one."""
    if not scope.is_class or one.scope is not scope or name in scope.redirected:
        return False
    variable = scopes.variable(name, scope)
    return variable is not None and all(one.order < each.order for each in variable.bindings)


def scope_words(scope: Scope) -> str:
    name = getattr(scope.node, "name", "")
    if scope.kind is ScopeKind.MODULE:
        return "the module"
    return f"{scope.kind.value} {name}".strip()


def named_texts(renaming: Renaming, path: str, *, whole: bool) -> None:
    """Name the strings of a file that have the old name of a definition as a part, or are it as a whole,
    where `__name__` of something is read."""
    scopes = renaming.repo.index.scopes(path)
    part = re.compile(rf"(?<![^\W_]){re.escape(renaming.old)}(?![^\W_])")
    done = [(one.start, one.end) for one in renaming.edits.values() if one.path == path]
    for one in scopes.source.strings:
        if renaming.old not in str(one.value):
            continue
        low, high = scopes.source.span(one)
        followed = any(low <= start and end <= high for start, end in done)
        alone = isinstance(scopes.source.parents.get(one), ast.Expr)
        found = one.value == renaming.old if whole else part.search(str(one.value))
        if found and not followed and not alone:
            renaming.unsure(path, one.lineno, "a string has the name, and __name__ of something is read")


def mentions(renaming: Renaming, path: str) -> None:
    """Name the comments of a file that mention the old name."""
    source = renaming.repo.index.source(path)
    word = rf"(?<!\w){re.escape(renaming.old)}(?!\w)"
    if not re.search(rf"#.*{word}", source.text):
        return
    pattern = re.compile(word)
    for one in source.comments:
        if pattern.search(one.text):
            renaming.unsure(path, source.line_number(one.span[0]), IN_COMMENT)
