"""What is returned on an error that is caught already: *return 2 on LoanError* changes its handler."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built, build_at, call, filled, place
from spark_tui.intent.context.anchors import Anchor, anchors
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Unresolved
from spark_tui.intent.finders.blocks import exceptions_of
from spark_tui.intent.words import phrases

_ENDS = (ast.Return, ast.Pass, ast.Continue, ast.Break)


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
