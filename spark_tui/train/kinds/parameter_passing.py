"""Parameters that are passed on or fall back to an attribute, two keywords at once, caching, and a second
decorator."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.imports import insert_import
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, WordsSlot

wording = table("wording/handed")


def _open_signature(window: SourceWindow, function: Function) -> tuple[int, str] | None:
    """The offset for a new parameter and its separator; None for signatures with stars, types or several
    lines."""
    given = function.args
    if given.vararg or given.kwarg or given.kwonlyargs or any(a.annotation for a in arguments(function)):
        return None
    start = window.text.index("(", window.name_at(function)[1])
    last = max([start + 1, *(window.span(n)[1] for n in (*given.posonlyargs, *given.args, *given.defaults))])
    close = window.text.find(")", last)
    if (
        window.text[last:close].strip()
        or window.line_at(close) != function.lineno
        or (not given.args and close != last)
    ):
        return None
    return last, ", " if given.args else ""


def in_text(window: SourceWindow, node: ast.AST) -> bool:
    """Whether the node is inside an f-string, where positions are not exact."""
    at: ast.AST | None = node
    while at is not None:
        if isinstance(at, ast.JoinedStr):
            return True
        at = window.parents.get(at)
    return False


@kind("fall_back_to_attribute", *wording["fallback"], needs=r"self\.\w+", weight=1.5)
def fall_back_to_attribute(window: SourceWindow, draw: Draw) -> Made | None:
    """Lets a method take a value as a parameter, with the attribute as the fallback."""
    for method in draw.shuffled(
        [f for f in window.functions if window.owner(f) is not None and not f.name.startswith("__")]
    ):
        body, place = window.body_after_docstring(method), _open_signature(window, method)
        if (
            not body
            or place is None
            or method.decorator_list
            or not method.args.args
            or method.args.args[0].arg != "self"
            or not window.own_lines(body[0])
        ):
            continue
        reads = [
            n
            for n in ast.walk(method)
            if isinstance(n, ast.Attribute) and isinstance(n.value, ast.Name) and n.value.id == "self"
        ]
        inner = {n.id for n in ast.walk(method) if isinstance(n, ast.Name)} | {
            a.arg for a in ast.walk(method) if isinstance(a, ast.arg)
        }
        for node in draw.shuffled(reads):
            parent = window.parents[node]
            same = [n for n in reads if n.attr == node.attr]
            stored = re.search(rf"self\.{node.attr}(: [^\n=]+)? = ", window.text)
            if (
                len(same) != 1
                or not isinstance(node.ctx, ast.Load)
                or not stored
                or node.attr in inner
                or node.attr.startswith("_")
            ):
                continue
            if (
                isinstance(parent, ast.Attribute | ast.Subscript)
                or (isinstance(parent, ast.Call) and parent.func is node)
                or in_text(window, node)
            ):
                continue
            at, indent = window.starts[window.first_line(body[0]) - 1], window.indent(body[0])
            changes = [
                (place[0], place[0], f"{place[1]}{node.attr}=None"),
                (at, at, f"{indent}if {node.attr} is None:\n{indent}    {node.attr} = self.{node.attr}\n"),
                (*window.span(node), node.attr),
            ]
            slots: dict[str, Slot] = {
                "f": fname(method),
                "p": NameSlot(node.attr),
                "a": NameSlot(f"self.{node.attr}"),
            }
            return Made(window.text, apply_changes(window.text, changes), slots)
    return None


def _closable(window: SourceWindow, call: ast.Call) -> bool:
    """Whether a keyword can be added at the end of the call."""
    whole = window.source(call)
    return (
        call.lineno == call.end_lineno
        and whole[-2:] != ",)"
        and not any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in call.args)
        and not any(k.arg is None for k in call.keywords)
    )


_FLAGS = (
    "verbose",
    "force",
    "dry_run",
    "strict",
    "debug",
    "quiet",
    "recursive",
    "notify",
    "refresh",
    "silent",
    "timeout",
    "limit",
    "encoding",
    "sep",
    "retries",
    "user",
    "lang",
    "delay",
    "depth",
    "default",
    "prefix",
    "reverse",
)
_BUILT_IN = re.compile(
    r"(print|len|str|int|float|range|list|dict|set|tuple|isinstance|super|max|min|sum|sorted"
    r"|enumerate|zip|round|type|repr|abs|any|all|getattr|hasattr|ValueError|KeyError|\w+Error|input|iter"
    r"|next|map|filter|bool|Exception)"
)


@kind("hand_on", *wording["through"], needs=r"def \w+\([^)\n]*\):", weight=2.0)
def hand_on(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a parameter and passes it to a call."""
    for function in draw.shuffled(window.functions):
        place = _open_signature(window, function)
        found = [
            n
            for n in ast.walk(function)
            if isinstance(n, ast.Call) and _closable(window, n) and not in_text(window, n)
        ]
        if (
            place is None
            or function.decorator_list
            or (function.name.startswith("__") and function.name != "__init__")
        ):
            continue
        for call in draw.shuffled(found):
            name = window.source(call.func)
            if (
                not re.fullmatch(r"[\w.]{2,40}", name)
                or _BUILT_IN.fullmatch(name)
                or re.search(
                    r"\.(append|strip|lower|upper|items|keys|values|join|split|add|pop|extend"
                    r"|sort|write|read|close|startswith|endswith|format|replace|update)$",
                    name,
                )
            ):
                continue
            if sum(window.source(n.func) == name for n in found) != 1:
                continue
            flag = draw.choice(_FLAGS) if draw.chance(0.6) else draw.name(window.names)
            if flag in window.names:
                continue
            default = draw.choice(
                (
                    "None",
                    "False",
                    "True",
                    "False",
                    "None",
                    str(draw.rng.randint(0, 30)),
                    f'"{draw.choice(draw.pools.variables)}"',
                )
            )
            end = window.span(call)[1] - 1
            comma = ", " if call.args or call.keywords else ""
            changes = [
                (place[0], place[0], f"{place[1]}{flag}={default}"),
                (end, end, f"{comma}{flag}={flag}"),
            ]
            slots: dict[str, Slot] = {
                "f": fname(function),
                "c": NameSlot(name, call=True),
                "p": NameSlot(flag),
                "d": CodeSlot(default),
                "pd": CodeSlot(f"{flag}={default}"),
            }
            return Made(window.text, apply_changes(window.text, changes), slots)
    return None


