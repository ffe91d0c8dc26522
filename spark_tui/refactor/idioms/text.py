"""Pieces of source as rules for idioms write them anew: negated conditions, lines moved in and out, brackets.

Comes in: a `Source` and nodes of it. Goes out: text. Must not know: orders.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.source import Change, Source

WIDEST = 100
LOOSE = (ast.IfExp, ast.Lambda, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Starred)
"""What needs brackets as a part of a longer expression."""
_NEGATED = {ast.Eq: "!=", ast.NotEq: "==", ast.Lt: ">=", ast.LtE: ">", ast.Gt: "<=", ast.GtE: "<", ast.Is: "is not",
            ast.IsNot: "is", ast.In: "not in", ast.NotIn: "in"}  # fmt: skip
LEAVES = (ast.Return, ast.Raise, ast.Continue, ast.Break)


def negated(src: Source, test: ast.expr) -> str:
    """The shortest plain negation of a condition."""
    source = src.segment(test)
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return src.segment(test.operand)
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return f"{outer(src, test.left)} {_NEGATED[type(test.ops[0])]} {outer(src, test.comparators[0])}"
    if isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript):
        return f"not {source}"
    if isinstance(test, ast.BoolOp) and all(_turns(value) for value in test.values):
        sign = " and " if isinstance(test.op, ast.Or) else " or "
        return sign.join(negated(src, value) for value in test.values)
    return f"not ({source})"


def plainly_negated(test: ast.expr) -> bool:
    """Whether the negation can stand beside others in an `or`."""
    return _turns(test) or isinstance(test, ast.Name | ast.Attribute | ast.Call | ast.Subscript)


def _turns(test: ast.expr) -> bool:
    """Whether the negation is as plain as the condition."""
    if isinstance(test, ast.UnaryOp):
        return isinstance(test.op, ast.Not) and not isinstance(test.operand, ast.BoolOp)
    return isinstance(test, ast.Compare) and len(test.ops) == 1


def outer(src: Source, node: ast.expr) -> str:
    """The source of a node with the brackets around it."""
    start, end = bracketed(src, node)
    return src.text[start:end]


def bracketed(src: Source, node: ast.expr) -> tuple[int, int]:
    """The span of a node with the pairs of brackets that stand around nothing else."""
    start, end = src.span(node)
    text = src.text
    while True:
        left, right = start - 1, end
        while left >= 0 and text[left] in " \t\n":
            left -= 1
        while right < len(text) and text[right] in " \t\n":
            right += 1
        call = re.search(r"[\w\])\"']$", text[max(0, left - 1) : left]) if left > 0 else None
        word = re.search(
            r"\b(?:if|elif|while|return|in|and|or|not|is|else|yield|assert|for|lambda|await)$",
            text[max(0, left - 8) : left],
        )
        if left < 0 or right >= len(text) or text[left] != "(" or text[right] != ")" or (call and not word):
            return start, end
        start, end = left, right + 1


@lru_cache(maxsize=4)
def string_lines(src: Source) -> frozenset[int]:
    """Lines that begin inside of a string, whose blank characters are part of it."""
    out: set[int] = set()
    for node in src.nodes:
        if isinstance(node, ast.Constant | ast.JoinedStr) and getattr(node, "end_lineno", 0) > getattr(
            node, "lineno", 0
        ):
            first, last = src.first_line(node), src.last_line(node)
            if '"""' in src.segment(node) or "'''" in src.segment(node):
                out |= set(range(first + 1, last))
    return frozenset(out)


def moved(src: Source, first: int, last: int, by: int, step: str | None = None) -> list[str]:
    """Lines with so many steps more (or fewer) in front."""
    one, kept, out = step or src.step, string_lines(src), []
    for number in range(first, last):
        line = src.lines[number]
        if not line.strip() or number in kept:
            out.append(line)
        elif by > 0:
            out.append(one * by + line)
        else:
            cut = line
            for _ in range(-by):
                cut = cut[len(one) :] if cut.startswith(one) else cut.lstrip()
            out.append(cut)
    return out


def own_lines(src: Source, node: ast.stmt) -> bool:
    """Whether nothing else stands on its lines."""
    start, end = src.span(node)
    line = src.lines[src.first_line(node)]
    rest = src.lines[src.last_line(node) - 1]
    before = (
        line[: start - src.starts[src.first_line(node)]] if not getattr(node, "decorator_list", None) else ""
    )
    after = rest[end - src.starts[src.last_line(node) - 1] :].strip()
    return not before.strip() and (not after or after.startswith("#"))


def has_comment(src: Source, first: int, last: int) -> bool:
    return any("#" in line for line in src.lines[first:last]) and any(
        first <= at < last for at, _, _ in src.comments
    )


def else_line(src: Source, node: ast.If) -> int | None:
    """The line `else:` of an if that has no elif."""
    if not node.orelse or is_elif(src, node.orelse[0]):
        return None
    for number in range(src.first_line(node.orelse[0]) - 1, src.last_line(node.body[-1]) - 1, -1):
        if src.lines[number].strip().split("#")[0].strip() == "else:":
            return number
    return None


