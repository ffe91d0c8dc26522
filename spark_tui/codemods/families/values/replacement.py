"""Values: what a variable, an attribute or a constant is set to, what a function returns, operators,
conditions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import chain, pairwise
from typing import Any

from spark_tui.codemods.imports.doubts import planned_change
from spark_tui.codemods.places.named import Region, find_region, need_function, need_one
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    is_same_tree,
    names_in,
    parses_to,
    plan_edits,
    read_expression,
    swap_expression,
    swap_expressions,
)
from spark_tui.codemods.rewriting.optional_types import allow_none
from spark_tui.codemods.rewriting.wrapping import with_broken_lines
from spark_tui.codemods.slots import CALLABLE, Expression, Place, Symbol, SymbolKind, Text
from spark_tui.codemods.uses.symbols import Target, find_symbol
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax import signs
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk

VARIABLES = frozenset((SymbolKind.VARIABLE, SymbolKind.ATTRIBUTE, SymbolKind.LOCAL))
_BINARY = {sign: kind for kind, sign in signs.OPERATORS.items()}
_COMPARED = {sign: kind for kind, sign in signs.SIGNS.items()}
_JOINED = {"and": ast.And, "or": ast.Or}
OPERATORS = (_BINARY, _COMPARED, _JOINED, {f"{one}=": kind for one, kind in _BINARY.items()})


def find_assignments(repo: Repository, target: Target) -> list[tuple[ast.stmt, ast.expr | None]]:
    """The plain assignments of a variable with their values; None for a bare `name: type`."""
    source = repo.index.source(target.path)
    nodes: list[ast.AST] = []
    if target.variable is not None:
        nodes += [binding.node for binding in target.variable.bindings]
    if target.owner is not None:
        members = chain.from_iterable(repo.classes.own_members(target.owner).values())
        nodes += [member for member in members if getattr(member, "attr", None) == target.name]
    found = [_assigned(source, node) for node in dict.fromkeys(nodes)]
    return [item for item in found if item is not None]


def _assigned(source: Source, node: ast.AST) -> tuple[ast.stmt, ast.expr | None] | None:
    statement = source.parents.get(node)
    if isinstance(statement, ast.Assign | ast.AnnAssign) and targets(statement) == [node]:
        return statement, statement.value
    outer = source.parents.get(statement) if isinstance(statement, ast.Tuple) else None
    match outer:
        case ast.Assign(targets=[ast.Tuple(names)], value=ast.Tuple(values)) if len(names) == len(values):
            if not any(isinstance(item, ast.Starred) for item in (*names, *values)):
                found = (value for name, value in zip(names, values, strict=True) if name is node)
                return next(((outer, value) for value in found), None)
    return None


def find_assignment(repo: Repository, symbol: Symbol) -> tuple[Source, ast.stmt, ast.expr | None]:
    """The one assignment of a variable or attribute; a line chooses among several."""
    target = need(find_symbol(repo, symbol, VARIABLES))
    source = repo.index.source(target.path)
    found = find_assignments(repo, target)
    if not found:
        raise Refusal(f"{target.qualname} is not set by a plain assignment")
    on_line = [item for item in found if symbol.line and item[0].lineno == symbol.line]
    chosen = on_line or found
    if len(chosen) > 1:
        lines = ", ".join(str(item[0].lineno) for item in chosen)
        raise Refusal(f"{target.qualname} is set on lines {lines}: write {symbol.name}@{chosen[0][0].lineno}")
    return source, *chosen[0]


@codemod
class SetValue:
    """Set what a constant, variable, attribute or local is assigned."""

    target: Symbol = slot(
        "the variable: LIMIT, Cart.size, checkout.total; name@line for one of several", kinds=VARIABLES
    )
    value: Expression = slot("the new value")

    def plan(self, repo: Repository) -> Plan:
        source, statement, old = find_assignment(repo, self.target)
        edit = _set(source, old, self.value, statement, " = ")
        hint = statement.annotation if isinstance(statement, ast.AnnAssign) else None
        return planned_change(
            repo, [*allow_none(repo, source, hint, self.value), edit], given=names_in(self.value)
        )


def _set(source: Source, old: ast.expr | None, new: str, statement: ast.stmt, sign: str) -> Edit:
    """The edit that gives a statement another value, or its first one after a sign."""
    if old is not None:
        return swap_expression(source, old, new)
    read_expression(new)
    end = source.span(statement)[1]
    return Edit(source.path, end, end, f"{sign}{new}")


@codemod
class SetReturn:
    """Set what a function returns."""

    target: Symbol = slot("the function", kinds=CALLABLE)
    value: Expression = slot("the new value")
    old: Expression = slot("the value that is returned now, if there are several", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        source, _, node = need_function(repo, self.target)
        within = Region(source, source.first_line(node), source.last_line(node))
        found = [inner for inner in within.nodes(ast.Return) if source.function_of(inner) is node]
        if self.old:
            wanted = read_expression(self.old)
            found = [inner for inner in found if is_same_tree(wanted, inner.value)]
        one = need_one(found, "return", within)
        edit = _set(source, one.value, self.value, one, " ")
        several = [isinstance(value, ast.Tuple) for value in (one.value, read_expression(self.value))]
        reason = "who uses the result gets several values, or one no more"
        doubts = [Unfollowed(source.path, one.lineno, reason)] if several[0] != several[1] else []
        return planned_change(repo, [edit], doubts, given=names_in(self.value))


@codemod
class ReplaceExpression:
    """Replace an expression by another one, at one place or everywhere in a region."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12-14")
    old: Expression = slot("the current expression")
    new: Expression = slot("what it becomes")
    every: bool = slot("whether all places are meant, not the only one", default=False)

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        wanted = read_expression(self.old)
        found = within.expressions(wanted)
        if not self.every or not found:
            found = [need_one(found, self.old, within)]
        elif isinstance(read_expression(self.new), ast.Name | ast.Attribute | ast.Subscript):
            found += _set_there(within, read_expression(self.old))
        if is_same_tree(wanted, read_expression(self.new)):
            return plan_edits(repo, _respelled(within.source, found, self.old, self.new))
        edits = swap_expressions(within.source, found, self.new)
        doubts = [_of_another(within.source, node) for node in found if _is_target(within.source, node)]
        return planned_change(repo, with_broken_lines(within.source, edits), doubts, given=names_in(self.new))


