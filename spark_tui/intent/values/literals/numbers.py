"""Numbers as words say them beside the number that they replace: with units, in percent, as shares."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable
from dataclasses import replace
from fractions import Fraction

from spark_tui.intent.context.lookup import key
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.intent.words.readings import Span

_UNIT = re.compile(r"[ -]?([^\W\d_]+|%)(?!\w)")
_PERCENT = re.compile(r"(-?[\d.]+)\s*(?:%|percent|prozent|pour cent|por ciento)")
_MADE_OF_ONE = ("Decimal", "Fraction", "Path", "PurePath")


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
    span = old.keywords[0].arg if isinstance(old, ast.Call) and len(old.keywords) == 1 else None
    if isinstance(old, ast.Call) and span and ast.unparse(old.func).endswith("timedelta") and not old.args:
        time = phrases.duration_in_unit(text, span)
        return f"{ast.unparse(old.func)}({span}={phrases.plain_number(time)})" if time is not None else None
    # A parameter counts in the unit of the constant that it has by default: `poll=POLL_MS`.
    counted = old.id if isinstance(old, ast.Name) and not phrases.unit_of(key(called)) else called
    for amount in (phrases.duration_in_unit(text, key(counted)), phrases.size_in_unit(text, key(counted))):
        if amount is not None:
            return phrases.plain_number(amount)
    percent = _PERCENT.fullmatch(text.lower())
    if percent is not None:
        number = Fraction(percent[1])
        return phrases.plain_number(number / 100 if is_share(old) else number)
    if is_share(old) and (part := phrases.lookup("factors", text)) is not None and Fraction(part) < 1:
        return phrases.plain_number(Fraction(part))
    if is_number(old) and re.fullmatch(r"(?:an? )?half(?: an?(?: \w+)?)?", text.lower()):
        return "0.5"
    comma = re.fullmatch(r"(-?\d+),(\d{1,2})", text) if is_number(old) else None
    return f"{comma[1]}.{comma[2]}" if comma is not None else None


def with_unit(text: str, behind: str) -> str:
    """A number with the unit that follows it: `2` and ` seconds by default` are `2 seconds`."""
    word = _UNIT.match(behind)
    if word is None or phrases.number(text) is None:
        return text
    said = f"{text} {word[1]}"
    return said if is_time_or_size(said) or _PERCENT.fullmatch(said.lower()) else text


def is_time_or_size(text: str) -> bool:
    return phrases.duration(text) is not None or phrases.size(text) is not None


def in_unit_before(span: Span, olds: Iterable[Span], instruction: str, asked: str) -> Span:
    """A number that replaces an amount counts in its unit: `3` after `2 minutes` is `3 minutes`."""
    behind = instruction[span.end :].strip(" .!,;") if span.end > 0 else ""
    if span.quoted or behind[:1].isalpha() or phrases.number(span.text) is None:
        return span
    for old in olds:
        amount = with_unit(old.text, asked.partition(old.text)[2])
        unit = "%" if amount.endswith("%") else amount.rpartition(" ")[2]
        said = with_unit(span.text, f" {unit}")
        if unit != amount and said != span.text:
            return replace(span, text=said)
    return span


def in_same_call(code: str, old: ast.AST | None) -> str:
    """A number or text as the one argument of the class that the old value is made by: `Decimal("0.5")`."""
    given = old.args[0] if isinstance(old, ast.Call) and len(old.args) == 1 and not old.keywords else None
    made = ast.unparse(old.func) if isinstance(old, ast.Call) and isinstance(given, ast.Constant) else ""
    if made.rpartition(".")[2] not in _MADE_OF_ONE:
        return code
    if isinstance(given, ast.Constant) and isinstance(given.value, str):
        is_amount = re.fullmatch(r"-?\d[\d_.]*", code) is not None and not made.endswith("Path")
        code = f'"{code}"' if is_amount else code
        return f"{made}({code})" if re.fullmatch(r"(['\"]).*\1", code) else code
    return f"{made}({code})" if re.fullmatch(r"-?\d+", code) else code


def is_number(node: ast.AST | None) -> bool:
    value = node.value if isinstance(node, ast.Constant) else None
    return isinstance(value, int | float) and not isinstance(value, bool)


def is_arithmetic(node: ast.AST | None) -> bool:
    """Whether an expression is made of plain numbers: `64 * 1024`."""
    return isinstance(node, ast.BinOp) and all(
        is_number(side) or is_arithmetic(side) for side in (node.left, node.right)
    )


def is_length(span: Span, instruction: str) -> bool:
    """Whether a number counts characters."""
    behind = re.match(r"[\s-]*([^\W\d_]+|[\u3400-\u9fff]+)", instruction[span.end :])
    return span.text.isdigit() and behind is not None and phrases.is_said("characters", behind[1])
