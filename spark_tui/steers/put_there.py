"""Statements that an answer put into one block, put at the same place of others.

Comes in: the text without the answer and with it, what was put, another text. Goes out: places, each with the changes
that put the same there. Must not know: messages, engines, ids.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator

from spark_tui.refactor.source import Function, Source, body_behind_docstring, indent_of, parameters
from spark_tui.steers.alike import Made, Where, bound_in, shape

Block = list[ast.stmt]
FIELDS = ("body", "orelse", "finalbody")


def put_there(now: Source, one: Made, src: Source) -> Iterator[Where]:
    """Blocks of the same kind: functions for a function, loops for a loop, methods for a method of a class."""
    first, last = one.new[0], one.new[-1]
    assert isinstance(first, ast.stmt)
    assert isinstance(last, ast.stmt)
    block = now.block(first)
    at = block.index(first)
    own = now.function_of(first)
    behind = block[at + len(one.new) :]
    before = block[:at]
    owner = now.parents.get(first)
    for node in src.nodes:
        for field in FIELDS:
            inner = getattr(node, field, None)
            if not isinstance(inner, list) or not inner or not isinstance(inner[0], ast.stmt):
                continue
            if isinstance(owner, Function) is not isinstance(node, Function) or isinstance(node, ast.ClassDef):
                continue
            if isinstance(owner, ast.Module | ast.ClassDef):
                continue
            if any(ast.dump(item) == ast.dump(first) for item in inner):
                continue
            place = _position(before, behind, inner, node, src)
            target = node if isinstance(node, Function) else src.function_of(node)
            names = mapped(one, own, target)
            if place is None or names is None:
                continue
            offset, margin = place
            text = text_of(now, one, names, margin)
            alike = type(owner) is type(node) or isinstance(node, Function)
            same = own is not None and target is not None and bool(names) is False
            yield Where(node, ((offset, offset, text),), 0 if alike and same else 1)


def _position(before: Block, behind: Block, inner: Block, node: ast.AST, src: Source) -> tuple[int, str] | None:
    """Where in a block it comes, and how far in."""
    body = body_behind_docstring(node) if isinstance(node, Function) else inner
    margin = src.indent(inner[0])
    if src.first_line(inner[0]) == src.first_line(node):
        return None
    is_text = len(before) == 1 and isinstance(before[0], ast.Expr) and isinstance(before[0].value, ast.Constant)
    if not before or is_text:
        first = body[0] if body else None
        line = src.first_line(first) if first is not None else src.last_line(inner[-1])
        return src.starts[line], margin
    if len(twins := [item for item in inner if ast.dump(item) == ast.dump(before[-1])]) == 1:
        return src.starts[src.last_line(twins[0])], margin
    if not behind or (len(behind) == 1 and isinstance(behind[0], ast.Return)):
        last = inner[-1]
        leaves = isinstance(last, (ast.Return, ast.Raise, ast.Continue, ast.Break))
        if leaves and not behind:
            return None
        return src.starts[src.first_line(last) if leaves and behind else src.last_line(last)], margin
    found = [item for item in inner if shape(item) == shape(before[-1])]
    if len(found) == 1:
        return src.starts[src.last_line(found[0])], margin
    found = [item for item in inner if shape(item) == shape(behind[0])]
    return (src.starts[src.first_line(found[0])], margin) if len(found) == 1 else None


def mapped(one: Made, own: Function | None, target: Function | None) -> dict[str, str] | None:
    """The names of one function by those of another; None where there is none for one of them."""
    if own is None:
        return {}
    if target is None:
        return None
    nodes = [item for new in one.new for item in ast.walk(new)]
    made = {item.id for item in nodes if isinstance(item, ast.Name) and isinstance(item.ctx, ast.Store)}
    used = {item.id for item in nodes if isinstance(item, ast.Name)} - made - set(dir(builtins))
    missing = used & bound_in(own) - bound_in(target)
    mine, theirs = [item.arg for item in parameters(own)], [item.arg for item in parameters(target)]
    out: dict[str, str] = {}
    for name in sorted(missing):
        if name not in mine:
            return None
        at = mine.index(name)
        if len(theirs) == 1:
            out[name] = theirs[0]
        elif at < len(theirs) and len(mine) == len(theirs) and theirs[at] not in mine:
            out[name] = theirs[at]
        else:
            return None
    return out


def text_of(now: Source, one: Made, names: dict[str, str], margin: str) -> str:
    """The statements, so far in, with these names."""
    lines = [line for node in one.new for line in now.lines[now.first_line(node) : now.last_line(node)]]
    old = indent_of(lines[0])
    out = "".join(f"{margin}{line.removeprefix(old)}\n" if line.strip() else "\n" for line in lines)
    for name, new in names.items():
        out = re.sub(rf"(?<![\w.]){re.escape(name)}(?!\w)", new, out)
    return out


def renamed_in(src: Source, old: str, new: str) -> Iterator[Where]:
    """Functions in which a name is their own, with the other name in them."""
    for function in src.functions:
        if old not in bound_in(function) or new in bound_in(function):
            continue
        changes = []
        for node in ast.walk(function):
            if isinstance(node, ast.Name) and node.id == old:
                changes.append((*src.span(node), new))
            elif isinstance(node, ast.arg) and node.arg == old:
                at = src.span(node)[0]
                changes.append((at, at + len(old), new))
        yield Where(function, tuple(sorted(changes)), 0)
