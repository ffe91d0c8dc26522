"""Which of the numbers that become text are whole ones, computed ones, or any that are meant."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.context.lookup import plain_name, words_of
from spark_tui.intent.context.reading_in_place import Context
from spark_tui.intent.words import phrases
from spark_tui.intent.words.kinds_of_words import says
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

_COUNTING = ("int", "len", "round", "sum")
_REST = 0.2
"""How much likelier the rest of a division is meant than another number."""


def is_any_number(said: str) -> bool:
    """Whether words only say that it is a number: *its amounts*, *the values*."""
    words = re.findall(r"\w+", phrases.without_articles(said).lower())
    idle = {*phrases.words("articles"), "its", "their", "all", "every"}
    return all(
        word in idle or says("reordering", "number", word) or says("reordering", "number", word.rstrip("s"))
        for word in words
    )


def as_whole(context: Context, source: Source, value: ast.expr, spec: str, fit: float) -> float:
    """How well a value fits of which whole numbers are meant: one that is shown with decimals does not, one
    that is counted may be called after its function, and the rest of a division fits best."""
    if spec[-1:] in ("f", "%", "e", "g"):
        return 0.0
    if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod):
        return fit and fit + _REST
    inside = source.function_of(value)
    said = {one.rstrip("s") for one in words_of(plain_name(context.text("variable")))}
    named = inside is not None and said & {one.rstrip("s") for one in words_of(inside.name)}
    return max(fit, 0.6 if named and _is_counted(value, inside) else 0.0)


def _is_counted(value: ast.expr, inside: Function | None) -> bool:
    """Whether a value is a whole number by what it is set to."""
    nodes: list[ast.expr] = [value]
    if isinstance(value, ast.Name) and inside is not None:
        sets = (one for one in walk(inside) if isinstance(one, ast.Assign))
        nodes += [one.value for one in sets if ast.unparse(one.targets[0]) == value.id]
    return any(
        _is_sum(one) or (isinstance(one, ast.Call) and ast.unparse(one.func) in _COUNTING) for one in nodes
    )


def _is_sum(node: ast.expr) -> bool:
    """Whether a whole number is added or taken away, or it is divided without a rest."""
    sides = (node.left, node.right) if isinstance(node, ast.BinOp) else ()
    whole = any(isinstance(one, ast.Constant) and isinstance(one.value, int) for one in sides)
    kinds = ast.Add | ast.Sub | ast.Mod | ast.FloorDiv
    return isinstance(node, ast.BinOp) and isinstance(node.op, kinds) and whole


def digits_of_rest(value: ast.expr) -> str:
    """The format of a rest by its divisor: `x % 100` has two digits."""
    by = value.right if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Mod) else None
    shown = ast.unparse(by) if by is not None else ""
    return f"0{len(shown) - 1}d" if re.fullmatch(r"10+", shown) else ""


def returned_by(source: Source, node: ast.expr) -> Iterator[ast.expr]:
    """What a function of the file returns, and what its results are set to in it."""
    name = ast.unparse(node.func).rpartition(".")[2] if isinstance(node, ast.Call) else ""
    for one in source.definitions if name else ():
        if isinstance(one, Function) and one.name == name:
            returned = [each.value for each in walk(one) if isinstance(each, ast.Return) and each.value]
            names = {each.id for each in returned if isinstance(each, ast.Name)}
            yield from returned
            yield from (
                each.value
                for each in walk(one)
                if isinstance(each, ast.Assign) and ast.unparse(each.targets[0]) in names
            )
