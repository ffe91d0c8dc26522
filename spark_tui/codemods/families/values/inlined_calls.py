"""The expression that a function gives, in the place of its calls: where it is evaluated as before."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from spark_tui.codemods.imports.lines import Wanted
from spark_tui.codemods.imports.origins import import_of, imports_at_top
from spark_tui.codemods.plan import Edit, Refusal, Unfollowed, edited
from spark_tui.codemods.rewriting.edits import swap_expression
from spark_tui.codemods.rewriting.evaluation import (
    explain_conditional,
    has_earlier_effects,
    has_effects,
    names_read,
)
from spark_tui.codemods.signatures.edits import match_arguments
from spark_tui.codemods.uses.callsites import CallSite
from spark_tui.pysource.names.scopes import Scope, ScopeKind
from spark_tui.pysource.names.type_hints import last_name, names_set, names_within
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import root_of
from spark_tui.pysource.words import word_set

_OF_ITS_PLACE = word_set("locals globals vars dir eval exec super __name__ __file__ __class__ __package__")
"""Names that mean something else, or see something else, in another place."""
_LATER = (ast.Lambda, ast.GeneratorExp)
_OWN_SCOPES = (*_LATER, ast.ListComp, ast.SetComp, ast.DictComp)


def is_literal(node: ast.expr) -> bool:
    """Whether an expression is a number, a text, None, or a tuple of these."""
    if isinstance(node, ast.Tuple):
        return all(map(is_literal, node.elts))
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


@dataclass
class CallPlace:
    """A call of the function."""

    repo: Repository
    path: str
    call: ast.Call

    @property
    def source(self) -> Source:
        return self.repo.index.source(self.path)

    @property
    def scope(self) -> Scope:
        return self.repo.index.scopes(self.path).scope_at[self.call]


@dataclass
class GivenExpression:
    """The expression of a function, and the statement that has it."""

    repo: Repository
    source: Source
    node: Function
    statement: ast.stmt
    value: ast.expr

    @classmethod
    def of(cls, repo: Repository, source: Source, node: Function) -> GivenExpression:
        body = [one for one in node.body if one is not docstring(node)]
        only = body[0] if len(body) == 1 else None
        if not isinstance(only, ast.Return | ast.Expr) or only.value is None:
            raise Refusal(f"{node.name} does more than to give one expression")
        if isinstance(node, ast.AsyncFunctionDef) or node.decorator_list:
            raise Refusal(f"{node.name} is async or has a decorator")
        if node.args.vararg or node.args.kwarg:
            raise Refusal(f"{node.name} takes any number of arguments")
        for inner in ast.walk(only.value):
            if isinstance(inner, ast.Yield | ast.YieldFrom | ast.NamedExpr):
                raise Refusal(f"line {inner.lineno}: it cannot stand elsewhere")
        names = {last_name(inner) for inner in ast.walk(only.value)}
        private = {name for name in names if name.startswith("__") and not name.endswith("__")}
        if used := private | names & (_OF_ITS_PLACE | {node.name}):
            raise Refusal(f"{node.name} uses {min(used)}")
        return cls(repo, source, node, only, only.value)

    def needed(self, site: CallPlace) -> Iterator[Wanted]:
        """What the file of a call has to import. Refuses names that mean something else there."""
        scopes, there = self.repo.index.scopes(self.source.path), self.repo.index.scopes(site.path)
        own = {one.arg for one in parameters(self.node)}
        for name in sorted(names_read(scopes, self.value) - own):
            home, seen = name in scopes.module.bound, there.lookup(name, site.scope)
            other = f"{site.path}:{site.call.lineno}: {name} means something else there"
            if site.path == self.source.path:
                if seen not in ((scopes.module,) if home else (None,)):
                    raise Refusal(other)
                continue
            if scopes.module.star_import or not (home or name in KNOWN):
                raise Refusal(f"where {name} comes from is not known")
            if not home:
                if seen is not None or there.module.star_import:
                    raise Refusal(other)
                continue
            variable = scopes.variable(name, scopes.module)
            if variable is None or len(variable.bindings) != 1:
                raise Refusal(f"{name} may be set again in {self.source.path}")
            known = there.variable(name, there.module)
            if known is not None and len(known.bindings) != 1:
                raise Refusal(other)
            wanted = import_of(self.repo, self.source, name)
            mine = wanted[0] == self.repo.index.modules.name(site.path) and wanted[1:] == (name, "")
            if mine or wanted in list(imports_at_top(self.repo, site.source)):
                if seen is not there.module:
                    raise Refusal(other)
            elif seen is not None or name in KNOWN or wanted[0] == self.repo.index.modules.name(site.path):
                raise Refusal(other)
            else:
                yield wanted

    def text(self, site: CallPlace) -> tuple[str, list[Unfollowed]]:
        """The expression with the arguments of a call in the place of the parameters."""
        where = f"{site.path}:{site.call.lineno}"
        if isinstance(self.statement, ast.Expr) and not isinstance(
            site.source.parents.get(site.call), ast.Expr
        ):
            raise Refusal(f"{where} uses that {self.node.name} gives None")
        if site.scope.kind is ScopeKind.CLASS and any(
            isinstance(one, _OWN_SCOPES) for one in ast.walk(self.value)
        ):
            raise Refusal(f"{where} is in a class, whose names the expression would not see")
        fit = match_arguments(CallSite(site.path, site.call, self.node, bound=False))
        if fit.problem or fit.unsure:
            raise Refusal(f"{where}: {fit.problem or 'which arguments it passes is not known'}")
        given = {name: (site.source, value) for name, value in fit.arguments.items()}
        for name, value in _defaults(self.node).items():
            if name not in given and not is_literal(value):
                raise Refusal(f"{where}: the default of {name} would be made there")
            given.setdefault(name, (self.source, value))
        doubts = self._evaluated_alike(site, {name: value for name, (_, value) in given.items()})
        low, high = self.source.span(self.value)
        edits = []
        for name, (source, value) in given.items():
            for use in self._uses(name):
                text = source.segment(value)
                text = f"({text})" if isinstance(value, ast.GeneratorExp) and text[:1] != "(" else text
                if text != name:
                    edit = swap_expression(self.source, use, text)
                    edits.append(Edit("", edit.start - low, edit.end - low, edit.new))
        return edited(self.source.text[low:high], edits), doubts

    def _uses(self, name: str) -> list[ast.expr]:
        return [one for one in ast.walk(self.value) if isinstance(one, ast.Name) and one.id == name]

    def _evaluated_alike(self, site: CallPlace, given: Mapping[str, ast.expr]) -> list[Unfollowed]:
        """Refuse where an argument would be evaluated otherwise than before, or name that it may. Literals
        and locals may stand anywhere; what is worked out has to be worked out once, and in its turn."""
        at, doubts = f"{site.path}:{site.call.lineno}", list[str]()
        bound = names_set(self.value) | {one.arg for one in ast.walk(self.value) if isinstance(one, ast.arg)}
        if again := bound & given.keys():
            raise Refusal(f"{self.node.name} sets {min(again)} again")
        acting = [name for name, value in given.items() if has_effects(value) or _is_made(value)]
        for name, value in given.items():
            uses, shown = self._uses(name), ast.unparse(value)
            if any(isinstance(one, ast.NamedExpr) for one in ast.walk(value)):
                raise Refusal(f"{at}: {shown} sets a name")
            if bound & names_within(value):
                raise Refusal(f"{at}: {shown} has a name that {self.node.name} sets")
            if is_literal(value):
                continue
            if any(isinstance(one, _LATER) for use in uses for one in self._around(use) if one is not use):
                raise Refusal(f"{at}: {shown} would be evaluated later")
            if _is_local(site, value):
                continue
            if len(uses) != 1 or not self._is_once(uses[0]):
                if not _is_attribute(value):
                    raise Refusal(f"{at}: {shown} would be evaluated more than once, or not always")
                doubts.append(f"{shown} would be evaluated more than once, or not always")
            elif name not in acting:
                if acting or has_earlier_effects(self.source, uses[0], self.statement):
                    doubts.append(f"what is called first may change {shown}")
            elif len(acting) > 1:
                raise Refusal(f"{at}: {shown} might be evaluated before or after another argument")
            elif has_earlier_effects(self.source, uses[0], self.statement):
                raise Refusal(f"{at}: {shown} would be evaluated later")
            elif self._reads_before(uses[0], given):
                doubts.append(f"{shown} may change what is read before it")
        return [Unfollowed(site.path, site.call.lineno, reason) for reason in doubts]

    def _is_once(self, use: ast.expr) -> bool:
        """Whether a parameter is read exactly once; a comprehension reads what it goes through first so."""
        for below, one in self.source.climb(use):
            if below is self.value:
                break
            if isinstance(one, ast.comprehension) and below is not one.iter:
                return False
            if isinstance(one, _OWN_SCOPES):
                first = getattr(one, "generators", [None])[0]
                return below is first and isinstance(one, ast.expr) and self._is_once(one)
        return not explain_conditional(self.source, use, self.statement)

    def _reads_before(self, use: ast.expr, given: Mapping[str, ast.expr]) -> bool:
        """Whether something else is read before a parameter: not what is called with it, nor a literal."""
        low, around = self.source.span(use)[0], [use, *self._around(use)]
        called = {inner for one in around if isinstance(one, ast.Call) for inner in ast.walk(one.func)}
        plain = {name for name, value in given.items() if is_literal(value)}
        kinds = (ast.Name, ast.Attribute, ast.Subscript)
        others = (one for one in ast.walk(self.value) if isinstance(one, kinds) and one not in around)
        return any(
            self.source.span(one)[0] < low
            and one not in called
            and not (isinstance(one, ast.Name) and (one.id in plain or one.id in KNOWN))
            for one in others
        )

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The expressions around one, within the value."""
        for one in self.source.ancestors(node):
            yield one
            if one is self.value:
                return


def _is_made(value: ast.expr) -> bool:
    """Whether an argument is a new object each time."""
    kinds = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp)
    return any(isinstance(one, kinds) for one in ast.walk(value))


def _is_local(site: CallPlace, value: ast.expr) -> bool:
    """Whether an argument is a local of the function that calls: nothing else sets it meanwhile."""
    if not isinstance(value, ast.Name):
        return False
    scopes = site.repo.index.scopes(site.path)
    scope = scopes.lookup(value.id, site.scope)
    variable = scopes.variable(value.id, scope) if scope is not None else None
    bound = variable.bindings if variable is not None else ()
    return scope is not None and scope is not scopes.module and all(one.scope is scope for one in bound)


def _is_attribute(value: ast.expr) -> bool:
    """Whether an argument only looks something up: `self.total`, or a name of the module."""
    return isinstance(root_of(value, ast.Attribute), ast.Name)


def _defaults(node: Function) -> dict[str, ast.expr]:
    every, last = [*node.args.posonlyargs, *node.args.args], node.args.defaults
    out = {one.arg: value for one, value in zip(every[len(every) - len(last) :], last, strict=True)}
    more = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return out | {one.arg: value for one, value in more if value is not None}
