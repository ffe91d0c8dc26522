"""Calls that print or log a message where a condition holds, and then return, go on or exit."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from spark_tui.codemods.registry import Operation
from spark_tui.codemods.rewriting.edits import is_same_tree
from spark_tui.intent.builders.control_flow.guard_spots import guard_spot, names_tested
from spark_tui.intent.builders.control_flow.guards import conditions_of, find_functions_to_guard
from spark_tui.intent.builders.control_flow.returned_early import return_options
from spark_tui.intent.builders.statements.logged_raises import logger_of
from spark_tui.intent.building.building import Built, builder, call, filled, place, word
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import drafted, not_said, places_fit
from spark_tui.intent.words.kinds_of_words import kind_said, says
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import LEAVING, LOOPS, find_nodes, walk


@dataclass(frozen=True)
class _Exit:
    """How the program goes on after the message."""

    code: str
    weight: float = 1.0
    doubts: tuple[str, ...] = ()


@builder("guard_message")
def guard_message(context: Context) -> Iterator[Built]:
    count = 0
    for anchor, options in _places(context):
        for condition in [option for option in options if "_" not in names_tested(option.text)]:
            inner = _loop_of(anchor, condition.text)
            spot = replace(anchor, node=inner) if inner is not None else anchor
            for message in _messages(context, anchor):
                shown, extra, guessed = written_message(context, anchor, message.text)
                for way in _ways(context, spot):
                    made = _guard(context, spot, condition.text, shown, way.code)
                    if made is None:
                        continue
                    count += 1
                    weight = anchor.weight * condition.weight / options[0].weight
                    weight *= message.weight * way.weight
                    doubts = (*anchor.doubts, *condition.doubts, *message.doubts, *guessed, *way.doubts)
                    # An import moves all lines, so that it is made last.
                    yield Built((made, *extra), weight, doubts)
    if not count:
        raise Unresolved("there is no place where that can be done")


def _messages(context: Context, anchor: Anchor) -> list[Option]:
    """The texts that may be shown; *print something* gives none."""
    told = context.span("message")
    open_text = told is not None and not told.quoted and _is_no_text(context, anchor, told.text)
    return (filled(context, "{message:message}", anchor) if not open_text else []) or _unsaid_message(
        context, anchor
    )


def _is_no_text(context: Context, anchor: Anchor, text: str) -> bool:
    """Whether words are no text to be shown: *something*, or a value that is there: *the path*."""
    bare = phrases.without_articles(text)
    known = bare != text.strip() and context.visible(anchor.path, anchor.node).expression(bare) is not None
    return known or text.lower() in phrases.words("no_names")


def _unsaid_message(context: Context, anchor: Anchor) -> list[Option]:
    """The words of the condition as the message, where none is given."""
    words = phrases.without_articles(context.text("condition").strip("`'\" "))
    told = re.sub(r"\A(?:if|when|there (?:is|are)) ", "", words)
    shown = literal(told, context.source(anchor.path))
    return [Option(shown, 0.8, (drafted("the message was made from the condition"),))]


def _places(context: Context) -> list[tuple[Anchor, list[Option]]]:
    """Where the condition means something: the functions that use what it looks at, or the top of a file."""
    if not context.has("condition"):
        raise Unresolved("the instruction names no condition")
    out: list[tuple[Anchor, list[Option]]] = []
    for area, source, root in context.trees() if not context.named else ():
        bare = Anchor(area, None, 0.9 * area.weight, area.doubts)
        options = conditions_of(context, bare)
        looked = {item for item in names_tested(options[0].text) if "." in item} if options else set()
        users = [inner for inner in find_nodes(root, ast.Attribute) if ast.unparse(inner) in looked]
        for function in dict.fromkeys(source.function_of(user) for user in users):
            node = function or next((each for user in users if (each := _top(source.tree, user))), None)
            if node is not None:
                out.append((replace(bare, node=node), options))
    scale = len(out)
    several = (places_fit(scale),) if scale > 1 else ()
    out = [(replace(one, weight=one.weight / scale, doubts=several), two) for one, two in out]
    return out or find_functions_to_guard(context)


def _top(tree: ast.AST | None, node: ast.AST) -> ast.stmt | None:
    """The statement at the top of a file, or of its main block, in which a node stands."""
    rows = list(getattr(tree, "body", ()))
    rows += [
        stmt
        for row in rows
        if isinstance(row, ast.If) and "__name__" in ast.unparse(row.test)
        for stmt in row.body
    ]
    return next((row for row in reversed(rows) if any(inner is node for inner in walk(row))), None)


def _loop_of(anchor: Anchor, condition: str) -> ast.AST | None:
    """The innermost loop of a function outside of which a name of the condition is not set."""
    names = names_tested(condition)
    function = anchor.node if isinstance(anchor.node, Function) else None
    loops = [node for node in walk(function) if isinstance(node, LOOPS)] if function is not None else []
    return next((loop for loop in reversed(loops) if function and names & _only(loop, function)), None)


def _only(loop: ast.AST, function: ast.AST) -> set[str]:
    """The names that are set in a loop and nowhere else in its function."""
    inside = set(walk(loop))
    sets = [node for node in find_nodes(function, ast.Name) if isinstance(node.ctx, ast.Store)]
    outside = {node.id for node in sets if node not in inside}
    return {node.id for node in sets if node in inside} - outside


def written_message(
    context: Context, anchor: Anchor, message: str
) -> tuple[str, tuple[Operation, ...], tuple[str, ...]]:
    """The statement that writes the message: printed, on the error stream, or logged."""
    other_words = context.beside_slots()
    level = phrases.level(context.text("level")) if context.has("level") else None
    logged = says("leaving", "logged", other_words) and not says("leaving", "shown", other_words)
    if level or logged:
        name, extra = logger_of(context, anchor.path)
        return (
            f"{name}.{level or 'warning'}({message})",
            extra,
            () if level else (not_said("the level was not given"),),
        )
    if says("leaving", "errors", other_words):
        return f"print({message}, file=sys.stderr)", (), ()
    return f"print({message})", (), ()


def _ways(context: Context, anchor: Anchor) -> list[_Exit]:
    """What is done after the message: as said, or what the place lets expect."""
    other_words = context.beside_slots()
    kind = kind_said("leaving", _without_messages(other_words))
    loops = isinstance(anchor.node, LOOPS)
    result = context.text("result").strip("`'\"")
    kind = kind or kind_said("leaving", result)
    told = re.search(r"\d+", result)
    code = told[0] if told is not None else phrases.number(result) if result else None
    if kind == "exit" or result.startswith(("sys.exit", "exit(")):
        text = result if result.startswith("sys.exit(") else f"sys.exit({code or '1'})"
        return [_Exit(text, 1.0, () if code or "(" in result else (not_said("the exit code was not given"),))]
    inside = isinstance(anchor.node, Function) or loops
    if kind == "continue" and loops:
        return [_Exit("continue")]
    if not inside:
        return [
            _Exit(
                f"sys.exit({code or '1'})",
                0.9,
                () if kind else (not_said("what happens next was not given"),),
            )
        ]
    doubts = () if kind or context.has("result") else (not_said("what happens next was not given"),)
    if loops and not kind and not context.has("result"):
        return [_Exit("continue", 0.9, doubts), _Exit("return", 0.4, doubts)]
    outer = replace(anchor, node=context.enclosing(anchor.path, anchor.node)) if anchor.node else anchor
    return [
        _Exit(f"return {item.text}".strip(), item.weight, (*item.doubts, *doubts))
        for item in return_options(context, outer)
    ]


def _without_messages(text: str) -> str:
    """An instruction without the words for writing, which tell nothing of how it goes on."""
    shown = sorted(
        (item for kind in ("shown", "logged", "errors") for item in phrases.table()["leaving"][kind]), key=len
    )
    for one in reversed(shown):
        text = text.replace(one, " " * len(one))
    return text


def _guard(context: Context, anchor: Anchor, condition: str, shown: str, leaving: str) -> Operation | None:
    """The call that puts the guard at the start of a function or round, or after what sets its names.

    Where the condition is asked already, only the message is put in front of what leaves."""
    owner = anchor.node
    code = f"if {condition}:\n    {shown}\n    {leaving}"
    if owner is None:
        return None
    asked = ast.parse(condition, mode="eval").body
    for node in find_nodes(owner, ast.If):
        if is_same_tree(node.test, asked) and isinstance(node.body[-1], LEAVING):
            spot = place(context, replace(anchor, node=node.body[-1]))
            return call("insert_statements", place=spot, code=shown, side="before")
    if not isinstance(owner, Function | ast.For | ast.AsyncFor | ast.While):
        return call("insert_statements", place=place(context, anchor), code=code, side="before")
    beside, side = guard_spot(context, anchor, condition)
    if beside is not None:
        spot = place(context, replace(anchor, node=beside))
        return call("insert_statements", place=spot, code=code, side=side)
    if isinstance(owner, Function):
        return call("insert_statements", place=word(context, "in", anchor), code=code, side="start")
    first = replace(anchor, node=owner.body[0])
    return call("insert_statements", place=place(context, first), code=code, side="before")
