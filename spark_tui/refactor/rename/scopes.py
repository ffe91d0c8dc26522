"""Every place of every name in a piece of a file, and the scope in which it stands.

Comes in: a piece of a file. Goes out: scopes and uses. Must not know: instructions, which uses mean the same.

Strings and comments are text; the holes of f-strings are code.
"""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from dataclasses import dataclass, field

from spark_tui.refactor.rename.text import Span, holes, names_in_hole
from spark_tui.refactor.source import Function, Source

_COMPREHENSION = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


@dataclass(eq=False)
class Scope:
    """Names are looked up in it, then in what is around it; classes are passed over by what stands deeper."""

    node: ast.AST | None
    outer: Scope | None
    bound: dict[str, list[str]] = field(default_factory=lambda: defaultdict(list))
    """How a name comes to be: `parameter`, `import`, `function`, `class`, `for`, `with`, `except`, `assigned`."""
    elsewhere: dict[str, str] = field(default_factory=dict)
    """What `global` and `nonlocal` say."""

    @property
    def is_class(self) -> bool:
        return isinstance(self.node, ast.ClassDef)

    @property
    def function(self) -> Scope:
        """Where a walrus binds."""
        return self.outer.function if isinstance(self.node, _COMPREHENSION) and self.outer is not None else self


@dataclass(frozen=True, slots=True)
class Use:
    """Where a name stands by itself, or behind a dot (with what it hangs from), or as a keyword (of what is called)."""

    name: str
    span: Span
    scope: Scope
    receiver: str | None = None
    called: str | None = None


