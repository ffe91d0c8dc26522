"""Calls that annotate functions: with types that are named, said in words, or told by the code."""

from __future__ import annotations

from collections.abc import Iterator

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.intent.building.building import Built, builder, call, filled, found, word
from spark_tui.intent.context.anchors import Anchor, anchors, need
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.facts.expression_types import returned_type
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.facts.used_types import used_type
from spark_tui.intent.values.types.said_types import said_parts
from spark_tui.pysource.source import Function, parameters

_READ = "the type was read from the code"
_RAISED = ("Error", "Exception")
_OWN = ("self", "cls")


@builder("annotate_return")
def annotate_return(context: Context) -> Iterator[Built]:
    spots = found(context, "function", "function")
    if context.reading.everywhere and not context.has("function"):
        spots = [one for one in spots if getattr(one.node, "returns", None) is None]
        if not spots:
            raise Unresolved("all functions there have a return type", nothing=True)
    for anchor in spots:
        options = filled(context, "{type:type}", anchor)
        if options is None and isinstance(anchor.node, Function):
            hint = returned_type(anchor.node, context.source(anchor.path))
            options = [Option(hint, 0.85, (_READ,))] if hint else []
        for option in options or ():
            made = call("annotate_return", target=word(context, "function", anchor), hint=option.text)
            yield Built((made,), anchor.weight * option.weight, (*anchor.doubts, *option.doubts))


def _own_parameters(anchor: Anchor) -> list[str]:
    if not isinstance(anchor.node, Function):
        return []
    return [one.arg for one in parameters(anchor.node) if one.arg not in _OWN]


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
        yield Built(calls, anchor.weight, anchor.doubts)


@builder("annotate_all")
def annotate_all(context: Context) -> Iterator[Built]:
    if said := _without_errors(_said_in_order(context)):
        yield from said
        return
    spots = need(anchors(context, "function"), "function", context)
    functions = [one for one in spots if isinstance(one.node, Function)]
    doubt = "the types were read from the code"
    if context.has("class") or context.has("file"):
        calls = tuple(each for one in functions for each in _inferred(context, one))
        made = [Built(calls, functions[0].weight * 0.8, (*functions[0].doubts, doubt))] if calls else []
    else:
        made = [
            Built(calls, one.weight * 0.8, (*one.doubts, doubt))
            for one in functions[:1]
            if (calls := tuple(_inferred(context, one)))
        ]
    if not made:
        raise Unresolved("the code does not tell the types")
    yield from made


def _without_errors(made: Iterator[Built]) -> list[Built]:
    """Those without the class of an error: one that is named beside a parameter is raised there."""
    return [
        one for one in made if not any(str(getattr(each, "hint", "")).endswith(_RAISED) for each in one.calls)
    ]


def _inferred(context: Context, anchor: Anchor) -> Iterator[Operation]:
    """Annotations of what has none in a function and shows its type."""
    node = anchor.node
    assert isinstance(node, Function)
    target = word(context, "function", anchor)
    for one in parameters(node):
        if one.annotation is None and one.arg not in _OWN:
            default, source = default_of(node, one.arg), context.source(anchor.path)
            hint = literal_type(default) if default is not None else used_type(source, node, one.arg)
            if hint and hint != "None":
                yield call("annotate_parameter", target=target, name=one.arg, hint=hint)
    if node.returns is None and (hint := returned_type(node, context.source(anchor.path))):
        yield call("annotate_return", target=target, hint=hint)
