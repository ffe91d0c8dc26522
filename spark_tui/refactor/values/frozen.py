"""Flags of a dataclass, as people say them: *the dataclass should be frozen*.

Comes in: an `Order`. Goes out: edits of one decorator each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.values.asked import asked

_FLAGS = re.compile(r"\b(?P<flag>frozen|slots|order|kw_only|keyword[- ]only|slotted|immutable|orderable)\b", re.I)
_FLAG_NAMES = {
    "keyword-only": "kw_only",
    "keyword only": "kw_only",
    "slotted": "slots",
    "immutable": "frozen",
    "orderable": "order",
}


def _dataclass(order: Order) -> Iterator[Edit]:
    """*the dataclass should be frozen*."""
    about = asked(order)
    match = _FLAGS.search(about.text)
    if (
        match is None
        or len(about.text) > 80
        or re.search(r"\b(?:not|unfrozen|remove|drop|without|no)\b", about.text, re.I)
    ):
        return
    flag = _FLAG_NAMES.get(match["flag"].lower(), match["flag"].lower())
    src = about.order.src
    found = []
    for node in src.classes:
        for decorator in node.decorator_list:
            name = decorator.func if isinstance(decorator, ast.Call) else decorator
            if src.segment(name) in ("dataclass", "dataclasses.dataclass") and (
                not about.here
                or about.first <= src.first_line(node) < about.last
                or src.first_line(node) <= about.first < src.last_line(node)
            ):
                found.append((node, decorator))
    named = [one for one in found if re.search(rf"\b{re.escape(one[0].name)}\b", order.said)]
    found = named or (found if re.search(r"\bdataclass\b", about.text, re.I) else [])
    if len(found) != 1:
        return
    node, decorator = found[0]
    used = (match[0], node.name, "dataclass make should be mark pass frozen true add use set instances objects class")
    if not isinstance(decorator, ast.Call):
        end = src.span(decorator)[1]
        yield about.edit([(end, end, f"({flag}=True)")], *used)
    elif not any(one.arg == flag for one in decorator.keywords):
        end = src.span(decorator)[1] - 1
        yield about.edit([(end, end, f"{', ' if decorator.keywords else ''}{flag}=True")], *used)


RULES = (Rule(_FLAGS, _dataclass),)
