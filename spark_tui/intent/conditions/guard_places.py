"""Where a guard stands: in front of the statement that needs it, behind what its names are set by."""

from __future__ import annotations

import ast

from spark_tui.intent.context.anchors import parsed
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, names_in, walk

_SETS = (ast.Assign, ast.AnnAssign, ast.AugAssign)


def before(
    source: Source, owner: ast.AST, condition: str, needs: ast.AST, late: ast.stmt | None
) -> ast.stmt | None:
    """The statement in front of which a guard stands; None where it stands at the start, or right behind what
    sets its names. `needs` is the expression that fails without it."""
    spot = source.statement(needs)
    tree = parsed(condition)
    if spot is None or spot is owner or tree is None:
        return None
    names = {ast.unparse(one) for one in walk(tree) if isinstance(one, ast.Name | ast.Attribute)}
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
    called = [one.context_expr.func for one in items if isinstance(one.context_expr, ast.Call)]
    return any(ast.unparse(one).rpartition(".")[2] == "open" for one in called)


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
    names = {one.id for one in walk(tree) if isinstance(one, ast.Name) and sets(late, one.id)}
    uses = [
        one
        for one in walk(owner)
        if isinstance(one, ast.Name)
        and isinstance(one.ctx, ast.Load)
        and one.id in names
        and one.lineno > late.lineno
        and not _set_beside(source, one, late)
    ]
    first = min(uses, key=lambda one: (one.lineno, one.col_offset), default=None)
    spot = source.statement(first) if first is not None else None
    return spot if spot is not owner else None


def _set_beside(source: Source, name: ast.Name, late: ast.stmt) -> bool:
    """Whether a statement between `late` and that of a name, in the block of the name, sets it."""
    spot = source.statement(name)
    suite = source.suite(spot) if spot is not None else []
    between = [one for one in suite if late.lineno < one.lineno < name.lineno]
    return any(isinstance(one, _SETS) and sets(one, name.id) for one in between)


def _bound_in(node: ast.AST) -> set[str]:
    return {
        ast.unparse(one)
        for one in walk(node)
        if isinstance(one, ast.Name | ast.Attribute) and isinstance(one.ctx, ast.Store)
    }


def _left_between(source: Source, late: ast.stmt, spot: ast.stmt) -> bool:
    """Whether a function may have been left between two statements, or the second stands in a branch."""
    suite = source.suite(spot)
    if late not in suite:
        return True
    between = suite[suite.index(late) + 1 : suite.index(spot)]
    return any(isinstance(one, LEAVING) for each in between for one in walk(each))


def _begun(owner: ast.AST, spot: ast.stmt) -> bool:
    """Whether a function may have been left in front of a statement, or the statement stands in a branch."""
    body: list[ast.stmt] = list(getattr(owner, "body", ()))
    if spot not in body:
        return True
    return any(isinstance(one, LEAVING) for each in body[: body.index(spot)] for one in walk(each))


def changed_in(node: ast.AST) -> set[str]:
    """The names and attributes that are set in code, or that something is put into or taken from."""
    asked = (
        one.func.value
        for one in walk(node)
        if isinstance(one, ast.Call) and isinstance(one.func, ast.Attribute)
    )
    return _bound_in(node) | {ast.unparse(one) for one in asked if isinstance(one, ast.Name | ast.Attribute)}


def normalized(owner: ast.AST, condition: str) -> ast.stmt | None:
    """The last statement at the start that brings a tested name into its form: `name = name.strip()`."""
    tree = parsed(condition)
    if tree is None or any(_of_kind(one) for one in walk(tree)):
        return None
    names = names_in(tree)
    found: ast.stmt | None = None
    for one in getattr(owner, "body", ()):
        if isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant):
            continue  # the docstring
        target = one.targets[0] if isinstance(one, ast.Assign) else None
        if not isinstance(target, ast.Name) or not isinstance(one.value, ast.Call):
            break
        used = names_in(one.value)
        if target.id in names and target.id in used:
            found = one
    return found


def _of_kind(node: ast.AST) -> bool:
    """Whether a test is about what was given, before it is made into something."""
    if isinstance(node, ast.Constant) and node.value is None:
        return True
    return isinstance(node, ast.Call) and ast.unparse(node.func) in ("isinstance", "callable", "hasattr")


def given_names(owner: ast.AST) -> set[str]:
    """The names that a function or loop has at its start."""
    head = owner.target if isinstance(owner, ast.For | ast.AsyncFor) else None
    given = names_in(head)
    if isinstance(owner, Function):
        given = {one.arg for one in parameters(owner)}
    return given | {
        one for each in walk(owner) if isinstance(each, ast.Global | ast.Nonlocal) for one in each.names
    }


def set_late(owner: ast.AST, names: set[str]) -> ast.stmt | None:
    """The statement behind which all of the names are set that the body of a function or loop sets."""
    found_at: ast.stmt | None = None
    for name in names - given_names(owner):
        if "." in name and not begins(owner, name):
            continue  # It is set before, elsewhere.
        setting = [one for one in walk(owner) if isinstance(one, _SETS) and sets(one, name)]
        body = [one for one in getattr(owner, "body", ()) if any(each in setting for each in walk(one))]
        # Set once, it is known behind that; set in branches, behind all of them.
        first = setting[0] if len(setting) == 1 else body[0] if body else None
        if first is not None and (found_at is None or first.lineno > found_at.lineno):
            found_at = first
    return found_at


def begins(owner: ast.AST, name: str) -> bool:
    """Whether an attribute is there only since a function set it."""
    return isinstance(owner, Function) and owner.name == "__init__" and name.startswith("self.")


def sets(node: ast.stmt, name: str) -> bool:
    return any(
        isinstance(one, ast.Name | ast.Attribute)
        and isinstance(one.ctx, ast.Store)
        and ast.unparse(one) == name
        for one in walk(node)
    )
