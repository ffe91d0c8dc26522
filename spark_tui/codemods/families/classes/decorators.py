"""Decorators: add and remove them."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import UnionType

from spark_tui.codemods.checks.wrapped_calls import wrapper_doubts
from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import DEFINED, insert_at_line, need_definition, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    names_in,
    plan_edits,
    read_expression,
    refuse_lost_comments,
)
from spark_tui.codemods.slots import Choice, Expression, Symbol
from spark_tui.codemods.uses.cached_results import cache_doubts
from spark_tui.codemods.uses.callsites import call_sites, find_overrides
from spark_tui.codemods.uses.class_doubts import abstract_doubts, equality_doubts
from spark_tui.codemods.uses.property_readers import call_readers, find_setting
from spark_tui.pysource.inference.values import ClassValue, FunctionValue
from spark_tui.pysource.names.type_hints import called, decorator_names, last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Function, Source, parameters
from spark_tui.pysource.words import word_set

_CHANGES = word_set(
    "staticmethod classmethod property cached_property setter getter deleter contextmanager"
    " asynccontextmanager dataclass total_ordering singledispatch"
)
"""Without these, or with them, what is decorated is used in another way."""
_KNOWN = word_set(
    "staticmethod classmethod property cached_property cache lru_cache wraps total_ordering singledispatch"
    " contextmanager asynccontextmanager dataclass abstractmethod override final overload deprecated"
    " runtime_checkable unique skip skipIf skipUnless expectedFailure"
)


_CACHES = ("cache", "lru_cache", "cached_property")
_OF_FUNCTIONS = ("cache", "lru_cache", "wraps", "contextmanager", "asynccontextmanager", "abstractmethod")
_READ = ("property", "cached_property")
_WRAPPED = frozenset(("property", "classmethod", "staticmethod"))


_REGISTERING = word_set(
    "route get post put delete patch websocket command group fixture task shared_task register errorhandler"
    " before_request after_request exception_handler middleware on on_event event listener callback handler"
    " tool"
)
_OF_METHODS = frozenset(("property", "cached_property", "staticmethod", "classmethod", "abstractmethod"))


class End(Choice):
    """The position of a decorator among others."""

    OUTER = "outer"
    INNER = "inner"


@codemod
class AddDecorator:
    """Decorate a function, method or class."""

    target: Symbol = slot("the function, method or class", kinds=DEFINED)
    decorator: Expression = slot("the decorator, without @")
    end: End = slot("above the other decorators or below them", default=End.OUTER)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_definition(repo, self.target, alone=True)
        text = self.decorator.strip().removeprefix("@")
        wanted = read_expression(text)
        if any(is_same_tree(wanted, decorator) for decorator in node.decorator_list):
            raise Refusal(f"{target.qualname} has that decorator", why="nothing")
        doubts = [] if _keeps_what_it_is_given(repo, source, wanted) else [_unknown(source, node, text)]
        function = called(wanted)
        if isinstance(node, ast.ClassDef) and last_name(function) in _OF_METHODS:
            raise Refusal(f"@{text} is for functions, and {target.qualname} is a class")
        if isinstance(node, Function) and node.name == "__init__" and last_name(function) in _CACHES:
            raise Refusal(f"{target.qualname} makes an object, and has no result to keep")
        holder, scopes = source.class_of(node), repo.index.scopes(source.path)
        shown = function.id if isinstance(function, ast.Name) else ""
        if holder is not None and shown in scopes.scope_of[holder].bound:
            doubts.append(Unfollowed(source.path, node.lineno, f"{holder.name} has a {shown} of its own"))
        if isinstance(node, Function) and last_name(function) in _CACHES:
            on_object = last_name(function) == "cached_property"
            doubts += cache_doubts(repo, source, node, on_object=on_object)
        if isinstance(node, Function) and last_name(function) == "abstractmethod":
            doubts += abstract_doubts(repo, source, node)
        if last_name(function) == "dataclass" and isinstance(node, ast.ClassDef):
            doubts += equality_doubts(repo, source, node)
        plain = last_name(function) == "staticmethod" and source.class_of(node) is None
        if isinstance(node, Function) and last_name(function) in _CHANGES and not plain:
            sites = call_sites(repo, [(source.path, node)])
            reason = f"with @{text} the call means something else"
            every = (*sites.sites, *sites.unknown)
            doubts += [Unfollowed(site.path, site.call.lineno, reason) for site in every]
        reasons = wrapper_doubts(repo, source, node, wanted)
        doubts += [Unfollowed(source.path, node.lineno, reason) for reason in reasons]
        # These take a function, which is no longer one under the others.
        inside = last_name(function) in _OF_FUNCTIONS or _is_own(repo, source, function, FunctionValue)
        inside = inside and not _WRAPPED.isdisjoint(decorator_names(node))
        first = node.decorator_list[0] if node.decorator_list and self.end is End.OUTER else None
        if first is not None and not inside and _registers(first) and not _registers(wanted):
            reason = f"@{ast.unparse(first)} takes the {_kind(node)} without @{text}, which stands above it"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        edits = [decorate(source, node, text, End.INNER if inside else self.end)]
        for other in node.decorator_list if last_name(function) in _READ else ():
            if last_name(other) in _READ:  # one of them takes the place of the other
                edits = with_lost_imports(repo, [Edit(source.path, *source.span(other), text)])
                doubts += find_setting(repo, node.name) if last_name(function) == "property" else ()
        return plan_edits(repo, edits, doubts, given=names_in(text))


def _keeps_what_it_is_given(repo: Repository, source: Source, decorator: ast.expr) -> bool:
    """Whether a decorator gives something back that can be used as before: a well-known one, or one that the
    repository defines."""
    function = called(decorator)
    if last_name(function) in _KNOWN or ast.unparse(function).startswith("pytest."):
        return True
    return _is_own(repo, source, function, FunctionValue | ClassValue)


def _is_own(repo: Repository, source: Source, function: ast.expr, kinds: UnionType | type) -> bool:
    """Whether a decorator is one of the repository."""
    values = repo.infer.values(source.path, function, repo.index.scopes(source.path).module)
    return any(isinstance(value, kinds) for value in values)


def _registers(decorator: ast.expr) -> bool:
    """Whether a decorator keeps what it is given for somebody else to call."""
    function = called(decorator)
    name = last_name(function)
    plain = isinstance(function, ast.Attribute) or function is decorator
    return (name in _REGISTERING and plain) or name.split("_")[0] == "register"


def _kind(node: Definition) -> str:
    return "class" if isinstance(node, ast.ClassDef) else "function"


def _unknown(source: Source, node: Definition, text: str) -> Unfollowed:
    return Unfollowed(source.path, node.lineno, f"what @{text} makes of {node.name} is not known here")


def decorate(source: Source, node: Definition, text: str, end: End = End.OUTER) -> Edit:
    own_lines(source, [node])
    line = source.first_line(node) if end is End.OUTER else node.lineno - 1
    return insert_at_line(source, line, f"{source.indent(node)}@{text}{source.newline}")


@codemod
class RemoveDecorator:
    """Remove a decorator; what reads a property calls the method."""

    target: Symbol = slot("the function, method or class", kinds=DEFINED)
    decorator: Expression = slot("the decorator, or its name where it is called: lru_cache, app.route")

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_definition(repo, self.target, alone=True)
        wanted = read_expression(self.decorator.strip().removeprefix("@"))
        found = [decorator for decorator in node.decorator_list if is_same_tree(wanted, decorator)]
        found = found or [one for one in node.decorator_list if is_same_tree(wanted, called(one))]
        if len(found) != 1:
            raise Refusal(f"{target.qualname} has {len(found) or 'no'} such decorators")
        text, name = ast.unparse(found[0]), last_name(called(found[0]))
        doubts = list(_cache_uses(repo, target.name))
        edits = [_line(source, found[0])]
        makes = isinstance(node, Function) and not parameters(node) and not _gives_constants(node)
        if name in _READ and isinstance(node, Function) and target.owner is not None:
            below = [one for one in repo.classes.descendants(target.owner) if one != target.owner]
            overridden = any(target.name in repo.classes.own_members(one) for one in below)
            if overridden or len(find_overrides(repo, source.path, node)) > 1:
                raise Refusal(f"other classes override {target.qualname}")
            edits += call_readers(repo, target, target.owner, doubts)
            above = node.decorator_list[: node.decorator_list.index(found[0])]
            reason = f"takes the method without @{text} now"
            doubts += [Unfollowed(source.path, one.lineno, f"@{ast.unparse(one)} {reason}") for one in above]
        elif name in _CHANGES:
            reason = f"without @{text} its calls mean something else"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        elif name == "wraps":
            doubts.append(Unfollowed(source.path, node.lineno, "it no longer has the name of what it wraps"))
        elif name in _CACHES and makes:
            doubts.append(Unfollowed(source.path, node.lineno, "each call makes a new one now"))
        elif not _keeps_what_it_is_given(repo, source, found[0]):
            doubts.append(_unknown(source, node, text))
        if any(ast.unparse(inner).startswith(f"{target.name}.") for inner in _siblings(source, node)):
            raise Refusal(f"other methods are built on {target.name}")
        return plan_edits(repo, with_lost_imports(repo, edits), doubts)


def _gives_constants(node: Function) -> bool:
    """Whether all that a function returns are constants, of which there is only one each."""
    given = [inner.value for inner in ast.walk(node) if isinstance(inner, ast.Return)]
    return all(inner is None or isinstance(inner, ast.Constant) for inner in given)


def _cache_uses(repo: Repository, name: str) -> Iterator[Unfollowed]:
    """Where the cache of a function is looked at."""
    for path in sorted(repo.index.files_with(name)):
        for attribute in repo.index.scopes(path).attributes:
            if attribute.name.startswith("cache_") and last_name(attribute.node.value) == name:
                reason = f"{ast.unparse(attribute.node)} belongs to the decorator"
                yield Unfollowed(path, attribute.node.lineno, reason)


def _siblings(source: Source, node: Definition) -> Iterator[ast.expr]:
    for stmt in source.suite(node):
        if isinstance(stmt, Definition):
            yield from stmt.decorator_list


def _line(source: Source, decorator: ast.expr) -> Edit:
    first, last = decorator.lineno - 1, source.last_line(decorator)
    front = source.text[source.starts[first] : source.span(decorator)[0]].strip()
    rest = source.text[source.span(decorator)[1] : source.starts[last]].strip()
    if front != "@" or rest:
        raise Refusal(f"{source.path}:{first + 1}: the line of the decorator has more on it")
    edit = Edit(source.path, *source.line_span(first, last), "")
    refuse_lost_comments(source, [edit])
    return edit
