"""The definitions and names of a file: Python by its own parser, other languages by the form of their lines.

A Python file that does not parse is read by the form of its lines, so that a half-written one is mapped too.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from spark_tui.pysource.syntax.parsing import parse, targets

_WORD = re.compile(r"[^\W\d]\w+")
_PYTHON = (".py", ".pyi", ".pyw")
MODIFIED = (
    r"^(?P<indent>[ \t]*)(?:(?:export|default|public|private|protected|internal|static|abstract|final|async"
    r"|override|unsafe|open|data|sealed|pub(?:\([^)\n]*\))?)[ \t]+)*"
)
KEYWORD = (
    r"(?:function\*?|class|interface|enum|struct|trait|impl|fn|func|fun|type|module|namespace|object"
    r"|protocol|mod|macro_rules!|def|sub)[ \t]+(?:\([^)\n]*\)[ \t]*)?(?:<[^>\n]*>[ \t]*)?"
)
C_FUNCTION = re.compile(
    r"^(?P<indent>)[A-Za-z_][\w:<>,*& \t]*[ \t*&]"
    r"(?P<name>[A-Za-z_]\w*)[ \t]*\([^;\n]*\)[ \t]*(?:const[ \t]*)?\{?[ \t]*$",
    re.MULTILINE,
)
HEADING = re.compile(r"^(?P<indent>)#{1,3}[ \t]+(?P<name>\S[^\n]*?)[ \t]*$", re.MULTILINE)
_LINE_SHAPES = (
    re.compile(rf"{MODIFIED}{KEYWORD}(?P<name>(?:[^\W\d]|\$)[\w$]*[!?]?)"),
    re.compile(
        r"^(?P<indent>\s*)(?:export\s+)?(?:const|let|var)\s+"
        r"(?P<name>[\w$]+)\s*(?::[^=]+)?=\s*(?:async\s*)?(?:\(|function)"
    ),
    C_FUNCTION,
    HEADING,
)
_PROSE = (".md", ".markdown", ".rst", ".txt")
_MOST_LINES = 50_000


@dataclass(frozen=True, slots=True)
class Definition:
    """Lines `first..last` (1-based, both included) define `name`; `inside` names what holds it."""

    name: str
    first: int
    last: int
    inside: str = ""
    head: str = ""
    """The line that shows it."""

    @property
    def full_name(self) -> str:
        return f"{self.inside}.{self.name}" if self.inside else self.name


@dataclass(frozen=True)
class Outline:
    path: str
    definitions: tuple[Definition, ...]
    names: Counter[str]
    """Every identifier that occurs, and how often."""

    def find(self, name: str) -> tuple[Definition, ...]:
        """`add` or `Cart.add`."""
        return tuple(d for d in self.definitions if name in (d.name, d.full_name))


def outline(path: str, lines: Sequence[str]) -> Outline:
    names: Counter[str] = Counter()
    for line in lines[:_MOST_LINES]:
        names.update(_WORD.findall(line))
    found = _python(lines) if path.endswith(_PYTHON) else None
    if found is None:
        found = tuple(_by_shape(path, lines[:_MOST_LINES]))
    return Outline(path, found, names)


def _python(lines: Sequence[str]) -> tuple[Definition, ...] | None:
    tree = parse("\n".join(lines))
    if tree is None:
        return None
    return tuple(sorted(_walk(tree, "", lines), key=lambda d: (d.first, -d.last)))


def _walk(node: ast.AST, inside: str, lines: Sequence[str]) -> Iterator[Definition]:
    for child in ast.iter_child_nodes(node):
        if isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            first = min([child.lineno, *(d.lineno for d in child.decorator_list)])
            head = lines[child.lineno - 1].rstrip() if child.lineno <= len(lines) else ""
            yield Definition(child.name, first, child.end_lineno or child.lineno, inside, head)
            yield from _walk(child, f"{inside}.{child.name}" if inside else child.name, lines)
        elif isinstance(child, (ast.Assign, ast.AnnAssign)) and isinstance(node, ast.Module):
            for target in targets(child):
                if isinstance(target, ast.Name):
                    end = child.end_lineno or child.lineno
                    yield Definition(target.id, child.lineno, end, inside, lines[child.lineno - 1].rstrip())
        elif not isinstance(child, ast.expr):
            yield from _walk(child, inside, lines)


def _by_shape(path: str, lines: Sequence[str]) -> Iterator[Definition]:
    """A definition ends before the next one that is not further in."""
    shapes = _LINE_SHAPES[-1:] if path.endswith(_PROSE) else _LINE_SHAPES[:-1]
    starts: list[tuple[int, int, str, str]] = []
    for number, line in enumerate(lines, start=1):
        if len(line) > 400:
            continue
        for shape in shapes:
            if match := shape.match(line):
                starts.append((number, len(match["indent"].expandtabs(4)), match["name"], line.rstrip()))
                break
    ends, holders = _nested([deep for _, deep, _, _ in starts])
    for at, (first, _, name, head) in enumerate(starts):
        last = (starts[ends[at]][0] if ends[at] < len(starts) else len(lines) + 1) - 1
        while last > first and not lines[last - 1].strip():
            last -= 1
        yield Definition(name, first, last, starts[holders[at]][2] if holders[at] >= 0 else "", head)


def _nested(depths: Sequence[int]) -> tuple[list[int], list[int]]:
    """For each depth the place of the next that is not deeper, and of the last before that is less deep (-1:
    none). In one pass: a file may define tens of thousands."""
    ends, holders = [len(depths)] * len(depths), [-1] * len(depths)
    around: list[int] = []
    for at, depth in enumerate(depths):
        while around and depths[around[-1]] >= depth:
            ends[around.pop()] = at
        if around:
            holders[at] = around[-1]
        around.append(at)
    return ends, holders
