"""A further handler of a `try`; where none stands around what raises the error, a `try` of its own. Handlers
that do the same become one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.families.statements.alike_handlers import alike_handlers
from spark_tui.intent.building.building import Built, build_at, builder, call, combined, of_table, place
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import class_name, exceptions_of
from spark_tui.intent.values.converters.exceptions import class_of_words, failing_statements
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import LOOPS, find_nodes, names_in

_MOST, _LONGEST_NAME = 3, 4


def said_class(context: Context) -> str:
    """The class of errors that is said, by its name or in words."""
    exception_text = context.text("exception").strip("`")
    return class_of_words(exception_text) or exception_text


@builder("add_handler")
def add_handler(context: Context) -> Iterator[Built]:
    spots = failing_statements(context, said_class(context)) if context.has("code") else []
    if not spots:
        yield from of_table(context, "add_handler")
        return
    for spot in spots[:_MOST]:
        fields = {"exception": "{exception:exception}", "handler": "{code:code}"}
        for given, weight, doubts in combined(context, fields, spot):
            made = call("wrap_in_try", place=place(context, spot), **given)
            yield build_at(spot, made, weight=weight, doubts=doubts)


def names_a_value(context: Context) -> bool:
    """Whether the words of a message name what it is to show (*the path*, *naming the slot*)."""
    span, words = context.span("message"), context.text("message").lower().split()
    if span is None or context.quote(span) or len(words) > _LONGEST_NAME:
        return False
    return any(word in phrases.words("articles") for word in words[:2]) and not set(
        phrases.words("copulas")
    ) & set(words)


def only_parameter(context: Context) -> list[str]:
    """The one parameter of the function that is named, besides its object."""
    nodes = [area.node for area in context.named if isinstance(area.node, Function)]
    known = [
        [parameter.arg for parameter in parameters(node) if parameter.arg not in ("self", "cls")]
        for node in nodes
    ]
    return known[0] if known and len(known[0]) == 1 else []


def one_round(context: Context, anchor: Anchor) -> Anchor | None:
    """The body of the only loop of a function, where what fails in one round is not to end the others."""
    text = context.situation.instruction.lower()
    goes_on = context.has("function") and phrases.mentions("on_to_next", text)
    told = goes_on or phrases.any_stands_in(phrases.words("the_others"), text)
    loops = [stmt for stmt in getattr(anchor.node, "body", ()) if isinstance(stmt, LOOPS)] if told else []
    return replace(anchor, node=loops[0].body[0], last=loops[0].body[-1]) if len(loops) == 1 else None


def on_to_next(context: Context, anchor: Anchor, handler: str) -> str:
    """The handler, with a `raise` if the instruction says to raise again. In a loop, with a `continue` if the
    rest of the iteration needs the result of the statement, or if the instruction says to go on."""
    if phrases.mentions("raising_again", context.beside_slots()):
        return f"{handler}\nraise"
    node = anchor.last or anchor.node
    if not isinstance(node, ast.stmt) or isinstance(node, Function | ast.ClassDef):
        return handler
    loop, behind = _rest_of_round(context.source(anchor.path), node)
    goals = [*getattr(node, "targets", ()), getattr(node, "target", None)]
    made = {inner.id for goal in goals for inner in find_nodes(goal, ast.Name)}
    needed = bool(made & {name for item in behind for name in names_in(item)})
    goes_on = isinstance(loop, ast.For) and phrases.mentions("on_to_next", context.situation.instruction)
    called = [inner for item in behind for inner in find_nodes(item, ast.Call)]
    waits = any("sleep" in ast.unparse(inner.func) for inner in called)  # and so has to be reached
    leaves = handler.startswith(("return", "raise"))
    if not behind or waits or leaves or not (needed or goes_on):
        return handler
    steps = _steps(context.source(anchor.path), loop, node, behind) if isinstance(loop, ast.While) else []
    return "\n".join([*([] if handler == "pass" else [handler]), *steps, "continue"])


def _steps(source: Source, loop: ast.While, node: ast.stmt, behind: list[ast.stmt]) -> list[str]:
    """What counts the rounds of a loop after what failed, without which it would go on with the same for
    ever."""
    read = names_in(loop.test) | names_in(node)
    counts = [
        stmt for stmt in behind if isinstance(stmt, ast.AugAssign) and isinstance(stmt.value, ast.Constant)
    ]
    return [source.segment(count) for count in counts if names_in(count.target) & read]


def _rest_of_round(source: Source, node: ast.stmt) -> tuple[ast.stmt | None, list[ast.stmt]]:
    """The loop around a statement, and what stands after it up to the end of the round."""
    behind: list[ast.stmt] = []
    inner = node
    for outer in source.ancestors(node):
        if not isinstance(outer, ast.stmt) or isinstance(outer, Function):
            break
        behind += source.following(inner)
        if isinstance(outer, ast.For | ast.While):
            return outer, behind
        inner = outer
    return None, []


def shown_failure(context: Context, log: str, subject: str) -> tuple[str, str]:
    """The call that logs, or prints, that something has failed, and the name of the error in it."""
    if re.search(r"(?<!\w)print(?!\w)", context.beside_slots()):
        return f'print(f"{subject} failed: {{error}}")', "error"
    if log.endswith(".exception"):
        return f'{log}("{subject} failed")', ""
    return f'{log}("{subject} failed: %s", error)', "error"


def subject_of(anchor: Anchor) -> str:
    """What the log of a failure says has failed."""
    node = anchor.node
    if isinstance(node, Function):
        return node.name.strip("_").replace("_", " ")
    calls = list(find_nodes(node, ast.Call)) if node is not None else []
    return ast.unparse(calls[0].func) if calls else "this"


def refuse_wrapped(context: Context) -> None:
    """Refuse a `finally` with the code that is to be tried: `wrap x() in a try/finally`."""
    span, text = context.span("code"), context.situation.instruction
    before = re.findall(r"[^\W\d_]+", text[: span.start] if span is not None else "")
    idle = {*phrases.words("articles"), *phrases.words("kinds")}
    if any(phrases.mentions("wraps", word) for word in [item for item in before if item not in idle][-1:]):
        raise Unresolved("the instruction does not say what is always done")


@builder("merge_handlers")
def merge_handlers(context: Context) -> Iterator[Built]:
    """The handlers of the named classes, or each group in a place."""
    told = [one.text for one in context.reading.slots.get("exception", ())]
    said = {key(class_name(word)) for text in told for word in re.findall(r"\w+", text)}
    found = []
    for area, _, root in context.trees():
        for run in alike_handlers(root):
            caught = (name for one in run for name in exceptions_of(one.type))
            found.append((len(said & {key(name.rpartition(".")[2]) for name in caught}), area, run[0]))
    most = max((count for count, *_ in found), default=0)
    named = [(area, first) for count, area, first in found if count == most]
    for area, first in named:
        weight = context.near_node(area.path, first) / len(named)
        yield build_at(area, call("merge_handlers", place=f"{area.path}:{first.lineno}"), weight=weight)
    if not found:  # the operation says why
        for area, _, root in context.trees():
            if any(isinstance(node, ast.ExceptHandler) for node in ast.walk(root)):
                yield build_at(area, call("merge_handlers", place=area.place))
