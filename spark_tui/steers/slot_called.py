"""By which words people call a value: of what takes it, of what it is compared with, of what was said when it was asked.

Comes in: a source, a node. Goes out: words. Must not know: messages, hunks, engines.
"""

from __future__ import annotations

import ast
import re

from spark_tui.refactor.source import Source
from spark_tui.refactor.values.slots import parts, slot_of, target_name

_CALLED = {
    "min": "max maximum cap most limit upper ceiling top", "max": "min minimum floor least lower bottom", "round": "decimal digit place precision", "sleep": "second wait delay pause",
    "exit": "exit code status message", "HTTPException": "status code message", "abort": "status code message", "range": "times tries", "get": "default fallback", "getenv": "default fallback", "print": "message text",
}  # fmt: skip
_BOUNDS = ("min minimum lower floor least low".split(), "max maximum upper cap limit most high".split())  # noqa: SIM905
_COMPARED = {
    ast.Lt: "min minimum least below under shorter", ast.LtE: "min minimum least below under", ast.Gt: "max maximum most over above longer limit cap upper", ast.GtE: "max maximum most over above limit cap upper from",
}  # fmt: skip


def role_of(src: Source, node: ast.AST) -> str:
    """What it hangs from: two of the same are one thing."""
    parent = src.parents.get(node)
    if isinstance(parent, ast.keyword):
        return f"keyword {parent.arg}"
    if isinstance(parent, ast.Call):
        at = parent.args.index(node) if node in parent.args else -1
        return f"call {target_name(parent.func).rpartition('.')[2]} {at}"
    if isinstance(parent, ast.AugAssign | ast.BinOp) and isinstance(parent.op, ast.Mult):
        return "factor"
    if isinstance(parent, ast.Tuple):
        return role_of(src, parent)
    if isinstance(parent, ast.Compare):
        return f"compare {type(parent.ops[0]).__name__} {ast.dump(parent.left)}"
    return type(parent).__name__


def called(src: Source, node: ast.AST, asked: str) -> tuple[set[str], set[str]]:
    slot = slot_of(src, node)  # type: ignore[arg-type]
    words = {part for name in slot.names if name not in ("min", "max") for part in parts(name) if part != "self"}
    near = {part for name in slot.near if name not in ("min", "max") for part in parts(name) if part != "self"}
    statement = src.statement(node)
    line = [statement] if statement is not None and not hasattr(statement, "body") else []
    test = getattr(statement, "test", None)
    for one in [*line, *([test] if test is not None else [])]:
        near |= {part for item in ast.walk(one) if isinstance(item, ast.Name) for part in parts(item.id)}
    if slot.kind == "default" or isinstance(src.parents.get(node), ast.arguments):
        words |= {"default"}
    inner: ast.AST = node
    calls = 0
    for parent in src.ancestors(node):
        if isinstance(parent, ast.Call) and inner is not parent.func and not calls:
            calls += 1
            name = target_name(parent.func).rpartition(".")[2]
            words |= set(_CALLED.get(name, "").split())
            words |= set(_parameter(src, name, parent, inner))
        elif isinstance(parent, ast.Compare) and inner in parent.comparators:
            words |= set(_COMPARED.get(type(parent.ops[0]), "").split())
            words |= {part for one in ast.walk(parent.left) if isinstance(one, ast.Name) for part in parts(one.id)}
            if isinstance(parent.left, ast.Call) and target_name(parent.left.func) == "len":
                words |= {"length", "long", "char"}
        elif isinstance(parent, ast.Slice):
            words |= {"first", "top", "limit", "length", "cut", "last"}
        elif isinstance(parent, ast.Raise | ast.Assert):
            words |= {"message", "text", "error"}
        elif isinstance(parent, ast.Return):
            words |= {"return", "returned", "result"}
        elif isinstance(parent, ast.AugAssign) and isinstance(parent.op, ast.Mult):
            words |= {"factor", "time"}
        if isinstance(parent, ast.stmt):
            break
        inner = parent
    for low, high in (("lo", "hi"), ("low", "high"), ("lower", "upper")):
        words |= set(_BOUNDS[0]) if low in words else set(_BOUNDS[1]) if high in words else set()
    return words, near | beside(getattr(node, "value", None), asked)


def _parameter(src: Source, called: str, call: ast.Call, node: ast.AST) -> list[str]:
    """The name of the parameter that an argument is for."""
    made = next((one for one in src.functions if one.name == called), None)
    if made is None or node not in call.args:
        return []
    every = [one.arg for one in (*made.args.posonlyargs, *made.args.args) if one.arg not in ("self", "cls")]
    at = call.args.index(node)
    return parts(every[at]) if at < len(every) else []


def beside(value: object, asked: str) -> set[str]:
    """Words that stood beside the value when it was asked for."""
    if isinstance(value, bool) or not isinstance(value, int | float | str) or value == "":
        return set()
    found = re.search(rf"(\S+ +)?(\S+ +)?(?<![\w.]){re.escape(str(value))}(?![\w])\S*( +\S+)?( +\S+)?", asked)
    return set(re.findall(r"[a-z]{3,}", found[0].lower())) if found else set()
