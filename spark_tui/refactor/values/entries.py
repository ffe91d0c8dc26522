"""New entries of a dict, said by what they are: *new student Omar with 13 and 14*, *add a medium price of 4.25*.

Comes in: an `Order`. Goes out: edits of one dict each. Must not know: models, hunks.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor import literals
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.values.asked import asked
from spark_tui.refactor.values.items import SAYS_NOTHING, containers, like
from spark_tui.refactor.values.layout import brackets, elements, put_in
from spark_tui.refactor.values.written import in_quotes_of

_ENTRY_TRIGGER = re.compile(r"^(?:add|new|one more|another|put|register)\b.*\d", re.I)
_PRICED = re.compile(
    r"^(?:add |new )(?:an? |the )?(?:new )?(?P<key>[\w.-]+) (?P<role>\w+) (?:of|at|=|:)\s*(?P<values>\u27e6\d+\u27e7)$",
    re.I,
)
_ENTRY = re.compile(
    r"^(?:add |new |one more |another |put in |register )(?:an? |the |one |new |entry )*(?P<role>[\w ]*?)\s*(?P<key>[\w.-]+)\s*(?:with|at|:|=|for|->|costs?|costing)\s+(?:an? |the )?(?P<what>[\w ]*?)\s*(?P<values>\u27e6\d+\u27e7(?:(?:\s*,\s*|\s+and\s+|\s*,\s*and\s+)\u27e6\d+\u27e7)*)(?P<rest>\s+(?:to|in|into)\s+.*)?$",
    re.I,
)


def _entry(order: Order) -> Iterator[Edit]:
    """*new student Omar with 13 and 14*: an entry like those that are there."""
    about = asked(order)
    match = _PRICED.match(about.masked) or _ENTRY.match(about.masked)
    if match is None or any(item.value is None for item in about.items):
        return
    new = [item.source for item in about.items]
    src = about.order.src
    found = []
    roles = [
        word
        for word in re.findall(
            r"\w+", " ".join(match.groupdict().get(one) or "" for one in ("role", "what", "rest")).lower()
        )
        if word not in SAYS_NOTHING
    ]
    for node, slot in containers(about):
        if not isinstance(node, ast.Dict) or len(node.keys) < 2:
            continue
        keys = [key for key in node.keys if isinstance(key, ast.Constant) and isinstance(key.value, str)]
        kinds = {type(value) for value in node.values}
        fit = slot.fits(roles)
        if len(keys) != len(node.keys) or len(kinds) != 1 or fit is None or match["key"] in {key.value for key in keys}:
            continue
        first = node.values[0]
        if isinstance(first, ast.List | ast.Tuple) and all(type(one) is ast.Constant for one in first.elts):
            left, right = ("[", "]") if isinstance(first, ast.List) else ("(", ")")
            value = f"{left}{', '.join(new)}{right}"
        elif (
            isinstance(first, ast.Constant)
            and len(new) == 1
            and isinstance(first.value, str) == isinstance(literals.as_value(new[0]), str)
        ):
            value = new[0]
        else:
            continue
        span = brackets(src, node)
        if span is not None:
            key = (
                like(src.segment(keys[0]), match["key"], [one.value for one in keys], "")
                if not all(str(one.value).isupper() for one in keys)
                else in_quotes_of(src.segment(keys[0]), match["key"])
            )
            found.append((put_in(src, span, elements(src, node), [f"{key}: {value}"]), fit[1]))
    for changes, fits in found if len(found) == 1 else []:
        yield about.edit(
            changes,
            *fits,
            match["key"],
            *(item.said for item in about.items),
            "add new one more another put in register entry with",
        )


RULES = (Rule(_ENTRY_TRIGGER, _entry),)
