"""Functions of another kind: generators in place of lists, functions of the module in place of methods, with
a `def` in place of lambdas that have a name."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from spark_tui.codemods.plan import Refused
from spark_tui.intent.building.building import Built, build_at, builder, call, of_table, word
from spark_tui.intent.context.anchors import anchors
from spark_tui.intent.context.areas import functions_in
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Definition, Function, Source

_MOST_TRIED = 40
_A_METHOD = re.compile(
    r"(?i)(?<!\bis )(?<!\bof )(?<!\bthan )(?<!\bnot )(?<!\bpas )(?<!d')"
    r"\b(?:an?|eine?|une?|into|be)\s+(?:(?!static|class|async)\w+\s+)?m[eéè]th?od[eo]?\b|方法"
)


@builder("make_property", "make_sync")
def make_property(context: Context) -> Iterator[Built]:
    yield from called_property(context) or of_table(context, context.reading.intent)


def called_property(context: Context) -> list[Built]:
    """The property that is named as a method, which is called: *make total a normal method*."""
    if not _A_METHOD.search(context.situation.instruction):
        return []
    return [
        build_at(
            anchor,
            call(
                "remove_decorator", target=word(context, "function", anchor), decorator=ast.unparse(decorator)
            ),
        )
        for anchor in anchors(context, "function")
        for decorator in getattr(anchor.node, "decorator_list", ())
        if last_name(decorator) in ("property", "cached_property")
    ]


@builder("to_generator")
def to_generator(context: Context) -> Iterator[Built]:
    yield from _fitting(
        context, "to_generator", _gives_list, "no function there collects a list and returns it"
    )


@builder("to_module_level")
def to_module_level(context: Context) -> Iterator[Built]:
    if context.has("symbol"):
        yield from of_table(context, "to_module_level")
    else:
        yield from _fitting(
            context, "to_module_level", _is_inner, "no method or inner function there can move"
        )


def _gives_list(source: Source, node: Function) -> bool:
    returned = source.returned(node) or ()
    return any(isinstance(one, ast.Name | ast.List | ast.ListComp | ast.Call) for one in returned)


def _is_inner(source: Source, node: Function) -> bool:
    return any(isinstance(one, Definition) for one in source.ancestors(node))


def _fitting(
    context: Context, op: str, fits: Callable[[Source, Function], bool], reason: str
) -> Iterator[Built]:
    """A call for each function of the place that an operation fits, those near the cursor first; for one that
    is named also where it does not fit, which says why."""
    found = [
        (area, node, context.near_node(area.path, node), call(op, target=f"{area.path}::{named}"))
        for area in context.areas
        for node in functions_in(context.repo, area)
        if node is area.node or fits(context.source(area.path), node)
        for named in [context.source(area.path).qualname(node)]
    ]
    found.sort(key=lambda one: -one[2])
    fitting = [one for one in found[:_MOST_TRIED] if not isinstance(one[3].plan(context.repo), Refused)]
    rows = fitting[: context.most_places] or [one for one in found if one[1] is one[0].node]
    if not rows:
        raise Unresolved(reason)
    near = sum(weight for _, _, weight, _ in rows)
    for area, _, weight, made in rows:
        yield build_at(area, made, weight=0.95 * weight / near)


@builder("lambda_to_function")
def lambda_to_function(context: Context) -> Iterator[Built]:
    span = context.span("function")
    wanted = plain_name(span.text) if span is not None else ""
    file = context.span("file")
    paths = [area.path for area in context.areas] if file is not None else []
    path = next(iter(paths), context.situation.path)
    if path not in context.repo.index.paths:
        raise Unresolved("no Python file is open")
    source = context.source(path)
    found = [
        (node, node.targets[0].id)
        for node in source.statements
        if isinstance(node, ast.Assign)
        and isinstance(node.value, ast.Lambda)
        and isinstance(node.targets[0], ast.Name)
    ]
    named = [one for one in found if wanted and key(one[1]) == key(wanted)]
    if not (named or found):
        raise Unresolved("no lambda is assigned to a name there", nothing=True)
    rows = named or found
    for node, name in rows:
        made = call("lambda_to_function", place=f"{path}:{node.lineno}", name=name)
        yield Built((made,), 1.0 / len(rows))
