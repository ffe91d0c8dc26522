"""How operands are used in a function: what divides, what is a key, what is gone through, and the like."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator

from spark_tui.intent.conditions.condition_phrases import word_list
from spark_tui.intent.conditions.operands import Operand
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.pysource.source import Function, parameters
from spark_tui.pysource.syntax.walking import find_nodes, walk

USES = (
    "divisor",
    "reckoned",
    "subscripted",
    "key",
    "iterated",
    "attributes",
    "text",
    "items",
    "path",
    "passed",
    "measured",
    "converted",
    "compared",
    "container",
    "element",
    "optional",
    "tested",
    "returned",
    "set",
    "many",
)
"""The ways of use that are told apart; `many` is a plural name."""
_TEXT, _ITEMS, _PATHS = map(word_list, ("text", "items", "paths"))
_TAKEN = {
    **dict.fromkeys(("sum", "max", "min", "sorted"), "iterated"),
    **dict.fromkeys(("int", "float"), "converted"),
    **dict.fromkeys(("open", "Path", *_PATHS), "path"),
    **dict.fromkeys(("get", "pop"), "key"),
    "len": "measured",
}
"""What a function of a name does with what it is given."""


def note_uses(every: list[Operand], root: ast.AST, tree: ast.AST) -> None:
    """Notes on each operand how it is used in a function, and with which texts the file compares it."""
    by_code = {item.code: item for item in every}
    for node in walk(root):
        for child, use in _uses(node):
            if (operand := by_code.get(_code(child))) is not None:
                operand.uses.add(use)
    for node in find_nodes(tree, ast.Call):
        for child, use in _uses(node):
            if use == "path" and (operand := by_code.get(_code(child))) is not None:
                operand.uses.add(use)
    texts = _texts_by_name(tree)
    for operand in every:
        operand.texts = texts.get(_last_of(operand.code), set())
        if operand.last.endswith("s") and not operand.last.endswith("ss"):
            operand.uses.add("many")


def _texts_by_name(tree: ast.AST) -> dict[str, set[str]]:
    """The texts with which names are compared and to which they are set."""
    out: dict[str, set[str]] = defaultdict(set)
    for node in walk(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
        elif isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant):
            sides = [node.value, *node.targets]
        else:
            continue
        each = (inner for side in sides for inner in walk(side))
        texts = {
            inner.value for inner in each if isinstance(inner, ast.Constant) and isinstance(inner.value, str)
        }
        for side in sides if texts else ():
            out[_last_of(_code(side))] |= texts
    return out


def _code(node: ast.AST) -> str:
    return (
        ast.unparse(node)
        if isinstance(node, ast.Name | ast.Attribute | ast.Subscript | ast.Call | ast.BinOp)
        else ""
    )


def _last_of(code: str) -> str:
    return code.rstrip("()]").rpartition(".")[2].rpartition("[")[2].strip("'\"")


def _uses(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a node with the way in which it uses them."""
    match node:
        case ast.BinOp(left=left, op=ast.Add(), right=right) if is_string(left) or is_string(right):
            yield from ((left, "text"), (right, "text"))
        case ast.BinOp(left=left, op=op, right=right):
            yield left, "reckoned"
            yield right, "divisor" if isinstance(op, ast.Div | ast.FloorDiv | ast.Mod) else "reckoned"
        case ast.Subscript(value=value, slice=index):
            yield value, "subscripted"
            yield index, "key"
            if isinstance(node.ctx, ast.Store):
                yield node, "set"
        case (
            ast.For(iter=gone_through)
            | ast.AsyncFor(iter=gone_through)
            | ast.comprehension(iter=gone_through)
        ):
            yield gone_through, "iterated"
        case ast.Attribute(value=value, attr=name):
            if isinstance(node.ctx, ast.Store):
                yield node, "set"
            kinds = {"path": _PATHS, "text": _TEXT, "items": _ITEMS}
            yield value, next((use for use, names in kinds.items() if name in names), "attributes")
        case ast.Call(func=function, args=given):
            name = _last_of(_code(function))
            use = "reckoned" if name in ("max", "min") and len(given) > 1 else _TAKEN.get(name, "passed")
            for one in given:
                yield one, use
        case ast.Compare():
            yield from _compared(node)
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            yield test, "tested"
        case ast.UnaryOp(operand=operand, op=op):
            yield operand, "tested" if isinstance(op, ast.Not) else "reckoned"
        case ast.BoolOp(values=values):
            for one in values:
                yield one, "tested"
        case ast.Return(value=value) if value is not None:
            yield value, "returned"


def _compared(node: ast.Compare) -> Iterator[tuple[ast.AST, str]]:
    for left, sign, right in zip([node.left, *node.comparators], node.ops, node.comparators, strict=False):
        if isinstance(sign, ast.In | ast.NotIn):
            yield left, "element"
            yield right, "container"
        elif isinstance(sign, ast.Is | ast.IsNot):
            yield left, "optional"
        else:
            yield left, "compared"
            yield right, "compared"


def own_names(function: Function | None, root: ast.AST) -> set[str]:
    """The names that a function, or what is outside of all, binds."""
    stored = find_nodes(function or root, ast.Name)
    own = {node.id for node in stored if isinstance(node.ctx, ast.Store)}
    return own | {parameter.arg for parameter in (parameters(function) if function is not None else ())}
