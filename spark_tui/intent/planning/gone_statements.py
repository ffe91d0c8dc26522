"""Statements that go, and what their function needs them for: a `continue`, and copies."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.families.statements.placement import DeleteStatements
from spark_tui.intent.planning.certainty import RankedEdit
from spark_tui.intent.words.doubts import assumed
from spark_tui.pysource.names.type_hints import called_name
from spark_tui.pysource.source import Source
from spark_tui.pysource.words import word_set

_COPYING = word_set("list dict set tuple copy deepcopy sorted")


def doubts_of_gone(found: RankedEdit) -> tuple[str, ...]:
    """What runs, or is another object, once a statement is gone."""
    index = found.situation.repo.index
    for one in (each for each in found.executed.calls if isinstance(each, DeleteStatements)):
        source = index.source(one.place.path)
        gone = (node for node in source.statements if one.place.first <= node.lineno <= one.place.last)
        if reason := next((each for node in gone for each in _reasons(source, node)), ""):
            return (assumed(reason),)
    return ()


def _reasons(source: Source, node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.Continue) and (after := _behind(source, node)) is not None:
        yield f"{ast.unparse(after).splitlines()[0]} runs there too then"
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Call() as made):
            of = made.func.value if isinstance(made.func, ast.Attribute) and not made.args else None
            given = made.args[:1] if of is None else [of]
            if called_name(made) in _COPYING and any(ast.unparse(value) == name for value in given):
                yield f"{name} is no copy then, and may be of another kind"


def _behind(source: Source, node: ast.Continue) -> ast.stmt | None:
    """What runs next in the loop if this is gone."""
    inner: ast.AST = node
    for outer in source.ancestors(node):
        if isinstance(inner, ast.stmt) and inner is not node:
            following = source.following(inner)
            if following:
                return following[0]
        if isinstance(outer, ast.For | ast.While | ast.AsyncFor):
            return None
        inner = outer
    return None
