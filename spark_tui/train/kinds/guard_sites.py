"""Finds where a guard can be added: after the only assignment of a local, and at the top of a function."""

from __future__ import annotations

import ast
import itertools
import re
from dataclasses import dataclass

from spark_tui.train.source_windows import Function, SourceWindow, arguments

LOOPS = ast.For | ast.While | ast.AsyncFor


@dataclass(frozen=True, slots=True)
class GuardSite:
    """A place for a guard: the name that it checks and the line that it goes before."""

    name: str
    line: int
    """The guard goes before this line (1-based)."""
    indent: str
    function: Function
    loop: bool
    value: ast.expr | None = None
    """What the name is bound to, where it is a local."""
    rows: bool = False
    """Whether the name is `*args`."""


def guard_sites(window: SourceWindow) -> list[GuardSite]:
    """Locals after their only assignment, and parameters at the top of their function."""
    out: list[GuardSite] = []
    for function in window.functions:
        body = window.body_after_docstring(function)
        if (
            not body
            or not window.own_lines(body[0])
            or sum(f.name == function.name for f in window.functions) > 1
        ):
            continue
        first, indent = window.first_line(body[0]), window.indent(body[0])
        names = [(item.arg, False) for item in arguments(function)]
        if function.args.vararg:
            names.append((function.args.vararg.arg, True))
        if not window.lines[first - 2].lstrip().startswith("#"):
            out += [GuardSite(name, first, indent, function, False, rows=rows) for name, rows in names]
        out += _locals(window, function)
    return out


def _locals(window: SourceWindow, function: Function) -> list[GuardSite]:
    out = []
    for node in ast.walk(function):
        for block in (getattr(node, field, None) for field in ("body", "orelse", "finalbody")):
            if not isinstance(block, list):
                continue
            for one, two in itertools.pairwise(block):
                if (
                    not isinstance(one, ast.Assign)
                    or len(one.targets) > 1
                    or not isinstance(one.targets[0], ast.Name)
                ):
                    continue
                name, value = one.targets[0].id, one.value
                inner = value.value if isinstance(value, ast.Await) else value
                if (
                    not isinstance(inner, ast.Call | ast.Subscript)
                    or not window.own_lines(one)
                    or not window.own_lines(two)
                ):
                    continue
                rest = block[block.index(two) :]
                used = any(isinstance(n, ast.Name) and n.id == name for item in rest for n in ast.walk(item))
                if not used or _checked(window, two, name) or bindings(function, name) != 1:
                    continue
                if "\n" in window.source(value) or window.lines[window.last_line(one)].lstrip().startswith(
                    "#"
                ):
                    continue
                loop = _in_loop(window, one, function)
                out.append(
                    GuardSite(name, window.last_line(one) + 1, window.indent(one), function, loop, value)
                )
    return out


def bindings(scope: ast.AST, name: str) -> int:
    return sum(
        isinstance(n, ast.Name) and n.id == name and isinstance(n.ctx, ast.Store) for n in ast.walk(scope)
    )


def _in_loop(window: SourceWindow, node: ast.AST, function: Function) -> bool:
    at = window.parents.get(node)
    while at is not None and at is not function:
        if isinstance(at, Function | ast.Lambda):
            return False
        if isinstance(at, LOOPS):
            return True
        at = window.parents.get(at)
    return False


def _checked(window: SourceWindow, node: ast.stmt, name: str) -> bool:
    """Whether the next statement already tests the name."""
    if isinstance(node, ast.Assert):
        return True
    return (
        isinstance(node, ast.If | ast.While)
        and re.search(rf"\b{name}\b", window.source(node.test)) is not None
    )
