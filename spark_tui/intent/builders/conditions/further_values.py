"""A further value that code is to ask for: *also retry on 503* where it asks `status == 500`."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import replace

from spark_tui.intent.building.building import Built, build_at
from spark_tui.intent.building.rewritten import replace_code
from spark_tui.intent.context.anchors import Anchor
from spark_tui.intent.context.lookup import names_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.context.situation import Situation, Unresolved
from spark_tui.intent.finders.described import is_in_code
from spark_tui.intent.values.converters.of_slots import literal
from spark_tui.intent.words import phrases
from spark_tui.intent.words.readings import Order, Reading, Span
from spark_tui.intent.words.tokens import tokenize
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Function, Source

_LIKELY = 0.7
_DISPLAYS = (ast.Tuple, ast.List, ast.Set)


def with_further_value(order: Order, situation: Situation) -> Order:
    """The order with the reading that a value counts too, where the words say so and name one that is like
    those that the code asks for."""
    first, text = order.readings[0], situation.instruction[order.start : order.end]
    also = phrases.any_stands_in(phrases.words("also"), text.lower())
    if not also or _is_test(first.text("condition")) or situation.earlier:
        return order
    slots = {slot: first.slots[slot] for slot in ("function", "class", "file") if slot in first.slots}
    names = names_of(situation.repo, situation.path)

    def asking(*spans: Span) -> Reading | None:
        reading = Reading("also_allow", _LIKELY, {**slots, "condition": spans})
        try:
            return reading if spans and [*widened(Context(reading, situation, names))] else None
        except Unresolved:  # a place that is not known
            return None

    values = [span for span in _values(text, order.start) if span.quoted or not names.is_symbol(span.text)]
    reading = asking(*filter(asking, values))
    return order.preferring(reading) if reading is not None else order


def _is_test(said: str) -> bool:
    """Whether words say more than a value: `amount is 0`."""
    words = set(re.findall(r"[\w']+|[=<>]+", said.lower()))
    return not words.isdisjoint((*phrases.words("copulas"), "==", "<", ">", "<=", ">=", "!="))


def _values(text: str, start: int) -> Iterator[Span]:
    """The texts in quotes, numbers of several digits, and words with capitals."""
    quoted = tokenize(text).quoted
    for piece in quoted:
        if text[piece.start - 1 : piece.start] in ("[", "("):
            continue  # a part of code: `config["port"]`
        inner = text[piece.inner_start : piece.inner_end]
        yield Span(start + piece.start, start + piece.end, inner, True)
    for found in re.finditer(r"(?<![\w./])(?:\d\d+|[A-Z]\w*)(?![\w(/]|\.\w)", text):
        if not any(piece.start <= found.start() < piece.end for piece in quoted):
            yield Span(start + found.start(), start + found.end(), found[0])


def widened(context: Context) -> Iterator[Built]:
    """The comparisons with a value like those that are said, with these too."""
    values: list[tuple[str | int, bool]] = []
    for span in context.reading.slots.get("condition", ()):
        own = [span] if span.quoted else [] if _is_test(span.text) else _values(span.text, span.start)
        values += map(_value, own)
    made = []
    for area, source, node in context.find(ast.Compare):
        right, equal = node.comparators[0], isinstance(node.ops[0], ast.Eq | ast.NotEq)
        inside = isinstance(node.ops[0], ast.In | ast.NotIn) and isinstance(right, _DISPLAYS)
        items = right.elts if inside and isinstance(right, _DISPLAYS) else [right] if equal else []
        known = [item.value for item in items if isinstance(item, ast.Constant)]
        likeness = [_likeness(value, quoted, item) for value, quoted in values for item in known]
        if len(node.ops) > 1 or len(known) < len(items) or not likeness or not all(likeness):
            continue
        old, new = source.segment(right), ", ".join(_code(value, source) for value, _ in values)
        word = "in" if isinstance(node.ops[0], ast.Eq | ast.In) else "not in"
        shown = f"{old[:-1].rstrip(', ')}, {new}{old[-1]}" if inside else f"({old}, {new})"
        text = f"{_left(context, source, node.left, [*known, *(one for one, _ in values)])} {word} {shown}"
        made.append((max(likeness) + _told(context, source, node), Anchor(area, node), text))
    best = max((score for score, _, _ in made), default=0.0)
    fits = [(anchor, text) for score, anchor, text in made if score == best]
    for anchor, text in fits:
        yield build_at(replace(anchor, weight=0.95 / len(fits)), replace_code(context, anchor, text))


def _left(context: Context, source: Source, node: ast.expr, values: list[object]) -> str:
    """What is compared; in lower letters where no case is to count and the values have none but these."""
    code = source.segment(node)
    lower = all(isinstance(one, str) and one == one.lower() for one in values)
    if not lower or not phrases.any_stands_in(
        phrases.words("any_case"), context.situation.instruction.lower()
    ):
        return code
    asked = isinstance(node, ast.Call) and called_name(node) in ("get", "getenv") and len(node.args) == 1
    code = f'{code[:-1]}, "")' if asked else code  # None has no letters
    return code if called_name(node) in ("lower", "casefold") else f"{code}.lower()"


def _value(span: Span) -> tuple[str | int, bool]:
    """The value that words say, and whether they are its text for sure."""
    return (int(span.text) if span.text.isdigit() and not span.quoted else span.text), span.quoted


def _code(value: str | int, source: Source) -> str:
    return literal(value, source) if isinstance(value, str) else str(value)


def _likeness(value: str | int, quoted: bool, known: object) -> float:
    """How much a value is like another one that is asked for: as many digits, or spelled in the same way."""
    if isinstance(value, int) or not isinstance(known, str) or value == known:
        return 1.0 * (type(value) is type(known) and len(str(value)) == len(str(known)) and value != known)
    if " " in value.strip() and " " not in known.strip():
        return 0.0  # a sentence is not one of several words
    return 2.0 if value.lower() == known.lower() else 1.0 * (quoted or (value.isupper() and known.isupper()))


def _told(context: Context, source: Source, node: ast.expr) -> int:
    """How many words of the instruction stand in the code around a comparison."""
    outer = next((item for item in source.ancestors(node) if isinstance(item, Function)), None)
    near = source.statement(node)
    code = f"{getattr(outer, 'name', '')} {source.segment(near) if near is not None else ''}"
    return sum(is_in_code(word, code) for word in re.findall(r"[^\W\d_]{3,}", context.situation.instruction))
