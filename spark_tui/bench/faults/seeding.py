"""Seeds faults that people make into the source of a package.

It works on bytes and `ast` alone and shares nothing with the code that is to find and mend them.
"""

from __future__ import annotations

import ast
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import TypeVar

from spark_tui.pysource.syntax.parsing import compiles

_SHORTEST_NAME = 4
Node = TypeVar("Node", bound=ast.AST)
Span = tuple[int, int, bytes]
"""From where to where bytes give way, and to what."""


@dataclass(frozen=True, slots=True)
class Fault:
    kind: str
    path: str
    line: int
    before: bytes
    after: bytes

    @property
    def shown(self) -> str:
        """The lines that the fault changes, as a person would see them."""
        old, new = self.before.decode().splitlines(), self.after.decode().splitlines()
        first = next((at for at, pair in enumerate(zip(old, new, strict=False)) if pair[0] != pair[1]), 0)
        pair = [lines[first].strip() if first < len(lines) else "" for lines in (old, new)]
        return f"{pair[0]}  →  {pair[1]}"


class FaultyFile:
    """The source of a file, with what the injectors ask of it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.tree = ast.parse(data)
        self.lines = data.splitlines(keepends=True)
        self._starts = [*accumulate(map(len, self.lines), initial=0)]

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def functions(self) -> list[ast.FunctionDef | ast.AsyncFunctionDef]:
        return [node for node in self.nodes if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]

    @cached_property
    def inside(self) -> list[ast.AST]:
        """What stands in functions and runs when they are called: no annotations, defaults, decorators."""
        return [node for function in self.functions for line in function.body for node in ast.walk(line)]

    def of_kind(self, kind: type[Node]) -> Iterator[Node]:
        """Those of `inside` that are of a kind."""
        return (node for node in self.inside if isinstance(node, kind))

    def start(self, node: ast.expr | ast.stmt) -> int:
        return self._starts[node.lineno - 1] + node.col_offset

    def end(self, node: ast.expr | ast.stmt) -> int:
        assert node.end_lineno is not None and node.end_col_offset is not None
        return self._starts[node.end_lineno - 1] + node.end_col_offset

    def text(self, node: ast.expr | ast.stmt) -> bytes:
        return self.data[self.start(node) : self.end(node)]

    def whole_lines(self, node: ast.stmt) -> tuple[int, int]:
        assert node.end_lineno is not None
        return self._starts[node.lineno - 1], self._starts[node.end_lineno]

    def line_of(self, offset: int) -> int:
        return self.data.count(b"\n", 0, offset) + 1


Injector = Callable[[FaultyFile, random.Random], Iterator[Span]]
INJECTORS: dict[str, Injector] = {}
LINTED = ("unused import", "mutable default", "unclosed file")
"""Faults that a linter reports, not a test."""


def injector(name: str) -> Callable[[Injector], Injector]:
    def register(one: Injector) -> Injector:
        INJECTORS[name] = one
        return one

    return register


def faults(kind: str, path: str, data: bytes, rng: random.Random) -> list[Fault]:
    """All faults of a kind in a file, in random order. Only syntax errors do not parse."""
    try:
        module = FaultyFile(data)
    except (SyntaxError, ValueError):
        return []
    out = []
    for start, end, new in INJECTORS[kind](module, rng):
        after = data[:start] + new + data[end:]
        if after != data and compiles(after) != kind.startswith("syntax"):
            out.append(Fault(kind, path, module.line_of(start), data, after))
    rng.shuffle(out)
    return out


def misspelt(name: str, rng: random.Random) -> str:
    """The name with two letters exchanged, one left out, one doubled, or another one."""
    at = rng.randrange(1, len(name) - 1)
    return rng.choice(
        (
            name[:at] + name[at + 1] + name[at] + name[at + 2 :],
            name[:at] + name[at + 1 :],
            name[:at] + name[at] + name[at:],
            name[:at] + rng.choice("aeinorst") + name[at + 1 :],
        )
    )


# -- names -------------------------------------------------------------------------------------------


@injector("misspelt name")
def _name(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Name):
        if isinstance(node.ctx, ast.Load) and len(node.id) >= _SHORTEST_NAME:
            yield at.start(node), at.end(node), misspelt(node.id, rng).encode()


@injector("misspelt attribute")
def _attribute(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Attribute):
        if isinstance(node.ctx, ast.Load) and len(node.attr) > 3:
            yield at.end(node) - len(node.attr.encode()), at.end(node), misspelt(node.attr, rng).encode()


@injector("undefined name")
def _lost_self(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    """`self.` left out before an attribute."""
    for node in at.of_kind(ast.Attribute):
        if isinstance(node.ctx, ast.Load) and at.text(node.value) == b"self":
            yield at.start(node), at.end(node), node.attr.encode()


@injector("missing import")
def _import(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for stmt in at.tree.body:
        future = isinstance(stmt, ast.ImportFrom) and stmt.module == "__future__"
        if isinstance(stmt, ast.Import | ast.ImportFrom) and len(stmt.names) == 1 and not future:
            yield *at.whole_lines(stmt), b""


@injector("misspelt import")
def _imported_name(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for stmt in at.tree.body:
        if isinstance(stmt, ast.ImportFrom) and stmt.module != "__future__":
            name = rng.choice(stmt.names).name
            low, high = at.start(stmt), at.end(stmt)
            place = at.data.find(name.encode(), at.data.find(b"import", low), high)
            if len(name) >= _SHORTEST_NAME and place > 0:
                yield place, place + len(name), misspelt(name, rng).encode()


# -- calls -------------------------------------------------------------------------------------------


def _own_calls(at: FaultyFile) -> Iterator[ast.Call]:
    """Calls of what looks defined by the package itself: the test decides."""
    return (call for call in at.of_kind(ast.Call) if isinstance(call.func, ast.Name | ast.Attribute))


@injector("missing argument")
def _argument(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for call in _own_calls(at):
        if not call.args or any(isinstance(arg, ast.Starred) for arg in call.args):
            continue
        number = rng.randrange(len(call.args))
        rest: list[ast.expr] = [*call.args, *(keyword.value for keyword in call.keywords)]
        if number + 1 < len(call.args):
            yield at.start(call.args[number]), at.start(call.args[number + 1]), b""
        elif number:
            yield at.end(call.args[number - 1]), at.end(call.args[number]), b""
        elif len(rest) == 1:
            yield at.start(call.args[0]), at.end(call.args[0]), b""


@injector("surplus argument")
def _surplus(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for call in _own_calls(at):
        if call.args and not call.keywords and not isinstance(call.args[-1], ast.Starred | ast.GeneratorExp):
            extra = rng.choice((b"None", b"True", b"0", at.text(rng.choice(call.args))))
            yield at.end(call.args[-1]), at.end(call.args[-1]), b", " + extra


@injector("misspelt keyword")
def _keyword(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for call in _own_calls(at):
        for keyword in call.keywords:
            if keyword.arg is not None and len(keyword.arg) >= _SHORTEST_NAME:
                low = at.start(keyword.value) - len(keyword.arg) - 1
                if at.data[low : low + len(keyword.arg)] == keyword.arg.encode():
                    yield low, low + len(keyword.arg), misspelt(keyword.arg, rng).encode()


@injector("missing self")
def _no_self(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for owner in at.nodes:
        for stmt in owner.body if isinstance(owner, ast.ClassDef) else ():
            if isinstance(stmt, ast.FunctionDef) and stmt.args.args and stmt.args.args[0].arg == "self":
                place = at.data.find(b"self", at.start(stmt), at.start(stmt.body[0]))
                after = place + len(b"self")
                rest = at.data[after : after + 2]
                yield place, after + (2 if rest == b", " else 0), b""


@injector("missing await")
def _await(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Await):
        yield at.start(node), at.start(node.value), b""


# -- values ------------------------------------------------------------------------------------------


@injector("missing None guard")
def _guard(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.If):
        if node.orelse or b" is None" not in at.text(node.test):
            continue
        if at.data[at.start(node) :].startswith(b"if ") and len(at.text(node.test).split()) == 3:
            yield *at.whole_lines(node), b""


@injector("off by one")
def _index(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.inside:
        if isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load):
            index = node.slice
            if isinstance(index, ast.Name | ast.BinOp):
                yield at.end(index), at.end(index), b" + 1"
            elif isinstance(index, ast.Constant) and isinstance(index.value, int):
                yield at.start(index), at.end(index), str(index.value + 1).encode()
            elif isinstance(index, ast.UnaryOp) and at.text(index) == b"-1":
                yield at.start(index), at.end(index), b"len(" + at.text(node.value) + b")"
        elif isinstance(node, ast.Call) and at.text(node.func) == b"range" and node.args:
            last = node.args[0] if len(node.args) == 1 else node.args[1]
            yield at.end(last), at.end(last), rng.choice((b" + 1", b" + 2"))


@injector("missing return")
def _return(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Return):
        if node.value is not None and at.text(node.value) != b"None":
            yield at.start(node), at.start(node.value), b""


@injector("missing f prefix")
def _prefix(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.JoinedStr):
        if at.text(node)[:1] in (b"f", b"F"):
            yield at.start(node), at.start(node) + 1, b""


_EXCEPTIONS = (b"KeyError", b"ValueError", b"TypeError", b"AttributeError", b"IndexError", b"RuntimeError")


@injector("wrong exception caught")
def _caught(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.nodes:
        if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name):
            other = rng.choice([name for name in _EXCEPTIONS if name.decode() != node.type.id])
            yield at.start(node.type), at.end(node.type), other


@injector("wrong exception raised")
def _raised(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Raise):
        called = node.exc.func if isinstance(node.exc, ast.Call) else None
        if isinstance(called, ast.Name) and called.id.encode() in _EXCEPTIONS:
            other = rng.choice([name for name in _EXCEPTIONS if name.decode() != called.id])
            yield at.start(called), at.end(called), other


# -- syntax ------------------------------------------------------------------------------------------


def _dropped(at: FaultyFile, tokens: bytes) -> Iterator[Span]:
    """Each of some characters left out, where it ends a line."""
    for number, line in enumerate(at.lines):
        code = line.rstrip()
        if code[-1:] and code[-1:] in tokens:
            place = sum(map(len, at.lines[:number])) + len(code) - 1
            yield place, place + 1, b""


@injector("syntax: colon")
def _colon(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    yield from _dropped(at, b":")


@injector("syntax: bracket")
def _bracket(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    yield from _dropped(at, b")]}")
    for node in at.of_kind(ast.Call):
        yield at.end(node) - 1, at.end(node), b""


@injector("syntax: comma")
def _comma(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.inside:
        items = node.args if isinstance(node, ast.Call) else getattr(node, "elts", [])
        for left, right in pairwise(items):
            gap = at.data.find(b",", at.end(left), at.start(right))
            if gap >= 0:
                yield gap, gap + 1, b""


@injector("syntax: quote")
def _quote(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.Constant):
        if isinstance(node.value, str) and at.text(node)[-2:-1] not in b"\"'":
            yield at.end(node) - 1, at.end(node), b""


@injector("syntax: equals")
def _equals(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.inside:
        if isinstance(node, ast.If | ast.While) and isinstance(node.test, ast.Compare):
            place = at.data.find(b" == ", at.start(node.test), at.end(node.test))
            if place > 0:
                yield place, place + 4, b" = "


@injector("syntax: indent")
def _indent(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.stmt):
        if node.col_offset >= 4:
            low = at.whole_lines(node)[0]
            yield low, low + 1, rng.choice((b"", b"  "))


# -- what linters report -----------------------------------------------------------------------------


@injector("unused import")
def _unused(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    names = [name for name in ("json", "os", "sys", "re", "shutil", "math") if name.encode() not in at.data]
    for stmt in at.tree.body:
        if isinstance(stmt, ast.Import | ast.ImportFrom) and names:
            place = at.whole_lines(stmt)[1]
            yield place, place, f"import {rng.choice(names)}\n".encode()


@injector("mutable default")
def _default(at: FaultyFile, rng: random.Random) -> Iterator[Span]:
    for function in at.functions:
        for value in function.args.defaults:
            if isinstance(value, ast.Constant) and value.value is None:
                yield at.start(value), at.end(value), rng.choice((b"[]", b"{}"))


@injector("unclosed file")
def _unclosed(at: FaultyFile, _: random.Random) -> Iterator[Span]:
    for node in at.of_kind(ast.With):
        if len(node.items) != 1 or len(node.body) != 1:
            continue
        item = node.items[0]
        if isinstance(item.optional_vars, ast.Name) and b"open(" in at.text(item.context_expr):
            head = item.optional_vars.id.encode() + b" = " + at.text(item.context_expr) + b"\n"
            rest = b" " * node.col_offset + at.text(node.body[0])
            yield at.start(node), at.end(node), head + rest
