"""Calls that let a count start at another number: a die at 1, the rows of a list that are numbered from 0."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.builders.values.told_numbers import told_numbers
from spark_tui.intent.building.building import Built, build_at, builder, call, of_table, place
from spark_tui.intent.building.rewritten import (
    Rewritten,
    make_replacement,
    pass_argument,
    replace_code,
    replace_within,
)
from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Unresolved
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.texts.text_parts import TextField, split_text
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import assumed, places_fit
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes, walk

_METHODS = ("get", "post", "put", "patch", "delete", "api_route")
_COUNTERS = ("randint", "randrange", "count")
_LIKELY, _OTHER = 0.8, 0.3
"""How likely it is what is counted that starts there, and how likely a number that only stands there."""


@builder("replace_value")
def replace_value(context: Context) -> Iterator[Built]:
    """Another value; where 0 and 1 are what is counted from, the count starts there."""
    if not context.has("old") and (alone := list(_only_status(context))):
        yield from alone
        return
    found = list(_started(context)) if _is_start(context) else []
    scored = [(1.0 + context.overlap(rewritten.area.path, rewritten.node), rewritten) for rewritten in found]
    whole = sum(score for score, _ in scored)
    for score, one in scored:
        doubts = (places_fit(len(found)),) if len(found) > 1 else ()
        yield Built((make_replacement(context, one),), _LIKELY * score / whole, (*one.doubts, *doubts))
    try:
        for made in of_table(context, "replace_value"):
            if _is_other_kind(context, made):
                continue  # `"closed"` is no status
            yield build_at(made, *made.calls, weight=_OTHER if found else 1.0)
    except Unresolved:
        told = list(_in_texts(context) if context.has("old") else told_numbers(context)) if not found else []
        yield from told
        if not found and not told:
            raise


def _in_texts(context: Context) -> Iterator[Built]:
    """A number that stands in texts only, as one number there: in a pattern, in a template."""
    old, new = (phrases.number(context.text(slot)) or "" for slot in ("old", "new"))
    if not old.isdigit() or not new.isdigit():
        return
    spots = [
        Anchor(area, node)
        for area, source, root in context.trees()
        for node in find_nodes(root, ast.Constant)
        if is_text(node)
        and not isinstance(source.parents.get(node), ast.Expr)
        and len(re.findall(rf"(?<![\w.]){old}(?![\w.])", str(node.value))) == str(node.value).count(old) == 1
    ]
    scores = [1.0 + context.overlap(one.path, one.node) for one in spots if one.node is not None]
    doubts = (places_fit(len(spots)),) if len(spots) > 1 else ()
    for score, anchor in zip(scores, spots, strict=True):
        made = call("replace_in_strings", place=place(context, anchor), old=old, new=new)
        yield Built((made,), score / sum(scores), (*anchor.doubts, *doubts))


def _is_other_kind(context: Context, made: Built) -> bool:
    """Whether a number would take the place of a text that no one quoted."""
    span, old, new = context.span("old"), *(getattr(made.calls[0], name, "") for name in ("old", "new"))
    was, now = (
        one.value if isinstance(one := parsed(str(code)), ast.Constant) else None for code in (old, new)
    )
    told = span is not None and (span.quoted or phrases.number(span.text) is not None)
    return isinstance(was, str) and not was.isdigit() and type(now) in (int, float) and not told


def _only_status(context: Context) -> Iterator[Built]:
    """The one status in a place for another one of its kind: *201 for create*, *exit code 2*."""
    new = phrases.number(context.text("new")) or ""
    if not new.isdigit():
        return
    http = len(new) == len("200") and new[0] in "12345"
    said = context.situation.instruction.lower()
    told = phrases.any_stands_in(phrases.words("exit_status"), said) or not context.beside_slots().strip()
    if not http and not told:
        return
    for area, source, root in context.trees():
        numbers = [node for node in find_nodes(root, ast.Constant) if type(node.value) is int]
        spots = [node for node in numbers if _is_status(source, node, http)]
        if http:  # a failure is no success
            spots = [node for node in spots if (str(node.value)[0] in "45") == (new[0] in "45")]
        old = source.segment(spots[0]) if len(spots) == 1 else new
        if old != new:
            made = replace_code(context, Anchor(area, spots[0]), new)
            doubt = assumed(f"{old} was assumed to be what is replaced")
            yield Built((made,), 0.8 * area.weight, (*area.doubts, doubt))
        elif new.startswith("2") and http and "fastapi" in source.text:
            yield from _decorated(context, area, source, new)


def _decorated(context: Context, area: Area, source: Source, status: str) -> Iterator[Built]:
    """The status of what a route answers, by its decorator: of the one function that the words describe."""
    said, routes = stems(context.situation.instruction), []
    for function in source.functions:
        for route in function.decorator_list if said & stems(function.name.partition("_")[0]) else ():
            if called_name(route) in _METHODS and isinstance(route, ast.Call):
                routes.append(route)
    if len(routes) == 1:
        made = pass_argument(context, Anchor(area, routes[0]), "status_code", status)
        yield Built((made,), 0.85 * area.weight, area.doubts)


def _is_status(source: Source, node: ast.Constant, http: bool) -> bool:
    """Whether a number is a status of HTTP, or that with which a program ends."""
    if http:
        return len(str(node.value)) == len("200") and str(node.value)[0] in "12345"
    around = source.parents.get(node)
    function = source.function_of(node)
    ends = isinstance(around, ast.Return) and function is not None and function.name == "main"
    return ends or (isinstance(around, ast.Call) and called_name(around) in ("exit", "_exit", "SystemExit"))


def _is_start(context: Context) -> bool:
    numbers = [phrases.number(context.text(slot)) or "" for slot in ("old", "new")]
    started = says("counting", "start", context.situation.instruction)
    return [number.lstrip("-") for number in numbers] == ["0", "1"] and started


def _started(context: Context) -> Iterator[Rewritten]:
    for area, source, node in context.find(ast.AST):
        if isinstance(node, ast.Call) and called_name(node) in _COUNTERS:
            first = node.args[0] if node.args else None
            if isinstance(first, ast.Constant) and first.value == 0:
                yield Rewritten(area, first, "1")
        elif isinstance(node, ast.For):
            yield from _numbered(area, source, node)


def _numbered(area: Area, source: Source, loop: ast.For) -> Iterator[Rewritten]:
    """What numbers the rounds of a loop whose number is shown; where it is an index too, what shows it."""
    counts = loop.iter if isinstance(loop.iter, ast.Call) else None
    name = ast.unparse(counts.func) if counts is not None else ""
    goal = loop.target.elts[0] if isinstance(loop.target, ast.Tuple) and name == "enumerate" else loop.target
    if counts is None or name not in ("range", "enumerate") or not isinstance(goal, ast.Name):
        return
    uses = [
        node
        for stmt in loop.body
        for node in find_nodes(stmt, ast.Name)
        if node.id == goal.id and node is not goal
    ]
    shown = [item for stmt in loop.body for item in _shown(source, stmt, goal.id)]
    if not shown or counts.keywords or len(counts.args) > 1:
        return
    if len(uses) > len(shown):
        yield from (
            Rewritten(area, node, replace_within(source, node, value, f"{goal.id} + 1"))
            for node, value in shown
            if source.span(value)[0] >= 0
        )
        return
    given = source.segment(counts.args[0])
    if name == "range" and isinstance(counts.args[0], ast.BoolOp | ast.IfExp | ast.Compare | ast.Lambda):
        given = f"({given})"
    yield Rewritten(
        area, counts, f"enumerate({given}, 1)" if name == "enumerate" else f"range(1, {given} + 1)"
    )


def _shown(source: Source, root: ast.stmt, name: str) -> Iterator[tuple[ast.expr, ast.expr]]:
    """The texts that show a name, each with the name in it."""
    inner: set[ast.AST] = set()
    for node in walk(root):
        if not isinstance(node, ast.expr) or node in inner:
            continue
        parts = split_text(source, node)
        if parts is not None:
            inner |= set(walk(node)) - {node}
            values = [part.value for part in parts if isinstance(part, TextField)]
        else:
            called = isinstance(node, ast.Call) and ast.unparse(node.func) in ("str", "print")
            values = list(node.args) if called and isinstance(node, ast.Call) else []
        yield from ((node, value) for value in values if isinstance(value, ast.Name) and value.id == name)
