"""Whether a value is True or False and nothing else, as far as the file tells."""

from __future__ import annotations

import ast

from spark_tui.codemods.signatures.rearrange import default_of
from spark_tui.pysource.source import Function, Source, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk
from spark_tui.pysource.words import word_set

_CALLS = ("bool", "isinstance", "issubclass", "callable", "any", "all", "hasattr")
_METHODS = word_set(
    "startswith endswith isdigit isalpha isalnum isspace isupper islower isnumeric isidentifier isdecimal "
    "istitle exists is_file is_dir is_alive is_set issubset"
)


def is_boolean(source: Source, node: ast.expr) -> bool:
    """Whether an expression is a bool: by what it does, its annotation, or all that it is set to."""
    if isinstance(node, ast.BoolOp):
        return all(is_boolean(source, value) for value in node.values)
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.Call):
        return _call(source, node)
    if isinstance(node, ast.Compare):
        return all(
            isinstance(inner, ast.In | ast.NotIn | ast.Is | ast.IsNot) for inner in node.ops
        ) or isinstance(node.comparators[-1], ast.Constant)
    if isinstance(node, ast.Name):
        return _named(source, node)
    return isinstance(node, ast.Attribute) and _attribute(source, node)


def takes_bool(function: Function, name: str) -> bool:
    """Whether a parameter is a bool by its default or its annotation."""
    default = default_of(function, name)
    hint = next((parameter.annotation for parameter in parameters(function) if parameter.arg == name), None)
    is_default = isinstance(default, ast.Constant) and isinstance(default.value, bool)
    return is_default or (hint is not None and ast.unparse(hint) == "bool")


def _call(source: Source, node: ast.Call) -> bool:
    if isinstance(node.func, ast.Name) and node.func.id in _CALLS:
        return True
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    if isinstance(node.func, ast.Attribute) and name in _METHODS:
        return True
    own = [function for function in source.functions if function.name == name]
    return bool(own) and all(map(_returns_bool, own))


def _returns_bool(node: Function) -> bool:
    if node.returns is not None:
        return ast.unparse(node.returns) == "bool"
    values = [inner.value for inner in find_nodes(node, ast.Return)]
    return bool(values) and all(value is not None and _plainly(value) for value in values)


def _plainly(node: ast.expr) -> bool:
    """Whether an expression is a bool by itself."""
    if isinstance(node, ast.BoolOp):
        return all(map(_plainly, node.values))
    if isinstance(node, ast.Call):
        return isinstance(node.func, ast.Name) and node.func.id in _CALLS
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    return isinstance(node, ast.Compare) or (isinstance(node, ast.Constant) and isinstance(node.value, bool))


def _named(source: Source, node: ast.Name) -> bool:
    inside = source.function_of(node)
    for parameter in parameters(inside) if inside is not None else ():
        if parameter.arg == node.id and parameter.annotation is not None:
            return ast.unparse(parameter.annotation) == "bool"
    root = inside or source.tree
    return root is not None and _set_to_bools(root, node.id)


def _attribute(source: Source, node: ast.Attribute) -> bool:
    """By the annotation in a class of the file, or by all that the attribute is set to there."""
    hints = [
        ast.unparse(stmt.annotation)
        for definition in source.definitions
        if isinstance(definition, ast.ClassDef)
        for stmt in definition.body
        if isinstance(stmt, ast.AnnAssign)
        and isinstance(stmt.target, ast.Name)
        and stmt.target.id == node.attr
    ]
    if hints:
        return set(hints) == {"bool"}
    return source.tree is not None and _set_to_bools(source.tree, node.attr)


def _set_to_bools(root: ast.AST, name: str) -> bool:
    """Whether a name or attribute is set somewhere, and only to bools, or to parameters that are such."""
    values: list[ast.expr | None] = []
    for node in walk(root):
        goals = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(
            isinstance(goal, ast.Name | ast.Attribute)
            and name in (getattr(goal, "id", ""), getattr(goal, "attr", ""))
            for goal in goals
        ):
            values.append(getattr(node, "value", None))
    return bool(values) and all(value is not None and _plainly(value) for value in values)
