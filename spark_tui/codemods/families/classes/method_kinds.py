"""What a method is called on: make it static, a class method, or a property."""

from __future__ import annotations

import ast
import io
import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime
from itertools import starmap
from pathlib import Path

from spark_tui.codemods.families.classes.decorators import decorate
from spark_tui.codemods.families.classes.uses_without_object import LIKE_CLASS
from spark_tui.codemods.places.named import need_function
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import plan_edits, refuse_lost_comments
from spark_tui.codemods.signatures.edits import call_brackets, doubtful_callers, match_arguments, read_head
from spark_tui.codemods.slots import Choice, Symbol, SymbolKind
from spark_tui.codemods.uses.by_string import find_naming_strings
from spark_tui.codemods.uses.callsites import CallSite, Sites, call_sites, find_overrides
from spark_tui.codemods.uses.looked_up import local_lookups, texts_looked_up
from spark_tui.codemods.uses.property_readers import find_setting
from spark_tui.codemods.uses.shown_members import called_by_text
from spark_tui.pysource.calls.brackets import removal
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.type_hints import decorator_names, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import positional
from spark_tui.pysource.syntax.walking import walk_each

METHOD = frozenset((SymbolKind.METHOD,))
_OBJECTS = ("self", "cls", "mcs", "this", "_")


class MethodKind(Choice):
    """What a method is called on."""

    STATIC = "static"
    CLASS = "class"


def _method(repo: Repository, symbol: Symbol) -> tuple[Source, Function, str]:
    """A plain method that nothing overrides, and the name of what it is called on."""
    source, target, node = need_function(repo, symbol, alone=True)
    if source.class_of(node) is None:
        raise Refusal(f"{target.qualname} is not a method")
    if node.decorator_list:
        raise Refusal(f"{target.qualname} has a decorator")
    if len(find_overrides(repo, target.path, node)) > 1:
        raise Refusal(f"other classes override {target.qualname}")
    if target.name.startswith("__") and target.name.endswith("__"):
        raise Refusal(f"Python calls {target.name} by itself")
    spec = node.args
    names = [*spec.posonlyargs, *spec.args]
    if not names or len(names) == len(spec.defaults):
        raise Refusal(f"{target.qualname} takes no object")
    return source, node, names[0].arg


@codemod
class ChangeMethodKind:
    """Make a method that does not use its object a static or class method."""

    target: Symbol = slot("the method", kinds=METHOD)
    kind: MethodKind = slot("static or class")

    def plan(self, repo: Repository) -> Plan:
        if plan := self._from_static(repo) or self._without_object(repo):
            return plan
        source, node, first = _method(repo, self.target)
        scopes = repo.index.scopes(source.path)
        variable = scopes.variable(first, scopes.scope_of[node])
        used = variable.loads if variable is not None else []
        becomes = self.kind is MethodKind.CLASS and all(_is_member(source, load.node) for load in used)
        if not becomes and (used or names_within(node) & {"super", "__class__"}):
            line = source.line_number(used[0].span[0]) if used else node.lineno
            raise Refusal(f"{node.name} uses its object: line {line}")
        sites = call_sites(repo, [(source.path, node)])
        unbound = [site for site in sites.sites if not site.bound]
        if unbound:
            raise Refusal(f"{unbound[0].path}:{unbound[0].call.lineno} calls it on the class")
        found = read_head(source, node)
        edits = [decorate(source, node, f"{self.kind.value}method")]
        if self.kind is MethodKind.STATIC:
            edits.append(Edit(source.path, *removal(found.brackets, 0, source.text)))
            if "/" in found.names[1:2]:
                raise Refusal("its head has a / after the object")
        else:
            start = source.span(parameters(node)[0])[0]
            if "cls" in scopes.scope_of[node].bound:
                raise Refusal("cls means something else there")
            edits.append(Edit(source.path, start, start + len(first), "cls"))
            edits += [Edit(source.path, *load.span, "cls") for load in used]
            edits += _class_named(source, node)
        reads = [source.line_number(load.span[0]) for load in used]
        doubts = [Unfollowed(source.path, line, "it is read from the class there") for line in reads]
        doubts += [Unfollowed(path, one.lineno, "it is used as a value") for path, one in sites.values]
        for site in sites.unknown:
            called = site.call.func
            if isinstance(called, ast.Attribute) and LIKE_CLASS.search(ast.unparse(called.value)):
                reason = f"{ast.unparse(called)}(…) may be a call on the class, which gives the object"
                doubts.append(Unfollowed(site.path, site.call.lineno, reason))
        doubts += starmap(Unfollowed, local_lookups(source, node))
        for path, line in find_naming_strings(repo, [(source.path, node)]):
            doubts.append(Unfollowed(path, line, "a string names it: what stands in for it gets no object"))
        refuse_lost_comments(source, edits)
        return plan_edits(repo, edits, doubts)

    def _from_static(self, repo: Repository) -> Plan | None:
        """A static method that becomes a class method: it is called as before."""
        source, _, node = need_function(repo, self.target, alone=True)
        if self.kind is not MethodKind.CLASS or decorator_names(node) != ["staticmethod"]:
            return None
        if "cls" in repo.index.scopes(source.path).scope_of[node].bound:
            raise Refusal("cls means something else there")
        if len(find_overrides(repo, source.path, node)) > 1:
            raise Refusal(f"other classes override {node.name}")
        named = Edit(source.path, *source.span(node.decorator_list[0]), "classmethod")
        return plan_edits(repo, [named, *_with_cls(source, node)])

    def _without_object(self, repo: Repository) -> Plan | None:
        """A method that takes no object and is called on the class: what it is meant to be is only said."""
        source, _, node = need_function(repo, self.target, alone=True)
        owner = source.class_of(node)
        spec = positional(node)
        if owner is None or node.decorator_list or (spec and spec[0].arg in _OBJECTS):
            return None
        known = repo.classes.own_members(ClassValue(source.path, owner))
        used = (inner for inner in ast.walk(node) if isinstance(inner, ast.Attribute) and inner.attr in known)
        if any(isinstance(one.value, ast.Name) and one.value.id == spec[0].arg for one in used if spec):
            return None
        edits = [decorate(source, node, f"{self.kind.value}method")]
        if self.kind is MethodKind.CLASS:
            edits += _with_cls(source, node)
        return plan_edits(repo, edits)


