"""Repairs of faults that are described by their effect: an index off by one, a missing key, a division by
zero, a loop that does not end."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.guard_sites import bindings
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import (
    HELD_OUT,
    CodeSlot,
    ExactSlot,
    NameSlot,
    Slot,
    SubTemplate,
    WordsSlot,
)

wording = table("wording/effects")

_TURNS = {">": ">=", ">=": ">", "<": "<=", "<=": "<"}
_SHORT = ast.Name | ast.Attribute | ast.Constant | ast.Call | ast.Subscript


def _naming_the_comparison(templates: tuple[str, ...]) -> tuple[str, ...]:
    """The templates that say what is compared, and all held-out ones, with loose phrases made definite."""
    at = templates.index(HELD_OUT)
    out = (*(t for t in templates[:at] if "{cmp}" in t or "{x}" in t), *templates[at:])
    for loose, named in wording["named"]:
        out = tuple(t.replace(loose, named) for t in out)
    return out


def _operator(window: SourceWindow, node: ast.Compare) -> tuple[int, int, str]:
    """The offsets of the only operator of a comparison."""
    first, last = window.span(node.left)[1], window.span(node.comparators[0])[0]
    between = window.text[first:last]
    sign = between.strip()
    at = first + between.index(sign) if sign else first
    return at, at + len(sign), sign


def _stops(body: list[ast.stmt]) -> bool:
    """Whether the branch refuses the input: it raises, or returns an empty or false value."""
    last = body[-1]
    if isinstance(last, ast.Raise | ast.Continue):
        return True
    return (
        isinstance(last, ast.Return)
        and isinstance(last.value, ast.Constant | None)
        and not (last.value and last.value.value)
    )


@kind("boundary", *wording["boundary"], needs=r" [<>]=? ", weight=4.0)
def boundary(window: SourceWindow, draw: Draw) -> Made | None:
    """Includes or excludes the limit of a comparison."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Compare) and len(n.ops) == 1]):
        left, right = node.left, node.comparators[0]
        whole, function = window.source(node), window.function_of(node)
        if (
            "\n" in whole
            or not isinstance(left, _SHORT)
            or not isinstance(right, _SHORT)
            or window.text.count(whole) != 1
        ):
            continue
        start, end, sign = _operator(window, node)
        x, y = window.source(left), window.source(right)
        if sign not in _TURNS or len(x) > 35 or len(y) > 25:
            continue
        parent = window.parents.get(node)
        if isinstance(left, ast.Constant):
            continue
        same = [
            n
            for n in window.nodes
            if isinstance(n, ast.Compare)
            and n is not node
            and {x, y} <= {window.source(n.left), *map(window.source, n.comparators)}
        ]
        if same:
            continue
        new = _TURNS[sign]
        widens = new in (">=", "<=")
        table = wording["reached"] if widens else wording["not_yet"]
        if isinstance(parent, ast.If) and parent.test is node and _stops(parent.body):
            table = wording["refused"] if widens else wording["allowed"]
        elif isinstance(parent, ast.While):
            table = wording["longer"] if widens else wording["shorter"]
        phrases = (wording["up"] if ">" in sign else wording["down"]) * widens + table
        slots: dict[str, Slot] = {
            "x": draw.slot(NameSlot(x), CodeSlot(x)),
            "y": draw.slot(ExactSlot(y), NameSlot(y)),
            "cmp": CodeSlot(whole),
            "f": fname(function) if function else WordsSlot("this"),
            **placed(inside(window, function, draw)),
        }
        scope = function or window.tree
        ordered = [
            n
            for n in ast.walk(scope)
            if isinstance(n, ast.Compare) and isinstance(n.ops[0], ast.Lt | ast.LtE | ast.Gt | ast.GtE)
        ]
        if len(ordered) > 1:
            phrases = _naming_the_comparison(phrases)
        if function is None:
            phrases = tuple(p for p in phrases if "{f}" not in p)
        return Made(window.text, window.text[:start] + new + window.text[end:], slots, phrases)
    return None


