"""Types that can be told from a function itself: its defaults, what it returns, what its parameters are called.

Comes in: a head. Goes out: types by name. Must not know: instructions.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.signatures.heads import Head
from spark_tui.refactor.signatures.words import type_of_value
from spark_tui.refactor.source import Source

_STR = re.compile(
    r"(?:^|_)(?:name|names?_?str|text|message|msg|title|label|line|path|filename|url|email|prefix|suffix|key|word|word|s|string|host|username|password|pattern|sep|encoding|city|country|lang|language|user_?name)$"
)
_INT = re.compile(
    r"(?:^|_)(?:n|count|num|number|size|limit|port|index|idx|year|month|day|age|width|height|qty|quantity|retries|attempts|depth|level|offset|i|j|k|max|min|page|seed|length|points|score|steps)$"
)
_FLOAT = re.compile(r"(?:^|_)(?:rate|ratio|price|temp|temperature|seconds|timeout|delay|amount|weight|factor|lat|lon|lng|celsius|fahrenheit|radius|total|balance)$")  # fmt: skip
_BOOL = re.compile(
    r"^(?:is|has|should|use|no|with|allow|enable)_|(?:^|_)(?:verbose|debug|force|quiet|strict|flag|enabled|dry_run|recursive|reverse)$"
)
_TEXT_METHODS = frozenset(
    re.findall(
        r"\w+",
        "strip lstrip rstrip lower upper title capitalize replace join format decode removeprefix removesuffix casefold zfill ljust rjust center",
    )
)
_CALLS = {
    "len": "int", "int": "int", "str": "str", "float": "float", "bool": "bool", "sorted": "list", "list": "list", "dict": "dict", "set": "set", "tuple": "tuple",
    "isinstance": "bool", "any": "bool", "all": "bool", "repr": "str", "input": "str", "ord": "int", "chr": "str", "callable": "bool", "hasattr": "bool", "Path": "Path",
}  # fmt: skip


def guessed(src: Source, of: Head) -> dict[str, str]:
    """By name; the return under the empty one. What cannot be told is not there."""
    out: dict[str, str] = {}
    for item in of.items[1 if of.bound else 0 :]:
        if item.arg is None or item.kind in ("args", "kwargs"):
            continue
        by_value = type_of_value(src.segment(item.default)) if item.default is not None else None
        if by_value is not None:
            out[item.name] = by_value
        elif item.default is None and (by_name := _by_name(item.name)) is not None:
            out[item.name] = by_name
    back = _returned(of, out)
    if back is not None:
        out[""] = back
    return out


def _by_name(name: str) -> str | None:
    for pattern, found in ((_BOOL, "bool"), (_FLOAT, "float"), (_STR, "str"), (_INT, "int")):
        if pattern.search(name):
            return found
    return None


def _returned(of: Head, types: dict[str, str]) -> str | None:
    own = _own_nodes(of.function)
    if any(isinstance(node, ast.Yield | ast.YieldFrom) for node in own):
        return None
    values = [node.value for node in own if isinstance(node, ast.Return)]
    if all(value is None or (isinstance(value, ast.Constant) and value.value is None) for value in values):
        raises = [node for node in of.function.body if isinstance(node, ast.Raise)]
        return None if raises else "None"
    found = {_type_of(value, types) for value in values}
    last = of.function.body[-1]
    falls = not isinstance(last, ast.Return | ast.Raise | ast.If | ast.Try | ast.With | ast.While | ast.Match)
    if falls:
        found.add("None")
    if None in found:
        return None
    kinds = sorted(one for one in found if one and one != "None")
    if kinds == ["float", "int"]:
        kinds = ["float"]
    if len(kinds) != 1:
        return None
    return f"{kinds[0]} | None" if "None" in found else kinds[0]


def _own_nodes(function: ast.AST) -> list[ast.AST]:
    """Without those of functions inside."""
    out: list[ast.AST] = []
    todo = list(ast.iter_child_nodes(function))
    while todo:
        node = todo.pop()
        out.append(node)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda | ast.ClassDef):
            todo += ast.iter_child_nodes(node)
    return out


def _type_of(node: ast.expr | None, types: dict[str, str]) -> str | None:
    if node is None:
        return "None"
    if isinstance(node, ast.Constant):
        return "None" if node.value is None else type(node.value).__name__
    if isinstance(node, ast.JoinedStr):
        return "str"
    if isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)):
        return "bool"
    if isinstance(node, ast.Name):
        return types.get(node.id)
    if isinstance(node, ast.BoolOp):
        found = {_type_of(one, types) for one in node.values}
        return found.pop() if len(found) == 1 else None
    if isinstance(node, ast.IfExp):
        found = {_type_of(node.body, types), _type_of(node.orelse, types)}
        return found.pop() if len(found) == 1 else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
        return _CALLS.get(node.func.id)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _TEXT_METHODS:
        return "str"
    if isinstance(node, ast.BinOp):
        left, right = _type_of(node.left, types), _type_of(node.right, types)
        if isinstance(node.op, ast.Mod) and left == "str":
            return "str"
        if isinstance(node.op, ast.Div) and {left, right} <= {"int", "float"}:
            return "float"
        if "float" in (left, right) and {left, right} <= {"int", "float"}:
            return "float"
        return left if left == right and left in ("int", "str") else None
    return None
