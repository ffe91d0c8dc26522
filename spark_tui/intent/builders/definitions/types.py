"""Calls that annotate functions: with types that are named, said in words, or told by the code."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import CLASS
from spark_tui.intent.builders.definitions.kept_types import keep_types
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, of_table, word
from spark_tui.intent.building.shown_code import read_typed_names
from spark_tui.intent.context.anchors import Anchor, anchors, need
from spark_tui.intent.context.areas import functions_in
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.facts.expression_types import returned_type
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.facts.made_types import used_type
from spark_tui.intent.values.types.said_types import said_parts, types_said
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes

_READ = "the type was read from the code"
_RAISED = ("Error", "Exception")
_OWN = ("self", "cls")


@builder("annotate_return")
def annotate_return(context: Context) -> Iterator[Built]:
    text = plain_name(context.text("function"))
    of_class = any(item.target.name == text for item in context.names.find(text, CLASS))
    several = list(_described(context)) if of_class or _is_collective(context.text("function")) else []
    if several:
        yield from _returns_of(context, several)
        return
    spots = found(context, "function", "function")
    if context.reading.everywhere and not context.has("function"):
        spots = [spot for spot in spots if getattr(spot.node, "returns", None) is None]
        if not spots:
            raise Unresolved("all functions there have a return type", nothing=True)
    for anchor in spots:
        options = filled(context, "{type:type}", anchor)
        if options is None and isinstance(anchor.node, Function):
            options = _untold(context, anchor, anchor.node)
        for option in options or ():
            made = call("annotate_return", target=word(context, "function", anchor), hint=option.text)
            yield build_at(anchor, made, option=option)
        if not options and context.has("function"):
            raise Unresolved("the code does not tell what type is returned")


def _untold(context: Context, anchor: Anchor, node: Function) -> list[Option]:
    """The type that a function returns where none is said: what its code tells, or the one of the rest of the
    instruction, where it is *one too*."""
    same = {one for one, _ in types_said(context, anchor.path)}
    hint = returned_type(node, context.source(anchor.path))
    if not hint and len(same) == 1 and phrases.mentions("likewise", context.situation.instruction):
        return [Option(same.pop(), 0.85)]
    known = node.returns
    if known is not None and hint and is_none(known) == (hint == "None"):
        # What is annotated says more than what the form of the code tells, unless one of both is None.
        raise Unresolved(f"{node.name} has a return type already", nothing=True)
    return [Option(hint, 0.85, (_READ,))] if hint else []


def _is_collective(text: str) -> bool:
    """Whether words mean all of several: `every method of Account`, `both`."""
    words = re.findall(r"(?<![\w.])[^\W\d_]+(?![\w.])", text.lower())
    kinds = ("every", "both")
    return any(phrases.is_said(kind, item) for kind in kinds for item in words) or (
        phrases.has_cjk(text) and any(phrases.mentions(kind, text) for kind in kinds)
    )


def _described(context: Context) -> Iterator[Anchor]:
    """The functions of the class that a description of several names, or of the file."""
    text, path = context.text("function"), context.situation.path
    for name in re.findall(r"[^\W\d]\w*", text):
        classes = [item for item in context.names.find(name, CLASS) if item.target.name == name]
        if classes:
            target = classes[0].target
            area = Area(target.path, target.node, target.qualname)
            yield from (Anchor(area, function) for function in functions_in(context.repo, area))
            return
    yield from (Anchor(Area(path), function) for function in functions_in(context.repo, Area(path)))


def _returns_of(context: Context, spots: list[Anchor]) -> Iterator[Built]:
    """The results of several functions: those that return what is said, or each what its code tells."""
    calls = []
    for anchor in spots:
        node = anchor.node
        if not isinstance(node, Function) or node.returns is not None:
            continue
        hint = returned_type(node, context.source(anchor.path))
        told = filled(context, "{type:type}", anchor)
        if told and hint.partition("[")[0] != told[0].text.partition("[")[0]:
            continue
        hint = told[0].text if told else hint
        if hint:
            calls.append(call("annotate_return", target=word(context, "function", anchor), hint=hint))
    if not calls:
        raise Unresolved("no function there returns that")
    yield Built(tuple(calls), 0.9, ("which functions return it was read from the code",))


@builder("annotate_parameter")
def annotate_parameter(context: Context) -> Iterator[Built]:
    parameter_texts = [item.text for item in context.reading.slots.get("parameter", ())]
    if parameter_texts and not any(map(_is_collective, parameter_texts)):
        yield from (keep_types(context, built) for built in of_table(context, "annotate_parameter"))
        return
    for anchor in found(context, "function", "function"):
        names = _own_parameters(anchor)
        options = filled(context, "{type:type}", anchor)
        if names and options and (parameter_texts or len(names) == 1):
            given = [(name, options[0].text) for name in names]
            yield Built(_of_parameters(context, anchor, given), anchor.weight)


def _own_parameters(anchor: Anchor) -> list[str]:
    if not isinstance(anchor.node, Function):
        return []
    return [parameter.arg for parameter in parameters(anchor.node) if parameter.arg not in _OWN]


def _of_parameters(context: Context, anchor: Anchor, given: list[tuple[str, str]]) -> tuple[Operation, ...]:
    target = word(context, "function", anchor)
    return tuple(call("annotate_parameter", target=target, name=name, hint=hint) for name, hint in given)


def _said_in_order(context: Context) -> Iterator[Built]:
    """The annotations of a function whose types are said without the names: `two Points in, a float out`."""
    for anchor in anchors(context, "function")[: context.most_places] if context.has("function") else ():
        names = _own_parameters(anchor)
        taken, result = said_parts(context, anchor.path, len(names))
        if len(taken) != len(names) or not (taken or result):
            continue
        calls = _of_parameters(context, anchor, list(zip(names, taken, strict=True)))
        if result:
            calls += (call("annotate_return", target=word(context, "function", anchor), hint=result),)
        yield build_at(anchor, *calls)


def _said_types(context: Context) -> Iterator[Built]:
    """The annotations of a function whose parameters are named with their types."""
    for anchor in anchors(context, "function")[: context.most_places]:
        node = anchor.node
        if not isinstance(node, Function):
            continue
        given, result = read_typed_names(context, [parameter.arg for parameter in parameters(node)])
        if not given and not (context.named and not parameters(node)):
            continue
        target = word(context, "function", anchor)
        calls = [call("annotate_parameter", target=target, name=name, hint=hint) for name, hint in given]
        if result:
            calls.append(call("annotate_return", target=target, hint=result))
        if calls:
            yield build_at(anchor, *tuple(calls))


@builder("annotate_all")
def annotate_all(context: Context) -> Iterator[Built]:
    types, ordered = _without_errors(_said_types(context)), _without_errors(_said_in_order(context))
    if ordered and (not types or len(ordered[0].calls) > len(types[0].calls)):
        # `a` is an article there, and no parameter.
        types = ordered
    if types:
        yield from types
        return
    spots = need(anchors(context, "function"), "function", context)
    if told := [name for spot in spots[:1] for name in _attributes_said(context, spot)]:
        raise Unresolved(f"the code does not tell the type of {', '.join(told)}")
    functions = [spot for spot in spots if isinstance(spot.node, Function)]
    doubt = Doubt("the types were read from the code", DoubtKind.COMPLETED)
    said = set(re.findall(r"\w+", context.situation.instruction))
    placed = context.has("function") or context.placed or bool(context.named)
    placed = placed or any(getattr(spot.node, "name", "") in said for spot in functions)
    if context.has("class") or context.has("file") or not placed:
        calls = tuple(operation for function in functions for operation in _inferred(context, function))
        made = [Built(calls, 0.8, (doubt,))] if calls else []
    else:
        made = [
            build_at(function, *calls, weight=0.8, doubts=(doubt,))
            for function in functions[:1]
            if (calls := tuple(_inferred(context, function)))
        ]
    if not made:
        if functions and not any(map(_untyped, functions)):
            raise Unresolved("all functions there have types", nothing=True)
        raise Unresolved("the code does not tell the types")
    yield from made


def _untyped(anchor: Anchor) -> bool:
    """Whether a function has parameters or a result without a type."""
    node = anchor.node
    assert isinstance(node, Function)
    given = (one for one in parameters(node) if one.arg not in _OWN)
    return node.returns is None or any(one.annotation is None for one in given)


def _attributes_said(context: Context, anchor: Anchor) -> list[str]:
    """The attributes that are named beside the function, and are set in it."""
    said = re.findall(r"\w+", context.beside_slots())
    stored = find_nodes(anchor.node, ast.Attribute) if isinstance(anchor.node, Function) else ()
    names = {one.attr for one in stored if isinstance(one.ctx, ast.Store)} - {*_own_parameters(anchor)}
    return [word for word in dict.fromkeys(said) if word in names]


def _without_errors(made: Iterator[Built]) -> list[Built]:
    """Those without the class of an error: one that is named beside a parameter is raised there."""
    return [
        built
        for built in made
        if not any(str(getattr(call_node, "hint", "")).endswith(_RAISED) for call_node in built.calls)
    ]


def _inferred(context: Context, anchor: Anchor) -> Iterator[Operation]:
    """Annotations of what has none in a function and shows its type."""
    node = anchor.node
    assert isinstance(node, Function)
    target = word(context, "function", anchor)
    for parameter in parameters(node):
        if parameter.annotation is None and parameter.arg not in _OWN:
            default, source = default_of(node, parameter.arg), context.source(anchor.path)
            given = _constant(source, default)
            hint = literal_type(given) if given is not None else used_type(source, node, parameter.arg)
            if hint and hint != "None":
                yield call("annotate_parameter", target=target, name=parameter.arg, hint=hint)
    if node.returns is None and (hint := returned_type(node, context.source(anchor.path))):
        yield call("annotate_return", target=target, hint=hint)


def _constant(source: Source, default: ast.expr | None) -> ast.expr | None:
    """What a default is, or the constant that it names, which is set once."""
    name = default.id if isinstance(default, ast.Name) else ""
    rows = (row for row in source.statements if isinstance(row, ast.Assign))
    values = [row.value for row in rows for goal in row.targets if name and last_name(goal) == name]
    return values[0] if len(values) == 1 else default
