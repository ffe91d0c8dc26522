"""What orders after an edit are about: a pronoun in a condition, as in *and a TypeError when it is None*, and
the parameter of a default."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes_of_edit
from spark_tui.intent.followups.orders.left_to_written import nodes_on_lines
from spark_tui.intent.followups.written.conditions import tests_in
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import parameters
from spark_tui.pysource.syntax.walking import names_in

_NAMED = {"set_default": "parameter", "set_value": "variable"}


def with_told_subject(reading: Reading, situation: Situation) -> Reading:
    """The reading with what the test that was written looks at in the place of the pronoun that its condition
    begins with. Of several names in it the first one that is a parameter."""
    spans = reading.slots.get("condition", ())
    if situation.earlier is None or reading.intent.startswith("amend.") or len(spans) != 1:
        return reading
    found = re.match(r"(\w+)(?:['’]s)?\b", spans[0].text)
    if found is None or spans[0].quoted or not phrases.is_said("pronouns", found[1].lower()):
        return reading
    subject, rest = _subject(situation), spans[0].text[found.end() :]
    if not subject or not rest.strip():
        return reading
    text = f"{subject}{' is' if found[0] != found[1] else ''}{rest}"
    return replace(reading, slots={**reading.slots, "condition": (replace(spans[0], text=text),)})


def with_named_parameter(reading: Reading, situation: Situation) -> Reading:
    """The reading of a default with the one parameter of the function around the edit that no slot has and
    that stands in the message as it is written: *and lo to 2*."""
    slot = _NAMED.get(reading.intent, "")
    if situation.earlier is None or not slot or reading.slots.get(slot):
        return reading
    index = situation.behind.index
    names = {
        one.arg
        for change in changes_of_edit(situation)
        for source in (index.source(change.path),)
        for function in source.functions
        if source.first_line(function) <= change.at < source.last_line(function)
        for one in parameters(function)
    }
    held = reading.spans
    words = re.finditer(r"(?<![\w.])[^\W\d]\w*(?![\w.(])", situation.instruction)
    free = [
        one for one in words if not any(span.start < one.end() and one.start() < span.end for span in held)
    ]
    found = [one for one in free if one[0] in names]
    if len(found) != 1:
        return reading
    return replace(reading, slots={**reading.slots, slot: (Span(*found[0].span(), found[0][0]),)})


def _subject(situation: Situation) -> str:
    """What the only test looks at that was written."""
    tests = {
        ast.unparse(test): (source, test)
        for source, node in nodes_on_lines(situation)
        if not isinstance(node, ast.BoolOp)
        for test in tests_in(node)
    }
    if len(tests) != 1:
        return ""
    source, test = next(iter(tests.values()))
    names = names_in(test)
    function = source.function_of(test)
    given = [one.arg for one in parameters(function) if one.arg in names] if function is not None else []
    own = [name for name in given if name not in ("self", "cls")]
    plain = [ast.unparse(one) for one in ast.walk(test) if isinstance(one, ast.Attribute)]
    return own[0] if own else names.pop() if len(names) == 1 and not plain else ""
