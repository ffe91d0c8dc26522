"""Calls of methods that are told by their name alone: `starttls` is done with the server of the place."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.signatures.called_parameters import methods_of_library
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk


def called_there(source: Source, node: ast.AST | None, name: str) -> str:
    """The call of a method without arguments of the one object in a function whose class has it."""
    inside = node if isinstance(node, Function) else source.function_of(node) if node is not None else None
    if inside is None or not name.isidentifier():
        return ""
    found = {holder for holder, made in _made(source, inside) if name in methods_of_library(source, made)}
    return f"{found.pop()}.{name}()" if len(found) == 1 else ""


def _made(source: Source, function: Function) -> Iterator[tuple[str, str]]:
    """The names of a function, and attributes that it uses, with what was called to make them."""
    used = {ast.unparse(node) for node in walk(function) if isinstance(node, ast.Attribute)}
    owner = source.class_of(function)
    for inner in walk(owner if owner is not None else function):
        pairs = []
        if isinstance(inner, ast.Assign):
            pairs = [(goal, inner.value) for goal in inner.targets]
        elif isinstance(inner, ast.With):
            pairs = [(item.optional_vars, item.context_expr) for item in inner.items if item.optional_vars]
        for goal, value in pairs:
            shown = ast.unparse(goal)
            here = source.function_of(inner) is function if isinstance(goal, ast.Name) else shown in used
            if (
                isinstance(value, ast.Call)
                and here
                and (isinstance(goal, ast.Name) or shown.startswith("self."))
            ):
                yield shown, ast.unparse(value.func)
