"""An exception in the place of what only told or gave back: *raise KeyError instead of printing*.

Comes in: an order. Goes out: edits that raise where the code printed or returned. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import text_literal
from spark_tui.refactor.checks.read import EXCEPTION, Reading
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change

_INSTEAD = re.compile(
    r"\b(?:instead of|rather than|not|replace|change|turn)\s+(?:just\s+|only\s+|the\s+)?(?:(?P<print>print(?:ing|s)?(?: (?:it|the message|a message|an error|something))?)|(?:return(?:ing|s)?|the return)\s*(?P<v>None|False|True|-?\d+|nothing|an? empty \w+|\[\]|\{\}|\"[^\"]*\")?)(?:\s+(?:with|by|into|to))?",
    re.I,
)
_SAID = "raise raises raising throw throws should must has to a an the in it exception error with message instead of and print statement there"


def _raises(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    instead = reading.take(_INSTEAD)
    if instead is None:
        return
    message = reading.message()
    exception = reading.exception()
    if exception is None or EXCEPTION.search(reading.rest):
        return
    name, args = exception
    functions = reading.functions()
    if not reading.named and reading.strangers():
        return
    for node in src.statements:
        inside = [one for one in functions if src.first_line(one) <= src.first_line(node) < src.last_line(one)]
        if not inside:
            continue
        if (
            instead["print"]
            and isinstance(node, ast.Expr)
            and isinstance(node.value, ast.Call)
            and ast.unparse(node.value.func) == "print"
        ):
            call = node.value
            if message is None and args is None and (len(call.args) != 1 or call.keywords):
                continue
            told = (
                f"({args})"
                if args
                else f"({text_literal(src, message)})"
                if message
                else f"({src.segment(call.args[0])})"
            )
            changes: list[Change] = [(*src.span(node), f"raise {name}{told}")]
            block = src.block(node)
            behind = block[block.index(node) + 1 :]
            if (
                behind
                and isinstance(behind[0], ast.Return)
                and (behind[0].value is None or ast.unparse(behind[0].value) == "None")
            ):
                changes.append((*src.line_span(src.first_line(behind[0]), src.last_line(behind[0])), ""))
            elif not reading.named and not any(
                isinstance(one, ast.If | ast.ExceptHandler) for one in src.ancestors(node)
            ):
                continue
            yield order.edit(changes, *reading.used, name, _SAID)
        elif not instead["print"] and isinstance(node, ast.Return) and (message is not None or args):
            given = ast.unparse(node.value) if node.value is not None else "None"
            wanted = "None" if (instead["v"] or "None").lower() in ("nothing", "none") else instead["v"]
            if given == wanted:
                told = f"({args})" if args else f"({text_literal(src, message or '')})"
                yield order.edit([(*src.span(node), f"raise {name}{told}")], *reading.used, name, _SAID)


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\b(?:instead of|rather than|not|replace|change|turn)\b.*\b(?:print|return)|\b(?:print|return)\w*\b.*\b(?:raise|throw)",
            re.I,
        ),
        _raises,
    ),
)
