"""Extract variables and constants, inline variables."""

from __future__ import annotations

import ast
import builtins
import keyword
from collections.abc import Iterable
from itertools import starmap

from spark_tui.codemods.families.values.replacement import find_assignments
from spark_tui.codemods.families.values.split_variables import split_variable
from spark_tui.codemods.places.constants import constant_name, insert_constant
from spark_tui.codemods.places.displays import is_only_read
from spark_tui.codemods.places.named import (
    Region,
    delete_statements,
    find_region,
    insert_before,
    own_lines,
    refuse_inline,
)
from spark_tui.codemods.plan import Plan, Refusal, Unfollowed, need
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    comments_in,
    one_line,
    plan_edits,
    read_expression,
    swap_expressions,
)
from spark_tui.codemods.rewriting.evaluation import (
    explain_conditional,
    has_earlier_effects,
    has_effects,
    is_set_within,
    is_touched_before,
    may_change,
    reads_before,
)
from spark_tui.codemods.slots import Expression, NewName, Place, Symbol, SymbolKind
from spark_tui.codemods.uses.looked_up import local_lookups
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.pysource.names.scope_records import Occurrence
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.names.type_hints import last_name, names_within
from spark_tui.pysource.names.undefined import KNOWN
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets

_EARLIER = "what the statement calls first may change the value"
_LATER = "what it calls may change what the statement reads first"


def refuse_taken_name(repo: Repository, path: str, name: str, function: Function | None = None) -> None:
    """Refuse a name that is none, or that means something already: in a file, or for a local of a function in
    it."""
    if not name.isidentifier() or keyword.iskeyword(name):
        raise Refusal(f"{name!r} is not a valid name")
    if name in KNOWN:
        raise Refusal(f"{name} is a builtin")
    used = repo.index.scopes(path).by_name.get(name, [])
    if function is not None:
        low, high = repo.index.source(path).span(function)
        used = [one for one in used if low <= one.span[0] < high or one.span[0] < 0]
    if used:
        raise Refusal(f"{name} is already used in {path if function is None else function.name}")


@codemod
class ExtractVariable:
    """Give an expression a name, assigned above the statement that contains it; of `size = round(size)`, the
    variable has that name from there on."""

    place: Place = slot("where: `in Cart.add` or shop/cart.py:12")
    expression: Expression = slot("the expression")
    name: NewName = slot("the name of the variable")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        found = within.expressions(read_expression(self.expression))
        if not found:
            raise Refusal(f"{self.expression} is not there")
        awaited = [item for item in map(source.parents.get, found) if isinstance(item, ast.Await)]
        found = list(awaited) if len(awaited) == len(found) else found  # the value, no coroutine
        statement = source.statement(found[0])
        inside = [node for node in found if source.statement(node) is statement]
        if len(inside) < len(found):
            raise Refusal(f"{self.expression} is in several statements: write the line")
        if statement is None:
            raise Refusal("it is not part of a statement")
        function = source.function_of(statement)
        refuse_taken_name(repo, source.path, self.name, function)
        doubts = list(starmap(Unfollowed, local_lookups(source, function))) if function is not None else []
        if split := split_variable(repo.index.scopes(source.path), statement, inside[0], self.name):
            return plan_edits(repo, split, doubts)
        if len(inside) > 1 and has_effects(inside[0]):
            raise Refusal("it is evaluated more than once and may do something")
        reason = explain_conditional(source, inside[0], statement)
        if is_set_within(source, inside[0], statement):
            reason = "the statement sets a name of it first"
        if reason:
            raise Refusal(reason)
        if has_earlier_effects(source, inside[0], statement):
            if has_effects(inside[0]):
                raise Refusal("the statement does something before it evaluates it")
            touched = is_touched_before(source, inside[0], inside[0], statement)
            if touched or may_change(source, inside[0]):
                doubts.append(Unfollowed(source.path, statement.lineno, _EARLIER))
        elif has_effects(inside[0]):
            read = reads_before(repo.index.scopes(source.path), inside[0], statement)
            if read is not None:
                reason = f"{one_line(source, read)} was read before that, and it may change it"
                doubts.append(Unfollowed(source.path, statement.lineno, reason))
        refuse_inline(source, source.suite(statement))
        if isinstance(statement, ast.Expr) and statement.value is inside[0]:
            raise Refusal("it is a statement of its own")
        text = source.segment(inside[0])
        if "\n" in text and not isinstance(inside[0], ast.Call | ast.List | ast.Dict | ast.Set | ast.Tuple):
            text = f"({text})"
        line = insert_before(source, statement, f"{self.name} = {text}")
        owner = source.parents.get(statement)
        if isinstance(owner, ast.ClassDef):
            reason = f"{owner.name} gets the attribute {self.name}"
            doubts.append(Unfollowed(source.path, statement.lineno, reason))
        edits = swap_expressions(source, inside, self.name)
        return plan_edits(repo, [line, *edits], doubts)


