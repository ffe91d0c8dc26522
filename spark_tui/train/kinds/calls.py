"""Changes of one call among several: arguments swapped, added or dropped, an await, an option."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.settings_modules import made as readable
from spark_tui.train.settings_modules import with_main
from spark_tui.train.snippet_generator import call_snippet
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

wording = table("wording/calls")

_NTH = ("first", "second", "third", "fourth")
_ONE = ("the {f} call", "the call [to|of] {f}", "{f}", "the {f} line", "the call of {f}", "{f}")


def calls(window: SourceWindow) -> list[ast.Call]:
    """Calls of plain names that are on one line."""
    found = [n for n in window.nodes if isinstance(n, ast.Call) and n.lineno == n.end_lineno]
    return [
        n
        for n in found
        if re.fullmatch(r"[\w.]{2,40}", window.source(n.func)) and "f'" not in window.source(n)
    ]


def which(window: SourceWindow, call: ast.Call, draw: Draw) -> dict[str, Slot] | None:
    """Words that fit only this call: its name, its function, its position among similar calls, or its
    text."""
    name, function = window.source(call.func), window.function_of(call)
    same = sorted(
        (n for n in window.nodes if isinstance(n, ast.Call) and window.source(n.func) == name),
        key=lambda n: (n.lineno, n.col_offset),
    )
    near = [n for n in same if window.function_of(n) is function]
    shown: Slot = NameSlot(name, call=True)
    if len(same) == 1:
        where = inside(window, function, draw) if function is not None and draw.chance(0.4) else WordsSlot("")
        return {"c": SubTemplate(draw.choice(_ONE), {"f": shown}), "f": shown, **placed(where)}
    if (
        len(near) == 1
        and function is not None
        and sum(f.name == function.name for f in window.functions) == 1
    ):
        where = inside(window, function, draw)
        if not isinstance(where, WordsSlot):
            return {"c": SubTemplate(draw.choice(_ONE), {"f": shown}), "f": shown, **placed(where)}
    texts = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
    said = [
        w
        for text in texts
        for w in re.findall(r"[A-Za-z]{4,}", text)
        if sum(w in window.source(n) for n in same) == 1
    ]
    if said and draw.chance(0.6):
        form = draw.choice(
            [
                "the {f} that says {t}",
                "the {f} with {t}",
                "the {t} {f}",
                "the {f} of {t}",
                "the {t} message" if name == "print" else "the {f} with {t}",
            ]
        )
        return {
            "c": SubTemplate(form, {"f": shown, "t": ExactSlot(draw.choice(said), quoted=draw.chance(0.5))}),
            "f": shown,
            **placed(WordsSlot("")),
        }
    pool, inner = (near, function) if function is not None and len(near) < len(same) else (same, None)
    at = pool.index(call)
    if at >= len(_NTH):
        return None
    nth = "last" if at == len(pool) - 1 and draw.chance(0.5) else _NTH[at]
    form = draw.choice(["the {n} {f}", "the {n} {f} call", "the {n} call [to|of] {f}", "the {n} {f}"])
    where = inside(window, inner, draw) if inner is not None else WordsSlot("")
    if inner is not None and isinstance(where, WordsSlot):
        return None
    return {"c": SubTemplate(form, {"f": shown, "n": WordsSlot(nth)}), "f": shown, **placed(where)}


def _own_first(window: SourceWindow, found: list[ast.Call], draw: Draw) -> list[ast.Call]:
    """Calls with those of the file's own functions first."""
    own = {f.name for f in window.functions}
    return sorted(
        found, key=lambda n: draw.rng.random() - 0.5 * (window.source(n.func).split(".")[-1] in own)
    )


_FIXED_ORDER = frozenset(
    ["isinstance", "range", "open", "round", "setattr", "getattr", "hasattr", "issubclass"]
)


@kind("swap_call_values", *wording["swap"], needs=r"\w\([^()\n]+, ", weight=2.5)
def swap_call_values(window: SourceWindow, draw: Draw) -> Made | None:
    """Swaps two adjacent positional arguments."""
    window = with_main(window, draw.rng) if draw.chance(0.3) else window
    for call in _own_first(window, calls(window), draw):
        args = call.args
        if (
            len(args) < 2
            or window.source(call.func) in _FIXED_ORDER
            or any(isinstance(a, ast.Starred) for a in args)
        ):
            continue
        at = 0 if len(args) == 2 else draw.rng.randrange(len(args) - 1)
        first, second = args[at], args[at + 1]
        one, two = window.source(first), window.source(second)
        slots = which(window, call, draw)
        if one == two or slots is None or max(len(one), len(two)) > 40:
            continue
        after = apply_changes(window.text, [(*window.span(first), two), (*window.span(second), one)])
        phrases = tuple(t for t in wording["swap"] if len(args) == 2 or t.startswith("---") or "{a}" in t)
        return Made(window.text, after, {**slots, "a": CodeSlot(one), "b": CodeSlot(two)}, phrases)
    return None


