"""Calls that transform a value where it is used or set, and what a loop goes through."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.slots import SymbolKind
from spark_tui.intent.builders.transforms.existing_transforms import find_made, leave_or_undo
from spark_tui.intent.builders.transforms.returned import return_changed
from spark_tui.intent.builders.transforms.unsupported_methods import lacks
from spark_tui.intent.building.building import Built, build_at, call, found, place
from spark_tui.intent.building.rewritten import add_brackets, replace_code
from spark_tui.intent.conditions.guard_places import is_of_kind
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_expression, need, parsed, position
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.values.likely.assigned_values import (
    find_lookup,
    is_only_tested,
    value_spots,
    where_meant,
)
from spark_tui.intent.values.likely.described_values import Spots, loose_spots
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, without
from spark_tui.pysource.inference.values import class_behind
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import LEAVING, find_nodes, names_in, walk

Transform = Callable[[str], str]
_TEXTS, _NUMBERS = (
    re.compile(r"(?i)str|text|any\b|bytes"),
    re.compile(r"(?i)str|text|any|int|float|num|bool|dec"),
)
_CODE = re.compile(r"[._]\w|[a-z][A-Z]")
"""How likely a later value of a parameter is meant, against what comes in."""


def transform_value(
    context: Context, change: Transform, uses: bool = False, literals: bool = True
) -> Iterator[Built]:
    """A value that is named, changed where it is set or comes in, else where it is used. Without `literals`
    one with which it begins, such as `[]` or `0`, is left as it is."""
    if returned := list(return_changed(context, change)):
        yield from returned
        return
    made = list(_at_spots(context, list(value_spots(context)), change, uses, literals))
    yield from made
    if not made:
        variable_text = context.text("variable")
        spots = anchors(context, "expression:variable") or _calls_named(context, variable_text)
        if change("x").startswith("sorted("):  # a text that is called as what is to be sorted is not
            spots = [spot for spot in spots if not isinstance(spot.node, ast.Constant)]
        loose = list(_at_spots(context, loose_spots(context, spots), change, uses, literals))
        if loose:
            yield from loose
            return
        is_bare = not uses and not spots and context.has("function") and not _CODE.search(variable_text)
        if is_bare:
            # `its result`: what the function returns.
            said = phrases.any_stands_in(phrases.words("give_back"), context.situation.instruction)
            share = 1.0 if said else 0.7
            yield from (
                replace(built, weight=share * built.weight) for built in transform_result(context, change)
            )
            return
        if not spots and (result := _of_function(context)) is not None:
            yield from transform_result(result, change)
            return
        spots = [spot for spot in spots if spot.node is not None and not is_only_tested(context, spot)]
        spots = where_meant(context, spots)
        meant = []
        for anchor in need(spots[: context.most_places], "value of that name", context):
            source = context.source(anchor.path)
            assert anchor.node is not None
            node = find_lookup(source, anchor.node)
            outer = source.parents.get(node)
            node = outer if isinstance(outer, ast.Call) and outer.func is node else node
            outer = source.parents.get(node)
            if context.reading.intent == "value_if_empty" and isinstance(outer, ast.Subscript):
                node = outer if outer.value is node and ast.unparse(outer.slice) in ("0", "-1") else node
            assert isinstance(node, ast.expr)
            meant.append((replace(anchor, weight=anchor.weight * 0.9), node))
        yield from _changed(context, meant, change)


def _of_function(context: Context) -> Context | None:
    """The order about what a function returns, where its name stands for that: *total never goes below 0*."""
    reading = context.reading
    kinds = frozenset((SymbolKind.FUNCTION, SymbolKind.METHOD))
    if context.has("function") or not context.names.find(context.text("variable").strip("`"), kinds):
        return None
    slots = {slot: spans for slot, spans in reading.slots.items() if slot != "variable"}
    slots["function"] = reading.slots["variable"]
    return Context(replace(reading, slots=slots), context.situation, context.names)


def _calls_named(context: Context, text: str) -> list[Anchor]:
    """The calls of a method whose name stands for what it returns."""
    calls = [
        (anchor, anchor.node)
        for anchor in anchors(context, "call:variable")
        if isinstance(anchor.node, ast.Call)
    ]
    return [one for one, node in calls if key(called_name(node)) == key(plain_name(text))]


def _at_spots(
    context: Context, spots: Spots, change: Transform, uses: bool, literals: bool
) -> Iterator[Built]:
    """A value, changed at each place where it comes in or is set; where a parameter is set to what is made of
    itself, there."""
    spots = _made_of_itself(context, spots) or spots
    for anchor, value, spelled in spots:
        if value is None and isinstance(anchor.node, Function):
            if _is_no_text(anchor.node, spelled, change):
                raise Unresolved(f"{spelled} is no text")
            yield from _parameter(context, anchor, anchor.node, spelled, change, uses)
    values = [(one, value) for one, value, _ in spots if value is not None]
    yield from _changed(context, [item for item in values if literals or not _is_first(item[1])], change)


def _is_no_text(function: Function, name: str, change: Transform) -> bool:
    """Whether a method of texts would be called on what has attributes that no text has."""
    made = parsed(change("x"))
    called = made.func if isinstance(made, ast.Call) else None
    if not isinstance(called, ast.Attribute) or not hasattr(str, called.attr):
        return False
    if not isinstance(called.value, ast.Name) or called.value.id != "x":
        return False
    read = [(node.value, node.attr) for node in find_nodes(function, ast.Attribute)]
    return any(
        isinstance(of, ast.Name) and of.id == name and not hasattr(str, attribute) for of, attribute in read
    )


def _made_of_itself(context: Context, spots: Spots) -> Spots:
    """The first statement that uses a parameter, where it sets it anew: `code = code.strip()`."""
    if context.reading.intent == "value_if_empty":
        return []
    for anchor, value, name in spots:
        function = anchor.node if value is None and isinstance(anchor.node, Function) else None
        uses = (
            [node for row in function.body for node in walk(row) if _is_use(node, name)] if function else []
        )
        first = context.source(anchor.path).statement(min(uses, key=position)) if uses else None
        if isinstance(first, ast.Assign) and any(ast.unparse(goal) == name for goal in first.targets):
            return [(replace(anchor, node=first), first.value, name)]
    return []


def _is_use(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name and isinstance(node.ctx, ast.Load)


def _changed(context: Context, values: list[tuple[Anchor, ast.expr]], change: Transform) -> Iterator[Built]:
    """Values in their places, changed but for those that are so already; where all are, nothing is to do."""
    already = []
    for anchor, value in values:
        source = context.source(anchor.path)
        new = change(add_brackets(source, value))
        same = new == source.segment(value)
        is_type = same and context.reading.intent == "convert_value"
        if lost := lacks(source, value, new) or (same and not is_type and f"{new} stays as it is"):
            raise Unresolved(lost)
        if (there := value if is_type else find_made(source, value, change)) is not None:
            already.append((anchor, there))
        else:
            made = replace_code(context, replace(anchor, node=value), new)
            yield build_at(anchor, made, doubts=_of_place(context, source, value, new))
    if values and len(already) == len(values):
        yield from leave_or_undo(context, already, "its value is already like that")


def _of_place(context: Context, source: Source, value: ast.expr, new: str) -> Iterator[str]:
    """What is doubtful about a value and its place: the words say what is returned, and the function returns
    nothing; its type is that of another module, and a method of texts is called on it."""
    inside, made = source.function_of(value), parsed(new)
    if inside is None:
        return
    said = set(re.findall(r"\w+", context.situation.instruction.lower()))
    given_back = (node for node in walk(inside) if isinstance(node, ast.Return | ast.Yield | ast.YieldFrom))
    if not said.isdisjoint(phrases.words("returning_words")) and not any(
        node.value is not None or not isinstance(node, ast.Return) for node in given_back
    ):
        yield f"{inside.name} returns nothing"
    hints = {item.arg: item.annotation for item in parameters(inside)}
    hint = hints.get(value.id) if isinstance(value, ast.Name) else None
    if hint is None or not isinstance(made, ast.Call):
        return
    called, given, kind = made.func, made.args[:1], ast.unparse(hint)
    if isinstance(called, ast.Attribute) and is_same_expression(called.value, value):
        if hasattr(str, called.attr) and not _TEXTS.search(kind):
            yield f"{kind} may have no {called.attr}"
    elif ast.unparse(called) in ("int", "float") and given and not _NUMBERS.search(kind):
        yield f"{kind} may be no number"


def _is_first(value: ast.expr) -> bool:
    """Whether a value is one with which something begins: a number, an empty text or collection."""
    return isinstance(value, ast.Constant) or ast.unparse(value) in ("[]", "{}", "()", "set()", "-1")


def _parameter(
    context: Context, anchor: Anchor, node: Function, name: str, change: Transform, uses: bool
) -> Iterator[Built]:
    """A parameter is transformed where it is used once, or at the start of the function."""
    source = context.source(anchor.path)
    doc = docstring(node)
    body = node.body[1:] if doc is not None else node.body
    loads = [inner for part in body for inner in walk(part) if _is_use(inner, name)]
    first = (find_made(source, load, change) for load in loads[:1] if isinstance(load, ast.expr))
    if already := [(anchor, there) for there in first if there is not None]:
        yield from leave_or_undo(context, already, f"{name} is already like that")
        return
    late = _left_by_kind(body, name)
    start = call(
        "insert_statements",
        place=place(context, replace(anchor, node=late))
        if late
        else f"in {anchor.path}::{source.qualname(node)}",
        code=f"{name} = {change(name)}",
        side="after" if late else "start",
    )
    yield build_at(anchor, start, weight=0.6 if uses else 0.95)
    if len(loads) == 1 and source.span(loads[0])[0] >= 0:
        spot = Anchor(anchor.area, loads[0])
        yield build_at(anchor, replace_code(context, spot, change(name)), weight=0.7 if uses else 0.4)


def _left_by_kind(body: Sequence[ast.stmt], name: str) -> ast.If | None:
    """The last of the tests at the start that leave a function if what it is given is of another kind."""
    late = None
    for stmt in body:
        if not isinstance(stmt, ast.If) or stmt.orelse or not isinstance(stmt.body[-1], LEAVING):
            break
        if name in names_in(stmt.test) and any(map(is_of_kind, walk(stmt.test))):
            late = stmt
    return late


def strip_brackets(text: str) -> str:
    """An operand without the brackets around it."""
    inner = parsed(text[1:-1]) if text.startswith("(") and text.endswith(")") else None
    return text if inner is None or isinstance(inner, ast.Tuple) else text[1:-1]


def _is_object(context: Context, path: str, value: ast.expr | None) -> bool:
    """Whether a value is an object of a class of the repository."""
    use = context.repo.index.scopes(path).by_node.get(value) if isinstance(value, ast.Name) else None
    values = (
        context.repo.infer.values(path, value, use.scope) if value is not None and use is not None else ()
    )
    return any(class_behind(item) is not None for item in values)


def _makes_object(source: Source, node: ast.expr) -> bool:
    """Whether a value is made by calling a class of the file."""
    name = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
    return any(
        isinstance(definition, ast.ClassDef) and definition.name == name for definition in source.definitions
    )


_NO_NUMBERS = (ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.Compare, ast.BoolOp, ast.ListComp)


def transform_result(context: Context, change: Transform, numbers: bool = False) -> Iterator[Built]:
    """What a function returns, changed; of several returns all, or one."""
    meant: list[tuple[Anchor, ast.expr]] = []
    sorting = change("x").startswith("sorted(")
    spots = found(context, "return", "return")
    for item in spots:
        value = item.node.value if isinstance(item.node, ast.Return) else None
        no_number = isinstance(value, _NO_NUMBERS) or is_text(value) or _is_object(context, item.path, value)
        made_there = value is not None and _makes_object(context.source(item.path), value)
        unsorted = sorting and value is not None and _is_first(value)  # nothing in it to sort
        if (
            value is not None
            and not is_none(value)
            and not (unsorted or made_there or (numbers and no_number))
        ):
            meant.append((replace(item, node=value), value))
    # A number that is written out is as it should be.
    varied = [item for item in meant if sorting or (numbers and not isinstance(item[1], ast.Constant))]
    every = spots if sorting else [item for item, _ in meant]
    if len(varied) == 1 < len(every):
        one, value = varied[0]
        weight = min(0.95, sum(item.weight for item in every))
        meant = [(replace(one, weight=weight, doubts=without(one.doubts, DoubtKind.PLACES)), value)]
    made = list(_changed(context, meant, change))
    around = {context.enclosing(one.path, value) for one, value in meant}
    if len(made) > 1 and len(around) == 1 and not context.lines():
        doubt = f"all {len(made)} returns are changed"
        yield Built(tuple(built.calls[0] for built in made), sum(built.weight for built in made), (doubt,))
    yield from made
