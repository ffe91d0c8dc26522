"""An example in a docstring: a call, and below it what it gives, as an interpreter shows it.

Comes in: orders. Goes out: edits. Must not know: models.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.docs.said import Said, name_words
from spark_tui.refactor.docs.tests import calls_in, value_told
from spark_tui.refactor.docs.text import humanised, put_in, replaced, text_of
from spark_tui.refactor.order import Edit, Order, Rule

VOCABULARY = frozenset(
    re.findall(
        r"\S+",
        "add put write insert include new docstring doc string docs documentation doctest doctests test tests example examples usage gives give returns return giving returning equals like such show shows showing with to in -> ==",
    )
)


def _rule(order: Order) -> Iterator[Edit]:
    src = order.src
    found = calls_in(src, order.said)
    if len({one[3] for one in found}) != 1:
        return
    name, start, end, call = found[-1]
    value = value_told(order.said[:start], order.said[end:])
    functions = [one for one in src.functions if one.name == name]
    if (
        value is None
        or len(functions) != 1
        or re.search(r"\b(?:remove|delete|change|replace|drop)\b", order.said, re.I)
    ):
        return
    try:
        shown = repr(ast.literal_eval(value))
    except (ValueError, SyntaxError):
        return
    old = text_of(functions[0])
    if old is not None and f">>> {call}" in old:
        return
    head = (old or humanised(name)).rstrip()
    indent = src.indent(functions[0]) + src.step
    lines = [line.removeprefix(indent) for line in head.split("\n")]
    gap = [] if re.search(r">>> .*\n.*$", head) else [""]
    text = "\n".join([*lines, *gap, f">>> {call}", *([shown] if value != "None" else [])])
    made = replaced(src, functions[0], text) if old is not None else put_in(src, functions[0], text)
    if made:
        said = Said(order, VOCABULARY)
        yield order.edit(made, *said.understood, name, *name_words(name), call, value)


RULES: tuple[Rule, ...] = (Rule(re.compile(r"\bdoc ?tests?\b|\bexamples?\b", re.I), _rule),)
