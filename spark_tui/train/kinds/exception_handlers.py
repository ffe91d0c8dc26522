"""Exception handlers: around a named call, for one more exception, showing the error, with else, no longer
silent."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, fname, inside, kind
from spark_tui.train.kinds.place_position import placed
from spark_tui.train.source_windows import Function, SourceWindow, apply_changes
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import (
    HELD_OUT,
    CodeSlot,
    ExactSlot,
    NameSlot,
    Slot,
    SubTemplate,
    WordsSlot,
)

wording = table("wording/handlers")

ERRORS = (
    "Exception",
    "Exception",
    "Exception",
    "OSError",
    "ValueError",
    "KeyError",
    "TypeError",
    "FileNotFoundError",
    "RuntimeError",
    "ConnectionError",
    "TimeoutError",
    "AttributeError",
    "IndexError",
    "json.JSONDecodeError",
    "requests.RequestException",
    "sqlite3.Error",
    "ZeroDivisionError",
    "PermissionError",
    "UnicodeDecodeError",
    "subprocess.CalledProcessError",
)
_SAYS = re.compile(r"print\(([\"'])[^'\"\\%{]*\1\)")
BOUND = ("e", "e", "e", "exc", "err", "error", "ex")


def _logger(window: SourceWindow) -> str:
    return next(
        (
            n
            for n in ("logger", "log", "_logger", "LOG", "logging")
            if re.search(rf"(?m)^{n} = |^import {n}$", window.text)
        ),
        "",
    )


def does(
    window: SourceWindow, function: Function, loop: bool, draw: Draw, bound: str
) -> tuple[list[str], Slot, bool]:
    """The body of a handler, its wording as an order, and whether it needs the error's name."""
    logger = _logger(window)
    text = draw.choice(draw.pools.strings)
    if re.search(r"['\"\\`{}%]", text):
        text = "it failed"
    slots: dict[str, Slot] = {
        "m": ExactSlot(text, quoted=True),
        "e": draw.slot(ExactSlot(bound), WordsSlot("the error"), WordsSlot("the error")),
        "f": fname(function),
    }
    options: list[tuple[list[str], tuple[str, ...], bool]] = [
        ([f"print({bound})"], wording["print_error"], True),
        ([f"print({bound})"], wording["print_error"], True),
        ([f'print("{text}")'], wording["print_text"], False),
        ([f'print("{text}", {bound})'], wording["print_both"], True),
        ([f'print(f"{text}: {{{bound}}}")'], wording["print_fstring"], True),
        (["pass"], wording["ignore"], False),
        (["raise"], wording["again"], False),
        ([f'raise RuntimeError("{text}") from {bound}'], wording["raise_from"], True),
    ]
    if logger:
        options += [
            ([f'{logger}.exception("{text}")'], wording["log_exception"], False),
            ([f'{logger}.warning("{text}: %s", {bound})'], wording["log_both"], True),
            ([f"{logger}.error({bound})"], wording["log_error"], True),
        ]
    if loop:
        options += [(["continue"], wording["continue"], False)] * 3 + [
            ([f"print({bound})", "continue"], wording["print_continue"], True)
        ] * 2
    for value in ("None", "False", "[]", '""', "0", "{}"):
        if draw.chance(0.3):
            slots["r"] = draw.slot(CodeSlot(value), ExactSlot(value))
            options += [
                ([f"return {value}"], wording["return"], False),
                ([f"print({bound})", f"return {value}"], wording["print_return"], True),
            ]
            break
    if loop:
        options = [o for o in options if not o[0][-1].startswith("return")] or options
    lines, said, needs = draw.choice(options)
    return lines, SubTemplate(draw.choice(said), slots), needs


def _in_loop(window: SourceWindow, node: ast.AST, function: Function) -> bool:
    at = window.parents.get(node)
    while at is not None and at is not function:
        if isinstance(at, ast.For | ast.While | ast.AsyncFor):
            return True
        at = window.parents.get(at)
    return False


