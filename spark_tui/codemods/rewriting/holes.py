"""Expressions with holes: `...` stands for any expression, and in what replaces them for the same one."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.plan import Refusal
from spark_tui.codemods.rewriting.edits import is_same_tree, read_expression
from spark_tui.pysource.source import Source

_ALONE = (ast.Name, ast.Attribute, ast.Call, ast.Subscript, ast.Constant)


def find_holes(tree: ast.expr) -> list[ast.expr]:
    """The holes of an expression, in the order of the text."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.Constant) and node.value is ...]
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def find_fillings(pattern: ast.expr, node: ast.expr) -> list[ast.expr] | None:
    """What stands in an expression where a pattern has holes; None where it is another expression."""
    holes = find_holes(pattern)
    pairs: dict[ast.AST, ast.expr] = dict(_pairs(pattern, node, set(holes)))
    fits = len(pairs) == len(holes) and is_same_tree(pattern, node, pairs)
    return [pairs[hole] for hole in holes] if fits else None


def _pairs(one: ast.AST, two: ast.AST, holes: set[ast.expr]) -> Iterator[tuple[ast.AST, ast.expr]]:
    if isinstance(one, ast.expr) and one in holes:
        if isinstance(two, ast.expr) and not isinstance(two, ast.Starred):
            yield one, two
        return
    children = (list(ast.iter_child_nodes(node)) for node in (one, two))
    for inner, other in zip(*children, strict=False):
        yield from _pairs(inner, other, holes)


def fill(source: Source, new: str, fillings: list[ast.expr]) -> str:
    """An expression with code in its holes, in brackets where it does not stand alone."""
    read_expression(new)
    new = new.strip()
    tree = ast.parse(new, mode="eval").body
    holes = find_holes(tree)
    if len(holes) != len(fillings):
        raise Refusal(f"{new} has {len(holes)} holes for {len(fillings)}: something would be lost")
    if not new.isascii() or "\n" in new:
        raise Refusal("the new expression cannot be filled")
    arguments = {part for node in ast.walk(tree) if isinstance(node, ast.Call) for part in node.args}
    for hole, given in reversed(list(zip(holes, fillings, strict=True))):
        text = source.segment(given)
        text = text if hole in arguments or isinstance(given, _ALONE) else f"({text})"
        new = new[: hole.col_offset] + text + new[hole.end_col_offset :]
    return new