_CONSTANT = (ast.Constant, ast.Tuple, ast.UnaryOp, ast.BinOp, ast.operator, ast.unaryop, ast.expr_context)


def _is_constant(repo: Repository, source: Source, node: ast.expr) -> bool:
    """Whether an expression is a literal, or made of literals and builtins (`1024 * 64`, `(str, bytes)`)."""
    try:
        ast.literal_eval(node)
        return True
    except ValueError:
        pass
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "re.compile" and node.args:
        return isinstance(node.args[0], ast.Constant) and all(map(_is_flag, node.args[1:]))
    known = repo.index.scopes(source.path).by_name
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name):
            if not hasattr(builtins, inner.id) or any(item.role.binds for item in known.get(inner.id, ())):
                return False
        elif not isinstance(inner, (*_CONSTANT, ast.Attribute)):
            return False
    return not isinstance(node, ast.Name)


def _is_flag(node: ast.expr) -> bool:
    """Whether an argument is a flag of regular expressions, or several."""
    flags = (ast.Attribute, ast.Name, ast.BinOp, ast.BitOr, ast.Load)
    return ast.unparse(node).startswith("re.") and all(isinstance(one, flags) for one in ast.walk(node))


@codemod
class ExtractConstant:
    """Give a constant expression a name at the top of the module, and use the name throughout a region."""

    place: Place = slot("where: `in Cart.add`, `in shop/cart.py`, or shop/cart.py:12")
    value: Expression = slot("the literal")
    name: NewName = slot("the name of the constant")
    below: NewName = slot("the constant below which it is put", default=NewName(""))
    set_to: Expression = slot("its new value, if it changes", default=Expression(""))

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source = within.source
        wanted = read_expression(self.value)
        if not _is_constant(repo, source, wanted):
            raise Refusal(f"{self.value} is not a constant")
        found = [node for node in within.expressions(wanted) if self._can_be_name(source, node)]
        shared = isinstance(wanted, ast.List | ast.Dict | ast.Set)
        if shared and not (found and all(is_only_read(repo, source, node) for node in found)):
            raise Refusal("a mutable value that is shared would mean something else")
        if not found:
            raise Refusal(f"{self.value} is not there")
        if all(names := [_constant_of(source, node) for node in found]):
            raise Refusal(f"{names[0]} is that constant already", why="nothing")
        refuse_taken_name(repo, source.path, self.name)
        text = f"{self.name} = {self.set_to.strip() or source.segment(found[0])}{source.newline}"
        line = insert_constant(source, text, source.span(found[0])[0], str(self.below))
        return plan_edits(repo, [line, *swap_expressions(source, found, self.name)])

    def _can_be_name(self, source: Source, node: ast.expr) -> bool:
        """Not docstrings, patterns, types, names of definitions, parts of f-strings and joined literals."""
        if isinstance(source.parents.get(node), ast.JoinedStr | ast.MatchValue | ast.Expr):
            return False
        return not any(
            isinstance(one, ast.JoinedStr | ast.arg)
            or (isinstance(one, ast.Call) and ast.unparse(one.func).startswith("__all__."))
            or any(last_name(goal) in ("__all__", "__slots__", "__match_args__") for goal in targets(one))
            or (isinstance(one, ast.Subscript) and last_name(one.value) == "Literal")
            or below in (getattr(one, "returns", None), getattr(one, "annotation", None))
            for below, one in source.climb(node)
        )


def _constant_of(source: Source, node: ast.expr) -> str:
    """The constant of the module whose value an expression is; empty where it is that of none."""
    stmt = source.parents.get(node)
    plain = isinstance(stmt, ast.Assign | ast.AnnAssign) and source.parents.get(stmt) is source.tree
    name = constant_name(stmt) if isinstance(stmt, ast.stmt) and plain else ""
    return name if name.isupper() else ""


def _is_fresh(source: Source, statement: ast.stmt, value: ast.expr) -> bool:
    """Whether a statement only gives a constant or an empty collection to a local that a value does not read:
    `out = []`."""
    function = source.function_of(statement)
    if not isinstance(statement, ast.Assign) or function is None:
        return False
    if any(isinstance(inner, ast.Global | ast.Nonlocal) for inner in ast.walk(function)):
        return False
    read = {inner.id for inner in ast.walk(value) if isinstance(inner, ast.Name)}
    goals = [goal.id for goal in statement.targets if isinstance(goal, ast.Name)]
    plain = (ast.Constant, ast.List, ast.Dict, ast.Tuple, ast.expr_context)
    inert = all(isinstance(inner, plain) for inner in ast.walk(statement.value))
    return inert and len(goals) == len(statement.targets) and read.isdisjoint(goals)


