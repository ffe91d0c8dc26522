"""Readings that mean something else because of the code that the instruction shows: what is inserted stands
there already, what changes places are the arguments of a call."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.context.anchors import parsed
from spark_tui.intent.context.situation import Situation
from spark_tui.intent.values.likely.incomplete_readings import line_named, number_of_line
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import CODE, Reading, Span
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.names.type_hints import last_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.parsing import parse
from spark_tui.pysource.syntax.walking import find_nodes


def by_shown_code(reading: Reading, situation: Situation) -> Reading:
    """The reading that is meant, given the code of the open file."""
    if situation.path not in situation.repo.index.paths:
        return reading
    source = situation.repo.index.source(situation.path)
    if reading.intent in ("insert_before", "insert_after") and _stands_there(reading, source):
        return replace(reading, intent=reading.intent.replace("insert", "move"))
    if reading.intent == "add_from_import" and _has_module(reading, situation, source):
        return replace(reading, intent="use_from_import")
    if reading.intent == "swap_parameters":
        return _of_call(reading, situation, source)
    if reading.intent == "rename" and _is_called(reading, situation, source):
        return replace(reading, intent="replace_call", slots=_as_called(reading))
    return reading


def without_shown_function(reading: Reading, situation: Situation) -> Reading:
    """The reading without a function that is only called in a line that is shown whole: *`save(x)`: …*."""
    named = reading.slots.get("function", ())
    if len(named) != 1 or named[0].start < 0 or situation.path not in situation.repo.index.paths:
        return reading
    text, lines = situation.instruction, situation.repo.index.source(situation.path).lines
    for piece in tokenize(text).quoted:
        code = text[piece.inner_start : piece.inner_end].strip()
        inside = piece.start <= named[0].start and named[0].end <= piece.end
        is_name = re.match(r"(?:async\s+)?(?:def|class)\b|[\w.]+(?:\(\))?\Z", code) is not None
        if inside and not is_name and code in map(str.strip, lines):
            slots = {slot: own for slot, own in reading.slots.items() if slot != "function"}
            return replace(reading, slots=slots)
    return reading


def _is_called(reading: Reading, situation: Situation, source: Source) -> bool:
    """Whether the words are *call x instead of y*, and the line or code that is shown calls y."""
    old, new = (reading.text(slot).strip("`'\" ") for slot in ("symbol", "new"))
    said = rf"\bcall(?:s|ing)?\W+{re.escape(new)}\W+instead\s+of\W+{re.escape(old)}(?!\w)"
    if not old or not new or re.search(said, situation.instruction, re.IGNORECASE) is None:
        return False
    return any(last_name(call.func) == old for call in _calls_meant(situation, source))


def _as_called(reading: Reading) -> dict[str, tuple[Span, ...]]:
    slots = {slot: own for slot, own in reading.slots.items() if slot == "function"}
    return {**slots, "old": reading.slots["symbol"], "new": reading.slots["new"]}


def _stands_there(reading: Reading, source: Source) -> bool:
    """Whether what is put beside a statement stands once beside it already, or is a line of the file."""
    code, beside = (reading.text(slot).strip("` ") for slot in ("code", "anchor"))
    if number_of_line(code) is not None and not code.isdecimal():
        return True
    there = _statements(source, code)
    if len(there) != 1:
        return False
    line = number_of_line(beside)
    if line is not None:
        return any(item.lineno == line for item in source.suite(there[0]))
    near = {ast.dump(item) for item in source.suite(there[0]) if item is not there[0]}
    return any(ast.dump(item) in near for item in _statements(source, beside))


def _has_module(reading: Reading, situation: Situation, source: Source) -> bool:
    """Whether *only* a name is to be imported of a module that the file imports whole."""
    words = re.findall(r"\w+", situation.instruction)
    module = reading.text("module").strip("`'\" ")
    whole = (
        [node for node in source.tree.body if isinstance(node, ast.Import)] if source.tree is not None else []
    )
    return any(phrases.is_said("just", word) for word in words) and any(
        alias.name == module for node in whole for alias in node.names
    )


def _statements(source: Source, text: str) -> list[ast.stmt]:
    """The statements of a file that are some code."""
    tree = parse(text)
    if tree is None or len(tree.body) != 1 or isinstance(getattr(tree.body[0], "value", None), ast.Name):
        return []
    kind, wanted = type(tree.body[0]), ast.dump(tree.body[0])
    return [item for item in source.statements if type(item) is kind and ast.dump(item) == wanted]


def _of_call(reading: Reading, situation: Situation, source: Source) -> Reading:
    """The swap of two arguments, where a call with both is shown or stands on the line that is named."""
    pair = [reading.text(slot).strip("`'\" ") for slot in ("parameter", "other")]
    if not all(pair) or source.tree is None:
        return reading
    found = [
        node
        for node in _calls_meant(situation, source)
        if set(pair) <= {ast.unparse(item) for item in (*node.args, *node.keywords)}
    ]
    if len(found) != 1:
        return reading
    slots = {slot: own for slot, own in reading.slots.items() if slot not in ("parameter", "function")}
    callee = Span(CODE, CODE, ast.unparse(found[0].func), True)
    slots |= {"argument": reading.slots["parameter"], "call": (callee,)}
    return replace(reading, intent="swap_arguments", slots=slots)


def _calls_meant(situation: Situation, source: Source) -> Iterator[ast.Call]:
    """The calls in the code that the instruction shows, and those of the line that it names."""
    text = situation.instruction
    shown = [text[piece.inner_start : piece.inner_end].rstrip(" :") for piece in tokenize(text).quoted]
    shown = [re.sub(r"\A(?:return|await|yield)\s+", "", item) for item in shown if "(" in item]
    wanted = {ast.dump(tree) for item in shown if (tree := parsed(item)) is not None}
    line = line_named(text)
    for node in find_nodes(source.tree, ast.Call):
        if (line is not None and node.lineno == line[0]) or ast.dump(node) in wanted:
            yield node
