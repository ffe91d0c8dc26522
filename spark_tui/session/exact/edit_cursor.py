"""What is under the workbench's cursor (a symbol, lines or a file), as words of a command."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from spark_tui.codemods.plan import Refused
from spark_tui.codemods.slots import Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import Target, find_symbol, list_targets
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Definition, Source

_DEFINED = frozenset((SymbolKind.FUNCTION, SymbolKind.METHOD, SymbolKind.CLASS))


@dataclass(frozen=True, slots=True)
class Cursor:
    """A place in a file as it is on the disk. Lines count from 1, columns from 0; -1: the whole line."""

    path: str = ""
    line: int = 0
    column: int = -1
    selection: tuple[int, int] | None = None
    """The first and last selected line."""


class CursorPlace:
    """Looks up in a repository what is under a cursor. It may parse the file.

    `indexed`: the other files are known. Otherwise a symbol is named with its file, which is always correct.
    """

    def __init__(self, repo: Repository, cursor: Cursor, *, indexed: bool = True) -> None:
        self._repo, self._cursor, self._indexed = repo, cursor, indexed
        self._symbols: dict[frozenset[SymbolKind], str] = {}
        self._known = bool(cursor.path) and repo.index.text(cursor.path) is not None
        self._python = self._known and cursor.path in repo.index.modules.paths

    def file(self) -> str:
        return self._cursor.path if self._known else ""

    def symbol(self, kinds: frozenset[SymbolKind]) -> str:
        """The symbol under the cursor; without a column the one that the line defines, else the nearest
        definition around it, of those kinds."""
        if kinds not in self._symbols:
            self._symbols[kinds] = self._symbol(kinds) if self._python else ""
        return self._symbols[kinds]

    @cached_property
    def _targets(self) -> list[Target]:
        return list(list_targets(self._repo, self._cursor.path))

    def _symbol(self, kinds: frozenset[SymbolKind]) -> str:
        fitting = (
            candidate
            for candidate in self._candidates()
            if isinstance(candidate, str) or candidate.kind in kinds
        )
        found = next(fitting, None)
        return found if isinstance(found, str) else self._name(found, kinds) if found is not None else ""

    @cached_property
    def places(self) -> Sequence[str]:
        """The selected lines, or the line; then the definition around it, for operations that take a body."""
        here = self._cursor
        if not self._known or not here.line:
            return ()
        if here.selection is not None:
            first, last = here.selection
            return (f"{here.path}:{first}" + (f"-{last}" if last != first else ""),)
        around = (
            next((target for target in self._around() if target.kind in _DEFINED), None)
            if self._python
            else None
        )
        out = [f"{here.path}:{here.line}"]
        if around is not None:
            name = self._name(around, _DEFINED)
            source = self._repo.index.source(here.path)
            head = isinstance(around.node, Definition) and here.line - 1 in _head(source, around.node)
            out.insert(0 if head else 1, name)
        return out

    def definitions(self, path: str = "") -> Sequence[str]:
        """The public functions and classes of a file; without a path those of the selected lines, in one
        class its methods."""
        where = path or self._cursor.path
        if where not in self._repo.index.modules.paths or not self._repo.index.text(where):
            return ()
        source = self._repo.index.source(where)
        first, last = (1, len(source.lines)) if path else self._cursor.selection or (0, 0)

        def chosen(body: Sequence[ast.stmt]) -> list[ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef]:
            found = [stmt for stmt in body if isinstance(stmt, Definition) and not stmt.name.startswith("_")]
            return [
                stmt for stmt in found if source.first_line(stmt) < last and first <= source.last_line(stmt)
            ]

        nodes = chosen(source.tree.body) if source.tree is not None else []
        if len(nodes) == 1 and isinstance(nodes[0], ast.ClassDef) and first > nodes[0].lineno:
            nodes = chosen(nodes[0].body)
        return tuple(dict.fromkeys(f"{where}::{source.qualname(node)}" for node in nodes))

    def _candidates(self) -> Iterator[Target | str]:
        """The likeliest first. A text is the name of a member of an object whose class is not known."""
        if self._cursor.column >= 0:
            found = self._under()
            if found is not None:
                yield found
        yield from self._on_line()
        yield from self._around()

    def _under(self) -> Target | str | None:
        """The name at the cursor or just before it."""
        index, here = self._repo.index, self._cursor
        source, scopes = index.source(here.path), index.scopes(here.path)
        if not 0 < here.line <= len(source.lines):
            return None
        offset = source.starts[here.line - 1] + min(here.column, len(source.lines[here.line - 1]))
        for at in (offset, offset - 1):
            one = scopes.at(at)
            if one is not None:
                variable = scopes.resolve(one)
                return next((t for t in self._targets if t.variable is variable), None)
            use = next((use for use in scopes.attributes if use.span[0] <= at < use.span[1]), None)
            if use is not None:
                return self._member(source, use.node)
        return None

    def _member(self, source: Source, node: ast.Attribute) -> Target | str:
        """Of `self.name` the member of the class around it; else the name, which may have several owners."""
        function = source.function_of(node)
        first = function.args.args[0].arg if function is not None and function.args.args else ""
        owner = source.class_of(function) if function is not None else None
        if owner is not None and isinstance(node.value, ast.Name) and node.value.id == first:
            qualname = f"{source.qualname(owner)}.{node.attr}"
            found = list_targets(self._repo, self._cursor.path, node.attr)
            return next((target for target in found if target.qualname == qualname), node.attr)
        return node.attr

    def _on_line(self) -> list[Target]:
        """What the line defines: first a function or class, then names from the left."""
        line = self._cursor.line
        source = self._repo.index.source(self._cursor.path)
        out: list[tuple[int, int, Target]] = []
        for target in self._targets:
            node = target.node
            if isinstance(node, Definition):
                if line - 1 in _head(source, node):
                    out.append((0, node.lineno, target))
                continue
            bindings = target.variable.bindings if target.variable is not None else ()
            spans = [binding.span[0] for binding in bindings if source.line_number(binding.span[0]) == line]
            if spans or (target.variable is None and target.line == line):
                out.append((1, min(spans, default=1 << 60), target))
        return [one for _, _, one in sorted(out, key=lambda entry: entry[:2])]

    def _around(self) -> list[Target]:
        """The definitions around the line, the innermost first."""
        source = self._repo.index.source(self._cursor.path)
        around = [
            target
            for target in self._targets
            if isinstance(target.node, Definition)
            and source.first_line(target.node) < self._cursor.line <= source.last_line(target.node)
        ]
        return sorted(around, key=lambda item: -source.first_line(item.node) if item.node is not None else 0)

    def _name(self, target: Target, kinds: frozenset[SymbolKind]) -> str:
        """The shortest text that means this symbol and no other."""
        text = f"{target.path}::{target.qualname}"
        found = find_symbol(self._repo, Symbol.parse(text), kinds)
        if isinstance(found, Refused) or found.line != target.line:
            return str(target)
        inner = target.kind in (SymbolKind.LOCAL, SymbolKind.PARAMETER)
        known = target.qualname.rpartition(".")[0] if inner else target.qualname
        symbols = self._repo.index.symbols(known) if self._indexed and known else ()
        return target.qualname if {path for path, _ in symbols} == {target.path} else text


def _head(source: Source, node: Definition) -> range:
    """The lines of a definition (from 0) from its first decorator to the line of its name."""
    return range(source.first_line(node), node.lineno)
