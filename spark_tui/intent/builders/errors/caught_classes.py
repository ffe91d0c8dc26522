"""What a handler catches in place of what it catches now, and errors where a `try` stands already: *return 2
on LoanError* changes the handler of LoanError."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.builders.control_flow.removed_else import remove_else
from spark_tui.intent.building.building import (
    Built,
    build_at,
    builder,
    call,
    filled,
    found,
    of_table,
    place,
    word,
)
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.branches_said import owner_of_else
from spark_tui.intent.context.lookup import key
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Option, Unresolved
from spark_tui.intent.finders.blocks import class_name, exceptions_of
from spark_tui.intent.finders.described import ordinal_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.doubts import DoubtKind, not_said, without
from spark_tui.pysource.source import Function, docstring

_UNSAID = not_said("the error to catch was not given")
_AT = frozenset(phrases.words("in_a_line"))
_AT_LINES = frozenset((*phrases.words("lines"), "the", "return", "please", "thanks", "instead"))
_ENDS = (ast.Return, ast.Pass, ast.Continue, ast.Break)
_TRY = re.compile(r"(?<!\w)try(?!\w)")
_ALL = frozenset(("Exception", "BaseException"))


@builder("set_except")
def set_except(context: Context) -> Iterator[Built]:
    """What is caught instead of all that a handler catches, or of the one of its classes that is named."""
    for anchor in _handlers(context):
        node = anchor.node
        assert isinstance(node, ast.ExceptHandler)
        old = key(class_name(context.text("old"))).rpartition(".")[2]
        now = exceptions_of(node.type)
        for option in filled(context, "{exception:exception}", anchor) or _unsaid(now):
            new = option.text.strip("()").split(", ")
            if old in [key(text.rpartition(".")[2]) for text in now]:
                each = [new if key(text.rpartition(".")[2]) == old else [text] for text in now]
                new = list(dict.fromkeys(item for part in each for item in part))
            elif set(now) <= set(new):
                new = list(dict.fromkeys((*now, *new)))  # no more than added
            made = call(
                "set_except",
                place=word(context, "line", anchor),
                new=f"({', '.join(new)})" if len(new) > 1 else new[0],
            )
            doubts = (*anchor.doubts, *option.doubts, *([] if old else _unlike(now, new)))
            yield Built((made,), anchor.weight * option.weight, doubts)


@builder("unwrap_try")
def unwrap_try(context: Context) -> Iterator[Built]:
    """What is named is caught no more: a class that is caught with others, or a handler beside others. A
    `try` goes that is named, or that has no other handler; of *the try-else* only the `else`."""
    if owner_of_else(context.situation.instruction)[0] == "try":
        yield from remove_else(context)
        return
    spots = _handlers_named(context)
    made = list(_no_more(context, spots))
    if made or not spots:
        yield from made or of_table(context, "unwrap_try")
        return
    for anchor in spots:
        node = context.source(anchor.path).parents[anchor.node] if anchor.node else None
        yield build_at(anchor, call("unwrap_try", place=word(context, "line", replace(anchor, node=node))))


def _handlers_named(context: Context) -> list[Anchor]:
    """The handlers that are named by a class, or by their place, unless the whole `try` is."""
    said = context.beside_slots().lower()
    by_kind = phrases.any_stands_in(phrases.table()["handler_branch"]["said"], said)
    if _TRY.search(said) or not (by_kind or context.has("exception")):
        return []
    spots = anchors(context, "handler:exception")
    if not spots and context.has("exception"):
        every = [exceptions_of(getattr(one.node, "type", None)) for one in anchors(context, "handler")]
        wide = any(not caught or _ALL & {*caught} for caught in every)
        none = f"nothing catches {context.text('exception')} there"
        raise Unresolved(none, nothing=bool(context.named) and not wide)
    at = ordinal_in(said) if by_kind else None
    if at is None or not context.named:
        return spots
    if phrases.any_stands_in(phrases.words("every"), said):
        raise Unresolved("which of the handlers are meant was not understood")
    if at >= len(spots):
        raise Unresolved(f"there are no more than {len(spots)} handlers")
    spots.sort(key=lambda one: getattr(one.node, "lineno", 0))
    return [replace(one, weight=0.9, doubts=without(one.doubts, DoubtKind.PLACES)) for one in spots[at:][:1]]


def _no_more(context: Context, spots: list[Anchor]) -> Iterator[Built]:
    named = key(class_name(context.text("exception"))).rpartition(".")[2]
    for anchor in spots:
        source, node = context.source(anchor.path), anchor.node
        assert isinstance(node, ast.ExceptHandler)
        now = exceptions_of(node.type)
        left = [text for text in now if key(text.rpartition(".")[2]) != named]
        around = source.parents[node]
        if left and len(left) < len(now):
            new = f"({', '.join(left)})" if len(left) > 1 else left[0]
            yield build_at(anchor, call("set_except", place=word(context, "line", anchor), new=new))
        elif isinstance(around, ast.Try) and len(around.handlers) > 1:
            yield build_at(anchor, call("delete_statements", place=place(context, anchor)))


def _unlike(now: list[str], new: list[str]) -> Iterator[str]:
    """A doubt where builtin classes would be caught that have nothing to do with those caught now."""
    old, kinds = (
        [kind for name in names if isinstance(kind := getattr(builtins, name, None), type)]
        for names in (now, new)
    )
    related = any(issubclass(kind, item) or issubclass(item, kind) for kind in kinds for item in old)
    if len(old) == len(now) > 0 and len(kinds) == len(new) and not related:
        yield f"{', '.join(now)} would not be caught any more"


def _handlers(context: Context) -> list[Anchor]:
    """The handlers that are meant: those on a line whose number is said, and bare ones where no class is."""
    known = found(context, "handler:old", "except")
    rows = {int(item) for item in re.findall(r"(?<![\w.])\d+", context.situation.instruction)}
    here = [item for item in known if getattr(item.node, "lineno", 0) in rows]
    bare = [item for item in known if isinstance(item.node, ast.ExceptHandler) and item.node.type is None]
    return here or (known if context.has("exception") else bare)


def _unsaid(now: list[str]) -> list[Option]:
    """What a bare `except` of which a linter tells catches from then on: all but an end of the program."""
    return [] if now else [Option("Exception", 0.9, (_UNSAID,))]


def returned_otherwise(context: Context, spots: list[Anchor]) -> Iterator[Built]:
    """Another result of a `return` that is only named as the place, so that nothing says that it may fail:
    `in line 4 return 0`."""
    beside = context.beside_slots().lower()
    ways = (set(re.findall(r"[^\W\d_]+", text)) for text in (beside, beside.partition(":")[2]))
    if context.has("exception") or not any(said & _AT and said <= _AT | _AT_LINES for said in ways):
        return
    for anchor in spots:
        for option in filled(context, "{result:value}", anchor) or ():
            if isinstance(anchor.node, ast.Return) and anchor.last in (None, anchor.node):
                made = call("replace_statements", place=place(context, anchor), code=f"return {option.text}")
                yield build_at(anchor, made, option=option)


def returned_there(context: Context) -> Iterator[Built]:
    """The handlers of the named error with another result, unless a further `try` is asked for."""
    text = context.situation.instruction
    if not context.has("exception") or context.has("code"):
        return
    if phrases.mentions("wraps", text) or re.search(r"(?<!\w)try(?!\w)", text):
        return
    for anchor in anchors(context, "handler:exception"):
        node = anchor.node
        if not isinstance(node, ast.ExceptHandler) or anchor.weight < 1:
            continue
        last = node.body[-1]
        if isinstance(last, ast.Raise):
            continue
        others = len(exceptions_of(node.type)) > 1
        doubts = (f"the handler catches {ast.unparse(node.type)}",) if others and node.type else ()
        for option in filled(context, "{result:value}", anchor) or ():
            code = f"return {option.text}"
            if ast.unparse(last) == code:
                raise Unresolved(
                    f"{ast.unparse(node.type) if node.type else 'it'} has that result", nothing=True
                )
            spot = place(context, Anchor(anchor.area, last))
            if isinstance(last, _ENDS):
                made = call("replace_statements", place=spot, code=code)
            else:
                made = call("insert_statements", place=spot, code=code, side="after")
            yield build_at(anchor, made, option=option, doubts=doubts)


def caught_besides(
    context: Context, anchor: Anchor, caught: str, handler: str, name: str = ""
) -> Operation | None:
    """What makes the `try` that is all of a function catch further classes. None where there is no such
    `try`, or it catches them already."""
    body = anchor.node.body if isinstance(anchor.node, Function) else []
    if len(body) > 1 and isinstance(anchor.node, Function) and docstring(anchor.node) is not None:
        body = body[1:]
    said = context.has("old" if context.reading.intent == "try_raise" else "exception")
    if not said or len(body) != 1 or not isinstance(body[0], ast.Try):
        return None
    handlers = body[0].handlers
    known = {kind for one in handlers for kind in exceptions_of(one.type)}
    new = [kind for kind in caught.strip("()").split(", ") if kind not in known]
    if not new or not handlers or known & _ALL or any(one.type is None for one in handlers):
        return None
    for one in handlers:
        if [ast.unparse(line) for line in one.body] == [handler]:
            line = word(context, "line", replace(anchor, node=one))
            return call("set_except", place=line, new=f"({', '.join((*exceptions_of(one.type), *new))})")
    line = word(context, "line", replace(anchor, node=body[0]))
    kinds = new[0] if len(new) == 1 else f"({', '.join(new)})"
    return call("add_handler", place=line, exception=kinds, body=handler, name=name)
