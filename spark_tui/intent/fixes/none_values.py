"""Fixes of values that are None: a function lacks its `return`, or the value has to be looked at."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.building.building import Built, call, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.fixes.returns import dropped_values, missing_return
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.intent.words.doubts import made_up
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

_EMPTY = {"dict": "{}", "list": "[]", "str": '""', "set": "set()"}
_SURE = 0.9
"""The weight of a fix beside which no other one is looked for."""
_MADE_UP = made_up("the handling of a missing value was made up")


def none_value(at: SeenError) -> Iterator[Built]:
    """Something is None: a function that lacks its `return`, or a value that has to be looked at first."""
    made = list(missing_return(at))
    yield from made
    if all(built.weight < _SURE for built in made):
        yield from dropped_values(at)
    nodes = _none_nodes(at)
    begun = [built for node in nodes for built in _not_yet(at, node)]
    yield from begun
    for node in [] if begun else nodes:
        yield from _left_out(at, node)
        yield from _guarded(at, node)


def _not_yet(at: SeenError, node: ast.expr) -> Iterator[Built]:
    """A test of what is None until it is set first: `best is None or len(word) > len(best)`."""
    statement, inside, shown = at.source.statement(node), at.source.function_of(node), ast.unparse(node)
    sets = find_nodes(inside, ast.Assign) if inside is not None else ()
    unset = [one for one in sets if is_none(one.value) and shown in map(ast.unparse, one.targets)]
    if unset and isinstance(statement, ast.If) and node in walk(statement.test):
        test = at.source.segment(statement.test)
        joined = f"({test})" if isinstance(statement.test, ast.BoolOp | ast.IfExp) else test
        yield at.swap(statement.test, f"{shown} is None or {joined}", _SURE)


def _left_out(at: SeenError, node: ast.expr) -> Iterator[Built]:
    """A comprehension or a loop leaves out the items that are None."""
    for outer in at.source.ancestors(node):
        for each in getattr(outer, "generators", (outer,) if isinstance(outer, ast.For) else ()):
            if ast.unparse(each.target) != ast.unparse(node) or node in walk(each.iter):
                continue
            if isinstance(each, ast.For):
                code = f"if {ast.unparse(node)} is None:\n    continue"
                spot = place(at.context, Anchor(at.area, each.body[0]))
                made = call("insert_statements", place=spot, code=code, side="before")
                yield Built((made,), _SURE * at.area.weight, (_MADE_UP,))
            else:
                end = at.source.span((each.ifs or [each.iter])[-1])[1]
                test = "and" if each.ifs else "if"
                yield at.spliced(end, end, f" {test} {ast.unparse(node)} is not None", _SURE, _MADE_UP)


def _none_nodes(at: SeenError) -> list[ast.expr]:
    """What may be None on the line: names and attributes of which something is asked."""
    name = at.groups.get("name", "")
    if name:
        holders = [node.value for node in at.nodes(ast.Attribute) if node.attr == name]
    elif "callable" in at.text:
        holders = [node.func for node in at.nodes(ast.Call)]
    elif "subscript" in at.text or "item" in at.text:
        holders = [node.value for node in at.nodes(ast.Subscript)]
    elif "argument of type" in at.text:
        holders = [comparator for node in at.nodes(ast.Compare) for comparator in node.comparators]
    elif "iterable" in at.text:
        holders = [node.iter for node in at.nodes(ast.For)]
        holders += [arg for node in at.nodes(ast.Call) for arg in node.args]
    else:
        holders = [side for node in at.nodes(ast.BinOp) for side in (node.left, node.right)]
        holders += [side for node in at.nodes(ast.Compare) for side in (node.left, *node.comparators)]
        holders += [arg for node in at.nodes(ast.Call) for arg in node.args]
    found: dict[str, ast.expr] = {
        ast.unparse(holder): holder for holder in holders if isinstance(holder, ast.Name | ast.Attribute)
    }
    return [one for text, one in found.items() if text not in ("self", "cls")][:3]


def _guarded(at: SeenError, node: ast.expr) -> Iterator[Built]:
    """The function ends early where a parameter is None, or takes an empty one instead."""
    inside, statement = at.source.function_of(node), at.source.statement(node)
    if inside is None or statement is None or isinstance(statement, Function):
        return
    # Anything else that is None may be meant to raise here, and be caught.
    text = ast.unparse(node)
    if text not in {parameter.arg for parameter in parameters(inside)} or not _always_asked(
        at, node, statement
    ):
        return
    weight = 0.6
    gives = any(isinstance(inner, ast.Return) and inner.value is not None for inner in walk(inside))
    actions = [("return None" if gives else "return", weight)]
    if inside.name == "__init__":
        actions = []
    actions += [(f"{text} = {empty}", 0.9 * weight) for empty in _empties(at)]
    for action, likely in actions:
        code = f"if {text} is None:\n    {action}"
        spot = place(at.context, Anchor(at.area, statement))
        made = call("insert_statements", place=spot, code=code, side="before")
        title = f"if {text} is None: {action} in {inside.name}"
        yield Built((made,), likely * at.area.weight, (_MADE_UP,), title)


def _always_asked(at: SeenError, node: ast.expr, statement: ast.stmt) -> bool:
    """Whether a statement looks at a value whenever it runs: one that does so in some cases only may have
    done well without a value in the others."""
    inner: ast.AST = node
    for ancestor in at.source.ancestors(node):
        if ancestor is statement:
            return True
        if isinstance(ancestor, ast.BoolOp):
            always = inner is ancestor.values[0]
        elif isinstance(ancestor, ast.Compare):
            always = inner not in ancestor.comparators[1:]
        elif isinstance(ancestor, ast.IfExp):
            always = inner is ancestor.test
        elif isinstance(ancestor, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp):
            always = inner is ancestor.generators[0]
        elif isinstance(ancestor, ast.comprehension):
            always = inner is ancestor.iter
        else:
            always = not isinstance(ancestor, ast.Lambda)
        if not always:
            return False
        inner = ancestor
    return True


def _empties(at: SeenError) -> list[str]:
    """Empty values that have what is asked of the value."""
    name = at.groups.get("name", "")
    if name:
        kinds = (dict, list, str, set)
        return [_EMPTY[kind.__name__] for kind in kinds if hasattr(kind, name)][:1]
    return ["()"] if "iterable" in at.text else ["{}"] if "container" in at.text else []
