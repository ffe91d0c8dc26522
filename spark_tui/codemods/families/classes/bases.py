"""Base classes: another one, one less, one in the place of another."""

from __future__ import annotations

import ast
import builtins

from spark_tui.codemods.imports.unused import with_lost_imports
from spark_tui.codemods.places.named import need_class
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    names_in,
    plan_edits,
    read_expression,
    swap_expression,
)
from spark_tui.codemods.slots import CLASS, Expression, Symbol
from spark_tui.codemods.uses.class_doubts import base_doubts, derives
from spark_tui.pysource.calls.brackets import bracketed, insertion, removal
from spark_tui.pysource.inference.values import ClassValue
from spark_tui.pysource.names.places import head_name
from spark_tui.pysource.names.type_hints import names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source


@codemod
class AddBase:
    """Add a base class, after the others or in the place of one."""

    target: Symbol = slot("the class", kinds=CLASS)
    base: Expression = slot("the base class")
    instead_of: Expression = slot("the base class whose place it takes", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        wanted = read_expression(self.base)
        if any(is_same_tree(wanted, base) for base in node.bases):
            raise Refusal(f"{target.qualname} has that base", why="nothing")
        if isinstance(wanted, ast.Name) and wanted.id == node.name:
            raise Refusal("a class is not its own base")
        if self.instead_of:
            return self._exchanged(repo, source, node, wanted)
        if any(derives(repo, source, base, wanted) for base in node.bases):
            raise Refusal(f"{target.qualname} derives from {self.base} already", why="nothing")
        name_end = head_name(source, node)[1]
        given = names_in(self.base)
        above = [
            base
            for base in node.bases
            if ast.unparse(base) == "object" or derives(repo, source, wanted, base)
        ]
        if len(above) > 1:
            raise Refusal(f"{self.base} cannot come after {ast.unparse(above[0])}, from which it derives")
        if above:
            # After its own base a class has no order of lookup: it takes that place.
            moved = base_doubts(repo, source, node, wanted)
            return plan_edits(repo, [swap_expression(source, above[0], self.base)], moved, given=given)
        reason = "whether the bases go together is not known"
        alone = not node.bases or _are_builtin_errors(repo, source, [*node.bases, wanted])
        unsure = [] if alone else [Unfollowed(source.path, node.lineno, reason)]
        unsure += base_doubts(repo, source, node, wanted)
        for class_value in repo.classes.descendants(ClassValue(source.path, node)):
            if len(class_value.node.bases) > 1 and class_value.node is not node:
                reason = f"{class_value.node.name} has other bases too"
                unsure.append(Unfollowed(class_value.path, class_value.node.lineno, reason))
        if source.text[name_end:].lstrip(" \t")[:1] == ":":
            edit = Edit(source.path, name_end, name_end, f"({self.base})")
            return plan_edits(repo, [edit], unsure, given=given)
        brackets = bracketed(source, name_end)
        if brackets is None or source.text[name_end : brackets.open].strip():
            raise Refusal("its head cannot be read")
        edit = Edit(source.path, *insertion(source, brackets, len(node.bases), self.base))
        return plan_edits(repo, [edit], unsure, given=given)

    def _exchanged(self, repo: Repository, source: Source, node: ast.ClassDef, wanted: ast.expr) -> Plan:
        old = node.bases[_place_of(node, self.instead_of)]
        kept = derives(repo, source, wanted, old)
        doubts = [*base_doubts(repo, source, node, wanted), *(() if kept else _lost(source, node, old))]
        edit = swap_expression(source, old, self.base)
        return plan_edits(repo, with_lost_imports(repo, [edit]), doubts, given=names_in(self.base))


@codemod
class RemoveBase:
    """Remove a base class from which the class uses nothing."""

    target: Symbol = slot("the class", kinds=CLASS)
    base: Expression = slot("the base class")

    def plan(self, repo: Repository) -> Plan:
        source, target, node = need_class(repo, self.target)
        at = _place_of(node, self.base)
        brackets = bracketed(source, head_name(source, node)[1])
        if brackets is None:
            raise Refusal("its head cannot be read")
        edit = Edit(source.path, *removal(brackets, at, source.text))
        if len(brackets.items) == 1:
            if self.base != "object" and "super" in names_within(node):
                raise Refusal(f"{target.qualname} calls super()")
            edit = Edit(source.path, brackets.open, brackets.close + 1, "")
        return plan_edits(repo, with_lost_imports(repo, [edit]), _lost(source, node, node.bases[at]))


def _are_builtin_errors(repo: Repository, source: Source, bases: list[ast.expr]) -> bool:
    """Whether bases are errors of Python that go together."""
    own = repo.index.scopes(source.path).module.bound
    kinds = [
        getattr(builtins, one.id, None) for one in bases if isinstance(one, ast.Name) and one.id not in own
    ]
    errors = tuple(one for one in kinds if isinstance(one, type) and issubclass(one, BaseException))
    try:
        return len(errors) == len(bases) and bool(type("_", errors, {}))
    except TypeError:
        return False


def _place_of(node: ast.ClassDef, base: Expression) -> int:
    wanted = read_expression(base)
    for at, one in enumerate(node.bases):
        if is_same_tree(wanted, one):
            return at
    raise Refusal(f"{node.name} has no base {base}", tuple(map(ast.unparse, node.bases)), why="nothing")


def _lost(source: Source, node: ast.ClassDef, base: ast.expr) -> list[Unfollowed]:
    """What a class no longer has from a base."""
    reason = f"what {ast.unparse(base)} gave it, and isinstance checks, are not followed"
    return [] if ast.unparse(base) == "object" else [Unfollowed(source.path, node.lineno, reason)]
