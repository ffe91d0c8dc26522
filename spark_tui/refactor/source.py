"""A piece of a file as a tree whose nodes know where they stand in the text.

Comes in: the lines that are shown, and lines that they take in front to be read by themselves. Goes out:
nodes, spans, and the text with changes made. Must not know: instructions, hunks, models.
"""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from spark_tui.pysource.parsing import parse_code

Function = ast.FunctionDef | ast.AsyncFunctionDef
Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
Change = tuple[int, int, str]
"""Characters `start..end-1` of the text become the new ones."""


def parse(text: str) -> ast.Module | None:
    """The tree, or None where the text does not parse."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return parse_code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def headers(lines: Sequence[str]) -> list[str]:
    """What a text that begins inside a class or a function needs in front of it to be read by itself."""
    depths = [
        len(line) - len(line.lstrip()) for line in lines if line.strip() and not line.lstrip().startswith("#")
    ]
    if not depths or not depths[0]:
        return []
    outer = [0, *sorted({depth for depth in depths if 0 < depth < depths[0]})]
    return [" " * depth + "class _:" for depth in outer[:-1]] + [" " * outer[-1] + "async def _():"]


def parses(lines: Sequence[str], *, compiles: bool = False) -> bool:
    """`compiles` looks for more: a name that is a parameter twice, a `return` outside of a function."""
    text = "\n".join([*headers(lines), *lines, ""])
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if compiles:
                compile(text, "shown", "exec", dont_inherit=True)
            else:
                parse_code(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


class Source:
    """Lines are counted from 0 and have no ending. What stands in `headers` is in the tree and nowhere
    else."""

    def __init__(self, lines: Sequence[str], headers: Sequence[str] = ()) -> None:
        self.lines = tuple(lines)
        self.headers = tuple(headers)
        self.text = "".join(f"{line}\n" for line in self.lines)

    @cached_property
    def tree(self) -> ast.Module | None:
        """Of the headers and the lines together. A parser counts lines otherwise where one holds a carriage
        return."""
        if any("\r" in line[:-1] for line in self.lines):
            return None
        return parse("".join(f"{line}\n" for line in (*self.headers, *self.lines)))

    @cached_property
    def nodes(self) -> list[ast.AST]:
        """All nodes that stand in the lines, in the order of the text; what has no place comes with its
        parent."""
        if self.tree is None:
            return []
        found = [node for node in ast.walk(self.tree) if not self._in_headers(node)]
        return sorted(found, key=lambda node: (getattr(node, "lineno", 0), getattr(node, "col_offset", 0)))

    def _in_headers(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Module) or getattr(node, "lineno", len(self.headers) + 1) <= len(
            self.headers
        )

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        tree = self.tree
        return (
            {child: node for node in ast.walk(tree) for child in ast.iter_child_nodes(node)} if tree else {}
        )

    @cached_property
    def functions(self) -> list[Function]:
        """Functions and methods, nested ones too, in the order of the text."""
        return [node for node in self.nodes if isinstance(node, Function)]

    @cached_property
    def classes(self) -> list[ast.ClassDef]:
        return [node for node in self.nodes if isinstance(node, ast.ClassDef)]

    # -- places
    # ------------------------------------------------------------------------------------------------------

    @cached_property
    def starts(self) -> list[int]:
        """The offset of each line, and one past the end."""
        out = [0]
        for line in self.lines:
            out.append(out[-1] + len(line) + 1)
        return out

    def offset(self, lineno: int, column: int) -> int:
        """Of a place as the tree counts it: lines from 1 with the headers, columns in bytes."""
        number = lineno - 1 - len(self.headers)
        line = self.lines[number]
        return self.starts[number] + (
            column if line.isascii() else len(line.encode()[:column].decode(errors="ignore"))
        )

    def span(self, node: ast.AST) -> tuple[int, int]:
        at = node  # every located node has these four
        start = self.offset(at.lineno, at.col_offset)  # type: ignore[attr-defined]
        return start, self.offset(at.end_lineno, at.end_col_offset)  # type: ignore[attr-defined]

    def segment(self, node: ast.AST) -> str:
        """The source of a node."""
        start, end = self.span(node)
        return self.text[start:end]

    def line_at(self, offset: int) -> int:
        return bisect_right(self.starts, offset) - 1

    def first_line(self, node: ast.AST) -> int:
        """Where it begins, decorators included."""
        decorators = getattr(node, "decorator_list", [])
        lines = [node.lineno, *(item.lineno for item in decorators)]  # type: ignore[attr-defined]
        return int(min(lines)) - 1 - len(self.headers)

    def last_line(self, node: ast.AST) -> int:
        """One past its last."""
        return int(node.end_lineno) - len(self.headers)  # type: ignore[attr-defined]

    def line_span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets of whole lines `first..last-1`, endings included."""
        return self.starts[first], self.starts[last]

    def indent(self, node: ast.AST) -> str:
        """The blank characters in front of the line on which it begins."""
        return indent_of(self.lines[self.first_line(node)])

    @cached_property
    def step(self) -> str:
        """One level of indentation, as the file has it."""
        for one in self.statements:
            inner = getattr(one, "body", None)
            if (
                isinstance(inner, list)
                and inner
                and isinstance(inner[0], ast.stmt)
                and not self._in_headers(inner[0])
            ):
                outer, deep = self.indent(one), self.indent(inner[0])
                if deep.startswith(outer) and len(deep) > len(outer):
                    return deep[len(outer) :]
        return "    "

    # -- relations
    # ---------------------------------------------------------------------------------------------------

    @cached_property
    def statements(self) -> list[ast.stmt]:
        return [node for node in self.nodes if isinstance(node, ast.stmt)]

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nearest first."""
        at = self.parents.get(node)
        while at is not None:
            yield at
            at = self.parents.get(at)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that holds a node, or is it."""
        return next((one for one in (node, *self.ancestors(node)) if isinstance(one, ast.stmt)), None)

    def function_of(self, node: ast.AST) -> Function | None:
        """The innermost function around a node."""
        found = next((one for one in self.ancestors(node) if isinstance(one, Function)), None)
        return found if found is None or not self._in_headers(found) else None

    def class_of(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose body holds a definition."""
        parent = self.parents.get(node)
        return parent if isinstance(parent, ast.ClassDef) and not self._in_headers(parent) else None

    def block(self, statement: ast.stmt) -> list[ast.stmt]:
        """The statements among which it stands."""
        parent = self.parents.get(statement)
        for field in ("body", "orelse", "finalbody", "handlers"):
            block = getattr(parent, field, None)
            if isinstance(block, list) and statement in block:
                return block
        return [statement]

    def inside(self, first: int, last: int) -> list[ast.AST]:
        """Nodes that begin on the lines `first..last-1`."""
        low, high = first + 1 + len(self.headers), last + len(self.headers)
        return [node for node in self.nodes if low <= getattr(node, "lineno", 0) <= high]

    @cached_property
    def comments(self) -> list[tuple[int, int, str]]:
        """Line, column and text of every comment, as far as the text can be told apart."""
        out: list[tuple[int, int, str]] = []
        whole = "".join(f"{line}\n" for line in (*self.headers, *self.lines))
        try:
            for token in tokenize.generate_tokens(io.StringIO(whole).readline):
                if token.type == tokenize.COMMENT:
                    out.append((token.start[0] - 1 - len(self.headers), token.start[1], token.string))
        except (tokenize.TokenError, SyntaxError):
            pass
        return out

    # -- changes
    # -----------------------------------------------------------------------------------------------------

    def changed(self, changes: Iterable[Change]) -> str:
        """The text with all changes made. They may not overlap; what is put in at one place keeps its
        order."""
        out: list[str] = []
        done = 0
        for start, end, new in sorted(changes, key=lambda change: (change[0], change[1])):
            if start < done:
                raise ValueError("changes overlap")
            out += [self.text[done:start], new]
            done = end
        return "".join([*out, self.text[done:]])

    def with_lines(self, first: int, last: int, new: Sequence[str]) -> str:
        """The text with lines `first..last-1` replaced."""
        return self.changed([(*self.line_span(first, last), "".join(f"{line}\n" for line in new))])

    def without(self, first: int, last: int) -> str:
        """The text without lines, and without the blank ones that would stand doubled behind them."""
        lines = self.lines
        while last < len(lines) and not lines[last].strip() and (first == 0 or not lines[first - 1].strip()):
            last += 1
        return self.with_lines(first, last, ())


def indent_of(line: str) -> str:
    return line[: len(line) - len(line.lstrip())]


def docstring(node: Definition | ast.Module) -> ast.Expr | None:
    """The statement that is the docstring."""
    first = node.body[0] if node.body else None
    if (
        isinstance(first, ast.Expr)
        and isinstance(first.value, ast.Constant)
        and isinstance(first.value.value, str)
    ):
        return first
    return None


def body_behind_docstring(node: Definition) -> list[ast.stmt]:
    return node.body[1:] if docstring(node) is not None else list(node.body)


def parameters(function: Function) -> list[ast.arg]:
    """All that have a name of their own, in the order of the head; `self` and `cls` are left out."""
    spec = function.args
    found = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    found += [one for one in (spec.vararg, spec.kwarg) if one is not None]
    placed = sorted(found, key=lambda one: (one.lineno, one.col_offset))
    return [one for one in placed if one.arg not in ("self", "cls")]