@kind("keyword_pair", *wording["two"], needs=r"\w\([^()\n]+\)", weight=0.8)
def keyword_pair(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds two keywords at the end of a call, with the usual names of options, also to a decorator or a call
    at module level. `two_keywords` draws any names and says them apart from their values, as in the host and
    port of an app."""
    found = [
        n for n in window.nodes if isinstance(n, ast.Call) and _closable(window, n) and not in_text(window, n)
    ]
    outer = [n for n in found if window.function_of(n) is None or isinstance(window.parents[n], Function)]
    for call in [
        *draw.shuffled(outer)[: draw.choice((0, 2))],
        *draw.shuffled([n for n in found if n.keywords]),
        *draw.shuffled(found),
    ]:
        name, function = window.source(call.func), window.function_of(call)
        if (
            not re.fullmatch(r"[\w.]{2,40}", name)
            or _BUILT_IN.fullmatch(name)
            or not (call.args or call.keywords)
        ):
            continue
        scope = window.source(function) if function is not None and call not in outer else window.text
        where = (
            inside(window, function, draw) if function is not None and call not in outer else WordsSlot("")
        )
        calls = rf"(?<![\w.]){re.escape(name)}\("
        if len(re.findall(calls, scope)) != 1 or (
            isinstance(where, WordsSlot) and len(re.findall(calls, window.text)) != 1
        ):
            continue
        taken = {k.arg for k in call.keywords} | window.names
        values = [
            "True",
            "False",
            "None",
            str(draw.rng.randint(1, 90)),
            f'"{draw.choice(draw.pools.variables)}"',
            str(draw.rng.randint(1, 9) * 10),
            *([a.arg for a in arguments(function)] if function is not None and call not in outer else []),
        ]
        keys = [
            key
            for key in draw.shuffled([*_FLAGS, *(draw.name(window.names) for _ in range(3))])
            if key not in taken
        ][:2]
        if len(set(keys)) < 2:
            continue
        a, b = (f"{key}={draw.choice(values)}" for key in keys)
        end = window.span(call)[1] - 1
        slots: dict[str, Slot] = {
            "c": NameSlot(name, call=True),
            "a": CodeSlot(a),
            "b": CodeSlot(b),
            **placed(where),
        }
        return Made(window.text, window.text[:end] + f", {a}, {b}" + window.text[end:], slots)
    return None


@kind("cache_results", *wording["cache"], needs=r"(?m)^def \w+\(\w", weight=1.2)
def cache_results(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a decorator that caches results, and its import."""
    found = [
        f
        for f in window.functions
        if isinstance(f, ast.FunctionDef)
        and window.owner(f) is None
        and not f.decorator_list
        and arguments(f)
    ]
    found = [
        f
        for f in found
        if any(isinstance(n, ast.Return) and n.value is not None for n in ast.walk(f))
        and not f.name.startswith("test")
    ]
    if not found or "functools" in window.text or {"cache", "lru_cache"} & window.names:
        return None
    function = draw.choice(found)
    said = draw.choice(
        (
            "lru_cache(maxsize=None)",
            "cache",
            f"lru_cache(maxsize={draw.choice((16, 32, 64, 100, 128, 256, 500, 1000))})",
            "lru_cache",
            "cache",
        )
    )
    at = window.starts[window.first_line(function) - 1]
    decorated = SourceWindow(window.path, window.text[:at] + f"@{said}\n" + window.text[at:])
    after = insert_import(decorated, f"from functools import {said.split('(')[0]}")
    if after is None:
        return None
    return Made(
        window.text,
        after,
        {"f": fname(function), "d": draw.slot(CodeSlot(f"@{said}"), NameSlot(said), CodeSlot(said))},
    )


_DECORATORS = (
    "login_required",
    "timed",
    "cached",
    "retry(3)",
    "admin_only",
    "pytest.mark.slow",
    "transaction.atomic",
    "require_token",
    'limiter.limit("5/minute")',
    "log_calls",
    "csrf_exempt",
    "staff_required",
    "deprecated",
    "with_session",
    "synchronized",
)


@kind("second_decorator", *wording["second_inner"], needs=r"(?m)^\s*@", weight=1.3)
def second_decorator(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a second decorator, above or below the present ones."""
    for function in draw.shuffled([f for f in window.functions if f.decorator_list]):
        inner, indent = draw.chance(0.6), window.indent(function)
        other = function.decorator_list[-1 if inner else 0]
        name = window.source(other)
        said = draw.choice(_DECORATORS) if draw.chance(0.6) else draw.name(window.names)
        if "\n" in name or len(name) > 50 or said in window.text:
            continue
        line = other.end_lineno or other.lineno
        at = window.starts[line] if inner else window.starts[other.lineno - 1]
        if inner and not window.lines[line].lstrip().startswith(("def ", "async def ")):
            continue
        shown: Slot = draw.slot(
            CodeSlot(f"@{name}"), CodeSlot(f"@{name.split('(')[0]}"), ExactSlot(f"@{name.split('(')[0]}")
        )
        slots: dict[str, Slot] = {
            "f": fname(function),
            "d": draw.slot(CodeSlot(f"@{said}"), CodeSlot(f"@{said}"), NameSlot(said)),
            "other": shown,
        }
        phrases: tuple[str, ...] = wording["second_inner"] if inner else wording["second_outer"]
        if (
            sum(
                window.lines[n].strip().startswith(f"@{name.split('(')[0]}") for n in range(len(window.lines))
            )
            > 1
        ):
            phrases = tuple(p for p in phrases if "{f}" in p)
        return Made(window.text, window.text[:at] + f"{indent}@{said}\n" + window.text[at:], slots, phrases)
    return None
