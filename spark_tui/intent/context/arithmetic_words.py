"""Arithmetic in words: `BACKOFF to the power of tries`, `price times quantity`."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from functools import lru_cache

from spark_tui.intent.words.phrases import has_cjk, number, table

_SIGNS = ("+", "-", "*", "/", "//", "%", "**")


@lru_cache(maxsize=1)
def operators() -> tuple[re.Pattern[str], dict[str, str]]:
    """The words of operators, and the sign of each."""
    known = {text.lower(): sign for sign in _SIGNS for text in table()["operators"][sign]}
    longest = sorted((item for item in known if not has_cjk(item)), key=len, reverse=True)
    far = "|".join(map(re.escape, longest))
    near = "|".join(re.escape(item) for item in known if has_cjk(item))
    return re.compile(rf"\s+(?:{far})\s+|\s*(?:{near})\s*", re.IGNORECASE), known


def arithmetic(text: str, read: Callable[[str], str | None]) -> str | None:
    """The code of two things with the words of an operator between them, each of which `read` knows."""
    pattern, known = operators()
    for found in pattern.finditer(text):
        left, right = (_operand(item, read) for item in (text[: found.start()], text[found.end() :]))
        if left is not None and right is not None:
            return f"{left} {known[found[0].strip().lower()]} {right}"
    return None


def _operand(text: str, read: Callable[[str], str | None]) -> str | None:
    code = number(text) or read(text.strip())
    if code is None:
        return None
    try:
        tree = ast.parse(code, mode="eval").body
    except SyntaxError:
        return None
    return code if isinstance(tree, ast.Name | ast.Attribute | ast.Constant | ast.Call) else f"({code})"
