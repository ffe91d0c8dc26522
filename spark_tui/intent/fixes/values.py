"""Fixes of values that are not what they should be: an index or key that is not there, a coroutine."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import takewhile

from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.fixes.seen_error import SeenError, bracket_code, functions_named
from spark_tui.intent.words.doubts import made_up
from spark_tui.intent.words.kinds_of_words import is_to_go_further
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in
from spark_tui.pysource.words import word_set

_ASKING = (ast.Attribute, ast.Subscript, ast.Starred)
"""What asks something of a value that None does not have."""
_OF_MODULES = ("__name__", "__file__", "__doc__", "self", "cls")


# -- keys, indices, numbers --------------------------------------------------------------------------


def key_error(at: SeenError) -> Iterator[Built]:
    """A key that may be missing is looked up by `get`, unless None would fail there as well."""
    wanted = re.findall(r"['\"]([^'\"]+)['\"]", at.text)
    for node in at.nodes(ast.Subscript):
        if isinstance(node.slice, ast.Slice):
            continue
        if not isinstance(node.ctx, ast.Load):
            yield from _from_nothing(at, node)
            continue
        shown = ast.unparse(node.slice).strip("'\"")
        if not (wanted and isinstance(node.slice, ast.Constant) and shown not in wanted):
            yield from _looked_up(at, node)


def _looked_up(at: SeenError, node: ast.Subscript) -> Iterator[Built]:
    """`d[key]` as `d.get(key)`, in a calculation with what leaves the rest as it is in place of None."""
    outer = at.source.parents.get(node)
    owner, name = at.source.segment(node.value), at.source.segment(node.slice)
    if isinstance(outer, ast.BinOp):
        first = _nothing_beside(outer.left if outer.right is node else outer.right)
        built = at.swap(node, f"{owner}.get({name}, {first})", 0.4)
        yield replace(built, doubts=(made_up(f"it was taken to be {first} where there is none"),))
    elif not (isinstance(outer, _ASKING) or (isinstance(outer, ast.For) and outer.iter is node)):
        yield at.swap(node, f"{owner}.get({name})", 0.4)


def _nothing_beside(other: ast.expr) -> str:
    """The empty value of the type of what it is added to, 0 where that is not known."""
    return {"list": "[]", "str": '""', "tuple": "()"}.get(literal_type(other) or "", "0")


def _from_nothing(at: SeenError, node: ast.Subscript) -> Iterator[Built]:
    """`d[key] += n` counts from 0 where there is no such key, and `del d[key]` does nothing."""
    outer = at.source.parents.get(node)
    if isinstance(outer, ast.Delete) and len(outer.targets) == 1:
        owner, name = at.source.segment(node.value), at.source.segment(node.slice)
        yield at.spliced(*at.source.span(outer), f"{owner}.pop({name}, None)", 0.6)
    if isinstance(outer, ast.AugAssign) and isinstance(outer.op, ast.Add | ast.Sub):
        sign = "+" if isinstance(outer.op, ast.Add) else "-"
        owner, name = at.source.segment(node.value), at.source.segment(node.slice)
        first = _nothing_beside(outer.value)
        new = f"{owner}[{name}] = {owner}.get({name}, {first}) {sign} {bracket_code(at.source, outer.value)}"
        yield at.spliced(*at.source.span(outer), new, 0.6, f"it was taken to begin with {first}")


def index_error(at: SeenError) -> Iterator[Built]:
    """One step too far: `range(len(x) + 1)`, `<= len(x)`, `x[len(x)]`, `x[i + 1]`, or the index before; or
    an argument of the command line that was not given."""
    for given in at.nodes(ast.Subscript):
        statement = at.source.statement(given)
        if statement is not None and re.fullmatch(r"sys\.argv\[\d+\]", shown := ast.unparse(given)):
            least, program = int(shown[9:-1]) + 1, at.source.path.rpartition("/")[2]
            goal = statement.targets[0] if isinstance(statement, ast.Assign) else None
            words = goal.id.upper() if isinstance(goal, ast.Name) else "ARGUMENT"
            code = f'if len(sys.argv) < {least}:\n    sys.exit("usage: {program} {words}")'
            spot = place(at.context, Anchor(at.area, statement))
            made = call("insert_statements", place=spot, code=code, side="before")
            yield Built((made,), 0.9 * at.area.weight, (made_up("the message was made up"),))
            return
    for counted in at.nodes(ast.Call):
        if ast.unparse(counted.func) == "range":
            yield from _shorter(at, counted, 0.9)
    for inner in at.nodes(ast.Compare):
        if isinstance(inner.ops[0], ast.LtE) and ast.unparse(inner.comparators[0]).startswith("len("):
            spot = place(at.context, Anchor(at.area, inner))
            left = at.source.segment(inner.left)
            made = call("change_operator", place=spot, old="<=", new="<", left=left)
            yield Built((made,), 0.9 * at.area.weight)
    for item in at.nodes(ast.Subscript) if at.exact else ():
        index = item.slice
        text, owner = at.source.segment(index), at.source.segment(item.value)
        low, high = at.source.span(index)
        if isinstance(index, ast.BinOp) and isinstance(index.op, ast.Add) and text.endswith("+ 1"):
            yield at.spliced(low, high, at.source.segment(index.left), 0.9)
        elif text == f"len({owner})":
            yield at.spliced(low, high, "-1", 0.9)
        elif isinstance(index, ast.Constant) and isinstance(index.value, int) and index.value > 0:
            yield at.spliced(low, high, str(index.value - 1), 0.7)
    if at.exact and at.function is not None:
        for node in find_nodes(at.function, ast.Call):
            if ast.unparse(node.func) == "range":
                yield from _shorter(at, node, 0.8)


def _shorter(at: SeenError, call_node: ast.Call, weight: float) -> Iterator[Built]:
    """The range without the number added to its end, unless the message says that it ends too early."""
    if call_node.args and not is_to_go_further(at.context.situation.instruction):
        last = call_node.args[-1] if len(call_node.args) < 3 else call_node.args[1]
        if (
            isinstance(last, ast.BinOp)
            and isinstance(last.op, ast.Add)
            and isinstance(last.right, ast.Constant)
        ):
            yield at.swap(last, at.source.segment(last.left), weight)


def or_zero(at: SeenError, node: ast.BinOp, condition: str) -> Built | None:
    """What is set to a quotient becomes 0 where nothing is there, in a function that gives more than that."""
    stmt, inside = at.source.statement(node), at.source.function_of(node)
    if not isinstance(stmt, ast.Assign) or not isinstance(stmt.value, ast.BinOp | ast.Call) or inside is None:
        return None
    kept = {one.id for target in stmt.targets for one in find_nodes(target, ast.Name)}
    results = [one.value for one in find_nodes(inside, ast.Return) if at.source.function_of(one) is inside]
    alone = [isinstance(one, ast.Name) and one.id in kept for one in results]
    if alone and all(alone):
        return None
    return at.swap(stmt.value, f"{at.source.segment(stmt.value)} if {condition} else 0", 0.75)


def zero_division(at: SeenError) -> Iterator[Built]:
    """A division by something that may be zero: the function returns 0 then."""
    for node in at.nodes(ast.BinOp):
        if not isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod):
            continue
        inside, below = at.source.function_of(node), node.right
        if inside is None or isinstance(below, ast.Constant):
            continue
        shown = at.source.segment(below)
        size = re.fullmatch(r"len\((.+)\)", shown)
        condition = f"not {size[1]}" if size else f"{shown} == 0"
        if (quotient := or_zero(at, node, size[1] if size else f"{shown} != 0")) is not None:
            yield replace(quotient, doubts=(made_up("the value taken then was made up"),))
            continue
        names = names_in(below) - {"len", "sum", "self"}
        if names <= {parameter.arg for parameter in parameters(inside)}:
            target = f"in {at.source.path}::{at.source.qualname(inside)}"
            made = call("add_guard", place=target, condition=condition, action="return 0")
        else:
            statement = at.source.statement(node)
            assert statement is not None
            spot = place(at.context, Anchor(at.area, statement))
            code = f"if {condition}:\n    return 0"
            made = call("insert_statements", place=spot, code=code, side="before")
        yield Built((made,), 0.75 * at.area.weight, (made_up("the value returned then was made up"),))


# -- texts and coroutines ----------------------------------------------------------------------------


def missing_prefix(at: SeenError) -> Iterator[Built]:
    """A string with names in braces that lacks its `f`: on the line, or the one that the message shows."""
    shown = re.findall(r"\{[\w.]+[^{}]*\}", at.text) if at.exact else []
    for path, one in _braced(at, shown):
        source = at.context.source(path)
        outer = source.parents.get(one)
        if isinstance(outer, ast.Expr | ast.JoinedStr | ast.Attribute):
            continue
        holes = re.findall(r"\{([\w.]+)[^{}]*\}", str(one.value))
        visible = at.context.visible(path, source.function_of(one))
        known = {*visible.inner.values(), *visible.module.values(), *_OF_MODULES, *_of_loops(source, one)}
        if holes and all(hole.partition(".")[0] in known for hole in holes):
            low = source.span(one)[0]
            if low >= 0:
                yield at.within(path, one).spliced(low, low, "f", 0.85)


def _of_loops(source: Source, node: ast.AST) -> set[str]:
    """The names that the comprehensions around a node bind."""
    found = [
        generator for ancestor in source.ancestors(node) for generator in getattr(ancestor, "generators", ())
    ]
    return {inner.id for item in found for inner in find_nodes(item.target, ast.Name)}


def _braced(at: SeenError, shown: list[str]) -> Iterator[tuple[str, ast.Constant]]:
    """The strings that may lack a prefix."""
    seen = set()
    if not shown or at.kind == "missing_prefix":
        for one in at.nodes(ast.Constant):
            if isinstance(one.value, str):
                yield at.source.path, one
        return
    index = at.context.repo.index
    for path in index.files_with(re.findall(r"\w+", shown[0])[0]):
        if not any(item in (index.text(path) or "") for item in shown):
            continue
        for one in at.context.source(path).strings:
            if any(item in str(one.value) for item in shown) and (path, one.lineno) not in seen:
                seen.add((path, one.lineno))
                yield path, one


def missing_await(at: SeenError) -> Iterator[Built]:
    """Calls of coroutines of the repository that are not awaited."""
    repo = at.context.repo
    for frame in at.frames() if at.exact else (at,):
        for node in frame.nodes(ast.Call) if not at.exact else _calls_of(frame):
            inside = frame.source.function_of(node)
            if not isinstance(inside, ast.AsyncFunctionDef):
                continue
            if isinstance(frame.source.parents.get(node), ast.Await) or _is_handed_on(frame, node):
                continue
            scope = repo.index.scopes(frame.source.path).scope_at.get(node)
            values = repo.infer.values(frame.source.path, node.func, scope) if scope is not None else ()
            named = _is_coroutine(frame, node) if at.exact else False
            if named or any(
                isinstance(getattr(value, "node", None), ast.AsyncFunctionDef) for value in values
            ):
                spot = place(at.context, Anchor(frame.area, node))
                made = call("add_await", callee=ast.unparse(node.func), place=spot)
                yield Built((made,), 0.9 * frame.area.weight)


_RUNNING = word_set(
    "create_task ensure_future gather wait wait_for shield run run_until_complete run_coroutine_threadsafe"
    " start_soon as_completed timeout"
)
"""Functions that are given coroutines, and wait for them."""


def _is_handed_on(at: SeenError, node: ast.Call) -> bool:
    """Whether a coroutine is given to what runs it, also in a list."""
    above = takewhile(lambda one: isinstance(one, ast.expr), at.source.ancestors(node))
    return any(isinstance(one, ast.Call) and called_name(one) in _RUNNING for one in above)


def _calls_of(at: SeenError) -> list[ast.Call]:
    """The calls of the line, then those that gave the names on it."""
    names = {node.id for node in at.nodes(ast.Name)}
    found = at.nodes(ast.Call)
    for inner in find_nodes(at.function, ast.Assign):
        if any(isinstance(t, ast.Name) and t.id in names for t in inner.targets):
            found += list(find_nodes(inner.value, ast.Call))
    return found


def _is_coroutine(at: SeenError, node: ast.Call) -> bool:
    """Whether all functions of that name are coroutines."""
    found = functions_named(at, called_name(node))
    return bool(found) and all(isinstance(one, ast.AsyncFunctionDef) for _, one in found)