_BEFORE_AWAIT = (
    ast.Expr,
    ast.Assign,
    ast.Return,
    ast.AugAssign,
    ast.keyword,
    ast.Call,
    ast.If,
    ast.Compare,
    ast.AnnAssign,
)


@kind("await_call", *wording["await"], needs=r"def \w+\(", weight=1.5)
def await_call(window: SourceWindow, draw: Draw) -> Made | None:
    """Awaits a call of a coroutine of the file. The caller is a coroutine, or is made one in the text
    before."""
    window = with_main(window, draw.rng)
    own = {f.name: f for f in window.functions if window.owner(f) is None}
    for call in draw.shuffled(calls(window)):
        name, caller = window.source(call.func), window.function_of(call)
        called = own.get(name)
        parent = window.parents[call]
        if (
            called is None
            or caller is None
            or caller is called
            or not isinstance(parent, _BEFORE_AWAIT)
            or window.owner(caller)
        ):
            continue
        if len(re.findall(rf"\b{name}\(", window.text)) != 2 or (
            isinstance(parent, ast.Call) and parent.func is call
        ):
            continue
        nested = [
            n
            for n in ast.walk(caller)
            if isinstance(n, Function | ast.Lambda | ast.ListComp | ast.GeneratorExp) and n is not caller
        ]
        if nested or any(
            isinstance(n, ast.Yield | ast.YieldFrom) for f in (called, caller) for n in ast.walk(f)
        ):
            continue
        heads = [
            (window.starts[f.lineno - 1] + f.col_offset, "async ")
            for f in (called, caller)
            if isinstance(f, ast.FunctionDef)
        ]
        before = apply_changes(window.text, [(at, at, new) for at, new in heads])
        start = window.span(call)[0]
        after = apply_changes(window.text, [(at, at, new) for at, new in [*heads, (start, "await ")]])
        shown: Slot = NameSlot(name, call=True)
        where = inside(window, caller, draw) if draw.chance(0.4) else WordsSlot("")
        slots: dict[str, Slot] = {
            "c": SubTemplate(draw.choice(_ONE), {"f": shown}),
            "f": shown,
            "n": ExactSlot(name),
            **placed(where),
        }
        return Made(before, after, slots)
    return None


