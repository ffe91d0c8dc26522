"""Guards: what is nested in an if that ends a function or a loop stands on its own behind an early return.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import (
    else_line,
    moved,
    negated,
    own_lines,
    plainly_negated,
    replaced,
    string_lines,
)
from spark_tui.refactor.source import Source, body_behind_docstring

_ENDS = (ast.Return, ast.Raise)
_SEVERAL = re.compile(
    r"\bguards\b|guard clauses|early returns|(?:all|deep|deeply|every|much) (?:the )?(?:nested|nesting|levels)|arrow|pyramid|flatten (?:the )?(?:whole|nesting)"
)


def guards(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    if re.search(
        r"\belse\b.*\b(?:unnecessary|necessary|needed|redundant|go|removed?)\b|\bno-else|\bsplit\b|\bmerge|\bcombine|\bcollapse|\bjoin\b|\bifs\b.*\bwith and\b|^(?!.*\b(?:early|guards?|returns?)\b).*\belse\b",
        asked.plain,
    ):
        return
    deep = re.search(r"\b(?:invert|flip|reverse)", asked.text) is None
    loops = re.search(r"\b(?:continue|loop|skip)\b", asked.text) is not None
    for function in src.functions:
        for node in [one for one in body_behind_docstring(function) if isinstance(one, ast.If)]:
            new = _guarded(src, node, function.body, "return", function, deep=deep)
            if new is not None:
                yield _spot(asked, node, new, src.last_line(function.body[-1]))
    for loop in src.statements:
        if loops and isinstance(loop, ast.For | ast.While | ast.AsyncFor) and isinstance(loop.body[-1], ast.If):
            new = _guarded(src, loop.body[-1], loop.body, "continue", None)
            if new is not None:
                yield _spot(asked, loop.body[-1], new, src.last_line(loop.body[-1]))


def _spot(asked: Asked, node: ast.If, new: list[str], last: int) -> Spot:
    src = asked.src
    first = src.first_line(node)
    names = ("if", "else", *re.findall(r"\w+", src.lines[first]))
    if _SEVERAL.search(asked.text):
        new = _again(src, first, last, new)
    return Spot(node, (replaced(src, first, last, new),), names, last)


def _again(src: Source, first: int, last: int, new: list[str]) -> list[str]:
    """The rest with its own ifs made guards, as long as one ends it."""
    below = len(src.lines) - last
    text = src.with_lines(first, last, new)
    for _ in range(5):
        now = Source(text.split("\n")[:-1], src.headers)
        bottom = len(now.lines) - below
        more = None
        for function in now.functions:
            if not now.first_line(function) <= first < now.last_line(function):
                continue
            for node in [one for one in function.body if isinstance(one, ast.If) and now.first_line(one) > first]:
                more = more or _guarded(now, node, function.body, "return", function)
                if more:
                    text = now.with_lines(now.first_line(node), now.last_line(function.body[-1]), more)
                    break
        if not more:
            return list(now.lines[first:bottom])
    return new


def _guarded(
    src: Source, node: ast.If, block: list[ast.stmt], word: str, function: ast.AST | None, *, deep: bool = True
) -> list[str] | None:
    """The lines for an if that ends a block, and all that is behind it there."""
    chain = [node]
    while (
        len(chain[-1].body) == 1
        and isinstance(chain[-1].body[0], ast.If)
        and not chain[-1].body[0].orelse
        and not node.orelse
    ):
        chain.append(chain[-1].body[0])
    if len(chain) > 1 and deep and all(plainly_negated(one.test) for one in chain):
        return _all_at_once(src, chain, block, word, function)
    if node.test.lineno != node.test.end_lineno or not own_lines(src, node.body[0]) or not own_lines(src, node):
        return None
    if src.lines[src.first_line(node)].lstrip().startswith("elif"):
        return None
    rest = block[block.index(node) + 1 :]
    first, indent, step = src.first_line(node), src.indent(node), src.step
    start, body_end = src.first_line(node.body[0]), src.last_line(node.body[-1])
    while start > first + 1 and not src.lines[start - 1].strip().endswith(":"):
        start -= 1
    divider = else_line(src, node)
    if node.orelse and divider is None:
        return None
    inner = moved(src, start, divider if divider is not None else body_end, -1)
    inner = inner[: body_end - start] + [row for row in inner[body_end - start :] if row.strip()]
    head = f"{indent}if {negated(src, node.test)}:"
    ends = isinstance(node.body[-1], _ENDS)
    valued = function is not None and any(
        isinstance(one, ast.Return) and one.value is not None for one in ast.walk(function)
    )
    if divider is not None and not rest:
        other = list(src.lines[divider + 1 : src.last_line(node)])
        if len(node.orelse) > 3 or string_lines(src) & set(range(divider, src.last_line(node))):
            return None
        if not isinstance(node.orelse[-1], (*_ENDS, ast.Continue)):
            if valued and not (ends and isinstance(node.body[-1], ast.Return)):
                return None
            other.append(f"{indent}{step}{word}" if not valued else f"{indent}{step}return None")
        return [head, *other, *inner]
    if (
        divider is not None
        and len(rest) == 1
        and isinstance(node.orelse[-1], _ENDS)
        and isinstance(rest[0], ast.Return)
    ):
        other = list(src.lines[divider + 1 : src.last_line(node)])
        return [head, *other, *inner, *src.lines[src.last_line(node) : src.last_line(rest[0])]]
    if divider is not None or len(rest) > 1:
        return None
    if rest:
        if not isinstance(rest[0], _ENDS) or word == "continue":
            return None
        tail = src.lines[body_end : src.last_line(rest[0])]
        kept = [row for row in tail if row.strip()]
        left = moved(src, src.first_line(rest[0]), src.last_line(rest[0]), 1)
        comments = [step + row for row in kept[: len(kept) - len(left)]]
        return [head, *comments, *left, *inner, *([] if ends else tail)]
    if valued and word == "return":
        return None
    return [head, f"{indent}{step}{word}", *inner]


def _all_at_once(
    src: Source, chain: list[ast.If], block: list[ast.stmt], word: str, function: ast.AST | None
) -> list[str] | None:
    """One guard for ifs that hold nothing but the next."""
    node, inner = chain[0], chain[-1]
    indent, rest = src.indent(node), block[block.index(node) + 1 :]
    first, start = src.first_line(node), src.last_line(inner.test)
    heads = range(first, start)
    if any("#" in src.lines[row] for row in heads) or len(rest) > 1 or src.lines[first].lstrip().startswith("elif"):
        return None
    ends = isinstance(inner.body[-1], _ENDS)
    valued = function is not None and any(
        isinstance(one, ast.Return) and one.value is not None for one in ast.walk(function)
    )
    left, tail = [f"{indent}{src.step}{word}"], []
    if rest:
        if not isinstance(rest[0], _ENDS) or word == "continue":
            return None
        left = moved(src, src.first_line(rest[0]), src.last_line(rest[0]), 1)
        tail = [] if ends else list(src.lines[src.last_line(node) : src.last_line(rest[0])])
    elif valued and word == "return":
        return None
    head = f"{indent}if {' or '.join(negated(src, one.test) for one in chain)}:"
    return [head, *left, *moved(src, start, src.last_line(node), -len(chain)), *tail]


WAYS = (
    way(
        r"\bearly[- ](?:return|exit|out|continue)|return early|returns? (?:early|immediately|right away|at once)|exit early|guard|de-?nest|nest(?:ed|ing)?\b|bail out|flatten|indent(?:ed|ation)?\b|happy path|return (?:right away|immediately|if|when)|give back if|return early|invert .* (?:and )?return|one if\b|continue (?:early|instead)",
        guards,
        "early return returns returned exit exits out guard guards clause clauses nest nested nesting nests de-nest denest unnest flatten flattened flat indent indented indentation indenting level levels reduce reduced less deep deeper deeply happy path immediately right away once soon bail when invert inverted condition test body rest one if ifs else inside everything rid continue loop skip avoid get could should many",
    ),
)
