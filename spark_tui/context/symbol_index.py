"""Where every symbol of a repository is defined, for finding one by a few letters.

It sees less than an `Outline` (names and lines, by the shape of lines in every language) and is many times
as fast: a repository of 20,000 files is looked through in seconds, on a thread of its own.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from threading import Event as StopFlag

from spark_tui.context.repo_map import Stamp
from spark_tui.context.symbols import C_FUNCTION, HEADING, KEYWORD, MODIFIED

_PYTHON = re.compile(r"^([ \t]*)(?:async[ \t]+)?(?:def|class)[ \t]+([^\W\d]\w*)", re.MULTILINE)
_CONSTANTS = re.compile(r"^()([A-Z][A-Z0-9_]+)[ \t]*(?::[^=\n]+)?=(?!=)", re.MULTILINE)
_OTHERS = re.compile(
    rf"{MODIFIED}(?:{KEYWORD}|(?:const|let|var)[ \t]+)(?P<name>[^\W\d][\w$]*[!?]?)", re.MULTILINE
)
_C_LIKE = (".c", ".h", ".cc", ".cpp", ".hpp", ".cxx", ".hxx", ".m", ".mm", ".cu", ".java", ".cs")
_KEYWORD_LED = """.js .jsx .ts .tsx .mjs .cjs .go .rs .kt .kts .rb .php .swift .scala .lua .pl .ex .exs .zig
.dart .vue .svelte"""
_SHAPES: dict[str, tuple[re.Pattern[str], ...]] = {
    **dict.fromkeys((".py", ".pyi", ".pyw"), (_PYTHON, _CONSTANTS)),
    **dict.fromkeys((".md", ".markdown"), (HEADING,)),
    **dict.fromkeys(_C_LIKE, (_OTHERS, C_FUNCTION)),
    **dict.fromkeys(_KEYWORD_LED.split(), (_OTHERS,)),
}
MOST_CHARACTERS = 400_000
"""Of a longer file (generated, most often) only the beginning is looked at."""

ReadText = Callable[[str], str | None]


@dataclass(frozen=True, slots=True)
class Symbol:
    """`name` includes the enclosing definitions: `Cart.add`. The line is 1-based."""

    name: str
    path: str
    line: int


def symbols_of(path: str, text: str) -> Iterator[Symbol]:
    """In the order of lines, for each shape of the language."""
    for shape in _SHAPES.get(path[path.rfind(".") :].lower(), ()) if "." in path else ():
        around: list[tuple[int, str]] = []
        line, last = 1, 0
        for match in shape.finditer(text, 0, MOST_CHARACTERS):
            indent, name = match.groups()
            line += text.count("\n", last, match.start())
            last = match.start()
            deep = len(indent.expandtabs(4))
            while around and around[-1][0] >= deep:
                around.pop()
            full = f"{around[-1][1]}.{name}" if around else name
            around.append((deep, full))
            yield Symbol(full, path, line)


class SymbolIndex:
    """Kept from look to look: only files whose stamp changed are read again. `look` may run on any thread,
    one at a time; `take` may be called meanwhile."""

    def __init__(self, read_text: ReadText, stamp: Stamp) -> None:
        self._read_text = read_text
        self._stamp = stamp
        self._known: dict[str, tuple[object, tuple[Symbol, ...]]] = {}
        self._looking = threading.Lock()
        self.done = self.total = 0
        """Files that the look has seen, and of how many."""

    def look(self, paths: Sequence[str], stop: StopFlag) -> Iterator[list[Symbol]]:
        """The symbols of all of these, in batches as they are found. A set `stop` ends it within one file."""
        wanted = [path for path in paths if path[path.rfind(".") :].lower() in _SHAPES]
        with self._looking:
            self.done, self.total = 0, len(wanted)
            for gone in self._known.keys() - set(wanted):
                del self._known[gone]
            batch: list[Symbol] = []
            for path in wanted:
                if stop.is_set():
                    return
                batch += self._of(path)
                self.done += 1
                if self.done % 100 == 0:
                    yield batch
                    batch = []
            yield batch

    def _of(self, path: str) -> tuple[Symbol, ...]:
        stamp = self._stamp(path)
        known = self._known.get(path)
        if known is not None and known[0] == stamp:
            return known[1]
        text = self._read_text(path) if stamp is not None else None
        found = tuple(symbols_of(path, text)) if text else ()
        self._known[path] = (stamp, found)
        return found
