"""Checks and failures: guard clauses, try/except, raise from, finally, retries."""

from __future__ import annotations

import ast
import re
from typing import NamedTuple

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.source_windows import SourceWindow, arguments
from spark_tui.train.tables import table
from spark_tui.train.template_grammar import CodeSlot, ExactSlot, NameSlot, Slot, SubTemplate, WordsSlot

_TABLES = table("tables/guards")

failures = table("wording/failures")
guards = table("wording/guards")

_ERRORS = ("ValueError", "TypeError", "RuntimeError", "KeyError", "AssertionError")
_CATCH: tuple[str, ...] = _TABLES["catch"]
_FAULTS: tuple[str, ...] = _TABLES["faults"]


class Check(NamedTuple):
    """A condition in code, its wording, the wording of its opposite, and the wording of a wrong value."""

    code: str
    cond: str
    ok: str
    bad: str


_CHECKS = tuple(Check(**row) for row in _TABLES["checks"])


@kind(
    "add_guard",
    *guards["add_guard"],
    weight=0.9,
)
def add_guard(window: SourceWindow, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args = arguments(function)
        body = window.body_after_docstring(function)
        if not args or not body or not window.own_lines(body[0]):
            continue
        a = draw.choice(args).arg
        number = draw.choice([0, 0, 0, 1, 10, 100])
        size = number or 2
        of = draw.choice(["str", "int", "list", "dict", "bytes"])
        known: dict[str, Slot] = {
            "a": ExactSlot(a),
            "n": ExactSlot(str(number)),
            "size": ExactSlot(str(size)),
            "of": ExactSlot(of),
            "a_of": ExactSlot(f"{'an' if of == 'int' else 'a'} {of}"),
        }
        check = draw.choice(_CHECKS)
        code = check.code.format(a=a, n=number, size=size, of=of)
        error = draw.choice(_ERRORS)
        first = body[0]
        at, indent = window.starts[window.first_line(first) - 1], window.indent(first)
        slots: dict[str, Slot] = {
            "f": fname(function),
            "err": draw.slot(NameSlot(error), ExactSlot(error)),
            "a": NameSlot(a),
            "ok": SubTemplate(check.ok, known),
            "bad": SubTemplate(check.bad, known),
            "cond": draw.slot(SubTemplate(check.cond, known), SubTemplate(check.cond, known), CodeSlot(code)),
        }
        phrases: tuple[str, ...] = ()
        roll = draw.rng.random()
        if roll < 0.3:
            result = draw.choice(["None", "None", "False", "True", "[]", "0", a, '""', "{}"])
            stop = "return" if result == "None" and draw.chance(0.5) else f"return {result}"
            slots["r"] = (
                WordsSlot(draw.choice(["early", "right away"])) if stop == "return" else CodeSlot(result)
            )
            slots["ret"] = (
                draw.slot(WordsSlot("return early"), WordsSlot("just return"))
                if stop == "return"
                else CodeSlot(stop)
            )
            phrases = guards["guard_return"]
        elif roll < 0.65:
            message = draw.choice(draw.pools.strings)
            if draw.chance(0.4):
                message = f"{a} {draw.choice(_FAULTS)}"
            stop = f'raise {error}("{message}")'
            slots["m"] = ExactSlot(message, quoted=True)
            phrases = guards["guard_message"]
            slots["f"] = fname(function)
        else:
            stop = f'raise {error}("{_said(code, a)}")'
        new = f"{indent}if {code}:\n{indent}    {stop}\n"
        if len(window.functions) > 1 or draw.chance(0.5):
            phrases = tuple(
                p.replace("[in {f}|]", "in {f}").replace("[ in {f}|]", "").replace("[in {f} |]", "in {f} ")
                for p in phrases or guards["add_guard_named"]
            )
        return Made(window.text, window.text[:at] + new + window.text[at:], slots, phrases)
    return None


def _said(code: str, a: str) -> str:
    """The message that goes with a check if the instruction asks for none."""
    for pattern, message in (
        (r".* is None$", f"{a} must not be None"),
        (r"not isinstance\(\w+, (\w+)\)", f"{a} must be of type \\1"),
        (r"not \w+$", f"{a} must not be empty"),
        (r"\w+ <= 0$", f"{a} must be positive"),
        (r"\w+ < 0$", f"{a} must not be negative"),
        (r"\w+ < (\d+)", f"{a} must be at least \\1"),
        (r"\w+ > (\d+)", f"{a} must be at most \\1"),
        (r"\w+ == (\d+)", f"{a} must not be \\1"),
        (r"len\(\w+\) > (\d+)", f"{a} is too long"),
        (r"len\(\w+\) < (\d+)", f"{a} is too short"),
    ):
        match = re.fullmatch(pattern, code)
        if match:
            return match.expand(message)
    return f"invalid {a}"


@kind(
    "wrap_try",
    *failures["wrap_try"],
    weight=1.0,
)
def wrap_try(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n, _ in window.statements()
        if isinstance(n, ast.Assign | ast.Expr | ast.Return)
        and window.own_lines(n)
        and window.function_of(n) is not None
        and n.lineno == n.end_lineno
        and "(" in window.lines[n.lineno - 1]
        and not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
    ]
    if not found:
        return None
    node = draw.choice(found)
    error = draw.choice(_CATCH)
    indent = window.indent(node)
    name = draw.choice(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["x"])
    message = draw.choice(draw.pools.strings)
    softly = "[should be ignored|must not stop us, {do}|is harmless, {do}|is nothing to worry about, {do}]"
    gives = "[should give|means|should lead to] {value}"
    becomes = "should [become|turn into|end as] {value}"
    do, code, then = draw.choice(
        [
            ("return None", "return None", gives),
            ("return False", "return False", gives),
            ("ignore it", "pass", softly),
            ("pass", "pass", softly),
            ("do nothing", "pass", softly),
            ("re-raise it", "raise", "should be [re-raised|raised again]"),
            (f"return {name}", f"return {name}", gives),
            (f'print "{message}"', f'print("{message}")', "should [only|just|] {do}"),
            ("raise RuntimeError", "raise RuntimeError", becomes),
            (
                "log it",
                f'logger.exception("{_call_name(node)} failed")',
                "[should be logged|belongs in the log]",
            ),
            ("return an empty list", "return []", gives),
            (
                f'raise ValueError("{message}") from it',
                f'raise ValueError("{message}") from error',
                "should make us {do}",
            ),
        ]
    )
    value = WordsSlot("an empty list") if "list" in do else CodeSlot(do.split()[-1])
    bound = " as error" if "from error" in code else ""
    line = window.lines[node.lineno - 1].strip()
    new = f"{indent}try:\n{indent}    {line}\n{indent}except {error}{bound}:\n{indent}    {code}\n"
    start, end = window.line_span(node.lineno, node.lineno)
    do_slot: Slot = ExactSlot(do) if '"' in do or do == code else WordsSlot(do)
    known: dict[str, Slot] = {"err": ExactSlot(error), "do": do_slot, "value": value}
    slots: dict[str, Slot] = {
        "what": at_line(window, node.lineno, draw),
        "err": draw.slot(NameSlot(error), ExactSlot(error)),
        "do": do_slot,
        "then": SubTemplate(then, known),
        "handler": SubTemplate("[that catches {err} and |for {err}, ]{do}", known),
    }
    return Made(window.text, window.text[:start] + new + window.text[end:], slots)


def _call_name(node: ast.stmt) -> str:
    for item in ast.walk(node):
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Name | ast.Attribute):
            return item.func.id if isinstance(item.func, ast.Name) else item.func.attr
    return "it"


