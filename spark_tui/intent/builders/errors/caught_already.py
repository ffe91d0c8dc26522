"""Errors where a `try` stands already: *return 2 on LoanError* changes the handler of LoanError, and what no
handler catches goes to one that does the same, or to a new one."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import Built, build_at, call, filled, place, word
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import exceptions_of
from spark_tui.intent.words import phrases
from spark_tui.pysource.source import Function, docstring

_AT = frozenset(phrases.words("in_a_line"))
_AT_LINES = frozenset((*phrases.words("lines"), "the", "return", "please", "thanks", "instead"))
_ENDS = (ast.Return, ast.Pass, ast.Continue, ast.Break)


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


_ALL = frozenset(("Exception", "BaseException"))


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
