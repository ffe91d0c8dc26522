"""Literals: whether one is a text or None, and the type of an expression whose form tells it."""

from __future__ import annotations

import ast
import codecs
import re
from collections.abc import Iterator
from contextlib import suppress
from typing import TypeGuard

from spark_tui.intent.words import phrases
from spark_tui.pysource.inference.known_types import DISPLAYS
from spark_tui.pysource.words import word_set

_NUMBERS = word_set(
    "int float complex Decimal Fraction Number Real Rational Integral SupportsInt SupportsFloat SupportsIndex"
    " Any object timedelta ndarray Tensor Series Array ArrayLike number"
)
_TYPE_VARIABLE = re.compile(r"(?!IO)(?:[A-Z]|[A-Z]+T\d?|T[A-Z]?\d?)")
_AROUND = word_set("Optional Union Annotated Final ClassVar")


def is_text(node: ast.AST | None) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, str)


def is_string(node: ast.AST | None) -> TypeGuard[ast.Constant | ast.JoinedStr]:
    """Whether an expression is a text, or a text with holes."""
    return isinstance(node, ast.JoinedStr) or is_text(node)


def literal_type(node: ast.expr | None) -> str:
    """The type of an expression, where its form tells it."""
    if isinstance(node, ast.Constant):
        return type(node.value).__name__ if node.value is not None else "None"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return "bool"
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return str(phrases.table()["call_types"].get(node.func.id, ""))
    return DISPLAYS.get(type(node), "")


def is_codec(text: str) -> bool:
    """Whether a text is the name of an encoding."""
    try:
        codecs.lookup(text)
    except (LookupError, ValueError):
        return False
    return True


def may_be_number(hint: ast.expr | None) -> bool:
    """Whether an annotation leaves it open that a value is compared with a number. What an alias or a type
    variable stands for is not known."""
    names = classes_hinted(hint)
    return not names or any(
        name in _NUMBERS or _TYPE_VARIABLE.fullmatch(name) or "_" in name for name in names
    )


def classes_hinted(hint: ast.expr | None) -> set[str]:
    """The last names of the classes that an annotation allows, without None."""
    return {ast.unparse(item).rpartition(".")[2] for item in _alternatives(hint)} - {"None"}


def _alternatives(hint: ast.expr | None) -> Iterator[ast.expr]:
    """The classes of which an annotation allows each, without what they hold."""
    if isinstance(hint, ast.BinOp):
        yield from (*_alternatives(hint.left), *_alternatives(hint.right))
    elif isinstance(hint, ast.Subscript) and ast.unparse(hint.value).rpartition(".")[2] in _AROUND:
        inner = hint.slice.elts if isinstance(hint.slice, ast.Tuple) else [hint.slice]
        yield from (item for one in inner for item in _alternatives(one))
    elif isinstance(hint, ast.Subscript):
        yield hint.value
    elif isinstance(hint, ast.Constant) and isinstance(hint.value, str):
        with suppress(SyntaxError, ValueError):
            yield from _alternatives(ast.parse(hint.value, mode="eval").body)
    elif hint is not None:
        yield hint
