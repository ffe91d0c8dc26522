"""The value with which a sum starts: *start with 0.0* where `sum` is called."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.syntax.walking import walk

_SAID = re.compile(
    r"\b(?:start|begin)\w*(?:\s+(?:the\s+)?sum|\s+value|\s+it)?(?:\s+(?:should|must|to)\s+be|\s+is)?"
    r"\s*(?:with|at|from|by|=|be)?\s*`?(?P<value>-?\d[\d.]*|[A-Z]\w*\([^()]*\)|\[\]|\(\))`?"
    r"(?:\s+in\s+[\w.]+)?\W*\Z"
)
_IDLE = ("let", "it", "the", "sum", "in", "should", "must", "please", "and", "with")
"""Words that name nothing else that starts there."""
_OTHERS = (
    "amend.value",
    "set_value",
    "replace_value",
    "set_argument",
    "add_argument",
    "try_return",
    "pattern.sum",
)


def as_started(reading: Reading, situation: Situation) -> Reading:
    """The reading as an argument of the sums, unless it names another variable."""
    said = _SAID.search(situation.instruction)
    variable = reading.text("variable").lower()
    if (
        said is None
        or reading.intent not in _OTHERS
        or variable not in ("", "start", "sum", "start value", "it")
    ):
        return reading
    before = re.sub(r"`[^`]*`", " ", situation.instruction[: said.start()]).lower()
    if not {*re.findall(r"\w+", before)} <= {*_IDLE, *re.findall(r"\w+", reading.text("function").lower())}:
        return reading
    if not any(isinstance(node, ast.Call) and called_name(node) == "sum" for node in _nodes(situation)):
        return reading
    slots = {slot: spans for slot, spans in reading.slots.items() if slot == "function"}
    if function := _function_shown(situation):
        slots["function"] = (Span(CODE, CODE, function, True),)
    slots["call"] = (Span(CODE, CODE, "sum", True),)
    slots["argument"] = (Span(CODE, CODE, "start", True),)
    slots["value"] = (Span(*said.span("value"), said["value"]),)
    return replace(reading, intent="set_argument", slots=slots)


def _function_shown(situation: Situation) -> str:
    """The function with the line of the open file that is shown."""
    shown = re.search(r"`([^`]+)`", situation.instruction)
    if shown is None or situation.path not in situation.repo.index.paths:
        return ""
    source = situation.repo.index.source(situation.path)
    rows = [one for one in source.statements if source.lines[one.lineno - 1].strip() == shown[1].strip()]
    found = source.function_of(rows[0]) if len(rows) == 1 else None
    return source.qualname(found) if found is not None else ""


def _nodes(situation: Situation) -> Iterable[ast.AST]:
    """What was written last; without an edit, the open file."""
    if situation.earlier is not None:
        return (node for _, node in nodes_on_lines(situation))
    known = situation.path in situation.repo.index.paths
    return walk(situation.repo.index.source(situation.path).tree) if known else ()
