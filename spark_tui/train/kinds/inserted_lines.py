"""Inserted lines at a step of the code: before the return, in a loop, after a name is set, a missing
close."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.kinds.return_values import returns
from spark_tui.train.source_windows import Function, SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import HELD_OUT, CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate

wording = table("wording/inserts")

LOOPS = ast.For | ast.While | ast.AsyncFor


def seen(function: Function, line: int) -> list[str]:
    """Names that have a value before a line of the function."""
    names = {a.arg for a in arguments(function)}
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.lineno < line:
            names.add(node.id)
    return sorted(name for name in names - {"self", "cls"} if len(name) > 1)


def line_for(window: SourceWindow, function: Function, line: int, draw: Draw) -> tuple[str, SubTemplate]:
    """A statement that uses one of the names, and its wording: usually an imperative."""
    name = draw.choice(seen(function, line) or [""])
    logger = next(
        (
            n
            for n in ("logger", "log", "_logger", "LOG", "logging")
            if re.search(rf"(?m)^{n} = |^import {n}$", window.text)
        ),
        "",
    )
    calls = [
        n
        for n in ast.walk(window.tree)
        if isinstance(n, ast.Call)
        and isinstance(n.func, ast.Attribute)
        and isinstance(n.func.value, ast.Name)
        and n.func.value.id == "self"
    ]
    methods = sorted({n.func.attr for n in calls if isinstance(n.func, ast.Attribute)})
    owner = window.owner(function)
    text = draw.choice(draw.pools.strings)
    if re.search(r"['\"\\`{}%]", text) or " " not in text:
        text = draw.choice(
            ["all done", "we are done", "got here", "up to here", "it works", "one more", "still running"]
        )
    level = draw.choice(["info", "debug", "warning", "error"])
    slots: dict[str, Slot] = {
        "x": NameSlot(name),
        "m": ExactSlot(text, quoted=True),
        "level": ExactSlot(level),
    }
    options: list[tuple[str, tuple[str, ...]]] = [(f'print("{text}")', wording["print_text"])]
    if name:
        options += [
            (f"print({name})", wording["print"]),
            (f"print({name})", wording["print"]),
            (f'print("{text}", {name})', wording["print_both"]),
            (f"print(len({name}))", wording["print_length"]),
        ]
    if logger:
        options += [(f'{logger}.{level}("{text}")', wording["log_text"])] * 2
    if logger and name:
        options.append((f'{logger}.{level}("{text}: %s", {name})', wording["log_both"]))
    function_name = draw.choice(draw.pools.functions)
    others = [
        f.name
        for f in window.functions
        if f is not function and window.owner(f) is None and f.name != function.name
    ]
    if others and draw.chance(0.5):
        function_name = draw.choice(others)
    code = f"{function_name}()"
    if name:
        code = draw.choice(
            [f"{function_name}({name})", code, f"{name}.{code}", f"del {name}", f"assert {name}"]
        )
    if owner is not None and methods and draw.chance(0.5):
        code = f"self.{draw.choice(methods)}()"
    slots["code"] = draw.slot(CodeSlot(code), ExactSlot(code))
    options += [(code, wording["call"])] * 3
    if re.fullmatch(r"[\w.]+\(\)", code):
        slots["call"] = NameSlot(code.removesuffix("()"), call=True)
        options += [(code, wording["call_named"])] * 2
    line_text, said = draw.choice(options)
    return line_text, SubTemplate(draw.choice(said), slots)


def _places(window: SourceWindow, function: Function, draw: Draw) -> list[tuple[int, str, Slot]]:
    """Lines before which a statement can be inserted, with their wording and indentation."""
    body = window.body_after_docstring(function)
    out: list[tuple[int, str, Slot]] = []
    every = returns(function)
    if not body or not window.own_lines(body[0]):
        return []
    f = {"f": fname(function)}
    out.append(
        (window.first_line(body[0]), window.indent(body[0]), SubTemplate(draw.choice(wording["first"]), f))
    )
    last = body[-1]
    if isinstance(last, ast.Return) and len(every) == 1 and window.own_lines(last):
        out.append(
            (
                window.first_line(last),
                window.indent(last),
                SubTemplate(draw.choice(wording["before_return"]), f),
            )
        )
    if isinstance(last, ast.Return) and len(every) > 1 and window.own_lines(last):
        out.append(
            (
                window.first_line(last),
                window.indent(last),
                SubTemplate(draw.choice(wording["before_last_return"]), f),
            )
        )
    if not isinstance(last, ast.Return | ast.Raise | ast.If | ast.Try) and window.own_lines(last):
        out.append(
            (window.last_line(last) + 1, window.indent(last), SubTemplate(draw.choice(wording["at_end"]), f))
        )
    loops = [n for n in ast.walk(function) if isinstance(n, LOOPS)]
    if (
        len(loops) == 1
        and window.own_lines(loops[0])
        and window.own_lines(loops[0].body[0])
        and not loops[0].orelse
    ):
        loop = loops[0]
        head, tail = loop.body[0], loop.body[-1]
        out.append(
            (window.first_line(head), window.indent(head), SubTemplate(draw.choice(wording["loop_start"]), f))
        )
        if not isinstance(tail, ast.Return | ast.Raise | ast.Continue | ast.Break) and window.own_lines(tail):
            out.append(
                (
                    window.last_line(tail) + 1,
                    window.indent(tail),
                    SubTemplate(draw.choice(wording["loop_end"]), f),
                )
            )
        out.append(
            (
                window.last_line(loop) + 1,
                window.indent(loop),
                SubTemplate(draw.choice(wording["after_loop"]), f),
            )
        )
        out.append(
            (
                window.first_line(loop),
                window.indent(loop),
                SubTemplate(draw.choice(wording["before_loop"]), f),
            )
        )
    for node in ast.walk(function):
        if (
            isinstance(node, ast.Assign)
            and len(node.targets) == 1
            and isinstance(node.targets[0], ast.Name)
            and window.own_lines(node)
        ):
            name = node.targets[0].id
            if (
                sum(
                    isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store)
                    for n in ast.walk(function)
                )
                == 1
            ):
                out.append(
                    (
                        window.last_line(node) + 1,
                        window.indent(node),
                        SubTemplate(draw.choice(wording["after_set"]), {**f, "y": NameSlot(name)}),
                    )
                )
        if (
            isinstance(node, ast.With)
            and window.own_lines(node)
            and len([n for n in ast.walk(function) if isinstance(n, ast.With)]) == 1
            and not isinstance(node.body[-1], ast.Return | ast.Raise)
        ):
            out.append(
                (
                    window.last_line(node) + 1,
                    window.indent(node),
                    SubTemplate(draw.choice(wording["after_with"]), f),
                )
            )
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Call) and window.own_lines(node):
            call = window.source(node.value.func)
            if "\n" not in call and len(call) < 40 and window.source(function).count(f"{call}(") == 1:
                words, line = (
                    (wording["after_call"], window.last_line(node) + 1)
                    if draw.chance(0.6)
                    else (wording["before_call"], window.first_line(node))
                )
                out.append(
                    (
                        line,
                        window.indent(node),
                        SubTemplate(draw.choice(words), {**f, "y": NameSlot(call, call=True)}),
                    )
                )
    return out


_ORDER = re.compile(r"(?!\{|a |there |we |don't )")
_NAMED_ONLY = tuple(t for t in wording["insert"] if t == HELD_OUT or re.search(r"(?:^|[:,}>-] |\()\{do\}", t))
"""Templates that fit a statement instead of an order: "there should be x.close()"."""


@kind("insert_at_step", *wording["insert"], weight=7.0)
def insert_at_step(window: SourceWindow, draw: Draw) -> Made | None:
    """Inserts a line at a step of a function that is described in words."""
    for function in draw.shuffled(window.functions)[:5]:
        if sum(f.name == function.name for f in window.functions) > 1:
            continue
        found = _places(window, function, draw)
        if not found:
            continue
        line, indent, when = draw.choice(found)
        if line > 1 and window.lines[line - 2].lstrip().startswith("#"):
            continue
        new, do = line_for(window, function, line, draw)
        at = window.starts[line - 1]
        slots: dict[str, Slot] = {
            "do": do,
            "when": when,
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        phrases = wording["insert"] if _ORDER.match(do.template) else _NAMED_ONLY
        return Made(window.text, window.text[:at] + f"{indent}{new}\n" + window.text[at:], slots, phrases)
    return None


_OPENS = re.compile(
    r"(^|\.)(open|connect|socket|urlopen|cursor|Popen|popen|fdopen"
    r"|makefile|create_connection|Session|ZipFile|connection)$"
)


@kind(
    "missing_close",
    *wording["close"],
    needs=r"\.(close|commit|flush|join|release|quit|shutdown"
    r"|stop|disconnect)\(\)|= [\w.]*(open|connect|socket)\(",
    weight=1.5,
)
def missing_close(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a missing `close` or `commit`."""
    lines = [
        n
        for n, block in window.statements()
        if isinstance(n, ast.Expr)
        and len(block) > 1
        and re.fullmatch(
            r"[\w.]+\.(close|commit|flush|join|release|quit|shutdown|stop|disconnect)\(\)", window.source(n)
        )
        and window.own_lines(n)
    ]
    for node in draw.shuffled(lines):
        function, block = window.function_of(node), getattr(window.parents[node], "body", [])
        source = window.source(node)
        name, verb = source[:-2].rsplit(".", 1)
        if function is None or node not in block or name == "self":
            continue
        last = node is block[-1] or (block[-2:-1] == [node] and isinstance(block[-1], ast.Return))
        if window.source(function).count(source) != 1 or not last or window.parents[node] is not function:
            continue
        start, end = window.line_span(node.lineno, node.lineno)
        before = window.text[:start] + window.text[end:]
        slots: dict[str, Slot] = {
            "x": NameSlot(name),
            "verb": ExactSlot(verb),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        return Made(before, window.text, slots, wording["close"] if verb == "close" else wording["forgotten"])
    for function in draw.shuffled(window.functions):
        for opened in function.body:
            if (
                not isinstance(opened, ast.Assign)
                or not isinstance(opened.targets[0], ast.Name)
                or not isinstance(opened.value, ast.Call)
            ):
                continue
            name, last = opened.targets[0].id, function.body[-1]
            if (
                not _OPENS.search(window.source(opened.value.func))
                or f"{name}.close" in window.source(function)
                or opened is last
            ):
                continue
            leaves = isinstance(last, ast.Return)
            if (
                len(returns(function)) > (1 if leaves else 0)
                or not window.own_lines(last)
                or isinstance(last, ast.Raise)
            ):
                continue
            if leaves and re.search(rf"\b{name}\b", window.source(last)):
                continue
            at = (
                window.starts[window.first_line(last) - 1]
                if leaves
                else window.starts[window.last_line(last)]
            )
            after = window.text[:at] + f"{window.indent(last)}{name}.close()\n" + window.text[at:]
            slots = {
                "x": NameSlot(name),
                "verb": ExactSlot("close"),
                "f": fname(function),
                **placed(inside(window, function, draw)),
            }
            return Made(window.text, after, slots, wording["close"])
    return None
