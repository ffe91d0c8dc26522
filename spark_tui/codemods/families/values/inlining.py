"""Put a constant of a module, or what a function gives, in the place of its uses, and remove it."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from spark_tui.codemods.families.values.extracted_functions import looks_at_callers
from spark_tui.codemods.families.values.extraction import InlineVariable
from spark_tui.codemods.families.values.inlined_calls import CallPlace, GivenExpression, is_literal
from spark_tui.codemods.families.values.replacement import find_assignments
from spark_tui.codemods.imports.graph import acts_on_others, files_imported, find_import_doubts
from spark_tui.codemods.imports.lines import Wanted, insert_import, name_key
from spark_tui.codemods.imports.unused import exchange_lost_imports, lost_imports
from spark_tui.codemods.joined import as_before, from_texts
from spark_tui.codemods.places.descriptions import with_description
from spark_tui.codemods.places.named import comment_lines_above, delete_definition, need_function, own_lines
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import comments_in, plan_edits, refuse_harm, swap_expression
from spark_tui.codemods.slots import Symbol, SymbolKind
from spark_tui.codemods.uses.references import find_doubtful_uses, readers
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.codemods.uses.through_modules import set_elsewhere
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source, docstring
from spark_tui.pysource.syntax.parsing import targets


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
        if not is_literal(value):
            raise Refusal(f"{source.segment(value)} may be another object each time, or another value")
        if source.parents.get(statement) is not source.tree:
            raise Refusal(f"{target.name} is set under a condition, or in a block")
        places = readers(repo, target, statement)
        if not places:
            raise Refusal(f"nothing reads {target.name}")
        doubts = list[Unfollowed]()
        for path, node in places:
            outer = repo.index.source(path).parents.get(node)
            _refuse_docstring(repo.index.source(path), node, value)
            if isinstance(outer, ast.Compare) and any(isinstance(op, ast.Is | ast.IsNot) for op in outer.ops):
                doubts.append(Unfollowed(path, node.lineno, f"whether it is {target.name} itself is asked"))
        text = source.segment(value)
        edits = [swap_expression(repo.index.source(path), node, text) for path, node in places]
        edits.append(delete_definition(source, statement))
        return _whole(repo, target, statement, with_description(source, [statement]), edits, {}, doubts)


@codemod
class InlineFunction:
    """Replace the calls of a function by the one expression that it gives, and remove it."""

    target: Symbol = slot("the function", kinds=frozenset((SymbolKind.FUNCTION,)))

    def plan(self, repo: Repository) -> Plan:
        """Locals of the function that can be inlined are, first."""
        now, left, texts = repo, list[Unfollowed](), dict[str, str | None]()
        while (plan := self._without_local(now)) is not None:
            texts |= plan.texts(now)
            left += [as_before(one, repo, now) for one in plan.unfollowed]
            now = repo.with_changes(texts)
        found = self._inlined(now)
        if now is repo:
            return found
        left += [as_before(one, repo, now) for one in found.unfollowed]
        return from_texts({**texts, **found.texts(now)}, repo, left)

    def _without_local(self, repo: Repository) -> Plan | None:
        """The plan that inlines what the first statement of the function sets; None where it sets nothing, or
        where that would be something else."""
        source, target, node = need_function(repo, self.target, alone=True)
        match [one for one in node.body if one is not docstring(node)]:
            case [ast.Assign(targets=[ast.Name(name)]), _, *_]:
                made = InlineVariable(Symbol(f"{target.qualname}.{name}", source.path)).plan(repo)
                return made if isinstance(made, Plan) else None
        return None

    def _inlined(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target, alone=True)
        if source.parents.get(node) is not source.tree:
            raise Refusal(f"{target.qualname} is not a function at the top of a module")
        body = GivenExpression.of(repo, source, node)
        edits, wanted = list[Edit](), dict[str, list[Wanted]]()
        doubts = list(looks_at_callers(source, node.body))
        places = readers(repo, target, node)
        found = {one for _, one in places}
        for path, use in places:
            call = repo.index.source(path).parents.get(use)
            if not isinstance(call, ast.Call) or call.func is not use:
                raise Refusal(f"{path}:{use.lineno} uses {node.name} without a call")
            site = CallPlace(repo, path, call)
            if any(one in found for one in ast.walk(call) if one is not use):
                raise Refusal(f"{path}:{use.lineno} calls {node.name} with what it gives")
            _refuse_docstring(site.source, call, body.value)
            wanted.setdefault(path, []).extend(body.needed(site))
            text, unsure = body.text(site)
            edits.append(swap_expression(site.source, call, text))
            doubts += unsure
        if not edits:
            raise Refusal(f"nothing calls {node.name}")
        cut = delete_definition(source, node)
        return _whole(repo, target, node, [node], [*edits, cut], wanted, doubts)


def _refuse_docstring(source: Source, node: ast.expr, value: ast.expr) -> None:
    """Refuse a text that would become the docstring of what it stands in."""
    holder = source.parents.get(node)
    first = isinstance(holder, ast.Expr) and source.suite(holder)[0] is holder
    if first and isinstance(value, ast.Constant) and isinstance(value.value, str):
        raise Refusal(f"{source.path}:{node.lineno}: it would be a docstring")


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
    needed = [name for path in wanted if path != target.path for _, name, _ in wanted[path]]
    doubtful += set_elsewhere(repo, target.path, list(modules_of), [target.name, *filter(None, needed)])
    plan = refuse_harm(repo, plan_edits(repo, every, [*doubts, *doubtful]))
    plan = replace(plan, unfollowed=(*plan.unfollowed, *_no_longer_imported(repo, plan, target.path)))
    return Plan(plan.edits, tuple(sorted({*plan.unfollowed, *find_import_doubts(repo, plan)})))


def _no_longer_imported(repo: Repository, plan: Plan, home: str) -> Iterator[Unfollowed]:
    """Files that import a module no more: what it does when it is imported may be needed there."""
    after = repo.with_changes(plan.texts(repo))
    last = repo.index.modules.name(home).rpartition(".")[2]
    for path in plan.paths:
        if home in files_imported(repo, path) and home not in files_imported(after, path):
            reached = last in after.index.scopes(path).attributes_by_name
            if reached or acts_on_others(repo, home):
                yield Unfollowed(path, 1, f"it no longer imports {home}, which may do something")
