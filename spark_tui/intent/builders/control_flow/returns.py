"""What a function returns, and what it does instead; for one that returns nothing so far, how many rounds its
loop does."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.branch_returns import (
    results,
    returned_at_end,
    returned_in_branch,
    returned_in_place,
)
from spark_tui.intent.builders.control_flow.returned_prints import returned_prints
from spark_tui.intent.builders.definitions.shown_methods import shown_or_told
from spark_tui.intent.building.building import Built, build_at, builder, call, filled, found, place, word
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor, anchors, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.facts.http_statuses import with_status
from spark_tui.intent.finders.blocks import is_log, is_print
from spark_tui.intent.values.likely.assigned_values import CHANGING, GIVING
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed, places_fit
from spark_tui.pysource.inference.known_types import GIVING_NOTHING
from spark_tui.pysource.names.type_hints import called_name, names_set
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in, walk

_ALTERNATIVES = re.compile(r"""(?:(['"]).*?\1\s*,?\s*)+(?:or|oder|ou|o)\s+\S+""")
"""Several results of which each is returned in another case."""
_JUST_RETURNS = re.compile(
    rf"(?<!\w)(?:{'|'.join(phrases.words('just'))})\s+(?:return|give|hand|gib|renvo|retourn|devuel)",
    re.IGNORECASE,
)
_KNOWN = 0.9
"""How likely a return of a function is meant that alone knows all names of what is to be returned."""
_PART = 0.25
"""How likely one of several returns is meant where the whole function may be."""


@builder("set_return")
def set_return(context: Context) -> Iterator[Built]:
    if context.span("result") is None:
        raise Unresolved("the instruction gives no new result")
    printed = list(returned_prints(context, context.text("result")))
    if told := printed or list(shown_or_told(context, "function")):
        yield from told
        return
    functions = anchors(context, "function") if context.named else []
    if functions and all(_yields(context, anchor) for anchor in functions):
        raise Unresolved(f"{context.text('function')} yields what it gives")
    if _ALTERNATIVES.fullmatch(context.text("result").strip()):
        raise Unresolved("it is not said when which of them is returned")
    if counted := list(counted_rounds(context)):
        yield from counted
        return
    ended = phrases.is_said("none", context.text("old"))
    if context.has("condition"):
        at_end = list(returned_at_end(context)) if ended else []
        yield from at_end or _conditional_return(context)
        return
    # Where it is to *just return* something, it does nothing else any more.
    alone = context.named and _JUST_RETURNS.search(context.beside_slots()) is not None
    nothing = phrases.is_said("none_of", context.text("result"))
    if ended or not (alone or nothing or anchors(context, "return")):
        at_end = list(returned_at_end(context)) if context.named else []
        yield from at_end
        if at_end:
            return
    whole = [] if ended or context.has("old") else list(_whole_body(context))
    yield from whole
    if whole and not anchors(context, "return"):
        return
    spots = found(context, "return:old" if context.has("old") else "return", "return")
    spots = _where_known(context, spots)
    spots = [replace(spot, weight=_PART * spot.weight) for spot in spots] if whole else spots
    last = max((getattr(spot.node, "lineno", 0) for spot in spots), default=0)
    for spot in spots:
        favour = 2.0 if len(spots) > 1 and getattr(spot.node, "lineno", 0) == last else 1.0
        yield from _returned_there(context, spot, nothing, favour)


def _returned_there(context: Context, anchor: Anchor, nothing: bool, favour: float) -> Iterator[Built]:
    """The result in the place of that of one `return`; with `nothing` none, and what its call does stays."""
    node, source = anchor.node, context.source(anchor.path)
    assert isinstance(node, ast.Return)
    if nothing and isinstance(node.value, ast.Call) and _does_more(source, node, node.value):
        made = call("replace_statements", place=place(context, anchor), code=source.segment(node.value))
        yield build_at(anchor, made)
        return
    anchor = replace(anchor, extra={"old": node.value} if node.value is not None else {})
    status = with_status(source, node.value, context.text("result").strip("`"))
    kept = node.value is not None and _is_besides(context) and _only_return(source, node)
    if not kept and not status and (lost := _lost_call(context, node.value)):
        anchor = replace(anchor, doubts=(*anchor.doubts, lost))
    besides = f"{source.segment(node.value)}, " if kept and node.value is not None else ""
    elements = node.value.elts if besides and isinstance(node.value, ast.Tuple) else []
    returned = set(map(ast.unparse, elements))
    for option in results(context, anchor):
        if option.text in returned:
            raise Unresolved(f"{option.text} is returned already", nothing=True)
        text = status or besides + option.text
        made = _set_result(context, anchor, node, text)
        weight = min(1.0, anchor.weight * option.weight * favour)
        yield Built((made,), weight, (*anchor.doubts, *option.doubts))


def _lost_call(context: Context, value: ast.expr | None) -> str:
    """The doubt that what is returned now calls something that is not called any more."""
    calls = [one for one in find_nodes(value, ast.Call) if one is value or called_name(one) not in GIVING]
    gone = calls[0].func if calls else value if isinstance(value, ast.Await) else None
    if gone is None or context.has("old"):
        return ""
    called = ast.unparse(gone)
    lost = called not in context.text("result")
    return Doubt(f"{called} is not called any more", DoubtKind.DROPPED) if lost else ""


def _set_result(context: Context, anchor: Anchor, node: ast.Return, text: str) -> Operation:
    """The edit that makes one `return` give something else."""
    source = context.source(anchor.path)
    if node.value is not None:
        if _only_return(source, node) and (name := word(context, "function", anchor)):
            return call("set_return", target=name, value=text)
        if source.comments and "#" in source.segment(node):
            return replace_code(context, replace(anchor, node=node.value), text)
    return call("replace_statements", place=place(context, anchor), code=f"return {text}")


def _where_known(context: Context, spots: list[Anchor]) -> list[Anchor]:
    """The returns of the functions that know all names of a result which is code, where a place that may be
    meant does not know them."""
    code = parsed(context.text("result").strip("`"))
    names = names_in(code) if code is not None else frozenset()

    def knows(path: str, node: ast.AST | None) -> bool:
        return all(map(context.visible(path, node).knows, names))

    if context.named or not names or all(knows(one.path, one.node) for one in spots):
        return spots
    fits = [Anchor(area, node) for area, _, node in context.find(ast.Return) if knows(area.path, node)]
    doubts = (places_fit(len(fits)),) if len(fits) > 1 else ()
    return [replace(one, weight=_KNOWN / len(fits), doubts=doubts) for one in fits] or spots


_BESIDES = re.compile(
    r"\balso (?:return|give back|hand back)|\b(?:return|give back|hand back)\w*\W.*\b(?:as well|too)\W*\Z"
    r"|\bauch \S+ zurück|\b(?:renvoi\w+|retourn\w+|devolv\w+|devuelv\w+) (?:aussi|también)\b",
    re.IGNORECASE | re.DOTALL,
)


def _is_besides(context: Context) -> bool:
    """Whether a result is to be returned besides the one that is there: *also return the count*."""
    alone = not context.situation.several and not context.has("old")
    return alone and _BESIDES.search(context.situation.instruction) is not None


def _does_more(source: Source, node: ast.Return, value: ast.Call) -> bool:
    """Whether a function ends with a return whose call may do more than give a value."""
    inside = source.function_of(node)
    return inside is not None and inside.body[-1] is node and called_name(value) not in GIVING


def _yields(context: Context, anchor: Anchor) -> bool:
    """Whether a function is a generator: what it returns is given to nobody."""
    node, source = anchor.node, context.source(anchor.path)
    inner = [*find_nodes(node, ast.Yield), *find_nodes(node, ast.YieldFrom)]
    return any(source.function_of(one) is node for one in inner)


def _whole_body(context: Context) -> Iterator[Built]:
    """A return in the place of all that a function does, where it *just* returns that, has several returns
    of which none is an exception, or has none and returns nothing anyway."""
    plainly = any(phrases.is_said("just", item) for item in re.findall(r"\w+", context.beside_slots()))
    for anchor in found(context, "function", "function") if context.named else ():
        node, source = anchor.node, context.source(anchor.path)
        own = [inner for inner in find_nodes(anchor.node, ast.Return) if source.function_of(inner) is node]
        one = len(own) == 1 or any(isinstance(inner.value, ast.Constant | None) for inner in own)
        if not isinstance(node, Function) or (one and not plainly):
            continue
        set_there = names_set(*node.body)
        for option in results(context, Anchor(anchor.area, node)):
            if set_there & names_in(parsed(option.text)):
                continue  # what sets it would go
            made = call("replace_statements", place=word(context, "in", anchor), code=f"return {option.text}")
            yield build_at(anchor, made, option=option)


@builder("replace_body")
def replace_body(context: Context) -> Iterator[Built]:
    """Other code in a function; a value is returned where the old code returns one."""
    for anchor in found(context, "function", "function"):
        node, source = anchor.node, context.source(anchor.path)
        own = (inner for inner in find_nodes(node, ast.Return) if source.function_of(inner) is node)
        gives = node is not None and any(inner.value is not None for inner in own)
        for option in filled(context, "{code:code}", anchor) or ():
            value = parsed(option.text)
            acts = isinstance(value, ast.Call) and called_name(value) in CHANGING
            code = f"return {option.text}" if gives and value is not None and not acts else option.text
            idle = isinstance(value, ast.Call) and (
                is_print(value) or is_log(value) or called_name(value) in GIVING_NOTHING
            )
            if gives and (idle or not _ends(code)):
                continue  # callers that take its result would get None
            kept = _lines_behind_names(source, node, code)
            spot = f"{anchor.path}:{kept}" if kept else word(context, "in", anchor)
            yield build_at(anchor, call("replace_statements", place=spot, code=code), option=option)


def _ends(code: str) -> bool:
    """Whether code can give a value, or says that it gives none."""
    ends = (ast.Return, ast.Raise, ast.Yield, ast.YieldFrom, ast.Pass)
    return any(isinstance(node, ends) for node in walk(parse(code) or ast.Module([], [])))


def _lines_behind_names(source: Source, node: ast.AST | None, code: str) -> str:
    """The lines of a body behind what sets the local names that its new code uses and does not set: what sets
    them stays."""
    new = parse(code)
    if new is None or not isinstance(node, Function):
        return ""
    used = names_in(new) - names_set(new) - {one.arg for one in parameters(node)}
    last = max((at for at, stmt in enumerate(node.body) if names_set(stmt) & used), default=len(node.body))
    behind = node.body[last + 1 :]
    return f"{source.first_line(behind[0]) + 1}-{source.last_line(behind[-1])}" if behind else ""


def _only_return(source: Source, node: ast.Return) -> bool:
    inside = source.function_of(node)
    return inside is not None and sum(isinstance(inner, ast.Return) for inner in walk(inside)) == 1


def _conditional_return(context: Context) -> Iterator[Built]:
    """The return under an `if` with the condition; else a guard."""
    for anchor in anchors(context, "test:condition"):
        owner = anchor.extra.get("owner")
        for stmt in getattr(owner, "body", ()) if isinstance(owner, ast.If) else ():
            if isinstance(stmt, ast.Return):
                spot = Anchor(anchor.area, stmt, extra={"old": stmt.value} if stmt.value is not None else {})
                for option in results(context, spot):
                    made = call(
                        "replace_statements", place=place(context, spot), code=f"return {option.text}"
                    )
                    yield build_at(anchor, made, option=option)
    known = list(returned_in_branch(context)) or list(returned_in_place(context))
    yield from known
    if known:
        return
    from spark_tui.intent.builders.control_flow.guards import guard_return

    for built in guard_return(context):
        yield replace(built, weight=built.weight * 0.6)


def counted_rounds(context: Context) -> Iterator[Built]:
    """A count that each round of the only loop adds to, and its return, where words ask how many it did."""
    text = context.text("result").lower()
    if not context.named or not phrases.any_stands_in(phrases.words("counted_rounds"), text):
        return
    for anchor in found(context, "function", "function"):
        node, source = anchor.node, context.source(anchor.path)
        if not isinstance(node, Function) or context.visible(anchor.path, node).expression(text) is not None:
            continue
        loops = [stmt for stmt in node.body if isinstance(stmt, LOOPS)]
        leaves = [inner for inner in walk(node) if isinstance(inner, ast.Return | ast.Yield)]
        name = next((one for one in ("count", "done", "rounds") if one not in names_in(node)), "")
        if len(loops) != 1 or leaves or not name or loops[0].orelse:
            continue
        loop = loops[0]
        end = place(context, Anchor(anchor.area, node.body[-1]))
        made = [call("insert_statements", place=end, code=f"return {name}", side="after")]
        inside = place(context, Anchor(anchor.area, loop.body[-1]))
        made.append(call("insert_statements", place=inside, code=f"{name} += 1", side="after"))
        start = f"in {anchor.path}::{source.qualname(node)}"
        made.append(call("insert_statements", place=start, code=f"{name} = 0", side="start"))
        skipped = any(find_nodes(loop, ast.Continue))
        doubts: list[str] = [assumed("each round of the loop was assumed to count")]
        doubts += ["rounds that are skipped do not count"] if skipped else []
        yield build_at(anchor, *made, weight=0.9, doubts=doubts)
