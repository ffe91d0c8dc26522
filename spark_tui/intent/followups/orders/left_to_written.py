"""Slots that an order leaves open and the last edit fills: the call, the function, the class."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.codemods.signatures.called_parameters import parameters_called
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.context.written_lines import changes, functions_around
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Reading, Span
from spark_tui.pysource.source import Definition, Source
from spark_tui.pysource.syntax.walking import names_in, walk

_PASSING = frozenset(("set_argument", "add_argument"))
_OF_STATEMENT = frozenset(("delete_statement", "comment_out", "run_only_if", "delete_calls"))
_TYPES = (str, bytes, list, dict, set)
_MOST = 3


def left_to_written(reading: Reading, situation: Situation, slot: str) -> list[Span]:
    """What fills a slot that is not named, the likeliest first."""
    if slot in ("function", "class"):
        found = list(homes(situation, of_class=slot == "class"))
    elif slot == "call" and reading.intent in _PASSING:
        found = list(_taking(reading, situation))
    elif slot == "old" and reading.intent == "replace_call":
        found = list(_like(reading, situation))
    elif slot == "code" and reading.intent in _OF_STATEMENT:
        found = list(_statements(situation))
    elif slot == "value" and reading.intent == "extract_constant":
        found = list(_constants(situation))
    else:
        found = []
    return [Span(-1, -1, one) for one in dict.fromkeys(found)][:_MOST]


def without_pronouns(reading: Reading) -> Reading:
    """The reading without the slots that only a pronoun fills, or the word for what they hold: *it*, *the
    variable*."""

    def tells(slot: str, spans: tuple[Span, ...]) -> bool:
        said = [phrases.without_articles(one.text).strip("`'\" ").lower() for one in spans if not one.quoted]
        idle = (*phrases.words("pronouns"), slot, *phrases.words("parameters") * (slot == "parameter"))
        return not said or any(one not in idle for one in said)

    return replace(
        reading, slots={slot: spans for slot, spans in reading.slots.items() if tells(slot, spans)}
    )


def _statements(situation: Situation) -> Iterator[str]:
    """The only simple statement that was written."""
    found = {
        source.segment(node)
        for source, node in nodes_on_lines(situation)
        if isinstance(node, ast.stmt) and not hasattr(node, "body")
    }
    yield from found if len(found) == 1 else ()


def _constants(situation: Situation) -> Iterator[str]:
    """The widest expressions without a name that were written, texts and numbers last."""
    for change in changes(situation):
        source = situation.behind.index.source(change.path)
        written = {source.starts[change.at] + token.start for token in change.written()}
        nodes = [one for one in walk(source.tree) if isinstance(one, ast.Tuple | ast.List | ast.Constant)]
        fresh = [one for one in nodes if source.span(one)[0] in written and not names_in(one)]
        for one in sorted(fresh, key=lambda each: source.span(each)[0] - source.span(each)[1]):
            yield source.segment(one)


def homes(situation: Situation, of_class: bool = False) -> Iterator[str]:
    """The qualified names of the functions, or of the classes, in which something was written."""
    for change in changes(situation):
        around = functions_around(change, situation.behind)
        tree = situation.behind.index.source(change.path).definitions
        classes = {one.name for one in tree if isinstance(one, ast.ClassDef)}
        while around and (around[-1] in classes) != of_class:
            around.pop()
        if around:
            yield ".".join(around)


def nodes_on_lines(situation: Situation, beside: bool = False) -> Iterator[tuple[Source, ast.AST]]:
    """The nodes that begin on lines that were written, or on one beside them, each with its file."""
    for path in dict.fromkeys(one.path for one in changes(situation)):
        source = situation.behind.index.source(path)
        found = [one for one in changes(situation) if one.path == path]
        lines = {at + 1 for one in found for at in range(one.at - beside, one.at + len(one.new) + beside)}
        for node in walk(source.tree):
            if getattr(node, "lineno", 0) in lines and not isinstance(node, Definition):
                yield source, node


def _taking(reading: Reading, situation: Situation) -> Iterator[str]:
    """The calls on the lines that were written that take the argument, and have none for it yet."""
    name = next((one.text.strip("`'\"") for one in reading.slots.get("argument", ())), "")
    taking: list[str] = []
    unknown: list[str] = []
    for source, node in nodes_on_lines(situation) if name else ():
        if not isinstance(node, ast.Call):
            continue
        known = parameters_called(situation.behind, source, node)
        if not known:
            unknown.append(source.segment(node))
        elif name in list(known)[len(node.args) :] and all(one.arg != name for one in node.keywords):
            taking.append(source.segment(node))
    yield from taking or unknown * (len(unknown) == 1)


def _like(reading: Reading, situation: Situation) -> Iterator[str]:
    """The calls that were written of a method of the same values, or of a function of the same module."""
    new = next((one.text.strip("`() ") for one in reading.slots.get("new", ())), "")
    home, _, name = new.lstrip(".").rpartition(".")
    written = {token.text for change in changes(situation) for token in change.written()}
    for source, node in nodes_on_lines(situation):
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
            continue
        was = node.func.attr
        same = any(hasattr(one, was) and hasattr(one, name) for one in _TYPES)
        of_module = bool(home) and ast.unparse(node.func.value) == home
        if was in written and was != name and (of_module or (same and not home)):
            yield source.segment(node.func) if of_module else was
