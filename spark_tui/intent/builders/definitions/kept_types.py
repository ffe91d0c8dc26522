"""What a type of a parameter keeps beside the one that is said: None, where that is its default, and the type
that it has, where it takes another one *too*; and the value that is shown behind it."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.functions.annotations import AnnotateParameter, AnnotateVariable
from spark_tui.codemods.families.values.replacement import VARIABLES, find_assignments
from spark_tui.codemods.places.named import need_function
from spark_tui.codemods.plan import Refusal, need
from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.rewriting.optional_types import allows_none, optional_form
from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.codemods.slots import Annotation
from spark_tui.codemods.uses.symbols import find_symbol
from spark_tui.intent.building.building import Built, call
from spark_tui.intent.context.anchors import is_same_expression, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.source import parameters

_VALUE = re.compile(r"(?P<closed>`?)\s*=\s*(?P<value>[^`\n]{1,200})(?P<closing>`?)")
_END = re.compile(r"(?<![\s.])(?=[\s,;)]|\.(?:\s|\Z)|\Z)")
"""Where a value may end in a sentence."""
_SENTENCES = (ast.BoolOp, ast.IfExp, ast.Compare, ast.Tuple, ast.Lambda)
"""What words behind a value would make of it: *= 5 in load*, *= 5, and …*."""


def keep_types(context: Context, built: Built) -> Built:
    kept = [_kept(context, one) for one in built.calls]
    doubts = tuple(doubt for _, found in kept for doubt in found)
    return with_value(
        context, replace(built, calls=tuple(one for one, _ in kept), doubts=(*built.doubts, *doubts))
    )


def with_value(context: Context, built: Built) -> Built:
    """The other value that is shown behind a type is set, too: *limit: int = 5*; a type that stands there
    already needs no edit then."""
    span, one = context.span("type"), built.calls[0] if len(built.calls) == 1 else None
    shown = span is not None and span.end > 0
    said = _VALUE.match(context.situation.instruction, span.end) if span is not None and shown else None
    value = _value_in(said) if said is not None else ""
    new = parsed(value)
    if new is None or not isinstance(one, AnnotateParameter | AnnotateVariable):
        return built
    try:
        hint, old = _there(context, one)
    except Refusal:
        return built
    if old is None or is_same_expression(new, old):
        return built
    target = str(one.target)
    if isinstance(one, AnnotateParameter):
        made = call("set_default", target=target, name=one.name, default=value)
    else:
        made = call("set_value", target=target, value=value)
    return replace(built, calls=(made,) if is_same_expression(parsed(one.hint), hint) else (one, made))


def _value_in(said: re.Match[str]) -> str:
    """The longest value that stands there: all up to the end of what is in backticks, or what is no part of
    the sentence. Empty if there is none."""
    text = said["value"].rstrip()
    if said["closing"] and not said["closed"]:
        return text if parsed(text) is not None else ""
    ends = reversed([found.start() for found in _END.finditer(text)])
    values = ((text[:end], parsed(text[:end])) for end in ends)
    fits = (value for value, node in values if node is not None and not isinstance(node, _SENTENCES))
    return next(fits, "")


def _there(
    context: Context, one: AnnotateParameter | AnnotateVariable
) -> tuple[ast.expr | None, ast.expr | None]:
    """The type and the value that a parameter or variable has."""
    if isinstance(one, AnnotateParameter):
        node = need_function(context.repo, one.target)[2]
        hints = [item.annotation for item in parameters(node) if item.arg == one.name]
        return hints[0] if hints else None, default_of(node, one.name)
    found = find_assignments(context.repo, need(find_symbol(context.repo, one.target, VARIABLES)))
    statement, value = found[0] if len(found) == 1 else (None, None)
    return getattr(statement, "annotation", None), value


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
