"""Ways to do the same otherwise, and the texts on which they are tried.

Comes in: a text in which an answer stands. Goes out: `Base`s, `Way`s, texts without what nothing reads any
more. Must not know: which ways there are.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from spark_tui.pysource.parsing import parse_code
from spark_tui.refactor.imports_of import bound, imports_in, module_of, with_import
from spark_tui.refactor.source import Change, Source
from spark_tui.steers.otherwise_said import Said
from spark_tui.steers.stands import Stands


@dataclass(frozen=True)
class Base:
    """A text on which a way is tried: as it stands, or as it was in the place of the answer."""

    src: Source
    lines: tuple[tuple[int, int], ...]
    """What the answer brought, or what it took the place of."""
    stands: Stands
    new: bool

    def touches(self, *nodes: ast.AST) -> bool:
        first, last = self.src.first_line(nodes[0]), self.src.last_line(nodes[-1])
        return any(first < high and low < last for low, high in self.lines)

    def near(self, *nodes: ast.AST) -> bool:
        """Whether it stands in one of the functions that the answer changed."""
        around = self.src.function_of(nodes[0])
        return self.touches(*nodes) or (around is not None and self.touches(around))

    def made(self, changes: list[Change], *imports: str) -> Iterator[str]:
        try:
            text = self.src.changed(changes)
        except ValueError:
            return
        for line in imports:
            src = Source(text.split("\n")[:-1], self.src.headers)
            change = with_import(src, line)
            if change is not None:
                text = src.changed([change])
            elif not _is_imported(src, line):
                return
        yield text


@dataclass(frozen=True)
class Form:
    """`parts`: a form and what takes its place; all stand in one function, the first where the answer is."""

    parts: tuple[tuple[str, str], ...]
    imports: tuple[str, ...] = ()


Make = Callable[[Base, Said], Iterator[str]]


@dataclass(frozen=True)
class Way:
    """`asked` is searched in what the message wants; `on_old` where it is also made of what the answer
    replaced."""

    asked: re.Pattern[str]
    makes: tuple[Form | Make, ...]
    only_new: bool = False
    against: re.Pattern[str] | None = None
    """Searched in what the message turns down."""
    restores: bool = False
    """Whether it brings back what was: asked by what is kept as well, where no other way makes anything."""

    whole: bool = False
    """Whether what it makes of the text as it was is all that is wanted."""

    def is_asked(self, said: Said, text: str) -> bool:
        if self.against is not None:
            return self.against.search(said.against) is not None
        return self.asked.search(f"{text} ; {said.kept}" if self.restores else text) is not None


def way(
    asked: str,
    *makes: Form | Make,
    only_new: bool = False,
    against: str = "",
    restores: bool = False,
    whole: bool = False,
) -> Way:
    turned_down = re.compile(against, re.I) if against else None
    return Way(re.compile(asked, re.I), makes, only_new, turned_down, restores, whole)


def tidied(stands: Stands, text: str) -> str:
    """Without imports and values of the module that the answer brought and nothing reads any more."""
    for _ in range(2):
        src = Source(text.split("\n")[:-1], stands.src.headers)
        if src.tree is None:
            return text
        changes: list[Change] = []
        for node in imports_in(src):
            dead = [
                one
                for one in node.names
                if bound(one, node) not in _imported(stands.was) and not _read(src, bound(one, node), node)
            ]
            if len(dead) == len(node.names):
                changes.append((*src.line_span(src.first_line(node), src.last_line(node)), ""))
            elif dead and isinstance(node, ast.ImportFrom):
                left = ", ".join(ast.unparse(one) for one in node.names if one not in dead)
                changes.append((*src.span(node), f"from {module_of(node)} import {left}"))
        for one in src.tree.body:
            if isinstance(one, (ast.Assign, ast.AnnAssign)) and one.lineno > len(src.headers):
                target = one.targets[0] if isinstance(one, ast.Assign) else one.target
                if (
                    isinstance(target, ast.Name)
                    and _brought(stands, src.segment(one))
                    and not _read(src, target.id, one)
                ):
                    first, last = src.first_line(one), src.last_line(one)
                    while last < len(src.lines) and not src.lines[last].strip():
                        last += 1
                    changes.append((*src.line_span(first, last), ""))
        if not changes:
            return text
        text = src.changed(changes)
        text = text.lstrip("\n") if stands.was.lines[:1] != ("",) else text
    return text


def _imported(src: Source) -> set[str]:
    return {bound(alias, node) for node in imports_in(src) for alias in node.names}


def _brought(stands: Stands, code: str) -> bool:
    return code in stands.src.text and code not in stands.was.text


def _read(src: Source, name: str, but: ast.AST) -> bool:
    inside = set(ast.walk(but))
    return any(
        isinstance(node, ast.Name) and node.id == name and node not in inside for node in src.nodes
    ) or (f'"{name}"' in src.text)


def _is_imported(src: Source, line: str) -> bool:
    new = parse_code(line).body[0]
    have = [
        (node.module if isinstance(node, ast.ImportFrom) else "", alias.name)
        for node in imports_in(src)
        for alias in node.names
    ]
    wanted = [
        (new.module if isinstance(new, ast.ImportFrom) else "", alias.name)
        for alias in getattr(new, "names", [])
    ]
    return all(one in have for one in wanted)