def is_elif(src: Source, node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and src.lines[src.first_line(node)].lstrip().startswith("elif")


def tells(node: ast.expr) -> bool:
    """Whether it is True or False for certain."""
    if isinstance(node, ast.Compare):
        return True
    if isinstance(node, ast.Constant):
        return isinstance(node.value, bool)
    if isinstance(node, ast.UnaryOp):
        return isinstance(node.op, ast.Not)
    if isinstance(node, ast.BoolOp):
        return all(tells(value) for value in node.values)
    if isinstance(node, ast.Call):
        name = node.func.id if isinstance(node.func, ast.Name) else getattr(node.func, "attr", "")
        return (
            re.fullmatch(
                r"isinstance|issubclass|callable|any|all|bool|hasattr|startswith|endswith|is[a-z_]\w*|has_\w+|exists",
                name,
            )
            is not None
        )
    return False


def replaced(src: Source, first: int, last: int, new: Sequence[str]) -> Change:
    """Whole lines anew."""
    return (*src.line_span(first, last), "".join(f"{line}\n" for line in new))


def behind(src: Source, statement: ast.stmt) -> list[ast.stmt]:
    """The statements that follow in the same block."""
    block = src.block(statement)
    return block[block.index(statement) + 1 :]


def ahead(src: Source, statement: ast.stmt) -> ast.stmt | None:
    """The statement in front of it in the same block."""
    block = src.block(statement)
    at = block.index(statement)
    return block[at - 1] if at else None


def uses(nodes: Sequence[ast.AST], name: str) -> list[ast.Name]:
    """Where a variable stands."""
    return [node for one in nodes for node in ast.walk(one) if isinstance(node, ast.Name) and node.id == name]


def around(src: Source, node: ast.AST) -> Sequence[ast.AST]:
    """The body of the function, else of the file, in which it stands."""
    function = src.function_of(node)
    return function.body if function is not None else src.tree.body if src.tree else []


_TIGHTNESS = {ast.BitOr: 1, ast.BitXor: 2, ast.BitAnd: 3, ast.LShift: 4, ast.RShift: 4, ast.Add: 5, ast.Sub: 5, ast.Mult: 6,
              ast.Div: 6, ast.FloorDiv: 6, ast.Mod: 6, ast.MatMult: 6, ast.Pow: 9}  # fmt: skip


def binds_tighter(value: ast.expr, parent: ast.AST | None, place: ast.expr) -> bool:
    """Whether a value keeps together in the place of an operand without brackets."""
    if isinstance(parent, ast.BoolOp | ast.Compare) and isinstance(value, ast.BinOp):
        return True
    if isinstance(parent, ast.BoolOp) and isinstance(value, ast.Compare):
        return True
    if not isinstance(value, ast.BinOp) or not isinstance(parent, ast.BinOp):
        return False
    inner, outside = _TIGHTNESS[type(value.op)], _TIGHTNESS[type(parent.op)]
    return outside < 9 and (inner > outside or (inner == outside and parent.left is place))


def wrapped(src: Source, value: ast.expr) -> str:
    """An expression as an operand."""
    text = src.segment(value)
    return (
        f"({text})"
        if isinstance(value, (*LOOSE, ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp, ast.Await))
        else text
    )


def same(left: ast.AST, right: ast.AST) -> bool:
    return ast.dump(left).replace("Store()", "Load()") == ast.dump(right).replace("Store()", "Load()")


def bodies(src: Source, kind: type[ast.stmt]) -> Iterator[ast.stmt]:
    for node in src.statements:
        if isinstance(node, kind) and own_lines(src, node):
            yield node


def with_import(text: str, src: Source, line: str) -> str:
    """The text with an import behind those of its kind; where none is shown the top of the file is
    elsewhere."""
    tree = src.tree
    made = parse_code(line).body[0]
    wanted = ast.unparse(made)
    shown = [node for node in (tree.body if tree else []) if isinstance(node, ast.Import | ast.ImportFrom)]
    shown = [
        node
        for node in shown
        if node in src.statements and not (isinstance(node, ast.ImportFrom) and node.module == "__future__")
    ]
    name = made.names[0].name if isinstance(made, ast.Import | ast.ImportFrom) else ""
    for node in shown:
        if ast.unparse(node) == wanted or any(
            alias.name == name and not alias.asname for alias in node.names
        ):
            return text
    if not shown:
        return text
    first = src.first_line(shown[0])
    block, at = [first], first
    for node in shown:  # the first block without a blank line in it
        if src.first_line(node) > at and any(not row.strip() for row in src.lines[at : src.first_line(node)]):
            break
        at = src.last_line(node)
        block.append(at)
    rows = text.split("\n")
    return "\n".join([*rows[: block[-1]], line, *rows[block[-1] :]])
