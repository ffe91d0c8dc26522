# ruff: noqa: E501 - forms read better unbroken
"""An exception of one's own in the place of a built-in one: *replace the ValueErrors with a custom FrameError(ValueError)*.

Comes in: an order. Goes out: edits that write the class and raise it. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.source import Change, Function

_KIND = r"(?:(?:an?|our|my|own|its|custom|new|dedicated|special|proper|exception|error|class|type|called|named|module|of)\s+)*"
_NEW = rf"{_KIND}`?(?P<name>[A-Z]\w*)(?:\((?P<base>[A-Z]\w*)\))?`?(?:\s+\(?(?:exception|error|class|(?:that\s+|an?\s+)?(?:inherits|derived|deriving|inheriting|subclass\w*)\s+(?:from|of)\s+(?P<from>[A-Z]\w*))\)?)*"
_OLD = r"(?:the\s+|all\s+|both\s+|every\s+|each\s+|a\s+|an\s+|plain\s+|bare\s+|built-?in\s+|those\s+|these\s+)*`?(?P<old>[A-Z]\w*?(?:Error|Exception|Exit))s?`?(?:\s+(?:raises?|exceptions?|here))?"
_PLACE = r"(?:\s+(?:at the top(?: of the (?:file|module))?|at module level|in this (?:file|module)|up top|first))?"
_WHERE = r"(?:\s+(?:there|everywhere|throughout|(?:in|at|on)\s+(?:both|all(?: of)?(?: the)?|each of the|these|those|the)\s*(?P<n>two|three|four|five)?\s*(?:spots?|places?|cases?|raises?|functions?)))?"
_FORMS = tuple(
    re.compile(rf"^{form}{_WHERE}\W*$", re.I)
    for form in (
        rf"(?:replace|change|swap)\s+{_OLD}\s+(?:with|by|for|to|into)\s+{_NEW}",
        rf"(?:turn|convert|make)\s+{_OLD}\s+(?:into\s+|to\s+)?{_NEW}",
        rf"(?:define|add|create|introduce|make|write|have)\s+{_NEW}{_PLACE}\s*(?:,|;|\band\b|,\s*and|then)+\s*(?:raise|use|throw)\s+(?:it|that|this)(?:\s+(?:instead\s+of|in\s+place\s+of|rather\s+than|for)\s+{_OLD})?",
        rf"(?:raise|throw|use)\s+(?=(?:an?|our|my)\s+(?:own|custom|new|dedicated)\b|\S+\(){_NEW}\s+(?:instead\s+of|in\s+place\s+of|rather\s+than)\s+{_OLD}",
    )
)
_COUNTS = {"both": 2, "two": 2, "three": 3, "four": 4, "five": 5}


def custom(order: Order) -> Iterator[Edit]:
    src = order.src
    match = next((match for form in _FORMS if (match := _case(form, order.said))), None)
    if match is None or src.tree is None:
        return
    parts, name = match.groupdict(), match["name"]
    if name in order.identifiers or hasattr(builtins, name):
        return
    raised = [
        target
        for node in src.nodes
        if isinstance(node, ast.Raise) and node.exc is not None
        and isinstance(target := node.exc.func if isinstance(node.exc, ast.Call) else node.exc, ast.Name)
    ]  # fmt: skip
    old = parts.get("old")
    base = match["base"] or match["from"]
    kinds = {node.id for node in raised}
    old = old or (base if base in kinds else kinds.pop() if len(kinds) == 1 else None)
    places = [node for node in raised if node.id == old]
    wanted = next(
        (count for word, count in _COUNTS.items() if re.search(rf"\b{word}\b", order.said, re.I)), len(places)
    )
    caught = any(
        isinstance(node, ast.ExceptHandler) and node.type is not None and str(old) in ast.unparse(node.type)
        for node in src.nodes
    )
    if not places or len(places) != wanted or (caught and base != old):
        return
    body = [node for node in src.tree.body if node in src.statements]
    first = next((node for node in body if isinstance(node, Function | ast.ClassDef)), None)
    if first is None:
        return
    at = src.first_line(first)
    while at and src.lines[at - 1].startswith("#"):
        at -= 1
    start = src.starts[at]
    text = f"class {name}({base or 'Exception'}):\n{src.step}pass\n\n\n"
    changes: list[Change] = [(start, start, text), *((*src.span(node), name) for node in places)]
    yield order.edit(changes, order.said)


def _case(form: re.Pattern[str], said: str) -> re.Match[str] | None:
    """A match in which what should be a class is written as one."""
    match = form.match(said)
    names = (
        [one for key, one in match.groupdict().items() if key in ("name", "base", "from", "old") and one]
        if match
        else []
    )
    return match if names and all(one[0].isupper() for one in names) else None


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"(?:Error|Exception)s?\b|\bexceptions?\b|\braise\b", re.I), custom),
)  # fmt: skip
