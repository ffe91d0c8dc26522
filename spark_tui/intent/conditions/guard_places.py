"""Where a guard stands: in front of the statement that needs it, after what its names are set by."""

from __future__ import annotations

import ast
import re

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.context.anchors import parsed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import is_text
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, find_nodes, names_in, walk

_MAKING = ("__init__", "__post_init__")
SETS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def find_guarded_statement(
    source: Source, owner: ast.AST, condition: str, needs: ast.AST, late: ast.stmt | None
) -> ast.stmt | None:
    """The statement in front of which a guard stands; None where it stands at the start, or right after what
    sets its names. `needs` is the expression that fails without it."""
    spot = source.statement(needs)
    tree = parsed(condition)
    if spot is None or spot is owner or tree is None:
        return None
    names = {ast.unparse(node) for node in walk(tree) if isinstance(node, ast.Name | ast.Attribute)}
    parent = source.parents.get(spot)
    while parent is not None and parent is not owner:
        loop = isinstance(parent, LOOPS)
        behind = late is not None and not loop and late.lineno >= spot.lineno
        around = (loop or _opens(parent)) and not names & _bound_in(parent)
        if isinstance(parent, ast.stmt) and (behind or around):
            spot = parent
        parent = source.parents.get(parent)
    if late is not None:
        behind = late.lineno < spot.lineno and late not in source.ancestors(spot)
        return spot if behind and _left_between(source, late, spot) else None
    return spot if _begun(owner, spot) else None


def _opens(node: ast.AST) -> bool:
    """Whether a `with` opens a file, which is not to be done for nothing."""
    items = node.items if isinstance(node, ast.With | ast.AsyncWith) else []
    called = [item.context_expr.func for item in items if isinstance(item.context_expr, ast.Call)]
    return any(ast.unparse(item).rpartition(".")[2] == "open" for item in called)


def before_changes(source: Source, spot: ast.stmt, condition: str) -> ast.stmt:
    """The first of the statements right in front of one that change an object or collection, and nothing that
    is tested: a guard behind them leaves half of the work done."""
    tree, suite = parsed(condition), source.suite(spot)
    names = {ast.unparse(node) for node in walk(tree) if isinstance(node, ast.Name | ast.Attribute)}
    for stmt in reversed(suite[: suite.index(spot)] if tree is not None and spot in suite else []):
        targets = stmt.targets if isinstance(stmt, ast.Assign) else [getattr(stmt, "target", None)]
        held = [one.value if isinstance(one, ast.Subscript) else one for one in targets]
        plain = all(isinstance(one, ast.Attribute | ast.Subscript) for one in targets)
        if not isinstance(stmt, SETS) or not plain or names & {ast.unparse(one) for one in held if one}:
            break
        spot = stmt
    return spot


def first_use(source: Source, owner: ast.AST, late: ast.stmt, condition: str) -> ast.stmt | None:
    """The first statement that takes a tested name, where the one that sets it last in front of a guard makes
    the condition hold always, as `found = None` does."""
    tree = parsed(condition)
    value = late.value if isinstance(late, ast.Assign | ast.AnnAssign) else None
    empty = isinstance(value, ast.Constant) or (
        isinstance(value, ast.List | ast.Dict | ast.Tuple) and not list(ast.iter_child_nodes(value))[1:]
    )
    if tree is None or not empty:
        return None
    names = {node.id for node in find_nodes(tree, ast.Name) if sets_name(late, node.id)}
    uses = [
        node
        for node in find_nodes(owner, ast.Name)
        if isinstance(node.ctx, ast.Load)
        and node.id in names
        and node.lineno > late.lineno
        and not _set_beside(source, node, late)
    ]
    # What is set again on the way, or filled, is tested when that is done.
    filled = max((node.lineno for node in uses if is_filled(source, node)), default=0)
    uses = [node for node in uses if node.lineno > filled]
    settled = [node for node in uses if not _set_around(source, node, late)]
    first = min(settled or uses, key=lambda node: (node.lineno, node.col_offset), default=None)
    spot = source.statement(first) if first is not None else None
    return spot if spot is not owner else None


def is_filled(source: Source, name: ast.Name) -> bool:
    """Whether something is put into a variable: `found.append(item)`, `counts[word] = 1`."""
    around = source.parents.get(name)
    if isinstance(around, ast.Subscript):
        return around.value is name and isinstance(around.ctx, ast.Store)
    alone = isinstance(source.statement(name), ast.Expr)
    return alone and isinstance(around, ast.Attribute) and isinstance(source.parents.get(around), ast.Call)


def _set_around(source: Source, name: ast.Name, late: ast.stmt) -> bool:
    """Whether a statement beside `late` that the use of a name stands in sets the name, too."""
    around = [node for node in source.ancestors(name) if node in source.suite(late)]
    return any(name.id in _bound_in(node) for node in around)


