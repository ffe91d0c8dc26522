"""Slots that an order leaves open and the last edit fills: the call, the function, the class."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.called_parameters import parameters_called
from spark_tui.intent.readings import Reading, Span
from spark_tui.intent.situation import Situation
from spark_tui.intent.walking import walk
from spark_tui.intent.written_lines import changes, functions_around
from spark_tui.pysource.source import Definition, Source

_PASSING = frozenset(("set_argument", "add_argument"))
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
    else:
        found = []
    return [Span(-1, -1, one) for one in dict.fromkeys(found)][:_MOST]


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
