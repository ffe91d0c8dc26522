"""Values that words name loosely: in the plural, with a word more, or as what is passed for a parameter."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.anchors import Anchor, weighted
from spark_tui.intent.context.described_names import content_words, score_description
from spark_tui.intent.context.lookup import key, plain_name, without_s
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.intent.values.likely.spots import value_spots
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import walk

_LEAST = 0.7
"""How well a name fits at least the words that stand for it."""
_COLLECTIONS = ("list", "dict", "set", "tuple")
Spots = list[tuple[Anchor, ast.expr | None, str]]


def loose_spots(context: Context, used: list[Anchor]) -> Spots:
    """Where a value comes in or is set that is not named as it is spelled: what fails by an error message,
    what a call of the place passes for it, or else the one name that the words describe. `used` is where the
    words stand as they are."""
    text = context.text("variable").strip("`'\"")
    inside = {node for _, _, root in context.trees() for node in walk(root)}
    exact = any(isinstance(anchor.node, ast.expr) and ast.unparse(anchor.node) == text for anchor in used)
    there = [anchor for anchor in used if anchor.node in inside]
    if not exact and (failing := list(_failing(context))):
        return failing
    if not there and (passed := [*_passed(context), *_of_command_line(context)]):
        return passed
    words = content_words(text)
    names = dict.fromkeys(_names(context))
    one_of = [name for name in names if key(name) == without_s(key(text)) != key(text)]
    if exact or (there and not one_of):
        return []
    scored = {name: score_description(words, name) for name in names} if words else {}
    top = max(scored.values(), default=0.0)
    best = one_of or [one for one, fit in scored.items() if fit == top >= _LEAST]
    if len(best) != 1:
        return list(_returned_by(context, words)) if words and not best else []
    doubt = f"{text} was assumed to be {best[0]}"
    span = context.reading.slots["variable"][0]
    slots = {**context.reading.slots, "variable": (replace(span, text=best[0]),)}
    renamed = Context(replace(context.reading, slots=slots), context.situation, context.names)
    return [
        (replace(one, doubts=(*one.doubts, doubt)), value, name)
        for one, value, name in value_spots(renamed)
        if value is None or literal_type(value) not in _COLLECTIONS
    ]


def _failing(context: Context) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """The one value of a function that is named whose attribute an error message finds missing."""
    match = re.search(r"has no attribute '(\w+)'", context.situation.instruction)
    spots = [
        Anchor(area, node.value, 0.9, area.doubts)
        for area, _, root in (context.trees() if match and context.has("function") else ())
        for node in walk(root)
        if match and isinstance(node, ast.Attribute) and node.attr == match[1]
    ]
    yield from (
        (spot, spot.node, "") for spot in spots if len(spots) == 1 and isinstance(spot.node, ast.expr)
    )


def _passed(context: Context) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """What the calls of a place that is named pass for a parameter of that name."""
    name = key(plain_name(context.text("variable").strip("`")))
    spots = []
    for area, source, root in context.trees() if context.has("function") else ():
        for node in walk(root):
            known = parameters_called(context.repo, source, node) if isinstance(node, ast.Call) else {}
            at = next((i for i, each in enumerate(known) if key(each) == name), -1)
            if isinstance(node, ast.Call) and 0 <= at < len(node.args):
                spots.append(Anchor(area, node.args[at], 0.9, area.doubts))
    yield from (
        (anchor, anchor.node, "") for anchor in weighted(context, spots) if isinstance(anchor.node, ast.expr)
    )


def _returned_by(context: Context, words: tuple[str, ...]) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """The one call of a function of the file that words describe: *the idle rooms* of `idle(rooms)`."""
    found: list[tuple[float, Anchor]] = []
    for area, source, root in context.trees():
        own = {definition.name for definition in source.definitions if isinstance(definition, Function)}
        for node in walk(root):
            name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
            if name in own and (fit := score_description(words, name)) >= _LEAST:
                found.append((fit, Anchor(area, node, 0.8 * fit, (*area.doubts, f"{name} was assumed"))))
    top = max((fit for fit, _ in found), default=0.0)
    best = [one for fit, one in found if fit == top]
    yield from ((item, item.node, "") for item in best if len(best) == 1 and isinstance(item.node, ast.expr))


def argument_read(node: ast.AST | None) -> int | None:
    """Which argument of the command line an expression reads: 1 of `sys.argv[1]`."""
    read = isinstance(node, ast.Subscript) and ast.unparse(node.value).rpartition(".")[2] == "argv"
    at = (
        node.slice.value if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Constant) else None
    )
    return at if read and isinstance(at, int) and at > 0 else None


def _of_command_line(context: Context) -> Iterator[tuple[Anchor, ast.expr | None, str]]:
    """The one argument of the command line that a place reads, where *the argument* is said."""
    variable_text = phrases.without_articles(context.text("variable")).lower()
    if variable_text not in phrases.words("option_names") and variable_text not in phrases.words("kinds"):
        return
    spots = [
        Anchor(area, node, 0.9, area.doubts)
        for area, _, root in context.trees()
        for node in walk(root)
        if argument_read(node) is not None and isinstance(node, ast.expr)
    ]
    yield from (
        (spot, spot.node, "") for spot in spots if len(spots) == 1 and isinstance(spot.node, ast.expr)
    )


def _names(context: Context) -> Iterator[str]:
    """The parameters, locals and attributes that the functions of a place get or set."""
    for _, _, root in context.trees():
        for node in walk(root):
            if isinstance(node, Function):
                yield from (
                    parameter.arg for parameter in parameters(node) if parameter.arg not in ("self", "cls")
                )
                goals = [
                    goal
                    for inner in walk(node)
                    if isinstance(inner, ast.Assign) and literal_type(inner.value) not in _COLLECTIONS
                    for goal in inner.targets
                ]
                yield from (goal.id for goal in goals if isinstance(goal, ast.Name))
                yield from (goal.attr for goal in goals if isinstance(goal, ast.Attribute))