def _respelled(source: Source, found: list[ast.expr], old: str, new: str) -> list[Edit]:
    """The same value as it is to be written: `100_000` for `100000`."""
    spelled = [node for node in found if source.segment(node) == old.strip() != new.strip()]
    if not spelled:
        raise Refusal(f"{new} is already there", why="nothing")
    if any(source.span(node)[0] < 0 for node in spelled):
        raise Refusal(f"line {spelled[0].lineno}: the place inside a string cannot be edited exactly")
    return [Edit(source.path, *source.span(node), new.strip()) for node in spelled]


def _set_there(within: Region, wanted: ast.expr) -> list[ast.expr]:
    """The places where an attribute or entry like this is set or deleted."""
    if not isinstance(wanted, ast.Attribute | ast.Subscript):
        return []
    every = (node for node in within.nodes(type(wanted)) if not isinstance(node.ctx, ast.Load))
    return [node for node in every if is_same_tree(wanted, node)]


def _is_target(source: Source, node: ast.expr) -> bool:
    """Whether an attribute of an expression is set or deleted."""
    holder = source.parents.get(node)
    return isinstance(holder, ast.Attribute) and not isinstance(holder.ctx, ast.Load)


def _of_another(source: Source, node: ast.expr) -> Unfollowed:
    holder = ast.unparse(source.parents[node])
    return Unfollowed(source.path, node.lineno, f"{holder} becomes an attribute of something else")


