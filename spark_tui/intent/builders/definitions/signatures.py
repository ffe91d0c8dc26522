"""Calls that change signatures and calls, and that delete or move statements."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.plan import Plan, Refused
from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.already_done import refuse_missing_call
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    combined,
    filled,
    found,
    of_table,
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
)
from spark_tui.intent.building.removed_symbols import attribute_removed
from spark_tui.intent.building.shared_lines import line_range
from spark_tui.intent.context.anchors import (
    Anchor,
    Search,
    anchors,
    finder,
    is_same_expression,
    nodes,
    parsed,
)
from spark_tui.intent.context.lookup import key, plain_name
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Area, Option, Unresolved
from spark_tui.intent.finders.described import ordinals_in
from spark_tui.intent.finders.described_prints import prints_described, said_once
from spark_tui.intent.finders.which_place import keep_described
from spark_tui.intent.values.anchor_details import argument_of
from spark_tui.intent.words.doubts import Doubt, DoubtKind, assumed, places_fit
from spark_tui.intent.words.phrases import any_stands_in, mentions
from spark_tui.intent.words.phrases import words as words_of
from spark_tui.intent.words.readings import Span
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


@builder("delete_calls")
def delete_calls(context: Context) -> Iterator[Built]:
    """All calls of a function; where it is not said of which, the prints."""
    if not context.has("call"):
        slots = {**context.reading.slots, "call": (Span(-1, -1, "print"),)}
        context = Context(replace(context.reading, slots=slots), context.situation, context.names)
    span = context.span("call")
    if span is not None and span.quoted and not anchors(context, "call:call"):
        # The text of a print names the line.
        slots = {**context.reading.slots, "code": context.reading.slots["call"]}
        told = replace(context.reading, intent="delete_statement", slots=slots)
        yield from of_table(Context(told, context.situation, context.names), "delete_statement")
        return
    spots = keep_described(context, anchors(context, "call:call"))
    doubts: tuple[str, ...] = ()
    if not spots and re.search(
        r"(?<!\w)(?:print|debug\w* output)", context.situation.instruction, re.IGNORECASE
    ):
        spots = prints_described(context, "call")
        doubts = spots[0].doubts if spots else ()
    if not spots and (removed := list(attribute_removed(context, "call"))):
        yield from removed
        return
    lines = []
    for spot in spots:
        source = context.source(spot.path)
        statement = source.statement(spot.node) if spot.node is not None else None
        if isinstance(statement, ast.Expr) and statement.value is spot.node:
            lines.append((spot.path, source.first_line(statement) + 1, source.last_line(statement)))
    if not lines:
        if not spots:
            refuse_missing_call(context)
        yield _unwrapped(context, spots)
        return
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = sorted(dict.fromkeys(lines), key=lambda item: (item[0], -item[1]))
    calls = [call("delete_statements", place=line_range(*lines)) for lines in ordered]
    one = said_once(context, called_name(spots[0].node))
    if one and len(calls) > 1 and not context.means_all(len(calls)):
        doubts = (*doubts, places_fit(len(calls)))
    yield Built(tuple(calls), 0.95, doubts)
    if len(calls) > 1 and not context.reading.everywhere:
        for call_node in calls[:2]:
            yield Built((call_node,), 0.2, (f"one of {len(calls)} calls",))


def _unwrapped(context: Context, spots: list[Anchor]) -> Built:
    """In place of calls whose values are used, what they are given: `x` for `str(x)` and for `x.strip()`. A
    statement that would set a name to itself goes."""
    edits: dict[tuple[str, int, int, str], Operation] = {}
    for anchor in spots:
        source = context.source(anchor.path)
        given = _given(context, anchor)
        if given is None or not isinstance(anchor.node, ast.Call):
            raise Unresolved("what it returns is used")
        old, new = source.segment(anchor.node), source.segment(given)
        holder = source.statement(anchor.node)
        if holder is not None and _sets_itself(holder, anchor.node, given):
            lines = place(context, replace(anchor, node=holder))
            edits[anchor.path, -source.first_line(holder) - 1, 0, ""] = call("delete_statements", place=lines)
            continue
        made = call("replace_expression", place=place(context, anchor), old=old, new=new, every=True)
        edits[anchor.path, -anchor.node.lineno, 1, old] = made
    # From the last to the first, so that the lines of the others stay where they are.
    ordered = tuple(edits[at] for at in sorted(edits, key=lambda at: at[:3]))
    return Built(ordered, 0.9, (assumed("what the call is given was assumed to be what it returns"),))


def _sets_itself(holder: ast.stmt, node: ast.AST, given: ast.expr) -> bool:
    """Whether a statement would be `x = x` with what a call is given in its place."""
    if not isinstance(holder, ast.Assign) or holder.value is not node or len(holder.targets) != 1:
        return False
    target = holder.targets[0]
    return isinstance(target, ast.Name) and isinstance(given, ast.Name) and target.id == given.id


def _given(context: Context, at: Anchor) -> ast.expr | None:
    """The one thing that a call is given."""
    node = at.node
    if not isinstance(node, ast.Call) or node.keywords:
        return None
    if any(isinstance(arg, ast.Starred | ast.GeneratorExp) for arg in node.args):
        return None
    if isinstance(node.func, ast.Attribute) and not node.args:
        return node.func.value
    plain = isinstance(node.func, ast.Name) or _is_of_module(context, at.path, node.func)
    return node.args[0] if plain and len(node.args) == 1 else None


def _is_of_module(context: Context, path: str, func: ast.expr) -> bool:
    """Whether what is called is a function of an imported module: `os.fspath`."""
    if not isinstance(func, ast.Attribute):
        return False
    modules = (imported for imported in context.repo.index.summary(path).imports if not imported.name)
    return ast.unparse(func.value) in {module.alias for module in modules}
