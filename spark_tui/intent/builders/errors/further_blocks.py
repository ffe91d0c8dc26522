"""Calls that add a block to a statement that has blocks: `finally`, `else`, `elif`, a case of a `match`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.guards import conditions_of
from spark_tui.intent.builders.errors.new_handlers import refuse_wrapped
from spark_tui.intent.builders.statements.branches import in_branch
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, place, word
from spark_tui.intent.context.anchors import Anchor, anchors, is_same_code, nodes, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.blocks import is_log
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.pysource.names.type_hints import called_name, names_set
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_NEAR = 0.8
"""How likely a second statement is at most, where words describe another one."""


@builder("add_finally")
def add_finally(context: Context) -> Iterator[Built]:
    """Of a `try`; where there is none, a statement that is shown may already stand where it is done."""
    shown = context.has("code") and not phrases.without_articles(context.text("code")).startswith("yield")
    spots = anchors(context, "try")
    if shown:
        refuse_wrapped(context)
    every = spots or found(context, "function", "try")
    told = [(anchor, _always_done(context, anchor) if shown else [Option("")]) for anchor in every]
    if not any(options for _, options in told):
        raise Unresolved(f"{context.text('code')!r} was not understood as code")
    for anchor, options in told:
        for option in options:
            tree = parsed(option.text)
            if isinstance(tree, ast.Call) and is_log(tree) and not tree.args:
                raise Unresolved("what the log line says was not given")
            made = call(
                "add_finally", place=word(context, "line" if spots else "in", anchor), body=option.text
            )
            doubts, gone = _moved_to_end(context, anchor, option.text) if spots else ((), ())
            yield build_at(anchor, *gone, made, option=option, doubts=doubts)


def _always_done(context: Context, anchor: Anchor) -> list[Option]:
    """The statements that are shown or told; else the one of the function that words describe."""
    try:
        return filled(context, "{code:code}", anchor) or []
    except Unresolved:
        there = [one for one in anchors(context, "statement:code") if isinstance(one.node, ast.Expr)]
        there = there or _done_by_call(context, anchor)
        if not there or (len(there) > 1 and there[1].weight > _NEAR * there[0].weight):
            return []
        shown = context.source(there[0].path).segment(there[0].node or ast.Pass())
        return [Option(shown, 0.9, (assumed(f"{context.text('code')} was assumed to be {shown}"),))]


def _done_by_call(context: Context, anchor: Anchor) -> list[Anchor]:
    """The statements of a function that call what the first word names: `db.close()` of *close the
    session*."""
    verb, source = context.text("code").split()[0].lower(), context.source(anchor.path)
    inside = anchor.node if isinstance(anchor.node, Function) else source.tree
    calls = [one for one in find_nodes(inside, ast.Expr) if verb == called_name(one.value)]
    return [replace(anchor, node=one, weight=1 / len(calls)) for one in calls]


def _moved_to_end(
    context: Context, anchor: Anchor, code: str
) -> tuple[tuple[str, ...], tuple[Operation, ...]]:
    """What takes a statement out of the body of a `try` that is to be run in any case, and doubts: the body
    sets what it needs, or has it further inside too."""
    node, source = anchor.node, context.source(anchor.path)
    body = node.body if isinstance(node, ast.Try) else []
    moved = [one for one in body if code and is_same_code(source.segment(one), code)]
    needed = names_in(ast.parse(code)) if code else set()
    unset = sorted(needed & names_set(*(one for one in body if one not in moved)))
    doubts = tuple(assumed(f"{name} may not be set there") for name in unset)
    deeper = find_nodes(node, ast.stmt) if code else ()
    if any(is_same_code(source.segment(one), code) for one in deeper if one not in moved):
        doubts = (*doubts, assumed("what is done further inside was assumed to stay"))
    gone = (call("delete_statements", place=place(context, replace(anchor, node=one))) for one in moved)
    return doubts, tuple(gone) if len(moved) < len(body) else ()


@builder("add_else")
def add_else(context: Context) -> Iterator[Built]:
    """Of a block without one; what is to stand in *the* else goes to one that is there."""
    if there := [] if context.has("condition") else list(in_branch(context)):
        yield from there
        return
    spots = anchors(context, "test:condition") if context.has("condition") else []
    heads = [
        replace(spot, node=spot.extra["owner"])
        for spot in spots
        if isinstance(spot.extra.get("owner"), ast.If)
    ]
    heads = heads or [item for item in anchors(context, "block") if not getattr(item.node, "orelse", None)]
    if not heads:
        raise Unresolved("no if, loop or try without an else was found")
    for anchor in heads[:4]:
        code = filled(context, "{code:code}", anchor) or []
        for option in code:
            made = call("add_else", place=word(context, "line", anchor), body=option.text)
            calls = (*_moved(context, anchor, option.text), made)
            yield build_at(anchor, *calls, weight=option.weight)


def _moved(context: Context, head: Anchor, code: str) -> Iterator[Operation]:
    """What takes the code of an `else` away from where it stands: last in the body, or after it all."""
    source, node = context.source(head.path), head.node
    assert isinstance(node, ast.stmt)
    behind = source.following(node)[:1]
    inside = node.body[1:][-1:] if isinstance(node, ast.Try) else []
    for item in (*inside, *behind):
        if is_same_code(source.segment(item), code):
            yield call("delete_statements", place=place(context, replace(head, node=item)))
            return


@builder("add_elif")
def add_elif(context: Context) -> Iterator[Built]:
    """Of an `if`, or a case of a `match`."""
    yield from cases(context)
    spots = [item for item in anchors(context, "test") if isinstance(item.extra.get("owner"), ast.If)]
    for anchor in spots[:4]:
        head = replace(anchor, node=anchor.extra["owner"])
        for condition in conditions_of(context, head):
            for code in filled(context, "{code:code}", head) or ():
                made = call(
                    "add_elif", place=word(context, "line", head), condition=condition.text, body=code.text
                )
                yield build_at(anchor, made, weight=condition.weight * code.weight)


def cases(context: Context) -> Iterator[Built]:
    """A case for the value that the condition names, in each `match` whose other cases are like it; where
    nothing says what is done, nothing is, and that is marked."""
    spots = [
        Anchor(area, node, area.weight, area.doubts)
        for area, _, root in context.trees()
        for node in nodes(root, ast.Match)
    ]
    fitting = [(spot, option) for spot in spots for option in _values(context, spot)]
    matches = len({id(spot.node) for spot, _ in fitting})
    several = (places_fit(matches),) if matches > 1 else ()
    for spot, value in fitting[: context.most_places]:
        bodies = filled(context, "{code:code}", spot) if context.has("code") else None
        unsaid = Option("pass", 0.9, (assumed("what the new case does was not said"),))
        for body in [unsaid] if bodies is None else bodies:
            made = call("add_case", place=word(context, "line", spot), value=value.text, body=body.text)
            doubts = (*spot.doubts, *value.doubts, *body.doubts, *several)
            yield Built((made,), spot.weight * value.weight * body.weight / max(matches, 1), doubts)


def _values(context: Context, spot: Anchor) -> Iterator[Option]:
    """What the words mean as a value like those of the other cases."""
    assert isinstance(spot.node, ast.Match)
    patterns = [case.pattern for case in spot.node.cases]
    known = [inner.value for one in patterns for inner in find_nodes(one, ast.MatchValue)]
    listed = [one for one in patterns if isinstance(one, ast.MatchSequence)]
    alone = [one for one in patterns if isinstance(one, ast.MatchValue | ast.MatchOr)]
    if not known:
        return
    for option in filled(context, "{condition:value}", replace(spot, extra={"old": known[0]})) or ():
        tree = parsed(option.text)
        if not isinstance(tree, ast.Constant | ast.Attribute) or not _is_like(tree, known):
            continue
        if alone or not listed:
            yield option
        else:
            doubt = assumed("the new case was assumed to take nothing more")
            yield Option(f"[{option.text}]", option.weight, (*option.doubts, doubt))


def _is_like(tree: ast.expr, known: list[ast.expr]) -> bool:
    """Whether a value is of the type that one of the others has."""
    kinds = {type(getattr(one, "value", None)) for one in known if isinstance(one, ast.Constant)}
    mine = type(tree.value) if isinstance(tree, ast.Constant) else None
    return mine in kinds if mine is not None else any(isinstance(one, ast.Attribute) for one in known)