@kind("both_directions", *wording["both"], needs=r" [<>]=? ", weight=0.6)
def both_directions(window: SourceWindow, draw: Draw) -> Made | None:
    """Compares a difference without its sign."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Compare) and len(n.ops) == 1]):
        function, whole = window.function_of(node), window.source(node)
        if not isinstance(node.left, ast.Name | ast.BinOp) or "\n" in whole or window.text.count(whole) != 1:
            continue
        if isinstance(node.left, ast.BinOp) and not isinstance(node.left.op, ast.Sub):
            continue
        start, end = window.span(node.left)
        if _operator(window, node)[2] not in (">", ">="):
            continue
        slots: dict[str, Slot] = {
            "x": draw.slot(NameSlot(window.source(node.left)), CodeSlot(window.source(node.left))),
            "cmp": CodeSlot(whole),
            "y": ExactSlot(window.source(node.comparators[0])),
            **placed(inside(window, function, draw)),
        }
        after = f"{window.text[:start]}abs({window.text[start:end]}){window.text[end:]}"
        return Made(window.text, after, slots)
    return None


@kind("missing_key", *wording["missing_key"], needs=r"\w\[['\"]\w+['\"]\]", weight=2.0)
def missing_key(window: SourceWindow, draw: Draw) -> Made | None:
    """Looks up a key that may be missing without raising."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Subscript) and isinstance(n.ctx, ast.Load)]
    ):
        key, function = node.slice, window.function_of(node)
        if (
            not isinstance(key, ast.Constant)
            or not isinstance(key.value, str)
            or not isinstance(node.value, ast.Name | ast.Attribute)
        ):
            continue
        owner, said, whole = window.source(node.value), window.source(key), window.source(node)
        inside_text = isinstance(
            window.parents.get(node),
            ast.FormattedValue | ast.Delete | ast.Attribute | ast.Subscript | ast.Call | ast.Starred,
        ) and window.source(window.parents[node])[: len(whole)] in (whole, "")
        if (
            window.text.count(whole) != 1
            or inside_text
            or not re.fullmatch(r"[\w -]+", key.value)
            or owner == "os.environ"
        ):
            continue
        default = draw.choice(
            [
                "",
                "",
                "0",
                '""',
                "[]",
                "1",
                "False",
                "{}",
                f'"{draw.choice(draw.pools.strings)}"',
                '"unknown"',
                '"untitled"',
            ]
        )
        if re.search(r"[`\\{]", default) and default != "{}":
            continue
        start, end = window.span(node)
        new = f"{owner}.get({said}, {default})" if default else f"{owner}.get({said})"
        slots: dict[str, Slot] = {
            "k": draw.slot(
                ExactSlot(key.value), ExactSlot(key.value, quoted=True), ExactSlot(key.value, quoted=True)
            ),
            "key": ExactSlot(f"'{key.value}'"),
            "d": NameSlot(owner),
            "v": draw.slot(CodeSlot(default), ExactSlot(default)),
            "whole": CodeSlot(whole),
            "f": fname(function) if function else WordsSlot("it"),
            **placed(inside(window, function, draw)),
        }
        phrases = wording["missing_default"] if default else wording["missing_key"]
        return Made(window.text, window.text[:start] + new + window.text[end:], slots, phrases)
    return None


