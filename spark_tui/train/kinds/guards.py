# ruff: noqa: E501 - phrase tables and one-line cases read better unbroken
"""Checks and failures: guard clauses, try/except, raise from, retry, assertions."""

from __future__ import annotations

import ast
import re

from spark_tui.train.kinds.base import Draw, Made, at_line, fname, inside, kind
from spark_tui.train.phrasing import Code, Exact, Name, Slot, Sub, Words
from spark_tui.train.windows import Window, arguments

_ERRORS = ("ValueError", "TypeError", "RuntimeError", "KeyError", "AssertionError")
_CATCH = (
    "Exception",
    "ValueError",
    "KeyError",
    "OSError",
    "TypeError",
    "RuntimeError",
    "AttributeError",
    "IndexError",
    "FileNotFoundError",
    "TimeoutError",
)


@kind(
    "add_guard",
    "[raise|throw] [a|an|] {err} [in {f}|] if {cond}[ in {f}|]",
    "{f} should raise [a|an|] {err} [if|when] {cond}",
    "in {f}, raise {err} [if|when] {cond}",
    "make {f} raise [a|an|] {err} [if|when] {cond}",
    "add a [check|guard] to {f}: {err} if {cond}",
    "add a guard [clause|] [to|in] {f} that raises {err} [if|when] {cond}",
    "check [in {f} |]that {ok}, otherwise raise {err}",
    "if {cond}[,|] {f} should raise {err}",
    "validate {a} in {f}: raise {err} when {cond}",
    "{f} has to [fail|blow up] with {err} if {cond}",
    "when {cond}, let {f} raise {err}",
    weight=1.8,
)
def add_guard(window: Window, draw: Draw) -> Made | None:
    for function in draw.shuffled(window.functions):
        args = arguments(function)
        body = window.body_after_docstring(function)
        if not args or not body or not window.own_lines(body[0]):
            continue
        a = draw.choice(args).arg
        number = draw.choice([0, 0, 0, 1, 10, 100])
        of = draw.choice(["str", "int", "list", "dict", "bytes"])
        code, cond, ok = draw.choice([
            (f"{a} is None", f"{a} is None", f"{a} is not None"),
            (f"{a} is None", f"{a} is missing (None)", f"{a} is given"),
            (f"not {a}", f"{a} is empty", f"{a} is not empty"),
            (f"not {a}", f"{a} is falsy", f"{a} is truthy"),
            (f"not isinstance({a}, {of})", f"{a} is not [a|an] {of}".replace("[a|an]", "an" if of == "int" else "a"), f"{a} is a {of}"),
            (f"{a} < {number}", f"{a} is [below|less than|smaller than|under] {number}", f"{a} is at least {number}"),
            (f"{a} > {number}", f"{a} is [above|greater than|more than|over] {number}", f"{a} is at most {number}"),
            (f"{a} < 0", f"{a} is negative", f"{a} is not negative"),
            (f"{a} <= 0", f"{a} is not positive", f"{a} is positive"),
            (f"{a} == {number}", f"{a} [is|equals] {number}", f"{a} is not {number}"),
            (f"len({a}) > {number}", f"{a} is longer than {number}", f"{a} is no longer than {number}"),
            (f"len({a}) < {number}", f"{a} is shorter than {number}", f"{a} has at least {number} items"),
        ])  # fmt: skip
        error = draw.choice(_ERRORS)
        first = body[0]
        at, indent = window.starts[window.first_line(first) - 1], window.indent(first)
        slots: dict[str, Slot] = {"f": fname(function), "err": draw.slot(Name(error), Words(error)), "a": Name(a),
                                  "cond": draw.slot(Sub(cond), Sub(cond), Code(code)), "ok": Words(ok)}  # fmt: skip
        phrases: tuple[str, ...] = ()
        roll = draw.rng.random()
        if roll < 0.3:
            result = draw.choice(["None", "None", "False", "True", "[]", "0", a, '""', "{}"])
            stop = "return" if result == "None" and draw.chance(0.5) else f"return {result}"
            slots["r"] = Words(draw.choice(["early", "right away"])) if stop == "return" else Code(result)
            slots["ret"] = draw.slot(Words("return early"), Words("just return")) if stop == "return" else Code(stop)
            phrases = (
                "{ret} if {cond} [in|from] {f}",
                "in {f}, {ret} [if|when] {cond}",
                "{f} should {ret} [if|when] {cond}",
                "make {f} {ret} [if|when] {cond}",
                "add a [guard|check] [to|in] {f}: {ret} if {cond}",
                "[if|when] {cond}[,|] {ret} [from|in] {f}",
                "let {f} {ret} when {cond}",
                "add an early return to {f}: if {cond}, {ret}",
            )
        elif roll < 0.65:
            message = draw.choice(draw.pools.strings)
            if draw.chance(0.4):
                message = f"{a} {draw.choice(['must not be None', 'is required', 'must not be empty', 'is invalid', 'is out of range', 'must be positive'])}"
            stop = f'raise {error}("{message}")'
            slots["m"] = Exact(message, quoted=True)
            phrases = (
                "raise {err} [with|with message|with the message|saying] {m} [in {f}|] if {cond}[ in {f}|]",
                "{f} should raise {err} {m} [if|when] {cond}",
                "in {f}, raise [a|] {err} [with|with the message] {m} [if|when] {cond}",
                "if {cond}[,|] raise {err} {m} in {f}",
                "add a [check|guard] [to|in] {f}: {err} {m} if {cond}",
                "make {f} raise {err} with {m} when {cond}",
                "{f} has to raise {err} when {cond}, message {m}",
                "when {cond} {f} raises {err}: {m}",
            )
            slots["f"] = fname(function)
        else:
            stop = f'raise {error}("{_said(code, a)}")'
        new = f"{indent}if {code}:\n{indent}    {stop}\n"
        if len(window.functions) > 1 or draw.chance(0.5):
            phrases = tuple(
                p.replace("[in {f}|]", "in {f}").replace("[ in {f}|]", "").replace("[in {f} |]", "in {f} ")
                for p in phrases or _GUARD
            )
        return Made(window.text, window.text[:at] + new + window.text[at:], slots, phrases)
    return None


