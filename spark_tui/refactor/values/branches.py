"""One more step in a chain that compares one thing with numbers: *there is a D from 60 on*.

Comes in: an order. Goes out: edits that put a branch where its number belongs. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass

from spark_tui.refactor.literals import as_number, as_value, literal
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Change, Source, indent_of
from spark_tui.refactor.values.written import in_quotes_of

_NUMBER = r"(?P<n>-?\d+(?:\.\d+)?)(?:\s*(?:%|percent))?"
_UNIT = (
    r"(?:\s+(?!is\b|it\b|should\b|gives?\b|returns?\b|on\b|and\b|or\b|means\b|there\b|we\b|counts?\b|to\b|in\b)[a-z]+)?"
)
_RANGE = rf"(?:(?P<low>from|at least|starting (?:at|from|with)|as of|beginning (?:at|with))\s+{_NUMBER}{_UNIT}(?:\s+(?:on|onwards?|up|upwards?|and (?:up|above|more|over)))?|(?P<above>above|over|more than|greater than|beyond)\s+{_NUMBER.replace('?P<n>', '?P<n2>')}{_UNIT}|(?P<most>up to|at most|until)\s+{_NUMBER.replace('?P<n>', '?P<n3>')}{_UNIT}|(?P<below>below|under|less than|fewer than|smaller than)\s+{_NUMBER.replace('?P<n>', '?P<n4>')}{_UNIT}|{_NUMBER.replace('?P<n>', '?P<n5>')}{_UNIT}\s+(?P<up>(?:and|or) (?:up|above|more|over|higher|better))|(?P<sign>>=|<=|>|<)\s*{_NUMBER.replace('?P<n>', '?P<n6>')}{_UNIT})"
_RESULT = r"(?:an?\s+|the\s+)?(?P<r>\"[^\"]*\"|'[^']*'|`[^`]+`|-?\d+(?:\.\d+)?|[\w-]+)"
_KIND = r"(?:branch|case|grade|level|step|tier|category|class|band|bracket|stage|elif|rank|discount|rate|price|range)"
_FORMS = tuple(
    re.compile(rf"^(?:in\s+)?(?:(?P<f>[\w.]+)(?:\(\))?\s*[:,]\s*)?(?:{form})(?:\s+(?:in|to)\s+(?:the\s+)?(?P<g>[\w.]+)(?:\(\))?(?: function| method)?)?\W*$", re.I)
    for form in (
        rf"(?:and |also )?(?:there (?:is|should be|must be)|add|we need|insert|introduce|put in)\s+(?:also\s+)?(?:an?\s+|another\s+|one more\s+|the\s+)?(?:{_KIND}\s+)?{_RESULT}(?:\s+{_KIND})?(?:\s+(?:to|in) (?P<h>[\w.]+)(?:\(\))?)?\s*,?\s+(?:for (?:scores?|values?|anything|everything|all|those)?\s*)?{_RANGE}",
        rf"(?:add|insert|introduce)\s+(?:an?\s+|another\s+|one more\s+)?{_KIND}(?:\s+(?:to|in) (?P<h>[\w.]+)(?:\(\))?)?\s*[:,-]?\s*(?:for\s+|if\s+)?{_RANGE}\s*[:,-]?\s*(?:it is|it's|is|should be|gives?|returns?|return|means|->|=>|then)?\s*{_RESULT}",
        rf"(?:for |everything |anything |and )?{_RANGE}\s*,?\s*(?:it is|it's|is|it should be|should be|should give|should return|gives?|returns?|return|means|counts as|->|=>|:)\s*{_RESULT}(?:\s+{_KIND})?",
        rf"(?:also )?(?:return|give|say)\s+{_RESULT}\s+(?:for (?:scores?|values?|anything|everything|all)?\s*)?{_RANGE}",
        rf"{_RESULT}\s+(?:should (?:start|begin)|starts|begins)\s+{_RANGE}",
    )
)  # fmt: skip
_SIGNS = {"low": ">=", "above": ">", "most": "<=", "below": "<", "up": ">="}
_WORDS = frozenset(
    words(
        """there is should be must add also another one more branch case grade level step tier category class band bracket stage elif rank for from at least starting as of on onwards up upwards and above over more than greater beyond until most below under less fewer smaller
        or higher better it gives give returns return means counts then in to function method the a an we need insert introduce put scores score values value anything everything all those say start starts begins begin discount rate price range"""
    )
)


@dataclass(frozen=True, slots=True)
class _Step:
    node: ast.If
    sign: str
    number: float


def further(order: Order) -> Iterator[Edit]:
    src = order.src
    if src.tree is None:
        return
    chains = [
        chain
        for node in src.statements
        if isinstance(node, ast.If) and not _is_elif(src, node) and len(chain := _chain(src, node)) > 1
    ]
    if not chains:
        return
    for form in _FORMS:
        found = form.match(order.said)
        if found is None:
            continue
        sign, number = _asked(found)
        where = next((one for key in ("f", "g", "h") if (one := found.groupdict().get(key))), None)
        fitting = []
        for chain in chains:
            function = src.function_of(chain[0].node)
            if where is not None and (function is None or function.name != where.rpartition(".")[2]):
                continue
            change = _put(src, chain, sign, number, found["r"])
            if change is not None:
                fitting.append((change, function))
        if len(fitting) != 1:
            continue
        change, function = fitting[0]
        yield order.edit(
            change,
            found["r"],
            str(number),
            where or "",
            *_units(chains),
            *(word for word in words(order.said) if word in _WORDS),
            *re.findall(r"\d+(?:\.\d+)?", order.said),
            *(found[0].split() if where or _tells(chains) else []),
        )
        return


def _tells(chains: list[list[_Step]]) -> bool:
    """Whether a unit that is said needs no further reading: there is one chain."""
    return len(chains) == 1


def _units(chains: list[list[_Step]]) -> list[str]:
    return [one.id for chain in chains for one in ast.walk(chain[0].node.test) if isinstance(one, ast.Name)]


def _asked(found: re.Match[str]) -> tuple[str, float]:
    number = next(as_number(found[key]) for key in ("n", "n2", "n3", "n4", "n5", "n6") if found[key])
    sign = next((sign for key, sign in _SIGNS.items() if found[key]), found["sign"])
    return sign or ">=", number if number is not None else 0


def _is_elif(src: Source, node: ast.If) -> bool:
    parent = src.parents.get(node)
    return isinstance(parent, ast.If) and parent.orelse == [node] and src.text[src.span(node)[0] :].startswith("elif")


def _chain(src: Source, node: ast.If) -> list[_Step]:
    out: list[_Step] = []
    at: ast.stmt | None = node
    left = None
    while isinstance(at, ast.If):
        test = at.test
        if not (isinstance(test, ast.Compare) and len(test.ops) == 1 and len(at.body) == 1):
            return []
        number = as_number(src.segment(test.comparators[0]))
        sign = {ast.Gt: ">", ast.GtE: ">=", ast.Lt: "<", ast.LtE: "<="}.get(type(test.ops[0]))
        if number is None or sign is None or (left is not None and ast.unparse(test.left) != left):
            return []
        left = ast.unparse(test.left)
        out.append(_Step(at, sign, number))
        at = (
            at.orelse[0]
            if len(at.orelse) == 1
            and isinstance(at.orelse[0], ast.If)
            and src.text[src.span(at.orelse[0])[0] :].startswith("elif")
            else None
        )
    return out if len({step.sign[0] for step in out}) == 1 else []


def _result(node: ast.If) -> ast.Constant | None:
    """What the branch comes to, where it is one fixed value."""
    one = node.body[0]
    value: ast.expr | None = None
    if isinstance(one, ast.Return | ast.Assign):
        value = one.value
    elif isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and len(one.value.args) == 1:
        value = one.value.args[0]
    return value if isinstance(value, ast.Constant) else None


def _put(src: Source, chain: list[_Step], sign: str, number: float, said: str) -> list[Change] | None:
    if sign[0] != chain[0].sign[0] or any(step.number == number and step.sign == sign for step in chain):
        return None
    kept = _result(chain[0].node)
    if kept is None or any(_result(step.node) is None for step in chain):
        return None
    model = src.segment(kept)
    text = said.strip("`")
    if isinstance(kept.value, str):
        bare = text[1:-1] if text[:1] in "\"'" else text
        result = in_quotes_of(model, bare)
    else:
        result = literal(text) or ""
        if not result or isinstance(as_value(result), str) or as_number(result) is None:
            return None
    if any(src.segment(one) == result for step in chain if (one := _result(step.node)) is not None):
        return None
    down = chain[0].sign[0] == ">"
    numbers = [step.number for step in chain]
    if numbers != sorted(numbers, reverse=down):
        return None
    at = next(
        (place for place, step in enumerate(chain) if (step.number < number if down else step.number > number)),
        len(chain),
    )
    anchor = chain[min(at, len(chain) - 1)].node
    first = chain[0].node
    indent = indent_of(src.lines[src.first_line(first)])
    low, high = src.first_line(anchor), src.last_line(anchor.body[-1])
    if src.first_line(anchor.body[0]) == low:
        return None
    body = src.lines[src.first_line(anchor.body[0]) : high]
    held = _result(anchor)
    if held is None or len(body) != 1:
        return None
    old = src.segment(held)
    left = src.segment(anchor.test.left) if isinstance(anchor.test, ast.Compare) else ""
    line = body[0][::-1].replace(old[::-1], result[::-1], 1)[::-1]
    amount = str(int(number)) if number == int(number) else str(number)
    if at == 0:
        start = src.starts[low]
        word = src.span(first)[0]
        return [(start, start, f"{indent}if {left} {sign} {amount}:\n{line}\n"), (word, word, "el")]
    row = src.first_line(anchor) if at < len(chain) else high
    start = src.starts[row]
    return [(start, start, f"{indent}elif {left} {sign} {amount}:\n{line}\n")]


RULES: tuple[Rule, ...] = (
    Rule(
        re.compile(
            r"\d.*\b(?:from|above|over|more|least|up|below|under|less|most|until|on|start|begin)|\b(?:from|above|over|more than|least|up to|below|under|less than|most|until|as of|starting)\b.*\d|[<>]=? ?\d",
            re.I,
        ),
        further,
    ),
)
