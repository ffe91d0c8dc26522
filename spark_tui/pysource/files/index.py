"""The index of a repository: symbols, imports, mentions of names."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping
from functools import cached_property
from operator import itemgetter
from pathlib import Path

from spark_tui.pysource.files.by_base import classes_by_base
from spark_tui.pysource.files.by_word import FilesByWord
from spark_tui.pysource.files.content_store import ContentStore, digest_of
from spark_tui.pysource.files.tree import OverlayTree, Paths, SourceTree, StampedTree
from spark_tui.pysource.modules import Modules
from spark_tui.pysource.names.scopes import Scopes
from spark_tui.pysource.source import Source
from spark_tui.pysource.summary import Imported, Summary, Symbol, mentions

_DERIVED = (
    "paths",
    "summaries",
    "_by_word",
    "_by_member",
    "_symbols",
    "symbol_names",
    "_importers",
    "_by_base",
)
"""What follows from paths and texts, and is kept where those stay."""


class Index:
    """A repository as it is now."""

    def __init__(
        self,
        tree: SourceTree,
        cache: Path | None = None,
        *,
        store: ContentStore | None = None,
        on_work: Callable[[], None] | None = None,
    ) -> None:
        """`on_work` is called before each step; what it raises ends the question."""
        self.tree = tree
        self._stamp: Callable[[str], object] = getattr(tree, "stamp", lambda _: None)
        self._on_work = on_work
        self._store = store or ContentStore(cache)
        self._texts: dict[str, str | None] = {}
        self._digests: dict[str, str] = {}
        self._stamps: dict[str, object] = {}
        self.held: dict[str, Scopes] = {}
        """The parsed files that stay for the life of this index."""
        self._before: Index | None = None
        """An index that differs only in the texts of `_changed`."""
        self._changed: frozenset[str] = frozenset()
        self._below: tuple[Index, Collection[str]] | None = None
        """An index that has the texts of all files but these."""

    def with_changes(self, changed: Mapping[str, str | None]) -> Index:
        """With these texts; what is known of others is shared."""
        made = Index(OverlayTree(self.tree, changed), store=self._store, on_work=self._on_work)
        made._below = self, frozenset(changed)
        if all(text is not None and path in self.all_paths for path, text in changed.items()):
            # No file comes or goes: what follows from the paths is the same.
            below = self if self._before is None or not self._changed <= changed.keys() else self._before
            made._before, made._changed = below, frozenset(changed)
        return made

    @property
    def base(self) -> tuple[Index, frozenset[str]]:
        """An index that others may share, and the files in which this one differs."""
        return self._before or self, self._changed

    def reread(self, tree: SourceTree, on_work: Callable[[], None] | None = None) -> Index:
        """The index of another reading, with what is known of contents."""
        made = Index(tree, store=self._store, on_work=on_work)
        made._take_over(self)
        return made

    def is_as(self, tree: SourceTree, on_work: Callable[[], None] | None) -> bool:
        """Whether another reading finds all files as this one does, unread ones, too."""
        same = on_work == self._on_work and Paths(tree.paths()) == self.all_paths
        if not same or not isinstance(tree, StampedTree):
            return False
        stamp, known = tree.stamp, self._stamps.get
        others = self._texts.keys() - self.all_paths.as_set
        for path in (*self.all_paths, *others):
            if (now := stamp(path)) is not None and now == known(path, now):
                continue
            if path not in self._texts or tree.read(path) != self._texts[path]:
                return False
            self._stamps[path] = now
        return True

    def _take_over(self, before: Index) -> None:
        """Keep what an earlier index knows of files that are as they were."""
        if not isinstance(self.tree, StampedTree):
            return
        changed, same_paths = set(), self.all_paths == before.all_paths
        for path in self.all_paths if same_paths else before._texts.keys() & set(self.all_paths):
            if path not in before._texts:
                continue
            stamp = self._stamp(path)
            if stamp is not None and stamp == before._stamps.get(path):
                self._stamps[path], self._texts[path] = stamp, before._texts[path]
            elif self.text(path) != before._texts[path]:
                changed.add(path)
                same_paths = same_paths and None not in (self._texts[path], before._texts[path])
                continue
            if path in before._digests:
                self._digests[path] = before._digests[path]
        if not same_paths or before._before is not None:
            return
        self.__dict__["all_paths"] = before.all_paths
        self.__dict__["modules"] = before.modules.asking(self._imports_naming)
        known = [name for name in _DERIVED if name in before.__dict__]
        if not changed:
            self.__dict__.update({name: before.__dict__[name] for name in known})
            return
        self._before, self._changed = before, frozenset(changed)
        for name in known:
            getattr(self, name)
        self._before, self._changed = None, frozenset()

    def read_again(self, tree: SourceTree, on_work: Callable[[], None] | None = None) -> Index:
        """The repository as it is later, with known summaries."""
        return Index(tree, store=self._store.without_parsed(), on_work=on_work)

    def save(self) -> None:
        self._store.save({*self._digests.values(), *self._store.saved})

    # -- files

    @cached_property
    def all_paths(self) -> Paths:
        return Paths(self.tree.paths()) if self._before is None else self._before.all_paths

    @cached_property
    def modules(self) -> Modules:
        return self._before.modules if self._before else Modules(self.all_paths, self._imports_naming)

    @cached_property
    def paths(self) -> Paths:
        """The Python files that can be read."""
        if self._before is not None and all(path in self._before.paths for path in self._changed):
            return self._before.paths
        return Paths(path for path in sorted(self.modules.paths) if self.text(path) is not None)

    def work(self) -> None:
        if self._on_work:
            self._on_work()

    def text(self, path: str) -> str | None:
        self.work()
        if self._below is not None and path not in self._below[1]:
            return self._below[0].text(path)
        if path not in self._texts:
            self._stamps[path] = self._stamp(path)
            self._texts[path] = self.tree.read(path)
        return self._texts[path]

    def _digest(self, path: str) -> str:
        if self._below is not None and path not in self._below[1]:
            return self._below[0]._digest(path)
        if path not in self._digests:
            self._digests[path] = digest_of(self.text(path) or "")
        return self._digests[path]

    def source(self, path: str) -> Source:
        return self.scopes(path).source

    def parsed(self, path: str) -> Source:
        """The file, for a while: its nodes may go."""
        if path in self.held:
            return self.held[path].source
        return self._store.source(path, self._digest(path), self.text(path) or "")

    def scopes(self, path: str) -> Scopes:
        """The parsed file: the same object for the life of this index."""
        if path not in self.held:
            passing = isinstance(self.tree, OverlayTree) and path in self.tree.changed
            digest, text = self._digest(path), self.text(path) or ""
            self.held[path] = self._store.scopes(path, digest, text, passing=passing)
        return self.held[path]

    def summary(self, path: str) -> Summary:
        known = self._store.summaries.get(self._digest(path))
        return known or self._store.summary(self._digest(path), Source(self.text(path) or "", path))

    def summary_unless_new(self, path: str) -> Summary | None:
        """None of a file that a plan changes: less is asked."""
        known = self._store.summaries.get(self._digest(path))
        return known if known is not None or path in self._changed else self.summary(path)

    def parses(self, path: str) -> bool:
        known = self.summary_unless_new(path)
        return known.parses if known is not None else self.source(path).tree is not None

    @cached_property
    def summaries(self) -> dict[str, Summary]:
        """The summaries of all files. Also writes the cache."""
        if self._before is not None:
            new = {path: self.summary(path) for path in self._changed if path in self.modules.paths}
            return {**self._before.summaries, **new}
        out = {path: self.summary(path) for path in self.paths}
        self._store.save({self._digest(path) for path in self.paths})
        return out

    # -- names

    def files_with(self, *words: str) -> Iterator[str]:
        """The Python files with one of the words, in code or not."""
        below = self._before or self
        if "summaries" not in below.__dict__:
            return (path for path in self.paths if self._has_one(path, words))
        new = (path for path in self._changed_paths if self._has_one(path, words))
        return iter(sorted((below._by_word.of(words) - self._changed).union(new)))

    def word_bits(self, path: str) -> bytes:
        """What tells `files_with` at once that a file does not have most words; kept."""
        return self.summary(path).bits

    def _has_one(self, path: str, words: tuple[str, ...]) -> bool:
        if not any(word in (self.text(path) or "") for word in words):
            return False
        known = self.summary_unless_new(path)
        return any(w in known.words for w in words) if known else mentions(self.scopes(path).code, words)

    @cached_property
    def _by_word(self) -> FilesByWord:
        if self._before is not None:
            return self._before._by_word.with_changed(self.summaries, self._changed)
        return FilesByWord(self.summaries, lambda one: one.words)

    @cached_property
    def _by_member(self) -> FilesByWord:
        if self._before is not None:
            return self._before._by_member.with_changed(self.summaries, self._changed)
        return FilesByWord(self.summaries, lambda one: one.members)

    def files_with_member(self, word: str) -> Iterator[str]:
        """The Python files in which a word may be a member of an object or the name of an argument."""
        below = self._before or self
        if "summaries" not in below.__dict__:
            return (path for path in self.files_with(word) if word in self.summary(path).members)
        new = (path for path in self._changed_paths if self._has_one(path, (word,)))
        asked = (path for path in new if word in self.summary(path).members)
        return iter(sorted((below._by_member.of((word,)) - self._changed).union(asked)))

    @cached_property
    def _symbols(self) -> dict[str, list[tuple[str, Symbol]]]:
        if self._before is not None:
            return self._changed_symbols(self._before)
        out: dict[str, list[tuple[str, Symbol]]] = defaultdict(list)
        for path, summary in self.summaries.items():
            for one in summary.symbols:
                out[one.name].append((path, one))
        return out

    def _changed_symbols(self, before: Index) -> dict[str, list[tuple[str, Symbol]]]:
        """The symbols of the index before, with those of the changed files replaced."""
        out = dict(before._symbols)
        for path in self._changed & before.summaries.keys():
            for name in before.summaries[path].symbols_by_name:
                out[name] = [each for each in out[name] if each[0] != path]
        for path in sorted(self._changed & self.summaries.keys()):
            for name, own in self.summaries[path].symbols_by_name.items():
                out[name] = sorted([*out.get(name, ()), *((path, one) for one in own)], key=itemgetter(0))
        return {name: found for name, found in out.items() if found}

    def symbols(self, name: str) -> list[tuple[str, Symbol]]:
        """Definitions of a name, or of a dotted end of a qualified name, as (path, symbol)."""
        found = self._named(name.rpartition(".")[2])
        return [(path, one) for path, one in found if f".{one.qualname}".endswith(f".{name}")]

    @cached_property
    def _changed_paths(self) -> frozenset[str]:
        return self._changed.intersection(self.paths)

    def _named(self, name: str) -> list[tuple[str, Symbol]]:
        if self._before is None or "_symbols" in self.__dict__:
            return self._symbols.get(name, [])
        found = [each for each in self._before._named(name) if each[0] not in self._changed]
        for path in self._changed_paths:
            if name in (self.text(path) or ""):
                known = self.summary_unless_new(path) or self.scopes(path)
                found += [(path, one) for one in known.symbols_by_name.get(name, ())]
        return sorted(found, key=itemgetter(0))

    def classes_based_on(self, name: str) -> list[tuple[str, str]]:
        """The classes that have a base of this name, as (path, qualified name)."""
        return self._by_base.get(name, [])

    @cached_property
    def _by_base(self) -> dict[str, list[tuple[str, str]]]:
        before = (self._before, self._before._by_base, self._changed) if self._before is not None else None
        return classes_by_base(self, before)

    @cached_property
    def symbol_names(self) -> frozenset[str]:
        return frozenset(self._symbols)

    # -- imports

    def imports(self, path: str) -> tuple[Imported, ...]:
        """What a file imports; of one that a plan changes without the rest."""
        known = self.summary_unless_new(path)
        return self.scopes(path).imports if known is None else known.imports

    def _imports_naming(self, word: str) -> Iterator[tuple[str, str]]:
        for path in self.files_with(word):
            yield from ((one.module, one.name) for one in self.imports(path) if not one.level)

    def imported_module(self, path: str, one: Imported) -> str:
        """The absolute name of the module that an import names."""
        return self.modules.absolute(path, one.module, one.level)

    @cached_property
    def _importers(self) -> dict[str, set[str]]:
        before, out = self._before, defaultdict[str, set[str]](set)
        if before is None:
            for path in self.summaries:
                for found in self.needed(path):
                    out[found].add(path)
            return out
        out.update(before._importers)
        for path in self._changed & before.summaries.keys():
            old, new = before.needed(path), self.needed(path)
            for found in old ^ new:
                out[found] = out[found] ^ {path}
        return out

    def needed(self, path: str) -> set[str]:
        """The other files that a file imports, or something of them."""
        found = set()
        for one in self.imports(path):
            module = self.imported_module(path, one)
            found.add(self.modules.find(module, path))
            if one.name:
                found.add(self.modules.find(f"{module}.{one.name}", path))
        return {one for one in found if one is not None and one != path}

    def importers(self, path: str) -> frozenset[str]:
        """The files that import a file or part of it."""
        return frozenset(self._importers.get(path, ()))
