"""Loops that come to one value: sum, any, all, max, min.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.gathers import clauses_of, collected, first_of, gathers
from spark_tui.refactor.idioms.text import (
    ahead,
    behind,
    has_comment,
    negated,
    outer,
    own_lines,
    replaced,
    same,
    uses,
)  # fmt: skip
from spark_tui.refactor.source import Source


def summed(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for loop, first, name, manner, expression, _, clauses in gathers(src):
        if (
            manner != "+="
            or not isinstance(first.value, ast.Constant)
            or isinstance(first.value.value, str | bool | bytes)
        ):
            continue
        start = src.segment(first.value)
        whole = len(clauses) == 1 and expression == outer(src, loop.target)
        clauses = () if whole else clauses
        expression = outer(src, loop.iter) if whole else expression
        if not first.value.value:
            made = ("sum(", expression, clauses, ")")
        else:
            body = " ".join([expression, *clauses])
            made = ("sum(", body if whole else f"({body})", (), f", {start})")
        yield collected(asked, loop, first, name, made, direct=True)


def tested(asked: Asked) -> Iterator[Spot]:
    """`any` and `all` for loops that leave with True or False, or set a flag."""
    src = asked.src
    said = {
        one
        for one in ("any", "all")
        if re.search(
            rf"\b{one}\b(?:\(|$| (?:expression|call|instead|of the loop|on|in|with|for|here)|[.,;!])|(?:use|with|be|to|into|->|there's|suggests|not|want|wants|=>) {one}\b|one {one}\b",
            asked.text,
        )
    }
    for loop in src.statements:
        if (
            not isinstance(loop, ast.For)
            or loop.orelse
            or not own_lines(src, loop)
            or has_comment(src, src.first_line(loop), src.last_line(loop))
        ):
            continue
        found = clauses_of(src, loop)
        if found is None:
            continue
        clauses, body = found
        if len(clauses) < 2 or not clauses[-1].startswith("if "):
            continue
        innermost = src.parents.get(body[0])
        if not isinstance(innermost, ast.If):
            continue
        spot = _by_return(src, loop, clauses, body, innermost) or _by_flag(src, loop, clauses, body, innermost)
        if spot is not None and (not said or spot.names[-1] in said):
            yield spot


def _call(src: Source, told: bool, clauses: list[str], innermost: ast.If) -> str:
    test = outer(src, innermost.test) if told else negated(src, innermost.test)
    return f"{'any' if told else 'all'}({test} {' '.join(clauses[:-1])})"


def _boolean(node: ast.AST | None) -> bool | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, bool) else None


def _by_return(src: Source, loop: ast.For, clauses: list[str], body: list[ast.stmt], innermost: ast.If) -> Spot | None:
    after = behind(src, loop)[:1]
    if len(body) != 1 or not isinstance(body[0], ast.Return) or not after or not isinstance(after[0], ast.Return):
        return None
    told, other = _boolean(body[0].value), _boolean(after[0].value)
    if told is None or other is None or told is other:
        return None
    return _written(
        src, loop, "return ", _call(src, told, clauses, innermost), src.first_line(loop), src.last_line(after[0]), told
    )


def _by_flag(src: Source, loop: ast.For, clauses: list[str], body: list[ast.stmt], innermost: ast.If) -> Spot | None:
    one, first = body[0], ahead(src, loop)
    if (
        not isinstance(one, ast.Assign)
        or not isinstance(first, ast.Assign)
        or len(body) > 2
        or (len(body) == 2 and not isinstance(body[1], ast.Break))
    ):
        return None
    told, other = _boolean(one.value), _boolean(first.value)
    if (
        told is None
        or other is not (not told)
        or not same(one.targets[0], first.targets[0])
        or not isinstance(one.targets[0], ast.Name)
    ):
        return None
    name, after = one.targets[0].id, behind(src, loop)[:1]
    if uses([loop.iter, innermost.test], name):
        return None
    last, head = src.last_line(loop), f"{name} = "
    if (
        after
        and isinstance(after[0], ast.Return)
        and isinstance(after[0].value, ast.Name)
        and after[0].value.id == name
    ):
        last, head = src.last_line(after[0]), "return "
    return _written(src, loop, head, _call(src, told, clauses, innermost), src.first_line(first), last, told, name)


def _written(
    src: Source, loop: ast.For, head: str, call: str, first: int, last: int, told: bool, *names: str
) -> Spot | None:
    row = f"{src.indent(loop)}{head}{call}"
    if "\n" in row or any("#" in line for line in src.lines[first:last]):
        return None
    return Spot(
        loop,
        (replaced(src, first, last, [row]),),
        (*names, *re.findall(r"\w+", src.lines[src.first_line(loop)]), "True", "False", "any" if told else "all"),
        last,
    )


def greatest(asked: Asked) -> Iterator[Spot]:
    """`max` and `min` for a loop that keeps the best."""
    src = asked.src
    for loop in src.statements:
        if (
            not isinstance(loop, ast.For)
            or loop.orelse
            or not isinstance(loop.target, ast.Name)
            or len(loop.body) != 1
            or has_comment(src, src.first_line(loop), src.last_line(loop))
        ):
            continue
        test = loop.body[0]
        if (
            not isinstance(test, ast.If)
            or test.orelse
            or len(test.body) != 1
            or not isinstance(test.body[0], ast.Assign)
        ):
            continue
        keep, item = test.body[0], loop.target.id
        if not isinstance(keep.targets[0], ast.Name) or not isinstance(keep.value, ast.expr):
            continue
        name, condition, default = keep.targets[0].id, test.test, ""
        if isinstance(condition, ast.BoolOp) and isinstance(condition.op, ast.Or) and len(condition.values) == 2:
            if src.segment(condition.values[0]) not in (f"{name} is None", f"not {name}"):
                continue
            condition, default = condition.values[1], ", default=None"
        if (
            not isinstance(condition, ast.Compare)
            or len(condition.ops) != 1
            or not isinstance(condition.ops[0], ast.Gt | ast.Lt)
        ):
            continue
        left, right = condition.left, condition.comparators[0]
        more = isinstance(condition.ops[0], ast.Gt)
        if uses([left], name) and not uses([right], name):
            left, right, more = right, left, not more
        first = first_of(src, loop, name)
        if first is None or first.value is None or not uses([left], item) or uses([left], name):
            continue
        begin, iterable = src.segment(first.value), src.segment(loop.iter)
        head = begin == f"{iterable}[0]" or (default and begin == "None") or begin == f"next(iter({iterable}))"
        if begin == f"{iterable}[0]" and default:
            default = ""
        word = "max" if more else "min"
        if (
            isinstance(keep.value, ast.Name)
            and keep.value.id == item
            and re.sub(rf"\b{re.escape(item)}\b", name, src.segment(left)) == src.segment(right)
            and head
        ):
            plain = isinstance(left, ast.Name)
            made = f"{word}({iterable}{'' if plain else f', key=lambda {item}: {src.segment(left)}'}{default})"
        elif (
            isinstance(right, ast.Name)
            and right.id == name
            and same(keep.value, left)
            and begin
            in (
                "0",
                "None",
                "float('-inf')",
                'float("-inf")',
                "float('inf')",
                'float("inf")',
                "-1",
                "-math.inf",
                "math.inf",
            )
        ):
            begin = "0" if begin == "0" else begin
            made = f"{word}(({src.segment(left)} for {item} in {iterable}), default={begin})"
            if isinstance(left, ast.Name):
                made = f"{word}({iterable}, default={begin})"
            if begin == "0" and word == "min":
                continue
        else:
            continue
        spot = collected(asked, loop, first, name, (made, "", (), ""), direct=True)
        yield Spot(
            spot.node,
            tuple((a, b, text.replace(" \n", "\n")) for a, b, text in spot.changes),
            (*spot.names, word),
            spot.last,
        )


_WORDS = "loop loops looping lop for if append appends appending appended add adds adding list lists set sets dict dictionary variable build building builds built create created collect collects one line liner one-liner single expression result generator"


WAYS = (
    way(r"\bsum\b|\badd(?:s|ing|ed)? (?:things |them |it |everything )?up\b|\b(?:simplif\w+|shorten|pythonic|shorter) (?:the |this |that )?(?:for )?loop\b", summed,
        f"{_WORDS} sum sums summing total totals accumulator accumulate accumulates accumulating add adds adding up things += starts at 0 only grows by += compute single python has all isn't zero plus addition counter count counts counting does that bar does"),
    way(r"\bany\b(?! (?:more|other|of|way))|\ball\b|\b(?:simplif\w+|shorten|pythonic|shorter) (?:the |this |that )?(?:for )?loop\b", tested,
        f"{_WORDS} any all call check checks checking returns return two true false both flag break suggests sim110 expression for/if/return simple early into"),
    way(r"\b(?:max|min|maximum|minimum|biggest|smallest|largest)\b", greatest,
        f"{_WORDS} max min maximum minimum builtin key done do with biggest smallest largest find finds finding best highest lowest search"),
)  # fmt: skip
