"""Numbers as words say them beside the number that they replace: with units, in percent, as shares."""

from __future__ import annotations

import ast
import re
from fractions import Fraction

from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says


def with_percent(text: str, old: ast.AST | None, instruction: str) -> str:
    """A number with the percent that an instruction says, where a share stands: 8 for 0.09."""
    shown = text.replace(",", ".")
    whole = re.fullmatch(r"\d+(?:\.\d+)?", shown) is not None and Fraction(shown) >= 1
    is_percent = whole and is_share(old) and says("number_forms", "percent", instruction)
    return f"{shown} percent" if is_percent else text


def is_share(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, float) and node.value <= 1


def amount_of(text: str, called: str, old: ast.AST | None) -> str | None:
    """A number with a unit, in the unit that the name counts in."""
    # A parameter counts in the unit of the constant that it has by default: `poll=POLL_MS`.
    counted = old.id if isinstance(old, ast.Name) and not phrases.unit_of(key(called)) else called
    for amount in (phrases.duration_in_unit(text, key(counted)), phrases.size_in_unit(text, key(counted))):
        if amount is not None:
            return phrases.plain_number(amount)
    percent = re.fullmatch(r"([\d.]+)\s*(?:%|percent|prozent|pour cent|por ciento)", text.lower())
    if percent is not None:
        number = Fraction(percent[1])
        return phrases.plain_number(number / 100 if is_share(old) else number)
    if is_share(old) and (part := phrases.lookup("factors", text)) is not None and Fraction(part) < 1:
        return phrases.plain_number(Fraction(part))
    if is_number(old) and re.fullmatch(r"(?:an? )?half(?: an?(?: \w+)?)?", text.lower()):
        return "0.5"
    comma = re.fullmatch(r"(-?\d+),(\d{1,2})", text) if is_number(old) else None
    return f"{comma[1]}.{comma[2]}" if comma is not None else None


def is_number(node: ast.AST | None) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int | float) and not isinstance(value, bool)
