"""What a value cannot be asked for: a method that its type has not, a number of what is none."""

from __future__ import annotations

import ast
import builtins

from spark_tui.intent.context.anchors import is_same_expression, parsed
from spark_tui.intent.facts.declared import is_declared
from spark_tui.intent.facts.enumerations import enumerations
from spark_tui.intent.facts.expression_types import expression_type
from spark_tui.intent.facts.literal_types import literal_type
from spark_tui.pysource.source import Source
from spark_tui.pysource.syntax.walking import walk


def lacks(source: Source, value: ast.expr, new: str) -> str:
    """That a list or dictionary which stands there has no method such as `upper`, or is no number."""
    if is_declared(source, value) and isinstance(value, ast.Call):
        return f"{ast.unparse(value.func)} declares a field, and makes no value"
    inside, told = source.function_of(value), literal_type(value)
    if not told and inside is not None:
        told = expression_type(value, inside, source).partition("[")[0]
    if not told and isinstance(value, ast.Attribute):
        told = _of_attribute(source, value)
    kind, made = getattr(builtins, told, None), parsed(new)
    plain = made.func.id if isinstance(made, ast.Call) and isinstance(made.func, ast.Name) else ""
    bounds = plain in ("min", "max") and isinstance(made, ast.Call) and len(made.args) > 1
    no_numbers = (list, dict, set, tuple, *((str,) if bounds or plain in ("round", "abs") else ()))
    if kind in no_numbers and (bounds or plain in ("int", "float", "round", "abs")):
        return f"a {told} is not a number"
    called = made.func if isinstance(made, ast.Call) and isinstance(made.func, ast.Attribute) else None
    lacking = told in _MEMBER or (isinstance(kind, type) and not hasattr(kind, getattr(called, "attr", "")))
    if called is None or not lacking or called.attr in ("name", "value"):
        return ""
    return f"a {told} has no {called.attr}" if is_same_expression(called.value, value) else ""


_MEMBER = ("member of an enumeration",)


def _of_attribute(source: Source, value: ast.Attribute) -> str:
    """The type of an attribute of `self` that its class sets to literals of one type only, or to members of
    an enumeration of the file."""
    inside = source.function_of(value)
    owner = source.class_of(inside) if inside is not None else None
    kinds = set()
    for node in walk(owner) if owner is not None else ():
        goals = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if not isinstance(node, ast.Assign | ast.AnnAssign) or not any(
            is_same_expression(goal, value) for goal in goals if goal is not None
        ):
            continue
        holder = node.value.value if isinstance(node.value, ast.Attribute) else None
        names = {one.name for one in enumerations(source)}
        member = isinstance(holder, ast.Name) and holder.id in names
        kinds.add(_MEMBER[0] if member else literal_type(node.value))
    kinds.discard("None")
    return kinds.pop() if len(kinds) == 1 else ""
