"""Larger rewrites of one spot: sums, dead code, from-imports, dataclasses, a log line before the result."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.fields import fields_of, spelled_out
from spark_tui.train.kinds.places import placed
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Words
from spark_tui.train.windows import Change, Window, apply_changes
from spark_tui.train.wording.reworks import DEAD_LINE, DEAD_LINES, FROM_IMPORT, LOG_RESULT, SUM_LOOP, TO_DATACLASS


@kind(
    "sum_loop",
    *SUM_LOOP,
    needs=r"sum\([^\n]* for ",
    weight=0.7,
)
def sum_loop(window: Window, draw: Draw) -> Made | None:
    """The answer is the window; before it, a sum over a generator is a loop."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Return | ast.Assign) and n.lineno == n.end_lineno]
    ):
        call = node.value
        if (
            not isinstance(call, ast.Call)
            or window.source(call.func) != "sum"
            or len(call.args) != 1
            or not window.own_lines(node)
            or "#" in window.lines[node.lineno - 1]
        ):
            continue
        comp = call.args[0]
        if not isinstance(comp, ast.GeneratorExp) or len(comp.generators) != 1 or len(comp.generators[0].ifs) > 1:
            continue
        if isinstance(node, ast.Assign) and not isinstance(node.targets[0], ast.Name):
            continue
        gen, indent = comp.generators[0], window.indent(node)
        name = (
            window.source(node.targets[0])
            if isinstance(node, ast.Assign)
            else draw.choice(["total", "result", "count"])
        )
        if isinstance(node, ast.Return) and name in window.names:
            continue
        block = [f"{indent}{name} = 0", f"{indent}for {window.source(gen.target)} in {window.source(gen.iter)}:"]
        deeper = "    "
        if gen.ifs:
            block.append(f"{indent}    if {window.source(gen.ifs[0])}:")
            deeper = "        "
        block.append(f"{indent}{deeper}{name} += {window.source(comp.elt)}")
        block += [f"{indent}return {name}"] if isinstance(node, ast.Return) else []
        start, end = window.line_span(node.lineno, node.lineno)
        before = window.text[:start] + "\n".join(block) + "\n" + window.text[end:]
        loops = len(re.findall(r"(?m)^\s*for ", before))
        where: Slot = (
            inside(window, window.function_of(node), draw) if loops == 1 else Words(f" on line {node.lineno + 1}")
        )
        return Made(before, window.text, {"name": Name(name), **placed(where)})
    return None


@kind(
    "dead_code",
    *DEAD_LINE,
    needs=r"(?m)^\s+(return|raise)\b",
    weight=0.9,
)
def dead_code(window: Window, draw: Draw) -> Made | None:
    """Unreachable statements are sown first, so that the window as it was is the answer."""
    spots = [
        n
        for n, block in window.statements()
        if isinstance(n, ast.Return | ast.Raise) and n is block[-1] and window.function_of(n) and window.own_lines(n)
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
        before = window.text[:at] + "".join(window.indent(node) + line + "\n" for line in sown) + window.text[at:]
        stop = "return" if isinstance(node, ast.Return) else "raise"
        line = window.last_line(node) + 1
        alone = sum(isinstance(n, ast.Return | ast.Raise) for n in ast.walk(function)) == 1
        slots: dict[str, Slot] = {
            **placed(inside(window, function, draw)),
            "line": Words(f"line {line}"),
            "stop": Words(stop if alone else f"{stop} on line {window.first_line(node)}"),
        }
        phrases = DEAD_LINES if len(sown) > 1 else ()
        return Made(before, window.text, slots, phrases)
    return None


@kind(
    "from_import",
    *FROM_IMPORT,
    needs=r"(?m)^import \w+$",
    weight=0.9,
)
def from_import(window: Window, draw: Draw) -> Made | None:
    """Where a module is used for one of its names alone."""
    for node in draw.shuffled([n for n in window.tree.body if isinstance(n, ast.Import) and len(n.names) == 1]):
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
        if len(re.findall(rf"(?<!\.)\b{name}\b", window.text)):
            continue
        changes: list[Change] = [(*window.span(node), f"from {module} import {name}")]
        changes += [(window.span(n)[0], window.span(n)[1], name) for n in uses]
        return Made(window.text, apply_changes(window.text, changes), {"m": Exact(module), "n": Name(name)})
    return None


@kind(
    "to_dataclass",
    *TO_DATACLASS,
    needs=r"(?m)^ +\w+: \w|def __init__\(self, \w+",
    weight=0.8,
)
def to_dataclass(window: Window, draw: Draw) -> Made | None:
    """A constructor that does nothing but store its parameters becomes fields; or fields are spelled out first."""
    for node in draw.shuffled(window.classes):
        plain = not node.decorator_list and not node.keywords and not node.bases
        made = fields_of(window, node, draw) if plain else None
        made = made or spelled_out(window, node, draw)
        if made is not None:
            slots: dict[str, Slot] = {"c": Name(node.name), "d": Code("@dataclass")}
            return Made(*made, slots)
    return None


@kind(
    "log_result",
    *LOG_RESULT,
    needs=r"(?m)^\s+return \w",
    weight=0.8,
)
def log_result(window: Window, draw: Draw) -> Made | None:
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
        return Made(window.text, after, {"code": Code(code), "f": fname(function)})
    return None
