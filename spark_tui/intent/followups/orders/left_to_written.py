"""Slots that an order leaves open and the last edit fills: the call, the function, the class."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.conditions.condition_words import stems
from spark_tui.intent.context.lookup import split_name
from spark_tui.intent.context.situation import Done, Situation
from spark_tui.intent.context.written_lines import changes_of_edit, functions_around, tokens_of
from spark_tui.intent.followups.followup_table import followup_table
from spark_tui.intent.names.options_named import OPTION_CALLS
from spark_tui.intent.reading.intent_table import intents
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.calls.signatures import defaults
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Definition, Source, parameters
from spark_tui.pysource.syntax.walking import names_in, walk

_PASSING = frozenset(("set_argument", "add_argument"))
_OF_STATEMENT = frozenset(("delete_statement", "comment_out", "run_only_if", "delete_calls"))
_LITERAL = ast.Tuple | ast.List | ast.Set | ast.Dict | ast.Constant
_MOST = 3


def left_to_written(reading: Reading, situation: Situation, slot: str) -> list[Span]:
    """What fills a slot that is not named, the likeliest first."""
    if slot in ("function", "class"):
        found = list(definitions_written(situation, of_class=slot == "class"))
    elif slot == "call" and reading.intent in _PASSING:
        found = list(_taking(reading, situation))
    elif slot == "code" and reading.intent in _OF_STATEMENT:
        found = list(_statements(situation))
    elif slot == "parameter" and reading.intent == "set_default":
        ways = (written_parameters, _keys_looked_up, _lone_parameters)
        found = next(filter(None, (list(way(situation)) for way in ways)), [])
    elif slot == "value" and reading.intent == "extract_constant":
        found = list(_constants(situation))
    else:
        found = []
    return [Span(-1, -1, home) for home in dict.fromkeys(found)][:_MOST]


def drop_pronoun_slots(reading: Reading) -> Reading:
    """The reading without the slots that only a pronoun fills, or the word for what they hold: *it*, *the
    variable*."""

    def tells(slot: str, spans: tuple[Span, ...]) -> bool:
        words = [
            phrases.without_articles(span.text).strip("`'\" ").lower() for span in spans if not span.quoted
        ]
        idle = (*phrases.words("pronouns"), slot, *phrases.words("parameters") * (slot == "parameter"))
        if slot == "value":
            idle = (*idle, *followup_table()["general"]["holders"])
            words = [part for item in words for part in item.split()]
        return not words or any(item not in idle for item in words)

    return replace(
        reading, slots={slot: spans for slot, spans in reading.slots.items() if tells(slot, spans)}
    )


def with_written_constant(reading: Reading, situation: Situation) -> Reading:
    """The reading with the only constant on the changed lines in the place of the word for one."""
    words = followup_table()["kinds"]["constant"]
    spans = (span for span in reading.spans if not span.quoted)
    said = {span for span in spans if phrases.without_articles(span.text).lower() in words}
    if not said:
        return reading
    lines = [line for change in changes_of_edit(situation) for line in (*change.old, *change.new)]
    names = {
        token.text
        for line in lines
        for token in tokens_of(line)
        if re.fullmatch(r"[A-Z][A-Z\d_]+", token.text)
    }
    if len(names) != 1:
        return reading

    def named(span: Span) -> Span:
        return replace(span, text=next(iter(names))) if span in said else span

    return replace(reading, slots={slot: tuple(map(named, spans)) for slot, spans in reading.slots.items()})


def _statements(situation: Situation) -> Iterator[str]:
    """The only simple statement that was written."""
    found = {
        source.segment(node)
        for source, node in nodes_on_lines(situation)
        if isinstance(node, ast.stmt) and not hasattr(node, "body")
    }
    yield from found if len(found) == 1 else ()


def _constants(situation: Situation) -> Iterator[str]:
    """The widest expressions without a name that were written, texts and numbers last; none in another."""
    for change in changes_of_edit(situation):
        source = situation.behind.index.source(change.path)
        written = {change.offset(token.start, source) for token in change.written()}
        nodes = [node for node in walk(source.tree) if isinstance(node, _LITERAL)]
        fresh = [node for node in nodes if source.span(node)[0] in written and not names_in(node)]
        taken: list[tuple[int, int]] = []
        for inner in sorted(fresh, key=lambda item: source.span(item)[0] - source.span(item)[1]):
            low, high = source.span(inner)
            if not any(start <= low and high <= end for start, end in taken):
                taken.append((low, high))
                yield source.segment(inner)


def written_parameters(situation: Situation) -> Iterator[str]:
    """The parameters without a default that were added."""
    for change in changes_of_edit(situation):
        source = situation.behind.index.source(change.path)
        starts = {change.offset(token.start, source) for token in change.written()}
        for function in source.functions:
            fresh = (one for one in parameters(function) if source.span(one)[0] in starts)
            yield from (one.arg for one in fresh if one.arg not in defaults(function))


def _lone_parameters(situation: Situation) -> Iterator[str]:
    """The only parameter without a default of the function in which something other than one was written."""
    homes = set(definitions_written(situation))
    for change in changes_of_edit(situation):
        source = situation.behind.index.source(change.path)
        starts = {change.offset(token.start, source) for token in change.written()}
        for function in (one for one in source.functions if source.qualname(one) in homes):
            if any(source.span(given)[0] in starts for given in defaults(function).values()):
                return
            known = {"self", "cls", *defaults(function)}
            left = [one.arg for one in parameters(function) if one.arg not in known]
            yield from left if len(left) == 1 else ()


def _keys_looked_up(situation: Situation) -> Iterator[str]:
    """The only key on lines that were written that is looked up by a method which takes a default, without
    one."""
    calls = (node for _, node in nodes_on_lines(situation) if isinstance(node, ast.Call))
    lookups = (node for node in calls if called_name(node) in ("get", "getenv") and len(node.args) == 1)
    given = (node.args[0] for node in lookups)
    keys = {one.value for one in given if isinstance(one, ast.Constant) and isinstance(one.value, str)}
    yield from keys if len(keys) == 1 else ()


def definitions_written(situation: Situation, of_class: bool = False) -> Iterator[str]:
    """The qualified names of the functions, or of the classes, in which something was written."""
    for change in changes_of_edit(situation):
        around = functions_around(change, situation.behind)
        tree = situation.behind.index.source(change.path).definitions
        classes = {definition.name for definition in tree if isinstance(definition, ast.ClassDef)}
        while around and (around[-1] in classes) != of_class:
            around.pop()
        if around:
            yield ".".join(around)


def nodes_on_lines(situation: Situation) -> Iterator[tuple[Source, ast.AST]]:
    """The nodes that begin on lines that were written, each with its file."""
    for path in dict.fromkeys(change.path for change in changes_of_edit(situation)):
        source = situation.behind.index.source(path)
        found = [change for change in changes_of_edit(situation) if change.path == path]
        lines = {at + 1 for change in found for at in range(change.at, change.at + len(change.new))}
        for node in walk(source.tree):
            if getattr(node, "lineno", 0) in lines and not isinstance(node, Definition):
                yield source, node


def _taking(reading: Reading, situation: Situation) -> Iterator[str]:
    """The calls on the lines that were written that take the argument, and have none for it yet."""
    name = next((item.text.strip("`'\"") for item in reading.slots.get("argument", ())), "")
    taking: list[str] = []
    unknown: list[str] = []
    passing: list[str] = []
    for source, node in nodes_on_lines(situation) if name else ():
        if not isinstance(node, ast.Call):
            continue
        known = parameters_called(situation.behind, source, node)
        if not known:
            unknown.append(source.segment(node))
        elif name in list(known)[len(node.args) :] and all(keyword.arg != name for keyword in node.keywords):
            taking.append(source.segment(node))
        elif all(keyword.arg != name for keyword in node.keywords) and _is_passed(source, node, situation):
            passing.append(source.segment(node))  # what it collects may have any name
    alone = len(passing) == 1 and not reading.slots.get("function")
    yield from taking or unknown * (len(unknown) == 1) or passing * alone


def with_known_argument(reading: Reading, situation: Situation) -> Reading:
    """The reading with the one parameter of a call on the lines that were written which words say: *sort the
    keys* is `sort_keys=True`."""
    spans = reading.slots.get("argument", ()) if reading.intent in _PASSING else ()
    said = stems(" ".join(span.text for span in spans)) - stems(" ".join(phrases.words("articles")))
    if not said or " " not in " ".join(span.text for span in spans).strip():
        return reading
    known = {
        name: default
        for source, node in nodes_on_lines(situation)
        if isinstance(node, ast.Call)
        for name, default in parameters_called(situation.behind, source, node).items()
        if stems(" ".join(split_name(name))) == said
    }
    if len(known) != 1:
        return reading
    name, default = next(iter(known.items()))
    slots = {**reading.slots, "argument": (Span(-1, -1, name),)}
    if isinstance(default, ast.Constant) and default.value is False and not slots.get("value"):
        slots["value"] = (Span(-1, -1, "True"),)
    return replace(reading, slots=slots)


def arguments_taken(situation: Situation) -> set[str]:
    """The names of arguments that the calls on the lines that were written may be given."""
    out: set[str] = set()
    for source, node in nodes_on_lines(situation):
        if isinstance(node, ast.Call):
            out.update(parameters_called(situation.behind, source, node))
            if called_name(node) in OPTION_CALLS:
                out.update(followup_table()["options"]["arguments"])
    return out


def _is_passed(source: Source, node: ast.Call, situation: Situation) -> bool:
    """Whether an argument was written that a call has by its name."""
    places = {
        change.offset(token.start, source)
        for change in changes_of_edit(situation)
        if change.path == source.path
        for token in change.written()
    }
    return any(item.arg and source.span(item)[0] in places for item in node.keywords)


def definition_before(earlier: Done) -> tuple[Span, ...]:
    """The function or class that the order before was about, if it brings no name, made or not."""
    known = intents().get(earlier.intent)
    brings = known is not None and not {"name", "new"}.isdisjoint(known.slot_names)
    if brings or any(map(earlier.slots.get, ("name", "new", "variable", "parameter"))):
        return ()
    return next((earlier.slots[slot] for slot in ("function", "class") if earlier.slots.get(slot)), ())
