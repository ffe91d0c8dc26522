"""Whether the bound of a loop is the same each time that it is read."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Set

from spark_tui.codemods.plan import Refusal, Unfollowed
from spark_tui.pysource.inference.plain_types import plain_type
from spark_tui.pysource.names.scopes import Role, Scopes
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk, walk_each
from spark_tui.pysource.words import word_set

_SAFE = word_set("len int ord round min max abs")
_HARMLESS = _SAFE | word_set("print str repr isinstance range sorted sum float enumerate zip any all list")
"""Builtins that change nothing that they are given."""
_READING = word_set("get index count keys values items copy find startswith endswith")
RESIZING = word_set(
    "append appendleft insert extend add update setdefault pop popleft popitem remove discard clear"
)


def bound_doubts(source: Source, scopes: Scopes, loop: ast.While, bound: ast.expr) -> Iterator[Unfollowed]:
    """Doubts about a bound that may change while the loop runs. Refuses where it does."""
    line = f"line {loop.lineno}"
    inside = list(walk_each(loop.body))
    set_here = {
        ast.unparse(one) for one in inside if isinstance(getattr(one, "ctx", None), ast.Store | ast.Del)
    }
    waits = any(isinstance(one, ast.Await | ast.Yield | ast.YieldFrom) for one in inside)
    calls = [one for one in inside if isinstance(one, ast.Call) and not is_harmless(one.func)]
    for node in walk(bound):
        if isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr) or (
            isinstance(node, ast.Call) and not (isinstance(node.func, ast.Name) and node.func.id in _SAFE)
        ):
            raise Refusal(f"{line}: {ast.unparse(node)} may give another value each time")
        if not isinstance(node, ast.Name | ast.Attribute | ast.Subscript):
            continue
        text, outer = ast.unparse(node), source.parents.get(node)
        if isinstance(outer, ast.Call) and outer.func is node:
            continue
        if text in set_here or (isinstance(node, ast.Name) and _is_bound(source, scopes, node, loop)):
            raise Refusal(f"{line}: the loop changes {text}")
        measured = called_name(outer) == "len"
        others = _other_names(source, loop, text)
        if measured and any(_resized(inside, one) for one in {text, *others}):
            raise Refusal(f"{line}: the loop changes {text}")
        fixed = plain_type(source, node) in ("str", "bytes", "tuple")
        held = not fixed and (measured or not isinstance(node, ast.Name))
        if held and waits:
            reason = f"{text}, which is read only once now, may change while the loop waits"
            yield Unfollowed(source.path, loop.lineno, reason)
        call = next(
            (one for one in calls if ast.unparse(one.func) in set_here or _may_change(one, node, others)),
            None,
        )
        if held and call is not None:
            reason = f"{ast.unparse(call.func)}(…) may change {text}, which is read only once now"
            yield Unfollowed(source.path, loop.lineno, reason)
        elif isinstance(node, ast.Name) and calls and _is_shared(scopes, node):
            reason = f"a function may set {text}, which is read only once now"
            yield Unfollowed(source.path, loop.lineno, reason)


def is_harmless(called: ast.expr) -> bool:
    return isinstance(called, ast.Name) and called.id in _HARMLESS


def _other_names(source: Source, loop: ast.While, text: str) -> set[str]:
    """What else a function calls an object, in plain assignments."""
    out: set[str] = set()
    holder = source.function_of(loop)
    for stmt in source.own_nodes(holder) if holder is not None else source.body:
        if isinstance(stmt, ast.Assign):
            same = {*map(ast.unparse, stmt.targets), ast.unparse(stmt.value)}
            out |= same if text in same else set()
    return {one for one in out - {text} if one.replace(".", "").replace("_", "").isalnum()}


def _resized(nodes: list[ast.AST], held: str) -> bool:
    """Whether items are added to a collection, or taken away."""
    for node in nodes:
        match node:
            case ast.Call(ast.Attribute(value, method)) if method in RESIZING:
                pass
            case ast.Subscript(value, ast.Slice(), ast.Store()) | ast.Subscript(value, _, ast.Del()):
                pass
            case _:
                continue
        if ast.unparse(value) == held:
            return True
    return False


def _may_change(call: ast.Call, node: ast.expr, others: Set[str]) -> bool:
    """Whether a call is given an object of the bound or what holds it, or is one of their methods."""
    named = (*walk(node), *(part for one in others for part in walk(ast.parse(one))))
    owners = {ast.unparse(one) for one in named if isinstance(one, ast.Name | ast.Attribute | ast.Subscript)}
    given = [*call.args, *(keyword.value for keyword in call.keywords)]
    if isinstance(call.func, ast.Attribute) and call.func.attr not in _READING:
        given.append(call.func.value)
    return any(ast.unparse(one) in owners for one in given)


def _is_bound(source: Source, scopes: Scopes, node: ast.Name, loop: ast.While) -> bool:
    """Whether a loop sets a name in any way: by `except … as`, an import, a pattern of `match`."""
    low, high = source.span(loop)
    uses = scopes.resolve(scopes.by_node[node]).occurrences
    return any(one.role is not Role.LOAD and low <= one.span[0] < high for one in uses)


def _is_shared(scopes: Scopes, node: ast.Name) -> bool:
    variable = scopes.resolve(scopes.by_node[node])
    here = scopes.by_node[node].scope
    return len(variable.bindings) > 1 and any(one.scope is not here for one in variable.bindings)
