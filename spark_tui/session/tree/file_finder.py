"""The files and symbols that a person can name after `@`. Everything here may read the disk."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from threading import Event as StopFlag

from spark_tui.context.ignore_rules import ignore_rules_of, is_allowed
from spark_tui.context.symbol_index import Symbol, SymbolIndex
from spark_tui.context.symbols import outline
from spark_tui.errors import SparkError
from spark_tui.workspace.file_listing import file_stamp, list_files
from spark_tui.workspace.files import Tree


class FileFinder:
    """One for each session, which keeps the symbol index from call to call."""

    def __init__(self, root: Path, most_bytes: int) -> None:
        self._root, self._most_bytes = root, most_bytes
        self.index = SymbolIndex(self._text, partial(file_stamp, self._root))

    def files(self) -> list[str]:
        return list_files(self._root)

    def symbols(self, files: Sequence[str], stop: StopFlag) -> Iterator[list[Symbol]]:
        """Symbols of every file that may be shown to a model, in batches as they are found."""
        yield from self.index.look(is_allowed(files, ignore_rules_of(self._tree().read_lines, files)), stop)

    def mention(self, symbol: Symbol) -> str:
        """The mention of a symbol: its lines, because a name can be defined twice."""
        try:
            lines = self._tree().read_lines(symbol.path)
        except SparkError:
            lines = None
        path = f'"{symbol.path}"' if " " in symbol.path else symbol.path
        if lines is None:
            return path
        name = symbol.name.rpartition(".")[2]
        found = [
            d
            for d in outline(symbol.path, lines).definitions
            if d.name == name and d.first <= symbol.line <= d.last
        ]
        nearest = max(found, key=lambda d: d.first, default=None)
        if nearest is None or nearest.first == nearest.last:
            return f"{path}:{symbol.line}"
        return f"{path}:{nearest.first}-{nearest.last}"

    def _tree(self) -> Tree:
        return Tree(self._root, most_bytes=self._most_bytes)

    def _text(self, path: str) -> str | None:
        try:
            file = self._tree().now(path)
        except SparkError:
            return None
        return None if file is None else file.data.decode("utf-8", "replace").replace("\r\n", "\n")
