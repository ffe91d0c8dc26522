"""Types: annotate parameters, results and variables, remove annotations, write optional types in either
form."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import TypeVar

from spark_tui.codemods.checks.early_names import is_late
from spark_tui.codemods.checks.oldest_python import old_python_doubts
from spark_tui.codemods.families.functions.annotated_values import (
    lost_methods,
    new_factory,
    read_types,
    unfit_value,
)
from spark_tui.codemods.families.values.replacement import VARIABLES, find_assignments
from spark_tui.codemods.imports.lines import exchange_imports, insert_import
from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import find_region, need_function
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    comments_in,
    is_none,
    names_in,
    plan_edits,
    read_expression,
    swap_expression,
)
from spark_tui.codemods.signatures.edits import read_head
from spark_tui.codemods.slots import CALLABLE, Annotation, Choice, NewName, Place, Symbol
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.inference.values import FunctionValue
from spark_tui.pysource.names.imports import ImportNode, has_lazy_annotations, is_in_type_comment
from spark_tui.pysource.names.scopes import Role
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk


@codemod
class AnnotateParameter:
    """Give a parameter a type, or another one."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    name: NewName = slot("the parameter")
    hint: Annotation = slot("its type")

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target)
        read_expression(self.hint)
        found = [parameter for parameter in parameters(node) if parameter.arg == self.name]
        if not found:
            near = tuple(parameter.arg for parameter in parameters(node))
            raise Refusal(f"{target.qualname} has no parameter {self.name}", near)
        given, hint = names_in(self.hint), quote_if_late(repo, source, node, self.hint)
        readers = read_types(repo, source, node, kept=True)
        if found[0].annotation is not None:
            edits = [swap_expression(source, found[0].annotation, hint)]
            return plan_edits(repo, edits, readers, given=given)
        end = source.span(found[0])[1]
        edits = [Edit(source.path, end, end, f": {hint}")]
        default = defaults(node).get(self.name)
        if default is not None and source.text[end : source.span(default)[0]] == "=":
            edits = [Edit(source.path, end, end + 1, f": {hint} = ")]
        return plan_edits(repo, edits, readers, given=given)


def quote_if_late(repo: Repository, source: Source, node: ast.stmt, hint: str) -> str:
    """A type in quotes where it names what is not there when the head of the function is run."""
    scopes = repo.index.scopes(source.path)
    if has_lazy_annotations(source) or not any(is_late(scopes, name, node) for name in names_in(hint)):
        return hint
    return f'"{hint}"' if '"' not in hint else hint


@codemod
class AnnotateReturn:
    """Annotate what a function returns, or change that."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)
    hint: Annotation = slot("the type")

    def plan(self, repo: Repository) -> Plan:
        source, _, node = need_function(repo, self.target)
        read_expression(self.hint)
        given, hint = names_in(self.hint), quote_if_late(repo, source, node, self.hint)
        readers = read_types(repo, source, node, kept=True, result=True)
        if node.returns is not None:
            edit = swap_expression(source, node.returns, hint)
            return plan_edits(repo, with_lost_imports(repo, [edit]), readers, given=given)
        at = read_head(source, node).brackets.close + 1
        return plan_edits(repo, [Edit(source.path, at, at, f" -> {hint}")], readers, given=given)


_AROUND = ("ClassVar", "InitVar", "Final")
"""What says more of a variable than its type, and stays."""


@codemod
class AnnotateVariable:
    """Give a variable or attribute a type where it is first set."""

    target: Symbol = slot("the variable: LIMIT, Cart.size, checkout.total", kinds=VARIABLES)
    hint: Annotation = slot("its type")

    def plan(self, repo: Repository) -> Plan:
        target = need(find_symbol(repo, self.target, VARIABLES))
        source = repo.index.source(target.path)
        read_expression(self.hint)
        given = names_in(self.hint)
        found = find_assignments(repo, target)
        for statement, _ in found:
            if isinstance(statement, ast.AnnAssign):
                around = statement.annotation
                kept = isinstance(around, ast.Subscript) and last_name(around.value) in _AROUND
                kept = kept and not any(word in self.hint for word in _AROUND)
                old = around.slice if isinstance(around, ast.Subscript) and kept else around
                edits = [swap_expression(source, old, self.hint)]
                edits += new_factory(source, statement, self.hint)
                unfit = unfit_value(source, statement, self.hint) + lost_methods(repo, statement, self.hint)
                return plan_edits(repo, edits, unfit, given=given)
        plain = [one for one, _ in found if isinstance(one, ast.Assign)]
        plain = [one for one in plain if not isinstance(one.targets[0], ast.Tuple)]
        if not plain:
            raise Refusal(f"{target.qualname} is not set by a plain assignment")
        first = min(plain, key=source.span)
        occurrences = target.variable.occurrences if target.variable is not None else ()
        if any(occurrence.role is Role.DECLARE for occurrence in occurrences):
            raise Refusal(f"{target.qualname} is declared global or nonlocal, which cannot be annotated")
        end = source.span(first.targets[0])[1]
        owner = source.parents.get(first)
        doubts = unfit_value(source, first, self.hint)
        if isinstance(owner, ast.ClassDef) and "ClassVar" not in self.hint and _may_have_fields(owner):
            reason = f"{owner.name} may make a field of what is annotated"
            doubts.append(Unfollowed(source.path, first.lineno, reason))
        hint = quote_if_late(repo, source, first, self.hint)
        return plan_edits(repo, [Edit(source.path, end, end, f": {hint}")], doubts, given=given)


def _may_have_fields(owner: ast.ClassDef) -> bool:
    return bool(owner.decorator_list or owner.bases or owner.keywords)


@codemod
class RemoveAnnotations:
    """Remove the types of a function's parameters and result."""

    target: Symbol = slot("the function or method", kinds=CALLABLE)

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_function(repo, self.target)
        edits = list(_removed(source, node))
        if not edits:
            raise Refusal(f"{target.qualname} has no annotations", why="nothing")
        lost = [text for edit in edits for text in comments_in(source, edit.start, edit.end)]
        if lost:
            raise Refusal(f"the comment {lost[0]!r} would be lost")
        return plan_edits(repo, with_lost_imports(repo, edits), read_types(repo, source, node))