@kind("division_by_zero", *wording["division"], needs=r" / ", weight=1.2)
def division_by_zero(window: SourceWindow, draw: Draw) -> Made | None:
    """Guards a division by an argument, or by its length."""
    for function in draw.shuffled(window.functions):
        args, body = {a.arg for a in arguments(function)}, window.body_after_docstring(function)
        found = [n for n in ast.walk(function) if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
        if len(found) != 1 or not body or not window.own_lines(body[0]) or isinstance(body[0], ast.If):
            continue
        bottom = found[0].right
        rows = (
            isinstance(bottom, ast.Call)
            and window.source(bottom.func) == "len"
            and isinstance(bottom.args[0], ast.Name)
        )
        name = (
            window.source(bottom.args[0]) if rows and isinstance(bottom, ast.Call) else window.source(bottom)
        )
        source = ast.get_source_segment(window.text, body[-1]) or ""
        if name not in args or bindings(function, name) or not source.startswith("return "):
            continue
        result = draw.choice(["0", "0", "0", "None", "0.0", "1"])
        test = f"not {name}" if rows else f"{name} == 0"
        at, indent = window.starts[window.first_line(body[0]) - 1], window.indent(body[0])
        new = f"{indent}if {test}:\n{indent}    return {result}\n"
        empty = (
            ExactSlot(f"{function.name}([])")
            if rows and len(args) == 1
            else SubTemplate("{f}", {"f": fname(function)})
        )
        slots: dict[str, Slot] = {
            "f": fname(function),
            "x": NameSlot(name),
            "r": draw.slot(CodeSlot(result), ExactSlot(result)),
            "call": empty,
            **placed(inside(window, function, draw)),
        }
        return Made(
            window.text,
            window.text[:at] + new + window.text[at:],
            slots,
            wording["division_empty"] if rows else wording["division"],
        )
    return None


@kind("endless_loop", *wording["endless"], needs=r"(?m)^\s*while ", weight=0.7)
def endless_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Restores the statement that advances a while loop."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.While)]):
        last, function = node.body[-1], window.function_of(node)
        if (
            not isinstance(last, ast.AugAssign)
            or not isinstance(last.target, ast.Name)
            or len(node.body) < 2
            or not window.own_lines(last)
        ):
            continue
        name = last.target.id
        stores = sum(
            isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(node)
        )
        if (
            stores != 1
            or not re.search(rf"\b{name}\b", window.source(node.test))
            or not isinstance(last.value, ast.Constant)
        ):
            continue
        step = window.source(last.value)
        start, end = window.line_span(last.lineno, last.lineno)
        verb = "grow" if isinstance(last.op, ast.Add) else "shrink"
        slots: dict[str, Slot] = {
            "x": NameSlot(name),
            "n": ExactSlot(step),
            "line": CodeSlot(window.source(last)),
            "verb": WordsSlot(verb),
            "f": fname(function) if isinstance(function, Function) else WordsSlot("this"),
            **placed(inside(window, function, draw)),
        }
        phrases = wording["endless"] if (verb, step) == ("grow", "1") else wording["endless_step"]
        return Made(window.text[:start] + window.text[end:], window.text, slots, phrases)
    return None


@kind("first_and_last", *wording["range_end"], needs=r"(range|enumerate|randint)\(", weight=1.2)
def first_and_last(window: SourceWindow, draw: Draw) -> Made | None:
    """Corrects the first or last value of a range, described by its result."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name | ast.Attribute)]
    ):
        called, function, args = window.source(node.func), window.function_of(node), node.args
        if (
            node.keywords
            or any(isinstance(a, ast.Starred) for a in args)
            or window.text.count(f"{called}(") != 1
        ):
            continue
        if called == "range" and len(args) == 1 and draw.chance(0.6) and "\n" not in window.source(node):
            source, end = window.source(args[0]), window.span(args[0])[1]
            if source.startswith("len(") or isinstance(args[0], ast.Constant):
                continue
            new, phrases, at = " + 1", wording["range_end"], end
            if source.endswith(" - 1"):
                continue
            after = window.text[:at] + new + window.text[at:]
        elif called == "enumerate" and len(args) == 1:
            end = window.span(args[0])[1]
            loop = window.parents.get(node)
            if not isinstance(loop, ast.For | ast.comprehension):
                continue
            after, phrases = f"{window.text[:end]}, start=1{window.text[end:]}", wording["from_one"]
            source = window.source(args[0])
        elif (
            called in ("random.randint", "randint", "random.randrange", "randrange")
            and len(args) == 2
            and window.source(args[0]) in ("0", "1")
        ):
            start, end = window.span(args[0])
            new = "1" if window.source(args[0]) == "0" else "0"
            after, phrases = (
                window.text[:start] + new + window.text[end:],
                wording["drawn_from_one"] if new == "1" else wording["drawn_from_zero"],
            )
            source = window.source(args[1])
        else:
            continue
        slots: dict[str, Slot] = {
            "it": draw.slot(CodeSlot(source), ExactSlot(source)),
            "call": NameSlot(called, call=True),
            "f": fname(function) if function else WordsSlot("this"),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots, phrases)
    return None
