"""Causes in tests: the wrong way round, one off at a boundary, always true, or about something else."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.codemods.rewriting.edits import is_none
from spark_tui.codemods.rewriting.negation import negate_code
from spark_tui.intent.building.building import Built
from spark_tui.intent.defects.causes import around, cause, changed, functions_here, own, text_of
from spark_tui.intent.facts.literal_types import is_text
from spark_tui.intent.fixes.seen_error import SeenError
from spark_tui.pysource.names.type_hints import decorator_names
from spark_tui.pysource.source import Function
from spark_tui.pysource.syntax.signs import OTHER_BOUND, SIGNS, TURNED
from spark_tui.pysource.syntax.walking import LOOPS, names_in, walk

_TESTING = (ast.If, ast.While, ast.IfExp)


def _pairs(at: SeenError) -> Iterator[tuple[ast.Compare, str, str, str]]:
    """The comparisons of two sides: the node, its left, its sign and its right."""
    for node in own(at, ast.Compare):
        if len(node.ops) == 1 and at.source.span(node)[0] >= 0:
            left, right = at.source.segment(node.left), at.source.segment(node.comparators[0])
            yield node, left, SIGNS[type(node.ops[0])], right


def _tests(at: SeenError) -> list[ast.expr]:
    return [one.test for one in own(at, ast.If)] + [one.test for one in own(at, ast.IfExp)]


@cause("wrong_one", plain=0.12)
def best_the_wrong_way(at: SeenError) -> Iterator[Built]:
    """`if score < best: best = score` in a loop, where the largest is meant, and the other way round."""
    for node, left, sign, right in _pairs(at):
        test = around(at, node, ast.If)
        if sign not in TURNED or not isinstance(test, ast.If) or around(at, node, *LOOPS) is None:
            continue
        kept = {text_of(inner.targets[0]) for inner in walk(test) if isinstance(inner, ast.Assign)}
        if kept & {text_of(node.left), text_of(node.comparators[0])}:
            yield at.swap(node, f"{left} {TURNED[sign]} {right}", 0.95)


@cause("wrong_one")
def least_for_most(at: SeenError) -> Iterator[Built]:
    """`min` for `max`, and the other way round."""
    for node in own(at, ast.Call):
        name = text_of(node.func)
        if name in ("min", "max") and node.args:
            yield at.swap(node.func, "max" if name == "min" else "min", 0.7)


@cause("opposite", "rarely_for_often")
def the_other_way(at: SeenError) -> Iterator[Built]:
    """A comparison by size is turned round."""
    for node, left, sign, right in _pairs(at):
        if sign in TURNED:
            yield at.swap(node, f"{left} {TURNED[sign]} {right}", 0.7)


@cause("opposite")
def negated(at: SeenError) -> Iterator[Built]:
    """A test of a branch or of a result is turned into its opposite."""
    for one in own(at, ast.UnaryOp):
        if isinstance(one.op, ast.Not):
            yield at.swap(one, at.source.segment(one.operand), 0.85)
    for node, _, sign, _ in _pairs(at):
        if sign in ("==", "!=", "in", "not in"):
            yield at.swap(node, negate_code(at.source.segment(node)), 0.6)
    for test in _tests(at):
        if isinstance(test, ast.Name | ast.Attribute | ast.Call):
            yield at.swap(test, f"not {at.source.segment(test)}", 0.6)
    for result in own(at, ast.Return):
        if isinstance(result.value, ast.Constant) and isinstance(result.value.value, bool):
            yield at.swap(result.value, str(not result.value.value), 0.2)


@cause("boundary")
def one_off_at_boundary(at: SeenError) -> Iterator[Built]:
    """`<` for `<=`, and the other way round."""
    for node, left, sign, right in _pairs(at):
        if sign in OTHER_BOUND:
            yield at.swap(node, f"{left} {OTHER_BOUND[sign]} {right}", 0.7)


@cause("lets_bad_through", "always_true", "opposite", plain=0.98)
def never_both(at: SeenError) -> Iterator[Built]:
    """`x < 0 and x > 9`, which nothing is, and `x != "a" or x != "b"`, which all is."""
    for node in own(at, ast.BoolOp):
        if len(node.values) != 2 or not all(_is_single(value) for value in node.values):
            continue
        one, two = node.values
        assert isinstance(one, ast.Compare) and isinstance(two, ast.Compare)
        signs = {SIGNS[type(one.ops[0])], SIGNS[type(two.ops[0])]}
        if text_of(one.left) != text_of(two.left):
            continue
        both = isinstance(node.op, ast.And)
        empty = both and len(signs & {"<", "<="}) == 1 and len(signs & {">", ">="}) == 1 and _apart(one, two)
        if empty or (both and signs == {"=="}) or (not both and signs == {"!="}):
            joined = " or " if both else " and "
            yield at.swap(node, joined.join(at.source.segment(value) for value in node.values), 0.98)


def _is_single(node: ast.expr) -> bool:
    return isinstance(node, ast.Compare) and len(node.ops) == 1


def _apart(one: ast.Compare, two: ast.Compare) -> bool:
    """Whether no number is below the one and above the other bound."""
    low, high = (one, two) if isinstance(one.ops[0], ast.Lt | ast.LtE) else (two, one)
    try:
        return float(ast.literal_eval(low.comparators[0])) <= float(ast.literal_eval(high.comparators[0]))
    except (TypeError, ValueError):
        return text_of(low.comparators[0]).lower().endswith(("min", "low", "minimum", "start"))


@cause("always_true", plain=0.98)
def text_beside_or(at: SeenError) -> Iterator[Built]:
    """`x == "a" or "b"`, which is always true: `x in ("a", "b")`."""
    for node in own(at, ast.BoolOp):
        first, rest = node.values[0], node.values[1:]
        if isinstance(node.op, ast.Or) and _is_single(first) and all(map(_is_plain, rest)):
            assert isinstance(first, ast.Compare)
            if isinstance(first.ops[0], ast.Eq):
                shown = ", ".join(at.source.segment(one) for one in (first.comparators[0], *rest))
                yield at.swap(node, f"{at.source.segment(first.left)} in ({shown})", 0.98)


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and bool(node.value)


@cause("always_true", plain=0.9)
def not_called(at: SeenError) -> Iterator[Built]:
    """A method or function in a test that is not called."""
    every: list[ast.Attribute | ast.Name] = [*own(at, ast.Attribute), *own(at, ast.Name)]
    for node in every:
        name = node.attr if isinstance(node, ast.Attribute) else node.id
        parent = at.source.parents.get(node)
        tested = isinstance(parent, ast.BoolOp | ast.UnaryOp) or (
            isinstance(parent, _TESTING) and parent.test is node
        )
        if tested and not isinstance(node.ctx, ast.Store) and name not in _names_set(at):
            plain = [one for one in functions_here(at, name) if one.name == name]
            if any(_is_property(one) for one in plain):
                continue
            if plain and isinstance(node, ast.Attribute) == (at.source.class_of(plain[0]) is not None):
                high = at.source.span(node)[1]
                yield from changed(at, [(high, high, "()")], 0.95)


def _names_set(at: SeenError) -> set[str]:
    return {node.id for node in own(at, ast.Name) if isinstance(node.ctx, ast.Store)}


def _is_property(node: Function) -> bool:
    return any("property" in name for name in decorator_names(node))


@cause("zero_is_missing", plain=0.06)
def truth_for_none(at: SeenError) -> Iterator[Built]:
    """`if value:` and `value or default`, which leave out 0 and what is empty."""
    for test in _tests(at):
        inner = test.operand if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not) else test
        if isinstance(inner, ast.Name | ast.Attribute | ast.Subscript):
            negation = "" if inner is not test else "not "
            yield at.swap(test, f"{at.source.segment(inner)} is {negation}None", 0.85)
    for node in own(at, ast.BoolOp):
        if isinstance(node.op, ast.Or) and len(node.values) == 2 and isinstance(node.values[0], ast.Name):
            value, other = (at.source.segment(one) for one in node.values)
            yield at.swap(node, f"{value} if {value} is not None else {other}", 0.85)


@cause("zero_counts")
def none_for_truth(at: SeenError) -> Iterator[Built]:
    """`stock.get(name) is not None`, which holds for 0."""
    for node, left, _, _ in _pairs(at):
        if is_none(node.comparators[0]) and isinstance(node.ops[0], ast.IsNot | ast.NotEq):
            yield at.swap(node, f"bool({left})", 0.8)
    for node, left, sign, right in _pairs(at):
        if right == "0" and sign == ">=":
            yield at.swap(node, f"{left} > 0", 0.8)


@cause("case", plain=0.04)
def case_compared(at: SeenError) -> Iterator[Built]:
    """Texts are compared in lower case."""
    for node, left, sign, right in _pairs(at):
        other = node.comparators[0]
        if (
            sign not in ("==", "!=", "in", "not in")
            or is_none(other)
            or _is_number(other)
            or _is_number(node.left)
        ):
            continue
        if "lower()" in left + right or "casefold()" in left + right:
            yield from _other_side_too(at, node, left, right)
        elif sign in ("==", "!="):
            wanted = right.lower() if is_text(other) else f"{right}.lower()"
            yield at.swap(node, f"{left}.lower() {sign} {wanted}", 0.85)
        elif not isinstance(other, ast.Dict):
            yield at.swap(node, f"{left}.lower() {sign} {right}.lower()", 0.6)


def _other_side_too(at: SeenError, node: ast.Compare, left: str, right: str) -> Iterator[Built]:
    if not left.endswith("lower()") and not is_text(node.left):
        yield at.swap(node.left, f"{left}.lower()", 0.9)
    if not right.endswith("lower()") and not is_text(node.comparators[0]):
        yield at.swap(node.comparators[0], f"{right}.lower()", 0.9)


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and isinstance(node.value, int | float)


@cause("sometimes", plain=0.95)
def same_object(at: SeenError) -> Iterator[Built]:
    """`is` beside a literal."""
    for node, left, sign, right in _pairs(at):
        literal = [one for one in (node.left, node.comparators[0]) if isinstance(one, ast.Constant)]
        value = literal[0].value if literal else None
        if isinstance(node.ops[0], ast.Is | ast.IsNot) and isinstance(value, int | float | str | bytes):
            if isinstance(value, bool):
                continue
            yield at.swap(node, f"{left} {'==' if sign == 'is' else '!='} {right}", 0.98)


@cause("never_set", plain=0.97)
def compared_and_dropped(at: SeenError) -> Iterator[Built]:
    """`self.open == True` as a statement sets nothing."""
    for stmt in own(at, ast.Expr):
        node = stmt.value
        if isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.Eq) and len(node.ops) == 1:
            left, right = at.source.segment(node.left), at.source.segment(node.comparators[0])
            low, high = at.source.span(stmt)
            if isinstance(node.left, ast.Name | ast.Attribute | ast.Subscript):
                yield from changed(at, [(low, high, f"{left} = {right}")], 0.98)


@cause("overwritten_branch", plain=0.9)
def set_again_behind(at: SeenError) -> Iterator[Built]:
    """`if …: name = a`, and then `name = b` in any case: that belongs under `else`."""
    for test in own(at, ast.If):
        after, last = next(iter(at.source.following(test)), None), test.body[-1]
        if test.orelse or not isinstance(after, ast.Assign):
            continue
        same = isinstance(last, ast.Assign) and text_of(last.targets[0]) == text_of(after.targets[0])
        if same and text_of(after.targets[0]) not in names_in(after.value):
            source = at.source
            low, high = source.line_span(source.first_line(after), source.last_line(after))
            code = f"{source.indent(test)}else:{source.newline}"
            yield from changed(at, [(low, low, code + source.indent_unit), (high, high, "")], 0.95)
