"""What stands where a value is set: another one than was said, no number, or what is given from outside."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.syntax.walking import find_nodes


def is_another(wanted: ast.expr | None, old: ast.expr | None) -> bool:
    """Whether the code has another number than the instruction says it has, or what a call gives."""
    if not isinstance(wanted, ast.Constant):
        return False
    if isinstance(old, ast.Call) and type(wanted.value) in (int, float):
        return all(str(node.value) != str(wanted.value) for node in find_nodes(old, ast.Constant))
    if not isinstance(old, ast.Constant):
        return False
    alike = type(old.value) is type(wanted.value) in (int, float)
    return alike and old.value != wanted.value


def doubts_of_given(name: str, old: ast.expr | None) -> Iterator[str]:
    """That an attribute is no longer what it is given: `self.size = size`."""
    if isinstance(old, ast.Name) and old.id == name:
        yield assumed(f"what is given for {name} was assumed to be of no use")


def is_no_number(node: ast.expr | None) -> bool:
    """Whether a text stands somewhere that is no number: an address, a name."""
    text = node.value if isinstance(node, ast.Constant) else None
    return isinstance(text, str) and re.fullmatch(r"\d+(?:\.\d+)?", text) is None