@kind(
    "change_exception",
    *failures["change_exception"],
    needs=r"except",
    weight=0.6,
)
def change_exception(window: SourceWindow, draw: Draw) -> Made | None:
    handlers = [n for n in window.nodes if isinstance(n, ast.ExceptHandler)]
    for node in draw.shuffled(handlers):
        function = window.function_of(node)
        scope = function or window.tree
        if sum(isinstance(n, ast.ExceptHandler) for n in ast.walk(scope)) != 1:
            continue
        new = draw.choice(
            [
                *_CATCH,
                "(ValueError, TypeError)",
                "(OSError, ValueError)",
                "ImportError",
                "StopIteration",
                "UnicodeDecodeError",
            ]
        )
        if node.type is None:
            at = window.offset(node.lineno, node.col_offset) + len("except")
            after, old = window.text[:at] + f" {new}" + window.text[at:], "everything"
        else:
            old = window.source(node.type)
            start, end = window.span(node.type)
            after = window.text[:start] + new + window.text[end:]
        if old == new or "\n" in old:
            continue
        old_slot: Slot = (
            WordsSlot("everything") if old == "everything" else draw.slot(NameSlot(old), ExactSlot(old))
        )
        return Made(
            window.text,
            after,
            {
                "old": old_slot,
                "new": draw.slot(CodeSlot(new), ExactSlot(new)),
                "where": inside(window, function, draw),
                "line": WordsSlot(draw.choice([f"line {node.lineno}", f"L{node.lineno}"])),
            },
            failures["bare_except"] if node.type is None else (),
        )
    return None


