# ruff: noqa: E501 - forms read better unbroken
"""What is left out: *ignore blank lines in count_lines*, *skip rows where temp isn't a number*, *only print the 20 biggest dirs*.

Comes in: an order. Goes out: edits of comprehensions, loops and prints. Must not know: how plain they are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.conditions import condition
from spark_tui.refactor.literals import literal
from spark_tui.refactor.naming import Naming, expression, naming_in, singular
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.predicates import oppose
from spark_tui.refactor.said_of import SaidOf, said_of
from spark_tui.refactor.source import Change, Function, Source
from spark_tui.refactor.stems import about

_DROP = r"(?:ignore|skip|drop|leave out|exclude|filter out|omit|(?:don'?t|do not|not|never)\s+(?:count|list|return|include|take))s?\s+(?:over\s+)?(?:all\s+|any\s+|the\s+)?"
_LEFT_OUT = re.compile(rf"^{_DROP}(?P<what>.+?)\W*$", re.I)
_NUMBER = re.compile(
    rf"^{_DROP}(?:\w+\s+)?(?:(?:where|whose|when|if|in which)\s+(?:the\s+)?(?P<a>\w+)\s+(?:isn'?t|is not|can(?:no|'|no')t be)\s+(?:an?\s+)?(?:valid\s+|real\s+)?(?:number|numeric|integer|int|float|parsed|converted|read(?: as a number)?)|with\s+(?:an?\s+)?(?:bad|invalid|broken|malformed|non-?numeric|unreadable|garbled)\s+(?P<b>\w+))\W*$",
    re.I,
)
_FIRST = re.compile(
    r"^(?:(?:only|just)\s+(?:print|show|list|output|display|return|give|keep|take)s?|(?:print|show|list|output|display|return|give|keep|take)s?\s+(?:only|just)|(?:cut|limit|trim|shorten|restrict)s?\s+(?:it|them|that|the (?:list|output|result|results)|`?(?P<of>\w+)`?(?:\(\))?)\s+(?:down\s+)?to)\s+(?:the\s+)?(?:(?P<how>top|first|best)\s+)?(?P<n>\w+)(?:\s+(?P<most>biggest|largest|highest|longest|newest|latest|best|smallest|lowest|shortest|oldest|fastest|first|top))?(?:\s+(?P<what>\w+))?\W*$",
    re.I,
)
_UP = frozenset(["smallest", "lowest", "shortest", "oldest", "fastest"])
Comprehension = ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _active(said: str) -> str:
    """*rows with a bad price should be skipped* as an order to skip them."""
    match = re.match(
        r"^(?P<what>.+?) (?:should|must|have to|has to|are to) (?:be )?(?:skipped|ignored|dropped|left out|excluded|omitted|not count(?:ed)?)\W*$",
        said,
        re.I,
    )
    return f"skip {match['what']}" if match is not None else said


def left_out(order: Order) -> Iterator[Edit]:
    """What a comprehension goes over, without some of it."""
    src = order.src
    for said in said_of(order):
        match = _LEFT_OUT.match(_active(said.rest))
        found = [
            node
            for node in said.find(ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
            if isinstance(node, Comprehension)
        ]
        if match is None or not said.named or len(found) != 1 or said.find(ast.For) or len(found[0].generators) != 1:
            continue
        part = found[0].generators[0]
        target = ast.unparse(part.target)
        called = singular(re.findall(r"[a-z]+", match["what"].lower())[-1]) if target == "_" else target
        test = _said(src, said.functions[0], match["what"], called)
        if test is None or not called.isidentifier():
            continue
        changes: list[Change] = [(*src.span(part.target), called)] if target == "_" else []
        last = part.ifs[-1] if part.ifs else part.iter
        loose = isinstance(last, ast.BoolOp | ast.IfExp | ast.Lambda) and bool(part.ifs)
        end = src.span(last)[1]
        if not loose:
            yield order.edit([*changes, (end, end, f" {'and' if part.ifs else 'if'} {test}")], order.said)


def _said(src: Source, function: Function, what: str, target: str) -> str | None:
    """What has to hold for what stays."""
    outer = naming_in(src, function)
    naming = Naming([target, *outer.names], src.segment(function), outer.own, outer.known)
    code = re.sub(r"^.*?\b(?:where|if|when|with|whose)\b", "", what).strip()
    coded = expression(code)
    if isinstance(coded, ast.Compare | ast.Call | ast.UnaryOp):
        names = {node.id for node in ast.walk(coded) if isinstance(node, ast.Name)}
        if target in names:
            return oppose(code) if names <= naming.roots else None
    words = re.sub(r"\bempty (?=lines?$)", "blank ", what).split()
    about_it = naming.member(target, words[0]) or target
    ways = [
        " ".join(words),
        *(" ".join([about_it, *words[at:]]) for at in (1, 2) if at < len(words)),
        " ".join([*words[:-1], target]),
    ]
    for way in ways:
        found = condition(way, naming)
        if found is not None and found.test != found.subject and re.search(rf"(?<![\w.]){target}\b", found.test):
            return None if found.needs else oppose(found.test)
    return None


def unread(order: Order) -> Iterator[Edit]:
    """What cannot be read as a number is passed over in its loop."""
    src = order.src
    for said in said_of(order):
        match = _NUMBER.match(_active(said.rest))
        if match is None:
            continue
        key = match["a"] or match["b"]
        found = [
            node
            for loop in said.find(ast.For)
            if isinstance(loop, ast.For)
            for node in loop.body
            if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr) and node.lineno > loop.lineno
            and any(_reads(src, one, key) for one in ast.walk(node))
        ]  # fmt: skip
        if len(found) == 1:
            yield order.edit(_tried(src, found[0]), order.said)


def _reads(src: Source, node: ast.AST, key: str) -> bool:
    made = isinstance(node, ast.Call) and ast.unparse(node.func) in ("float", "int", "Decimal")
    return made and isinstance(node, ast.Call) and bool(node.args) and about(key, src.segment(node.args[0]))


def _tried(src: Source, node: ast.stmt) -> list[Change]:
    indent, step = src.indent(node), src.step
    rows = [f"{step}{row}" if row.strip() else row for row in src.lines[src.first_line(node) : src.last_line(node)]]
    new = [f"{indent}try:", *rows, f"{indent}except ValueError:", f"{indent}{step}continue"]
    return [(*src.line_span(src.first_line(node), src.last_line(node)), "".join(f"{row}\n" for row in new))]


def first_few(order: Order) -> Iterator[Edit]:
    """The first of what was sorted, in its loop."""
    src = order.src
    for said in said_of(order):
        match = _FIRST.match(said.rest)
        count = literal(match["n"]) if match is not None else None
        if match is None or count is None or not count.isdigit():
            continue
        up = (match["most"] or "").lower() in _UP
        places = [
            (one, node)
            for node, one in _sorted_ones(said, match["of"])
            if not match["most"] or match["most"].lower() in ("top", "first", "best") or up is not one
        ]
        uses = [node for _, node in places]
        if len(uses) == 1:
            end = src.span(uses[0])[1]
            yield order.edit([(end, end, f"[:{count}]")], order.said)


def _sorted_ones(said: SaidOf, name: str | None) -> Iterator[tuple[ast.expr, bool]]:
    """Where something sorted is gone over, and whether it begins with the greatest."""
    own = [one for one in said.functions if one.name == name]
    for function in own or said.functions:
        down: dict[str, bool] = {}
        for node in ast.walk(function):
            call = node.value if isinstance(node, ast.Assign | ast.Expr) else None
            if isinstance(call, ast.Call) and isinstance(node, ast.Assign) and ast.unparse(call.func) == "sorted":
                down[ast.unparse(node.targets[0])] = "reverse=True" in ast.unparse(call)
            elif isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "sort":
                down[ast.unparse(call.func.value)] = "reverse=True" in ast.unparse(call)
        for node in ast.walk(function):
            if isinstance(node, ast.For | ast.comprehension) and ast.unparse(node.iter) in down:
                yield node.iter, down[ast.unparse(node.iter)]


# -- flags -------------------------------------------------------------------------------------------------------------

_FLAG = re.compile(
    r"^(?:(?:add|introduce|give (?:it|me|us)|have|i want|we need|with)\s+)?(?:an?\s+)?(?:new\s+)?`?(?:(?P<short>-\w)\s*(?:/|,|or|and)\s*)?--(?P<flag>[a-z][\w-]*)`?(?:\s*(?:/|,|or)\s*(?P<short2>-\w))?(?:\s+(?:flag|option|switch|argument))?\s*(?:,\s*)?(?:that|which|to|it)?\s*(?:(?:will|should|must)\s+)?(?:turns?\s+off|suppress(?:es)?|silences?|disables?|hides?|skips?|stops?|mutes?|omits?|prevents?|switch(?:es)? off)\s+(?:(?:the\s+)?(?:printing|prints?|output)(?:\s+of)?\s*)?(?P<what>.*?)\W*$",
    re.I,
)


def quiet(order: Order) -> Iterator[Edit]:
    """An option of the command line under which something is not printed."""
    src, match = order.src, _FLAG.match(order.said)
    if match is None or f"--{match['flag']}" in src.text:
        return
    asked = [
        node
        for node in src.statements
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call)
        and isinstance(node.value.func, ast.Attribute) and node.value.func.attr == "add_argument"
    ]  # fmt: skip
    given = re.findall(r"\b(\w+) = \w+(?:\(\))?\.parse_args\(|\b(\w+) = \w*parse\w*\(", src.text)
    names = {one for pair in given for one in pair if one}
    if not asked or len(names) != 1 or len({ast.unparse(node.value.func) for node in asked}) != 1:  # type: ignore[attr-defined]
        return
    name = names.pop()
    prints = [
        node
        for node in src.statements
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and ast.unparse(node.value.func) == "print"
        and (function := src.function_of(node)) is not None and re.search(rf"\b{name}\b", src.segment(function))
    ]  # fmt: skip
    what = re.sub(r"\b(?:the|lines?|messages?|text|at the end|of|results?)\b", " ", match["what"]).strip()
    meant = [node for node in prints if about(what, src.segment(node))] if what else prints
    if len(meant) != 1:
        return
    last, shown = asked[-1], meant[0]
    short = match["short"] or match["short2"]
    flags = ", ".join(f'"{one}"' for one in (short, f"--{match['flag']}") if one)
    call = last.value.func  # type: ignore[attr-defined]
    start, at = src.starts[src.last_line(last)], src.line_span(src.first_line(shown), src.last_line(shown))
    rows = [f"{src.step}{row}" for row in src.lines[src.first_line(shown) : src.last_line(shown)]]
    test = f"{src.indent(shown)}if not {name}.{match['flag'].replace('-', '_')}:"
    yield order.edit(
        [
            (start, start, f'{src.indent(last)}{ast.unparse(call)}({flags}, action="store_true")\n'),
            (*at, "".join(f"{row}\n" for row in [test, *rows])),
        ],
        order.said,
    )


# -- what is found -----------------------------------------------------------------------------------------------------

_FOUND = re.compile(
    r"^(?:break|stop|leave|exit|quit|end)s?(?: out(?: of)?| looking| searching)?(?:\s+(?:the|that|this)?\s*(?:for\s+)?(?:loop|search))?(?:\s+(?:in|of)\s+`?(?P<of>\w+)`?(?:\(\))?)?\s*(?:as soon as|once|when|after)\s+(?:(?:the|an?|one)\s+)?(?:\w+|first match)?\s*(?:is|was|has been|'s)?\s*(?:found|matched|(?<=first )(?:hit|match))\W*$",
    re.I,
)


def stops(order: Order) -> Iterator[Edit]:
    """A loop that keeps what it looks for ends there."""
    src = order.src
    for said in said_of(order):
        match = _FOUND.match(said.rest)
        if match is None:
            continue
        tests = [
            node
            for loop in said.find(ast.For)
            if isinstance(loop, ast.For)
            for node in loop.body[-1:]
            if match["of"] in (None, getattr(src.function_of(loop), "name", None))
            and isinstance(node, ast.If)
            and not node.orelse
            and len(node.body) == 1
            and isinstance(node.body[0], ast.Assign)
        ]
        if len(tests) == 1:
            one = tests[0].body[0]
            start = src.starts[src.last_line(one)]
            yield order.edit([(start, start, f"{src.indent(one)}break\n")], order.said)


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"\b(?:ignore|skip|drop|leave out|exclude|filter out|left out|omit|don'?t|not|never)", re.I), left_out),
    Rule(re.compile(r"\b(?:number|numeric|integer|int|float|parsed|converted|bad|invalid|broken|malformed|read|garbled)\b", re.I), unread),
    Rule(re.compile(r"\b(?:only|just|cut|limit|trim|shorten|restrict)\b", re.I), first_few),
    Rule(re.compile(r"--[a-z]"), quiet),
    Rule(re.compile(r"\b(?:found|matched|hit|match)\b", re.I), stops),
)  # fmt: skip
