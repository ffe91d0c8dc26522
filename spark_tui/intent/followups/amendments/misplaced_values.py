"""A value that is read as one of something else, for what an edit wrote."""

from __future__ import annotations

import ast
import re
from dataclasses import replace

from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import (
    changes_of_edit,
    functions_around,
    select_written_lines,
    tokens_of,
)
from spark_tui.intent.followups.amendments.exchanged_tokens import (
    MEMBER,
    GivenReplacement,
    find_replacement,
    is_error,
    is_literal,
    is_string,
)
from spark_tui.intent.followups.amendments.lines import amended_lines
from spark_tui.intent.followups.amendments.named_elsewhere import named_elsewhere
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.followups.orders.left_to_written import (
    arguments_taken,
    nodes_on_lines,
    written_parameters,
)
from spark_tui.intent.followups.orders.on_written import complete_from_edit, is_written
from spark_tui.intent.followups.parts.named import naming_words
from spark_tui.intent.planning.resolve import find_candidates
from spark_tui.intent.words import phrases
from spark_tui.intent.words.phrases import joining
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.pysource.syntax.walking import find_nodes

_MISPLACED, _GIVEN = 0.7, 0.85
"""How likely the value of what cannot be done is meant for what was written."""
_MOST, _FEW = 4, 3
_DEFAULT = r"\b(?:defaults?|standardmäßig|par défaut|por defecto)\b"
_OPTIONAL = r"\b(?:optional(?:es)?|fakultativ|facultatif|opcional|not required)\b"
_NONE = Span(-1, -1, "None")
_VALUES = ("value", "new", "default", "count", "result")


def with_misplaced_value(order: Order, situation: Situation) -> Order:
    """The order with the value of a first reading that cannot be done as one for what was written."""
    first = order.readings[0] if order.readings else None
    if first is None or first.intent.startswith("amend.") or not first.slots:
        return order
    spans = [span for slot in _VALUES for span in first.slots.get(slot, ())]
    as_value = replace(first, intent="amend.value", slots={"value": tuple(spans)})
    adds = re.match(rf"\W*(?:{joining()})", situation.instruction[order.start : order.end], re.IGNORECASE)
    if (
        len(spans) != 1
        or adds
        or named_elsewhere(as_value, situation)
        or not _is_value(spans[0])
        or any(
            candidate.calls
            for full in complete_from_edit(first, situation)
            for candidate in find_candidates(full, replace(situation, earlier=None))
        )
    ):
        return order
    old = {"old": first.slots["old"]} if first.slots.get("old") else {}
    for slots in ({"value": tuple(spans), **old}, {"value": tuple(spans)}):
        reading = Reading("amend.value", first.probability * _MISPLACED, slots)
        if amended_lines(reading, situation) or amended_lines(reading, situation, beside=True):
            others = (item for item in order.readings if item.intent != reading.intent)
            return replace(order, readings=(reading, *others))
    return order


def _with_other_class(order: Order, situation: Situation) -> Order:
    """The order as one for the only class of an error or warning in the statements that were written, where
    another one is given as an argument that nobody names: *make it a DeprecationWarning*."""
    spans = [span for slot in _VALUES for span in order.readings[0].slots.get(slot, ())]
    alone = len(spans) == 1 and len(order.readings[0].slots) == 1 and is_error(spans[0].text)
    if not alone or order.readings[0].intent.startswith("amend."):
        return order
    statements = {source.statement(node) for source, node in nodes_on_lines(situation)}
    names = {
        (name.id, ".".join(functions_around(change, situation.behind)))
        for statement in statements
        if statement is not None and not hasattr(statement, "body")
        for name in find_nodes(statement, ast.Name)
        for change in changes_of_edit(situation)
        if is_error(name.id)
    }
    if len(names) != 1:
        return order
    old, home = next(iter(names))
    slots = {"old": (Span(-1, -1, old),), "new": tuple(spans)}
    where = {"function": (Span(-1, -1, home),)} if home else {}
    return order.preferring(Reading("replace_name_use", _GIVEN, {**slots, **where}))


def with_value_in_message(order: Order, situation: Situation) -> Order:
    """The order as one to say a value in the only text that was written, where it names that as the place."""
    said = next((one for one in order.readings if one.intent == "say_value" and one.slots.get("value")), None)
    parts = followup_table()["parts"]
    held = "|".join((*parts["text"], *parts["error"]))
    place = rf"\b(?:in|into|to|inside|zur?|dans|en)\s+(?:\w+\s+)?(?:{held})\b"
    texts = [token for one in changes_of_edit(situation) for token in one.written() if is_string(token.text)]
    if said is None or len(texts) != 1 or order.readings[0].probability > _GIVEN:
        return order
    told = re.search(place, situation.instruction[order.start : order.end], re.IGNORECASE)
    return order.preferring(replace(said, probability=_GIVEN)) if told else order