def _with_cls(source: Source, node: Function) -> Iterator[Edit]:
    """A method that takes the class first, and uses it."""
    brackets = read_head(source, node).brackets
    yield Edit(source.path, brackets.open + 1, brackets.open + 1, "cls, " if brackets.items else "cls")
    yield from _class_named(source, node)


def _class_named(source: Source, node: Function) -> Iterator[Edit]:
    """Where a method calls its own class, or reads a member of it, by the name of the class."""
    owner = source.class_of(node)
    for item in walk_each(node.body):
        if not isinstance(item, ast.Name) or owner is None or item.id != owner.name:
            continue
        if source.span(item)[0] >= 0 and (source.is_called(item) or _is_member(source, item)):
            yield Edit(source.path, *source.span(item), "cls")


def _is_member(source: Source, node: ast.AST) -> bool:
    """Whether a name is only there for a member of it that is read or called."""
    outer = source.parents.get(node)
    return isinstance(outer, ast.Attribute) and outer.value is node


@codemod
class MakeProperty:
    """Make a method without parameters a property; calls lose their brackets."""

    target: Symbol = slot("the method", kinds=METHOD)

    def plan(self, repo: Repository) -> Plan:
        if "property" in decorator_names(need_function(repo, self.target, alone=True)[2]):
            raise Refusal(f"{self.target} is a property", why="nothing")
        source, node, _ = _method(repo, self.target)
        if len(parameters(node)) != 1 or isinstance(node, ast.AsyncFunctionDef):
            raise Refusal(f"{node.name} takes parameters or is async")
        located = [(source.path, node)]
        sites = call_sites(repo, located)
        edits = [decorate(source, node, "property")]
        likely = _likely(repo, node, sites)
        for site in sites.sites:
            where = repo.index.source(site.path)
            brackets = call_brackets(where, site.call)
            bare = brackets is not None and not brackets.items and not match_arguments(site).arguments
            if site.partial or not site.bound or not bare:
                raise Refusal(f"{site.path}:{site.call.lineno}: this call cannot become an attribute")
            edits.append(_without_brackets(where, site))
            refuse_lost_comments(where, edits[-1:])
        owner = source.class_of(node)
        texts = [] if owner is None else texts_looked_up(repo, ClassValue(source.path, owner), {node.name})
        doubts = [Unfollowed(*item) for item in (*called_by_text(repo, node.name), *texts)]
        returns = any(isinstance(inner, ast.Return) and inner.value for inner in ast.walk(node))
        acts = isinstance(node.body[-1], ast.Assign | ast.For | ast.If | ast.Expr | ast.While)
        if acts and not returns:
            doubts.append(Unfollowed(source.path, node.lineno, f"{node.name} may give no value"))
        if owner is not None and repo.classes.lookup(ClassValue(source.path, owner), "__getattr__"):
            reason = f"where {node.name} raises an AttributeError, __getattr__ is asked now"
            doubts.append(Unfollowed(source.path, node.lineno, reason))
        if sites.values:
            path, value = sites.values[0]
            raise Refusal(f"{path}:{value.lineno} uses the method itself as a value")
        for site in likely:
            edits.append(_without_brackets(repo.index.source(site.path), site))
            reason = f"{ast.unparse(site.call)} was assumed to be a call of it"
            doubts.append(Unfollowed(site.path, site.call.lineno, reason))
        sites = replace(sites, unknown=[item for item in sites.unknown if item not in likely])
        doubts += find_setting(repo, node.name)
        return plan_edits(repo, edits, [*doubts, *doubtful_callers(repo, located, sites)])


def _without_brackets(source: Source, site: CallSite) -> Edit:
    return Edit(site.path, source.span(site.call.func)[1], source.span(site.call)[1], "")


def _likely(repo: Repository, node: Function, sites: Sites) -> list[CallSite]:
    """The calls on objects of which no class is known, where only one class has a method of that name."""
    known = (str, bytes, list, dict, set, tuple, io.TextIOWrapper, Path, re.Match, datetime)
    if any(hasattr(kind, node.name) for kind in known) or len(repo.index.symbols(node.name)) > 1:
        return []
    return [
        item
        for item in sites.unknown
        if not item.call.args
        and not item.call.keywords
        and isinstance(item.call.func, ast.Attribute)
        and repo.index.source(item.path).span(item.call)[0] >= 0
    ]
