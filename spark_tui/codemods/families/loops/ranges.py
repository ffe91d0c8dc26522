"""`while` loops with a counter, written as `for` loops over a range."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.codemods.families.loops.held_items import runs_at_once
from spark_tui.codemods.families.loops.steady_bounds import bound_doubts
from spark_tui.codemods.places.named import find_region, need_one, own_lines, refuse_inline
from spark_tui.codemods.plan import Edit, Plan, Refusal, Unfollowed
from spark_tui.codemods.registry import codemod, slot
from spark_tui.codemods.rewriting.edits import (
    one_line,
    plan_edits,
    refuse_lost_comments,
    refuse_taken_builtin,
)
from spark_tui.codemods.slots import Place
from spark_tui.pysource.names.scopes import Role, Scopes, Variable
from spark_tui.pysource.names.type_hints import names_set, names_within
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.signs import MIRRORED
from spark_tui.pysource.syntax.walking import ORDERED, walk, walk_each

_OFFSETS: dict[type[ast.cmpop], int] = {ast.Lt: 0, ast.LtE: 1, ast.Gt: 0, ast.GtE: -1}
"""How far behind the bound of a comparison a range ends."""
_READING_ALL = ("locals", "vars", "eval", "exec")
_WEAK = (ast.Compare, ast.BoolOp, ast.IfExp, ast.Lambda)
_LOOSE = (ast.BitOr, ast.BitAnd, ast.BitXor, ast.LShift, ast.RShift)
_GIVING = ("floor", "ceil", "count", "index", "find", "bit_length")
"""Methods that give whole numbers."""


@dataclass(frozen=True, eq=False)
class Counted:
    """A `while` loop with a counter: where it begins, its bound, and where it goes on."""

    loop: ast.While
    begin: ast.Assign | ast.AnnAssign
    value: ast.expr
    step: ast.AugAssign | ast.Assign
    name: str
    bound: ast.expr
    sign: type[ast.cmpop]
    by: int


@codemod
class LoopRange:
    """Count by `for` and `range` in place of a `while` loop with a counter."""

    place: Place = slot("where: `in fetch`, `in app.py`, or the line of the loop")

    def plan(self, repo: Repository) -> Plan:
        within = find_region(repo, self.place)
        source, scopes = within.source, repo.index.scopes(within.path)
        loops = {one: found for one in within.heads(ast.While) if (found := read_counted(source, one))}
        found = loops[need_one([*loops], "while loop with a counter", within)]
        refuse_taken_builtin(repo, source, found.loop, "range")
        variable = scopes.resolve(scopes.by_node[targets(found.begin)[0]])
        _refuse_other_uses(repo, source, found, variable)
        doubts = [*bound_doubts(source, scopes, found.loop, found.bound), *_number_doubts(source, found)]
        edits = list(_edits(source, scopes, found))
        refuse_lost_comments(source, edits)
        return plan_edits(repo, edits, doubts)


def read_counted(source: Source, loop: ast.While) -> Counted | None:
    """The loop as one that counts by a constant up to a bound, or down to one; None for another one."""
    test = loop.test
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ORDERED):
        return None
    for side, bound, sign in (
        (test.left, test.comparators[0], type(test.ops[0])),
        (test.comparators[0], test.left, MIRRORED[type(test.ops[0])]),
    ):
        if not isinstance(side, ast.Name) or side.id in names_within(bound):
            continue
        for step in reversed(loop.body):
            by = _counts(step, side.id)
            if by and sign in ((ast.Lt, ast.LtE) if by > 0 else (ast.Gt, ast.GtE)):
                begin = _begin(source, loop, side.id)
                assert isinstance(step, ast.AugAssign | ast.Assign)
                return Counted(loop, *begin, step, side.id, bound, sign, by) if begin is not None else None
    return None


def _counts(stmt: ast.stmt, name: str) -> int:
    """By how much a statement counts a name up or down; 0 where it does not."""
    match stmt:
        case ast.AugAssign(ast.Name(target), ast.Add() | ast.Sub() as op, ast.Constant(by)):
            pass
        case ast.Assign([ast.Name(target)], ast.BinOp(ast.Name(read), op, ast.Constant(by))) if (
            read == target
        ):
            pass
        case _:
            return 0
    if target != name or type(by) is not int or not isinstance(op, ast.Add | ast.Sub):
        return 0
    return by if isinstance(op, ast.Add) else -by


def _begin(source: Source, loop: ast.While, name: str) -> tuple[ast.Assign | ast.AnnAssign, ast.expr] | None:
    """The statement in front of a loop that sets its counter, with nothing between that uses it."""
    suite = source.suite(loop)
    for stmt in reversed(suite[: suite.index(loop)]):
        if name in names_within(stmt):
            match stmt:
                case ast.Assign([ast.Name(target)], value) | ast.AnnAssign(
                    ast.Name(target), _, ast.expr() as value
                ):
                    return (stmt, value) if target == name not in names_within(value) else None
            return None
    return None


# -- what else the counter and the bound are used for


def _refuse_other_uses(repo: Repository, source: Source, found: Counted, variable: Variable) -> None:
    """Refuse where the loop counts in another way too, or the counter is read where it would be another."""
    loop, name, line = found.loop, found.name, f"line {found.loop.lineno}"
    behind = loop.body[loop.body.index(found.step) + 1 :]
    if len(loop.body) == 1:
        raise Refusal(f"{line}: the loop does nothing but count")
    if any(name in names_within(stmt) for stmt in behind):
        raise Refusal(f"{line}: {name} is used after where it is counted")
    if any(_continues(stmt) for stmt in loop.body):
        raise Refusal(f"{line}: continue leaves the counting out")
    scopes = repo.index.scopes(source.path)
    scope = scopes.of_function(loop)
    if variable.scope is not scope or any(one.role is Role.DECLARE for one in variable.occurrences):
        raise Refusal(f"{line}: {name} is no local variable")
    if scope is scopes.module:
        importers = repo.index.importers(source.path)
        if any(name in repo.index.summary(path).words for path in importers):
            raise Refusal(f"{line}: another file may use {name}")
    inside, step = set(walk_each((loop.test, *loop.body))), set(walk(found.step))
    low, high = source.span(found.begin)[0], source.span(loop.body[-1])[1]
    around = [one for one in source.ancestors(loop) if isinstance(one, ast.For | ast.AsyncFor | ast.While)]
    again = {inner for one in around for inner in walk(one)}
    for use in variable.occurrences:
        if use.scope is not scope and not (use.node in inside and runs_at_once(source, use.node)):
            raise Refusal(f"{line}: a function may read {name} later")
        if use.node in inside:
            if use.role is not Role.LOAD and use.node not in step:
                raise Refusal(f"{line}: the loop sets {name} elsewhere")
            continue
        late = use.node in again or source.span(use.node)[0] > high
        if not use.role.binds and late and not _set_again(source, use.node, name, low, high):
            raise Refusal(f"{line}: {name} is read on line {getattr(use.node, 'lineno', 0)} too")


def _continues(node: ast.AST) -> bool:
    """Whether a statement of a loop may go on with the next round of it."""
    if isinstance(node, ast.Continue):
        return True
    inner: list[ast.AST] = list(ast.iter_child_nodes(node))
    if isinstance(node, ast.For | ast.AsyncFor | ast.While):
        inner = [*node.orelse]
    return not isinstance(node, Function | ast.ClassDef) and any(map(_continues, inner))


def _set_again(source: Source, node: ast.AST, name: str, low: int, high: int) -> bool:
    """Whether a name is always set again between a loop at `low` to `high` and a read of it."""
    behind = source.span(node)[0] > high
    for below, one in source.climb(node):
        if isinstance(one, ast.For | ast.AsyncFor) and below in one.body and name in names_within(one.target):
            return True
        if isinstance(below, ast.stmt):
            suite = source.suite(below)
            for stmt in suite[: suite.index(below)]:
                sets = isinstance(stmt, ast.Assign) and any(name in _plain(target) for target in stmt.targets)
                start = source.span(stmt)[0]
                if sets and start != low and (start > high) == behind:
                    return True
        if isinstance(one, Function | ast.ClassDef):
            return False
    return False


def _plain(target: ast.expr) -> set[str]:
    every = getattr(target, "elts", [target])
    return {one.id for one in every if isinstance(one, ast.Name)}


def _number_doubts(source: Source, found: Counted) -> Iterator[Unfollowed]:
    """Doubts whether `range` can count from the one to the other. Refuses what is no whole number."""
    constants = [one for one in source.body if isinstance(one, ast.Assign)]
    around = [*filter(None, [source.function_of(found.loop)]), *constants]
    for node in (found.value, found.bound):
        known = is_whole(around, node)
        if known is False:
            raise Refusal(f"line {node.lineno}: {ast.unparse(node)} is no whole number")
        if known is None:
            reason = f"{ast.unparse(node)} was assumed to be a whole number"
            yield Unfollowed(source.path, found.loop.lineno, reason)


# -- the edits


def _edits(source: Source, scopes: Scopes, found: Counted) -> Iterator[Edit]:
    loop, begin, step = found.loop, found.begin, found.step
    refuse_inline(source, loop.body)
    suite = source.suite(loop)
    between = suite[suite.index(begin) + 1 : suite.index(loop)]
    value = found.value
    if between and not isinstance(value, ast.Constant):
        plain = all(
            isinstance(one, ast.Name | ast.BinOp | ast.operator | ast.Load) for one in ast.walk(value)
        )
        if not plain or names_within(value) & names_set(*between):
            raise Refusal(f"line {begin.lineno}: {ast.unparse(value)} may be another value at the loop")
    first, last = own_lines(source, [begin])
    if begin is suite[0] or not source.lines[first - 1].strip():
        while not source.lines[last].strip():
            last += 1
    yield Edit(source.path, *source.line_span(first, last), "")
    first, last = own_lines(source, [step])
    while step is loop.body[-1] and not source.lines[first - 1].strip():
        first -= 1
    yield Edit(source.path, *source.line_span(first, last), "")
    end = source.text.index(":", source.span(loop.test)[1])
    read = names_within(*(one for one in loop.body if one is not step))
    unread = read.isdisjoint({found.name, *_READING_ALL})
    name = (
        "_"
        if unread and not any(one.role is Role.LOAD for one in scopes.by_name.get("_", ()))
        else found.name
    )
    yield Edit(source.path, source.span(loop)[0], end, f"for {name} in range({_arguments(source, found)})")


def _arguments(source: Source, found: Counted) -> str:
    start, stop = one_line(source, found.value), _stop(source, found.bound, _OFFSETS[found.sign])
    if found.by != 1:
        return f"{start}, {stop}, {found.by}"
    return stop if start == "0" else f"{start}, {stop}"


def _stop(source: Source, bound: ast.expr, more: int) -> str:
    """The bound, or the number behind it in the direction of the loop."""
    text = one_line(source, bound)
    if not more:
        return text
    match bound:
        case ast.Constant(int(value)):
            return str(value + more)
        case ast.UnaryOp(ast.USub(), ast.Constant(int(value))):
            return str(more - value)
        case ast.BinOp(left, ast.Add() | ast.Sub() as op, ast.Constant(int(value))):
            text, more = one_line(source, left), more + (value if isinstance(op, ast.Add) else -value)
            return f"{text} {'+' if more > 0 else '-'} {abs(more)}" if more else text
    weak = isinstance(bound, _WEAK) or (isinstance(bound, ast.BinOp) and isinstance(bound.op, _LOOSE))
    return (f"({text})" if weak else text) + (" + 1" if more > 0 else " - 1")


def is_whole(around: Sequence[ast.AST], node: ast.expr | None, depth: int = 3) -> bool | None:
    """Whether an expression is a whole number; None where that is not known."""
    parts: list[ast.expr] = []
    match node:
        case ast.Constant(value):
            return type(value) is int
        case ast.Call(ast.Name("len" | "int" | "ord")) | ast.Subscript(ast.Attribute(_, "shape")):
            return True
        case ast.Call(ast.Name("round"), args):
            return len(args) == 1 or None
        case ast.Call(ast.Attribute(_, name)):
            return name in _GIVING or None
        case ast.Call(ast.Name("min" | "max" | "abs"), args) if (
            len(args) > 1 or ast.unparse(node.func) == "abs"
        ):
            parts = args
        case ast.BinOp(_, ast.Div(), _):
            return False
        case ast.BinOp(left, _, right):
            parts = [left, right]
        case ast.UnaryOp(ast.USub(), operand):
            parts = [operand]
        case ast.Name(name) if depth:
            return _is_whole_name(around, name, depth)
        case _:
            return None
    known = [is_whole(around, part, depth) for part in parts]
    return False if False in known else None if None in known else True


def _is_whole_name(around: Sequence[ast.AST], name: str, depth: int) -> bool | None:
    """The same of a name: by the type of a parameter, by a use in `range`, or by all that it is set to."""
    values: list[ast.expr] = []
    stores = 0
    for node in walk_each(around):
        match node:
            case ast.arg(arg, ast.Name("int" | "float" as hint)) if arg == name:
                return hint == "int"
            case ast.arg(arg) if arg == name:
                return None
            case ast.Call(ast.Name("range"), args) if name in map(ast.unparse, args):
                return True
            case ast.AugAssign(ast.Name(target), _, value) if target == name:
                values.append(value)
            case ast.Assign([ast.Name(target)], value) if target == name:
                values.append(value)
            case ast.Assign([ast.Tuple(names)], ast.Tuple(items)) if len(names) == len(items):
                pairs = zip(names, items, strict=True)
                values += [item for one, item in pairs if isinstance(one, ast.Name) and one.id == name]
            case ast.Name(target, ast.Store()) if target == name:
                stores += 1
    known = [is_whole(around, value, depth - 1) for value in values]
    return None if not stores or len(known) < stores or None in known else False not in known
