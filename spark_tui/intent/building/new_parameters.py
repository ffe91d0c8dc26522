"""Parameters that are added: the function that a class stands for, and what in its body they are read for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import call
from spark_tui.intent.context.anchors import Anchor, parsed
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.walking import walk


def called_functions(found: Sequence[Anchor]) -> list[Anchor]:
    """The functions that may be meant; of a class that is named, what makes its objects."""
    made = [
        replace(one, weight=0.9 * one.area.weight, doubts=one.area.doubts)
        for one in found
        if isinstance(one.area.node, ast.ClassDef) and getattr(one.node, "name", "") == "__init__"
    ]
    return made or list(found)


def read_in_body(anchor: Anchor, name: str, default: str) -> Iterator[Operation]:
    """The calls that let a body read a new parameter where it reads the constant that is its default."""
    node, tree = anchor.node, parsed(default)
    if not isinstance(node, Function) or not isinstance(tree, ast.Name) or not tree.id.isupper():
        return
    uses = [
        one for part in node.body for one in walk(part) if isinstance(one, ast.Name) and one.id == tree.id
    ]
    if any(not isinstance(one.ctx, ast.Load) for one in uses) or not name.isidentifier():
        return
    for line in sorted({one.lineno for one in uses}, reverse=True):
        yield call("replace_expression", place=f"{anchor.path}:{line}", old=tree.id, new=name, every=True)
