"""The largest or smallest without a loop: of what is sorted, within a limit, or for a new number."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.intent.building.rewritten import Rewritten
from spark_tui.intent.context.situation import Area
from spark_tui.pysource.source import Function, Source
from spark_tui.pysource.syntax.walking import walk

MOST = {ast.Gt: "max", ast.GtE: "max", ast.Lt: "min", ast.LtE: "min"}
OTHER = {"max": "min", "min": "max"}


def alike(one: ast.expr, two: ast.expr) -> bool:
    """Whether two expressions read the same."""
    return ast.unparse(one) == ast.unparse(two)


def of_limit(area: Area, source: Source, node: ast.If) -> Iterator[Rewritten]:
    """`if x > top: x = top` becomes `x = min(x, top)`."""
    one = node.body[0] if len(node.body) == 1 and not node.orelse else None
    test = node.test
    if not isinstance(one, ast.Assign) or not isinstance(test, ast.Compare) or len(test.ops) != 1:
        return
    goal, word = one.targets[0], MOST.get(type(test.ops[0]))
    left, right = test.left, test.comparators[0]
    if word and alike(left, goal) and alike(right, one.value):
        yield Rewritten(
            area,
            node,
            f"{source.segment(goal)} = {OTHER[word]}({source.segment(goal)}, {source.segment(right)})",
        )
    elif word and alike(right, goal) and alike(left, one.value):
        yield Rewritten(
            area, node, f"{source.segment(goal)} = {word}({source.segment(goal)}, {source.segment(left)})"
        )


def of_sorted(area: Area, source: Source, node: ast.Subscript) -> Iterator[Rewritten]:
    """`sorted(x)[-1]` becomes `max(x)`."""
    held = node.value
    if isinstance(held, ast.Call) and ast.unparse(held.func) == "sorted" and isinstance(node.ctx, ast.Load):
        word = _end(node, held)
        if word:
            yield Rewritten(area, node, f"{word}({', '.join(_arguments(source, held))})")


def of_sort(area: Area, source: Source, one: ast.stmt, behind: list[ast.stmt]) -> Iterator[Rewritten]:
    """`x.sort()` and its first or last item in the next statement."""
    made = one.value if isinstance(one, ast.Expr) else None
    if not isinstance(made, ast.Call) or not isinstance(made.func, ast.Attribute) or made.func.attr != "sort":
        return
    owner = source.segment(made.func.value)
    for each in behind:
        for node in walk(each):
            if (
                isinstance(node, ast.Subscript)
                and source.segment(node.value) == owner
                and (word := _end(node, made))
            ):
                new = f"{word}({', '.join([owner, *_arguments(source, made)])})"
                text, low = source.segment(each), source.span(each)[0]
                start, end = (place - low for place in source.span(node))
                doubt = f"{owner} is not sorted any more"
                yield Rewritten(area, one, text[:start] + new + text[end:], (doubt,), each)
                return


def _arguments(source: Source, node: ast.Call) -> list[str]:
    named = [one for one in node.keywords if one.arg != "reverse"]
    return [
        *(source.segment(one) for one in node.args),
        *(f"{one.arg}={source.segment(one.value)}" for one in named),
    ]


def _end(node: ast.Subscript, held: ast.Call) -> str:
    """Whether the largest or smallest is taken of what is sorted."""
    at = ast.unparse(node.slice)
    turned = any(one.arg == "reverse" and ast.unparse(one.value) == "True" for one in held.keywords)
    if at not in ("0", "-1"):
        return ""
    return "max" if (at == "-1") is not turned else "min"


def of_count(area: Area, source: Source, node: ast.BinOp) -> Iterator[Rewritten]:
    """A new number from how many there are becomes one more than the largest that is there."""
    counted = node.left
    if (
        ast.unparse(node.right) != "1"
        or not isinstance(node.op, ast.Add)
        or not isinstance(counted, ast.Call)
    ):
        return
    if ast.unparse(counted.func) != "len" or len(counted.args) != 1:
        return
    items = source.segment(counted.args[0])
    name, read = _role(source, node)
    if name:
        each = f"one.{name}" if read else f'one["{name}"]'
        yield Rewritten(area, node, f"max(({each} for one in {items}), default=0) + 1")
    elif _is_dict(source, counted.args[0]):
        yield Rewritten(area, node, f"max({items}, default=0) + 1")


def _role(source: Source, node: ast.expr) -> tuple[str, bool]:
    """The key, or else the attribute, that a number becomes: of a keyword, or of a parameter of a class."""
    outer = source.parents.get(node)
    if isinstance(outer, ast.Dict):
        named = next((one for one, two in zip(outer.keys, outer.values, strict=True) if two is node), None)
        return (str(named.value), False) if isinstance(named, ast.Constant) else ("", False)
    call_ = source.parents.get(outer) if isinstance(outer, ast.keyword) else outer
    if not isinstance(call_, ast.Call):
        return "", False
    made = next(
        (
            one
            for one in source.definitions
            if isinstance(one, ast.ClassDef) and one.name == ast.unparse(call_.func)
        ),
        None,
    )
    if isinstance(outer, ast.keyword):
        return (outer.arg or "", made is not None)
    fields = _fields(made) if made is not None else []
    at = call_.args.index(node) if node in call_.args else -1
    return (fields[at], True) if 0 <= at < len(fields) else ("", False)


def _fields(node: ast.ClassDef) -> list[str]:
    """What the objects of a class are made of, in order."""
    init = next((one for one in node.body if isinstance(one, Function) and one.name == "__init__"), None)
    if init is not None:
        return [one.arg for one in init.args.args[1:]]
    return [
        one.target.id
        for one in node.body
        if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name)
    ]


def _is_dict(source: Source, node: ast.expr) -> bool:
    text = ast.unparse(node)
    return any(
        isinstance(one, ast.Assign | ast.AnnAssign)
        and isinstance(one.value, ast.Dict)
        and text in map(ast.unparse, one.targets if isinstance(one, ast.Assign) else [one.target])
        for one in walk(source.tree)
    )
