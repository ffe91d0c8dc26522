"""Values that something is compared with, as code."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable

from spark_tui.intent.words.phrases import (
    duration_in_unit,
    plain_number,
    size_in_unit,
    value,
    without_articles,
    words,
)
from spark_tui.pysource.syntax.parsing import parse_value

Expressions = Callable[[str], str | None]
"""From words to an expression of the code at hand; None where they name nothing."""


def read_compared_value(text: str, expression: Expressions, compared: str) -> str | None:
    """The value that something is compared with, as code."""
    plain = text.strip().strip("`").rstrip(".,;!?").strip()
    if not plain:
        return None
    found = value(plain)
    if found is not None:
        return found
    if (named := without_articles(plain)) in words("type_names"):
        return named
    quoted = plain[0] in "'\""  # `'a b'` is no byte
    for amount in (duration_in_unit(plain, compared), size_in_unit(plain, compared)):
        if amount is not None and not quoted:
            return plain_number(amount)
    tree = parse_value(plain)
    if tree is None:
        return expression(plain)
    if isinstance(tree, ast.Name):
        return expression(plain) or repr(plain).replace("'", '"')
    if any(isinstance(node, ast.Compare | ast.BoolOp) for node in ast.walk(tree)):
        return None  # words such as `already in there`
    return plain


def is_own_state(looked_at: str, value: str, said: str) -> bool:
    """Whether a value is an attribute of what is looked at, called by its name alone: *the order is paid*."""
    return "." not in said and re.fullmatch(rf"{re.escape(looked_at)}\.\w+", value) is not None
