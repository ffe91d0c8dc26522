"""Literals that are not shown: copies of the constant that replaces them, encodings, texts of one sign."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from fractions import Fraction

from spark_tui.intent.context.anchors import Search, nodes, parsed, same_tree
from spark_tui.intent.context.lookup import plain_name
from spark_tui.intent.facts.literal_types import is_codec
from spark_tui.intent.values.literals.date_formats import (
    DATE_FIELD,
    called_format,
    date_format,
    is_date_format,
)
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says


def described_literals(at: Search, said: str) -> list[tuple[float, ast.AST]]:
    """The literals of a place that words without code may mean."""
    new = at.context.text("new").strip("`'\"")
    if (numbers := list(_numbers(at, said))) and new:
        return numbers
    if not new or at.context.reading.intent != "replace_value":
        return []
    if dates := list(_dates(at, said, new)):
        return dates
    every = [one for one in nodes(at.root, ast.Constant) if at.source.span(one)[0] >= 0]
    if (value := _value_of(at, plain_name(new))) is not None:
        return [(0.8, one) for one in every if one is not value and same_tree(one, value)]
    texts = [one for one in every if isinstance(one, ast.Constant) and isinstance(one.value, str)]
    if is_codec(new):
        named = re.compile(rf"(?<![A-Za-z]){re.escape(said)}", re.IGNORECASE)
        return [(0.8, one) for one in texts if is_codec(str(one.value)) and named.search(str(one.value))]
    sign = phrases.sign(said)
    return [(0.8, one) for one in texts if sign and set(str(one.value)) == {sign}]


def _dates(at: Search, said: str, new: str) -> Iterator[tuple[float, ast.AST]]:
    """The formats of dates that are called so, where another one is to stand: `%m/%d/%Y` is *American*."""
    form = called_format(said)
    wanted = is_date_format(new) or called_format(new) or date_format("%d", "", new)
    for one in nodes(at.root, ast.Constant) if wanted and (form or phrases.mentions("dates", said)) else ():
        value = getattr(one, "value", None)
        fields = DATE_FIELD.findall(str(value))
        if is_date_format(value) and (not form or fields[:2] == DATE_FIELD.findall(form)[:2]):
            yield 0.8, one


def _numbers(at: Search, said: str) -> Iterator[tuple[float, ast.AST]]:
    """A number that is counted from the end (`card[-4:]`), or the share that percent are: 0.09 for 9."""
    plain = phrases.number(said)
    if plain is None or at.slot != "old":
        return
    percent = says("number_forms", "percent", at.context.situation.instruction)
    for one in nodes(at.root, ast.Constant):
        value = getattr(one, "value", None)
        if isinstance(value, bool) or not isinstance(value, int | float) or at.source.span(one)[0] < 0:
            continue
        signed = isinstance(at.source.parents.get(one), ast.UnaryOp) and same_tree(parsed(plain), one)
        share = (
            percent
            and isinstance(value, float)
            and value < 1
            and Fraction(str(value)) * 100 == Fraction(plain.replace("_", ""))
        )
        if signed or share:
            yield 0.8, one


def _value_of(at: Search, name: str) -> ast.expr | None:
    """The literal that a constant of the file is set to."""
    for one in getattr(at.source.tree, "body", ()):
        if isinstance(one, ast.Assign) and [ast.unparse(goal) for goal in one.targets] == [name]:
            return one.value if isinstance(one.value, ast.Constant) else None
    return None
