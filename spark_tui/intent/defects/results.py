"""Causes in what becomes of a value: it is dropped, printed, not called, or not handed on."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import (
    around,
    cause,
    changed,
    functions_here,
    names_given,
    own,
    returned,
    text_of,
)
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.fixes.returns import value_calls
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.fixes.values import missing_await
from spark_tui.pysource.inference.known_types import GIVING_NOTHING
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import LOOPS, walk

cause("not_awaited", plain=0.3)(missing_await)


def _gives(at: SeenError) -> bool:
    return any(node.value is not None for node in own(at, ast.Return))


@cause("no_effect", "gives_none", plain=0.95)
def value_dropped(at: SeenError) -> Iterator[Built]:
    """`name.strip()` as a statement: its value is set, or given back where it is the last one."""
    for stmt in own(at, ast.Expr):
        called = stmt.value
        if not isinstance(called, ast.Call) or not _only_gives(called) or _is_of_module(at, called):
            continue
        low, high = at.source.span(stmt)
        base = called.func.value if isinstance(called.func, ast.Attribute) else None
        target = base or (called.args[0] if called.args else None)
        last = isinstance(at.root, Function) and at.root.body[-1] is stmt and not _gives(at)
        if last:
            yield from changed(at, [(low, low, "return ")], 0.95)
        elif isinstance(target, ast.Name | ast.Attribute | ast.Subscript):
            yield from changed(at, [(low, low, f"{at.source.segment(target)} = ")], 0.95)
        elif high > low and around(at, stmt, *LOOPS) is None:
            yield from changed(at, [(low, low, "return ")], 0.6)


def _is_of_module(at: SeenError, called: ast.Call) -> bool:
    """Whether a function of a module is called: `os.replace` does something. Only what the function is given
    or sets is surely none."""
    base = called.func.value if isinstance(called.func, ast.Attribute) else None
    known = {node.id for node in own(at, ast.Name) if isinstance(node.ctx, ast.Store)}
    return isinstance(base, ast.Name) and base.id not in known | set(names_given(at))


def _only_gives(called: ast.Call) -> bool:
    """Whether a call does nothing but give a value."""
    known = value_calls()
    if isinstance(called.func, ast.Name):
        return called.func.id in known["builtins"]
    if not isinstance(called.func, ast.Attribute):
        return False
    joined = called.func.attr == "join" and is_text(called.func.value)
    return joined or called.func.attr in known["methods"]


@cause("gives_none", plain=0.12)
def result_not_returned(at: SeenError) -> Iterator[Built]:
    """A function that ends with a value, an assignment or a print and returns nothing."""
    if not isinstance(at.root, Function) or _gives(at) or at.root.name == "__init__":
        return
    last = at.root.body[-1]
    low, high = at.source.span(last)
    line = at.source.newline + at.source.indent(last)
    if isinstance(last, ast.Expr) and isinstance(last.value, ast.Call):
        shown = last.value
        if text_of(shown.func) == "print" and len(shown.args) == 1:
            yield from changed(at, [(low, high, f"return {at.source.segment(shown.args[0])}")], 0.7)
    elif isinstance(last, ast.Expr) and not isinstance(last.value, ast.Constant | ast.Yield | ast.Await):
        yield from changed(at, [(low, low, "return ")], 0.95)
    elif isinstance(last, ast.Assign) and isinstance(last.targets[0], ast.Name):
        yield from changed(at, [(high, high, f"{line}return {last.targets[0].id}")], 0.9)
    elif isinstance(last, ast.For | ast.While | ast.With | ast.If):
        made = [name for name in _built_up(at) if name not in returned(at)]
        if made:
            yield from changed(at, [(high, high, f"{line}return {made[0]}")], 0.9)


def _built_up(at: SeenError) -> list[str]:
    """The local variables that begin empty or with 0."""
    assert isinstance(at.root, Function)
    return [
        stmt.targets[0].id
        for stmt in at.root.body
        if isinstance(stmt, ast.Assign)
        and isinstance(stmt.targets[0], ast.Name)
        and (
            isinstance(stmt.value, ast.List | ast.Dict | ast.Set | ast.Constant)
            or text_of(stmt.value) == "set()"
        )
    ]


@cause("gives_none", plain=0.85)
def called_again_and_dropped(at: SeenError) -> Iterator[Built]:
    """A function that calls itself, drops the result, and gives one otherwise."""
    if not isinstance(at.root, Function) or not _gives(at):
        return
    for stmt in own(at, ast.Expr):
        called = stmt.value
        if isinstance(called, ast.Call) and text_of(called.func).rpartition(".")[2] == at.root.name:
            low = at.source.span(stmt)[0]
            yield from changed(at, [(low, low, "return ")], 0.95)


@cause("gives_none", plain=0.97)
def set_to_result_of_change(at: SeenError) -> Iterator[Built]:
    """`rows = rows.sort()`: what changes a list gives None."""
    every: list[ast.Assign | ast.Return] = [*own(at, ast.Assign), *own(at, ast.Return)]
    for node in every:
        called = node.value
        if not isinstance(called, ast.Call) or not isinstance(called.func, ast.Attribute):
            continue
        name, base = called.func.attr, at.source.segment(called.func.value)
        if name in ("sort", "reverse") and isinstance(called.func.value, ast.Name | ast.Attribute):
            given = ", ".join(at.source.segment(one) for one in called.keywords)
            new = f"sorted({base}{', ' + given if given else ''})" if name == "sort" else f"{base}[::-1]"
            yield at.swap(called, new, 0.95)
        elif name in GIVING_NOTHING and isinstance(node, ast.Assign) and text_of(node.targets[0]) == base:
            low, high = at.source.span(node)[0], at.source.span(called)[0]
            yield from changed(at, [(low, high, "")], 0.95)


@cause("no_effect", "never_set", plain=0.9)
def method_not_called(at: SeenError) -> Iterator[Built]:
    """`self.save` as a statement."""
    for stmt in own(at, ast.Expr):
        if isinstance(stmt.value, ast.Attribute | ast.Name):
            high = at.source.span(stmt)[1]
            yield from changed(at, [(high, high, "()")], 0.95)


@cause("never_set", "no_effect", plain=0.6)
def local_for_attribute(at: SeenError) -> Iterator[Built]:
    """`count = 1` in a method, where the object has a `count` that is meant."""
    owner = at.source.class_of(at.root)
    if owner is None or not names_self(at):
        return
    known = {
        node.attr
        for node in walk(owner)
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "self"
    }
    loads = [node.id for node in own(at, ast.Name) if isinstance(node.ctx, ast.Load)]
    every: list[ast.Assign | ast.AugAssign] = [*own(at, ast.Assign), *own(at, ast.AugAssign)]
    for stmt in every:
        target = stmt.targets[0] if isinstance(stmt, ast.Assign) else stmt.target
        if isinstance(target, ast.Name) and target.id in known and target.id not in loads:
            low = at.source.span(target)[0]
            yield from changed(at, [(low, low, "self.")], 0.95)


def names_self(at: SeenError) -> bool:
    return isinstance(at.root, Function) and [arg.arg for arg in at.root.args.args][:1] == ["self"]


@cause("nested", plain=0.03)
def appended_whole(at: SeenError) -> Iterator[Built]:
    """`rows.append(list)` for `extend`."""
    for node in own(at, ast.Call):
        if isinstance(node.func, ast.Attribute) and node.func.attr == "append" and len(node.args) == 1:
            _low, high = at.source.span(node.func)
            several = isinstance(node.args[0], ast.List | ast.ListComp | ast.Call | ast.Name)
            if several:
                yield from changed(at, [(high - len("append"), high, "extend")], 0.8)


@cause("swapped", plain=0.05)
def arguments_swapped(at: SeenError) -> Iterator[Built]:
    """Arguments that bear each other's names, or two of a call that the message is about."""
    for node in own(at, ast.Call):
        name = text_of(node.func).rpartition(".")[2]
        targets = functions_here(at, name)
        if len(node.args) < 2 or not targets:
            continue
        function = targets[0]
        order = [arg.arg for arg in function.args.args]
        order = order[1:] if at.source.class_of(function) is not None else order
        given = [text_of(arg).rpartition(".")[2] for arg in node.args]
        for number in range(min(len(given), len(order)) - 1):
            one, two = node.args[number], node.args[number + 1]
            named = given[number] == order[number + 1] and given[number + 1] == order[number]
            low, high = at.source.span(one)[0], at.source.span(two)[1]
            between = at.source.text[at.source.span(one)[1] : at.source.span(two)[0]]
            code = f"{at.source.segment(two)}{between}{at.source.segment(one)}"
            yield from changed(at, [(low, high, code)], 0.98 if named else 0.3)


@cause("negative")
def sides_swapped(at: SeenError) -> Iterator[Built]:
    """`a - b` for `b - a`."""
    for node in own(at, ast.BinOp):
        if isinstance(node.op, ast.Sub) and not isinstance(node.right, ast.Constant):
            simple = ast.Name | ast.Attribute | ast.Call | ast.Subscript
            if isinstance(node.left, simple) and isinstance(node.right, simple):
                yield at.swap(node, f"{at.source.segment(node.right)} - {at.source.segment(node.left)}", 0.9)


@cause("swapped")
def pair_swapped(at: SeenError) -> Iterator[Built]:
    """`return height, width` for the other order, and `a, b = …` the same."""
    for node in own(at, ast.Tuple):
        if len(node.elts) == 2 and not at.source.segment(node).startswith("("):
            one, two = (at.source.segment(part) for part in node.elts)
            low, high = at.source.span(node)
            yield from changed(at, [(low, high, f"{two}, {one}")], 0.5)