_GUARD = (
    "{f} should raise [a|an|] {err} [if|when] {cond}",
    "in {f}, raise {err} [if|when] {cond}",
    "make {f} raise [a|an|] {err} [if|when] {cond}",
    "add a [check|guard] to {f}: {err} if {cond}",
    "add a guard [clause|] [to|in] {f} that raises {err} [if|when] {cond}",
    "raise {err} in {f} [if|when] {cond}",
    "check in {f} that {ok}, otherwise raise {err}",
    "if {cond}[,|] {f} should raise {err}",
    "validate {a} in {f}: raise {err} when {cond}",
    "[raise|throw] [a|an|] {err} if {cond} [at the start of|in] {f}",
    "{f} has to [fail|blow up] with {err} if {cond}",
    "when {cond}, let {f} raise {err}",
)


def _said(code: str, a: str) -> str:
    """The one message that goes with a check when none is asked for."""
    for pattern, message in (
        (r".* is None$", f"{a} must not be None"), (r"not isinstance\(\w+, (\w+)\)", f"{a} must be of type \\1"),
        (r"not \w+$", f"{a} must not be empty"), (r"\w+ <= 0$", f"{a} must be positive"), (r"\w+ < 0$", f"{a} must not be negative"),
        (r"\w+ < (\d+)", f"{a} must be at least \\1"), (r"\w+ > (\d+)", f"{a} must be at most \\1"),
        (r"\w+ == (\d+)", f"{a} must not be \\1"), (r"len\(\w+\) > (\d+)", f"{a} is too long"), (r"len\(\w+\) < (\d+)", f"{a} is too short"),
    ):  # fmt: skip
        match = re.fullmatch(pattern, code)
        if match:
            return match.expand(message)
    return f"invalid {a}"