def with_named_value(order: Order, situation: Situation) -> Order:
    """The order with the likeliest reading first by which a value goes to what stands in front of it and was
    not written (`maxsize 32`, `flush=True`), or by which it is a default; or with the member of an object
    that was written in the place of another one: *isdir is better*."""
    order = _with_other_class(order, situation)
    text, first = situation.instruction, order.readings[0]
    changes = changes_of_edit(situation)
    said = text[order.start : order.end]
    passed = _shown_argument(order.start, said, situation)
    if passed is not None and first.intent not in ("set_argument", "amend.value", "set_default"):
        return order.preferring(passed)
    for word in re.finditer(r"(?<![\w.])[a-z_]\w+(?![\w.(])", said):
        if len(said.split()) > _FEW and not _is_preferred(word, said):
            continue
        span = Span(order.start + word.start(), order.start + word.end(), word[0])
        asked = GivenReplacement("value", span, ())
        found = (find_replacement(asked, one, token) for one in changes for token in one.written())
        if any(one is not None and one[0] >= MEMBER for one in found):
            more = re.match(rf"\W*(?:{joining()})", said, re.IGNORECASE) or phrases.mentions("likewise", said)
            intent = "amend.further" if more else "amend.value"
            return order.preferring(Reading(intent, _MISPLACED, {"value": (span,)}))
    spans = first.slots.get("value", ()) if first.intent == "amend.value" else ()
    if re.search(_OPTIONAL, said, re.IGNORECASE) and len({*written_parameters(situation)}) == 1:
        values = first.slots.get("default", spans)
        given = [span for span in values if not re.search(_OPTIONAL, span.text, re.IGNORECASE)]
        return order.preferring(Reading("set_default", _GIVEN, {"default": (*given, _NONE)[:1]}))
    if len(spans) != 1 or spans[0].start < 0:
        return order
    named = re.search(r"([a-z_]\w+)(?: ?= ?| )\Z", text[: spans[0].start])
    verbs = followup_table()["taking"]["words"]
    name = named[1] if named and named[1] not in verbs and naming_words(named[1]) else ""
    by_default = re.search(_DEFAULT, f"{text[: spans[0].start]} {text[spans[0].end :]}", re.IGNORECASE)
    lines = {token.text for one in changes for token in tokens_of(one.text)}
    of_kind = any(token[:1].isdigit() == spans[0].text[:1].isdigit() and is_literal(token) for token in lines)
    if not by_default and (
        not name or name in lines or (of_kind and named is not None and "=" not in named[0])
    ):
        return order
    slots = {"default": spans} if by_default else {"argument": (Span(-1, -1, name),), "value": spans}
    told = Reading("set_default" if by_default else "set_argument", first.probability, slots)
    near = select_written_lines(situation)
    others = (one for one in order.readings if one.intent in ("set_value", "cache_results"))
    for reading in (told, *others):
        for full in complete_from_edit(reading, situation):
            if any(one.calls and is_written(one, situation) for one in find_candidates(full, near)[:_MOST]):
                return order.preferring(replace(reading, probability=first.probability))
    return order


def _shown_argument(start: int, said: str, situation: Situation) -> Reading | None:
    """A text for an argument that one of the calls on the written lines may be given: *help: a text*."""
    shown = re.fullmatch(r"\W*(?:(?:and|with)\s+)?([a-z_]\w*)\s*[:=]\s*(\w[^:=]*?)[.!\s]*", said)
    if shown is None or " " not in shown[2] or shown[1] not in arguments_taken(situation):
        return None
    name = Span(start + shown.start(1), start + shown.end(1), shown[1])
    value = Span(start + shown.start(2), start + shown.end(2), shown[2], True)
    return Reading("set_argument", _GIVEN, {"argument": (name,), "value": (value,)})


def _is_preferred(word: re.Match[str], said: str) -> bool:
    """Whether the words right beside a word say that it is better: *so isfile would be better*."""
    front, behind = said[: word.start()].split()[-1:], said[word.end() :].split()[:3]
    near = " ".join((*front, *behind)).lower()
    return phrases.any_stands_in(followup_table()["taking"]["better"], near)


def _is_value(span: Span) -> bool:
    """Whether what is said cannot be a name or words about one."""
    plain = re.search(r"\s", span.text) is None and not span.text.isidentifier()
    return span.quoted or plain or phrases.value(span.text) is not None
