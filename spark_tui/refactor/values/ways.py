# ruff: noqa: E501 - tables of words and forms read better unbroken
"""An expression that is spelled takes the place of the one that it grows out of: *0.1 * 2 ** attempt* of `0.1`,
*msg["Subject"] or ""* of `msg["Subject"]`, *await asyncio.sleep* of `time.sleep`, *abs(...) < 1e-6* of `a == b`.

Comes in: an `Order`. Goes out: one edit. Must not know: how plain it is.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.imports_of import with_import
from spark_tui.refactor.naming import expression
from spark_tui.refactor.order import Edit, Order, Rule
from spark_tui.refactor.saying import words
from spark_tui.refactor.source import Change

_BUILTINS = frozenset(dir(builtins))
_LEAD = re.compile(
    r"^(?:(?:in|for|inside) (?:the )?[\w.]+(?:\(\))?,? )?(?:(?:just|better|rather|please|it|that|this|there|should|must|can|could|be|use|used|using|switch|change|fall|back|default|make|take|return|read|try|go|with|to|on|\"[^\"]*\"|'[^']*'|none|a|an|the|via|of|for|by|as|instead)[ ,:]+)*:?\s*$",
    re.I,
)
_NO_WAY = ast.Name | ast.Constant | ast.Compare | ast.Tuple | ast.UnaryOp
_DOES = re.compile(r"(?:print|log|logger|logging|sys\.exit|exit|assert\w*|raise)\b")
_TAIL = re.compile(
    r"^[\s,.]*(?:(?:in|inside) (?:the )?[\w.]+(?:\(\))?|instead|there|for that|everywhere)?[\s.]*$", re.I
)
_SAME = re.compile(r"(?P<await>await )?(?P<name>[a-z_]\w*(?:\.\w+)*\.(?P<last>\w+))(?:\(\))?(?![\w(\[.])", re.I)
_ABOUT = re.compile(r"(?P<before>(?:math\.)?f?abs\()(?:\.\.\.|…)\) ?(?P<op><=?) ?(?P<near>[\w.-]+)")


def _grown(order: Order) -> Iterator[Edit]:
    """The text is one expression, and one of the file stands in it."""
    said = order.said
    for begin in re.finditer(r"(?<![\w.`\"'\])])(?:[\w(\[{]|-(?=\w))", said):
        lead = said[: begin.start()]
        if not _LEAD.match(lead):
            break
        ends = [found.end() for found in re.finditer(r"\S+", said) if found.end() > begin.end()]
        for end in reversed(ends):
            tree = expression(said[begin.start() : end]) if _TAIL.match(said[end:]) else None
            if tree is None or isinstance(tree, _NO_WAY) or _DOES.match(said[begin.start() : end]):
                continue
            new = said[begin.start() : end].strip()
            places = _stands_for(order, tree, f"{lead} {said[end:]}")
            if len(places) == 1 and new not in order.src.text:
                changes: list[Change] = [(*order.src.span(places[0]), _bracketed(order, places[0], tree, new))]
                yield order.edit(changes, new, lead, said[end:])
                return


def _stands_for(order: Order, new: ast.expr, rest: str) -> list[ast.expr]:
    """The largest expressions of the file that stand in the new one, where the new one could stand."""
    low, high = order.scope(rest) if order.definitions(rest) else (0, len(order.src.lines))
    inner = {ast.dump(one): one for one in ast.walk(new) if one is not new and isinstance(one, ast.expr)}
    best: list[ast.expr] = []
    size = 0
    for node in order.src.nodes:
        if not isinstance(node, ast.expr) or isinstance(node, ast.Name | ast.Starred) or ast.dump(node) not in inner:
            continue
        text = ast.unparse(node)
        if not low <= order.src.first_line(node) < high or text in (
            "0",
            "1",
            "None",
            "True",
            "False",
            '""',
            "''",
            "[]",
        ):
            continue
        if len(text) >= size:
            best = [*(best if len(text) == size else []), node]
            size = len(text)
    return (
        best
        if len(best) == 1
        and _is_known(order, best[0], new)
        and isinstance(getattr(best[0], "ctx", ast.Load()), ast.Load)
        else []
    )


def _is_known(order: Order, old: ast.expr, new: ast.expr) -> bool:
    """Its names are known where it is to stand."""
    function = order.src.function_of(old)
    held = ast.walk(function) if function is not None else order.src.nodes
    known = {getattr(one, "id", getattr(one, "arg", "")) for one in held if isinstance(one, ast.Name | ast.arg)}
    known |= (
        {one.id for one in order.src.nodes if isinstance(one, ast.Name)}
        if function is None
        else _BUILTINS | _top(order)
    )
    bound = {one.id for one in ast.walk(new) if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)}
    return {one.id for one in ast.walk(new) if isinstance(one, ast.Name)} - bound <= known


def _top(order: Order) -> set[str]:
    """What the file makes outside of functions."""
    made = [one for one in order.src.nodes if isinstance(one, ast.Name) and isinstance(one.ctx, ast.Store)]
    names = {one.id for one in made if order.src.function_of(one) is None}
    names |= {(one.asname or one.name).partition(".")[0] for one in order.src.nodes if isinstance(one, ast.alias)}
    return names | {one.name for one in (*order.src.functions, *order.src.classes)}


def _bracketed(order: Order, old: ast.expr, tree: ast.expr, new: str) -> str:
    """In brackets where something beside it binds as it does."""
    around = order.src.parents.get(old)
    loose = isinstance(tree, ast.BinOp | ast.BoolOp | ast.IfExp | ast.Compare | ast.UnaryOp)
    tight = isinstance(around, ast.BinOp | ast.BoolOp | ast.UnaryOp | ast.Compare | ast.Attribute | ast.Subscript | ast.Await | ast.FormattedValue)  # fmt: skip
    first = isinstance(around, ast.Subscript) and around.slice is old
    return f"({new})" if loose and tight and not first else new


def _named_alike(order: Order) -> Iterator[Edit]:
    """*Should be await asyncio.sleep*: of the call whose function has that last name."""
    for match in _SAME.finditer(order.said):
        lead, tail = order.said[: match.start()], order.said[match.end() :]
        if not _LEAD.match(lead) or not _TAIL.match(tail) or match["name"] in order.src.text:
            continue
        low, high = order.scope(lead + tail)
        calls = [
            one for one in order.src.nodes if isinstance(one, ast.Call) and low <= order.src.first_line(one) < high
        ]
        calls = [one for one in calls if isinstance(one.func, ast.Attribute | ast.Name) and ast.unparse(one.func).rpartition(".")[2] == match["last"]]  # fmt: skip
        waits = match["await"] or ("await " if match["name"].startswith("asyncio.") else "")
        if len(calls) != 1 or (waits and not _may_wait(order, calls[0])):
            continue
        root = match["name"].partition(".")[0]
        changes: list[Change] = [(*order.src.span(calls[0].func), f"{waits}{match['name']}")]
        if root not in order.identifiers:
            imported = with_import(order.src, f"import {root}")
            if imported is None:
                return
            changes.append(imported)
        yield order.edit(changes, match[0], lead, tail)


def _may_wait(order: Order, call: ast.Call) -> bool:
    function = order.src.function_of(call)
    return isinstance(function, ast.AsyncFunctionDef) and isinstance(order.src.parents.get(call), ast.Expr | ast.Assign)


def _nearly(order: Order) -> Iterator[Edit]:
    """*Use abs(...) < 1e-6*: of the one comparison with `==`."""
    match = _ABOUT.search(order.said)
    if match is None:
        return
    rest = f"{order.said[: match.start()]} {order.said[match.end() :]}"
    low, high = order.scope(rest)
    found = [
        one
        for one in order.src.nodes
        if isinstance(one, ast.Compare) and len(one.ops) == 1 and isinstance(one.ops[0], ast.Eq)
        if low <= order.src.first_line(one) < high
        and not any(
            isinstance(side, ast.Constant) and isinstance(side.value, str | None)
            for side in (one.left, *one.comparators)
        )
    ]
    if len(found) != 1:
        return
    left, right = order.src.segment(found[0].left), order.src.segment(found[0].comparators[0])
    loose = isinstance(found[0].comparators[0], ast.BinOp)
    gap = left if right in ("0", "0.0") else f"{left} - {f'({right})' if loose else right}"
    new = f"{match['before']}{gap}) {match['op']} {match['near']}"
    used = [
        word
        for word in words(rest)
        if word in _ABOUT_FLOATS or word in {one.name.lower() for one in order.definitions(rest)}
    ]
    yield order.edit([(*order.src.span(found[0]), new)], match[0], *used)


_ABOUT_FLOATS = frozenset(
    words(
        "compare compares comparing comparison floats float numbers exactly exact equality equal with use instead not must never shouldn't don't check test is in == tolerance"
    )
)


RULES: tuple[Rule, ...] = (
    Rule(re.compile(r"[\w\])\"'] ?(?:[-+*/%]|or|if|and)\s|[\w\])]\("), _grown),
    Rule(re.compile(r"\w\.\w"), _named_alike),
    Rule(re.compile(r"abs\((?:\.\.\.|…)\)"), _nearly),
)
