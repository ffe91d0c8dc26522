"""Random places of a file for the samplers."""

from __future__ import annotations

import ast
import random
from collections.abc import Callable
from typing import TypeVar

from spark_tui.codemods.registry import Operation, operations
from spark_tui.codemods.slots import Place, Symbol, SymbolKind
from spark_tui.codemods.uses.symbols import list_targets
from spark_tui.pysource.repository import Repository
from spark_tui.pysource.source import Function, Source
from spark_tui.tables import read_table

Sampler = Callable[[Repository, str, random.Random], Operation | None]
Drawn = tuple[object, ...] | None
"""The arguments of an operation; None where there is nothing to do, or with a None among them."""
Draw = Callable[["FileSample"], Drawn]
N = TypeVar("N", bound=ast.AST)


class NothingFits(Exception):
    """The file has no node of the kind that is looked for."""


class FileSample:
    """One file with a source of randomness. `node` and `function` raise `NothingFits` where none fits."""

    def __init__(self, repo: Repository, path: str, rng: random.Random) -> None:
        self.repo = repo
        self.path = path
        self.rng = rng
        self.source: Source = repo.index.source(path)

    def node(self, kind: type[N], fits: Callable[[N], bool] = lambda _: True) -> N:
        tree = self.source.tree
        found = [node for node in ast.walk(tree) if isinstance(node, kind)] if tree is not None else []
        found = [
            node
            for node in found
            if fits(node) and (not hasattr(node, "lineno") or self.source.span(node)[0] >= 0)
        ]
        if not found:
            raise NothingFits
        return self.rng.choice(found)

    def symbol(self, *kinds: SymbolKind) -> Symbol | None:
        found = [target for target in list_targets(self.repo, self.path) if target.kind in kinds]
        chosen = self.rng.choice(sorted(found, key=str)) if found else None
        return Symbol(chosen.qualname, chosen.path, chosen.line) if chosen is not None else None

    def function(self, fits: Callable[[Function], bool] = lambda _: True) -> Function:
        return self.node(ast.FunctionDef, fits)

    def named(self, node: ast.stmt) -> Symbol:
        return Symbol(self.source.qualname(node), self.path, node.lineno)

    def lines(self, node: ast.AST) -> Place:
        return Place(self.path, self.source.first_line(node) + 1, self.source.last_line(node))

    def line(self, node: ast.stmt | ast.expr | ast.excepthandler) -> Place:
        return Place(self.path, node.lineno, node.lineno)

    def body(self, node: ast.stmt) -> Place:
        return Place(side="in", symbol=str(self.named(node)))

    def whole(self) -> Place:
        return Place(side="in", symbol=self.path)


def law_files(table: str) -> dict[str, str]:
    """Files that stand beside the modules in which laws are tried, by path."""
    found: dict[str, str] = read_table(__file__, "law_files.toml")[table]
    return found


def sampler(name: str, make: Callable[[FileSample], Drawn]) -> Sampler:
    """A sampler of an operation from a function that draws its arguments."""

    def sample(repo: Repository, path: str, rng: random.Random) -> Operation | None:
        try:
            drawn = make(FileSample(repo, path, rng))
        except NothingFits:
            return None
        if drawn is None or any(item is None for item in drawn):
            return None
        made: Operation = operations()[name](*drawn)
        return made

    return sample
