"""Put a constant of a module, or what a function gives, in the place of its uses, and remove it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from spark_tui.codemods.families.values.extracted_functions import looks_at_callers
from spark_tui.codemods.families.values.replacement import find_assignments
from spark_tui.codemods.imports.graph import find_import_doubts
from spark_tui.codemods.imports.lines import Wanted, insert_import, name_key
from spark_tui.codemods.imports.origins import import_of, imports_at_top
from spark_tui.codemods.imports.unused import exchange_lost_imports, lost_imports
from spark_tui.codemods.places.descriptions import with_description
from spark_tui.codemods.places.named import (
    comment_lines_above,
    delete_definition,
    need_function,
    own_lines,
)
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, edited, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits, refuse_harm, swap_expression
from spark_tui.codemods.rewriting.evaluation import (
    explain_conditional,
    has_earlier_effects,
    has_effects,
    may_change,
    names_read,
)
from spark_tui.codemods.signatures.edits import match_arguments
from spark_tui.codemods.slots import Symbol, SymbolKind
from spark_tui.codemods.uses.callsites import CallSite
from spark_tui.codemods.uses.readers import readers
from spark_tui.codemods.uses.references import find_doubtful_uses
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.codemods.uses.through_modules import set_elsewhere
from spark_tui.pysource.names.scopes import Scope, ScopeKind
from spark_tui.pysource.names.type_hints import last_name, names_set, names_within
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, docstring, parameters
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.words import word_set

_OF_ITS_PLACE = word_set("locals globals vars dir eval exec super __name__ __file__ __class__ __package__")
"""Names that mean something else, or see something else, in another place."""
_LATER = (ast.Lambda, ast.GeneratorExp)
_OWN_SCOPES = (*_LATER, ast.ListComp, ast.SetComp, ast.DictComp)


@codemod
class InlineConstant:
    """Replace a constant of a module by its value wherever it is read, and remove it."""

    target: Symbol = slot("the constant: LIMIT", kinds=frozenset((SymbolKind.VARIABLE,)))

    def plan(self, repo: Repository) -> Plan:
        target = need(find_symbol(repo, self.target, frozenset((SymbolKind.VARIABLE,))))
        source = repo.index.source(target.path)
        found = find_assignments(repo, target)
        if target.name.startswith("__"):
            raise Refusal(f"{target.name} is read by others")
        if target.owner is not None or target.variable is None or len(target.variable.bindings) != 1:
            raise Refusal(f"{target.qualname} is no constant of a module, or is set in more than one place")
        if len(found) != 1 or found[0][1] is None or len(targets(found[0][0])) != 1:
            raise Refusal(f"{target.qualname} is not set by a plain assignment")
        statement, value = found[0]
        assert value is not None
        if not _is_literal(value):
            raise Refusal(f"{source.segment(value)} may be another object each time, or another value")
        places = readers(repo, target, statement)
        if not places:
            raise Refusal(f"nothing reads {target.name}")
        text = source.segment(value)
        edits = [swap_expression(repo.index.source(path), node, text) for path, node in places]
        edits.append(delete_definition(source, statement))
        return _whole(repo, target, statement, with_description(source, [statement]), edits, {})


def _is_literal(node: ast.expr) -> bool:
    """Whether an expression is a number, a text, None, or a tuple of these."""
    if isinstance(node, ast.Tuple):
        return all(map(_is_literal, node.elts))
    return isinstance(node.operand if isinstance(node, ast.UnaryOp) else node, ast.Constant)


@codemod
class InlineFunction:
    """Replace the calls of a function that gives one expression by that expression, and remove it."""

    target: Symbol = slot("the function", kinds=frozenset((SymbolKind.FUNCTION,)))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        if source.parents.get(node) is not source.tree:
            raise Refusal(f"{target.qualname} is not a function at the top of a module")
        body = _Body.of(repo, source, node)
        edits, wanted = list[Edit](), dict[str, list[Wanted]]()
        doubts = list(looks_at_callers(source, node.body))
        for path, use in readers(repo, target, node):
            call = repo.index.source(path).parents.get(use)
            if not isinstance(call, ast.Call) or call.func is not use:
                raise Refusal(f"{path}:{use.lineno} uses {node.name} without a call")
            site = _Site(repo, path, call)
            wanted.setdefault(path, []).extend(body.needed(site))
            text, unsure = body.text(site)
            edits.append(swap_expression(site.source, call, text))
            doubts += unsure
        if not edits:
            raise Refusal(f"nothing calls {node.name}")
        cut = delete_definition(source, node)
        return _whole(repo, target, node, [node], [*edits, cut], wanted, doubts)


@dataclass
class _Site:
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
class _Body:
    """The expression of a function, and the statement that has it."""

    repo: Repository
    source: Source
    node: Function
    statement: ast.stmt
    value: ast.expr

    @classmethod
    def of(cls, repo: Repository, source: Source, node: Function) -> _Body:
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

    def needed(self, site: _Site) -> Iterator[Wanted]:
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
            wanted = import_of(self.repo, self.source, name)
            mine = wanted[0] == self.repo.index.modules.name(site.path) and wanted[1:] == (name, "")
            if mine or wanted in list(imports_at_top(self.repo, site.source)):
                if seen is not there.module:
                    raise Refusal(other)
            elif seen is not None or wanted[0] == self.repo.index.modules.name(site.path):
                raise Refusal(other)
            else:
                yield wanted

    def text(self, site: _Site) -> tuple[str, list[Unfollowed]]:
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
            if name not in given and not _is_literal(value):
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

    def _evaluated_alike(self, site: _Site, given: Mapping[str, ast.expr]) -> list[Unfollowed]:
        """Refuse where an argument would be evaluated otherwise than before, or name that it may."""
        acting = [name for name, value in given.items() if has_effects(value)]
        bound = names_set(self.value) | {
            inner.arg for inner in ast.walk(self.value) if isinstance(inner, ast.arg)
        }
        doubts = []
        for name, value in given.items():
            uses, where = self._uses(name), f"{site.path}:{site.call.lineno}: {ast.unparse(value)}"
            if bound & names_within(value):
                raise Refusal(f"{where} has a name that {self.node.name} sets")
            later = any(
                isinstance(one, _LATER) for use in uses for one in self._around(use) if one is not use
            )
            if later and not isinstance(value, ast.Constant):
                raise Refusal(f"{where} would be evaluated later")
            if has_effects(value):
                once = len(uses) == 1 and not explain_conditional(self.source, uses[0], self.statement)
                if not once or has_earlier_effects(self.source, uses[0], self.statement):
                    raise Refusal(f"{where} would be evaluated more than once, not always, or later")
                if len(acting) > 1:
                    raise Refusal(f"{where} might be evaluated before or after {acting[0]}")
            elif may_change(site.source, value):
                early = [use for use in uses if has_earlier_effects(self.source, use, self.statement)]
                if early or acting:
                    reason = f"what is called first may change {ast.unparse(value)}"
                    doubts.append(Unfollowed(site.path, site.call.lineno, reason))
        return doubts

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """The expressions around one, within the value."""
        for one in self.source.ancestors(node):
            yield one
            if one is self.value:
                return


def _defaults(node: Function) -> dict[str, ast.expr]:
    every, last = [*node.args.posonlyargs, *node.args.args], node.args.defaults
    out = {one.arg: value for one, value in zip(every[len(every) - len(last) :], last, strict=True)}
    more = zip(node.args.kwonlyargs, node.args.kw_defaults, strict=True)
    return out | {one.arg: value for one, value in more if value is not None}


def _whole(
    repo: Repository,
    target: Target,
    statement: ast.stmt,
    gone: Sequence[ast.stmt],
    edits: list[Edit],
    wanted: Mapping[str, Sequence[Wanted]],
    doubts: Sequence[Unfollowed] = (),
) -> Plan:
    """The plan of edits that replace what is read and remove what is defined, with the imports of all
    files."""
    source = repo.index.source(target.path)
    first, last = own_lines(source, list(gone))
    if lost := comments_in(source, *source.line_span(first, last)):
        raise Refusal(f"{target.name} has a comment: {lost[0]}")
    every = list(edits)
    for path in sorted({one.path for one in edits}):
        modules = {module for module, name, alias in wanted.get(path, ()) if name and not alias}
        names = {name for _, name, alias in wanted.get(path, ()) if name and not alias}
        if len(modules) == 1:
            shown = sorted(names, key=name_key)
            every += exchange_lost_imports(repo, path, edits, min(modules), shown)
        else:
            every += lost_imports(repo, path, edits)
        for module, name, alias in dict.fromkeys(wanted.get(path, ())):
            if len(modules) != 1 or not name or alias:
                every.append(insert_import(repo, path, module, name, alias))
    modules_of = repo.index.modules.names(target.path)
    doubtful = [*find_doubtful_uses(repo, target, statement)]
    if (above := comment_lines_above(source, first)) < first:
        reason = f"the comment goes too: {source.lines[above].strip()}"
        doubtful.append(Unfollowed(source.path, above + 1, reason))
    doubtful += set_elsewhere(repo, target.path, list(modules_of), [target.name])
    plan = refuse_harm(repo, plan_edits(repo, every, [*doubts, *doubtful]))
    return Plan(plan.edits, tuple(sorted({*plan.unfollowed, *find_import_doubts(repo, plan)})))
