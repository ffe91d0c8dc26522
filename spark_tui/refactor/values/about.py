"""Whether a value that an order brings is for what it speaks about, and whether it is one at all.

Comes in: an order, lines. Goes out: yes or no. Must not know: slots, literals.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.order import Order

COMPUTED = re.compile(r"\d\s*(?:\*\*?|//)\s*\w|\w\s*(?:\*\*|//)\s*\d")
"""A value that has to be worked out is not the number in it."""
_SUBJECT = re.compile(
    r"(?:the )?`?(\w+)`?(?:\(\))?(?: function| method| class)? (?:should|must|needs? to|has to) (?:have|take|get)\b"
)
_STARTS = re.compile(r"\bstarts? (?:with|at|from|out)\b")
_TESTS = re.compile(r"\s*(?:while|if|elif|assert)\b")
_ON_RESULT = re.compile(r"\bonly (?:on|for|with) (?:code|status|error|exit|result)\b")
_OF = re.compile(r"\bfor (?:the|an?) (\w+)$")


def is_about(order: Order, lines: list[int]) -> bool:
    """Whether lines are of the definition that the order speaks about: *wait should have a default of 1*, *for the
    enemy*; or call it."""
    low = order.said.lower()
    if _STARTS.search(low):
        for line in lines:
            if _TESTS.match(order.src.lines[line]):
                return False  # what it starts with is set, not tested
        loops = {
            node.target.id
            for node in order.src.nodes
            if isinstance(node, ast.For) and isinstance(node.target, ast.Name)
        }
        if loops & set(re.findall(r"\w+", low)):
            return False
    if _ON_RESULT.search(low):
        return False
    found = _SUBJECT.match(low) or _OF.search(low)
    if found is None:
        return True
    named = [node for node in [*order.src.functions, *order.src.classes] if node.name.lower() == found[1]]
    spans = [(order.src.first_line(node), order.src.last_line(node)) for node in named]
    return not named or all(
        any(first <= line < last for first, last in spans) or f"{named[0].name}(" in order.src.lines[line]
        for line in lines
    )
