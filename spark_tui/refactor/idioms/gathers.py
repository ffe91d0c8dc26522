"""Loops that gather something that is set in front of them: what they gather, and what is written in their place.

Comes in: a `Source`. Goes out: the parts of such loops, and places with new text. Must not know: what is asked for.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot
from spark_tui.refactor.idioms.text import (
    LOOSE,
    WIDEST,
    around,
    behind,
    has_comment,
    negated,
    outer,
    own_lines,
    replaced,
    uses,
)  # fmt: skip
from spark_tui.refactor.source import Source


def clauses_of(src: Source, loop: ast.For) -> tuple[list[str], list[ast.stmt]] | None:
    """`for` and `if` clauses down to the innermost statements."""
    clauses: list[str] = []
    body: list[ast.stmt] = [loop]
    while True:
        one = body[0]
        if len(body) == 1 and isinstance(one, ast.For) and not one.orelse:
            target = outer(src, one.target)
            clauses.append(f"for {target} in {_operand(src, one.iter)}")
            body = one.body
        elif len(body) == 1 and isinstance(one, ast.If) and not one.orelse:
            clauses.append(f"if {_operand(src, one.test)}")
            body = one.body
        elif (
            len(body) == 2
            and isinstance(one, ast.If)
            and not one.orelse
            and len(one.body) == 1
            and isinstance(one.body[0], ast.Continue)
        ):
            clauses.append(f"if {negated(src, one.test)}")
            body = body[1:]
        else:
            return clauses, body


def _operand(src: Source, node: ast.expr) -> str:
    text = outer(src, node)
    return (
        f"({text})" if isinstance(node, (ast.IfExp, ast.Lambda, ast.NamedExpr)) and not text.startswith("(") else text
    )


def _heart(src: Source, body: list[ast.stmt]) -> tuple[ast.stmt, str] | None:
    """The one statement that collects, and its expression where it is not the one that it has: a branch, a helper."""
    if len(body) == 1 and isinstance(body[0], ast.If) and len(body[0].body) == len(body[0].orelse) == 1:
        one, other = body[0].body[0], body[0].orelse[0]
        left, right = _collected(one), _collected(other)
        if (
            left
            and right
            and left[:2] == right[:2]
            and not any(isinstance(value, LOOSE) for value in (left[2], right[2]))
        ):
            return one, f"{src.segment(left[2])} if {src.segment(body[0].test)} else {src.segment(right[2])}"
        return None
    if (
        len(body) == 2
        and isinstance(body[0], ast.Assign)
        and isinstance(body[0].targets[0], ast.Name)
        and len(body[0].targets) == 1
    ):
        name = body[0].targets[0].id
        last = _collected(body[1])
        if last is None or last[3] is not None or len(found := uses([body[1]], name)) != 1:
            return None
        at, value = src.span(last[2]), body[0].value
        a, b = src.span(found[0])
        text = src.segment(value)
        if (
            not isinstance(value, ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant)
            and found[0] is not last[2]
        ):
            text = f"({text})"
        if not at[0] <= a < b <= at[1] or any(isinstance(one, ast.JoinedStr) for one in ast.walk(last[2])):
            return None
        return body[1], src.text[at[0] : a] + text + src.text[b : at[1]]
    return (body[0], "") if len(body) == 1 else None


def _collected(statement: ast.stmt) -> tuple[str, str, ast.expr, ast.expr | None] | None:
    """Name, manner, value and key of `xs.append(v)`, `xs.add(v)`, `xs[k] = v`, `x += v`."""
    if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
        call = statement.value
        if (
            isinstance(call.func, ast.Attribute)
            and isinstance(call.func.value, ast.Name)
            and len(call.args) == 1
            and not call.keywords
            and call.func.attr in ("append", "add")
            and not isinstance(call.args[0], ast.Starred)
        ):
            return call.func.value.id, call.func.attr, call.args[0], None
    if (
        isinstance(statement, ast.Assign)
        and len(statement.targets) == 1
        and isinstance(statement.targets[0], ast.Subscript)
    ):
        target = statement.targets[0]
        if isinstance(target.value, ast.Name) and not isinstance(target.slice, ast.Slice):
            return target.value.id, "key", statement.value, target.slice
    if (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.op, ast.Add)
        and isinstance(statement.target, ast.Name)
    ):
        return statement.target.id, "+=", statement.value, None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        name, value = statement.targets[0].id, statement.value
        if (
            isinstance(value, ast.BinOp)
            and isinstance(value.op, ast.Add)
            and isinstance(value.left, ast.Name)
            and value.left.id == name
        ):
            return name, "+=", value.right, None
    return None


def first_of(src: Source, loop: ast.For, name: str) -> ast.Assign | ast.AnnAssign | None:
    """Where what is collected is set, in front of the loop with nothing between that has the name."""
    block = src.block(loop)
    for one in reversed(block[: block.index(loop)]):
        target = (
            one.targets[0]
            if isinstance(one, ast.Assign) and len(one.targets) == 1
            else one.target
            if isinstance(one, ast.AnnAssign)
            else None
        )
        if isinstance(one, ast.Assign | ast.AnnAssign) and isinstance(target, ast.Name) and target.id == name:
            return one if own_lines(src, one) else None
        if uses([one], name):
            return None
    return None


def gathers(
    src: Source,
) -> Iterator[tuple[ast.For, ast.Assign | ast.AnnAssign, str, str, str, ast.expr | None, tuple[str, ...]]]:
    """Loops that collect into something that is set in front: loop, assignment, name, manner, expression, key, clauses."""
    for loop in src.statements:
        if (
            not isinstance(loop, ast.For)
            or loop.orelse
            or not own_lines(src, loop)
            or has_comment(src, src.first_line(loop), src.last_line(loop))
        ):
            continue
        found = clauses_of(src, loop)
        heart = _heart(src, found[1]) if found else None
        done = _collected(heart[0]) if heart else None
        if found is None or heart is None or done is None:
            continue
        name, manner, value, key = done
        first = first_of(src, loop, name)
        if first is None or first.value is None:
            continue
        inside = uses([loop], name)
        if len(inside) != (1 if manner != "+=" or isinstance(heart[0], ast.AugAssign) else 2) * (
            2 if " if " in heart[1] and isinstance(found[1][0], ast.If) else 1
        ):
            continue
        targets = {
            one.id
            for part in ast.walk(loop)
            if isinstance(part, ast.For)
            for one in ast.walk(part.target)
            if isinstance(one, ast.Name)
        }
        end = src.span(loop)[1]
        if any(
            src.span(one)[0] >= end and isinstance(one.ctx, ast.Load) and not _set_again(src, loop, one, target)
            for target in targets
            for one in uses(around(src, loop), target)
        ):
            continue
        if any(isinstance(one, ast.Yield | ast.YieldFrom | ast.Await) for one in ast.walk(loop)):
            continue
        expression = heart[1] or outer(src, value)
        if isinstance(value, (ast.Tuple,)) and not expression.startswith("("):
            expression = f"({expression})"
        yield loop, first, name, manner, expression, key, tuple(found[0])


def _set_again(src: Source, loop: ast.For, use: ast.Name, name: str) -> bool:
    """Whether between a loop and a use the name is set by another loop, comprehension or assignment."""
    inner = any(
        isinstance(one, ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp | ast.Lambda)
        for one in src.ancestors(use)
    )
    end = src.span(loop)[1]
    stored = any(
        end <= src.span(one)[0] < src.span(use)[0] and isinstance(one.ctx, ast.Store)
        for one in uses(around(src, loop), name)
    )
    return inner or stored


def _laid_out(
    head: str, indent: str, step: str, opened: str, expression: str, clauses: tuple[str, ...], closed: str
) -> list[str]:
    one = f"{indent}{head}{opened}{' '.join([expression, *clauses])}{closed}"
    if len(one) <= WIDEST and "\n" not in one:
        return [one]
    return [
        f"{indent}{head}{opened}",
        *(f"{indent}{step}{part}" for part in (expression, *clauses)),
        f"{indent}{closed}",
    ]


def collected(
    asked: Asked,
    loop: ast.For,
    first: ast.Assign | ast.AnnAssign,
    name: str,
    made: tuple[str, str, tuple[str, ...], str],
    *,
    direct: bool,
) -> Spot:
    src = asked.src
    start, last, after = src.first_line(loop), src.last_line(loop), behind(src, loop)[:1]
    returned = (
        bool(after)
        and isinstance(after[0], ast.Return)
        and isinstance(after[0].value, ast.Name)
        and after[0].value.id == name
    )
    a, b = src.first_line(first), src.last_line(first)
    head = src.text[src.span(first)[0] : src.span(first.value)[0]] if first.value is not None else ""
    if direct and returned and (a, b) != (start, last):
        head, last = "return ", src.last_line(after[0])
    opened, body, clauses, closed = made
    new = _laid_out(head, src.indent(loop), src.step, opened, body, clauses, closed)
    between = list(src.lines[b:start])
    names = tuple(dict.fromkeys([name, *re.findall(r"\w+", src.lines[start])]))
    kept = [row for row in between if row.strip()]
    return Spot(
        loop,
        (replaced(src, a, last, [*(between if kept else ()), *new]),),
        (*names, "append", "add", "list", "result"),
        last,
    )
