"""What a type of a parameter keeps beside the one that is said: None, where that is its default, and the type
that it has, where it takes another one *too*."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.annotations import AnnotateParameter
from spark_tui.codemods.places.named import need_function
from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.rewriting.optional_types import allows_none, optional_form
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import Annotation
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.anchors import is_same_expression, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import parameters

_DEFAULT = re.compile(r"`?\s*=\s*([^\s,;)`]+(?<!\.))")


def keep_types(context: Context, built: Built) -> Built:
    kept = [_kept(context, one) for one in built.calls]
    doubts = tuple(doubt for _, found in kept for doubt in found)
    calls = (*(one for one, _ in kept), *_shown_defaults(context, built))
    return replace(built, calls=calls, doubts=(*built.doubts, *doubts))


def _shown_defaults(context: Context, built: Built) -> Iterator[Operation]:
    """The other default that is shown behind the type of a parameter that has one: *limit: int = 5*."""
    span = context.span("type")
    said = (
        _DEFAULT.match(context.situation.instruction, span.end) if span is not None and span.end > 0 else None
    )
    one = built.calls[0] if len(built.calls) == 1 else None
    if said is None or not isinstance(one, AnnotateParameter) or parsed(said[1]) is None:
        return
    try:
        old = default_of(need_function(context.repo, one.target)[2], one.name)
    except Refusal:
        return
    if old is not None and not is_same_expression(parsed(said[1]), old):
        yield call("set_default", target=str(one.target), name=one.name, default=said[1])


def _kept(context: Context, one: Operation) -> tuple[Operation, tuple[str, ...]]:
    if not isinstance(one, AnnotateParameter):
        return one, ()
    try:
        source, _, node = need_function(context.repo, one.target)
    except Refusal:
        return one, ()
    old = next((item.annotation for item in parameters(node) if item.arg == one.name), None)
    shown, hint, text = (
        source.segment(old) if old is not None else "",
        str(one.hint),
        context.situation.instruction,
    )
    doubts: tuple[str, ...] = ()
    lacks = shown and not set(_members(shown)) <= set(_members(hint))
    if lacks and _also().search(text) and hint not in re.split(r"[\[\],| ]+", shown):
        known = "Union" in context.repo.index.scopes(source.path).module.bound
        hint = f"Union[{shown}, {hint}]" if known and "|" not in source.text else f"{shown} | {hint}"
    if is_none(default_of(node, one.name)) and not allows_none(hint):
        hint = optional_form(context.repo, source.path).format(hint)
        said = phrases.any_stands_in(
            ("optional", "none", "optionaler", "optionnel", "opcional"), text.lower()
        )
        doubts = (
            () if said else (assumed(f"None was assumed to be allowed: it is the default of {one.name}"),)
        )
    return replace(one, hint=Annotation(hint)), doubts


def _members(hint: str) -> Iterator[str]:
    """The types between the bars of a type: a whole type may be said."""
    node = parsed(hint)
    while isinstance(node, ast.BinOp) and isinstance(node.op, ast.BitOr):
        yield ast.unparse(node.right)
        node = node.left
    yield from () if node is None else (ast.unparse(node),)


def _also() -> re.Pattern[str]:
    """*Too*, in an order that does not begin with it, or *accept*."""
    also = "|".join(map(re.escape, phrases.words("also")))
    return re.compile(rf"\w\s+(?:{also})(?!\w)|(?<!only )\b(?:accept|allow|support)s?\b")