class Scopes:
    def __init__(self, src: Source) -> None:
        self.src = src
        self.module = Scope(None, None)
        self.uses: list[Use] = []
        self.scope_of: dict[ast.AST, Scope] = {}
        self._iterated: set[ast.AST] = set()
        if src.tree is not None:
            for node in src.tree.body:
                self._visit(node, self.module)

    # -- the walk ----------------------------------------------------------------------------------------------------

    def _visit(self, node: ast.AST, scope: Scope, how: str = "assigned") -> None:
        if isinstance(node, Function | ast.ClassDef | ast.Lambda):
            self._definition(node, scope)
        elif isinstance(node, _COMPREHENSION):
            self._comprehension(node, scope)
        elif isinstance(node, ast.Name):
            if not isinstance(node.ctx, ast.Load):
                scope.bound[node.id].append(how)
            self._use(node.id, node, scope)
        elif isinstance(node, ast.JoinedStr):
            self._holes(node, scope)
        elif isinstance(node, ast.NamedExpr):
            self._visit(node.target, scope.function)
            self._visit(node.value, scope)
        elif isinstance(node, ast.Attribute):
            end = (node.end_lineno or 0, node.end_col_offset or 0)
            self._add(node.attr, self._before(*end, len(node.attr)), scope, receiver=dotted(node.value))
            self._visit(node.value, scope)
        elif isinstance(node, ast.Call):
            called = getattr(node.func, "id", getattr(node.func, "attr", ""))
            for item in node.keywords:
                if item.arg:
                    self._add(item.arg, self._from(item, len(item.arg)), scope, called=called)
            self._children(node, scope)
        elif isinstance(node, ast.Global | ast.Nonlocal):
            for name in node.names:
                scope.elsewhere[name] = type(node).__name__
                if isinstance(node, ast.Global):
                    self.module.bound[name].append("assigned")
                self._search(name, node, scope)
        elif isinstance(node, ast.alias):
            name = (node.asname or node.name).split(".")[0]
            scope.bound[name].append("import" if node.asname is None else "alias")
            self._search(name, node, scope, last=node.asname is not None)
        elif isinstance(node, ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node.name:
            scope.bound[node.name].append("except" if isinstance(node, ast.ExceptHandler) else "assigned")
            self._search(node.name, node, scope, behind=r"\bas\s+" if isinstance(node, ast.ExceptHandler) else "")
            self._children(node, scope)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._visit(node.target, scope, "for")
            for child in (node.iter, *node.body, *node.orelse):
                self._visit(child, scope)
        elif isinstance(node, ast.withitem):
            self._visit(node.context_expr, scope)
            if node.optional_vars is not None:
                self._visit(node.optional_vars, scope, "with")
        else:
            self._children(node, scope, how if isinstance(node, ast.Tuple | ast.List | ast.Starred) else "assigned")

    def _children(self, node: ast.AST, scope: Scope, how: str = "assigned") -> None:
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope, how)

    def _definition(self, node: Function | ast.ClassDef | ast.Lambda, scope: Scope) -> None:
        inner = self.scope_of[node] = Scope(node, scope)
        if not isinstance(node, ast.Lambda):
            scope.bound[node.name].append("class" if isinstance(node, ast.ClassDef) else "function")
            self._search(node.name, node, scope, behind=r"\b(?:def|class)\s+")
            for item in node.decorator_list:
                self._visit(item, scope)
        if isinstance(node, ast.ClassDef):
            for child in (*node.bases, *node.keywords):
                self._visit(child, scope)
        else:
            spec = node.args
            every = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
            every += [item for item in (spec.vararg, spec.kwarg) if item is not None]
            for one in every:
                inner.bound[one.arg].append("parameter")
                self._add(one.arg, self._from(one, len(one.arg)), inner)
                if one.annotation is not None:
                    self._visit(one.annotation, scope)
            for default in (*spec.defaults, *spec.kw_defaults):
                if default is not None:
                    self._visit(default, scope)
            if not isinstance(node, ast.Lambda) and node.returns is not None:
                self._visit(node.returns, scope)
        for child in node.body if isinstance(node.body, list) else [node.body]:
            self._visit(child, inner)

    def _comprehension(self, node: _COMPREHENSION, scope: Scope) -> None:
        inner = self.scope_of[node] = Scope(node, scope)
        for number, part in enumerate(node.generators):
            self._visit(part.iter, inner if number else scope)
            self._visit(part.target, inner, "for")
            for test in part.ifs:
                self._visit(test, inner)
        for value in (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,):
            self._visit(value, inner)

    def _holes(self, node: ast.JoinedStr, scope: Scope) -> None:
        """The tree has no exact places of them before Python 3.12: they are read off the text."""
        if not self._shown(node):
            return
        start, end = self.src.span(node)
        for at, code in holes(self.src.text, start, end):
            for name, column, hangs, keyword in names_in_hole(code):
                span = at + column, at + column + len(name)
                self._add(name, span, scope, receiver=hangs, called="?" if keyword else None)

    def home(self, name: str, scope: Scope) -> Scope:
        """The scope in which Python finds a name."""
        at: Scope | None = scope
        while at is not None and at.node is not None:
            told = at.elsewhere.get(name)
            if told == "Global":
                return self.module
            if name in at.bound and told is None and (not at.is_class or at is scope):
                return at
            at = at.outer
        return self.module

    # -- places ------------------------------------------------------------------------------------------------------

    def _shown(self, node: ast.AST) -> bool:
        return getattr(node, "lineno", 0) > len(self.src.headers)

    def _use(self, name: str, node: ast.AST, scope: Scope) -> None:
        self._add(name, self.src.span(node) if self._shown(node) else None, scope)

    def _from(self, node: ast.arg | ast.keyword, length: int) -> Span | None:
        if not self._shown(node):
            return None
        start = self.src.offset(node.lineno, node.col_offset)
        return start, start + length

    def _before(self, lineno: int, column: int, length: int) -> Span | None:
        if lineno <= len(self.src.headers):
            return None
        end = self.src.offset(lineno, column)
        return end - length, end

    def _search(self, name: str, node: ast.AST, scope: Scope, behind: str = "", last: bool = False) -> None:
        if self._shown(node) and hasattr(node, "end_lineno"):
            start, end = self.src.span(node)
            found = list(re.finditer(rf"{behind}(?<!\w)({re.escape(name)})(?!\w)", self.src.text[start:end]))
            if found:
                one = found[-1] if last else found[0]
                self._add(name, (start + one.start(1), start + one.end(1)), scope)

    def _add(
        self, name: str, span: Span | None, scope: Scope, receiver: str | None = None, called: str | None = None
    ) -> None:
        if span is not None and self.src.text[span[0] : span[1]] == name:
            self.uses.append(Use(name, span, scope, receiver, called))


def dotted(node: ast.expr) -> str:
    """What an attribute hangs from, as far as it is names and calls."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        return f"{dotted(node.value)}.{node.attr}"
    if isinstance(node, ast.Call):
        return f"{dotted(node.func)}()"
    return "?"
