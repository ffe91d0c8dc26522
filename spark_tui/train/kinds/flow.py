# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Loops: comprehensions and back, enumerate, any and all."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.branches import negated
from spark_tui.train.phrasing import Code, Name, Slot, Words
from spark_tui.train.windows import Window


def _loop_for(window: Window, node: ast.Assign, comp: ast.ListComp) -> list[str] | None:
    """The loop that a one-line list comprehension stands for."""
    gen = comp.generators[0]
    if len(comp.generators) != 1 or gen.is_async or len(gen.ifs) > 1 or not isinstance(node.targets[0], ast.Name):
        return None
    name, indent = node.targets[0].id, window.indent(node)
    out = [f"{indent}{name} = []", f"{indent}for {window.source(gen.target)} in {window.source(gen.iter)}:"]
    if gen.ifs:
        out += [
            f"{indent}    if {window.source(gen.ifs[0])}:",
            f"{indent}        {name}.append({window.source(comp.elt)})",
        ]
    else:
        out.append(f"{indent}    {name}.append({window.source(comp.elt)})")
    return out


_TO_COMP = (
    "use a [list|] comprehension{where}",
    "turn the [for |]loop{where} into a [list|] comprehension",
    "convert the loop [on|at] {line} to a list comprehension",
    "replace the [for |]loop{where} [with|by] a [list|] comprehension",
    "simplify the loop{where} to a comprehension",
    "build {name} with a [list|] comprehension{where}",
    "rewrite the loop that builds {name} as a list comprehension",
    "make {name} a [list|] comprehension",
    "the loop [on|at] {line} should be a comprehension",
)


_FROM_COMP = (
    "turn the [list|] comprehension{where} into a [for |]loop",
    "use a [plain|normal|for] loop instead of the comprehension{where}",
    "expand the [list|] comprehension [on|at] {line} into a loop",
    "build {name} with a [for |]loop{where}",
    "unroll the [list|] comprehension{where} into a loop",
    "write the comprehension{where} as a loop",
    "no comprehension for {name}, use a loop",
)


@kind("loop_comprehension", *_TO_COMP, needs=r"= \[[^\]\n]+ for ", weight=1.3)
def loop_comprehension(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n in window.nodes
        if isinstance(n, ast.Assign) and isinstance(n.value, ast.ListComp) and n.lineno == n.end_lineno and window.own_lines(n)
    ]  # fmt: skip
    if not found:
        return None
    node = draw.choice(found)
    assert isinstance(node.value, ast.ListComp)
    loop = _loop_for(window, node, node.value)
    if loop is None:
        return None
    start, end = window.line_span(node.lineno, node.lineno)
    text = window.text[:start] + "\n".join(loop) + "\n" + window.text[end:]
    function = window.function_of(node)
    forward = draw.chance(0.65)
    loops = len(re.findall(r"(?m)^\s*for ", text))
    clear = loops == 1 if forward else len(found) == 1
    line = node.lineno + 1 if forward else node.lineno
    where: Slot = inside(window, function, draw) if clear else Words(f" on line {line}")
    name = window.source(node.targets[0])
    slots: dict[str, Slot] = {"where": where, "line": Words(f"line {line}"), "name": Name(name)}
    if forward:
        return Made(text, window.text, slots, _TO_COMP)
    return Made(window.text, text, slots, _FROM_COMP)


@kind(
    "use_enumerate",
    "use enumerate{where}",
    "use enumerate instead of range(len({s})){where}",
    "replace range(len({s})) [with|by] enumerate{where}",
    "loop with enumerate{where}",
    "iterate [over {s} |]with enumerate{where}",
    "the loop{where} should use enumerate",
    "enumerate {s} instead of indexing[ it|]{where}",
    needs=r"for \w+, \w+ in enumerate\(\w",
    weight=0.7,
)
def use_enumerate(window: Window, draw: Draw) -> Made | None:
    """The answer is the window; before it, the loop counts and indexes."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For) and window.own_lines(n)]):
        head = window.lines[node.lineno - 1]
        match = re.fullmatch(r"\s*for (\w+), (\w+) in enumerate\((\w+(?:\.\w+)?)\):", head)
        if not match or len(re.findall(r"\benumerate\(", window.text)) != 1:
            continue
        index, item, seq = match.groups()
        spots = [n for s in node.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == item]
        used_after = len(re.findall(rf"\b{item}\b", window.text)) != len(spots) + 1
        if not spots or len(spots) > 4 or used_after or any(not isinstance(n.ctx, ast.Load) for n in spots):
            continue
        if any(isinstance(n, ast.JoinedStr) for s in node.body for n in ast.walk(s)):
            continue
        from spark_tui.train.windows import apply_changes

        start = window.starts[node.lineno - 1]
        indent = window.indent(node)
        changes = [(start, start + len(head), f"{indent}for {index} in range(len({seq})):")]
        changes += [(*window.span(n), f"{seq}[{index}]") for n in spots]
        return Made(
            apply_changes(window.text, changes),
            window.text,
            {"s": Words(seq), "where": inside(window, window.function_of(node), draw)},
            _ENUM(item),
        )
    return None


def _ENUM(item: str) -> tuple[str, ...]:  # noqa: N802
    return tuple(
        p.replace("ITEM", item)
        for p in (
            "use enumerate{where} with ITEM",
            "use enumerate instead of range(len({s})){where}, call the item ITEM",
            "replace range(len({s})) [with|by] enumerate{where} (ITEM)",
            "loop over {s} with enumerate{where}, ITEM [being|as] the item",
            "iterate with enumerate{where}, naming the element ITEM",
            "the loop{where} should use enumerate and ITEM",
        )
    )


@kind(
    "any_all",
    "use {fn}() {where}",
    "replace the loop{where} [with|by] {fn}()",
    "turn the loop{where} into a call [of|to] {fn}()",
    "simplify the loop{where} with {fn}",
    "the loop{where} is just {fn}()",
    "return {fn}(...) instead of looping{where}",
    needs=r"return (any|all)\([^\n]* for ",
    weight=0.7,
)
def any_all(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Return) and n.lineno == n.end_lineno and window.own_lines(n)]
    ):
        match = re.fullmatch(r"return (any|all)\((.+)\)", window.source(node))
        call = node.value
        if (
            not match
            or not isinstance(call, ast.Call)
            or len(call.args) != 1
            or not isinstance(call.args[0], ast.GeneratorExp)
        ):
            continue
        comp = call.args[0]
        gen = comp.generators[0]
        if len(comp.generators) != 1 or gen.ifs:
            continue
        indent = window.indent(node)
        test = window.source(comp.elt) if match[1] == "any" else negated(window, comp.elt)
        hit, miss = ("True", "False") if match[1] == "any" else ("False", "True")
        block = [f"{indent}for {window.source(gen.target)} in {window.source(gen.iter)}:", f"{indent}    if {test}:",
                 f"{indent}        return {hit}", f"{indent}return {miss}"]  # fmt: skip
        start, end = window.line_span(node.lineno, node.lineno)
        before = window.text[:start] + "\n".join(block) + "\n" + window.text[end:]
        loops = len(re.findall(r"(?m)^\s*for ", before))
        where: Slot = inside(window, window.function_of(node), draw) if loops == 1 else Words(f" on line {node.lineno}")
        return Made(before, window.text, {"fn": Words(match[1]), "where": where, "c": Code(match[1])})
    return None