@kind(
    "wrap_try",
    "wrap {what} in [a|] try/except[ block|] {handler}",
    "wrap {what} in try/except {err} [and|,] {do}",
    "catch {err} [around|at|on] {what} [and|,] {do}",
    "[if|when] {what} raises {err}, {do}",
    "handle {err} [around|at|from] {what}: {do}",
    "put {what} in a try block, [on|catch] {err} {do}",
    "{what} can raise {err}, catch it and {do}",
    "guard {what} against {err}: {do}",
    "surround {what} with try/except {err}, {do}",
    weight=1.3,
)
def wrap_try(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n, _ in window.statements()
        if isinstance(n, ast.Assign | ast.Expr | ast.Return) and window.own_lines(n) and window.function_of(n) is not None
        and n.lineno == n.end_lineno and "(" in window.lines[n.lineno - 1] and not (isinstance(n, ast.Expr) and isinstance(n.value, ast.Constant))
    ]  # fmt: skip
    if not found:
        return None
    node = draw.choice(found)
    error = draw.choice(_CATCH)
    indent = window.indent(node)
    name = draw.choice(sorted({n.id for n in ast.walk(node) if isinstance(n, ast.Name)}) or ["x"])
    message = draw.choice(draw.pools.strings)
    do, code = draw.choice([
        ("return None", "return None"), ("return False", "return False"), ("ignore it", "pass"), ("pass", "pass"), ("do nothing", "pass"),
        ("re-raise it", "raise"), (f"return {name}", f"return {name}"), (f'print "{message}"', f'print("{message}")'),
        ("raise RuntimeError", "raise RuntimeError"), ("log it", f'logger.exception("{_call_name(node)} failed")'), ("return an empty list", "return []"),
        (f'raise ValueError("{message}") from it', f'raise ValueError("{message}") from error'),
    ])  # fmt: skip
    bound = " as error" if "from error" in code else ""
    line = window.lines[node.lineno - 1].strip()
    new = f"{indent}try:\n{indent}    {line}\n{indent}except {error}{bound}:\n{indent}    {code}\n"
    start, end = window.line_span(node.lineno, node.lineno)
    do_slot: Slot = Words(do) if '"' not in do else Exact(do)
    handler = Words(draw.choice([f"that catches {error} and ", f"for {error}, "]) + do)
    slots: dict[str, Slot] = {"what": at_line(window, node.lineno, draw), "err": draw.slot(Name(error), Words(error)), "do": do_slot,
                              "handler": handler if '"' not in do else Exact(handler.text)}  # fmt: skip
    return Made(window.text, window.text[:start] + new + window.text[end:], slots)


def _call_name(node: ast.stmt) -> str:
    for item in ast.walk(node):
        if isinstance(item, ast.Call) and isinstance(item.func, ast.Name | ast.Attribute):
            return item.func.id if isinstance(item.func, ast.Name) else item.func.attr
    return "it"


@kind(
    "change_exception",
    "catch {new} instead of {old}{where}",
    "the except [clause|] should catch {new}[, not {old}| instead of {old}]{where}",
    "narrow the except[ clause|] to {new}{where}",
    "change except {old} to {new}{where}",
    "replace the {old} handler [with|by] {new}{where}",
    "except {new} [rather than|not] {old}{where}",
    "handle {new}, not {old}{where}",
    needs=r"except",
    weight=1.0,
)
def change_exception(window: Window, draw: Draw) -> Made | None:
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
        old_slot: Slot = Words("everything") if old == "everything" else draw.slot(Name(old), Words(old))
        return Made(
            window.text,
            after,
            {"old": old_slot, "new": draw.slot(Code(new), Words(new)), "where": inside(window, function, draw)},
        )
    return None