@kind(
    "change_raise",
    *failures["change_raise"],
    needs=r"raise \w+",
    weight=0.6,
)
def change_raise(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Raise) and n.exc is not None]):
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not isinstance(target, ast.Name) or len(re.findall(rf"\b{target.id}\b", window.text)) != 1:
            continue
        new = draw.choice(
            [
                e
                for e in (
                    *_ERRORS,
                    "NotImplementedError",
                    "LookupError",
                    "OSError",
                    draw.choice(draw.pools.classes),
                )
                if e != target.id
            ]
        )
        start, end = window.span(target)
        slots: dict[str, Slot] = {
            "old": NameSlot(target.id),
            "new": NameSlot(new),
            "where": inside(window, window.function_of(node), draw),
            "line": at_line(window, node.lineno, draw),
        }
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "raise_from",
    *failures["raise_from"],
    needs=r"except[^\n]*as \w+:\n\s+raise \w+\(",
    weight=0.9,
)
def raise_from(window: SourceWindow, draw: Draw) -> Made | None:
    """Adds the cause to a raise. If it has one, the cause is removed from the text before."""
    for handler in draw.shuffled([n for n in window.nodes if isinstance(n, ast.ExceptHandler) and n.name]):
        raises = [n for n in ast.walk(handler) if isinstance(n, ast.Raise) and isinstance(n.exc, ast.Call)]
        function = window.function_of(handler)
        scope = function or window.tree
        if len(raises) != 1 or sum(isinstance(n, ast.Raise) for n in ast.walk(scope)) != 1:
            continue
        node = raises[0]
        assert node.exc is not None
        end = window.span(node.exc)[1]
        if node.cause is not None:
            before, after = window.text[:end] + window.text[window.span(node)[1] :], window.text
            if window.source(node.cause) != handler.name:
                continue
        else:
            before, after = window.text, window.text[:end] + f" from {handler.name}" + window.text[end:]
        return Made(
            before, after, {"where": inside(window, function, draw), "e": NameSlot(str(handler.name))}
        )
    return None


@kind(
    "add_finally",
    *failures["add_finally"],
    needs=r"try:",
    weight=0.6,
)
def add_finally(window: SourceWindow, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Try) and not n.finalbody]):
        function = window.function_of(node)
        scope = function or window.tree
        if sum(isinstance(n, ast.Try) for n in ast.walk(scope)) != 1 or function is None:
            continue
        name = draw.choice(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["handle"])
        code = draw.choice(
            [
                f"{name}.close()",
                "self.close()",
                f"{draw.choice(draw.pools.functions)}()",
                "lock.release()",
                f"{name} = None",
            ]
        )
        indent = window.indent(node)
        at = window.starts[window.last_line(node)]
        after = window.text[:at] + f"{indent}finally:\n{indent}    {code}\n" + window.text[at:]
        return Made(window.text, after, {"code": CodeSlot(code), "where": inside(window, function, draw)})
    return None


@kind(
    "add_retry",
    *failures["add_retry"],
    weight=0.4,
)
def add_retry(window: SourceWindow, draw: Draw) -> Made | None:
    found = [
        n
        for n, _ in window.statements()
        if isinstance(n, ast.Assign | ast.Expr)
        and window.own_lines(n)
        and window.function_of(n) is not None
        and n.lineno == n.end_lineno
        and isinstance(n.value, ast.Call)
    ]
    if not found:
        return None
    node = draw.choice(found)
    indent, count = window.indent(node), draw.choice([2, 3, 3, 5, 10])
    line = window.lines[node.lineno - 1].strip()
    new = [
        f"for attempt in range({count}):",
        "    try:",
        f"        {line}",
        "        break",
        "    except Exception:",
        f"        if attempt == {count - 1}:",
        "            raise",
    ]
    start, end = window.line_span(node.lineno, node.lineno)
    body = "".join(indent + item + "\n" for item in new)
    slots: dict[str, Slot] = {
        "what": at_line(window, node.lineno, draw),
        "n": ExactSlot(str(count)),
        "err": WordsSlot("any error"),
    }
    return Made(window.text, window.text[:start] + body + window.text[end:], slots)
