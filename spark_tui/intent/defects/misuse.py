"""Causes in how parts of the language are used: rows that are one list, tests that come too late, what a
class or a decorator leaves out."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import around, cause, changed, line_before, own, text_of
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.source import Function, docstring, parameters
from spark_tui.pysource.syntax.walking import find_nodes, names_in, walk

_PRESET = re.compile(r"default|fallback|preset", re.IGNORECASE)
_SEEN = re.compile(r"seen|visited|done|known|used|found|processed", re.IGNORECASE)
_MIXED_UP = (
    (r"%Y([-/._]?)%M", r"%Y\1%m"),
    (r"%M([-/._])%d", r"%m\1%d"),
    (r"%d([-/._])%M", r"%d\1%m"),
    (r"%H([:.h]?)%m", r"%H\1%M"),
    (r"%m:%S", "%M:%S"),
)
_WAITING = re.compile(r"queue|waiting|pending|jobs|inbox|line|backlog", re.IGNORECASE)


@cause("shared", plain=0.95)
def rows_are_one(at: SeenError) -> Iterator[Built]:
    """`[[0] * 3] * 3`, whose rows are one list."""
    for node in own(at, ast.BinOp):
        inner = node.left.elts[0] if isinstance(node.left, ast.List) and len(node.left.elts) == 1 else None
        made = isinstance(inner, ast.List | ast.Dict | ast.Set | ast.ListComp) or (
            isinstance(inner, ast.BinOp) and isinstance(inner.left, ast.List)
        )
        if isinstance(node.op, ast.Mult) and inner is not None and made:
            times = at.source.segment(node.right)
            yield at.swap(node, f"[{at.source.segment(inner)} for _ in range({times})]", 1.0)


@cause("overwritten_branch", "boundary", plain=0.9)
def wider_test_first(at: SeenError) -> Iterator[Built]:
    """`if x >= 10: … elif x >= 100: …`, whose second branch is never reached."""
    for node in own(at, ast.If):
        chain: list[ast.If] = [node]
        while len(chain[-1].orelse) == 1 and isinstance(chain[-1].orelse[0], ast.If):
            chain.append(chain[-1].orelse[0])
        parent = at.source.parents.get(node)
        if len(chain) < 2 or (isinstance(parent, ast.If) and node in parent.orelse):
            continue
        bounds = [_bound(one.test) for one in chain]
        if any(bound is None for bound in bounds):
            continue
        known = [bound for bound in bounds if bound is not None]
        if len({(name, up) for name, up, _ in known}) == 1:
            order = sorted(range(len(chain)), key=lambda at: known[at][2], reverse=known[0][1])
            if order != list(range(len(chain))) and order == list(range(len(chain)))[::-1]:
                yield from _in_order(at, chain, order)


def _bound(test: ast.expr) -> tuple[str, bool, float] | None:
    """What a test compares, whether from below, and with what number."""
    if (
        not isinstance(test, ast.Compare)
        or len(test.ops) != 1
        or not isinstance(test.comparators[0], ast.Constant)
    ):
        return None
    value = test.comparators[0].value
    if not isinstance(value, int | float) or not isinstance(test.ops[0], ast.Gt | ast.GtE | ast.Lt | ast.LtE):
        return None
    return text_of(test.left), isinstance(test.ops[0], ast.Gt | ast.GtE), float(value)


def _in_order(at: SeenError, chain: list[ast.If], order: list[int]) -> Iterator[Built]:
    """The tests and bodies of a chain in another order."""
    rows = []
    for place, other in zip(chain, (chain[number] for number in order), strict=True):
        rows.append((*at.source.span(place.test), at.source.segment(other.test)))
        low, high = at.source.span(place.body[0])[0], at.source.span(place.body[-1])[1]
        first, last = at.source.span(other.body[0])[0], at.source.span(other.body[-1])[1]
        rows.append((low, high, at.source.text[first:last]))
    yield from changed(at, rows, 1.0)


@cause("overwritten_branch", "ignored", plain=0.85)
def defaults_win(at: SeenError) -> Iterator[Built]:
    """`{**settings, **DEFAULTS}`, and `settings.update(DEFAULTS)`."""
    for node in own(at, ast.Dict):
        if len(node.values) == 2 and node.keys == [None, None]:
            one, two = (at.source.segment(value) for value in node.values)
            if _PRESET.search(two) and not _PRESET.search(one):
                yield at.swap(node, f"{{**{two}, **{one}}}", 1.0)
    for either in own(at, ast.BinOp):
        if isinstance(either.op, ast.BitOr) and _PRESET.search(text_of(either.right)):
            one, two = at.source.segment(either.left), at.source.segment(either.right)
            if not _PRESET.search(one):
                yield at.swap(either, f"{two} | {one}", 1.0)


@cause("fails_when_empty", "never_set", plain=0.9)
def parent_not_made(at: SeenError) -> Iterator[Built]:
    """`__init__` of a class with a base in the same file that has one, without `super().__init__()`."""
    node, owner = at.root, at.source.class_of(at.root)
    if not isinstance(node, Function) or node.name != "__init__" or owner is None:
        return
    bases = [one for base in owner.bases for one in at.source.classes.get(text_of(base), [])]
    begin = next(
        (one for base in bases for one in base.body if isinstance(one, Function) and one.name == node.name),
        None,
    )
    calls = {text_of(one.func) for one in own(at, ast.Call)}
    if begin is None or any("super" in one or one.endswith("__init__") for one in calls):
        return
    own_names = [arg.arg for arg in parameters(node)]
    wanted = [arg.arg for arg in begin.args.args[1:]]
    preset = len(begin.args.defaults)
    needed = wanted[: len(wanted) - preset] if preset else wanted
    given = [name if name in own_names else f'"{owner.name.lower()}"' for name in needed]
    body = [one for one in node.body if one is not docstring(node)]
    if body:
        code = f"super().__init__({', '.join(given)})"
        yield from changed(at, [line_before(at.source, body[0], code)], 1.0)


@cause("never_set", "no_effect", plain=0.85)
def not_committed(at: SeenError) -> Iterator[Built]:
    """Rows that are written to a database and not committed."""
    text = at.source.text
    writes = re.compile(r"\s*(insert|update|delete|replace)\b", re.IGNORECASE)
    if "sqlite3" not in text and "connect(" not in text:
        return
    if not isinstance(at.root, Function) or "commit(" in at.source.segment(at.root):
        return
    for stmt in own(at, ast.Expr):
        node = stmt.value
        if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute) or not node.args:
            continue
        first = node.args[0]
        asked = first.value if isinstance(first, ast.Constant) and isinstance(first.value, str) else ""
        if (
            node.func.attr.startswith("execute")
            and writes.match(asked)
            and around(at, stmt, ast.With) is None
        ):
            base = at.source.segment(node.func.value)
            base = base if "cur" not in base else f"{base}.connection"
            high = at.source.span(stmt)[1]
            code = f"{at.source.newline}{at.source.indent(stmt)}{base}.commit()"
            yield from changed(at, [(high, high, code)], 1.0)


@cause("lets_bad_through", "always_true", plain=0.9)
def part_of_text(at: SeenError) -> Iterator[Built]:
    """`name in "admin"`, and `name in ("admin")`, which holds for each part of it."""
    for node in own(at, ast.Compare):
        other = node.comparators[0]
        if len(node.ops) == 1 and isinstance(node.ops[0], ast.In | ast.NotIn) and is_text(other):
            if isinstance(node.left, ast.Constant) or not isinstance(other, ast.Constant):
                continue
            value = str(other.value)
            if re.fullmatch(r"\w{3,}", value):
                sign = "==" if isinstance(node.ops[0], ast.In) else "!="
                left = at.source.segment(node.left)
                yield at.swap(node, f"{left} {sign} {at.source.segment(other)}", 1.0)


@cause("gives_none", plain=0.95)
def wrapper_gives_nothing(at: SeenError) -> Iterator[Built]:
    """A wrapper that calls what it wraps and drops the result."""
    if not isinstance(at.root, Function):
        return
    given = {arg.arg for arg in at.root.args.args}
    for inner in find_nodes(at.root, ast.FunctionDef):
        if inner is at.root or inner.args.vararg is None:
            continue
        if any(isinstance(node, ast.Return) and node.value is not None for node in walk(inner)):
            continue
        for stmt in find_nodes(inner, ast.Expr):
            called = stmt.value
            if isinstance(called, ast.Call) and isinstance(called.func, ast.Name) and called.func.id in given:
                low = at.source.span(stmt)[0]
                if inner.body[-1] is stmt:
                    yield from changed(at, [(low, low, "return ")], 1.0)
                    continue
                last = inner.body[-1]
                end = at.source.span(last)[1]
                code = f"{at.source.newline}{at.source.indent(last)}return result"
                yield from changed(at, [(low, low, "result = "), (end, end, code)], 1.0)
                break


@cause("fails_when_empty", "gives_none", plain=0.9)
def used_up(at: SeenError) -> Iterator[Built]:
    """A generator that is gone through twice."""
    for stmt in own(at, ast.Assign):
        value, target = stmt.value, stmt.targets[0]
        lazy = isinstance(value, ast.GeneratorExp) or (
            isinstance(value, ast.Call) and text_of(value.func) in ("map", "filter", "zip", "reversed")
        )
        if not lazy or not isinstance(target, ast.Name):
            continue
        uses = [node for node in own(at, ast.Name) if node.id == target.id and isinstance(node.ctx, ast.Load)]
        if len(uses) > 1:
            low, high = at.source.span(value)
            shown = at.source.text[low:high]
            new = f"[{shown[1:-1]}]" if isinstance(value, ast.GeneratorExp) else f"list({shown})"
            yield at.swap(value, new, 1.0)


@cause("opposite", "always_true", plain=0.5)
def and_before_or(at: SeenError) -> Iterator[Built]:
    """`a or b and c` for `(a or b) and c`."""
    for node in own(at, ast.BoolOp):
        if not isinstance(node.op, ast.Or):
            continue
        last = node.values[-1]
        bare = isinstance(last, ast.BoolOp) and at.source.text[: at.source.span(last)[0]].rstrip()[-1:] != "("
        if isinstance(last, ast.BoolOp) and isinstance(last.op, ast.And) and bare:
            low, high = at.source.span(node)[0], at.source.span(last.values[0])[1]
            yield from changed(at, [(low, low, "("), (high, high, ")")], 1.0)


@cause("wrong_piece", plain=0.95)
def minutes_for_months(at: SeenError) -> Iterator[Built]:
    """`%Y-%M-%d` and `%H:%m`."""
    for node in own(at, ast.Constant):
        if isinstance(node.value, str) and "%" in node.value:
            shown = at.source.segment(node)
            new = shown
            for old, right in _MIXED_UP:
                new = re.sub(old, right, new)
            if new != shown:
                yield at.swap(node, new, 1.0)


@cause("never_ends", "added_twice", plain=0.9)
def never_marked(at: SeenError) -> Iterator[Built]:
    """A set of what was seen that is looked into and never filled."""
    if not isinstance(at.root, Function):
        return
    for node in own(at, ast.Compare):
        seen = node.comparators[0]
        if len(node.ops) != 1 or not isinstance(node.ops[0], ast.In | ast.NotIn):
            continue
        if not isinstance(seen, ast.Name | ast.Attribute) or not _SEEN.search(text_of(seen)):
            continue
        base = text_of(seen)
        filled = any(
            isinstance(one, ast.Attribute)
            and one.attr in ("add", "append", "update", "setdefault")
            and text_of(one.value) == base
            for one in walk(at.source.tree)
        )
        filled = filled or any(
            isinstance(one, ast.Subscript) and isinstance(one.ctx, ast.Store) and text_of(one.value) == base
            for one in walk(at.source.tree)
        )
        test = around(at, node, ast.If)
        if filled or not isinstance(test, ast.If):
            continue
        item = at.source.segment(node.left)
        adds = f"{base}.add({item})"
        if isinstance(node.ops[0], ast.NotIn):
            yield from changed(at, [line_before(at.source, test.body[0], adds)], 1.0)
        else:
            high = at.source.span(test)[1]
            code = f"{at.source.newline}{at.source.indent(test)}{adds}"
            yield from changed(at, [(high, high, code)], 1.0)


@cause("order_wrong", plain=0.3)
def last_in_first_out(at: SeenError) -> Iterator[Built]:
    """`queue.pop()` for `queue.pop(0)`."""
    for node in own(at, ast.Call):
        func = node.func
        if isinstance(func, ast.Attribute) and func.attr == "pop" and not node.args:
            base = at.source.segment(func.value)
            if _WAITING.search(base):
                yield at.swap(node, f"{base}.pop(0)", 1.0)


@cause("lets_bad_through", plain=0.35)
def end_not_matched(at: SeenError) -> Iterator[Built]:
    """`re.match(…)` that lets anything follow."""
    for node in own(at, ast.Call):
        name = text_of(node.func)
        if name.endswith(".match") and names_in(node.func) and not _is_ended(at, node):
            high = at.source.span(node.func)[1]
            yield from changed(at, [(high - len("match"), high, "fullmatch")], 1.0)


def _is_ended(at: SeenError, node: ast.Call) -> bool:
    """Whether the pattern of a match ends with the end of the text."""
    assert isinstance(node.func, ast.Attribute)
    base = text_of(node.func.value)
    made = [one.value for one in find_nodes(at.source.tree, ast.Assign) if text_of(one.targets[0]) == base]
    patterns = [text_of(arg) for call in (*made, node) if isinstance(call, ast.Call) for arg in call.args[:1]]
    return any(re.search(r"(?:\$|\\Z|\\z)['\"]\Z", pattern) for pattern in patterns)


@cause("fails_when_empty", plain=0.7)
def generator_given(at: SeenError) -> Iterator[Built]:
    """A function that gives a generator, where what is given is gone through twice."""
    twice = any(
        sum(text_of(call.args[0]) == arg.arg for call in find_nodes(one, ast.Call) if call.args) > 1
        for one in at.source.functions
        for arg in one.args.args
    )
    for result in own(at, ast.Return) if twice else ():
        if isinstance(result.value, ast.GeneratorExp):
            yield at.swap(result.value, f"[{at.source.segment(result.value)[1:-1]}]", 1.0)


@cause("one_missing", plain=0.12)
def last_day_counts(at: SeenError) -> Iterator[Built]:
    """`(end - start).days` that counts the last day too."""
    for node in own(at, ast.Attribute):
        if node.attr == "days" and isinstance(node.value, ast.BinOp) and isinstance(node.value.op, ast.Sub):
            yield at.swap(node, f"{at.source.segment(node)} + 1", 1.0)