@kind("handle_call", *wording["handle"], needs=r"\w\(", weight=5.0)
def handle_call(window: SourceWindow, draw: Draw) -> Made | None:
    """Wraps a statement, named by its call, in a try whose handler uses the error."""
    found = []
    for node, _ in window.statements():
        if (
            not isinstance(node, ast.Assign | ast.Expr | ast.Return | ast.AugAssign)
            or not window.own_lines(node)
            or node.value is None
        ):
            continue
        function = window.function_of(node)
        inner = node.value.value if isinstance(node.value, ast.Await) else node.value
        if (
            not isinstance(inner, ast.Call)
            or function is None
            or isinstance(window.parents.get(node), ast.Try)
        ):
            continue
        call = window.source(inner.func)
        if (
            "\n" in window.source(node)
            or len(call) > 45
            or "\n" in call
            or window.text.count(f"{call}(") != 1
        ):
            continue
        found.append((node, function, call))
    if not found:
        return None
    node, function, call = draw.choice(found)
    loop = _in_loop(window, node, function)
    bound, error = draw.choice(BOUND), draw.choice(ERRORS)
    lines, do, needs = does(window, function, loop, draw, bound)
    indent, line = window.indent(node), window.lines[node.lineno - 1].strip()
    head = f"except {error} as {bound}:" if needs else f"except {error}:"
    new = [
        f"{indent}try:",
        f"{indent}    {line}",
        f"{indent}{head}",
        *(f"{indent}    {item}" for item in lines),
    ]
    start, end = window.line_span(node.lineno, node.lineno)
    ways: list[Slot] = [NameSlot(call, call=True) for _ in range(3)]
    ways += [
        SubTemplate("[the call to|the call of|calling] {t}", {"t": NameSlot(call, call=True)}),
        CodeSlot(line),
    ]
    err: Slot = draw.slot(NameSlot(error), ExactSlot(error))
    if needs:
        err = SubTemplate(
            draw.choice(
                ["{n} as {b}", "{n} as {b}", "{n} (as {b})"] if bound != "e" else ["{n}", "{n}", "{n} as {b}"]
            ),
            {"n": err, "b": ExactSlot(bound)},
        )
    slots: dict[str, Slot] = {
        "what": draw.choice(ways),
        "err": err,
        "do": do,
        "f": fname(function),
        **placed(inside(window, function, draw)),
    }
    phrases = wording["handle"]
    if loop and draw.chance(0.4):
        phrases = wording["handle_loop"]
    return Made(
        window.text,
        window.text[:start] + "".join(item + "\n" for item in new) + window.text[end:],
        slots,
        phrases,
    )


def alone(window: SourceWindow) -> list[tuple[ast.ExceptHandler, Function]]:
    """Handlers that are the only one of their function."""
    out = []
    for node in window.nodes:
        function = window.function_of(node) if isinstance(node, ast.ExceptHandler) else None
        if (
            isinstance(node, ast.ExceptHandler)
            and function is not None
            and sum(isinstance(n, ast.ExceptHandler) for n in ast.walk(function)) == 1
        ):
            out.append((node, function))
    return out


