"""A check in front in the place of `try`, and `try` in the place of a check.

Comes in: a text, a message. Goes out: texts that may be wanted. Must not know: engines, ids.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from spark_tui.refactor.idioms.text import LEAVES, moved, negated
from spark_tui.refactor.source import Source
from spark_tui.steers.otherwise_base import Base
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.tree_forms import places

TRY = r"\b(?:try|eafp|except|catch(?:ing)?|handle)\b(?! ?/ ?finally)"
CHECK = r"\b(?:check(?:ing)?|up ?front|before ?hand|lbyl|look before|test(?:ing)? (?:for|it|first)|guard|if|first)\b"
_SAID_ERROR = re.compile(r"\b(?:\w+\.)*[A-Z]\w*(?:Error|Exception|NotFound|Exit|Interrupt|Timeout|Empty)\b")
_STANDS_FOR = (
    ("_k not in _d", "KeyError"), ("not _p.exists()", "FileNotFoundError"), ("not os.path.exists(_p)", "FileNotFoundError"),
    ("not os.path.isfile(_p)", "FileNotFoundError"), ("not _p.is_file()", "FileNotFoundError"), ("os.path.exists(_p)", "FileNotFoundError"), ("_p.exists()", "FileNotFoundError"),
    ("not _s.isdigit()", "ValueError"), ("not _s.isdecimal()", "ValueError"), ("not _s.isnumeric()", "ValueError"), ("_d == 0", "ZeroDivisionError"), ("len(_s) == 0", "IndexError"),
    ("len(_s) <= _i", "IndexError"), ("_i >= len(_s)", "IndexError"), ("not hasattr(_o, _a)", "AttributeError"), ("_s.isdigit()", "ValueError"), ("_k in _d", "KeyError"),
)  # fmt: skip
"""Tests that look ahead, and what comes where nobody does."""


def tried(base: Base, said: Said) -> Iterator[str]:
    """*eafp please, catch FileNotFoundError*: the guard that was put in becomes an `except`."""
    src = base.src
    for node in base.stands.new(ast.If) if base.new else ():
        if not isinstance(node, ast.If) or not base.touches(node) or node.orelse:
            continue
        named = _SAID_ERROR.findall(said.everything)
        error = named[0] if len(named) == 1 else _error_of(src, node, base) if not named else ""
        if not error or not isinstance(node.body[-1], LEAVES):
            continue
        block = src.block(node)
        behind = block[block.index(node) + 1 :]
        about = {item.id for item in ast.walk(node.test) if isinstance(item, ast.Name)}
        end = next((n for n, one in enumerate(behind) if _uses(one, about)), None)
        if end is None:
            continue
        first, last = src.first_line(behind[end]), src.last_line(behind[end])
        indent = src.indent(node)
        new = list(src.lines[src.last_line(node) : first])
        new += [f"{indent}try:", *moved(src, first, last, 1), f"{indent}except {error}:"]
        new += src.lines[src.first_line(node.body[0]) : src.last_line(node.body[-1])]
        yield src.with_lines(src.first_line(node), last, new)


def _uses(node: ast.stmt, about: set[str]) -> bool:
    """Whether a statement does something that may fail with one of some names."""
    names = {item.id for item in ast.walk(node) if isinstance(item, ast.Name)}
    risky = any(isinstance(item, (ast.Call, ast.Subscript, ast.BinOp, ast.Delete)) for item in ast.walk(node))
    return bool(names & about) and risky


def _error_of(src: Source, node: ast.If, base: Base) -> str:
    tested = src.segment(node.test)
    for form, error in _STANDS_FOR:
        if any(place.nodes[0] is node.test for place in places(src, form)):
            return error
    divisors = {
        src.segment(item.right)
        for item in ast.walk(base.src.function_of(node) or node)
        if isinstance(item, ast.BinOp) and isinstance(item.op, (ast.Div, ast.FloorDiv, ast.Mod))
    }
    return "ZeroDivisionError" if tested.removeprefix("not ") in divisors else ""


def checked(base: Base, said: Said) -> Iterator[str]:
    """*not try, check for it up front*: the `except` that was put in becomes a guard."""
    src = base.src
    for node in base.stands.new(ast.Try) if base.new else ():
        if not isinstance(node, ast.Try) or len(node.handlers) != 1 or node.orelse or node.finalbody:
            continue
        handler = node.handlers[0]
        test = _test_of(src, node, handler)
        spelled = _said_test(said)
        outcome = re.search(r"->|=>|:\s*(?:return|raise|continue)|\bthen (?:return|raise|skip|continue)", said.message)
        if spelled and spelled not in (test, _turned(test) if test else ""):
            # What is said to be checked has to hold, but where an outcome is said with it.
            test = spelled if outcome or spelled.startswith("not ") else _turned(spelled)
        if not test or handler.name is not None:
            continue
        indent, step = src.indent(node), src.step
        body = moved(src, src.first_line(node.body[0]), src.last_line(node.body[-1]), -1)
        caught = _falling_back(src, said, handler) or list(
            src.lines[src.first_line(handler.body[0]) : src.last_line(handler.body[-1])]
        )
        at = next((n for n, one in enumerate(node.body) if _fails(src, one, handler)), 0)
        head = moved(src, src.first_line(node.body[0]), src.first_line(node.body[at]), -1)
        rest = body[len(head) :]
        one, other = node.body[at], handler.body[0]
        both = (
            isinstance(one, ast.Assign)
            and isinstance(other, ast.Assign)
            and src.segment(one.targets[0]) == src.segment(other.targets[0])
        )
        if isinstance(handler.body[-1], LEAVES):
            new = [*head, f"{indent}if {test}:", *caught, *rest]
        elif isinstance(handler.body[-1], ast.Pass) and len(handler.body) == 1:
            new = [*head, f"{indent}if {_turned(test)}:", *(step + line for line in rest)]
        elif both or at == len(node.body) - 1:
            new = [*head, f"{indent}if {test}:", *caught, f"{indent}else:", *(step + line for line in rest)]
        else:
            continue
        yield src.with_lines(src.first_line(node), src.last_line(node), new)


def _falling_back(src: Source, said: Said, handler: ast.ExceptHandler) -> list[str]:
    """*and fall back to x*: another value than the one that is returned there."""
    found = re.search(
        r"\b(?:fall(?:ing)? back (?:to|on)|default(?:ing)? to|return(?:ing)?|->) (?!none\b)(?P<v>`[^`]+`|[\w.]*(?:[\[(][^;]*[\])])+|\"[^\"]*\"|'[^']*'|-?\d[\d.]*|None|\[\]|\{\})",
        said.orders,
    )
    only = handler.body[0]
    if found is None or len(handler.body) != 1 or not isinstance(only, ast.Return):
        return []
    return [f"{src.indent(only)}return {found['v'].strip('`')}"]


def _turned(test: str) -> str:
    src = Source([test])
    expression = src.tree.body[0] if src.tree else None
    return negated(src, expression.value) if isinstance(expression, ast.Expr) else f"not ({test})"


def _said_test(said: Said) -> str:
    """A test that is spelled out: behind *check* or *if*, or in front of an arrow."""
    found = re.findall(
        r"`([^`]+)`|(?:\bif |\bcheck (?:that |whether |if |for )?|: )?((?:not )?[\w.]+\((?:[^()]|\([^()]*\))*\)|[\w.]+ (?:not )?in [\w.]+|[\w.]+ (?:[<>=!]=?) [\w.\"']+|[\w.]+ is (?:not )?None)",
        said.message,
    )
    for groups in found:
        code = next(filter(None, groups), "")
        if re.match(r"(?:if|for|while|is|it|in|that|not)\b(?! \w+[.(])", code) or not re.search(
            r"[(.=<>]| in | is ", code
        ):
            continue
        try:
            compile(code, "said", "eval")
        except (SyntaxError, ValueError):
            continue
        if not re.match(r"[A-Z]\w*(?:Error|Exception)\b", code):
            return code
    return ""


def _fails(src: Source, node: ast.stmt, handler: ast.ExceptHandler) -> bool:
    kind = src.segment(handler.type) if handler.type is not None else ""
    return any(_test_for(src, item, kind) for item in ast.walk(node))


def _test_of(src: Source, node: ast.Try, handler: ast.ExceptHandler) -> str:
    kind = src.segment(handler.type) if handler.type is not None else ""
    found = [test for one in node.body for item in ast.walk(one) if (test := _test_for(src, item, kind))]
    unique = list(dict.fromkeys(found))
    if kind in ("TypeError", "AttributeError"):
        unique = unique[-1:] if len({test.split(" is ")[0] for test in unique}) == 1 else sorted(unique, key=len)[:1]
    return unique[0] if len(unique) == 1 else ""


def _test_for(src: Source, item: ast.AST, kind: str) -> str:
    """The test that tells ahead that a node would fail so."""
    if isinstance(item, ast.Subscript) and isinstance(item.ctx, ast.Load):
        whole, key = src.segment(item.value), src.segment(item.slice)
        if kind == "KeyError":
            return f"{key} not in {whole}"
        if kind == "IndexError":
            return f"not {whole}" if key in ("0", "-1") else f"len({whole}) <= {key}"
        if kind == "TypeError" and isinstance(item.value, ast.Subscript):
            return f"{whole} is None"
    if (
        isinstance(item, ast.Attribute)
        and kind == "AttributeError"
        and isinstance(item.value, (ast.Call, ast.Name, ast.Attribute))
    ):
        return f"{src.segment(item.value)} is None"
    if (
        isinstance(item, ast.BinOp)
        and kind == "ZeroDivisionError"
        and isinstance(item.op, (ast.Div, ast.FloorDiv, ast.Mod))
    ):
        right = item.right
        return (
            f"not {src.segment(right.args[0])}"
            if isinstance(right, ast.Call) and src.segment(right.func) == "len" and right.args
            else f"{src.segment(right)} == 0"
        )
    if isinstance(item, ast.Call):
        called = src.segment(item.func)
        if kind == "ValueError" and called == "int" and len(item.args) == 1:
            return f"not {src.segment(item.args[0])}.isdigit()"
        if kind in ("FileNotFoundError", "OSError") and called == "open" and item.args:
            path = src.segment(item.args[0])
            return (
                f"not {path}.exists()"
                if re.search(rf"\b{re.escape(path)}\b(?:: Path| = Path\()", src.text)
                else f"not os.path.exists({path})"
            )
        if kind == "FileNotFoundError" and re.fullmatch(r"[\w.]+\.(?:open|read_text|read_bytes|unlink|stat)", called):
            return f"not {called.rpartition('.')[0]}.exists()"
    return ""
