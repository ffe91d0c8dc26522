"""Classes by the last word of each base."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from operator import itemgetter
from typing import Protocol

from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import Imported, Summary, bases_of


class Index(Protocol):
    """What is asked of an index."""

    @property
    def summaries(self) -> dict[str, Summary]: ...
    def summary_unless_new(self, path: str) -> Summary | None: ...
    def source(self, path: str) -> Source: ...
    def imports(self, path: str) -> tuple[Imported, ...]: ...


Classes = Mapping[str, list[tuple[str, str]]]


def classes_by_base(
    index: Index, before: tuple[Index, Classes, Collection[str]] | None
) -> dict[str, list[tuple[str, str]]]:
    """In the order of paths. `before`: an earlier index, what it has, and which files changed since."""
    if before is None:
        out: dict[str, list[tuple[str, str]]] = {}
        for path in index.summaries:
            for name, qualname in _bases(index, path):
                out.setdefault(name, []).append((path, qualname))
        return out
    earlier, known, changed = before
    out = dict(known)
    for path in sorted(earlier.summaries.keys() & changed):
        old, new = _bases(earlier, path), _bases(index, path)
        for word in {name for name, _ in (*old, *new)} if old != new else ():
            others = [one for one in out.get(word, ()) if one[0] != path]
            own = [(path, qualname) for name, qualname in new if name == word]
            out[word] = sorted([*others, *own], key=itemgetter(0))
    return out


def _bases(index: Index, path: str) -> list[tuple[str, str]]:
    """The classes of a file with the names of their bases."""
    known = index.summary_unless_new(path)
    if known is None:
        tree = index.source(path).tree
        found = list(bases_of(tree.body)) if tree is not None else []
    else:
        found = list(known.bases)
    aliases = {one.alias: one.name for one in index.imports(path) if one.name} if found else {}
    words = ((base.rpartition(".")[2], qualname) for qualname, base in found)
    return [(name, at) for word, at in words for name in {word, aliases.get(word, word)}]
