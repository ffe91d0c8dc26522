"""Messages that ask for a definition that is not there, which nothing else answers: *write a greeting
function*."""

from __future__ import annotations

import re

from spark_tui.intent.planning.executing import Outcome

_NEW = re.compile(
    r"\b(?:write|create|make|add|implement|build|need|want)\s+(?:me\s+|us\s+)?(?:an?|another)\s+(?:new\s+)?"
    r"(?:[\w-]+\s+){0,2}(?:functions?|methods?|class(?:es)?|script|program)"
    r"(?=\W*\Z|\s+(?:that|which|who|to|for|called|named)\b)",
    re.IGNORECASE,
)
_MAKING = ("add_method", "extract_function")
_DEFINITION = re.compile(r"^\s*(?:async\s+)?(?:def|class)\s", re.MULTILINE)


def asks_for_code(text: str) -> bool:
    return _NEW.search(text) is not None


def only_definitions(outcome: Outcome) -> Outcome:
    """What came of the readings that make one."""
    made = tuple(
        item for item in outcome.executed if any(_DEFINITION.search(edit.new) for edit in item.plan.edits)
    )
    refused = tuple(item for item in outcome.refused if item[2].reading.intent in _MAKING)
    unbuilt = tuple(item for item in outcome.unbuilt if item[2].reading.intent in _MAKING)
    return Outcome(made, refused, unbuilt)
