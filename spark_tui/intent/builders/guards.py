"""Calls that add guards, skip rounds of loops, and end loops."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent import conditions, phrases
from spark_tui.intent.anchors import Anchor, anchors, parsed
from spark_tui.intent.building import Built, builder, call, filled, found, word
from spark_tui.intent.context import Context
from spark_tui.intent.situation import Option, Unresolved
from spark_tui.intent.values import CONVERTERS, Said, literal
from spark_tui.intent.walking import walk
from spark_tui.pysource.source import Function


def conditions_of(context: Context, anchor: Anchor) -> list[Option]:
    """What the words of the condition mean; of several pieces the longest that means something."""
    spans = context.reading.slots.get("condition", ())
    for one in sorted(spans, key=lambda span: -len(span.text)):
        if found := CONVERTERS["condition"](Said(context, one, anchor)):
            return found
    return []


def _functions(context: Context) -> list[tuple[Anchor, list[Option]]]:
    """The functions in which the condition means something. Those whose own names it uses count."""
    if not context.has("condition"):
        raise Unresolved("the condition is not said")
    out = []
    for anchor in found(context, "function") + anchors(context, "function")[6:]:
        options = conditions_of(context, anchor)
        if options:
            out.append((replace(anchor, weight=anchor.weight * options[0].weight), options))
    if not out:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")
    whole = sum(anchor.weight for anchor, _ in out)
    best = max(anchor.weight for anchor, _ in out)
    if len(out) > 1 and not context.named:
        scale = max(0.9, best)
        out = [(replace(anchor, weight=scale * anchor.weight / whole), options) for anchor, options in out]
    elif not context.named:
        out = [(replace(out[0][0], weight=0.9, doubts=()), out[0][1])]
    out.sort(key=lambda each: -each[0].weight)
    return out[:4]


def raised(context: Context, anchor: Anchor, condition: str) -> list[Option]:
    """How an error is raised: its class and message as they are said, or made from the condition."""
    name = filled(context, "{exception:exception}", anchor)
    said = filled(context, "{message:message}", anchor)
    shown = _with_arguments(context)
    if said is None and isinstance(parsed(shown), ast.Call):
        return [Option(f"raise {shown}")]
    kind = name[0] if name else Option(_fitting(condition), 0.95)
    if said is not None:
        return [Option(f"raise {kind.text}({one.text})", kind.weight * one.weight) for one in said]
    text = conditions.message_of(condition)
    source = context.source(anchor.path)
    if text:
        return [Option(f"raise {kind.text}({literal(text, source)})", kind.weight)]
    doubts = ("the message was made up",)
    made = literal(f"not allowed: {conditions.shown(condition)}", source)
    return [Option(f"raise {kind.text}({made})", kind.weight, doubts)]


def _with_arguments(context: Context) -> str:
    """The exception as it is written, with the arguments that stand behind its name."""
    span = context.span("exception")
    if span is None:
        return ""
    shown = span.text.strip().strip("`")
    behind = re.match(r"\([^()\n]+\)", context.situation.instruction[span.end :]) if span.end > 0 else None
    return shown + behind[0] if behind is not None and "(" not in shown else shown


def _fitting(condition: str) -> str:
    """The exception that a condition of its kind raises."""
    return "TypeError" if "isinstance(" in condition else "ValueError"


@builder("guard_raise")
def guard_raise(context: Context) -> Iterator[Built]:
    for anchor, options in _functions(context):
        for condition in options:
            for action in raised(context, anchor, condition.text):
                made = call(
                    "add_guard",
                    place=word(context, "in", anchor),
                    condition=condition.text,
                    action=action.text,
                )
                weight = anchor.weight * (condition.weight / options[0].weight) * action.weight
                yield Built((made,), weight, (*anchor.doubts, *condition.doubts, *action.doubts))


@builder("guard_return")
def guard_return(context: Context) -> Iterator[Built]:
    for anchor, options in _functions(context):
        results = returned(context, anchor)
        for condition in options:
            for result in results:
                action = f"return {result.text}".strip()
                made = call(
                    "add_guard", place=word(context, "in", anchor), condition=condition.text, action=action
                )
                weight = anchor.weight * (condition.weight / options[0].weight) * result.weight
                yield Built((made,), weight, (*anchor.doubts, *result.doubts))


def returned(context: Context, anchor: Anchor) -> list[Option]:
    """What is returned early: as said, or nothing where the function returns nothing, or None."""
    if context.has("result"):
        node = anchor.node
        values = (
            [one.value for one in walk(node) if isinstance(one, ast.Return) and one.value] if node else []
        )
        known = replace(anchor, extra={"old": values[-1]} if values else {})
        out = filled(context, "{result:value}", known) or []
        return [replace(one, text="") if one.text == "nothing" else one for one in out]
    beside = phrases.value_in(context.beside_slots())
    if beside is not None:
        return [Option(beside)]
    node = anchor.node
    gives = isinstance(node, Function) and any(
        isinstance(one, ast.Return) and one.value is not None for one in walk(node)
    )
    return [Option("", 0.9), Option("None", 0.6)] if gives else [Option(""), Option("None", 0.5)]


@builder("skip_in_loop")
def skip_in_loop(context: Context) -> Iterator[Built]:
    yield from _in_loops(context, "continue")


@builder("stop_loop")
def stop_loop(context: Context) -> Iterator[Built]:
    if context.has("condition"):
        yield from _in_loops(context, "break")
        return
    for anchor in found(context, "loop", "loop"):
        source = context.source(anchor.path)
        inside = [one for one in getattr(anchor.node, "body", ()) if isinstance(one, ast.If)]
        for one in inside[:2]:
            last = one.body[-1]
            if isinstance(last, ast.Break | ast.Return | ast.Continue | ast.Raise):
                continue
            spot = f"{anchor.path}:{source.first_line(last) + 1}-{source.last_line(last)}"
            made = call("insert_statements", place=spot, code="break", side="after")
            yield Built((made,), anchor.weight / len(inside), anchor.doubts)


def _in_loops(context: Context, action: str) -> Iterator[Built]:
    count = 0
    for anchor in found(context, "loop", "loop"):
        loop = anchor.node
        assert loop is not None
        bound = {one.id for one in walk(loop) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
        for condition in conditions_of(context, anchor):
            names = {one.id for one in walk(ast.parse(condition.text)) if isinstance(one, ast.Name)}
            fits = 1.0 if names & bound else 0.5
            late = _set_late(loop, names)
            weight = anchor.weight * condition.weight * fits
            count += 1
            if late is not None:
                source = context.source(anchor.path)
                code = f"if {condition.text}:\n    {action}"
                spot = f"{anchor.path}:{source.first_line(late) + 1}-{source.last_line(late)}"
                made = call("insert_statements", place=spot, code=code, side="after")
                yield Built((made,), weight, anchor.doubts)
            else:
                made = call(
                    "add_guard", place=word(context, "line", anchor), condition=condition.text, action=action
                )
                yield Built((made,), weight, anchor.doubts)
    if not count:
        raise Unresolved(f"{context.text('condition')!r} was not understood as a condition")


def _set_late(loop: ast.AST, names: set[str]) -> ast.stmt | None:
    """The last statement of a loop's body that sets one of the names for the first time."""
    head = loop.target if isinstance(loop, ast.For | ast.AsyncFor) else None
    given = {one.id for one in walk(head) if isinstance(one, ast.Name)} if head is not None else set()
    found_at: ast.stmt | None = None
    for name in names - given:
        for one in getattr(loop, "body", ()):
            if isinstance(one, ast.Assign | ast.AnnAssign | ast.AugAssign) and any(
                isinstance(each, ast.Name) and each.id == name and isinstance(each.ctx, ast.Store)
                for each in walk(one)
            ):
                found_at = one if found_at is None or one.lineno > found_at.lineno else found_at
                break
    return found_at
