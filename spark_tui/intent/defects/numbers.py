"""Causes in sums: whole division, the wrong order of operators, percents, texts for numbers, bounds."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import around, cause, changed, line_before, own, text_of
from spark_tui.intent.facts.literal_types import is_string
from spark_tui.intent.fixes.seen_error import SeenError, bracket_code
from spark_tui.intent.fixes.values import index_error, or_zero, zero_division
from spark_tui.pysource.syntax.walking import find_nodes, names_in

_PERCENT = re.compile(
    r"percent|pct|rate|tax|vat|discount|fee|share|interest|markup|margin|tip", re.IGNORECASE
)
_AMOUNT = re.compile(r"price|total|amount|sum|avg|average|mean|rate|score|balance|cost|percent|ratio", re.I)
_LOWEST, _HIGHEST = (
    re.compile(r"low|min|floor|\b0\b", re.I),
    re.compile(r"high|max|limit|ceil|cap|upper", re.I),
)
_COUNTED = re.compile(r"page|level|round|week|month", re.IGNORECASE)
_NUMBERS = (ast.Add, ast.Sub, ast.Mult, ast.Div, ast.FloorDiv, ast.Mod)

cause("fails_when_empty")(index_error)


@cause("decimals_lost", plain=0.08)
def whole_division(at: SeenError) -> Iterator[Built]:
    """`//` for `/`, and `int(…)` or `round(…)` around a quotient."""
    for node in own(at, ast.BinOp):
        if isinstance(node.op, ast.FloorDiv):
            low, high = at.source.span(node.left)[1], at.source.span(node.right)[0]
            between = at.source.text[low:high]
            yield from changed(at, [(low, high, between.replace("//", "/"))], 0.95)
    for call in own(at, ast.Call):
        if text_of(call.func) in ("int", "round") and len(call.args) == 1:
            divides = isinstance(call.args[0], ast.BinOp)
            yield at.swap(call, at.source.segment(call.args[0]), 0.9 if divides else 0.5)


@cause("wrong_result", plain=0.06)
def order_of_operators(at: SeenError) -> Iterator[Built]:
    """`a + b / 2` for `(a + b) / 2`."""
    for node in own(at, ast.BinOp):
        if not isinstance(node.op, ast.Add | ast.Sub):
            continue
        inner = node.right
        while isinstance(inner, ast.BinOp) and isinstance(inner.op, ast.Mult | ast.Div | ast.FloorDiv):
            bracketed = at.source.text[: at.source.span(inner)[0]].rstrip().endswith("(")
            if bracketed:
                break
            if not isinstance(inner.left, ast.BinOp):
                low, high = at.source.span(node)[0], at.source.span(inner.left)[1]
                yield from changed(at, [(low, low, "("), (high, high, ")")], 0.9)
                break
            inner = inner.left


@cause("percent", "wrong_result", plain=0.1)
def percent_of_number(at: SeenError) -> Iterator[Built]:
    """`price + TAX` for `price * (1 + TAX)`, and `price * percent` for a hundredth of it."""
    for node in own(at, ast.BinOp):
        right = text_of(node.right)
        left = at.source.segment(node.left)
        rate = isinstance(node.right, ast.Name | ast.Attribute) and _PERCENT.search(right)
        if not rate or isinstance(node.left, ast.Constant):
            continue
        if isinstance(node.op, ast.Add | ast.Sub):
            sign = "+" if isinstance(node.op, ast.Add) else "-"
            base = bracket_code(at.source, node.left)
            yield at.swap(node, f"{base} * (1 {sign} {right})", 0.85)
            yield at.swap(node, f"{base} * (1 {sign} {right} / 100)", 0.6)
        elif isinstance(node.op, ast.Mult):
            parent = at.source.parents.get(node)
            if not (isinstance(parent, ast.BinOp) and isinstance(parent.op, ast.Div)):
                yield at.swap(node, f"{left} * {right} / 100", 0.8)


@cause("text_for_number", plain=0.4)
def text_as_number(at: SeenError) -> Iterator[Built]:
    """What `split`, `input` or a reader of rows gives is made a number where it is counted with."""
    texts = _texts(at)
    done = set[int]()
    rows = []
    every: list[ast.BinOp | ast.Compare] = [*own(at, ast.BinOp), *own(at, ast.Compare)]
    for node in every:
        sides = [node.left, node.right] if isinstance(node, ast.BinOp) else [node.left, *node.comparators]
        if isinstance(node, ast.BinOp) and not isinstance(node.op, _NUMBERS):
            continue
        if any(is_string(side) for side in sides):
            continue
        for side in sides:
            raw = isinstance(side, ast.Call) and text_of(side.func) == "input"
            if (raw or text_of(side) in texts) and id(side) not in done:
                done.add(id(side))
                low, high = at.source.span(side)
                rows.append((low, high, f"int({at.source.segment(side)})"))
    yield from changed(at, rows, 0.95)
    for call in own(at, ast.Call):
        if text_of(call.func) in ("sorted", "sum", "max", "min") and call.args:
            bare = not any(word.arg == "key" for word in call.keywords)
            if text_of(call.func) != "sum" and bare and not isinstance(call.args[0], ast.GeneratorExp):
                high = at.source.span(call)[1] - 1
                yield from changed(at, [(high, high, ", key=int")], 0.15)


def _texts(at: SeenError) -> set[str]:
    """The names that are set to what is read or split."""
    out = set[str]()
    for stmt in own(at, ast.Assign):
        value = stmt.value
        name = text_of(value.func).rpartition(".")[2] if isinstance(value, ast.Call) else ""
        if name in ("split", "input", "partition", "rpartition", "groups", "readline", "splitlines", "group"):
            for target in stmt.targets:
                out |= names_in(target)
    for loop in own(at, ast.For):
        if "reader" in text_of(loop.iter) or ".split(" in text_of(loop.iter):
            out |= names_in(loop.target)
    return out


@cause("fails_when_empty", plain=0.1)
def nothing_to_divide_by(at: SeenError) -> Iterator[Built]:
    """Without anything the result is 0, or None where there is no number."""
    for node in own(at, ast.BinOp):
        if isinstance(node.op, ast.Div | ast.FloorDiv | ast.Mod) and not isinstance(node.right, ast.Constant):
            inner = node.right
            sized = isinstance(inner, ast.Call) and text_of(inner.func) == "len" and inner.args
            shown = at.source.segment(inner.args[0] if sized and isinstance(inner, ast.Call) else inner)
            made = or_zero(at, node, shown) if "(" not in shown else None
            yield from (made,) if made is not None else _left_early(at, node, shown, "0", 0.95)
    for call in own(at, ast.Call):
        kept = any(word.arg == "default" for word in call.keywords)
        if text_of(call.func) in ("min", "max") and len(call.args) == 1 and not kept:
            high = at.source.span(call)[1] - 1
            counted = isinstance(at.source.parents.get(call), ast.BinOp | ast.AugAssign)
            empty = "0" if counted else "None"  # None cannot be counted with
            yield from changed(at, [(high, high, f", default={empty}")], 0.85)
    for item in own(at, ast.Subscript):
        if text_of(item.slice) in ("0", "-1") and isinstance(item.ctx, ast.Load):
            yield from _left_early(at, item, at.source.segment(item.value), "None", 0.85)


def _left_early(at: SeenError, node: ast.AST, shown: str, result: str, weight: float) -> Iterator[Built]:
    """The function is left in front of a statement, where nothing is there."""
    stmt = at.source.statement(node)
    if stmt is None or not shown or "(" in shown or around(at, stmt, ast.If) is not None:
        return
    if names_in(stmt) and isinstance(stmt, ast.If | ast.While | ast.For):
        return
    code = f"if not {shown}:{at.source.newline}{at.source.indent(stmt)}{at.source.indent_unit}return {result}"
    yield from changed(at, [line_before(at.source, stmt, code)], weight)


@cause("negative")
def below_zero(at: SeenError) -> Iterator[Built]:
    """A difference that is to be no less than 0, or a distance."""
    for node in own(at, ast.BinOp):
        if isinstance(node.op, ast.Sub) and not isinstance(node.right, ast.Constant):
            parent = at.source.parents.get(node)
            if isinstance(parent, ast.Return | ast.Assign):
                yield at.swap(node, f"max(0, {at.source.segment(node)})", 0.5)
                yield at.swap(node, f"abs({at.source.segment(node)})", 0.4)


@cause("stuck_at_bound", "wrong_result", plain=0.97)
def bounds_swapped(at: SeenError) -> Iterator[Built]:
    """`min(low, max(high, x))` for `max(low, min(high, x))`."""
    for node in own(at, ast.Call):
        inner = next((arg for arg in node.args if isinstance(arg, ast.Call)), None)
        names = (text_of(node.func), text_of(inner.func) if inner else "")
        if inner is not None and sorted(names) == ["max", "min"]:
            rows = [(*at.source.span(node.func), names[1]), (*at.source.span(inner.func), names[0])]
            outer = " ".join(text_of(arg) for arg in node.args if arg is not inner)
            within = " ".join(text_of(arg) for arg in inner.args)
            low, high = (within, outer) if names[0] == "max" else (outer, within)
            sure = names[0] == "min" and _LOWEST.search(low) and _HIGHEST.search(high)
            sure = sure or (names[0] == "max" and _HIGHEST.search(outer) and _LOWEST.search(within))
            yield from changed(at, rows, 1.0 if sure else 0.1)


@cause("one_too_many", "one_missing")
def begun_with_one(at: SeenError) -> Iterator[Built]:
    """A count that begins with 1 or 0 and grows in a loop."""
    first, other = (1, "0") if at.kind == "one_too_many" else (0, "1")
    grown = {text_of(node.target) for node in own(at, ast.AugAssign)}
    for stmt in own(at, ast.Assign):
        if text_of(stmt.value) == str(first) and text_of(stmt.targets[0]) in grown:
            yield at.swap(stmt.value, other, 0.6)


@cause("one_too_many", plain=0.3)
def random_end_included(at: SeenError) -> Iterator[Built]:
    """`randint(0, n)`, which gives n itself too: there are n numbers from 0 to n - 1."""
    rows = []
    for node in own(at, ast.Call):
        last = node.args[1] if len(node.args) == 2 and text_of(node.args[0]) == "0" else None
        sized = isinstance(last, ast.Name | ast.Attribute) or (
            isinstance(last, ast.Call) and text_of(last.func) == "len"
        )
        if text_of(node.func).rpartition(".")[2] == "randint" and last is not None and sized:
            high = at.source.span(last)[1]
            rows.append((high, high, " - 1"))
    yield from changed(at, rows, 0.8 if rows else 0.0)


@cause("starts_at")
def counted_from(at: SeenError) -> Iterator[Built]:
    """`enumerate(x)` that is to count from 1, and the other way round."""
    for node in own(at, ast.Call):
        if text_of(node.func) != "enumerate":
            continue
        if len(node.args) == 1 and not node.keywords:
            high = at.source.span(node)[1] - 1
            yield from changed(at, [(high, high, ", start=1")], 0.85)


@cause("wrong_piece")
def another_index(at: SeenError) -> Iterator[Built]:
    """`[1]` for `[0]`, `[0]` for `[-1]`."""
    others = {"1": ("0",), "0": ("-1", "1"), "-1": ("0",), "2": ("1",)}
    for node in own(at, ast.Subscript):
        for number, new in enumerate(others.get(text_of(node.slice), ())):
            yield at.swap(node.slice, new, 0.7 - 0.3 * number)


def _divides(at: SeenError) -> bool:
    return any(isinstance(node.op, ast.Div) for node in find_nodes(at.root, ast.BinOp))


@cause("fails_when_empty")
def divided_by_zero(at: SeenError) -> Iterator[Built]:
    """What a `ZeroDivisionError` is mended with, where no other repair is known."""
    if _divides(at) and not any(nothing_to_divide_by(at)):
        yield from zero_division(at)


@cause("negative", "below_zero")
def taken_off(at: SeenError) -> Iterator[Built]:
    """`health -= damage`, which may go below 0."""
    for node in own(at, ast.AugAssign):
        if isinstance(node.op, ast.Sub):
            low, high = at.source.span(node)
            target, value = at.source.segment(node.target), at.source.segment(node.value)
            yield from changed(at, [(low, high, f"{target} = max(0, {target} - {value})")], 0.9)


@cause("wrong_sign")
def added_for_taken(at: SeenError) -> Iterator[Built]:
    """`+=` for `-=`, and the other way round."""
    for node in own(at, ast.AugAssign):
        if isinstance(node.op, ast.Add | ast.Sub):
            low, high = at.source.span(node.target)[1], at.source.span(node.value)[0]
            old, new = ("+=", "-=") if isinstance(node.op, ast.Add) else ("-=", "+=")
            yield from changed(at, [(low, high, at.source.text[low:high].replace(old, new))], 0.85)
    for sum_ in own(at, ast.BinOp):
        if isinstance(sum_.op, ast.Add | ast.Sub):
            low, high = at.source.span(sum_.left)[1], at.source.span(sum_.right)[0]
            old, new = ("+", "-") if isinstance(sum_.op, ast.Add) else ("-", "+")
            yield from changed(at, [(low, high, at.source.text[low:high].replace(old, new))], 0.6)


@cause("many_decimals")
def not_rounded(at: SeenError) -> Iterator[Built]:
    """A quotient or product that is given or shown as it is."""
    for node in own(at, ast.FormattedValue):
        if node.format_spec is None and not isinstance(node.value, ast.Constant):
            high = at.source.span(node.value)[1]
            counted = isinstance(node.value, ast.BinOp) or _AMOUNT.search(text_of(node.value))
            yield from changed(at, [(high, high, ":.2f")], 0.7 if counted else 0.2)
    for result in own(at, ast.Return):
        value = result.value
        if isinstance(value, ast.BinOp) and isinstance(value.op, ast.Div | ast.Mult):
            yield at.swap(value, f"round({at.source.segment(value)}, 2)", 0.85)


@cause("fraction_shown")
def not_times_100(at: SeenError) -> Iterator[Built]:
    """A share that is to be percent."""
    for node in own(at, ast.BinOp):
        if isinstance(node.op, ast.Div) and not isinstance(at.source.parents.get(node), ast.BinOp):
            yield at.swap(node, f"{at.source.segment(node)} * 100", 0.9)


@cause("one_missing", "starts_late")
def pages_from_one(at: SeenError) -> Iterator[Built]:
    """`page * size` for a page that is counted from 1."""
    for node in own(at, ast.BinOp):
        named = isinstance(node.left, ast.Name | ast.Attribute) and _COUNTED.search(text_of(node.left))
        if isinstance(node.op, ast.Mult) and named:
            left, right = at.source.segment(node.left), at.source.segment(node.right)
            yield at.swap(node, f"({left} - 1) * {right}", 0.9)
