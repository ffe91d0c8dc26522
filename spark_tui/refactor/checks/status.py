"""What another machine answered is looked at: *check the status of the response*, *raise on http errors*.

Comes in: an order. Goes out: edits that call `raise_for_status` behind the request. Must not know: how an edit is weighed.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.checks.put import put
from spark_tui.refactor.checks.read import Reading
from spark_tui.refactor.order import Edit, Order, Rule

_CHECK = re.compile(
    r"\braise[_ ]for[_ ]status(?:\(\))?|\b(?:check|verify|look at|validate|test) (?:the )?(?:http )?(?:status(?: code)?|response|reply)(?: (?:code|status))?\b|\b(?:raise|fail|throw|crash|complain|notice)s? (?:an? (?:error|exception) )?(?:on|for|with|when|if) (?:the |an? |any )?(?:http errors?|(?:bad|wrong|error|non-?200|4xx|5xx) (?:http )?(?:status(?:es)?(?: codes?)?|responses?|repl(?:y|ies)|answers?|codes?)|(?:status|response|request) is (?:not ok|bad|an error|not 200)|(?:the )?request fails|404s?|500s?)",
    re.I,
)
_SAID = "raise for status call add use check verify look validate test http error errors response request requests reply code after before behind every each all the of in an a it should must needs to with on when if bad is not ok so we notice also please result results there from does fails fail get gets"
_ASKED = re.compile(r"^(?:requests|httpx|session|client|s|self\.session|self\.client|self\._session)\.(?:get|post|put|delete|patch|request|head)$")  # fmt: skip


def _checks(order: Order) -> Iterator[Edit]:
    src, reading = order.src, Reading(order)
    if re.search(r"\b(?:remove|delete|drop|instead|catch|except|return|if \w+ is None)\b", order.said, re.I):
        return
    if reading.take(_CHECK) is None:
        return
    functions = reading.functions()
    if not reading.named and reading.strangers():
        return
    changes = []
    for node in src.nodes:
        if not isinstance(node, ast.Assign) or not isinstance(node.value, ast.Call) or len(node.targets) != 1:
            continue
        name = node.targets[0]
        inside = src.function_of(node)
        if not isinstance(name, ast.Name) or not _ASKED.search(ast.unparse(node.value.func)):
            continue
        if reading.named and inside not in functions:
            continue
        if f"{name.id}.raise_for_status" in (src.segment(inside) if inside else src.text):
            continue
        changes.append((put(src, src.last_line(node), [f"{src.indent(node)}{name.id}.raise_for_status()"]), name.id))
    every = re.search(r"\b(?:every|each|all|requests|responses|everywhere)\b", order.said, re.I)
    if len(changes) == 1 or (every and changes):
        yield order.edit(
            [one for one, _ in changes],
            *reading.used,
            _SAID,
            *(name for _, name in changes),
            "every each all everywhere",
        )
    else:
        for change, holder in changes:
            yield order.edit([change], *reading.used, _SAID, holder)


RULES: tuple[Rule, ...] = (Rule(_CHECK, _checks),)
