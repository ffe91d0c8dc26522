"""Loops that count: enumerate for an index or a counter, plain loops for an index that is only an index.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
import builtins
import keyword
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import around, own_lines, replaced, same, uses
from spark_tui.refactor.source import Change, Source

NAMED = re.compile(
    r"\b(?:item name|named?|call(?:ed)?(?: it| the (?:item|element|value))?|naming (?:it|the (?:item|element|value))|name (?:it|the (?:item|element|value))|with (?:the )?item|item|element|loop variable|and|variable)\s+[`'\"]?([^\W\d]\w*)[`'\"]?(?=\s*(?:$|[,.;)?!]|on\b|in\b|at\b|inside\b|within\b|as the\b|instead\b|please\b|there\b|around\b|near\b|for\b))"
)


_AS_ITEM = re.compile(
    r"\bwith [`'\"]?(?!enumerate|the|an?\b|in\b|index)([^\W\d]\w*)[`'\"]?$|"
    r"([^\W\d]\w*)[`'\"]? as (?:the |an )?(?:item|element|loop variable|value)\b"
)
_START = re.compile(
    r"\b(?:start(?:s|ing)?(?: (?:at|from|with|=))?|from|count(?:s|ing)? (?:from|at))\s*=?\s*(\d+|one|zero)\b"
)


def counted(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for loop in src.statements:
        if isinstance(loop, ast.For) and own_lines(src, loop) and not loop.orelse:
            yield from _by_hand(asked, loop)
            yield from _by_range(asked, loop, keep="enumerate" in asked.text)
            yield from _from_start(asked, loop)
    if "enumerate" in asked.text and re.search(r"\b(?:both|too|also|index|number|count)\b", asked.text):
        for loop in src.statements:
            plain = isinstance(loop, ast.For) and isinstance(loop.target, ast.Name)
            if not isinstance(loop, ast.For) or not plain or _is_call(loop.iter, "enumerate", "range", "zip"):
                continue
            if not list(_by_hand(asked, loop)) and (index := fresh(src, _said_index(asked), "i")):
                at = src.span(loop.target)[0]
                new = f"enumerate({src.segment(loop.iter)}{_started(asked)})"
                yield Spot(loop, ((at, at, f"{index}, "), (*src.span(loop.iter), new)), ("index", "item"))


def _said_index(asked: Asked) -> list[str]:
    found = re.findall(r"\b(?:index|counter|number)\s+(?:called |named |as )?[`'\"]?(\w+)", asked.order.said)
    return [name for name in found if name not in ("and", "is", "in", "too", "of", "for", "from", "here")][:1]


def _started(asked: Asked) -> str:
    match = _START.search(asked.text)
    start = {"one": "1", "zero": "0"}.get(match[1], match[1]) if match else "0"
    return "" if start == "0" else f", start={start}" if "start=" in asked.text else f", {start}"


def _by_hand(asked: Asked, loop: ast.For) -> Iterator[Spot]:
    """A counter that is set in front of the loop and grows by one at its end (or its begin)."""
    src = asked.src
    names = {grown(statement): statement for statement in (loop.body[0], loop.body[-1])}
    for name, step in names.items():
        if (
            not name
            or len(loop.body) < 2
            or any(isinstance(one, ast.Name) and one.id == name for one in ast.walk(loop.target))
        ):
            continue
        first = set_before(src, loop, name)
        if first is None:
            continue
        body = [one for one in loop.body if one is not step]
        at_end = step is loop.body[-1]
        skips = at_end and any(isinstance(one, ast.Continue) for part in body for one in ast.walk(part))
        if skips or any(isinstance(one.ctx, ast.Store) for one in uses(body, name)) or later(src, loop, name):
            continue
        assert isinstance(first, ast.Assign) and isinstance(first.value, ast.Constant)
        start = int(str(first.value.value)) + (not at_end)
        how = "" if start == 0 else f", start={start}" if "start=" in asked.text else f", {start}"
        target, iterable = src.segment(loop.target), src.segment(loop.iter)
        if isinstance(loop.target, ast.Tuple) and not target.startswith("("):
            target = f"({target})"
        changes: list[Change] = [
            replaced(src, src.first_line(first), src.last_line(first), ()),
            (*src.span(loop.target), f"{name}, {target}"),
            (*src.span(loop.iter), f"enumerate({iterable}{how})"),
            replaced(src, src.first_line(step), src.last_line(step), ()),
        ]
        if isinstance(loop.target, ast.Tuple):
            a, b = src.span(loop.target)
            if src.text[a - 1 : a] == "(" and not src.segment(loop.target).startswith("("):
                changes[1] = (a - 1, b + 1, f"{name}, {target}")
        yield Spot(loop, tuple(changes), (name, "counter", "index", "count"))


def grown(statement: ast.stmt) -> str:
    """The name of which it makes one more."""
    if (
        isinstance(statement, ast.AugAssign)
        and isinstance(statement.op, ast.Add)
        and isinstance(statement.target, ast.Name)
    ):
        return statement.target.id if _is_one(statement.value) else ""
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1 and isinstance(statement.targets[0], ast.Name):
        name, value = statement.targets[0].id, statement.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Add) and _is_one(value.right):
            return name if isinstance(value.left, ast.Name) and value.left.id == name else ""
    return ""


def _is_one(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value == 1 and not isinstance(node.value, bool)


def set_before(src: Source, loop: ast.stmt, name: str) -> ast.Assign | None:
    """The assignment of a number to a name in front of a loop, with nothing between that has the name."""
    block = src.block(loop)
    for one in reversed(block[: block.index(loop)]):
        if (
            isinstance(one, ast.Assign)
            and len(one.targets) == 1
            and isinstance(one.targets[0], ast.Name)
            and one.targets[0].id == name
        ):
            number = isinstance(one.value, ast.Constant) and type(one.value.value) is int
            return one if number and own_lines(src, one) else None
        if uses([one], name):
            return None
    return None


def later(src: Source, loop: ast.stmt, name: str) -> bool:
    """Whether a name is read behind a loop before it is set anew."""
    end = src.span(loop)[1]
    after = sorted(
        (one for one in uses(around(src, loop), name) if src.span(one)[0] >= end), key=lambda one: src.span(one)[0]
    )
    outer = [one for one in src.ancestors(loop) if isinstance(one, ast.For | ast.While)]
    return bool(after) and (isinstance(after[0].ctx, ast.Load) or bool(outer))


def _is_call(node: ast.AST, *names: str) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in names


def _by_range(asked: Asked, loop: ast.For, *, keep: bool) -> Iterator[Spot]:
    """`for i in range(len(xs))`, with `xs[i]` in it."""
    src, call = asked.src, loop.iter
    if not isinstance(loop.target, ast.Name) or not isinstance(call, ast.Call) or not _is_call(call, "range"):
        return
    args = (
        call.args[1:]
        if len(call.args) == 2 and isinstance(call.args[0], ast.Constant) and call.args[0].value == 0
        else call.args
    )
    if len(args) != 1 or not isinstance(args[0], ast.Call) or not _is_call(args[0], "len") or len(args[0].args) != 1:
        return
    seq, index = args[0].args[0], loop.target.id
    at = [
        node for part in loop.body for node in ast.walk(part)
        if isinstance(node, ast.Subscript) and same(node.value, seq) and isinstance(node.slice, ast.Name) and node.slice.id == index
    ]  # fmt: skip
    counts = uses(loop.body, index)
    if any(not isinstance(one.ctx, ast.Load) for one in counts) or later(src, loop, index):
        return
    grows = re.compile(
        rf"\b{re.escape(src.segment(seq))}(?:\.(?:append|pop|remove|insert|clear|extend|sort|reverse)\(|\s*[-+*]?=[^=])"
    )
    if any(grows.search(src.segment(part)) for part in loop.body):
        return
    stores = [one for one in at if not isinstance(one.ctx, ast.Load)]
    sequence, changes = src.segment(seq), []
    first = loop.body[0]
    alias = (
        isinstance(first, ast.Assign)
        and first.value in at
        and len(first.targets) == 1
        and isinstance(first.targets[0], ast.Name | ast.Tuple)
    )
    if alias:
        assert isinstance(first, ast.Assign)
        item = src.segment(first.targets[0])
        if not own_lines(src, first) or not item.isidentifier():
            return
        changes.append(replaced(src, src.first_line(first), src.last_line(first), ()))
        at = [one for one in at if one is not first.value] if not stores else []
    else:
        item = _item_name(asked, seq)
        if not item or not at:
            return
    if not stores:
        changes += [(*src.span(one), item) for one in at]
        left = len(counts) - len(at) - alias
    else:
        if not alias:
            return
        left = len(counts) - 1
    if any(
        isinstance(one, ast.JoinedStr) and any(node in at for node in ast.walk(one))
        for part in loop.body
        for one in ast.walk(part)
    ):
        quote = re.search(r"['\"]", sequence)
        if quote:
            return
    direct = not left and not keep and not re.search(r"\bindex (?:and|too|as well)\b", asked.text)
    head = f"{item} in {sequence}" if direct else f"{index}, {item} in enumerate({sequence})"
    changes.append((src.span(loop.target)[0], src.span(loop.iter)[1], head))
    yield Spot(loop, tuple(changes), (index, item, "item", "index"))


def _as_items(asked: Asked) -> list[str]:
    return [one for groups in _AS_ITEM.findall(asked.order.said) for one in groups if one]


def _item_name(asked: Asked, seq: ast.expr) -> str:
    """What an item is to be called: as it is said; else after the name of what holds it."""
    said = [
        name
        for name in [*_as_items(asked), *NAMED.findall(asked.order.said)]
        if not keyword.iskeyword(name) and name.lower() not in ("enumerate", "the", "its", "item", "index", "it")
    ]
    if said:
        return fresh(asked.src, [name for name in said if name not in asked.order.identifiers][:1], "") or ""
    name = seq.attr if isinstance(seq, ast.Attribute) else seq.id if isinstance(seq, ast.Name) else ""
    low = name.rpartition("_")[2] or name
    single = ""
    if low.endswith("ies") and len(low) > 4:
        single = low[:-3] + "y"
    elif re.search(r"(?:ss|x|ch|sh)es$", low):
        single = low[:-2]
    elif low.endswith("s") and not low.endswith("ss") and len(low) > 2:
        single = low[:-1]
    return fresh(asked.src, [single], "item")


def fresh(src: Source, wanted: list[str], other: str) -> str:
    taken = set(re.findall(r"[^\W\d]\w*", src.text))
    for name in (*wanted, other):
        if (
            name
            and name.isidentifier()
            and name not in taken
            and not keyword.iskeyword(name)
            and (
                not hasattr(builtins, name)
                or (name in wanted[:1] and name not in ("id", "str", "list", "int", "type", "input", "range"))
            )
        ):
            return name
    return ""


def _from_start(asked: Asked, loop: ast.For) -> Iterator[Spot]:
    """An enumerate from 0 whose index only stands as `i + 1` counts from there."""
    src, call, match = asked.src, loop.iter, _START.search(asked.text)
    if (
        match is None
        or not isinstance(call, ast.Call)
        or not _is_call(call, "enumerate")
        or len(call.args) != 1
        or call.keywords
    ):
        return
    if not isinstance(loop.target, ast.Tuple) or not isinstance(loop.target.elts[0], ast.Name):
        return
    index, start = loop.target.elts[0].id, {"one": 1, "zero": 0}.get(match[1]) if match[1].isalpha() else int(match[1])
    more = [src.parents[one] for one in uses(loop.body, index)]
    if (
        start
        and more
        and all(
            isinstance(one, ast.BinOp)
            and isinstance(one.op, ast.Add)
            and isinstance(one.right, ast.Constant)
            and one.right.value == start
            for one in more
        )
    ):
        at = src.span(call.args[0])[1]
        how = f", start={start}" if "start=" in asked.text else f", {start}"
        changes = [(*src.span(one), index) for one in more]
        yield Spot(loop, ((at, at, how), *changes), (index, str(start), "start"))


def direct(asked: Asked) -> Iterator[Spot]:
    """A loop over an index that is only an index."""
    src = asked.src
    if "enumerate" in asked.text:
        return
    for loop in src.statements:
        if isinstance(loop, ast.For) and own_lines(src, loop) and not loop.orelse:
            yield from _by_range(asked, loop, keep=False)


_LOOP = "loop loops looping for iterate iterating iterates iteration over index indexes indices indexing counter counters count counting counts hand-made hand made manual manually own range len item items element elements both and through it's its itself rid walk go"


WAYS = (
    way(
        r"enumerate|\bhand[- ]?made counter|manual counter|\bsim113\b|\b(?:simplif\w+|shorten|pythonic|shorter) (?:the |this |that )?(?:for )?loop\b",
        counted,
        f"{_LOOP} enumerate enumerates consider-using-enumerate c0200 sim113 start starts starting from at one zero first number numbers increment incrementing incremented counted increasing variable only needed keeping track ugly needed name named naming call called is and n index too item element as",
    ),
    way(
        r"\b(?:directly|without (?:the |an )?(?:index|range)|instead of (?:the |an )?(?:index|indices|range)|no (?:need for (?:the |an )?)?(?:index|indices|range)|range\(len|iterate over)",
        direct,
        f"{_LOOP} directly direct straight without itself no named call",
    ),
)
