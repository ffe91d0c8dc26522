"""Where a guard goes in a function, what its condition tests, and what is there to return at that place."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import partial

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.conditions.by_failure import find_failing_expressions
from spark_tui.intent.conditions.guard_places import (
    before_changes,
    find_guarded_statement,
    first_use,
    given_names,
    last_needed_assignment,
    last_normalization,
    loop_that_gives,
    sets_name,
)
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk


def guard_spot(context: Context, anchor: Anchor, condition: str) -> tuple[ast.stmt | None, str]:
    """The statement beside which a guard stands, and the side; None where it stands at the start."""
    owner, source = anchor.node or ast.Pass(), context.source(anchor.path)
    late = last_needed_assignment(owner, names_tested(condition)) or last_normalization(owner, condition)
    needs = find_failing_expressions(context, anchor, condition)
    stop = find_guarded_statement(source, owner, condition, needs[0], late) if needs else None
    if late is None and stop is None and (loop := loop_that_gives(owner, condition)):
        return loop.body[0], "before"
    if late is not None and stop is None:
        stop = first_use(source, owner, late, condition)
    while stop is not None:
        around = source.parents.get(stop)
        if not isinstance(around, ast.If) or (late is not None and late.lineno >= around.lineno):
            break
        suite = around.body if stop in around.body else around.orelse
        inside = {node for stmt in suite for node in walk(stmt)}
        excluded = stop in around.body and _excludes(around.test, condition)
        if not excluded and inside.issuperset(needs):
            break
        stop = around
    if stop is None and late is not None and isinstance(owner, ast.While):
        # What ends the loop is asked first: nothing read is no blank line.
        behind = source.following(late)[:1]
        tested = names_in(behind[0].test) if behind and isinstance(behind[0], ast.If) else set()
        ends = any(isinstance(node, ast.Break | ast.Return) for one in behind for node in walk(one))
        late = behind[0] if ends and tested & names_tested(condition) else late
    if stop is not None and stop is not owner and isinstance(owner, Function):
        stop = before_changes(source, stop, condition)
    return stop or late, "before" if stop is not None else "after"


def doubts_of_branch(context: Context, anchor: Anchor, condition: str) -> Iterator[str]:
    """That a function tests what it is given in one of its branches only, or leaves before it keeps what it
    looks for."""
    spot, owner = guard_spot(context, anchor, condition)[0], anchor.node
    yield from _never_kept(owner, spot, condition)
    inside = context.source(anchor.path).ancestors(spot) if spot is not None else ()
    branch = next((node for node in inside if isinstance(node, ast.If)), None)
    named = {name.partition(".")[0] for name in names_tested(condition)}
    if not isinstance(owner, Function) or branch is None or branch.lineno < owner.lineno:
        return
    if named <= given_names(owner) and not any(map(partial(sets_name, owner), named)):
        yield assumed(f"it is tested where the branch in line {branch.lineno} needs it")


def _never_kept(owner: ast.AST | None, spot: ast.stmt | None, condition: str) -> Iterator[str]:
    """That the entry that is missing would be set below only: it would be missing each time."""
    name = condition.removesuffix(" is None").removeprefix("not ")
    if owner is None or spot is None or name == condition or not name.isidentifier():
        return
    sets = list(find_nodes(owner, ast.Assign))
    looked_up = {ast.unparse(one.value) for one in sets if ast.unparse(one.targets[0]) == name}
    for one in sets:
        goal = one.targets[0]
        if isinstance(goal, ast.Subscript) and one.lineno >= spot.lineno:
            held, key = ast.unparse(goal.value), ast.unparse(goal.slice)
            if looked_up & {f"{held}.get({key})", f"{held}.get({key}, None)"}:
                yield f"{ast.unparse(goal)} is set below"


def _excludes(test: ast.expr, condition: str) -> bool:
    """Whether a condition never holds where a test does: it is the opposite."""
    return ast.unparse(test) == ast.unparse(ast.parse(negate_code(condition), mode="eval").body)


def names_tested(condition: str) -> set[str]:
    """The names and attributes that a condition tests."""
    tree = ast.parse(condition)
    rounds = [node.target for node in find_nodes(tree, ast.comprehension)]
    own = {node.id for target in rounds for node in find_nodes(target, ast.Name)}
    names = {ast.unparse(node) for node in walk(tree) if isinstance(node, ast.Name | ast.Attribute)}
    return {name for name in names if name.partition(".")[0] not in own}


def is_unset(context: Context, anchor: Anchor, condition: str) -> bool:
    """Whether a guard stands where a variable that it tests has no value yet."""
    node = anchor.node
    if not isinstance(node, Function) or guard_spot(context, anchor, condition)[0] is not None:
        return False
    names = find_nodes(node, ast.Name)
    stored = {inner.id for inner in names if isinstance(inner.ctx, ast.Store)}
    later = stored - {parameter.arg for parameter in parameters(node)}
    return not later.isdisjoint(name.partition(".")[0] for name in names_tested(condition))


def is_given_outside(context: Context, anchor: Anchor, condition: str) -> bool:
    """Whether a function that has this one inside was given what is tested, and may test it at once."""
    node = anchor.node
    if not isinstance(node, Function) or context.named:
        return False
    tested = {name.partition(".")[0] for name in names_tested(condition)}
    outer = context.source(anchor.path).function_of(node)
    return outer is not None and bool(tested) and not tested & given_names(node)


def bound_result(context: Context, anchor: Anchor, condition: str) -> list[Option]:
    """The local variable that every `return` of a function gives, if it is set where the guard stands."""
    node, source = anchor.node, context.source(anchor.path)
    if not isinstance(node, Function):
        return []
    returns = find_nodes(node, ast.Return)
    own = [inner for inner in returns if source.function_of(inner) is node]
    given = {inner.value.id if isinstance(inner.value, ast.Name) else "" for inner in own}
    if len(given) != 1 or "" in given:
        return []
    (name,) = given
    beside, side = guard_spot(context, anchor, condition)
    line = 0 if beside is None else beside.lineno - (side == "before")
    if not any(stmt.lineno <= line and sets_name(stmt, name) for stmt in node.body):
        return []
    return [Option(name, 2.0, (assumed(f"it returns {name} then"),))]
