"""The walk that finds scopes, names, attributes and keywords in a tree, in the order of evaluation."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from spark_tui.pysource.names import places, type_hints
from spark_tui.pysource.names.scope_records import (
    AttributeUse,
    Bindings,
    KeywordUse,
    Occurrence,
    Role,
    Scope,
    ScopeKind,
)
from spark_tui.pysource.source import Function, Source, Span, parameters
from spark_tui.pysource.summary import EXPORT_METHODS
from spark_tui.pysource.syntax.parsing import children

_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp
_LOAD = Role.LOAD
_ROLES: dict[type[ast.expr_context], Role] = {
    ast.Load: _LOAD,
    ast.Store: Role.ASSIGN,
    ast.Del: Role.DELETE,
}


class Binder:
    """Fills the `Bindings` of a file."""

    def __init__(self, into: Bindings) -> None:
        self.into = into
        self.source, self._occurrences = into.source, into.occurrences
        self._order = 0
        self._class_names: list[str] = []
        self._in_string = False
        self._later: list[tuple[Function | ast.Lambda, Scope, list[str]]] = []

    def run(self, tree: ast.Module) -> None:
        self.into.scope_of[tree] = self.into.module
        self._block(tree.body, self.into.module)
        while self._later:
            function, scope, class_names = self._later.pop(0)
            self._class_names = class_names
            body = function.body if isinstance(function.body, list) else [function.body]
            self._block(body, scope)

    # -- recording

    def _note(self, name: str, place: Source | Span, scope: Scope, role: Role, node: ast.AST) -> None:
        name = self.mangled(name) if self._class_names else name
        self._order += 1
        if role.binds and name not in scope.redirected:
            scope.bound.add(name)
        where = Occurrence(name, place, scope, role, node, self._in_string, self._order)
        self.into.occurrences.append(where)

    def mangled(self, name: str) -> str:
        """A private name of a class as Python stores it."""
        if not self._class_names or not name.startswith("__") or name.endswith("__"):
            return name
        owner = self._class_names[-1].lstrip("_")
        return f"_{owner}{name}" if owner else name

    def _open(self, kind: ScopeKind, node: ast.AST, outer: Scope) -> Scope:
        scope = Scope(kind, node, outer)
        self.into.scope_of[node] = scope
        return scope

    # -- the walk

    def _block(self, nodes: Iterable[ast.AST | None], scope: Scope) -> None:
        for node in nodes:
            if node is not None:
                self.visit(node, scope)

    def visit(self, node: ast.AST, scope: Scope) -> None:
        kind = type(node)
        if kind is ast.Name:
            self._name(node, scope)  # type: ignore[arg-type]  # most nodes are names
            return
        if kind is ast.Constant:
            return
        known = _KINDS.get(kind)
        if known is None:
            known = _KINDS[kind] = (_VISITORS.get(kind.__name__), issubclass(kind, ast.stmt))
        method, is_statement = known
        if is_statement:
            self.into.scope_at[node] = scope
        if method is not None:
            method(self, node, scope)
            return
        for child in children(node):
            self.visit(child, scope)

    def _name(self, node: ast.Name, scope: Scope) -> None:
        name = node.id
        if type(node.ctx) is ast.Load and not (self._class_names and name.startswith("__")):
            self._order = order = self._order + 1  # as above
            self._occurrences.append(
                Occurrence(name, self.source, scope, _LOAD, node, self._in_string, order)
            )
            return
        role = _ROLES[type(node.ctx)]
        if role is Role.DELETE and self.mangled(name) not in scope.redirected:
            scope.bound.add(self.mangled(name))
        self._note(name, self.source, scope, role, node)

    def _attribute(self, node: ast.Attribute, scope: Scope) -> None:
        self.visit(node.value, scope)
        self.into.scope_at[node] = scope
        self.into.attributes.append(AttributeUse(self.mangled(node.attr), self.source, node, scope))

    def _call(self, node: ast.Call, scope: Scope) -> None:
        self.into.scope_at[node] = scope
        self.visit(node.func, scope)
        for arg in (*node.args, *node.keywords):
            if isinstance(arg, ast.keyword):
                self._keyword(arg, node, scope)
            elif isinstance(arg, ast.Constant) and type_hints.is_type_argument(node, arg):
                self._annotation(arg, scope)
            else:
                self.visit(arg, scope)
        function = node.func
        if isinstance(function, ast.Attribute) and function.attr in EXPORT_METHODS:
            self._exports(function.value, node, scope)

    def _keyword(self, node: ast.keyword, call: ast.AST, scope: Scope) -> None:
        if node.arg is not None:
            self.into.keywords.append(KeywordUse(node.arg, self.source, node, call, scope))
        if isinstance(call, ast.Call) and type_hints.is_type_argument(call, node.value):
            self._annotation(node.value, scope)
        else:
            self.visit(node.value, scope)

    def _subscript(self, node: ast.Subscript, scope: Scope) -> None:
        if type_hints.is_generic_alias(node):
            self._annotation(node, scope)
            return
        self._block((node.value, node.slice), scope)

    def _named_expr(self, node: ast.NamedExpr, scope: Scope) -> None:
        self.visit(node.value, scope)
        at = scope
        while at.kind is ScopeKind.COMPREHENSION and at.outer is not None:
            at = at.outer
        self._note(node.target.id, self.source, at, Role.ASSIGN, node.target)

    def _assign(self, node: ast.Assign, scope: Scope) -> None:
        self.visit(node.value, scope)
        self._block(node.targets, scope)
        for target in node.targets:
            self._exports(target, node.value, scope)

    def _aug_assign(self, node: ast.AugAssign, scope: Scope) -> None:
        self._block((node.value, node.target), scope)
        self._exports(node.target, node.value, scope)

    def _ann_assign(self, node: ast.AnnAssign, scope: Scope) -> None:
        if node.value is not None and type_hints.last_name(node.annotation) == "TypeAlias":
            self._annotation(node.value, scope)
        elif node.value is not None:
            self.visit(node.value, scope)
        self._annotation(node.annotation, scope)
        if node.value is None and isinstance(node.target, ast.Name):
            self._note(node.target.id, self.source, scope, Role.ANNOTATE, node.target)
        else:
            self.visit(node.target, scope)
        if node.value is not None:
            self._exports(node.target, node.value, scope)

    def _for(self, node: ast.For | ast.AsyncFor, scope: Scope) -> None:
        self._block((node.iter, node.target, *node.body, *node.orelse), scope)

    def _declare(self, node: ast.Global | ast.Nonlocal, scope: Scope) -> None:
        is_global = isinstance(node, ast.Global)
        for name, span in zip(node.names, places.declared_names(self.source, node), strict=False):
            scope.redirected[self.mangled(name)] = "global" if is_global else "nonlocal"
            scope.bound.discard(self.mangled(name))
            if is_global:
                scope.module.bound.add(self.mangled(name))
            self._note(name, span, scope, Role.DECLARE, node)

    def _except_handler(self, node: ast.ExceptHandler, scope: Scope) -> None:
        self._block((node.type,), scope)
        if node.name is not None:
            self._note(node.name, places.handler_name(self.source, node), scope, Role.EXCEPT, node)
        self._block(node.body, scope)

    def _import(self, node: ast.Import | ast.ImportFrom, scope: Scope) -> None:
        for name in node.names:
            self.into.aliases[name] = node
            if name.name == "*":
                scope.module.star_import = scope.star_import = True
                continue
            imported, alias = places.alias_names(self.source, name)
            if alias is None and isinstance(node, ast.Import):
                imported = places.word_at(self.source, imported[0])
            bound = name.asname or (name.name.split(".")[0] if isinstance(node, ast.Import) else name.name)
            self._note(bound, alias or imported, scope, Role.IMPORT, name)

    # -- patterns

    def _match_as(self, node: ast.MatchAs, scope: Scope) -> None:
        self._block((node.pattern,), scope)
        self._captured(node.name, node, scope)

    def _match_star(self, node: ast.MatchStar, scope: Scope) -> None:
        self._captured(node.name, node, scope)

    def _match_mapping(self, node: ast.MatchMapping, scope: Scope) -> None:
        self._block((*node.keys, *node.patterns), scope)
        self._captured(node.rest, node, scope)

    def _captured(self, name: str | None, node: ast.pattern, scope: Scope) -> None:
        if name is not None:
            self._note(name, places.last_word(self.source, node), scope, Role.ASSIGN, node)

    def _match_class(self, node: ast.MatchClass, scope: Scope) -> None:
        self.visit(node.cls, scope)
        self._block(node.patterns, scope)
        for name, pattern in zip(node.kwd_attrs, node.kwd_patterns, strict=True):
            low = self.source.span(pattern)[0]
            head = self.source.text[:low].rstrip(" \t\f\r\n=")
            self.into.keywords.append(KeywordUse(name, (len(head) - len(name), len(head)), node, node, scope))
            self.visit(pattern, scope)

    # -- definitions

    def _function_def(self, node: Function, scope: Scope) -> None:
        self._block(node.decorator_list, scope)
        self._defaults(node.args, scope)
        holder = self._type_parameters(node, scope)
        for annotation in (*(item.annotation for item in parameters(node)), node.returns):
            if annotation is not None:
                self._annotation(annotation, holder)
        self._note(node.name, self.source, scope, Role.FUNCTION, node)
        self._function(node, holder)

    def _lambda(self, node: ast.Lambda, scope: Scope) -> None:
        self._defaults(node.args, scope)
        self._function(node, scope)

    def _defaults(self, spec: ast.arguments, scope: Scope) -> None:
        self._block((*spec.defaults, *spec.kw_defaults), scope)

    def _function(self, node: Function | ast.Lambda, holder: Scope) -> None:
        kind = ScopeKind.LAMBDA if isinstance(node, ast.Lambda) else ScopeKind.FUNCTION
        inner = self._open(kind, node, holder)
        for item in parameters(node):
            self._note(item.arg, self.source, inner, Role.PARAMETER, item)
        # A body runs when everything around it is bound: its names are found later.
        self._later.append((node, inner, list(self._class_names)))

    def _class_def(self, node: ast.ClassDef, scope: Scope) -> None:
        self._block(node.decorator_list, scope)
        holder = self._type_parameters(node, scope)
        self._block(node.bases, holder)
        for keyword in node.keywords:
            self._keyword(keyword, node, holder)
        inner = self._open(ScopeKind.CLASS, node, holder)
        self._class_names.append(node.name)
        self._block(node.body, inner)
        self._class_names.pop()
        self._note(node.name, self.source, scope, Role.CLASS, node)

    def _type_parameters(self, node: ast.AST, scope: Scope) -> Scope:
        found: list[Any] = list(getattr(node, "type_params", None) or ())
        if not found:
            return scope
        holder = Scope(ScopeKind.TYPE_PARAMETERS, node, scope)
        for inner in found:
            start = self.source.span(inner)[0]
            while self.source.text[start] == "*":
                start += 1
            self._note(inner.name, places.word_at(self.source, start), holder, Role.TYPE_PARAMETER, inner)
            self._block((getattr(inner, "bound", None), getattr(inner, "default_value", None)), holder)
        return holder

    def _type_alias(self, node: ast.AST, scope: Scope) -> None:
        holder = self._type_parameters(node, scope)
        self._block((getattr(node, "name", None),), scope)
        value = getattr(node, "value", None)
        if isinstance(value, ast.expr):
            self._annotation(value, holder)

    def _comprehension(self, node: _COMPREHENSION, scope: Scope) -> None:
        first = node.generators[0]
        self.visit(first.iter, scope)
        inner = self._open(ScopeKind.COMPREHENSION, node, scope)
        for generator in node.generators:
            if generator is not first:
                self.visit(generator.iter, inner)
            self.visit(generator.target, inner)
            self._block(generator.ifs, inner)
        self._block((node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,), inner)

    # -- strings that name

    def _annotation(self, node: ast.expr, scope: Scope) -> None:
        """Names of an annotation, in its strings too."""
        for one, quoted in type_hints.parts(self.source, node):
            before, self._in_string = self._in_string, self._in_string or quoted
            self.visit(one, scope)
            self._in_string = before

    def _exports(self, target: ast.expr, value: ast.expr, scope: Scope) -> None:
        if not isinstance(target, ast.Name) or target.id != "__all__" or scope.kind is not ScopeKind.MODULE:
            return
        for node in ast.walk(value):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                span = self.source.literal_body(node) or places.UNKNOWN
                self._note(node.value, span, scope, Role.EXPORT, node)


_VISITORS: dict[str, Callable[[Binder, Any, Scope], None]] = {
    "Attribute": Binder._attribute,
    "Call": Binder._call,
    "Subscript": Binder._subscript,
    "NamedExpr": Binder._named_expr,
    "Assign": Binder._assign,
    "AugAssign": Binder._aug_assign,
    "AnnAssign": Binder._ann_assign,
    "For": Binder._for,
    "Global": Binder._declare,
    "Nonlocal": Binder._declare,
    "ExceptHandler": Binder._except_handler,
    "Import": Binder._import,
    "MatchAs": Binder._match_as,
    "MatchStar": Binder._match_star,
    "MatchMapping": Binder._match_mapping,
    "MatchClass": Binder._match_class,
    "FunctionDef": Binder._function_def,
    "Lambda": Binder._lambda,
    "ClassDef": Binder._class_def,
    "TypeAlias": Binder._type_alias,
    "AsyncFor": Binder._for,
    "ImportFrom": Binder._import,
    "AsyncFunctionDef": Binder._function_def,
    "ListComp": Binder._comprehension,
    "SetComp": Binder._comprehension,
    "DictComp": Binder._comprehension,
    "GeneratorExp": Binder._comprehension,
}
"""By the name of the node's type: some types exist in later versions of Python only."""
_KINDS: dict[type[ast.AST], tuple[Callable[[Binder, Any, Scope], None] | None, bool]] = {}
"""The visitors of the kinds of nodes, and which of them are statements."""
