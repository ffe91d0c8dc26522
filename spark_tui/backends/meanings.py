"""Where a name stands in code, and at which of those places the same thing is meant.

Comes in: lines that parse, a name, places where it is known to be meant. Goes out: all places. Must not know: hunks,
instructions, engines.

The same thing is meant where Python would look up the same: a local name in its function, a parameter also as a
keyword of calls and in the docstring's list, an attribute behind the same receiver, a method at its `def` and behind
`self`. Strings and comments are left alone unless one of the known places is in one.
"""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.parsing import parse_code

_LITERAL = re.compile(r"#[^\n]*|(?<!\w)(?P<p>[rbuRBUfF]{0,2})(?P<q>\"\"\"|'''|\"|')(?:\\.|(?!(?P=q)).)*(?P=q)", re.S)
_HOLE = re.compile(r"\{\{|\{([^{}]*)")
_ITSELF = frozenset({"self", "cls"})
_FUNCTION = (ast.FunctionDef, ast.AsyncFunctionDef)
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Place:
    """Where a name stands: a line, the column it starts at, what it hangs from, and whether that is text, not code."""

    line: int
    column: int
    receiver: str | None = None
    literal: bool = False


@dataclass
class Meanings:
    """Of one text. `headers` are lines that it takes in front to be read by itself."""

    lines: Sequence[str]
    headers: Sequence[str] = ()

    def places(self, name: str) -> list[Place]:
        """Every place where the whole name (or dotted name, or number) stands."""
        out: list[Place] = []
        offset = 0
        if name not in self._text:
            return out
        word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
        for number, line in enumerate(self.lines):
            for found in word.finditer(line) if name in line else ():
                at = offset + found.start()
                hangs = re.search(r"([\w.]*)\s*\.$", line[: found.start()])
                literal = any(start <= at < end for start, end in self._literals)
                out.append(Place(number, found.start(), hangs[1] if hangs else None, literal))
            offset += len(line) + 1
        return out

    def meant(self, name: str, known: Collection[Place], named: Collection[str] = ()) -> list[Place]:
        """Where the same is meant as at the known places. Of functions that have the name as their own, the `named`
        ones count, where there are such."""
        if self._tree is None:
            return []
        everywhere = self.places(name)
        code = [place for place in everywhere if not place.literal or any(item.literal for item in known)]
        if not name.isidentifier():
            return [place for place in code if place.receiver is None]
        calls = self._keywords(name)
        bare = [place for place in code if place.receiver is None and (place.line, place.column) not in calls]
        receivers = {place.receiver for place in known if place.receiver is not None}
        out: set[Place] = set()
        for place in known:
            if place.receiver is not None:
                continue
            own = self._own(place.line, name, named)
            members = self._members(place.line, name)
            if own is not None:
                out |= {item for item in bare if item.line in self._span(own)}
                if any(isinstance(node, ast.arg) and node.arg == name for node in ast.walk(own.args)):
                    out |= {p for p in code if calls.get((p.line, p.column)) == own.name}
                    out |= set(self._listed(own, name, everywhere))
            elif members:
                out |= {item for item in bare if item.line in members}
                receivers |= _ITSELF
            else:
                hidden = {number for node in self._functions if _binds(node, name) for number in self._span(node)}
                out |= {item for item in bare if item.line not in hidden} | {place}
        out |= {place for place in code if place.receiver is not None and place.receiver in receivers}
        if receivers & _ITSELF:
            out |= {place for place in bare if self._members(place.line, name)}
        return sorted(out, key=lambda place: (place.line, place.column))

    def makes(self, name: str) -> bool:
        """Whether the text gives a name its meaning: assigns it, defines it, takes it."""
        return any(
            _makes(node, name) or (isinstance(node, ast.Attribute) and node.attr == name and _stored(node))
            for node in self._nodes
            if not isinstance(node, ast.alias)
        )

    # -- the text ----------------------------------------------------------------------------------------------------

    @cached_property
    def _text(self) -> str:
        return "\n".join(self.lines)

    @cached_property
    def _tree(self) -> ast.Module | None:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                return parse_code("\n".join([*self.headers, *self.lines, ""]))
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return None

    @cached_property
    def _nodes(self) -> list[ast.AST]:
        return list(ast.walk(self._tree)) if self._tree is not None else []

    @cached_property
    def _functions(self) -> list[Function]:
        """Those of the text itself, the outer ones first."""
        return [node for node in self._nodes if isinstance(node, _FUNCTION) and self._line(node) >= 0]

    @cached_property
    def _literals(self) -> list[tuple[int, int]]:
        """Strings and comments, without what stands in the braces of f-strings."""
        out = []
        for found in _LITERAL.finditer(self._text):
            start, end = found.span()
            if "f" in (found["p"] or "").lower():
                for hole in _HOLE.finditer(found[0]):
                    if hole[1] is not None:
                        out.append((start, found.start() + hole.start(1)))
                        start = found.start() + hole.end(1)
            out.append((start, end))
        return out

    def _line(self, node: ast.stmt | ast.expr | ast.keyword) -> int:
        return node.lineno - 1 - len(self.headers)

    def _span(self, node: Function | ast.ClassDef | ast.stmt) -> range:
        return range(self._line(node), (node.end_lineno or node.lineno) - len(self.headers))

    # -- who a name belongs to -----------------------------------------------------------------------------------------

    def _own(self, line: int, name: str, named: Collection[str]) -> Function | None:
        """The function whose own name it is."""
        owners = [node for node in self._functions if _binds(node, name)]
        told = [node for node in owners if node.name in named]
        around = [node for node in owners if line in self._span(node)]
        return (told if told and (not around or around[0] not in told) else [*around, None])[0]

    def _members(self, line: int, name: str) -> set[int]:
        """Lines on which the class around this line names it as a member, if this is one of them."""
        for node in self._nodes:
            if isinstance(node, ast.ClassDef) and self._line(node) >= 0 and line in self._span(node):
                found = {self._line(item) for item in node.body if _is_member(item, name)}
                if line in found:
                    return found
        return set()

    def _keywords(self, name: str) -> dict[tuple[int, int], str]:
        """Where `name=` stands in a call, and of what."""
        out = {}
        for call in self._nodes:
            if isinstance(call, ast.Call):
                called = getattr(call.func, "id", getattr(call.func, "attr", ""))
                for item in call.keywords:
                    if item.arg == name and 0 <= self._line(item) < len(self.lines):
                        before = self.lines[self._line(item)].encode()[: item.col_offset]
                        out[(self._line(item), len(before.decode(errors="ignore")))] = called
        return out

    def _listed(self, function: Function, name: str, places: Sequence[Place]) -> Iterator[Place]:
        """Where the docstring lists a parameter."""
        first = function.body[0]
        if ast.get_docstring(function, clean=False) is None:
            return
        for place in places:
            if place.line in self._span(first) and place.literal:
                line = self.lines[place.line]
                before, behind = line[: place.column], line[place.column + len(name) :]
                quoted = before.endswith("`") and behind.startswith("`")
                heads = not before.strip() and re.match(r":| \(| :", behind)
                if quoted or heads or before.endswith(":param "):
                    yield place


def _binds(function: Function, name: str) -> bool:
    """Whether a name is the function's own."""
    for node in ast.walk(function):
        if isinstance(node, ast.Global) and name in node.names:
            return False
    return any(_makes(node, name) for node in ast.walk(function) if node is not function)


def _stored(node: ast.Name | ast.Attribute) -> bool:
    return isinstance(node.ctx, ast.Store)


def _makes(node: ast.AST, name: str) -> bool:
    if isinstance(node, ast.Name):
        return _stored(node) and node.id == name
    if isinstance(node, ast.alias):
        return (node.asname or node.name) == name
    if isinstance(node, ast.arg):
        return node.arg == name
    return isinstance(node, ast.ExceptHandler | ast.ClassDef | Function) and node.name == name


def _is_member(item: ast.stmt, name: str) -> bool:
    if isinstance(item, ast.ClassDef | Function):
        return item.name == name
    return isinstance(item, ast.Assign | ast.AnnAssign) and any(_makes(node, name) for node in ast.walk(item))