@kind(
    "change_raise",
    "raise {new} instead of {old}{where}",
    "use {new} rather than {old}{where}",
    "change the exception {old} to {new}{where}",
    "{old} should be {new}{where}",
    "replace {old} [with|by] {new}{where}",
    "it should raise {new}{where}[, not {old}|]",
    "[on|in] {line} raise {new} [instead|]",
    "{new} is the better exception{where} than {old}",
    needs=r"raise \w+",
    weight=1.0,
)
def change_raise(window: Window, draw: Draw) -> Made | None:
    for node in draw.shuffled([n for n in window.nodes if isinstance(n, ast.Raise) and n.exc is not None]):
        target = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        if not isinstance(target, ast.Name) or len(re.findall(rf"\b{target.id}\b", window.text)) != 1:
            continue
        new = draw.choice(
            [
                e
                for e in (*_ERRORS, "NotImplementedError", "LookupError", "OSError", draw.choice(draw.pools.classes))
                if e != target.id
            ]
        )
        start, end = window.span(target)
        slots: dict[str, Slot] = {"old": Name(target.id), "new": Name(new), "where": inside(window, window.function_of(node), draw),
                                  "line": at_line(window, node.lineno, draw)}  # fmt: skip
        return Made(window.text, window.text[:start] + new + window.text[end:], slots)
    return None


@kind(
    "raise_from",
    "[chain|keep] the [original|] exception{where}[: use raise from|]",
    "use raise ... from{where}",
    "raise from the [original|caught] [exception|error]{where}",
    "add from {e} to the raise{where}",
    "the raise{where} should keep the cause",
    "don't lose the cause of the exception{where}",
    needs=r"except[^\n]*as \w+:\n\s+raise \w+\(",
    weight=0.6,
)
def raise_from(window: Window, draw: Draw) -> Made | None:
    """Where a raise has a cause, the cause is taken away first; else it is added."""
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
        return Made(before, after, {"where": inside(window, function, draw), "e": Name(str(handler.name))})
    return None


@kind(
    "add_finally",
    "add a finally [block|clause] {code}{where}",
    "always {code}{where}[ in a finally|, even on errors]",
    "call {code} in a finally [block|clause]{where}",
    "{code} should run [in any case|whatever happens]{where}",
    "add finally: {code}{where}",
    "put {code} in a finally{where}",
    needs=r"try:",
    weight=0.6,
)
def add_finally(window: Window, draw: Draw) -> Made | None:
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
        return Made(window.text, after, {"code": Code(code), "where": inside(window, function, draw)})
    return None


@kind(
    "add_retry",
    "retry {what} [up to|] {n} times[ on {err}|]",
    "try {what} up to {n} times[ on {err}|]",
    "wrap {what} in a retry loop[ of|,] {n} [attempts|tries]",
    "{what} should be retried {n} times",
    "add a retry [loop|] around {what} with {n} attempts",
    "make {what} retry {n} times before giving up",
    "do {what} again on failure, at most {n} times",
    weight=0.6,
)
def add_retry(window: Window, draw: Draw) -> Made | None:
    found = [
        n for n, _ in window.statements()
        if isinstance(n, ast.Assign | ast.Expr) and window.own_lines(n) and window.function_of(n) is not None
        and n.lineno == n.end_lineno and isinstance(n.value, ast.Call)
    ]  # fmt: skip
    if not found:
        return None
    node = draw.choice(found)
    indent, count = window.indent(node), draw.choice([2, 3, 3, 5, 10])
    line = window.lines[node.lineno - 1].strip()
    new = [f"for attempt in range({count}):", "    try:", f"        {line}", "        break", "    except Exception:",
           f"        if attempt == {count - 1}:", "            raise"]  # fmt: skip
    start, end = window.line_span(node.lineno, node.lineno)
    body = "".join(indent + item + "\n" for item in new)
    slots: dict[str, Slot] = {
        "what": at_line(window, node.lineno, draw),
        "n": Exact(str(count)),
        "err": Words("any error"),
    }
    return Made(window.text, window.text[:start] + body + window.text[end:], slots)
