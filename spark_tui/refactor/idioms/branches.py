"""Branches: one expression and back, the other way round, merged, split, without else.

Comes in: what is asked. Goes out: the places where it can be done, each with its new text. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import (
    LEAVES,
    LOOSE,
    WIDEST,
    ahead,
    behind,
    else_line,
    has_comment,
    is_elif,
    moved,
    negated,
    outer,
    own_lines,
    replaced,
    tells,
)  # fmt: skip
from spark_tui.refactor.source import Source

_EXPRESSION = r"ternar(?:y|ies)|conditional expressions?|conditional assignment|inline if|one line(?!s of)|one-?liner|single (?:line|expression)|single-line|x if c else y|if expression|a if b else c|if-?else expression|single return|one expression|\ba conditional\b|one return"
_BLOCK = r"if ?/ ?else|if[- ](?:and[- ])?else|if\b[^.;]{0,25}\belse\b(?! y)|\bif statements?|if blocks?|branch(?:es)?|(?:four|4|several|multiple) lines|two branches|full if|proper if|normal if|plain if|regular if|nested if|the if\b"


def ternaries(asked: Asked) -> Iterator[Spot]:
    wanted = asked.wants(_EXPRESSION, _BLOCK)
    if re.search(r"\bbreakpoint|\bdebug|each (?:branch|case)", asked.text) and re.search(_BLOCK, asked.text):
        wanted = False
    found = list(_folded(asked.src)) if wanted is not False else []
    if wanted is False or (wanted is None and not found):
        found = list(_unfolded(asked.src))
    yield from found


def _folded(src: Source) -> Iterator[Spot]:
    for node in src.statements:
        if not isinstance(node, ast.If) or is_elif(src, node) or not own_lines(src, node):
            continue
        sides, first, last = [*node.body, *node.orelse], src.first_line(node), src.last_line(node)
        if len(node.body) == 1 and not node.orelse:
            after, before = behind(src, node)[:1], ahead(src, node)
            if isinstance(node.body[0], ast.Return) and after and isinstance(after[0], ast.Return):
                sides, last = [node.body[0], after[0]], src.last_line(after[0])
            elif isinstance(before, ast.Assign) and isinstance(node.body[0], ast.Assign):
                sides, first = [node.body[0], before], src.first_line(before)
        if len(sides) != 2 or len(node.body) != 1 or has_comment(src, first, last) or isinstance(node.test, LOOSE):
            continue
        parts = _two_values(src, sides[0], sides[1])
        if parts is None:
            continue
        head, one, other, tail = parts
        if {one, other} == {"True", "False"}:
            continue
        new = f"{src.indent(node)}{head}{one} if {src.segment(node.test)} else {other}{tail}"
        if "\n" not in new and len(new) <= WIDEST + 20:
            target = re.findall(r"[\w.]+", head)
            yield Spot(
                node, (replaced(src, first, last, [new]),), (*target, *(["result"] if "return" in head else [])), last
            )


def _two_values(src: Source, one: ast.stmt, other: ast.stmt) -> tuple[str, str, str, str] | None:
    """What stands in front of two values in two statements that are alike apart from them, the values, what is behind."""
    if type(one) is not type(other) or not isinstance(
        one, ast.Assign | ast.Return | ast.AugAssign | ast.Expr | ast.AnnAssign
    ):
        return None
    if not isinstance(other, type(one)):
        return None
    left, right = one.value, other.value
    if isinstance(one, ast.Expr) and isinstance(left, ast.Call) and isinstance(right, ast.Call):
        if len(left.args) != 1 or len(right.args) != 1 or left.keywords or right.keywords:
            return None
        left, right = left.args[0], right.args[0]
    elif isinstance(one, ast.Expr):
        return None
    if left is None or right is None or isinstance(left, (*LOOSE, ast.Tuple)) or isinstance(right, (*LOOSE, ast.Tuple)):
        return None
    spans = []
    for side, value in ((one, left), (other, right)):
        start, end = src.span(side)
        inner, close = _bracketed(src, value)
        spans.append((src.text[start:inner], src.text[inner:close], src.text[close:end]))
    if spans[0][0] != spans[1][0] or spans[0][2] != spans[1][2]:
        return None
    return spans[0][0], spans[0][1], spans[1][1], spans[0][2]


def _bracketed(src: Source, value: ast.expr) -> tuple[int, int]:
    return src.span(value)


def _unfolded(src: Source) -> Iterator[Spot]:
    for node in src.statements:
        if not isinstance(node, ast.Assign | ast.Return | ast.AugAssign | ast.AnnAssign) or not own_lines(src, node):
            continue
        value = node.value
        if not isinstance(value, ast.IfExp) or has_comment(src, src.first_line(node), src.last_line(node)):
            continue
        start, end = src.span(node)
        indent, step = src.indent(node), src.step
        head, tail = src.text[start : src.span(value)[0]], src.text[src.span(value)[1] : end]
        if head.endswith("(") and tail == ")":
            head, tail = head[:-1].rstrip() + " ", ""
        if "(" in head or tail.strip():
            continue
        second = head if not isinstance(node, ast.AnnAssign) else f"{src.segment(node.target)} = "
        new = [
            f"{indent}if {outer(src, value.test)}:",
            f"{indent}{step}{head}{src.segment(value.body)}",
            f"{indent}else:",
            f"{indent}{step}{second}{outer(src, value.orelse)}",
        ]
        if not any("\n" in line for line in new):
            yield Spot(node, (replaced(src, src.first_line(node), src.last_line(node), new),))


_OTHER = re.compile(
    r"\b(?:return value|results?|arguments?|args|param\w*|lists?|items?|order|sort\w*|strings?|operands?|values)\b"
)
_OF_AN_IF = re.compile(r"\b(?:if|else|branch\w*|conditions?|tests?|check|other way|opposite|inver\w*|negat\w*)\b")


def inverted(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    if (
        _OTHER.search(asked.plain) and not re.search(r"\b(?:if|else|branch\w*)\b", asked.plain)
    ) or not _OF_AN_IF.search(asked.text):
        return
    for node in src.statements:
        if (
            not isinstance(node, ast.If)
            or is_elif(src, node)
            or not own_lines(src, node.body[0])
            or node.test.lineno != node.test.end_lineno
        ):
            continue
        divider = else_line(src, node)
        if divider is None or not own_lines(src, node.orelse[0]):
            continue
        first = src.first_line(node)
        head_end = src.first_line(node.body[0])
        if head_end != first + 1 and any(
            src.lines[row].strip() and not src.lines[row].lstrip().startswith("#") for row in range(first + 1, head_end)
        ):
            continue
        start, end = src.span(node.test)
        span = _whole_test(src, start, end)
        base, head = src.starts[first], src.lines[first]
        new = head[: span[0] - base] + negated(src, node.test) + head[span[1] - base :]
        lines, last = src.lines, src.last_line(node)
        rows = [new, *lines[divider + 1 : last], lines[divider], *lines[first + 1 : divider]]
        yield Spot(node, (replaced(src, first, last, rows),), ("if", "else"))


def _whole_test(src: Source, start: int, end: int) -> tuple[int, int]:
    """With the brackets around the whole condition."""
    while (
        src.text[start - 1] == "("
        and src.text[end : end + 1] == ")"
        and src.text[: start - 1].rstrip(" (").endswith("if")
    ):
        start, end = start - 1, end + 1
    return start, end


def without_else(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    chained = re.search(r"\belif|after|no-else|ret505|r1705", asked.text) is not None
    for node in src.statements:
        if not isinstance(node, ast.If) or is_elif(src, node) or not node.orelse or not own_lines(src, node.body[0]):
            continue
        rows: dict[int, str] = {}
        at: ast.stmt = node
        good, divider = True, None
        while isinstance(at, ast.If) and at.orelse:
            if not isinstance(at.body[-1], LEAVES):
                good = False
                break
            divider = else_line(src, at)
            if divider is not None:
                break
            following = at.orelse[0]
            line = src.first_line(following)
            if chained:
                rows[line] = src.lines[line].replace("elif", "if", 1)
            at = following
        if (not good or divider is None) and "elif" not in asked.text:
            continue
        if not good and not rows:
            continue
        if not good and re.search(r"\belif", asked.text) is None:
            continue
        first, last = src.first_line(node), src.last_line(node)
        new: list[str] = []
        for number in range(first, last):
            if divider is not None and number >= divider:
                break
            new.append(rows.get(number, src.lines[number]))
        if divider is not None and good:
            tail = src.lines[divider].split("#", 1)
            if len(tail) > 1:
                new.append(f"{src.indent(node)}#{tail[1]}")
            new += moved(src, divider + 1, last, -1)
        elif divider is not None:
            new += src.lines[divider:last]
        yield Spot(node, (replaced(src, first, last, new),), ("if", "else"))


def merged(asked: Asked) -> Iterator[Spot]:
    wanted = asked.wants(
        r"merge|join|combine|one (?:condition|if|and)|single (?:if|condition)|\band\b", r"nested|two ifs|two conditions"
    )
    if re.search(r"\bsplit|into (?:two|nested) ifs|two (?:nested )?ifs instead|separate ifs|break up", asked.text):
        yield from _split(asked.src)
    elif wanted is not False or re.search(
        r"merge|join|combine|flatten|collapse|collapsible|fold|unite|sim102|use and|and the", asked.text
    ):
        yield from _joined(asked.src, re.search(r"\btwo\b|\bboth\b", asked.text) is not None)


def _joined(src: Source, asked_two: bool) -> Iterator[Spot]:
    inside: set[ast.AST] = set()
    for node in src.statements:
        if not isinstance(node, ast.If) or node in inside or node.orelse or not own_lines(src, node):
            continue
        chain: list[ast.If] = [node]
        while (
            len(chain[-1].body) == 1
            and isinstance(chain[-1].body[0], ast.If)
            and not chain[-1].body[0].orelse
            and own_lines(src, chain[-1].body[0])
        ):
            chain.append(chain[-1].body[0])
        if asked_two:
            chain = chain[:2]
        inside |= set(chain)
        last_if = chain[-1]
        if (
            len(chain) < 2
            or not own_lines(src, last_if.body[0])
            or any(isinstance(one.test, (ast.Lambda, ast.NamedExpr)) for one in chain)
        ):
            continue
        first, body = src.first_line(node), src.last_line(last_if.test)
        if has_comment(src, first, body):
            continue
        tests = []
        for one in chain:
            text = outer(src, one.test)
            loose = isinstance(one.test, ast.IfExp) or (
                isinstance(one.test, ast.BoolOp) and isinstance(one.test.op, ast.Or)
            )
            tests.append(f"({text})" if loose and not text.startswith("(") else text)
        head = "elif" if is_elif(src, node) else "if"
        new = f"{src.indent(node)}{head} {' and '.join(tests)}:"
        if "\n" in new:
            continue
        rows = [new]
        if len(new) > WIDEST + 10:
            step = src.indent(node) + src.step
            rows = [
                f"{src.indent(node)}{head} (",
                *(f"{step}{'and ' * (at > 0)}{test}" for at, test in enumerate(tests)),
                f"{src.indent(node)}):",
            ]
        last = src.last_line(node)
        yield Spot(node, (replaced(src, first, last, [*rows, *moved(src, body, last, 1 - len(chain))]),), ("if", "and"))


def _split(src: Source) -> Iterator[Spot]:
    for node in src.statements:
        if (
            not isinstance(node, ast.If)
            or node.orelse
            or is_elif(src, node)
            or not own_lines(src, node)
            or not own_lines(src, node.body[0])
        ):
            continue
        test = node.test
        if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And) or test.lineno != test.end_lineno:
            continue
        first, last, indent = src.first_line(node), src.last_line(node), src.indent(node)
        values = [test.values[0], *test.values[1:]]
        rows = [f"{indent}{src.step * at}if {_bare(src, value)}:" for at, value in enumerate(values)]
        rows += moved(src, first + 1, last, len(values) - 1)
        yield Spot(node, (replaced(src, first, last, rows),), ("if", "and"))


def _bare(src: Source, value: ast.expr) -> str:
    return src.segment(value)


def told(asked: Asked) -> Iterator[Spot]:
    """An if whose branches are True and False, as a return, a value or an argument, is its condition."""
    src = asked.src
    for node in src.nodes:
        if isinstance(node, ast.IfExp) and _truths(node.body, node.orelse):
            yield Spot(node, ((*src.span(node), _condition(src, node.test, node.body)),), ("True", "False"))
        if not isinstance(node, ast.If) or is_elif(src, node) or len(node.body) != 1 or not own_lines(src, node):
            continue
        one, last = node.body[0], src.last_line(node)
        other = node.orelse[0] if len(node.orelse) == 1 else None
        if (
            not node.orelse
            and isinstance(one, ast.Return)
            and (after := behind(src, node)[:1])
            and isinstance(after[0], ast.Return)
        ):
            other, last = after[0], src.last_line(after[0])
        if other is None or has_comment(src, src.first_line(node), last):
            continue
        parts = _two_values(src, one, other)
        values = _values(one), _values(other)
        if parts is None or values[0] is None or values[1] is None or not _truths(values[0], values[1]):
            continue
        new = f"{src.indent(node)}{parts[0]}{_condition(src, node.test, values[0])}{parts[3]}"
        yield Spot(node, (replaced(src, src.first_line(node), last, new.split("\n")),), ("True", "False", "bool"), last)


def _values(one: ast.stmt) -> ast.expr | None:
    if isinstance(one, ast.Expr) and isinstance(one.value, ast.Call) and len(one.value.args) == 1:
        return one.value.args[0]
    return one.value if isinstance(one, ast.Assign | ast.Return | ast.AnnAssign) else None


def _truths(one: ast.expr, other: ast.expr) -> bool:
    values = [node.value if isinstance(node, ast.Constant) else None for node in (one, other)]
    return values in ([True, False], [False, True]) and all(isinstance(value, bool) for value in values)


def _condition(src: Source, test: ast.expr, first: ast.expr) -> str:
    if isinstance(first, ast.Constant) and first.value is True:
        return src.segment(test) if tells(test) else f"bool({src.segment(test)})"
    return negated(src, test)


_IF = "if ifs else elif condition conditions conditional test tests check branch branches branch's"
WAYS = (
    way(
        rf"{_EXPRESSION}|if ?/ ?else statement|(?:if|else)\b.*\b(?:instead of|rather than).*(?:ternary|conditional)",
        ternaries,
        f"{_IF} ternary ternaries inline one single return returns value result assignment conditional decided decide depends only pick x y c b a breakpoint debugging debug each branch unfold expand spelled spell fold collapse liner four instead rather full proper regular normal statement assign assigned multiple several two lines",
    ),
    way(
        r"\belse\b.*\b(?:put (?:it|that) first|common case)|\b(?:invert|flip|negate|reverse|opposite|swap|exchange|else (?:branch )?(?:first|comes? first|should come first)|other way r?ound|else on|else branch)\b|\binverted\b|negated|reversed|swapped|flipped",
        inverted,
        f"{_IF} invert inverted inverting flip flipped negate negated negative reverse reversed reversing opposite swap swapped swapping exchange two both first comes come other way round around order sides bodies body logic positive case main common put part",
    ),
    way(
        r"\belse\b.*\b(?:remove|unnecessary|redundant|needless|superfluous|not (?:needed|necessary)|no sense|useless|go|drop|dedent|unindent)|no-else|ret505|r1705|ret506|ret507|\b(?:no|without|drop|remove|delete|flatten|unindent|dedent|superfluous|unnecessary|redundant|needless|useless|pointless|rid of)\b[^.;]*\b(?:else|elif|elifs)\b|else[- ]after|elif.*\bif\b",
        without_else,
        f"{_IF} remove removed drop dropped delete deleted deleting superfluous else-after-return no-else-return no-else-raise after return returns raise raises continue break leaves leave function unindent dedent flatten flattened indent indentation nesting less makes make sense necessary isn't useless level it's got go goes rid what's whats comes following pylint r1705 r1720 ret505 body already exits exit",
    ),
    way(
        r"\bifs\b|\b(?:merge|join|combine|collapse|flatten|fold|unite)\b.*\b(?:if|conditions?|and)\b|\bif a and b\b|sim102|\band the (?:\w+ )?conditions|\buse and\b|collapsible|another if\b|conditions? (?:out of|with and)|nested if|\bsplit\b.*\b(?:and|if|condition)\b",
        merged,
        f"{_IF} merge merged merging join joined combine combined collapse fold flatten nested nest nesting two three both single one out into with and a b contains contain nothing but another other outer inner split separate together unite sim102 collapsible level levels no need less body dedent",
    ),
    way(
        r"\b(?:just|simply|directly|straight|simplif\w+)\b.*\b(?:return|be|pass|assign|set|condition|expression|comparison)|return (?:the |its )?(?:condition|expression|comparison|test|bool\w*|result of)|\b(?:simplif\w+|needless|redundant|unnecessary|useless|returning|return)\b.*\b(?:true|false|bool\w*|if ?/? ?else)|sim103|\bjust\b \w+\(",
        told,
        f"{_IF} return returns returning returned true false bool boolean booleans condition expression direct directly itself result simplify simplified straight away instead single one liner comparison sim103 sim108 assign set pass call fan needs-no",
    ),
)