@kind("also_catch", *wording["also"], needs=r"except [\w.(]", weight=1.2)
def also_catch(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an exception to a handler."""
    for node, function in draw.shuffled(alone(window)):
        if node.type is None:
            continue
        old, (start, end) = window.source(node.type), window.span(node.type)
        new = draw.choice([e for e in ERRORS[3:] if e not in old])
        if old in ("Exception", "BaseException") or "\n" in old:
            continue
        if isinstance(node.type, ast.Tuple):
            if not old.endswith(")") or old.endswith(",)"):
                continue
            text = f"{old[:-1]}, {new})"
        else:
            text = f"({old}, {new})"
        slots: dict[str, Slot] = {
            "old": draw.slot(NameSlot(old), ExactSlot(old)),
            "new": NameSlot(new),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, window.text[:start] + text + window.text[end:], slots)
    return None


@kind(
    "show_error",
    *wording["show"],
    needs=r"except[^\n]*:\n\s+(pass|print|return|continue|raise|log)",
    weight=1.5,
)
def show_error(window: SourceWindow, draw: Draw) -> Made | None:
    """Makes a handler that ignores the error, or prints only a text, bind the error and show it."""
    for node, function in draw.shuffled(alone(window)):
        if (
            node.name is not None
            or node.type is None
            or not window.own_lines(node.body[0])
            or len(node.body) > 2
        ):
            continue
        bound = draw.choice([b for b in BOUND if b not in window.names] or ["exc"])
        head = window.span(node.type)[1]
        first = node.body[0]
        start, end = window.span(first)
        logger, indent = _logger(window), window.indent(first)
        slots: dict[str, Slot] = {
            "err": NameSlot(window.source(node.type)),
            "b": ExactSlot(bound),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        text = draw.choice(draw.pools.strings)
        if re.search(r"['\"\\`{}%]", text):
            text = "it failed"
        slots["m"] = ExactSlot(text, quoted=True)
        silent = isinstance(first, ast.Pass)
        changes = [(head, head, f" as {bound}")]
        phrases: tuple[str, ...] = wording["show"]
        if isinstance(first, ast.Expr) and _SAYS.fullmatch(window.source(first)) and draw.chance(0.7):
            phrases = wording["show_too"]
            changes.append((end - 1, end - 1, f", {bound}"))
        else:
            new, hidden = f"print({bound})", wording["unsilent"]
            if logger and draw.chance(0.6):
                new, phrases, hidden = (
                    f"{logger}.error({bound})",
                    wording["show_log_bound"],
                    wording["show_log_bound"],
                )
                if draw.chance(0.5):
                    new, phrases, hidden = (
                        f'{logger}.exception("{text}")',
                        wording["show_log"],
                        wording["unsilent_log"],
                    )
                    changes = []
            changes.append((start, end, new) if silent else (start, start, f"{new}\n{indent}"))
            if silent and draw.chance(0.6):
                phrases = tuple(p.replace("SILENT", draw.choice(wording["silent"])) for p in hidden)
        if bound != "e" and changes[0][0] == head:
            said = (", as {b}", " (as {b})", ", bound to {b}", " (call it {b})")
            phrases = tuple(p if p == HELD_OUT else p + draw.choice(said) for p in phrases)
        return Made(window.text, apply_changes(window.text, changes), slots, phrases)
    return None


@kind("try_else", *wording["else"], needs=r"try:", weight=0.7)
def try_else(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds an else or a finally with one statement to a try."""
    for node, function in draw.shuffled(alone(window)):
        parent = window.parents.get(node)
        if (
            not isinstance(parent, ast.Try)
            or parent.orelse
            or parent.finalbody
            or any(isinstance(n, ast.Return | ast.Raise | ast.Continue | ast.Break) for n in parent.body)
        ):
            continue
        name = draw.choice(
            sorted(
                {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
            )
            or ["self"]
        )
        code = draw.choice(
            [
                f"print({name})",
                'print("done")',
                f"{draw.choice(draw.pools.functions)}()",
                f"{draw.choice(draw.pools.functions)}({name})",
                "return True",
            ]
        )
        final = draw.chance(0.4) and not code.startswith("return")
        indent = window.indent(parent)
        if not window.own_lines(node.body[-1]):
            continue
        at = window.starts[window.last_line(parent)]
        after = (
            window.text[:at]
            + f"{indent}{'finally' if final else 'else'}:\n{indent}    {code}\n"
            + window.text[at:]
        )
        slots: dict[str, Slot] = {
            "code": draw.slot(CodeSlot(code), ExactSlot(code)),
            "f": fname(function),
            **placed(inside(window, function, draw)),
        }
        return Made(window.text, after, slots, wording["finally"] if final else wording["else"])
    return None
