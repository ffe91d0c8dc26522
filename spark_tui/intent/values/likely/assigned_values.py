"""Where a value that is named comes in or is set, and which part of the code there is meant."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.intent.context.anchors import Anchor, anchors, parsed, weighted
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import places_fit
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_LATER = 0.1


def value_spots(context: Context) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """Where a value is set or comes in: an assignment with its value, or a function with the parameter."""
    text = context.text("variable").strip("`")
    name = key(plain_name(text))
    tree = parsed(text)
    for area, source, root in context.trees():
        out: list[tuple[Anchor, ast.expr | None, str]] = []
        of_others: list[tuple[Anchor, ast.expr | None, str]] = []
        for node in walk(root):
            if isinstance(node, Function):
                out += [
                    (Anchor(area, node, 0.95), None, parameter.arg)
                    for parameter in parameters(node)
                    if key(parameter.arg) == name
                ]
            elif isinstance(node, ast.Assign | ast.AnnAssign) and node.value is not None:
                goals = node.targets if isinstance(node, ast.Assign) else [node.target]
                spot = Anchor(area, node), _known(node.value), source.segment(goals[0])
                if is_none(node.value):
                    continue
                if any(_is_goal(source, goal, name) for goal in goals):
                    out.append(spot)
                elif any(isinstance(goal, ast.Attribute) and key(goal.attr) == name for goal in goals):
                    of_others.append(spot)
        out = out or of_others or list(_entries(area, root, name))
        exact = [item for item in out if item[2].removeprefix("self.") == plain_name(text)]
        out = exact if exact or text.isupper() else out
        if tree is not None and not isinstance(tree, ast.Name) and not out:
            spots = where_meant(context, anchors(context, "expression:variable"))
            out = [(item, item.node, "") for item in spots if isinstance(item.node, ast.expr)]
        out = _stored_once(source, out)
        scale = max(len(out), 1)
        comes_in = any(anchor.node is root for anchor, *_ in out) and all("." not in item[2] for item in out)
        for anchor, value, spelled in out:
            near = context.near_node(area.path, anchor.node)
            if comes_in and anchor.node is not root:
                near *= _LATER
            elif comes_in:
                near *= scale * (1 - _LATER)
            doubts = (places_fit(scale),) if scale > 1 else ()
            yield (
                replace(anchor, weight=min(1.0, area.weight * near / scale), doubts=(*area.doubts, *doubts)),
                value,
                spelled,
            )


def _entries(area: Area, root: ast.AST, name: str) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """The values under a key of that name: `{"income": total}`, `row["income"] = total`."""
    for node in walk(root):
        pairs: list[tuple[ast.expr | None, ast.expr]] = []
        if isinstance(node, ast.Dict):
            pairs = list(zip(node.keys, node.values, strict=True))
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Subscript):
            pairs = [(node.targets[0].slice, node.value)]
        for held, value in pairs:
            text = held.value if isinstance(held, ast.Constant) else None
            if isinstance(text, str) and key(text) == name and not isinstance(value, ast.Constant):
                yield Anchor(area, value), _known(value), ""


def _stored_once(
    source: Source, out: list[tuple[Anchor, ast.expr | None, str]]
) -> list[tuple[Anchor, ast.expr | None, str]]:
    """Of a parameter and the attribute that is set to it one: where it is stored if it is not used else."""
    for at, (anchor, value, name) in enumerate(out):
        if value is not None or anchor.node is None:
            continue
        uses = [node for node in find_nodes(anchor.node, ast.Name) if node.id == name]
        stored = [i for i, (_, other, _) in enumerate(out) if other is not None and other in uses]
        if stored:
            left = at if len(uses) == 1 else stored[0]
            return _stored_once(source, [one for i, one in enumerate(out) if i != left])
    return out


GIVING = word_set(
    "sorted reversed len max min sum map filter zip enumerate list set tuple dict frozenset range any all"
    " round str int float bool repr"
)
"""Builtins that do nothing but give a value."""
CHANGING = ("append", "add", "extend", "insert", "remove", "discard", "pop", "clear", "update", "sort")


def where_meant(context: Context, spots: list[Anchor]) -> list[Anchor]:
    """The uses of a value but for those where it is changed; what is returned first if that is said."""
    nodes = [
        (anchor, anchor.node, context.source(anchor.path)) for anchor in spots if anchor.node is not None
    ]
    kept = [node for node in nodes if not _is_changed_there(node[2], node[1])] or nodes
    returned = [node for node in kept if isinstance(node[2].statement(node[1]), ast.Return)]
    if len(returned) == 1 and phrases.mentions("returned", context.beside_slots()):
        kept = returned
    return weighted(context, [one for one, _, _ in kept]) if len(kept) < len(spots) else spots


def _is_changed_there(source: Source, node: ast.AST) -> bool:
    """Whether something is added to a value or taken from it: of a copy that would be lost."""
    outer = source.parents.get(node)
    called = isinstance(outer, ast.Attribute) and isinstance(source.parents.get(outer), ast.Call)
    return isinstance(outer, ast.Attribute) and called and outer.attr in CHANGING


def _is_goal(source: Source, goal: ast.expr, name: str) -> bool:
    """Whether what is set is called so: `num` of `self.num`, `Worker.num` where the class is that."""
    shown = key(ast.unparse(goal))
    owner, _, last = name.rpartition(".")
    if shown in (name, f"self.{name}"):
        return True
    function = source.function_of(goal)
    inside = source.class_of(function) if function is not None else None
    return shown == f"self.{last}" and inside is not None and key(inside.name) == owner


def _known(value: ast.expr) -> ast.expr:
    """Of a value that may be None the part that is not."""
    if isinstance(value, ast.IfExp):
        for part, other in ((value.body, value.orelse), (value.orelse, value.body)):
            if is_none(other):
                return part
    return value


def is_only_tested(context: Context, anchor: Anchor) -> bool:
    """Whether a value is only asked for being there: `if x`, `not x`, `x is None`."""
    node = anchor.node
    outer = context.source(anchor.path).parents.get(node) if node is not None else None
    if isinstance(outer, ast.Compare):
        return any(map(is_none, outer.comparators))
    asks = isinstance(outer, ast.If | ast.While | ast.IfExp) and outer.test is node
    return (
        asks
        or isinstance(outer, ast.BoolOp)
        or (isinstance(outer, ast.UnaryOp) and isinstance(outer.op, ast.Not))
    )


def find_lookup(source: Source, node: ast.AST) -> ast.AST:
    """What is looked up by a key: of `"name"` the `d["name"]` or `d.get("name")` in which it stands, as the
    number that is made of it."""
    outer = source.parents.get(node)
    if not is_text(node) or outer is None:
        return node
    getter = (
        isinstance(outer, ast.Call) and isinstance(outer.func, ast.Attribute) and outer.func.attr == "get"
    )
    if not getter and not (isinstance(outer, ast.Subscript) and outer.slice is node):
        return node
    around = source.parents.get(outer)
    number = isinstance(around, ast.Call) and ast.unparse(around.func) in ("int", "float")
    return around if number and around is not None else outer
