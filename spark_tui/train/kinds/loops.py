"""Loops: comprehensions and back, enumerate, any and all."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.branches import negated
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/flow")


def _loop_for(window: SourceWindow, node: ast.Assign, comp: ast.ListComp) -> list[str] | None:
    """The loop that is equivalent to a one-line list comprehension."""
    gen = comp.generators[0]
    if (
        len(comp.generators) != 1
        or gen.is_async
        or len(gen.ifs) > 1
        or not isinstance(node.targets[0], ast.Name)
    ):
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


@kind("loop_comprehension", *wording["to_comprehension"], needs=r"= \[[^\]\n]+ for ", weight=1.3)
def loop_comprehension(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n in window.nodes
        if isinstance(n, ast.Assign)
        and isinstance(n.value, ast.ListComp)
        and n.lineno == n.end_lineno
        and window.own_lines(n)
        and "#" not in window.lines[n.lineno - 1]
    ]
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
    where: Slot = inside(window, function, draw) if clear else WordsSlot(f" on line {line}")
    name = window.source(node.targets[0])
    slots: dict[str, Slot] = {
        "line": WordsSlot(f"line {line}"),
        "name": NameSlot(name),
        "n": ExactSlot(name),
        **placed(where),
    }
    if forward:
        return Made(text, window.text, slots)
    return Made(window.text, text, slots, wording["from_comprehension"])


@kind(
    "use_enumerate",
    *wording["enumerate"],
    needs=r"for \w+, \w+ in enumerate\(\w|for \w+ in [\w.]+:",
    weight=3.4,
)
def use_enumerate(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces an indexed or hand-counted loop by `enumerate`. The result is a loop of the window; one that
    does not count is given an index first."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For) and window.own_lines(n)]):
        head = window.lines[node.lineno - 1]
        match = _COUNTING.fullmatch(head) or (_PLAIN.fullmatch(head) if draw.chance(0.5) else None)
        last = window.last_line(node)
        if (
            not match
            or node.orelse
            or last - node.lineno > _LONGEST_LOOP
            or not window.own_lines(node.body[0])
        ):
            continue
        index, item, seq = (
            match.groups() if match.re is _COUNTING else (draw.choice(_INDEXES), *match.groups())
        )
        if match.re is _PLAIN and index in window.names:
            continue
        indent, inner = window.indent(node), window.indent(node.body[0])
        own = window.lines[node.lineno : last]
        indexed = f"{indent}for {index} in range(len({seq})):"
        form = draw.choice(["named", "aliased", "counted"])
        changed = {
            n.id
            for s in node.body
            for n in ast.walk(s)
            if isinstance(n, ast.Name) and not isinstance(n.ctx, ast.Load)
        }
        if index in changed or (form == "named" and item in changed) or index == "_":
            continue
        if form == "counted":
            if any(isinstance(n, ast.Continue) for s in node.body for n in ast.walk(s)) or window.text.count(
                index + " = "
            ):
                continue
            block = [f"{indent}{index} = 0", f"{indent}for {item} in {seq}:", *own, f"{inner}{index} += 1"]
        elif form == "aliased":
            block = [indexed, f"{inner}{item} = {seq}[{index}]", *own]
        else:
            renamed = _indexed(window, node, item, f"{seq}[{index}]")
            if renamed is None:
                continue
            block = [indexed, *renamed]
        before = [*window.lines[: node.lineno - 1], *block, *window.lines[last:]]
        new = [f"{indent}for {index}, {item} in enumerate({seq}):", *own]
        after = [*window.lines[: node.lineno - 1], *new, *window.lines[last:]]
        loops = sum(line.lstrip().startswith("for ") for line in before)
        at = node.lineno + (form == "counted")
        where = inside(window, window.function_of(node), draw) if loops == 1 else WordsSlot(f" on line {at}")
        slots: dict[str, Slot] = {
            "s": ExactSlot(seq),
            "i": ExactSlot(index),
            "v": ExactSlot(item),
            **placed(where),
        }
        return Made("\n".join(before) + "\n", "\n".join(after) + "\n", slots, _ENUMERATE[form])
    return None


_COUNTING = re.compile(r"\s*for (\w+), (\w+) in enumerate\((\w+(?:\.\w+)*)\):")
_PLAIN = re.compile(r"\s*for (\w+) in (\w+(?:\.\w+)*):")
_INDEXES = ("i", "i", "i", "index", "idx", "n", "k", "j", "number", "pos")
_LONGEST_LOOP = 8
_ENUMERATE = {
    "aliased": wording["enumerate"],
    "named": tuple(template.replace("ITEM", "{v}") for template in wording["enumerate_named"]),
    "counted": tuple(template.replace("ITEM", "{v}") for template in wording["enumerate_counted"]),
}


def _indexed(window: SourceWindow, loop: ast.For, item: str, text: str) -> list[str] | None:
    """The lines of the body with `text` for each use of the item, if the item is used nowhere else."""
    uses = [n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and n.id == item]
    total = len(re.findall(rf"\b{item}\b", window.text))
    if not 1 <= len(uses) <= 3 or total != len(uses) + 1:
        return None
    if any(isinstance(n, ast.JoinedStr) for s in loop.body for n in ast.walk(s)):
        return None
    spans = [window.span(n) for n in uses]
    start, end = window.line_span(loop.lineno + 1, window.last_line(loop))
    body = apply_changes(window.text[start:end], [(a - start, b - start, text) for a, b in spans])
    return body.split("\n")[:-1]


@kind(
    "any_all",
    *wording["any_all"],
    needs=r"return (any|all)\([^\n]* for |return [^\n]* for [^\n]* if "
    r"|return (True\n *return False|False\n *return True)\n",
    weight=1.2,
)
def any_all(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a loop by one expression. The window has the loop, or has the expression and the text before
    is given the loop."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.For | ast.Return)]):
        made = _loop_of(window, node, draw) if isinstance(node, ast.Return) else _any_of(window, node)
        if made is None:
            continue
        before, after, builtin, line = made
        loops = len(re.findall(r"(?m)^\s*for ", before))
        where = (
            inside(window, window.function_of(node), draw) if loops == 1 else WordsSlot(f" on line {line}")
        )
        return Made(before, after, {"fn": WordsSlot(builtin), **placed(where)})
    return None


def _loop_of(window: SourceWindow, node: ast.Return, draw: Draw) -> tuple[str, str, str, int] | None:
    """The text before and after, the builtin, and the line of the loop, for an expression or a comprehension
    with a condition."""
    if node.lineno != node.end_lineno or not window.own_lines(node) or "#" in window.lines[node.lineno - 1]:
        return None
    match = re.fullmatch(r"return (any|all)\((.+)\)", window.source(node))
    comps = [n for n in ast.walk(node) if isinstance(n, ast.GeneratorExp | ast.ListComp | ast.SetComp)]
    if len(comps) != 1 or len(comps[0].generators) != 1 or comps[0].generators[0].is_async:
        return None
    comp, gen, indent = comps[0], comps[0].generators[0], window.indent(node)
    builtin = match[1] if match else draw.choice(["any", "all"])
    if match is not None and (gen.ifs or not isinstance(node.value, ast.Call) or node.value.args != [comp]):
        return None
    if match is None and len(gen.ifs) != 1:
        return None
    condition = comp.elt if match else gen.ifs[0]
    if isinstance(condition, ast.NamedExpr) or (isinstance(condition, ast.BoolOp) and builtin == "all"):
        return None
    head = f"for {window.source(gen.target)} in {window.source(gen.iter)}"
    test = window.source(condition) if builtin == "any" else negated(window, condition)
    hit, miss = ("True", "False") if builtin == "any" else ("False", "True")
    block = [f"{head}:", f"    if {test}:", f"        return {hit}", f"return {miss}"]
    start, end = window.line_span(node.lineno, node.lineno)
    before = window.text[:start] + "".join(f"{indent}{line}\n" for line in block) + window.text[end:]
    new = f"{indent}return {builtin}({window.source(condition)} {head})\n"
    return before, window.text[:start] + new + window.text[end:], builtin, node.lineno


def _any_of(window: SourceWindow, node: ast.For) -> tuple[str, str, str, int] | None:
    """The same for a loop of the window."""
    block = next((block for found, block in window.statements() if found is node), [node])
    behind = block[block.index(node) + 1 :][:1]
    inner = node.body[0]
    if (
        len(node.body) != 1
        or node.orelse
        or not isinstance(inner, ast.If)
        or inner.orelse
        or len(inner.body) != 1
    ):
        return None
    told = [window.source(item) for item in (inner.body[0], *behind)]
    if told not in (["return True", "return False"], ["return False", "return True"]):
        return None
    builtin = "any" if told[0] == "return True" else "all"
    if isinstance(inner.test, ast.BoolOp) and builtin == "all":
        return None
    test = window.source(inner.test) if builtin == "any" else negated(window, inner.test)
    indent, first, last = window.indent(node), node.lineno, window.last_line(behind[0])
    new = f"{indent}return {builtin}({test} for {window.source(node.target)} in {window.source(node.iter)})"
    lines = window.lines[first - 1 : last]
    if "\n" in new or len(new) > _WIDEST or len(lines) != 4 or any("#" in line for line in lines):
        return None
    start, end = window.line_span(first, last)
    return window.text, window.text[:start] + new + "\n" + window.text[end:], builtin, first


_WIDEST = 100