@codemod
class InlineVariable:
    """Replace a local variable by its value, and remove the assignment."""

    target: Symbol = slot("the local: checkout.total", kinds=frozenset((SymbolKind.LOCAL,)))

    def plan(self, repo: Repository) -> Plan:
        target = need(find_symbol(repo, self.target, frozenset((SymbolKind.LOCAL,))))
        source = repo.index.source(target.path)
        variable = target.variable
        found = find_assignments(repo, target)
        if variable is None or len(variable.bindings) != 1 or len(found) != 1:
            raise Refusal(f"{target.qualname} is set in more than one place, or not by a plain assignment")
        statement, value = found[0]
        if value is None or any(isinstance(target, ast.Tuple) for target in targets(statement)):
            raise Refusal(f"{target.qualname} is not set by a plain assignment")
        if len(variable.occurrences) != len(variable.loads) + 1 or not variable.loads:
            raise Refusal(f"{target.qualname} is not only read")
        first, last = own_lines(source, [statement])
        if comments_in(source, *source.line_span(first, last)):
            raise Refusal("the line of the assignment has a comment")
        _refuse_caught(repo.index.scopes(source.path), value, variable.loads)
        loads = [load.node for load in variable.loads]
        doubts = self._same_value(repo, Region(source, first, last), statement, value, loads)
        text = source.segment(value)
        edits = swap_expressions(source, [load for load in loads if isinstance(load, ast.expr)], text)
        return plan_edits(repo, [delete_statements(source, [statement]), *edits], doubts)

    def _same_value(
        self, repo: Repository, at: Region, statement: ast.stmt, value: ast.expr, loads: list[ast.AST]
    ) -> list[Unfollowed]:
        """Refuse where the value would be another one at the places where it is read, or name that it may."""
        source = at.source
        scopes = repo.index.scopes(source.path)
        users = [source.statement(load) for load in loads]
        below = source.following(statement)
        following = next((one for one in below if not _is_fresh(source, one, value)), None)
        if len(loads) == 1 and users[0] is following and following is not None:
            node = loads[0]
            assert isinstance(node, ast.expr)
            late = has_earlier_effects(source, node, following)
            if not explain_conditional(source, node, following) and not (has_effects(value) and late):
                earlier = reads_before(scopes, node, following, value) if has_effects(value) else None
                doubt = Unfollowed(source.path, following.lineno, _LATER if earlier else _EARLIER)
                touched = late and is_touched_before(source, node, value, following)
                return [doubt] if earlier or touched or (late and may_change(source, value)) else []
        operand = value.operand if isinstance(value, ast.UnaryOp) else None
        if isinstance(value, ast.Constant) or isinstance(operand, ast.Constant):
            return []
        plain = (ast.Name, ast.Attribute, ast.Subscript, ast.Constant, ast.expr_context)
        looked_up = operand if isinstance(operand, ast.Name) else value
        if not all(isinstance(inner, plain) for inner in ast.walk(looked_up)):
            raise Refusal("its value might be another one where it is read, or be made more than once")
        read = {id(scopes.resolve(scopes.by_node[one])) for one in ast.walk(value) if one in scopes.by_node}
        low, end = source.span(statement)
        if any(0 <= source.span(load)[0] < low for load in loads):
            raise Refusal("it is read above its assignment, in the next round of a loop")
        for occurrence in scopes.occurrences:
            other = occurrence.role.binds or occurrence.role is Role.DELETE
            if other and occurrence.span[0] > end and id(scopes.resolve(occurrence)) in read:
                line = source.line_number(occurrence.span[0])
                raise Refusal(f"{occurrence.name} is set again on line {line}")
        number = isinstance(value, ast.UnaryOp) and not isinstance(value.op, ast.Not)
        if isinstance(value, ast.Name) or number:
            return []
        return [Unfollowed(source.path, statement.lineno, "it is looked up where it is read now")]


def _refuse_caught(scopes: Scopes, value: ast.expr, loads: Iterable[Occurrence]) -> None:
    """Refuse where a name of a value is another one at a place where it would be read: `lambda x: y`."""
    home, names = scopes.of_function(value), sorted(names_within(value))
    for load in loads:
        for name in names:
            if scopes.lookup(name, load.scope) is not scopes.lookup(name, home):
                line = scopes.source.line_number(max(load.span[0], 0))
                raise Refusal(f"{name} means something else on line {line}")
