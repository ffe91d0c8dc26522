"""The object that another method is called on."""

from __future__ import annotations

import ast

from spark_tui.intent.context.reading_in_place import Context
from spark_tui.pysource.source import Function, Source


def own_method(source: Source, node: ast.Call, name: str) -> str:
    """`self.name`, where an attribute of `self` is called in a class that has a method of that name."""
    inside = source.function_of(node)
    owner = source.class_of(inside) if inside is not None else None
    methods = {stmt.name for stmt in owner.body if isinstance(stmt, Function)} if owner is not None else set()
    return f"self.{name}" if name in methods and ast.unparse(node.func).startswith("self.") else ""


def on_same_object(context: Context, path: str, node: ast.Call, name: str) -> str:
    """`self._logger.exception`, where `logger.exception` is to take the place of `logger.error`, nothing is
    called `logger` there, and `self._logger.error` is what stands there."""
    said = context.text("old").partition("(")[0].strip("`'\" ").rpartition(".")[0]
    if not said or not name.startswith(f"{said}.") or not isinstance(node.func, ast.Attribute):
        return ""
    known = context.visible(path, node).knows(said.partition(".")[0])
    return "" if known else ast.unparse(node.func.value) + name.removeprefix(said)
