"""Parameters that are added: the function that a class stands for, and what in its body they are read for."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import replace

from spark_tui.codemods.registry import Operation
from spark_tui.intent.building.building import call
from spark_tui.intent.context.anchors import Anchor, parsed, same_tree
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import walk


def called_functions(found: Sequence[Anchor]) -> list[Anchor]:
    """The functions that may be meant; of a class that is named, what makes its objects."""
    made = [
        replace(one, weight=0.9 * one.area.weight, doubts=one.area.doubts)
        for one in found
        if isinstance(one.area.node, ast.ClassDef) and getattr(one.node, "name", "") == "__init__"
    ]
    return made or list(found)


def read_in_body(anchor: Anchor, source: Source, name: str, default: str) -> Iterator[Operation]:
    """The calls that let a body read a new parameter where it reads the constant that is its default, or
    where an attribute of the same name begins with that default."""
    node, tree = anchor.node, parsed(default)
    yield from _kept(anchor, name, tree)
    if isinstance(node, Function) and isinstance(tree, ast.Constant):
        yield from _literal(anchor, source, node, name, tree)
    if not isinstance(node, Function) or not isinstance(tree, ast.Name) or not tree.id.isupper():
        return
    uses = [
        one for part in node.body for one in walk(part) if isinstance(one, ast.Name) and one.id == tree.id
    ]
    if any(not isinstance(one.ctx, ast.Load) for one in uses) or not name.isidentifier():
        return
    for line in sorted({one.lineno for one in uses}, reverse=True):
        yield call("replace_expression", place=f"{anchor.path}:{line}", old=tree.id, new=name, every=True)
    if node.name == "__init__" and not uses:
        yield from _kept_for_methods(anchor, source, name, tree.id)


def _literal(
    anchor: Anchor, source: Source, node: Function, name: str, default: ast.Constant
) -> Iterator[Operation]:
    """The call that reads a parameter for the one number or text in a body that is its default."""
    value = default.value
    if isinstance(value, bool) or value in (None, 0, 1, "") or not isinstance(value, int | float | str):
        return
    found = [
        one
        for part in node.body
        for one in walk(part)
        if isinstance(one, ast.Constant) and type(one.value) is type(value) and one.value == value
    ]
    if len(found) == 1 and name.isidentifier():
        place, old = f"{anchor.path}:{found[0].lineno}", source.segment(found[0])
        yield call("replace_expression", place=place, old=old, new=name)


def _kept_for_methods(anchor: Anchor, source: Source, name: str, constant: str) -> Iterator[Operation]:
    """The calls that keep a parameter of `__init__` in an attribute, which methods read for a constant."""
    init = anchor.node
    owner = source.class_of(init) if isinstance(init, Function) else None
    uses = [
        one
        for method in (owner.body if owner is not None else [])
        if isinstance(method, Function) and method is not init and parameters(method)[:1]
        for one in walk(method)
        if isinstance(one, ast.Name) and one.id == constant and isinstance(one.ctx, ast.Load)
    ]
    if not uses or init is None:
        return
    # From the last to the first, so that the lines of the others stay where they are.
    for line in sorted({one.lineno for one in uses}, reverse=True):
        place = f"{anchor.path}:{line}"
        yield call("replace_expression", place=place, old=constant, new=f"self.{name}", every=True)
    place = f"in {anchor.path}::{source.qualname(init)}"
    yield call("insert_statements", place=place, code=f"self.{name} = {name}", side="end")


def _kept(anchor: Anchor, name: str, default: ast.expr | None) -> Iterator[Operation]:
    """The call that sets an attribute to the parameter of `__init__` that is called like it."""
    node = anchor.node
    for one in node.body if isinstance(node, Function) and node.name == "__init__" else ():
        if not isinstance(one, ast.Assign) or not isinstance(one.value, ast.Constant):
            continue
        if ast.unparse(one.targets[0]) == f"self.{name}" and same_tree(one.value, default):
            code = f"self.{name} = {name}"
            yield call("replace_statements", place=f"{anchor.path}:{one.lineno}", code=code)


def is_taken(anchor: Anchor, name: str) -> bool:
    """Whether `__init__` of a class takes a parameter of that name and does not keep it."""
    body = anchor.node.body if isinstance(anchor.node, ast.ClassDef) else []
    init = next((one for one in body if isinstance(one, Function) and one.name == "__init__"), None)
    if init is None or name not in [one.arg for one in parameters(init)]:
        return False
    return not any(isinstance(one, ast.Name) and one.id == name for part in init.body for one in walk(part))