@kind("add_to_call", *wording["add"], needs=r"\w\([^()\n]+\)", weight=2.5)
def add_to_call(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an argument at the end of a call."""
    window = with_main(window, draw.rng) if draw.chance(0.3) else window
    for call in _own_first(window, calls(window), draw):
        whole, function = window.source(call), window.function_of(call)
        if (
            not (call.args or call.keywords)
            or whole[-2] in ",*"
            or any(isinstance(a, ast.GeneratorExp | ast.Starred) for a in call.args)
            or any(k.arg is None for k in call.keywords)
        ):
            continue
        slots = which(window, call, draw)
        names = (
            [a.arg for a in function.args.args if a.arg not in ("self", "cls")]
            if function is not None
            else []
        )
        value = draw.choice(
            [
                *names,
                *names,
                str(draw.rng.randint(0, 500)),
                "True",
                "False",
                "None",
                f'"{draw.choice(draw.pools.variables)}"',
                draw.choice(draw.pools.variables),
            ]
        )
        if call.keywords or draw.chance(0.5):
            keyword = (
                value
                if value.isidentifier() and value[0].islower() and draw.chance(0.5)
                else draw.choice(draw.pools.variables)
            )
            value = f"{keyword}={value}"
            if any(k.arg == keyword for k in call.keywords):
                continue
        if slots is None or value in whole:
            continue
        end = window.span(call)[1] - 1
        return Made(
            window.text, window.text[:end] + f", {value}" + window.text[end:], {**slots, "v": CodeSlot(value)}
        )
    return None


@kind("drop_from_call", *wording["drop"], needs=r"\w\([^()\n]+, ", weight=1.5)
def drop_from_call(window: SourceWindow, draw: Draw) -> Made | None:
    """Removes an argument of a call."""
    for call in _own_first(window, calls(window), draw):
        nodes: list[ast.expr | ast.keyword] = sorted([*call.args, *call.keywords], key=lambda n: n.col_offset)
        slots = which(window, call, draw)
        if len(nodes) < 2 or slots is None:
            continue
        at = draw.rng.randrange(len(nodes))
        item = nodes[at]
        text = window.source(item)
        if (
            isinstance(item, ast.Starred)
            or len(text) > 40
            or [window.source(n) for n in nodes].count(text) > 1
            or text.startswith("**")
        ):
            continue
        start, end = (
            (window.span(nodes[at - 1])[1], window.span(item)[1])
            if at
            else (window.span(item)[0], window.span(nodes[1])[0])
        )
        if window.text[start:end].strip(", ") != text:
            continue
        shown = (
            CodeSlot(item.arg)
            if isinstance(item, ast.keyword) and item.arg and draw.chance(0.5)
            else CodeSlot(text)
        )
        return Made(window.text, window.text[:start] + window.text[end:], {**slots, "v": shown})
    return None


def with_calls(window: SourceWindow, draw: Draw) -> SourceWindow:
    """The window with a function added that has calls with options."""
    imports, body = call_snippet(draw.rng)
    names = set(re.findall(r"(?m)^(?:def|class) (\w+)", body))
    if names & window.names or ("__main__" in window.text and "\napp" in body):
        return window
    missing = "".join(line + "\n" for line in imports if line not in window.lines)
    text = window.text if "__main__" not in window.text else ""
    joined = (
        missing
        + ("\n\n" if missing and not window.text.startswith(("import", "from")) else "")
        + (text + "\n\n" if text else "")
        + body
        + "\n"
        + ("\n\n" + window.text if not text else "")
    )
    return readable(window, joined)


@kind("option_by_effect", *wording["option"], needs=r"def ", weight=5.0)
def option_by_effect(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds a keyword that the instruction does not name: pretty print the json, a 10s timeout, utf-8,
    stderr."""
    if draw.chance(0.75):
        window = with_calls(window, draw)
    found = [
        (call, row)
        for call in draw.shuffled([*calls(window)])
        for row in draw.shuffled(wording["effects"])
        if re.fullmatch(row[0], window.source(call.func))
    ]
    for call, (_, keyword, value, forms) in found:
        name, function = window.source(call.func), window.function_of(call)
        whole = window.source(call)
        known = {k.arg for k in call.keywords}
        bare = name in ("print", "sorted", "enumerate", "max", "min") and not call.args
        if (
            keyword in known
            or None in known
            or bare
            or whole[-2:] == ",)"
            or any(isinstance(a, ast.GeneratorExp) for a in call.args)
        ):
            continue
        mode = [a.value for a in call.args if isinstance(a, ast.Constant)][-1:]
        if (
            (name == "open" and mode and isinstance(mode[0], str) and "b" in mode[0])
            or (name == "enumerate" and len(call.args) > 1)
            or (name in ("max", "min") and len(call.args) != 1)
        ):
            continue
        if (
            (keyword == "newline" and not (mode == ["w"] or mode == ["a"]))
            or ("sys." in value and "import sys" not in window.text)
            or (value == "HEADERS" and "HEADERS" not in window.names)
        ):
            continue
        rivals = [
            n
            for n in calls(window)
            if n is not call
            and re.fullmatch(next(r[0] for r in wording["effects"] if r[3] is forms), window.source(n.func))
        ]
        near = [n for n in rivals if window.function_of(n) is function]
        where: Slot = WordsSlot("")
        if near:
            handler = [n for n in ast.walk(window.tree) if isinstance(n, ast.ExceptHandler)]
            inner = [n for h in handler for n in ast.walk(h)]
            if keyword != "file" or call not in inner or any(n in inner for n in rivals):
                continue
            forms = (
                "print the error to stderr",
                "send errors to stderr",
                "print errors on stderr",
                "put [errors|the error message] on stderr",
                "write the error [message|] to stderr",
                "let errors go to stderr",
            )
        elif rivals:
            where = inside(window, function, draw)
            if isinstance(where, WordsSlot):
                continue
        elif function is not None and draw.chance(0.35):
            where = inside(window, function, draw)
        number, port, text = (
            str(draw.choice([1, 2, 3, 4, 5, 8, 10, 15, 20, 30, 45, 60, 90, 120])),
            draw.choice(["8000", "8080", "5001", "3000", "9000", str(draw.rng.randint(1024, 9999))]),
            draw.choice(draw.pools.strings),
        )
        if keyword == "indent":
            number = draw.choice("2244138")
        new = (
            ", " if call.args or call.keywords else ""
        ) + f"{keyword}={value.replace('{n}', number).replace('{p}', port).replace('{t}', text)}"
        end = window.span(call)[1] - 1
        slots: dict[str, Slot] = {
            "w": SubTemplate(
                draw.choice(forms),
                {"n": ExactSlot(number), "p": ExactSlot(port), "q": ExactSlot(text, quoted=True)},
            ),
            "f": NameSlot(name, call=True),
            **placed(where),
        }
        return Made(window.text, window.text[:end] + new + window.text[end:], slots)
    return None
