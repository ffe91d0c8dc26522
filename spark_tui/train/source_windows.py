"""Cuts modules into windows: small parseable pieces of source with a syntax tree, offsets and the queries
that generators need."""

from __future__ import annotations

import ast
import io
import keyword
import re
import tokenize
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from itertools import accumulate
from random import Random
from typing import Any

from spark_tui.pysource.source import Function as Function
from spark_tui.pysource.source import docstring
from spark_tui.pysource.syntax.parsing import parse as parse

Change = tuple[int, int, str]
"""Replaces characters `start..end-1` by the text."""


def apply_changes(text: str, changes: Iterable[Change]) -> str:
    """`text` with all changes applied. They must not overlap; insertions at one place keep their order."""
    out: list[str] = []
    done = 0
    for start, end, new in sorted(changes, key=lambda change: (change[0], change[1])):
        if start < done:
            raise ValueError("changes overlap")
        out += [text[done:start], new]
        done = end
    return "".join([*out, text[done:]])


def line_starts(text: str) -> list[int]:
    """The offset of each line, and one past the end."""
    return [0, *accumulate(len(line) + 1 for line in text.split("\n"))]


def tokens_of(text: str) -> list[tokenize.TokenInfo]:
    """None at all where the text is no Python."""
    try:
        return list(tokenize.generate_tokens(io.StringIO(text).readline))
    except (tokenize.TokenError, SyntaxError):
        return []


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The text with each of these names replaced by another, wherever it stands."""
    if not names:
        return text
    pattern = re.compile(r"\b(?:" + "|".join(map(re.escape, names)) + r")\b")
    return pattern.sub(lambda match: names[match[0]], text)


class SourceWindow:
    """A piece of ASCII source that parses by itself. Treated as immutable: edits return new text."""

    def __init__(self, path: str, text: str, tree: ast.Module | None = None) -> None:
        self.path = path
        self.text = text if text.endswith("\n") else text + "\n"
        found = tree or parse(self.text)
        if found is None:
            raise ValueError(f"{path}: a window has to parse")
        self.tree = found
        self.invented = False
        """Whether its names and words were drawn at random, so that they tell nothing of what it does."""

    @cached_property
    def lines(self) -> list[str]:
        return self.text.split("\n")[:-1]

    @cached_property
    def starts(self) -> list[int]:
        return line_starts(self.text[:-1])

    @cached_property
    def nodes(self) -> list[ast.AST]:
        return list(ast.walk(self.tree))

    @cached_property
    def parents(self) -> dict[ast.AST, ast.AST]:
        return {child: node for node in self.nodes for child in ast.iter_child_nodes(node)}

    @cached_property
    def functions(self) -> list[Function]:
        """Functions and methods, without those nested in another function."""
        return [
            node
            for node in self.nodes
            if isinstance(node, Function) and isinstance(self.parents[node], ast.Module | ast.ClassDef)
        ]

    @cached_property
    def classes(self) -> list[ast.ClassDef]:
        return [node for node in self.nodes if isinstance(node, ast.ClassDef)]

    @cached_property
    def names(self) -> set[str]:
        """Every identifier of the window; a new name must not be among them."""
        out: set[str] = set()
        for node in self.nodes:
            if isinstance(node, ast.Name):
                out.add(node.id)
            elif isinstance(node, ast.arg):
                out.add(node.arg)
            elif isinstance(node, ast.Attribute):
                out.add(node.attr)
            elif isinstance(node, Function | ast.ClassDef):
                out.add(node.name)
            elif isinstance(node, ast.alias):
                out.update(part for part in (node.asname or node.name).split("."))
            elif isinstance(node, ast.keyword) and node.arg:
                out.add(node.arg)
        return out

    def offset(self, line: int, column: int) -> int:
        """Of a 1-based line and a column, as the tree counts them."""
        return self.starts[line - 1] + column

    def span(self, node: ast.AST) -> tuple[int, int]:
        at: Any = node  # every located node has these four
        return self.offset(at.lineno, at.col_offset), self.offset(at.end_lineno, at.end_col_offset)

    def source(self, node: ast.AST) -> str:
        start, end = self.span(node)
        return self.text[start:end]

    def first_line(self, node: ast.stmt) -> int:
        return first_line(node)

    def last_line(self, node: ast.stmt) -> int:
        return node.end_lineno or node.lineno

    def indent(self, node: ast.stmt) -> str:
        line = self.lines[self.first_line(node) - 1]
        return line[: len(line) - len(line.lstrip())]

    def line_span(self, first: int, last: int) -> tuple[int, int]:
        """Offsets of whole lines `first..last` (1-based, both in), the ending included."""
        return self.starts[first - 1], self.starts[last]

    def owner(self, node: ast.AST) -> ast.ClassDef | None:
        """The class whose body holds the function."""
        parent = self.parents.get(node)
        return parent if isinstance(parent, ast.ClassDef) else None

    def function_of(self, node: ast.AST) -> Function | None:
        """The outermost function around a node."""
        found: Function | None = None
        at: ast.AST | None = node
        while at is not None:
            if isinstance(at, Function) and at in self.functions:
                found = at
            at = self.parents.get(at)
        return found

    def statements(self) -> Iterator[tuple[ast.stmt, list[ast.stmt]]]:
        """Every statement with the block that contains it."""
        for node in self.nodes:
            for field in ("body", "orelse", "finalbody"):
                block = getattr(node, field, None)
                if isinstance(block, list):
                    for item in block:
                        if isinstance(item, ast.stmt):
                            yield item, block

    def own_lines(self, node: ast.stmt) -> bool:
        """Whether the statement shares no line with another."""
        first, last = self.first_line(node), self.last_line(node)
        before = self.lines[first - 1][: node.col_offset if not getattr(node, "decorator_list", []) else 0]
        after = self.lines[last - 1][node.end_col_offset or 0 :].strip()
        return not before.strip() and (not after or after.startswith("#"))

    def body_after_docstring(self, function: Function) -> list[ast.stmt]:
        return function.body[1:] if docstring(function) is not None else list(function.body)


def first_line(node: ast.stmt) -> int:
    """Where a statement starts, decorators included (1-based)."""
    return int(min([node.lineno, *(item.lineno for item in getattr(node, "decorator_list", []))]))


def arguments(function: Function) -> list[ast.arg]:
    """Positional and keyword-only parameters, in order, without `self` or `cls`."""
    found = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [item for item in found if item.arg not in ("self", "cls")]


def is_name(text: str) -> bool:
    return text.isidentifier() and not keyword.iskeyword(text)


def _extent(lines: list[str], block: list[ast.stmt], number: int, floor: int) -> tuple[int, int]:
    """0-based half-open lines of a statement, with the comments right above it."""
    node = block[number]
    first = first_line(node) - 1
    while first > floor and lines[first - 1].lstrip().startswith("#"):
        first -= 1
    return first, node.end_lineno or node.lineno


def _join(pieces: list[list[str]], blank: int) -> list[str]:
    out: list[str] = []
    for number, piece in enumerate(pieces):
        out += [""] * (blank if number else 0) + piece
    return out


def _class_window(lines: list[str], node: ast.ClassDef, rng: Random, limit: int) -> list[str] | None:
    """The head of the class, its docstring or not, and a run of its statements."""
    body = node.body[1:] if docstring(node) is not None else node.body
    if not body:
        return None
    head_end = first_line(node.body[0]) - 1
    if docstring(node) is not None and rng.random() < 0.5:
        head_end = node.body[0].end_lineno or head_end
    head = lines[first_line(node) - 1 : head_end]
    while head and not head[-1].strip():
        head.pop()
    start = rng.randrange(len(body))
    taken: list[list[str]] = []
    size = len(head)
    for number in range(start, len(body)):
        a, b = _extent(lines, body, number, head_end)
        size += b - a + 1
        if size > limit:
            break
        taken.append(lines[a:b])
    return [*head, *_join(taken, 1)] if taken and head else None


def windows(path: str, text: str, rng: Random, *, limit: int = 60, count: int = 4) -> Iterator[SourceWindow]:
    """Up to `count` windows of at most `limit` lines: runs of top-level statements, or a shortened class."""
    tree = parse(text)
    if tree is None or not tree.body:
        return
    lines = text.split("\n")
    heavy = [number for number, node in enumerate(tree.body) if isinstance(node, Function | ast.ClassDef)]
    imports = [
        lines[n.lineno - 1]
        for n in tree.body
        if isinstance(n, ast.Import | ast.ImportFrom) and n.lineno == n.end_lineno
    ]
    seen: set[str] = set()
    for _ in range(count * 3):
        if not heavy or len(seen) >= count:
            return
        target = rng.choice([limit // 4, limit // 2, limit, limit])
        number = rng.choice(heavy)
        node = tree.body[number]
        first, last = _extent(lines, tree.body, number, 0)
        if last - first > target:
            piece = _class_window(lines, node, rng, target) if isinstance(node, ast.ClassDef) else None
            if piece is None and last - first > limit:
                continue
            piece = piece or lines[first:last]
        else:
            pieces = [lines[first:last]]
            size = last - first
            while number + 1 < len(tree.body) and rng.random() < 0.6:
                number += 1
                a, b = _extent(lines, tree.body, number, 0)
                size += b - a + 2
                if size > target:
                    break
                pieces.append(lines[a:b])
            piece = _join(pieces, 2)
        body = "\n".join(piece)
        if imports and rng.random() < 0.4:
            used = [line for line in imports if any(word in body for word in _bound(line))]
            rng.shuffle(used)
            picked = [line for line in imports if line in used[: rng.randint(1, 6)]]
            if picked:
                body = "\n".join(picked) + "\n\n\n" + body
        if body in seen or body.count("\n") < 2 or max(map(len, body.split("\n"))) > 160:
            continue
        found = parse(body + "\n")
        if found is not None:
            seen.add(body)
            yield SourceWindow(path, body + "\n", found)


def _bound(line: str) -> list[str]:
    tree = parse(line)
    found = tree.body[0] if tree and tree.body else None
    if isinstance(found, ast.Import | ast.ImportFrom):
        return [(item.asname or item.name).split(".")[0] for item in found.names]
    return ["\n"]
