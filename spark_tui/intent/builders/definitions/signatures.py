"""Calls that change signatures and calls."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    combined,
    filled,
    found,
    place,
    word,
)
from spark_tui.intent.building.new_parameters import (
    called_functions,
    constant_meant,
    is_flag,
    number_passed,
    read_in_body,
    sent_on,
    taken_by_call,
)
from spark_tui.intent.building.rewritten import pass_argument
from spark_tui.intent.context.anchors import (
    Anchor,
    Search,
    finder,
    is_same_expression,
    nodes,
    parsed,
)
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.values.anchor_details import argument_of
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed
from spark_tui.intent.words.phrases import any_stands_in, mentions
from spark_tui.intent.words.phrases import words as words_of
from spark_tui.pysource.names.type_hints import called_name, last_name
from spark_tui.pysource.source import Function


@finder
def decorated(at: Search) -> Iterator[Anchor]:
    """The definition with the decorator that is named; where none is, with the one of the definition itself,
    or with those of several that the instruction has in it."""
    wanted = key(plain_name(at.context.text(at.slot)))
    own = getattr(at.root, "decorator_list", [])
    words = re.findall(r"\w+", at.context.situation.instruction)
    said = [one for one in own if last_name(one.func if isinstance(one, ast.Call) else one) in words]
    for one in (said if len(own) > 1 else own) if not wanted else ():
        yield Anchor(Area(""), at.root, words={"decorator": at.source.segment(one)})
    shown = parsed(at.context.text(at.slot).strip("`@ "))
    for node in nodes(at.root, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef):
        there = node.decorator_list  # type: ignore[attr-defined]
        for decorator in [one for one in there if is_same_expression(shown, one)] or there:
            name = ast.unparse(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if wanted in (key(name), key(name.rpartition(".")[2])) or key(ast.unparse(decorator)) == wanted:
                yield Anchor(Area(""), node, words={"decorator": at.source.segment(decorator)})


# -- signatures --------------------------------------------------------------------------------------


_UNREAD = 0.2
"""How likely a body is not to read a new parameter where it has its default, or what is called like it."""
_DEFAULT_ADDED = Doubt("a default was added for the callers", DoubtKind.COMPLETED)


@builder("add_parameter")
def add_parameter(context: Context) -> Iterator[Built]:
    given_names, said = context.reading.slots.get("name", ()), context.beside_slots().lower()
    for anchor in called_functions(found(context, "function")):
        words = {"called": context.text("name"), "type": ""}
        hints = filled(context, "{type:type}", anchor) or [Option("")]
        words["type"] = hints[0].text
        ready, source = replace(anchor, words={**anchor.words, **words}), context.source(anchor.path)
        fields = {"target": "{function}", "name": "{name:name}", "default": "{default:value}"}
        for given, weight, doubts in combined(context, fields, ready):
            base = {**given, "annotation": hints[0].text}
            if mentions("keyword_only", context.situation.instruction):
                base["keyword_only"] = "true"
            name = str(given.get("name", ""))
            if "default" not in given and any_stands_in(words_of("optional_type"), said):
                base["default"] = "None"
            elif name and "default" not in given and (passed := number_passed(ready, name)) is not None:
                base["default"] = source.segment(passed)
                place_of = f"{ready.path}:{passed.lineno}"
                used = call("replace_expression", place=place_of, old=base["default"], new=name)
                yield build_at(ready, call("add_parameter", **base), used, weight=weight, doubts=doubts)
                weight *= 0.3
            elif name and "default" not in given and (taken := taken_by_call(context, ready, name)):
                passed_on = pass_argument(context, replace(ready, node=taken[0]), name, name)
                added = call("add_parameter", **{**base, "default": taken[1]})
                doubt = assumed(f"{name} was assumed to be for {called_name(taken[0])}")
                yield build_at(ready, added, passed_on, weight=weight, doubts=(*doubts, doubt))
                weight *= 0.3
            constant = constant_meant(ready, source, name) if base.get("default") != "None" else ""
            if constant:
                base = {"default": constant, **base, "name": name.lower() if name.isupper() else name}
            made = list(_added(context, ready, base, weight, doubts, constant))
            # Calls that would lack it are a reason for a default.
            lacking = "default" not in base and _leaves_calls(made[-1].calls[0].plan(context.repo), ready)
            yield from (replace(built, weight=_UNREAD * built.weight) if lacking else built for built in made)
            if "default" not in base:
                flag = is_flag(name, context.situation.instruction)
                weight, base["default"] = 0.9 * weight, "False" if flag else "None"
                yield from _added(context, ready, base, weight, (_DEFAULT_ADDED,))
    if not given_names:
        raise Unresolved("the new parameter has no name")


def _leaves_calls(plan: Plan | Refused, anchor: Anchor) -> bool:
    """Whether calls would lack a new parameter; where others have defaults, unknown calls count."""
    given = isinstance(anchor.node, Function) and bool(anchor.node.args.defaults)
    return isinstance(plan, Refused) or (given and bool(plan.unfollowed))


def _added(
    context: Context,
    anchor: Anchor,
    fields: dict[str, str | bool],
    weight: float,
    doubts: tuple[str, ...],
    constant: str = "",
) -> Iterator[Built]:
    """The new parameter, which the body reads where it has its default or calls what is named like it, or
    where it reads the constant that is called so."""
    made, default, name = (
        call("add_parameter", **fields),
        str(fields.get("default", "")),
        str(fields.get("name", "")),
    )
    told = any_stands_in(words_of("sent_on"), context.situation.instruction.lower())
    if sent := tuple(sent_on(anchor, context.source(anchor.path), name)) if told else ():
        yield build_at(anchor, made, *sent, weight=weight, doubts=doubts)
        weight *= _UNREAD
    if read := tuple(read_in_body(anchor, context.source(anchor.path), name, constant or default)):
        guessed = default != "None" and not constant and not any(f"{{{name}}}" in str(one) for one in read)
        stands = (f"it stands for {default} in the function",) if guessed else ()
        yield build_at(anchor, made, *read, weight=weight, doubts=(*doubts, *stands))
        weight *= _UNREAD
    completed = doubts == (_DEFAULT_ADDED,)
    yield build_at(anchor, made, weight=weight * (0.5 if completed and not read else 1.0), doubts=doubts)


def _order(context: Context, anchor: Anchor, move: str) -> list[str] | None:
    node = anchor.node
    if not isinstance(node, Function):
        return None
    spec = node.args
    names = [arg.arg for arg in (*spec.posonlyargs, *spec.args)]
    fixed = names[:1] if names and names[0] in ("self", "cls") else []
    names = names[len(fixed) :]
    one = anchor.words["parameter"]
    if one not in names:
        return None
    if move == "swap":
        wanted = key(plain_name(context.text("other")))
        two = next((name for name in names if key(name) == wanted), None)
        two = two or (names[1 - names.index(one)] if len(names) == 2 and not wanted else None)
        if two is None or two == one:
            return None
        at = {one: two, two: one}
        return [at.get(name, name) for name in names]
    rest = [name for name in names if name != one]
    said = ordinals_in(context.beside_slots())  # the second parameter
    spot = len(rest) if move == "last" else said[0] % len(names) if said else 0
    return [*rest[:spot], one, *rest[spot:]]


@builder("swap_parameters", "move_parameter_first", "move_parameter_last")
def reorder(context: Context) -> Iterator[Built]:
    move = context.reading.intent.removeprefix("move_parameter_").partition("_")[0]
    reason: Unresolved | None = None
    for anchor in found(context, "parameter:parameter", "parameter of that name"):
        order = _order(context, anchor, move)
        if order is None:
            continue
        try:
            made = call(
                "reorder_parameters", target=word(context, "function", anchor), order=f"[{', '.join(order)}]"
            )
        except Unresolved as error:
            reason = error
            continue
        yield build_at(anchor, made)
    if reason is not None:
        raise reason


# -- calls -------------------------------------------------------------------------------------------


@builder("swap_arguments")
def swap_arguments(context: Context) -> Iterator[Built]:
    for anchor in found(context, "call:call"):
        node = anchor.node
        assert isinstance(node, ast.Call)
        named = [one.text for slot in ("argument", "other") for one in context.reading.slots.get(slot, ())]
        pair = [argument_of(node, text) for text in named]
        if len(pair) < 2:
            first = pair[0] if pair and pair[0] else "1"
            others = [str(at) for at in range(1, len(node.args) + 1) if str(at) != first]
            pair = [first, *others[:1]] if len(node.args) == 2 or not pair else []
        if len(pair) != 2 or not all(pair):
            continue
        made = call(
            "swap_arguments",
            callee=ast.unparse(node.func),
            place=place(context, anchor),
            first=pair[0],
            second=pair[1],
        )
        yield build_at(anchor, made)
