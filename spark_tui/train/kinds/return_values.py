"""Returns of functions that have several: chosen by branch, with status codes, at the end, as one
condition."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/outcomes")

_VALUES = ("None", "False", "True", "[]", "{}", "0", '""', "-1", "1")
_NAMED = {
    "[]": "an empty list",
    "{}": "an empty dict",
    '""': "an empty string",
    "0": "zero",
    "True": "true",
    "False": "false",
}
CODES = (200, 201, 202, 204, 400, 401, 403, 404, 405, 409, 410, 422, 429, 500, 502, 503)


def shown(value: str, draw: Draw) -> Slot:
    """A value as code, as bare text, or in words."""
    if value in _NAMED and draw.chance(0.35):
        return WordsSlot(_NAMED[value])
    return draw.slot(CodeSlot(value), ExactSlot(value))


def returns(function: Function) -> list[ast.Return]:
    """The returns of the function itself, in order."""
    out: list[ast.Return] = []
    waiting: list[ast.AST] = list(reversed(function.body))
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Return):
            out.append(node)
        if not isinstance(node, Function | ast.ClassDef | ast.Lambda):
            waiting += reversed(list(ast.iter_child_nodes(node)))
    return out


def roles(
    window: SourceWindow, function: Function, node: ast.Return, every: list[ast.Return], draw: Draw
) -> Slot | None:
    """Words for when this return happens that fit no other return of the function."""
    parent = window.parents.get(node)
    forms: list[Slot] = []
    if parent is function and node is function.body[-1] and len(every) > 1:
        forms.append(SubTemplate(draw.choice(wording["at_end"])))
    if (
        isinstance(parent, ast.ExceptHandler)
        and sum(isinstance(window.parents.get(n), ast.ExceptHandler) for n in every) == 1
    ):
        forms.append(SubTemplate(draw.choice(wording["on_error"])))
        if isinstance(parent.type, ast.Name):
            forms.append(SubTemplate(draw.choice(wording["on_named"]), {"e": NameSlot(parent.type.id)}))
    if isinstance(parent, ast.If):
        test = window.source(parent.test)
        same = [
            n
            for n in every
            if isinstance(p := window.parents.get(n), ast.If) and window.source(p.test) == test
        ]
        if len(test) > 60 or "\n" in test or len(same) != 1:
            return forms[0] if forms else None
        if node in parent.orelse:
            forms.append(SubTemplate("[when|if] not {c}", {"c": CodeSlot(test)}))
            return draw.choice(forms)
        forms.append(SubTemplate("[when|if|in case|whenever] {c}", {"c": CodeSlot(test)}))
        forms += _said(window, parent.test, draw) * 3
    return draw.choice(forms) if forms else None


def _said(window: SourceWindow, test: ast.expr, draw: Draw) -> list[Slot]:
    """A simple condition in words."""
    if (
        isinstance(test, ast.UnaryOp)
        and isinstance(test.op, ast.Not)
        and isinstance(test.operand, ast.Name | ast.Attribute)
    ):
        return [SubTemplate(draw.choice(wording["when_empty"]), {"x": NameSlot(window.source(test.operand))})]
    if isinstance(test, ast.Name | ast.Attribute):
        return [SubTemplate(draw.choice(wording["when_true"]), {"x": NameSlot(window.source(test))})]
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        said = wording["when"].get(type(test.ops[0]).__name__)
        left, right = window.source(test.left), window.source(test.comparators[0])
        if right == "None":
            said = wording["when_none"].get(type(test.ops[0]).__name__)
        if said and len(left) < 30 and len(right) < 30:
            return [
                SubTemplate(
                    draw.choice(said),
                    {
                        "x": draw.slot(NameSlot(left), CodeSlot(left)),
                        "y": draw.slot(ExactSlot(right), CodeSlot(right)),
                    },
                )
            ]
    return []


@kind("change_outcome", *wording["outcome"], needs=r"return[^\n]*\n(?s:.*)return", weight=5.5)
def change_outcome(window: SourceWindow, draw: Draw) -> Made | None:
    """Changes the value that one branch returns. With status codes, the code follows each value in the text
    before."""
    for function in draw.shuffled(window.functions):
        every = returns(function)
        if len(every) < 2 or sum(f.name == function.name for f in window.functions) > 1:
            continue
        node = draw.choice(every)
        when = roles(window, function, node, every, draw)
        source = window.source(node)
        if when is None or "\n" in source or any("\n" in window.source(n) for n in every):
            continue
        slots: dict[str, Slot] = {
            "f": fname(function),
            "when": when,
            **placed(inside(window, function, draw)),
        }
        if draw.chance(0.4) and all(
            n.value is not None and not isinstance(n.value, ast.Tuple) for n in every
        ):
            return _codes(window, node, every, slots, draw)
        old = window.source(node.value) if node.value is not None else ""
        pick = [v for v in _VALUES if v != old]
        args = arguments(function)
        new = draw.choice([*pick, *(a.arg for a in args[:1]), f'"{draw.choice(draw.pools.strings)}"'])
        if re.search(r"[`\\]", new) or new == old:
            continue
        slots["new"] = shown(new, draw) if not new.startswith('"') or new == '""' else ExactSlot(new)
        slots["old"] = shown(old or "None", draw)
        start, end = window.span(node)
        phrases = wording["outcome_old"] if len(old) < 30 and draw.chance(0.3) else wording["outcome"]
        return Made(window.text, window.text[:start] + f"return {new}" + window.text[end:], slots, phrases)
    return None


def _codes(
    window: SourceWindow, node: ast.Return, every: list[ast.Return], slots: dict[str, Slot], draw: Draw
) -> Made | None:
    """Adds a status code, or changes one."""
    new = draw.choice(CODES)
    adds = draw.chance(0.4)
    before, after = [], []
    for item in every:
        assert item.value is not None
        end = window.span(item.value)[1]
        old = draw.choice([code for code in CODES if code != new])
        if adds:
            if draw.chance(0.5) and item is not node:
                before.append((end, end, f", {old}"))
                after.append((end, end, f", {old}"))
        else:
            before.append((end, end, f", {old}"))
            after.append((end, end, f", {new if item is node else old}"))
        if item is node:
            slots["old"] = ExactSlot(str(old))
            if adds:
                after.append((end, end, f", {new}"))
    slots["new"] = ExactSlot(str(new))
    phrases = wording["add_code"] if adds else wording["change_code"]
    return Made(apply_changes(window.text, before), apply_changes(window.text, after), slots, phrases)


@kind("fallback_return", *wording["fallback"], needs=r"(?m)^        +return ", weight=1.5)
def fallback_return(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a return at the end of a function that may end without one."""
    for function in draw.shuffled(window.functions):
        every = returns(function)
        last = function.body[-1]
        before = window.text
        if function.name == "__init__" or sum(f.name == function.name for f in window.functions) > 1:
            continue
        if (
            isinstance(last, ast.Return)
            and len(function.body) > 1
            and isinstance(last.value, ast.Constant | ast.List | ast.Dict)
            and window.own_lines(last)
        ):
            if len(every) < 2 or isinstance(function.body[-2], ast.Return | ast.Raise):
                continue
            start, end = window.line_span(last.lineno, last.end_lineno or last.lineno)
            before, at, indent = window.text[:start] + window.text[end:], start, window.indent(last)
        elif isinstance(last, ast.If | ast.For | ast.While | ast.Try | ast.With) and any(
            n.value is not None for n in every
        ):
            if (
                isinstance(last, ast.If)
                and last.orelse
                and isinstance(last.orelse[-1], ast.Return | ast.Raise)
                and isinstance(last.body[-1], ast.Return | ast.Raise)
            ):
                continue
            if isinstance(last, ast.With | ast.Try) or not window.own_lines(last):
                continue
            at, indent = window.starts[window.last_line(last)], window.indent(last)
        else:
            continue
        new = draw.choice(["False", "False", "None", "None", "[]", "0", "-1", '""', "True", "{}"])
        slots: dict[str, Slot] = {
            "f": fname(function),
            "new": shown(new, draw),
            "when": SubTemplate(draw.choice(wording["nothing"])),
            **placed(inside(window, function, draw)),
        }
        phrases = (
            tuple(p for p in wording["fallback"] if "None" not in p) if new == "None" else wording["fallback"]
        )
        return Made(before, before[:at] + f"{indent}return {new}\n" + before[at:], slots, phrases)
    return None