@codemod
class ChangeCondition:
    """Change the condition of an `if`, `while` or conditional expression."""

    place: Place = slot("where: `in Cart.add` or shop/cart.py:12")
    new: Expression = slot("the new condition")
    old: Expression = slot("the current condition, if there are several", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        kinds = (ast.If, ast.While, ast.IfExp)
        tests = {node.test for node in walk(within.source.tree) if isinstance(node, kinds)}
        found = [node for node in within.nodes(ast.expr) if node in tests]
        if self.old:
            wanted = read_expression(self.old)
            found = [node for node in found if is_same_tree(wanted, node)]
        edit = swap_expression(within.source, need_one(found, "condition", within), self.new)
        return planned_change(repo, [edit], given=names_in(self.new))


@codemod
class ChangeOperator:
    """Change an operator: `<` to `<=`, `and` to `or`, `+=` to `-=`."""

    place: Place = slot("where: `in Cart.add` or shop/cart.py:12")
    old: Text = slot("the current operator")
    new: Text = slot("the operator that it becomes")
    left: Expression = slot("what comes before it, if there are several", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        table = next((item for item in OPERATORS if self.old in item and self.new in item), None)
        if table is None:
            raise Refusal(f"{self.old} cannot become {self.new}")
        if self.old == self.new:
            raise Refusal("nothing would change", why="nothing")
        places = [operand for operand in operators(within) if operand[0] == self.old]
        if self.left:
            wanted = read_expression(self.left)
            places = [place for place in places if is_same_tree(wanted, place[1])]
        at = need_one([place[1] for place in places], self.old, within)
        _, _, low, high, node = next(place for place in places if place[1] is at)
        edit = Edit(within.path, low, high, self.new)
        if not parses_to(within.source, [edit], {node: _changed(node, at, table[self.new]())}):
            reason = f"{self.new} would bind differently there; brackets are needed first"
            raise Refusal(f"line {at.lineno}: {reason}")
        return planned_change(repo, [edit])


Operand = tuple[str, ast.expr, int, int, ast.AST]


def operators(within: Region) -> Iterator[Operand]:
    """Every operator with the operand in front of it, its place, and the node that it belongs to."""
    source = within.source
    names = {kind: one for table in OPERATORS[:3] for one, kind in table.items()}
    for node in within.nodes(ast.AST):
        if isinstance(node, ast.BinOp):
            pairs = [(names[type(node.op)], node.left, node.right)]
        elif isinstance(node, ast.BoolOp):
            pairs = [(names[type(node.op)], one, two) for one, two in pairwise(node.values)]
        elif isinstance(node, ast.Compare):
            operands = pairwise((node.left, *node.comparators))
            pairs = [(names[type(op)], *pair) for op, pair in zip(node.ops, operands, strict=True)]
        elif isinstance(node, ast.AugAssign):
            pairs = [(f"{names[type(node.op)]}=", node.target, node.value)]
        else:
            continue
        for name, left, right in pairs:
            span = _operator_span(source, name, source.span(left)[1], source.span(right)[0])
            if span is not None:
                yield name, left, *span, node


def _operator_span(source: Source, name: str, low: int, high: int) -> tuple[int, int] | None:
    tokens = [token for token in source.tokens if low <= token.span[0] and token.span[1] <= high]
    words = [token for token in tokens if token.text in name.split()]
    if len(words) != len(name.split()):
        return None
    return words[0].span[0], words[-1].span[1]


def _changed(node: ast.AST, left: ast.expr, op: Any) -> Any:
    """The node with another operator after an operand."""
    made: Any = type(node)(**{name: getattr(node, name) for name in node._fields})
    if isinstance(made, ast.Compare) and isinstance(node, ast.Compare):
        at = [node.left, *node.comparators].index(left)
        made.ops = [*node.ops[:at], op, *node.ops[at + 1 :]]
    elif isinstance(made, ast.BoolOp) and len(made.values) > 2:
        raise Refusal("one of several operators of a row cannot change without brackets")
    else:
        made.op = op
    return made