def _set_beside(source: Source, name: ast.Name, late: ast.stmt) -> bool:
    """Whether a statement between `late` and that of a name, in the block of the name, sets it."""
    spot = source.statement(name)
    suite = source.suite(spot) if spot is not None else []
    between = [stmt for stmt in suite if late.lineno < stmt.lineno < name.lineno]
    return any(isinstance(stmt, SETS) and sets_name(stmt, name.id) for stmt in between)


def _bound_in(node: ast.AST) -> set[str]:
    return {
        ast.unparse(inner)
        for inner in walk(node)
        if isinstance(inner, ast.Name | ast.Attribute) and isinstance(inner.ctx, ast.Store)
    }


def _left_between(source: Source, late: ast.stmt, spot: ast.stmt) -> bool:
    """Whether a function may have been left between two statements, or the second stands in a branch."""
    suite = source.suite(spot)
    if late not in suite:
        return True
    between = suite[suite.index(late) + 1 : suite.index(spot)]
    return any(isinstance(node, LEAVING) for stmt in between for node in walk(stmt))


def _begun(owner: ast.AST, spot: ast.stmt) -> bool:
    """Whether a function may have been left in front of a statement, or the statement stands in a branch."""
    body: list[ast.stmt] = list(getattr(owner, "body", ()))
    if spot not in body:
        return True
    return any(isinstance(node, LEAVING) for stmt in body[: body.index(spot)] for node in walk(stmt))


def given_by(node: ast.AST) -> set[str]:
    """The names that each round of a loop sets first, or a part of a `with`."""
    goal = node.target if isinstance(node, ast.For | ast.AsyncFor) else None
    goal = node.optional_vars if isinstance(node, ast.withitem) else goal
    return {inner.id for inner in find_nodes(goal, ast.Name)} if goal is not None else set()


def changed_in(node: ast.AST) -> set[str]:
    """The names and attributes that are set in code, or that something is put into or taken from."""
    asked = (
        inner.func.value for inner in find_nodes(node, ast.Call) if isinstance(inner.func, ast.Attribute)
    )
    return _bound_in(node) | {
        ast.unparse(inner) for inner in asked if isinstance(inner, ast.Name | ast.Attribute)
    }


def last_normalization(owner: ast.AST, condition: str) -> ast.stmt | None:
    """The last statement at the start that brings a tested name into its form (`name = name.strip()`), gives
    it a value where it is None, or refuses one of another kind."""
    tree = parsed(condition)
    if tree is None or any(is_of_kind(node) for node in walk(tree)):
        return None
    names = names_in(tree)
    found: ast.stmt | None = None
    for stmt in getattr(owner, "body", ()):
        if isinstance(stmt, ast.Expr) and isinstance(stmt.value, ast.Constant):
            continue  # the docstring
        if name := _given_default(stmt):
            found = stmt if name in names else found
            continue
        if refused := _refused_kinds(stmt):
            found = stmt if refused & names else found
            continue
        target = stmt.targets[0] if isinstance(stmt, ast.Assign) else None
        if not isinstance(stmt, ast.Assign) or not isinstance(target, ast.Name):
            break
        if not isinstance(stmt.value, ast.Call) or called_name(stmt.value) in ("max", "min"):
            break  # behind a limit nothing is left to refuse
        used = names_in(stmt.value)
        if target.id in names and target.id in used:
            found = stmt
    return found


def _given_default(stmt: ast.stmt) -> str:
    """The name that a statement gives a value where it has none: `if x is None: x = []`, `x = x or []`."""
    one = stmt.body[0] if isinstance(stmt, ast.If) and len(stmt.body) == 1 and not stmt.orelse else stmt
    target = one.targets[0] if isinstance(one, ast.Assign) else None
    if not isinstance(one, ast.Assign) or not isinstance(target, ast.Name):
        return ""
    value, forms = one.value, (f"{target.id} is None", f"not {target.id}", target.id)
    if isinstance(stmt, ast.If):
        return target.id if ast.unparse(stmt.test) in forms[:2] else ""
    if isinstance(value, ast.BoolOp) and isinstance(value.op, ast.Or):
        return target.id if ast.unparse(value.values[0]) == target.id else ""
    asked = ast.unparse(value.test) if isinstance(value, ast.IfExp) else ""
    known = {*forms, f"{target.id} is not None"}
    return target.id if asked in known else ""


def _refused_kinds(stmt: ast.stmt) -> set[str]:
    """The names in a test of a kind, where what fails it is left with an error."""
    if not isinstance(stmt, ast.If) or stmt.orelse or not isinstance(stmt.body[-1], ast.Raise):
        return set()
    return names_in(stmt.test) if any(map(is_of_kind, walk(stmt.test))) else set()


def is_of_kind(node: ast.AST) -> bool:
    """Whether a test is about what was given, before it is made into something."""
    if isinstance(node, ast.Constant) and node.value is None:
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "callable", "hasattr")


