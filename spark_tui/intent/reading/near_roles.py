"""The roles of the words of a message in a large repository, where nearly every word of English is a name.

There an ordinary word is a name if it is one of the files near the open one. What is written like code is
looked up in all files. Without an open file, the one that defines what is named stands for it; if none does,
every word is looked up in all files.
"""

from __future__ import annotations

import ast
import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import chain
from pathlib import Path

from spark_tui.intent.reading.symbol_roles import CONFIG, RepositoryRoles, RoleTable, told_files
from spark_tui.intent.reading.word_counts import asks
from spark_tui.intent.words.phrases import words
from spark_tui.intent.words.readings import SymbolRoles
from spark_tui.pysource.files.index import Index
from spark_tui.pysource.summary import Summary

MOST_NEAR = 600
"""Names of files that count as near: some 5,000 lines."""
_MOST_OPENED = 6
"""Sets of opened files whose names are kept."""
WORD = re.compile(r"(?<![\w.`])[^\W\d_]+(?![\w(`]|\.\w)")
_ORDINARY = re.compile(r"[^\W\d_A-Z]+|I|A")
PLAIN_WORDS = Path(__file__).with_name("plain_words.txt")
"""Words that are hardly ever names, which `python -m spark_tui.train reader --plain-words` writes."""


@dataclass(frozen=True)
class NearRoles:
    """The roles of the words of a `text`: of ordinary ones near the open file, of others everywhere."""

    text: str
    near: RoleTable
    everywhere: RoleTable

    def roles(self, name: str) -> frozenset[str]:
        # A name that does not stand in the text is made of ordinary words: `add import` is no `add_import`.
        if name in self.text and (not _ORDINARY.fullmatch(name) or f"`{name}`" in self.text):
            return self.everywhere.roles(name)
        return self.near.roles(name)

    def word_roles(self, word: str) -> frozenset[str]:
        return self.near.word_roles(word)


@dataclass(frozen=True)
class _Near:
    """The names near a file, None if all are; and these with all that some files name that are opened."""

    path: str
    summaries: Mapping[str, Summary]
    names: RoleTable | None
    opened: dict[tuple[ast.AST, ...], RoleTable] = field(default_factory=dict)


class MessageRoles:
    """The roles of messages, one after the other, in a repository that changes."""

    def __init__(self) -> None:
        self._all = RepositoryRoles()
        self._near = _Near("", {}, None)

    def of(self, text: str, index: Index, path: str) -> SymbolRoles:
        """The roles of the words of a message about the file at `path`."""
        # Somewhere there is a function called `imports`, a class called `other`, or a method called `then`.
        opened = told_files(WORD.sub(lambda one: "" if _is_plain(one[0]) else one[0], text), index, path)
        path = path or next(iter(opened), "")
        known = self._near  # a draft may be read meanwhile
        if known.path != path or known.summaries is not index.summaries:
            self._near = known = _Near(path, index.summaries, _names_near(index, path))
        if known.names is None:
            return self._all.of(index, told_files(text, index, path))
        everywhere, trees = self._all.of(index, opened), self._all.parsed(index, opened)
        near = known.opened.get(trees)
        if near is None:
            near = RoleTable(known.names)
            self._all.add_opened(near, trees)
            if len(known.opened) >= _MOST_OPENED:
                known.opened.clear()
            known.opened[trees] = near
        return NearRoles(text, near, everywhere)


def is_no_name(word: str) -> bool:
    """Whether a word asks for an edit, or says what kind of thing is meant."""
    singulars = {word, word.removesuffix("s"), word.removesuffix("es")}
    return asks(word) or not singulars.isdisjoint(words("kinds"))


def _is_plain(word: str) -> bool:
    """Whether a word that is no name near the open file is none of a file far away."""
    return word in _plain_words() or is_no_name(word)


@cache
def _plain_words() -> frozenset[str]:
    return frozenset(PLAIN_WORDS.read_text("utf-8").split())


def _names_near(index: Index, path: str) -> RoleTable | None:
    if not (near := near_files(index, path)):
        return None
    table = RoleTable()
    for one in near:
        table.add_path(one)
        if one in index.summaries:
            table.add_summary(index.summaries[one])
        elif one.endswith(CONFIG):
            table.add_config(index.text(one) or "")
    return table


def near_files(index: Index, path: str) -> frozenset[str]:
    """The files near one of a large repository: those of its folder first, then those around it in the same
    project, then those that import each other; none if all are."""
    left, out = MOST_NEAR, set[str]()
    for other in chain(_outwards(path, index.all_paths), _linked(index, path)):
        if left < 0:
            return frozenset(out)
        if other in out:
            continue
        names = len(index.summaries[other].symbols) if other in index.summaries else 0
        if names <= MOST_NEAR or other == path:
            out.add(other)
            left -= names
    return frozenset() if len(out) == len(index.all_paths) else frozenset(out)


def _linked(index: Index, path: str) -> Iterator[str]:
    """The files that a file imports, or that import it, then those that these do."""
    found = [path] if path in index.summaries else []
    for one in found:
        found += sorted((index.needed(one) | index.importers(one)) - {*found})
    yield from found


def _outwards(path: str, paths: Sequence[str]) -> Iterator[str]:
    """Sorted paths, those in the folder of a path first, then those in the folder around it, and so on: of a
    file that is in a folder, none of another folder of the repository."""
    folder, first, last, nested = path, 0, 0, "/" in path
    while folder:
        folder = folder.rpartition("/")[0]
        if not folder and nested:
            return
        begin = bisect_left(paths, f"{folder}/") if folder else 0
        end = bisect_left(paths, f"{folder}0") if folder else len(paths)
        inside = (
            (*paths[begin : min(first, end)], *paths[max(last, begin) : end]) if last else paths[begin:end]
        )
        yield from sorted(inside, key=lambda one: one.count("/"))
        first, last = begin, end
