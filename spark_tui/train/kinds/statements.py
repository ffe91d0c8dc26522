"""Whole statements and blocks: delete, insert, replace, move."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/statements")

SIMPLE = (
    ast.Assign | ast.AugAssign | ast.AnnAssign | ast.Expr | ast.Assert | ast.Delete | ast.Raise | ast.Return
)


def simple(window: SourceWindow, *, removable: bool) -> list[ast.stmt]:
    """One-line statements that have their line to themselves; removing a `removable` one leaves a block that
    is not empty."""
    out: list[ast.stmt] = []
    for node, block in window.statements():
        if not isinstance(node, SIMPLE) or node.lineno != node.end_lineno or not window.own_lines(node):
            continue
        if removable and (len(block) < 2 or window.function_of(node) is None):
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            continue
        out.append(node)
    return out


def what_of(window: SourceWindow, node: ast.stmt, draw: Draw) -> Slot:
    """A statement named by its role, its text or its line."""
    source = window.lines[node.lineno - 1].strip()
    choices: list[Slot] = [at_line(window, node.lineno, draw), at_line(window, node.lineno, draw)]
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name | ast.Attribute):
        target = window.source(node.targets[0])
        if len(re.findall(rf"(?m)^\s*{re.escape(target)} = ", window.text)) == 1:
            choices.append(SubTemplate("the [assignment to|line that sets] {t}", {"t": NameSlot(target)}))
    call = node.value if isinstance(node, ast.Expr) else None
    if isinstance(call, ast.Call):
        name = window.source(call.func)
        if "\n" not in name and window.text.count(f"{name}(") == 1:
            choices.append(SubTemplate("the [call to {t}|{t} call]", {"t": NameSlot(name, call=True)}))
    if isinstance(node, ast.Assert) and window.text.count("assert ") == 1:
        choices.append(WordsSlot("the assert"))
    if isinstance(node, ast.Raise) and window.text.count("raise ") == 1:
        choices.append(WordsSlot("the raise"))
    if isinstance(node, ast.AugAssign):
        target = window.source(node.target)
        if len(re.findall(rf"(?m)^\s*{re.escape(target)} \S+= ", window.text)) == 1:
            choices.append(SubTemplate("the [line that updates|update of] {t}", {"t": NameSlot(target)}))
    choices += _by_place(window, node)
    return draw.choice(choices) if len(source) < 70 or draw.chance(0.7) else WordsSlot(f"line {node.lineno}")


_ONLY = {"return": "return", "assert": "assert", "raise": "raise", "print(": "print", "del ": "del"}


def _by_place(window: SourceWindow, node: ast.stmt) -> list[Slot]:
    """A statement as the first, the last or the only one of its type in its function."""
    function = window.function_of(node)
    if function is None or sum(item.name == function.name for item in window.functions) > 1:
        return []
    f = {"f": fname(function)}
    out: list[Slot] = []
    body = window.body_after_docstring(function)
    if len(body) > 1 and node is body[0]:
        out.append(SubTemplate("the [first|very first] [line|statement] [of|in] {f}", f))
    if len(body) > 1 and node is body[-1]:
        out.append(SubTemplate("the [last|very last|final] [line|statement] [of|in] {f}", f))
    source = window.lines[node.lineno - 1].strip()
    for head, noun in _ONLY.items():
        lines = window.lines[function.lineno - 1 : function.end_lineno]
        if source.startswith(head) and sum(line.strip().startswith(head) for line in lines) == 1:
            out.append(SubTemplate(f"the [only |]{noun} in {{f}}", f))
    return out


@kind(
    "delete_statement",
    *wording["delete_statement"],
    weight=1.0,
)
def delete_statement(window: SourceWindow, draw: Draw) -> Made | None:
    found = simple(window, removable=True)
    if not found:
        return None
    node = draw.choice(found)
    start, end = window.line_span(node.lineno, node.lineno)
    function = window.function_of(node)
    what = what_of(window, node, draw)
    told = isinstance(what, SubTemplate) and "f" in what.slots
    where = inside(window, function, draw) if draw.chance(0.3) and not told else WordsSlot("")
    slots: dict[str, Slot] = {"what": what, **placed(where)}
    return Made(window.text, window.text[:start] + window.text[end:], slots)


@kind(
    "delete_block",
    *wording["delete_block"],
    weight=0.5,
)
def delete_block(window: SourceWindow, draw: Draw) -> Made | None:
    found = []
    for node, block in window.statements():
        first, last = window.first_line(node), window.last_line(node)
        if (
            len(block) > 1
            and 0 < last - first < 15
            and window.own_lines(node)
            and isinstance(node, ast.If | ast.For | ast.While | ast.Try | ast.With | ast.Expr | ast.Assign)
        ):
            is_doc = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
            is_elif = isinstance(node, ast.If) and window.lines[first - 1].lstrip().startswith("elif")
            if not is_doc and not is_elif:
                found.append(node)
    if not found:
        return None
    node = draw.choice(found)
    first, last = window.first_line(node), window.last_line(node)
    start, end = window.line_span(first, last)
    names = {
        ast.If: "if [block|statement]",
        ast.For: "[for |]loop",
        ast.While: "[while |]loop",
        ast.Try: "try [block|statement]",
        ast.With: "with block",
    }
    block_name = names.get(type(node), "[statement|expression]")
    slots: dict[str, Slot] = {
        "a": ExactSlot(str(first)),
        "b": ExactSlot(str(last)),
        "block": SubTemplate(block_name),
    }
    return Made(window.text, window.text[:start] + window.text[end:], slots)


@kind("insert_line", *wording["insert_after"], weight=1.5)
def insert_statement(window: SourceWindow, draw: Draw) -> Made | None:
    """The wording decides the side, so the phrases are chosen here from the lists above."""
    found = simple(window, removable=False)
    found = [n for n in found if window.function_of(n) is not None]
    if not found:
        return None
    node = draw.choice(found)
    function = window.function_of(node)
    assert function is not None
    name = draw.choice(sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name)}) or ["value"])
    call = draw.choice(draw.pools.functions)
    new = draw.choice(
        [
            f"{draw.name(window.names)} = {draw.choice(['None', '0', '[]', '{}', 'True', name])}",
            f"{call}({name})",
            f"{call}()",
            f"print({name})",
            f"{name} = {call}({name})",
            f"assert {name} is not None",
            f"assert {name}",
            f"del {name}",
            f"self.{draw.choice(draw.pools.attributes)} = {name}",
            f"{name}.{call}()",
            f"{name} += 1",
            "import pdb; pdb.set_trace()",
            f"yield {name}",
            "return None",
            f"logger.debug({name})",
            f"time.sleep({draw.rng.randint(1, 5)})",
            "continue",
            "pass",
        ]
    )
    if new in ("continue", "return None") or (new.startswith("yield")):
        new = f"print({name})"
    side = draw.choice(["after", "before", "top", "end"])
    body = window.body_after_docstring(function)
    line, indent = node.lineno, window.indent(node)
    if side in ("top", "end") and (not body or not window.own_lines(body[0])):
        return None
    if side == "after" and isinstance(node, ast.Return | ast.Raise):
        side = "before"
    if side == "end" and isinstance(body[-1], ast.Return | ast.Raise | ast.Expr | ast.Assign) is False:
        return None
    if side == "end" and (isinstance(body[-1], ast.Return | ast.Raise)):
        return None
    if side == "top":
        line, indent = window.first_line(body[0]), window.indent(body[0])
    elif side == "end":
        line, indent = window.last_line(body[-1]) + 1, window.indent(body[-1])
    elif side == "after":
        line += 1
    at = window.starts[line - 1]
    after = window.text[:at] + indent + new + "\n" + window.text[at:]
    phrases = {
        "after": wording["insert_after"],
        "before": wording["insert_before"],
        "top": wording["insert_at_top"],
        "end": wording["insert_at_end"],
    }[side]
    return Made(
        window.text,
        after,
        {"new": CodeSlot(new), "what": what_of(window, node, draw), "f": fname(function)},
        phrases,
    )


@kind(
    "replace_statement",
    *wording["replace_statement"],
    weight=1.0,
)
def replace_statement(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in simple(window, removable=False)
        if window.function_of(n) is not None and not isinstance(n, ast.Return)
    ]
    if not found:
        return None
    node = draw.choice(found)
    names = sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["value"]
    name, call = draw.choice(names), draw.choice(draw.pools.functions)
    new = draw.choice(
        [
            f"{name} = {call}({draw.choice(names)})",
            f"{call}({name})",
            "pass",
            f"{name} = None",
            f"{name}.{call}()",
            "return",
            f"self.{draw.choice(draw.pools.attributes)} = {name}",
            f"return {name}",
            "raise NotImplementedError",
            f'raise ValueError("{draw.choice(draw.pools.strings)}")',
            f"{name} = {name}.{call}()",
        ]
    )
    start = window.starts[node.lineno - 1] + len(window.indent(node))
    end = window.starts[node.lineno] - 1
    after = window.text[:start] + new + window.text[end:]
    return (
        Made(window.text, after, {"what": what_of(window, node, draw), "new": CodeSlot(new)})
        if window.text != after
        else None
    )


@kind(
    "move_statement",
    *wording["move_statement"],
    weight=0.9,
)
def move_statement(window: SourceWindow, draw: Draw) -> Made | None:
    alone = {n.lineno: n for n in simple(window, removable=True) if not isinstance(n, ast.Return | ast.Raise)}
    pairs = [
        (n, alone[line + 1])
        for line, n in alone.items()
        if line + 1 in alone and window.parents[n] is window.parents[alone[line + 1]]
    ]
    pairs = [(a, b) for a, b in pairs if window.lines[a.lineno - 1] != window.lines[b.lineno - 1]]
    if not pairs:
        return None
    one, two = draw.choice(pairs)
    lines = list(window.lines)
    lines[one.lineno - 1], lines[two.lineno - 1] = lines[two.lineno - 1], lines[one.lineno - 1]
    slots: dict[str, Slot] = {
        "one": what_of(window, one, draw),
        "two": what_of(window, two, draw),
        "a": ExactSlot(str(one.lineno)),
        "b": ExactSlot(str(two.lineno)),
    }
    return Made(window.text, "\n".join(lines) + "\n", slots)
