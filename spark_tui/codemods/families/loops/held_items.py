"""Whether what a loop looks its items up in stays as it is while the loop runs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from spark_tui.codemods.families.loops.steady_bounds import RESIZING, is_harmless
from spark_tui.codemods.plan import Refusal, Unfollowed
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.parsing import targets
from spark_tui.pysource.syntax.walking import walk, walk_each

_CHANGING = RESIZING | {"sort", "reverse"}


def refuse_changes(source: Source, loop: ast.For, held: str, places: Sequence[ast.Subscript]) -> None:
    """Refuse a loop whose body changes what it holds, or leaves a function that looks an item up later."""
    changed = any(not isinstance(place.ctx, ast.Load) for place in places)
    if changed or any(_is_changed(inner, held) for inner in walk_each(loop.body)):
        raise Refusal(f"line {loop.lineno}: the loop changes {held}")
    if not all(runs_at_once(source, place) for place in places):
        raise Refusal(f"line {loop.lineno}: a function may look an item of {held} up later")


def _is_changed(node: ast.AST, held: str) -> bool:
    """Whether a part of a loop sets what is held, takes items from it, or orders it anew."""
    if isinstance(node, ast.Attribute) and node.attr in _CHANGING and ast.unparse(node.value) == held:
        return True
    if not isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
        return False
    gone = isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Del)
    return ast.unparse(node) == held or (gone and ast.unparse(getattr(node, "value", node)) == held)


def change_doubts(
    source: Source, scopes: Scopes, loop: ast.For, places: Sequence[ast.Subscript], *, row: bool
) -> Iterator[Unfollowed]:
    """Doubts where something may change what is held in front of where an item is looked up. A `row` is gone
    through as it is then: more items are met, too."""
    held = ast.unparse(places[0].value)
    inside = set(walk_each(loop.body))
    around = (one for place in places for one in source.ancestors(place))
    again = any(one in inside and isinstance(one, ast.For | ast.While | ast.AsyncFor) for one in around)
    last = source.span(loop)[1] if again else max(source.span(place)[0] for place in places)
    shared = _is_changed_elsewhere(source, scopes, loop, places[0].value)
    for item in walk_each(loop.body):
        early = isinstance(item, ast.expr | ast.stmt) and source.span(item)[1] < last
        if isinstance(item, ast.Assign | ast.AugAssign) and early:
            for one in targets(item):
                if isinstance(one, ast.Subscript) and ast.unparse(one.value) == held:
                    reason = f"{ast.unparse(one)} is set, and may be the item that is read before it now"
                    yield Unfollowed(source.path, item.lineno, reason)
                    return
        if not isinstance(item, ast.Call) or is_harmless(item.func):
            continue
        given = _is_given(item, held)
        if (early and (given or _is_of_owner(item, held))) or (row and given):
            reason = f"{ast.unparse(item.func)}(…) may change {held}, which is read before it now"
        elif shared and (early or row):
            reason = f"{ast.unparse(item.func)}(…) may change {held}, as another function does"
        else:
            continue
        yield Unfollowed(source.path, item.lineno, reason)
        return


def _is_given(call: ast.Call, held: str) -> bool:
    """Whether a call is given what is held, or the object that holds it."""
    given = [*call.args, *(item.value for item in call.keywords)]
    return any(ast.unparse(arg) in (held, held.rpartition(".")[0] or held) for arg in given)


def _is_of_owner(call: ast.Call, held: str) -> bool:
    """Whether a call is one of a method of the object that holds it."""
    owner = held.rpartition(".")[0]
    return bool(owner) and isinstance(call.func, ast.Attribute) and ast.unparse(call.func.value) == owner


def _is_changed_elsewhere(source: Source, scopes: Scopes, loop: ast.For, held: ast.expr) -> bool:
    """Whether another function changes what is held: a name that is not its own, an attribute."""
    here = source.function_of(loop)
    nodes: list[ast.AST] = []
    if isinstance(held, ast.Attribute):
        nodes = [use.node for use in scopes.attributes_by_name.get(held.attr, ())]
    elif held in scopes.by_node:
        nodes = [one.node for one in scopes.resolve(scopes.by_node[held]).occurrences]
    for node in nodes:
        function, outer = source.function_of(node), source.parents.get(node)
        if function is here or getattr(function, "name", "") in ("", "__init__"):
            continue
        if isinstance(outer, ast.Attribute) and outer.attr in _CHANGING:
            return True
        if isinstance(outer, ast.Subscript) and not isinstance(outer.ctx, ast.Load):
            return True
    return False


def runs_at_once(source: Source, node: ast.AST) -> bool:
    """Whether what is between a name and its statement runs then and there: comprehensions only."""
    for below, one in source.climb(node):
        if isinstance(one, ast.stmt):
            return not isinstance(one, Function | ast.ClassDef)
        lazy = isinstance(below, ast.GeneratorExp) and not isinstance(one, ast.Call)
        if isinstance(one, ast.Lambda) or lazy:
            return False
    return False


def is_dictionary(source: Source, node: ast.For, held: str) -> bool:
    """Whether a name is set to a dictionary, or annotated as one, in the function or file of a loop."""
    for inner in walk(source.function_of(node) or source.tree):
        if isinstance(inner, ast.arg) and inner.arg == held and inner.annotation is not None:
            hint = last_name(getattr(inner.annotation, "value", inner.annotation))
            if hint.endswith(("dict", "Dict", "Mapping")):
                return True
        elif isinstance(inner, ast.Assign | ast.AnnAssign):
            value = inner.value
            made = isinstance(value, ast.Call) and last_name(value.func).lower().endswith("dict")
            made = made or isinstance(value, ast.Dict | ast.DictComp)
            if made and held in map(ast.unparse, targets(inner)):
                return True
    return False
