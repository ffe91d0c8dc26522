"""What a person can name behind `@`: the files of the tree, and the symbols in them.

Comes in: a root. Goes out: paths, `Symbol`s, and the mention that names one. Everything here may touch the
disk: call it away from a loop. Must not know: screens.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from stat import S_ISLNK
from threading import Event as StopFlag

from spark_tui.context.ignore_rules import ignore_rules_of, is_allowed
from spark_tui.context.symbol_index import Symbol, SymbolIndex
from spark_tui.context.symbols import outline
from spark_tui.errors import SparkError
from spark_tui.workspace.file_listing import list_files
from spark_tui.workspace.files import Tree


class FileFinder:
    """One for each session: the index is kept from look to look."""

    def __init__(self, root: Path, most_bytes: int) -> None:
        self._root, self._most_bytes = root, most_bytes
        self.index = SymbolIndex(self._text, self._stamp)

    def files(self) -> list[str]:
        return list_files(self._root)

    def symbols(self, files: Sequence[str], stop: StopFlag) -> Iterator[list[Symbol]]:
        """Of every file that may be shown without being named, in batches while they are found."""
        yield from self.index.look(is_allowed(files, ignore_rules_of(self._tree().read_lines, files)), stop)

    def mention(self, symbol: Symbol) -> str:
        """What stands behind `@` for it: the very lines, so that a name that is defined twice is no
        question."""
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

    def _stamp(self, path: str) -> object:
        try:
            status = (self._root / path).lstat()
        except OSError:
            return None
        # A link says what stands under a name of its own.
        return None if S_ISLNK(status.st_mode) else (status.st_mtime_ns, status.st_size)
