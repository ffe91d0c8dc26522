"""Which of the numbers that become text are whole ones, computed ones, or any that are meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import find_nodes

_REST = 0.2
"""How much likelier the rest of a division is meant than another number."""


def is_any_number(text: str) -> bool:
    """Whether words only say that it is a number: *its amounts*, *the values*."""
    words = re.findall(r"\w+", phrases.without_articles(text).lower())
    idle = {*phrases.words("articles"), "its", "their", "all", "every"}
    return all(
        word in idle or says("reordering", "number", word) or says("reordering", "number", word.rstrip("s"))
        for word in words
    )


def score_whole_number(value: ast.expr, spec: str, fit: float) -> float:
    """How well a value fits of which whole numbers are meant: one that is shown with decimals does not, and
    the rest of a division fits best."""
    if spec[-1:] in ("f", "%", "e", "g"):
        return 0.0
    rest = isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod)
    return fit + _REST if fit and rest else fit


def digits_of_rest(value: ast.expr) -> str:
    """The format of a rest by its divisor: `x % 100` has two digits."""
    by = value.right if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) else None
    shown = ast.unparse(by) if by is not None else ""
    return f"0{len(shown) - 1}d" if re.fullmatch(r"10+", shown) else ""


def returned_by(source: Source, node: ast.expr) -> Iterator[ast.expr]:
    """What a function of the file returns, and what its results are set to in it."""
    name = called_name(node)
    for definition in source.functions:
        if definition.name == name:
            returned = [inner.value for inner in find_nodes(definition, ast.Return) if inner.value]
            names = {inner.id for inner in returned if isinstance(inner, ast.Name)}
            yield from returned
            yield from (
                inner.value
                for inner in find_nodes(definition, ast.Assign)
                if ast.unparse(inner.targets[0]) in names
            )
