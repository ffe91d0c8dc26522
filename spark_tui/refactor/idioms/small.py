"""Small rewrites of statements: get and setdefault for lookups, divmod, swaps, unpacking, default by `or`, suppress, prints to stderr.

Comes in: what is asked. Goes out: the places where it can be done. Must not know: which is meant.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from spark_tui.refactor.idioms.asking import Asked, Spot, way
from spark_tui.refactor.idioms.text import behind, has_comment, is_elif, outer, own_lines, replaced, same
from spark_tui.refactor.source import Source


def gets(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.nodes:
        if isinstance(node, ast.IfExp) and (made := _looked_up(src, node.test, node.body, node.orelse)):
            yield Spot(node, ((*src.span(node), made),), ("get", "in"))
        if (
            not isinstance(node, ast.If)
            or is_elif(src, node)
            or len(node.body) != 1
            or not own_lines(src, node)
            or has_comment(src, src.first_line(node), src.last_line(node))
        ):
            continue
        yield from _get_of_if(asked, node)


def _get_of_if(asked: Asked, node: ast.If) -> Iterator[Spot]:
    src = asked.src
    one, indent, first, last = node.body[0], src.indent(node), src.first_line(node), src.last_line(node)
    other = node.orelse[0] if len(node.orelse) == 1 else None
    after = behind(src, node)[:1]
    if other is None and not node.orelse and isinstance(one, ast.Return) and after and isinstance(after[0], ast.Return):
        other, last = after[0], src.last_line(after[0])
    if (
        isinstance(one, ast.Assign | ast.Return)
        and isinstance(other, type(one))
        and one.value
        and isinstance(other, ast.Assign | ast.Return)
        and other.value
    ):
        head, tail = (src.text[src.span(side)[0] : src.span(side.value)[0]] for side in (one, other) if side.value)
        made = _looked_up(src, node.test, one.value, other.value) if head == tail else ""
        if made:
            yield Spot(node, (replaced(src, first, last, [f"{indent}{head}{made}"]),), ("get", "in"), last)
    test = node.test
    if (
        node.orelse
        or not isinstance(test, ast.Compare)
        or len(test.ops) != 1
        or not isinstance(test.ops[0], ast.NotIn)
        or not isinstance(one, ast.Assign)
    ):
        return
    target = one.targets[0]
    if (
        not isinstance(target, ast.Subscript)
        or not same(target.value, test.comparators[0])
        or not same(target.slice, test.left)
        or not after
    ):
        return
    key, held, start = src.segment(test.left), src.segment(target.value), src.segment(one.value)
    step, last = after[0], src.last_line(after[0])
    if isinstance(step, ast.AugAssign) and same(step.target, target):
        sign = src.text[src.span(step.target)[1] : src.span(step.value)[0]].strip().rstrip("=")
        rows = [f"{indent}{src.segment(target)} = {held}.get({key}, {start}) {sign} {src.segment(step.value)}"]
        if "setdefault" in asked.text:
            rows = [f"{indent}{held}.setdefault({key}, {start})", *src.lines[src.first_line(step) : last]]
        yield Spot(node, (replaced(src, first, last, rows),), ("get", "if"), last)
    call = step.value if isinstance(step, ast.Expr) else None
    if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and same(call.func.value, target):
        a, b = src.span(call.func.value)[1], src.span(call)[1]
        yield Spot(
            node,
            (replaced(src, first, last, [f"{indent}{held}.setdefault({key}, {start}){src.text[a:b]}"]),),
            ("setdefault", "if"),
            last,
        )


def _looked_up(src: Source, test: ast.expr, there: ast.expr, missing: ast.expr) -> str:
    """`d.get(k, x)` for `d[k] if k in d else x`."""
    if not isinstance(test, ast.Compare) or len(test.ops) != 1 or not isinstance(test.ops[0], ast.In | ast.NotIn):
        return ""
    if isinstance(test.ops[0], ast.NotIn):
        there, missing = missing, there
    held = test.comparators[0]
    if not isinstance(there, ast.Subscript) or not same(there.value, held) or not same(there.slice, test.left):
        return ""
    default = "" if isinstance(missing, ast.Constant) and missing.value is None else f", {outer(src, missing)}"
    return f"{src.segment(held)}.get({src.segment(test.left)}{default})"


def divmods(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for one in src.statements:
        two = next(iter(behind(src, one)), None)
        if (
            not isinstance(one, ast.Assign)
            or not isinstance(two, ast.Assign)
            or not isinstance(one.value, ast.BinOp)
            or not isinstance(two.value, ast.BinOp)
        ):
            continue
        if (
            not same(one.value.left, two.value.left)
            or not same(one.value.right, two.value.right)
            or not own_lines(src, one)
            or not own_lines(src, two)
        ):
            continue
        ops = (type(one.value.op), type(two.value.op))
        a, b = src.segment(one.targets[0]), src.segment(two.targets[0])
        if ops == (ast.Mod, ast.FloorDiv):
            a, b = b, a
        elif ops != (ast.FloorDiv, ast.Mod):
            continue
        if same(one.targets[0], one.value.left):
            continue
        row = f"{src.indent(one)}{a}, {b} = divmod({src.segment(one.value.left)}, {src.segment(one.value.right)})"
        yield Spot(
            one, (replaced(src, src.first_line(one), src.last_line(two), [row]),), ("divmod", a, b), src.last_line(two)
        )


def swaps(asked: Asked) -> Iterator[Spot]:
    """`t = a; a = b; b = t`."""
    src = asked.src
    for one in src.statements:
        rest = behind(src, one)[:2]
        three = [one, *rest]
        if len(three) != 3 or not all(isinstance(part, ast.Assign) and len(part.targets) == 1 for part in three):
            continue
        pairs = [(part.targets[0], part.value) for part in three if isinstance(part, ast.Assign)]
        if same(pairs[0][1], pairs[1][0]) and same(pairs[1][1], pairs[2][0]) and same(pairs[2][1], pairs[0][0]):
            a, b = src.segment(pairs[1][0]), src.segment(pairs[1][1])
            yield Spot(
                one,
                (
                    replaced(
                        src, src.first_line(one), src.last_line(three[2]), [f"{src.indent(one)}{a}, {b} = {b}, {a}"]
                    ),
                ),
                ("tuple", src.segment(pairs[0][0])),
                src.last_line(three[2]),
            )


def unpacked(asked: Asked) -> Iterator[Spot]:
    """`a = t[0]` and `b = t[1]` behind it."""
    src, done = asked.src, set[ast.stmt]()
    for one in src.statements:
        if one in done:
            continue
        run: list[ast.Assign] = []
        held: ast.expr | None = None
        for part in (one, *behind(src, one)):
            if (
                not isinstance(part, ast.Assign)
                or len(part.targets) != 1
                or not isinstance(part.value, ast.Subscript)
                or not own_lines(src, part)
            ):
                break
            index = part.value.slice
            if (
                not isinstance(index, ast.Constant)
                or index.value != len(run)
                or isinstance(index.value, bool)
                or (held is not None and not same(held, part.value.value))
            ):
                break
            held = part.value.value
            run.append(part)
        if len(run) > 1 and held is not None:
            done |= set(run)
            names = ", ".join(src.segment(part.targets[0]) for part in run)
            last = src.last_line(run[-1])
            yield Spot(
                one,
                (replaced(src, src.first_line(one), last, [f"{src.indent(one)}{names} = {src.segment(held)}"]),),
                ("unpack",),
                last,
            )


def defaults(asked: Asked) -> Iterator[Spot]:
    """`if not x: x = y` as `x = x or y`."""
    src = asked.src
    for node in src.statements:
        if (
            isinstance(node, ast.If)
            and not node.orelse
            and len(node.body) == 1
            and own_lines(src, node)
            and not is_elif(src, node)
        ):
            one, test = node.body[0], node.test
            if (
                isinstance(one, ast.Assign)
                and isinstance(test, ast.UnaryOp)
                and isinstance(test.op, ast.Not)
                and same(test.operand, one.targets[0])
            ):
                name = src.segment(one.targets[0])
                yield Spot(
                    node,
                    (
                        replaced(
                            src,
                            src.first_line(node),
                            src.last_line(node),
                            [f"{src.indent(node)}{name} = {name} or {src.segment(one.value)}"],
                        ),
                    ),
                    (name, "or"),
                )


def suppressed(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.statements:
        if (
            not isinstance(node, ast.Try)
            or len(node.handlers) != 1
            or node.orelse
            or node.finalbody
            or not own_lines(src, node)
        ):
            continue
        handler = node.handlers[0]
        if handler.name or len(handler.body) != 1 or not isinstance(handler.body[0], ast.Pass):
            continue
        kind = handler.type
        what = (
            ", ".join(src.segment(one) for one in kind.elts)
            if isinstance(kind, ast.Tuple)
            else src.segment(kind)
            if kind
            else "Exception"
        )
        plain = any(
            isinstance(one, ast.Import) and any(alias.name == "contextlib" for alias in one.names)
            for one in src.statements
        )
        name = "contextlib.suppress" if plain else "suppress"
        row = f"{src.indent(node)}with {name}({what}):"
        first = src.first_line(node)
        body = list(src.lines[src.first_line(node.body[0]) : src.last_line(node.body[-1])])
        yield Spot(
            node,
            (replaced(src, first, src.last_line(node), [row, *body]),),
            ("suppress",),
            imports="" if plain else "from contextlib import suppress",
        )


def stderr(asked: Asked) -> Iterator[Spot]:
    src = asked.src
    for node in src.nodes:
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "print"
            and not any(one.arg == "file" for one in node.keywords)
        ):
            at = src.span(node)[1] - 1
            before = src.text[:at].rstrip()
            if node.lineno == node.end_lineno:
                more = (
                    "file=sys.stderr"
                    if before.endswith("(")
                    else ", file=sys.stderr"
                    if not before.endswith(",")
                    else " file=sys.stderr"
                )
                yield Spot(node, ((len(before), at, more),), ("print",), imports="import sys")


def walrus(asked: Asked) -> Iterator[Spot]:
    """`x = f()` and `if x:` behind it."""
    src = asked.src
    for one in src.statements:
        two = next(iter(behind(src, one)), None)
        if (
            not isinstance(one, ast.Assign)
            or not isinstance(two, ast.If)
            or len(one.targets) != 1
            or not isinstance(one.targets[0], ast.Name)
            or not own_lines(src, one)
        ):
            continue
        name = one.targets[0].id
        found = [part for part in ast.walk(two.test) if isinstance(part, ast.Name) and part.id == name]
        if len(found) != 1 or one.lineno != one.end_lineno:
            continue
        made = f"{name} := {src.segment(one.value)}"
        made = made if two.test is found[0] else f"({made})"
        yield Spot(
            one,
            (replaced(src, src.first_line(one), src.last_line(one), ()), (*src.span(found[0]), made)),
            (name,),
            src.last_line(two.test),
        )


_IF = "if else branch lookup lookups check dict dictionary key missing default instead with in not single line one"
WAYS = (
    way(r"\bget\b|\bsetdefault\b|\.get\b", gets, f"{_IF} get setdefault membership test value"),
    way(r"\bdivmod\b", divmods, "divmod call both one line quotient remainder two division modulo"),
    way(r"\b(?:swap|temp\w*|tuple|exchange)\b", swaps, "swap swapping exchange tuple assignment temp temporary tmp variable without unpacking values three lines one line pythonic simultaneous"),
    way(r"\bunpack\w*|destructur\w*|tuple assignment", unpacked, "unpack unpacks unpacking unpacked tuple assignment destructure destructuring index indices indexing into at once directly one line"),
    way(r"\bor\b", defaults, "or default if assign fallback x = one line short-circuit"),
    way(r"\bsuppress\b|\bsim105\b", suppressed, "suppress contextlib try except pass context manager with sim105 import swallow empty ignore ignoring"),
    way(r"\bstderr\b|standard error", stderr, "print prints printing printed stderr sys sys.stderr standard error output go goes send write to should import message messages errors warning warnings", together=False),
    way(r"\bwalrus\b|:=|assignment expression|named expression", walrus, "walrus operator assignment expression named if := condition inside combine"),
)  # fmt: skip
