"""Larger rewrites of one spot: sums, dead code, from-imports, dataclasses, a log line before the result."""

from __future__ import annotations

import ast
import builtins
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.dataclass_fields import fields_of, spelled_out
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Change, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/reworks")


@kind(
    "sum_loop",
    *wording["sum_loop"],
    needs=r"sum\([^\n]* for | = 0\n *for |(= |return )\[[^\n]* for ",
    weight=0.4,
)
def sum_loop(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a loop by a sum. The window has the loop, or has a sum and the text before is given the
    loop."""
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Return | ast.Assign)]):
        found = _sum_of(window, node) or _adding_loop(window, node, draw)
        if found is None:
            continue
        before, after, name = found
        loops = len(re.findall(r"(?m)^\s*for ", before))
        line = WordsSlot(f" on line {node.lineno + 1}")
        where: Slot = inside(window, window.function_of(node), draw) if loops == 1 else line
        return Made(before, after, {"name": NameSlot(name), "n": ExactSlot(name), **placed(where)})
    return None


def _next(window: SourceWindow, node: ast.stmt) -> list[ast.stmt]:
    """The statements of a block after one of them."""
    block = next((block for found, block in window.statements() if found is node), [node])
    return block[block.index(node) + 1 :]


def _adding_loop(
    window: SourceWindow, node: ast.Return | ast.Assign, draw: Draw
) -> tuple[str, str, str] | None:
    """The text before and after and what is summed, for `sum(... for ...)` or a list comprehension."""
    comp = node.value
    if node.lineno != node.end_lineno or not window.own_lines(node) or "#" in window.lines[node.lineno - 1]:
        return None
    if isinstance(comp, ast.Call) and window.source(comp.func) == "sum" and len(comp.args) == 1:
        comp = comp.args[0]
    if not isinstance(comp, ast.GeneratorExp | ast.ListComp) or len(comp.generators) != 1:
        return None
    if len(comp.generators[0].ifs) > 1 or comp.generators[0].is_async:
        return None
    if isinstance(node, ast.Assign):
        name = window.source(node.targets[0])
        returned = [window.source(n) for n in _next(window, node)[:1]] == [f"return {name}"]
        if not isinstance(node.targets[0], ast.Name) or len(node.targets) > 1 or returned:
            return None
    else:
        name = draw.choice(["total", "result", "count", "amount", "size"])
        if name in window.names:
            return None
    gen, indent = comp.generators[0], window.indent(node)
    block = [f"{name} = 0", f"for {window.source(gen.target)} in {window.source(gen.iter)}:"]
    block += [f"    if {window.source(gen.ifs[0])}:"] if gen.ifs else []
    block.append(f"{'        ' if gen.ifs else '    '}{name} += {window.source(comp.elt)}")
    block += [f"return {name}"] if isinstance(node, ast.Return) else []
    start, end = window.line_span(node.lineno, node.lineno)
    before = window.text[:start] + "".join(f"{indent}{line}\n" for line in block) + window.text[end:]
    body = (
        window.source(comp)
        if window.text[window.span(comp)[0]] == "("
        else f"({window.source(comp)[1:-1].strip()})"
    )
    new = f"{indent}{'return' if isinstance(node, ast.Return) else f'{name} ='} sum{body}\n"
    return before, window.text[:start] + new + window.text[end:], name


def _sum_of(window: SourceWindow, node: ast.Return | ast.Assign) -> tuple[str, str, str] | None:
    """The same for a name that starts at zero and a loop that adds to it. The sum is returned if the next
    line returns the name."""
    behind = _next(window, node)[:2]
    if not isinstance(node, ast.Assign) or window.source(node.value) != "0" or not behind:
        return None
    name, loop = window.source(node.targets[0]), behind[0]
    if not isinstance(loop, ast.For) or loop.orelse or len(loop.body) != 1 or len(node.targets) != 1:
        return None
    inner: ast.stmt = loop.body[0]
    test = ""
    if isinstance(inner, ast.If) and not inner.orelse and len(inner.body) == 1:
        test = f" if {window.source(inner.test)}"
        inner = inner.body[0]
    if (
        not isinstance(inner, ast.AugAssign)
        or not isinstance(inner.op, ast.Add)
        or window.source(inner.target) != name
    ):
        return None
    returned = [window.source(n) for n in behind[1:]] == [f"return {name}"]
    last = window.last_line(behind[1] if returned else loop)
    head = "return" if returned else f"{name} ="
    value = (
        f"sum({window.source(inner.value)} for "
        f"{window.source(loop.target)} in {window.source(loop.iter)}{test})"
    )
    new = f"{window.indent(node)}{head} {value}"
    lines = window.lines[node.lineno - 1 : last]
    if (
        len(new) > _WIDEST
        or "\n" in new
        or len(lines) > 5
        or any("#" in line for line in lines)
        or node.lineno != loop.lineno - 1
    ):
        return None
    if not re.fullmatch(r"\w+", name) or re.search(rf"\b{name}\b", value):
        return None
    start, end = window.line_span(node.lineno, last)
    return window.text, window.text[:start] + new + "\n" + window.text[end:], name


_WIDEST = 100


@kind(
    "dead_code",
    *wording["dead_line"],
    needs=r"(?m)^\s+(return|raise)\b",
    weight=0.9,
)
def dead_code(window: SourceWindow, draw: Draw) -> Made | None:
    """Unreachable statements are added to the text before, so that the result is the original window."""
    spots = [
        n
        for n, block in window.statements()
        if isinstance(n, ast.Return | ast.Raise)
        and n is block[-1]
        and window.function_of(n)
        and window.own_lines(n)
    ]
    for node in draw.shuffled(spots):
        function = window.function_of(node)
        assert function is not None
        names = sorted({n.id for n in ast.walk(function) if isinstance(n, ast.Name)}) or ["value"]
        name = draw.choice(names)
        sown = draw.rng.sample(
            [
                f"print({name})",
                f"{name} = None",
                "return None",
                f"{draw.choice(draw.pools.functions)}({name})",
                "pass",
                f"del {name}",
            ],
            draw.rng.randint(1, 2),
        )
        at = window.starts[window.last_line(node)]
        before = (
            window.text[:at] + "".join(window.indent(node) + line + "\n" for line in sown) + window.text[at:]
        )
        stop = "return" if isinstance(node, ast.Return) else "raise"
        line = window.last_line(node) + 1
        alone = sum(isinstance(n, ast.Return | ast.Raise) for n in ast.walk(function)) == 1
        slots: dict[str, Slot] = {
            **placed(inside(window, function, draw)),
            "line": WordsSlot(f"line {line}"),
            "stop": WordsSlot(stop if alone else f"{stop} on line {window.first_line(node)}"),
        }
        phrases = wording["dead_lines"] if len(sown) > 1 else ()
        return Made(before, window.text, slots, phrases)
    return None


@kind(
    "from_import",
    *wording["from_import"],
    needs=r"(?m)^import \w+$",
    weight=0.9,
)
def from_import(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces `import m` by `from m import name`, if only one name of the module is used."""
    for node in draw.shuffled(
        [n for n in window.tree.body if isinstance(n, ast.Import) and len(n.names) == 1]
    ):
        module = node.names[0].name
        if node.names[0].asname or "." in module:
            continue
        uses = [
            n
            for n in window.nodes
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == module
        ]
        names = {n.attr for n in uses}
        total = len(re.findall(rf"\b{module}\b", window.text))
        if len(names) != 1 or total != len(uses) + 1 or len(uses) > 5:
            continue
        name = names.pop()
        if hasattr(builtins, name) or re.search(rf"(?<!\.)\b{name}\b", window.text):
            continue
        changes: list[Change] = [(*window.span(node), f"from {module} import {name}")]
        changes += [(window.span(n)[0], window.span(n)[1], name) for n in uses]
        return Made(
            window.text,
            apply_changes(window.text, changes),
            {"m": ExactSlot(module), "n": NameSlot(name), "u": NameSlot(f"{module}.{name}")},
        )
    return None


@kind(
    "to_dataclass",
    *wording["to_dataclass"],
    needs=r"(?m)^ +\w+: \w|def __init__\(self, \w+",
    weight=1.5,
)
def to_dataclass(window: SourceWindow, draw: Draw) -> Made | None:
    """Replaces a constructor that only stores its parameters by fields; fields are first written as a
    constructor."""
    for node in draw.shuffled(window.classes):
        plain = not node.decorator_list and not node.keywords and not node.bases
        made = fields_of(window, node, draw) if plain else None
        made = made or spelled_out(window, node, draw)
        if made is not None:
            slots: dict[str, Slot] = {"c": NameSlot(node.name), "d": CodeSlot("@dataclass")}
            return Made(*made, slots)
    return None


@kind(
    "log_result",
    *wording["log_result"],
    needs=r"(?m)^\s+return \w",
    weight=0.4,
)
def log_result(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        returns = [n for n in ast.walk(function) if isinstance(n, ast.Return)]
        if len(returns) != 1 or returns[0] is not function.body[-1] or not window.own_lines(returns[0]):
            continue
        node = returns[0]
        name = draw.choice(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["result"])
        level = draw.choice(["debug", "info", "warning"])
        target = draw.choice(["logger", "log", "logging", "self.logger"])
        code = draw.choice(
            [
                f'{target}.{level}("{name}: %s", {name})',
                f'{target}.{level}("done")',
                f"print({name})",
                f"{target}.{level}({name})",
            ]
        )
        at = window.starts[window.first_line(node) - 1]
        after = window.text[:at] + window.indent(node) + code + "\n" + window.text[at:]
        return Made(window.text, after, {"code": CodeSlot(code), "f": fname(function)})
    return None