def _removed(source: Source, node: Function) -> Iterator[Edit]:
    for parameter in parameters(node):
        if parameter.annotation is None:
            continue
        name_end = source.span(parameter)[0] + len(parameter.arg)
        end = source.span(parameter)[1]
        default = defaults(node).get(parameter.arg)
        if default is not None and source.text[end : source.span(default)[0]].strip() == "=":
            yield Edit(source.path, name_end, source.span(default)[0], "=")
        else:
            yield Edit(source.path, name_end, end, "")
    if node.returns is not None:
        found = read_head(source, node)
        rest = source.text[found.brackets.close + 1 :]
        arrow = len(rest) - len(rest.lstrip())
        end = source.span(node.returns)[1]
        # Closing brackets around the type belong to it.
        while source.text[end : end + 1] in (" ", "\t", ")"):
            end += 1
        if not rest[arrow:].startswith("->") or source.text[end : end + 1] != ":":
            raise Refusal("the type of the result cannot be taken out exactly")
        yield Edit(source.path, found.brackets.close + 1, end, "")


_FUNCTIONS = frozenset(("any", "callable", "Lock", "RLock", "Event", "array", "open"))
"""What is written as a type and is a function, in some versions of Python at least."""
_UNIONS = ("Optional", "Union")
N = TypeVar("N", bound=ast.expr)


class OptionalForm(Choice):
    """How a type that may be None is written."""

    UNION = "union"
    OPTIONAL = "optional"