_OPPOSITE = {
    "==": "!=",
    "!=": "==",
    "is": "is not",
    "is not": "is",
    "in": "not in",
    "not in": "in",
    "<": ">=",
    ">": "<=",
    "<=": ">",
    ">=": "<",
}


def _negated(test: str, node: ast.expr, window: SourceWindow) -> str:
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = window.source(node.left), window.source(node.comparators[0])
        operator = test[len(left) : len(test) - len(right)].strip()
        if operator in _OPPOSITE and test.startswith(left) and test.endswith(right):
            return f"{left} {_OPPOSITE[operator]} {right}"
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return window.source(node.operand)
    return f"not ({test})" if isinstance(node, ast.BoolOp) else f"not {test}"


@kind(
    "return_condition",
    *wording["return_condition"],
    needs=r"return [^\n]*( == | != | > | < | in | is |not )|return (True|False)",
    weight=1.5,
)
def return_condition(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces `if c: return True` and `return False` by `return c`."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Return) and n.value is not None]):
        test, function = node.value, window.function_of(node)
        assert test is not None
        source = window.source(test)
        boolean = isinstance(test, ast.Compare) or (
            isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        )
        if isinstance(test, ast.BoolOp):
            boolean = all(isinstance(v, ast.Compare) for v in test.values)
        if (
            not boolean
            or function is None
            or "\n" in source
            or len(source) > 70
            or not window.own_lines(node)
        ):
            continue
        indent, swapped = window.indent(node), draw.chance(0.3)
        asked = _negated(source, test, window) if swapped else source
        if (
            isinstance(test, ast.UnaryOp)
            and swapped
            and not isinstance(test.operand, ast.Name | ast.Call | ast.Attribute)
        ):
            continue
        yes, no = ("False", "True") if swapped else ("True", "False")
        if draw.chance(0.6):
            old = f"{indent}if {asked}:\n{indent}    return {yes}\n{indent}else:\n{indent}    return {no}\n"
        else:
            old = f"{indent}if {asked}:\n{indent}    return {yes}\n{indent}return {no}\n"
        if isinstance(test, ast.UnaryOp) and swapped and isinstance(test.operand, ast.Name | ast.Attribute):
            continue
        start, end = window.line_span(node.lineno, node.lineno)
        slots: dict[str, Slot] = {
            "f": fname(function),
            "c": CodeSlot(asked),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text[:start] + old + window.text[end:], window.text, slots)
    return None
