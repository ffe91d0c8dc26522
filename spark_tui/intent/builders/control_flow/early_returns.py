"""Early returns: a branch that leaves comes first, or stands before the others without `elif` and `else`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    calls_table,
    filled,
    from_entry,
    word,
)
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes, walk

_SECOND = 0.3


@builder("pattern.early_return")
def early_return(context: Context) -> Iterator[Built]:
    """The last `if` turned round; where none can be, every `else` behind a return is taken away."""
    yield from from_entry(context, calls_table()["pattern.early_return"])
    for built in from_entry(context, calls_table()["pattern.remove_else"]):
        yield replace(built, weight=_SECOND * built.weight)


def turned_round(context: Context, anchor: Anchor, condition: Option) -> Built | None:
    """The last `if` of a function turned round, where its `else` is what happens if the condition holds: the
    branch that leaves is there already."""
    node = anchor.node
    last = node.body[-1] if isinstance(node, Function) else None
    if not isinstance(last, ast.If) or not last.orelse or context.has("result"):
        return None
    if ast.unparse(last.test) not in (negate_code(condition.text), f"not {condition.text}"):
        return None
    made = call("leave_early", place=word(context, "in", anchor))
    return build_at(anchor, made, option=condition)


def return_options(context: Context, anchor: Anchor) -> list[Option]:
    """What is returned early: as said, or nothing where the function returns nothing, or None."""
    if context.has("result"):
        node = anchor.node
        values = [inner.value for inner in find_nodes(node, ast.Return) if inner.value] if node else []
        known = replace(anchor, extra={"old": values[-1]} if values else {})
        out = filled(context, "{result:value}", known) or []
        if context.text("result").strip("`") in phrases.table()["leaving"]["return"]:
            return [Option("")]
        span = context.span("result")
        if span is not None and not span.quoted and " " in span.text and parsed(span.text) is None:
            out = [
                item for item in out if item.text[1:-1] != span.text
            ]  # words that say no value are no text
        return [replace(item, text="") if item.text == "nothing" else item for item in out]
    beside = phrases.value_in(context.beside_slots())
    if beside is not None:
        return [Option(beside)]
    node = anchor.node
    gives = isinstance(node, Function) and any(
        isinstance(inner, ast.Return) and inner.value is not None for inner in walk(node)
    )
    # Without a result, `return None` would be the same.
    return [Option("", 0.9), Option("None", 0.6)] if gives else [Option("")]
