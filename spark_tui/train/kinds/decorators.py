"""Decorators, static and class methods, async and back."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.source_windows import Change, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, NameSlot, Slot, WordsSlot

wording = table("wording/decorators")

_MOST_USES = 3
"""The most uses of `self` in a method that becomes a class method: each is another place to change."""


@kind(
    "add_decorator",
    *wording["decorate"],
    weight=0.55,
)
def add_decorator(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        owner = window.owner(function)
        args = [*function.args.posonlyargs, *function.args.args]
        if function.decorator_list:
            continue
        choices = [
            "functools.cache",
            "cache",
            "functools.lru_cache(maxsize=None)",
            "timed",
            "retry(3)",
            "deprecated",
            "override",
            draw.choice(draw.pools.functions),
            "typing.no_type_check",
            "contextmanager",
            "pytest.fixture",
            'app.route("/")',
        ]
        roles = {
            "cache": "cached function",
            "contextmanager": "context manager",
            "pytest.fixture": "pytest fixture",
        }
        if owner is not None and len(args) == 1 and args[0].arg == "self":
            choices += ["property"] * 6 + ["cached_property", "functools.cached_property"]
            roles |= {"property": "property", "cached_property": "cached property"}
        if owner is not None:
            choices += ["abstractmethod"] * 2
            roles |= {"abstractmethod": "abstract method"}
        name = draw.choice(choices)
        line = window.first_line(function)
        at = window.starts[line - 1]
        after = window.text[:at] + f"{window.indent(function)}@{name}\n" + window.text[at:]
        phrases: tuple[str, ...] = ()
        slots: dict[str, Slot] = {
            "d": draw.slot(CodeSlot(f"@{name}"), CodeSlot(f"@{name}"), NameSlot(name)),
            "f": fname(function),
        }
        if name in roles and draw.chance(0.6):
            slots["role"] = WordsSlot(roles[name])
            phrases = wording["effects"][name] if draw.chance(0.4) else wording["role"]
        return Made(window.text, after, slots, phrases)
    return None


@kind(
    "make_static",
    *wording["kind_of_method"],
    needs=r"(?m)^class ",
    weight=1.3,
)
def make_static(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        if window.owner(function) is None or function.decorator_list or function.name.startswith("__"):
            continue
        args = function.args.args
        if not args or args[0].arg != "self":
            continue
        uses = [n for n in ast.walk(function) if isinstance(n, ast.Name) and n.id == "self"]
        start, end = window.span(args[0])
        line = window.starts[function.lineno - 1]
        indent = window.indent(function)
        own: tuple[str, ...] = wording["static"]
        if uses:
            in_text = any(isinstance(n, ast.JoinedStr) for n in ast.walk(function))
            if in_text or len(uses) > _MOST_USES or not draw.chance(0.5):
                continue
            changes: list[Change] = [(line, line, f"{indent}@classmethod\n"), (start, end, "cls")]
            changes += [(*window.span(n), "cls") for n in uses]
            role, own = draw.choice(["classmethod", "class method"]), wording["class_method"]
        else:
            if window.text[end : end + 2] == ", ":
                end += 2
            changes = [(line, line, f"{indent}@staticmethod\n"), (start, end, "")]
            role = draw.choice(["staticmethod", "static method", "static method"])
        return Made(
            window.text,
            apply_changes(window.text, changes),
            {"f": fname(function), "role": WordsSlot(role)},
            wording["kind_of_method"] if draw.chance(0.5) else own,
        )
    return None


@kind(
    "remove_decorator",
    *wording["undecorate"],
    needs=r"(?m)^\s*@",
    weight=0.5,
)
def remove_decorator(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        if not function.decorator_list:
            continue
        node = draw.choice(function.decorator_list)
        if node.lineno != node.end_lineno:
            continue
        start, end = window.line_span(node.lineno, node.lineno)
        source = window.source(node)
        slots: dict[str, Slot] = {
            "d": CodeSlot("@" + source) if draw.chance(0.7) else NameSlot(source),
            "f": fname(function),
        }
        return Made(window.text, window.text[:start] + window.text[end:], slots)
    return None


@kind(
    "to_async",
    *wording["async"],
    weight=0.5,
)
def to_async(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes `def` an `async def` if nothing in view calls it, or the reverse if nothing is awaited."""
    for function in draw.shuffled(window.functions):
        if len(re.findall(rf"\b{function.name}\b", window.text)) != 1 or function.name.startswith("__"):
            continue
        at = window.offset(function.lineno, function.col_offset)
        slots: dict[str, Slot] = {"f": fname(function)}
        if isinstance(function, ast.FunctionDef):
            if any(isinstance(n, ast.Yield | ast.YieldFrom) for n in ast.walk(function)):
                continue
            return Made(window.text, window.text[:at] + "async " + window.text[at:], slots)
        inner = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.AsyncFor | ast.AsyncWith)
            or (isinstance(n, ast.comprehension) and n.is_async)
        ]
        awaits = [n for n in ast.walk(function) if isinstance(n, ast.Await)]
        if inner or len(awaits) > 4:
            continue
        changes: list[Change] = [(at, at + 6, "")]
        changes += [(window.span(n)[0], window.span(n)[0] + 6, "") for n in awaits]
        return Made(window.text, apply_changes(window.text, changes), slots, wording["sync"])
    return None


@kind(
    "add_await",
    *wording["await"],
    needs=r"await ",
    weight=1.0,
)
def add_await(window: SourceWindow, draw: Draw) -> Made | None:
    """The result is the window; one await is removed from the text before."""
    for node in draw.shuffled(
        [n for n in window.nodes if isinstance(n, ast.Await) and isinstance(n.value, ast.Call)]
    ):
        assert isinstance(node.value, ast.Call)
        name = window.source(node.value.func)
        start, _ = window.span(node)
        if (
            "\n" in name
            or window.text.count(f"{name}(") != 1
            or isinstance(window.parents.get(node), ast.Attribute)
        ):
            continue
        before = window.text[:start] + window.text[start + 6 :]
        slots: dict[str, Slot] = {
            "call": NameSlot(name, call=True),
            "where": inside(window, window.function_of(node), draw),
            "line": WordsSlot(f"line {node.lineno}"),
            "l": at_line(window, node.lineno, draw),
        }
        return Made(before, window.text, slots)
    return None