@codemod
class RewriteOptional:
    """Write `Optional[X]` as `X | None` and `Union[X, Y]` as `X | Y`, or `X | None` as `Optional[X]`."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")
    form: OptionalForm = slot("union for `X | Y`, optional for `Optional[X]`", default=OptionalForm.UNION)

    def plan(self, repo: Repository) -> Plan:
        found = find_region(repo, self.place)
        source = found.source
        hints = set(_hints(source))
        doubts: list[Unfollowed] = []
        if self.form is OptionalForm.UNION:
            subscripts = [node for node in found.nodes(ast.Subscript) if last_name(node.value) in _UNIONS]
            outer = _outer(source, [node for node in subscripts if node in hints])
            edits = [swap_expression(source, item, _as_union(source, item)) for item in outer]
            doubts += _aliases(repo, source, [one for item in outer for one in _members(item)])
            doubts += union_doubts(repo, source, edits)
            edits += unused_imports_of(repo, source, _UNIONS, outer)
            for path in repo.index.files_with("get_origin", "__origin__") if outer else ():
                if "Union" in repo.index.summary(path).words and "UnionType" not in (
                    repo.index.text(path) or ""
                ):
                    doubts.append(
                        Unfollowed(path, 1, "it looks for types that are a Union, which `|` does not make")
                    )
        else:
            unions = [node for node in found.nodes(ast.BinOp) if isinstance(node.op, ast.BitOr)]
            edits = [
                swap_expression(source, union, f"Optional[{source.segment(union.left)}]")
                for union in _outer(source, [node for node in unions if node in hints])
                if is_none(union.right)
            ]
            if edits and "Optional" not in repo.index.scopes(found.path).module.bound:
                edits.append(insert_import(repo, found.path, "typing", "Optional", ""))
        if not edits:
            raise Refusal("no type there is written the other way", why="nothing")
        return plan_edits(repo, edits, doubts)


def _members(node: ast.Subscript) -> list[ast.expr]:
    return node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]


def _as_union(source: Source, node: ast.expr) -> str:
    """A type with `|` in place of `Optional` and `Union`, in what it is made of too."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        raise Refusal(f"{source.path}:{node.lineno}: the type is a string")
    if isinstance(node, ast.Subscript) and last_name(node.value) in _UNIONS:
        members = [_as_union(source, item) for item in _members(node)]
        return " | ".join([*members, "None"] if last_name(node.value) == "Optional" else members)
    low, text = source.span(node)[0], source.segment(node)
    inside = [one for one in ast.walk(node) if isinstance(one, ast.Subscript)]
    inside = [one for one in inside if last_name(one.value) in _UNIONS]
    for one in sorted(_outer(source, inside), key=lambda one: -source.span(one)[0]):
        start, end = (at - low for at in source.span(one))
        text = text[:start] + _as_union(source, one) + text[end:]
    return text


def unused_imports_of(
    repo: Repository, source: Source, names: Iterable[str], gone: Sequence[ast.expr]
) -> Iterator[Edit]:
    """The edits that take those of these imported names away which stand only in types that go."""
    scopes = repo.index.scopes(source.path)
    inside = {id(one) for node in gone for one in ast.walk(node)}
    unused: dict[ImportNode, list[ast.alias]] = defaultdict(list)
    for variable in filter(None, (scopes.variable(name, scopes.module) for name in names)):
        left = [load for load in variable.loads if id(load.node) not in inside]
        imported = variable.bindings[0].node if len(variable.bindings) == 1 else None
        kept = left or is_in_type_comment(source, variable.name)
        if isinstance(imported, ast.alias) and variable.loads and not kept:
            unused[scopes.aliases[imported]].append(imported)
    yield from exchange_imports(repo, source.path, unused, ())


def union_doubts(
    repo: Repository, source: Source, edits: list[Edit], minor: int = 10, form: str = "X | None"
) -> Iterator[Unfollowed]:
    """A doubt where a project runs on a Python before 3.`minor`, which cannot evaluate a form of types that
    the file evaluates."""
    if edits and not has_lazy_annotations(source):
        line = source.line_number(edits[0].start)
        yield from old_python_doubts(repo, source.path, line, minor, f"`{form}`")


def _aliases(repo: Repository, source: Source, types: list[ast.expr]) -> Iterator[Unfollowed]:
    """Types that are variables, in annotations that are evaluated: `|` takes no text, `Optional` does."""
    if has_lazy_annotations(source):
        return
    scopes = repo.index.scopes(source.path)
    for node in types:
        name = last_name(node)
        values = repo.infer.values(source.path, node, scopes.module)
        if name in _FUNCTIONS or any(isinstance(value, FunctionValue) for value in values):
            yield Unfollowed(source.path, node.lineno, f"{name} is a function: {name} | None fails")
        elif any(symbol.kind == "variable" for _, symbol in repo.index.symbols(name) if name):
            yield Unfollowed(source.path, node.lineno, f"{name} | None fails where {name} is a string")


def _outer(source: Source, nodes: list[N]) -> list[N]:
    """Those that stand in no other one; the inner ones come with the next call."""
    return [node for node in nodes if not any(ancestor in nodes for ancestor in source.ancestors(node))]


def _hints(source: Source) -> Iterator[ast.AST]:
    """All nodes of annotations, where a union is never evaluated as a value of another kind."""
    for node in walk(source.tree):
        for root in (getattr(node, "annotation", None), getattr(node, "returns", None)):
            yield from walk(root)