def same_test(owner: ast.AST, condition: str) -> ast.If | None:
    """The branch at the top of a function or round that asks the same already, and then leaves or prints: for
    `not x` also one that asks whether it is None. What another branch of a round does, or the first of a
    function, would never be done behind a guard of its test."""
    wanted = parsed(condition)
    absent = wanted.operand if isinstance(wanted, ast.UnaryOp) and isinstance(wanted.op, ast.Not) else None
    none = parsed(f"{ast.unparse(absent)} is None") if isinstance(absent, ast.Name | ast.Attribute) else None
    forms = [_plainly(form) for form in (wanted, none) if form is not None]
    todo: list[ast.AST] = [*getattr(owner, "body", ())]
    first = [node for node in todo if not is_text(node)][:1]
    for node in todo:
        if isinstance(node, ast.Try | ast.With):
            todo += node.body
        elif isinstance(node, ast.If):
            todo += node.orelse if len(node.orelse) == 1 else []  # `elif`
            prints = all(ast.unparse(stmt).startswith("print(") for stmt in node.body)
            if _plainly(node.test) in forms and (prints or isinstance(node.body[-1], LEAVING)):
                return node
            at_top = isinstance(owner, LOOPS) or node in first
            if at_top and not node.orelse and _plainly(node.test) in forms[:1]:
                return node
    return None


_EMPTY = re.compile(r"not len\((.+)\)|len\((.+)\) == 0|([^=]+) == (?:''|\[\]|\{\})")


def _plainly(test: ast.expr) -> str:
    """A test in one form for all that ask whether something is empty: `x == ""` is `not x`."""
    empty = _EMPTY.fullmatch(shown := ast.unparse(test))
    return f"not {empty[empty.lastindex or 0]}" if empty else shown


def given_names(owner: ast.AST) -> set[str]:
    """The names that a function or loop has at its start."""
    head = owner.target if isinstance(owner, ast.For | ast.AsyncFor) else None
    given = names_in(head)
    if isinstance(owner, Function):
        given = {parameter.arg for parameter in parameters(owner)}
    return given | {
        name for node in walk(owner) if isinstance(node, ast.Global | ast.Nonlocal) for name in node.names
    }


def last_needed_assignment(owner: ast.AST, names: set[str]) -> ast.stmt | None:
    """The statement after which all of the names are set that the body of a function or loop sets."""
    found_at: ast.stmt | None = None
    for name in names - given_names(owner):
        if "." in name and not is_created_by(owner, name):
            continue  # It is set before, elsewhere.
        setting = [node for node in walk(owner) if isinstance(node, SETS) and sets_name(node, name)]
        body = [stmt for stmt in getattr(owner, "body", ()) if any(node in setting for node in walk(stmt))]
        # Set once, it is known after that; set in branches, after all of them, and so a field of a dataclass.
        is_field = "." in name and getattr(owner, "name", "") == "__post_init__"
        first = (
            setting[0]
            if len(setting) == 1 and not is_field
            else body[-1 if is_field else 0]
            if body
            else None
        )
        if first is not None and (found_at is None or first.lineno > found_at.lineno):
            found_at = first
    return found_at


def loop_that_gives(owner: ast.AST, condition: str) -> ast.For | ast.AsyncFor | None:
    """The one loop at the top of a function whose rounds give what a condition compares, and nothing else
    does. *No such job* is no `not job`."""
    tree = parsed(condition)
    parts = tree.values if isinstance(tree, ast.BoolOp) else [tree]
    names = names_in(tree) if all(isinstance(part, ast.Compare) for part in parts) else set[str]()
    loops = [
        one
        for one in getattr(owner, "body", ())
        if isinstance(one, ast.For | ast.AsyncFor) and given_by(one) & names
    ]
    told = given_by(loops[0]) & names if len(loops) == 1 and isinstance(owner, Function) else set[str]()
    bound = [node.id for node in find_nodes(owner, ast.Name) if isinstance(node.ctx, ast.Store)]
    alone = bool(told) and not told & given_names(owner) and all(bound.count(name) == 1 for name in told)
    return loops[0] if alone else None


def is_created_by(owner: ast.AST, name: str) -> bool:
    """Whether an attribute is there only since a function set it."""
    return isinstance(owner, Function) and owner.name in _MAKING and name.startswith("self.")


def sets_name(node: ast.stmt, name: str) -> bool:
    return any(
        isinstance(inner, ast.Name | ast.Attribute)
        and isinstance(inner.ctx, ast.Store)
        and ast.unparse(inner) == name
        for inner in walk(node)
    )


def end_behind_opposite(owner: ast.AST, condition: str) -> ast.stmt | None:
    """How a function ends behind the test for the opposite, which leaves it: where the condition holds, that
    is what is done."""
    if not isinstance(owner, Function) or len(owner.body) < 2:
        return None
    test, last = owner.body[-2:]
    if not isinstance(test, ast.If) or test.orelse or not isinstance(last, ast.Return | ast.Raise):
        return None
    leaves = isinstance(test.body[-1], ast.Return | ast.Raise)
    return last if leaves and ast.unparse(test.test) == negate_code(condition) else None
