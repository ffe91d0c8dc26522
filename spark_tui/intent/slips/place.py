"""Where slips are looked for: the lines of one function that ran, or what a module sets."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property

from spark_tui.pysource.source import Definition, Function, Source, docstring, parameters
from spark_tui.pysource.syntax.walking import NodeT, walk

Change = tuple[int, int, str]
"""Characters from one place to another give way to a text."""
_MOST_OTHERS = 6
_MOST_TEXT = 40


@dataclass(frozen=True, slots=True)
class Slip:
    """A repair of a slip: its changes, and how likely such a slip is beside others."""

    changes: tuple[Change, ...]
    weight: float


@dataclass(frozen=True, eq=False)
class Place:
    """A function, or a module without its functions, of which some lines ran. `told` are exceptions that the
    failing test names or raises, `wanted` the values that it asks for."""

    source: Source
    root: ast.AST
    lines: frozenset[int]
    told: tuple[str, ...] = ()
    wanted: tuple[str, ...] = ()

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The nodes in the lines that ran, without docstrings and annotations."""
        left_out = set[ast.AST]()
        for node in walk(self.root):
            quiet: list[ast.AST | None] = [docstring(node), getattr(node, "annotation", None)]
            quiet.append(getattr(node, "returns", None))
            if isinstance(node, Function) and node is not self.root:
                quiet.append(node)
            for one in quiet:
                left_out.update(walk(one))
        return tuple(
            node
            for node in walk(self.root)
            if node not in left_out and hasattr(node, "lineno") and node is not self.root and self._ran(node)
        )

    def _ran(self, node: ast.AST) -> bool:
        if getattr(node, "lineno", 0) in self.lines:
            return True
        statement = self.source.statement(node)
        return statement is not None and statement.lineno in self.lines

    def all(self, *kinds: type[NodeT]) -> list[NodeT]:
        """The nodes of some kinds whose place is known."""
        return [one for one in self.nodes if isinstance(one, kinds) and self.source.span(one)[0] >= 0]

    @cached_property
    def tests(self) -> tuple[ast.expr, ...]:
        """What is tested by branches, loops and comprehensions."""
        found: list[ast.expr] = []
        for node in self.nodes:
            if isinstance(node, ast.If | ast.While | ast.IfExp):
                found.append(node.test)
            elif isinstance(node, ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp):
                found += [test for one in node.generators for test in one.ifs]
        return tuple(one for one in found if self.source.span(one)[0] >= 0)

    @cached_property
    def variables(self) -> tuple[str, ...]:
        """The parameters and local variables, and those of functions around."""
        found: dict[str, None] = {}
        for holder in (self.root, *self.source.ancestors(self.root)):
            if isinstance(holder, Function):
                found |= dict.fromkeys(one.arg for one in parameters(holder))
                for node in walk(holder):
                    if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
                        found[node.id] = None
        return tuple(found)

    @cached_property
    def members(self) -> tuple[str, ...]:
        """The attributes that the file sets or names, and the fields of its classes."""
        found: dict[str, None] = {}
        for node in walk(self.source.tree):
            if isinstance(node, ast.Attribute):
                found[node.attr] = None
            elif isinstance(node, ast.ClassDef):
                for one in node.body:
                    if isinstance(one, ast.AnnAssign) and isinstance(one.target, ast.Name):
                        found[one.target.id] = None
        return tuple(found)

    @cached_property
    def globals(self) -> frozenset[str]:
        """What the file defines, sets or imports."""
        found = {one.name for one in self.source.body if isinstance(one, Definition)}
        for node in self.source.body:
            if isinstance(node, ast.Import | ast.ImportFrom):
                found |= {(alias.asname or alias.name).partition(".")[0] for alias in node.names}
            elif isinstance(node, ast.Assign | ast.AnnAssign):
                found |= {one.id for one in walk(node) if isinstance(one, ast.Name)}
        return frozenset(found)

    @cached_property
    def literals(self) -> tuple[str | int | float, ...]:
        """The short literals of the file."""
        found = dict[str | int | float, None]()
        for node in walk(self.source.tree):
            value = node.value if type(node) is ast.Constant else None
            if type(value) in (int, float) or (isinstance(value, str) and len(value) <= _MOST_TEXT):
                found[value] = None  # type: ignore[index]
        return tuple(found)

    def swap(self, node: ast.AST, text: str, weight: float) -> Iterator[Slip]:
        low, high = self.source.span(node)
        if low >= 0 and self.source.text[low:high] != text:
            yield Slip(((low, high, text),), weight)

    def code(self, node: ast.AST) -> str:
        return self.source.segment(node)


Finder = Callable[[Place], Iterator[Slip]]
FINDERS: list[Finder] = []


def finder(function: Finder) -> Finder:
    """Register a function that finds slips of a kind."""
    FINDERS.append(function)
    return function


def likest(name: str, others: tuple[str, ...]) -> list[str]:
    """Other names, those that share letters with a name first."""
    rest = [one for one in others if one != name and not one.startswith("__")]
    return sorted(rest, key=lambda one: -len(set(one) & set(name)) / len(set(one) | set(name)))[:_MOST_OTHERS]


def in_brackets(code: str, node: ast.AST) -> str:
    """Code that may stand beside an operator or in front of a dot."""
    plain = ast.Name | ast.Attribute | ast.Call | ast.Subscript | ast.Constant | ast.List | ast.Dict
    return code if isinstance(node, plain) else f"({code})"
